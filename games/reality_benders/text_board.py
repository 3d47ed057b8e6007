"""The board as text, for a terminal."""

from collections.abc import Iterator

from games.kernel import Witness
from games.reality_benders.commands import Cast
from games.reality_benders.notation import form
from games.reality_benders.pieces import NAMES, SPELLS
from games.reality_benders.reveal import tie_trash_phase
from games.reality_benders.rules import due
from games.reality_benders.state import State


def text_board(state: State, witness: Witness) -> str:
    """Return the rules as a table, both seats, the last duel, and the seats that must choose."""
    return "\n".join((*_head(state), "", *_matrix(state), "", *_seats(state, witness), *_table(state)))


def _head(state: State) -> Iterator[str]:
    yield f"Bout {state.bout} of at most {state.options.max_bouts}, phase {state.phase}"
    yield f"Bouts won {_pair(state.won)}, points in this bout {_pair(state.points)}"
    yield f"From phase {tie_trash_phase(state)} of this bout on a tie trashes both spells."
    yield f"Each seat bends {'one rule' if state.options.rules_each == 1 else 'two rules'} a round."


def _matrix(state: State) -> Iterator[str]:
    yield "      " + " ".join(SPELLS) + "   > a rule: the row leads to the column (+ new, x just destroyed)"
    for x in SPELLS:
        yield f"    {x} " + " ".join(_mark(state, x, y) for y in SPELLS) + f"   {NAMES[x]}"


def _mark(state: State, x: str, y: str) -> str:
    rule = f"{x}>{y}"
    if rule in state.rules:
        return "+" if rule in state.fresh else ">"
    return "x" if rule in state.gone else "\\" if x == y else "."


def _seats(state: State, witness: Witness) -> Iterator[str]:
    for seat in (0, 1):
        you = " (you)" if witness == seat else ""
        yield f"Seat {seat}{you}: hand {_hand(state, seat)}; items {', '.join(state.items[seat]) or 'none'}"
        submission = state.submitted[seat]
        if submission is not None:
            yield "  locked in: " + ("hidden" if submission == "hidden" else form(submission))
        if offer := state.offers[seat]:
            yield f"  may pick one of {' '.join(offer)}"


def _hand(state: State, seat: int) -> str:
    """Return the hand, with the last cast spell, which may not be repeated, in brackets."""
    last = state.casts[seat].spell if state.casts else None
    return " ".join(f"[{spell}]" if spell == last else spell for spell in state.hands[seat]) or "empty"


def _table(state: State) -> Iterator[str]:
    if state.casts:
        casts = [form(Cast(cast.spell, cast.targets, cast.bonus)) for cast in state.casts]
        yield f"Last spells: seat 0 {casts[0]}, seat 1 {casts[1]}"
    waiting = (f"seat {prompt.seat} to {prompt.commands[0]}" for prompt in due(state).prompts)
    yield "Now: " + (", ".join(waiting) or "the match is over")


def _pair(values: tuple[int, ...]) -> str:
    return f"{values[0]}-{values[1]}"
