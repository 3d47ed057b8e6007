"""The laws bite: a game that breaks one is caught."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import structs

from benchmarks import laws
from games.kernel import Chance, Command, Due, Event, FlagFallen, Game, Illegal, Outcome, Resign, Resigned
from games.pyramid_poker import GAME
from games.pyramid_poker.commands import Draw, Place
from games.pyramid_poker.events import BrickDrawn, FirstChosen
from games.pyramid_poker.state import State
from tests.laws.law import LawBroken
from tests.laws.runs import check_match, check_seed

MATCHES = 12
SEEDS = count()


def due_by_a_secret(state: State) -> Due:
    """A seat without a known brick is told that the dealer is due."""
    hidden = state.phase == "construction" and state.held is not None and state.held.brick is None
    return Due(dealer=True) if hidden else GAME.due(state)


def due_after_the_end(state: State) -> Due:
    """The dealer never rests."""
    return Due(dealer=True) if GAME.outcome(state) else GAME.due(state)


def sample_of_resignations(state: State, seat: int, rng: Random) -> Command:
    """Gives up now and then."""
    return Resign() if rng.random() < 0.2 else GAME.sample(state, seat, rng)


def legal_beyond_the_rules(state: State, seat: int) -> Iterator[Command]:
    """Knows a space that isn't there."""
    yield from GAME.legal(state, seat)
    yield Place("Z9") if state.phase == "construction" else Draw("Z9")


def decide_by_other_chance(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Asks the chance handed in, and draws from a seed of its own."""
    chance.draws("nothing")
    return GAME.decide(state, seat, command, Chance(seed=b"%d" % next(SEEDS), version=chance.version))


def decide_by_a_secret(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Won't take down an ace whose place the seat may not know."""
    if isinstance(command, Draw) and command.cell in state.spaces:
        standing = state.spaces[command.cell]
        if standing.seat != seat and str(standing.brick).startswith("A"):
            raise Illegal("not_exposed", "That one stays.")
    return GAME.decide(state, seat, command, chance)


def decide_that_tells(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Names the brick that it refuses to take down."""
    try:
        yield from GAME.decide(state, seat, command, chance)
    except Illegal as refusal:
        bricks = {cell: standing.brick for cell, standing in state.spaces.items()}
        raise Illegal(refusal.code, f"That is {bricks.get(getattr(command, 'cell', None))}.") from None


def decide_in_a_fit(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Refuses by a code that no README knows."""
    try:
        return GAME.decide(state, seat, command, chance)
    except Illegal:
        raise Illegal("no_way", "No.") from None


def expire_without_consequence(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Lets the flag fall, and the seat go on."""
    return ()


def evolve_with_a_memory(state: State, event: Event) -> State:
    """Comes to another state each time it is run."""
    after: State = GAME.evolve(state, event)
    return structs.replace(after, wins=(next(SEEDS), 0)) if isinstance(event, FirstChosen) else after


def evolve_past_flags(state: State, event: Event) -> State:
    """Knows of no flag."""
    return state if isinstance(event, FlagFallen) else GAME.evolve(state, event)


def evolve_past_resignations(state: State, event: Event) -> State:
    """Knows of no resignation."""
    return state if isinstance(event, Resigned) else GAME.evolve(state, event)


def evolve_beyond_json(state: State, event: Event) -> State:
    """Keeps what JSON can't tell apart."""
    after: State = GAME.evolve(state, event)
    return structs.replace(after, wins=list(after.wins)) if isinstance(event, BrickDrawn) else after


def outcome_by_a_secret(state: State) -> Outcome | None:
    """Ends as soon as the table knows that the ten of clubs stands."""
    is_placed = any(standing.brick == "10C" for standing in state.spaces.values())
    return Outcome((0,), ((0,), (1,)), "played", {0: 0, 1: 0}) if is_placed else GAME.outcome(state)


def bot_of_its_own_mind(state: State, seat: int, rng: Random) -> Command:
    """Takes its luck from elsewhere."""
    return GAME.sample(state, seat, Random(next(SEEDS)))


def bot_that_gives_up(state: State, seat: int, rng: Random) -> Command:
    """Would rather not."""
    return Resign()


def board_too_wide(state: State, witness: Any) -> str:
    """Fits no terminal."""
    return GAME.text_board(state, witness) + " " * 101


BROKEN = [
    (1, replace(GAME, decide=decide_by_other_chance)),
    (2, replace(GAME, evolve=evolve_with_a_memory)),
    (3, replace(GAME, legal=legal_beyond_the_rules)),
    (3, replace(GAME, sample=sample_of_resignations)),
    (3, replace(GAME, decide=decide_in_a_fit)),
    (3, replace(GAME, bot=bot_that_gives_up)),
    (3, replace(GAME, decide=decide_by_a_secret)),
    (4, replace(GAME, decide=decide_that_tells)),
    (4, replace(GAME, bot=bot_of_its_own_mind)),
    (5, replace(GAME, bound=lambda options, seats: 60)),
    (5, replace(GAME, evolve=evolve_past_flags, expire=expire_without_consequence)),
    (5, replace(GAME, evolve=evolve_past_resignations)),
    (6, replace(GAME, evolve=evolve_beyond_json)),
    (7, replace(GAME, due=due_by_a_secret)),
    (7, replace(GAME, outcome=outcome_by_a_secret)),
    (7, replace(GAME, due=due_after_the_end)),
    (9, replace(GAME, text_board=board_too_wide)),
]


@pytest.mark.parametrize(("law", "game"), BROKEN, ids=[f"{case}, law {law}" for case, (law, _) in enumerate(BROKEN)])
def test_broken_law_is_detected_under_its_number(law: int, game: Game) -> None:
    with pytest.raises(LawBroken) as broken:
        for seed in range(MATCHES):
            check_match(game, {}, 2, seed)
    assert broken.value.law == law, broken.value


def test_bench_prints_how_to_repeat_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "catalogue", {GAME.slug: replace(GAME, text_board=board_too_wide)})
    violation = laws.play(GAME.slug, 7)
    assert isinstance(violation, laws.Violation) and (violation.law, violation.seed) == (9, 7)
    assert violation.again == "bin/bench laws --game pyramid_poker --seed 7 --matches 1 --pairs 0"


def test_a_match_is_drawn_from_its_seed_alone() -> None:
    assert check_seed(GAME, 3) == check_seed(GAME, 3) != check_seed(GAME, 4)


def test_the_game_itself_keeps_them_all() -> None:
    for seed in range(MATCHES):
        assert check_match(GAME, {}, 2, seed).pairs
