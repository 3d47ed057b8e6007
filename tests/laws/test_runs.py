"""The laws bite: a game that breaks one is caught."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from random import Random
from typing import Any

import pytest
from msgspec import structs

from games.kernel import Chance, Command, Due, Event, Game, Illegal, Outcome, Resign
from games.pyramid_poker import GAME
from games.pyramid_poker.commands import Draw, Place
from games.pyramid_poker.events import BrickDrawn
from games.pyramid_poker.state import State
from tests.laws.runs import check_match

MATCHES = 6
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
    """Draws from a seed of its own."""
    return GAME.decide(state, seat, command, Chance(seed=b"%d" % next(SEEDS), version=chance.version))


def decide_by_a_secret(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Won't take down an ace whose place the seat may not know."""
    if isinstance(command, Draw) and command.cell in state.spaces:
        standing = state.spaces[command.cell]
        if standing.seat != seat and str(standing.brick).startswith("A"):
            raise Illegal("not_exposed", "That one stays.")
    return GAME.decide(state, seat, command, chance)


def decide_in_a_fit(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Refuses by a code that no README knows."""
    try:
        return GAME.decide(state, seat, command, chance)
    except Illegal:
        raise Illegal("no_way", "No.") from None


def evolve_beyond_json(state: State, event: Event) -> State:
    """Keeps what JSON can't tell apart."""
    after: State = GAME.evolve(state, event)
    return structs.replace(after, wins=list(after.wins)) if isinstance(event, BrickDrawn) else after


def outcome_by_a_secret(state: State) -> Outcome | None:
    """Ends as soon as the table knows that the ten of clubs stands."""
    stands = any(standing.brick == "10C" for standing in state.spaces.values())
    return Outcome((0,), ((0,), (1,)), "played", {0: 0, 1: 0}) if stands else GAME.outcome(state)


BROKEN = {
    "law 1": replace(GAME, decide=decide_by_other_chance),
    "law 3, legal": replace(GAME, legal=legal_beyond_the_rules),
    "law 3, sample": replace(GAME, sample=sample_of_resignations),
    "law 3, codes": replace(GAME, decide=decide_in_a_fit),
    "law 4, decide": replace(GAME, decide=decide_by_a_secret),
    "law 4, due": replace(GAME, due=due_by_a_secret),
    "law 4, outcome": replace(GAME, outcome=outcome_by_a_secret),
    "law 5": replace(GAME, bound=lambda options, seats: 60),
    "law 6": replace(GAME, evolve=evolve_beyond_json),
    "law 7": replace(GAME, due=due_after_the_end),
}


@pytest.mark.parametrize("game", BROKEN.values(), ids=list(BROKEN))
def test_a_game_that_breaks_a_law_is_caught(game: Game) -> None:
    with pytest.raises((AssertionError, Illegal)):
        for seed in range(MATCHES):
            check_match(game, {}, 2, seed)


def test_the_game_itself_keeps_them_all() -> None:
    for seed in range(MATCHES):
        check_match(GAME, {}, 2, seed)
