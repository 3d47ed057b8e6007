"""The rules: prompts, decisions and the outcome."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, Final

from games.kernel import Chance, Due, Event, Outcome, Prompt, two_seat_outcome
from games.reality_benders.checks import check_bend, check_cast, check_offer, check_pick
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.events import (
    BendingSubmitted,
    BoutFinished,
    BoutStarted,
    SpellPicked,
    SpellsOffered,
    SpellSubmitted,
)
from games.reality_benders.reveal import Batch, choosers, opened
from games.reality_benders.state import State, evolve

BOUTS_TO_WIN: Final = 2


def due(state: State) -> Due:
    """Prompt the seats that haven't submitted; the others may replace their submission meanwhile. R4, R17"""
    if outcome(state) is not None:
        return Due()
    turn = f"bout {state.bout}, phase {state.phase}, {state.stage}"
    prompts: list[Prompt] = []
    amendable: list[Prompt] = []
    for seat in choosers(state):
        prompt = Prompt(seat, (state.stage,), turn, "turn")
        (amendable if state.submitted[seat] else prompts).append(prompt)
    return Due(prompts=tuple(prompts), amendable=tuple(amendable) if prompts else ())


def decide(state: State, seat: int, command: Any, chance: Chance) -> Iterable[Event]:
    """Return the events of a seat's command; raise Illegal."""
    submitted = _submission(state, seat, command)
    after = evolve(state, submitted)
    revealed = opened(after)
    return (submitted, *revealed, *_bout_ended(reduce(evolve, revealed, after)))


def deal(state: State, chance: Chance) -> Iterable[Event]:
    """Return no events: the dealer has no duties in this game."""
    return ()


def expire(state: State, seat: int, chance: Chance) -> Iterable[Event]:
    """Return no events: `flag_fallen` alone makes the seat lose the match. R20"""
    return ()


def outcome(state: State) -> Outcome | None:
    """Return the outcome, or None. R19 and R20"""
    if state.resigned:
        return two_seat_outcome(1 - state.resigned[0], "resigned", score(state))
    if state.flagged is not None:
        return two_seat_outcome(1 - state.flagged, "flag", score(state))
    if state.stage != "over" or not _decided(state):
        return None
    return two_seat_outcome(max((0, 1), key=lambda seat: _merit(state, seat)), "played", score(state))


def score(state: State) -> dict[int, int]:
    """Return the bouts won, by seat."""
    return dict(enumerate(state.won))


def _merit(state: State, seat: int) -> tuple[int, int, bool]:
    return state.won[seat], state.total[seat], seat == state.priority  # R19


def _decided(state: State) -> bool:
    return BOUTS_TO_WIN in state.won or state.bout == state.options.max_bouts


def _submission(state: State, seat: int, command: Any) -> Event:
    match command:
        case Bend():
            check_bend(state, seat, command)
            return BendingSubmitted(seat, tuple(sorted(command.rules)), command.bridge, command.break_)
        case Cast():
            check_cast(state, seat, command)
            return SpellSubmitted(seat, command.spell, _ordered(command), command.bonus)
        case Offer():
            check_offer(command)
            return SpellsOffered(seat, 1 - seat, tuple(sorted(command.spells)))
        case Pick():
            check_pick(state, seat, command)
            return SpellPicked(seat, command.spell)
        case _:
            raise TypeError(f"{command!r} is not a command of this game.")


def _ordered(cast: Cast) -> tuple[str, ...]:
    """Return the targets; those of Build are sorted, as they have no order."""
    return tuple(sorted(cast.targets)) if cast.spell == "B" else cast.targets


def _bout_ended(state: State) -> Batch:
    """Return the events at the end of a bout, none during one. R18 and R19"""
    if state.stage != "closing":
        return ()
    first, second = state.points
    winner = None if first == second else 0 if first > second else 1
    finished = BoutFinished(state.bout, state.points, winner)
    if _decided(evolve(state, finished)):
        return (finished,)
    return (finished, BoutStarted(state.bout + 1))
