"""The board as text and tables, for screen readers and for dense graphs."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.drawing.headlines import ended
from games.drawing.texttable import TextTable
from games.kernel import Witness
from games.reality_benders.commands import Bend, Cast, Offer
from games.reality_benders.notation import form
from games.reality_benders.pieces import DOES, NAMES, SPELLS
from games.reality_benders.rules import due, outcome
from games.reality_benders.state import State

Names = Sequence[str]

DOING: Final = {
    "bend": "bending", "cast": "casting", "offer": "offering", "pick": "picking", "closing": "over", "over": "over"
}  # fmt: skip
"""The action of the seats at each stage."""


def headline(state: State, names: Names) -> str:
    """Return the bout, the phase and its action, or the result."""
    end = outcome(state)
    if end is not None:
        return ended(end, names)
    return f"Bout {state.bout}, phase {state.phase}: {DOING[state.stage]}"


def repeated(state: State, seat: int) -> str | None:
    """Return the spell that the seat cast in the last round and may not repeat, or None. R9"""
    return state.casts[seat].spell if state.casts else None


def doing(state: State, seat: int) -> str:
    """Describe the seat's submission, as far as the view contains it, or its next action."""
    submission = state.submitted[seat]
    if isinstance(submission, Bend | Cast | Offer):
        return f"locked in: {form(submission)}"
    if submission == "hidden":
        return "locked in"
    offer = state.offers[seat]
    if offer:
        return f"may pick {', '.join(offer)}"
    return "chooses" if due(state).prompt_of(seat) else ""


def cast_last(state: State, seat: int) -> str:
    """Return the seat's last spell in this bout, in notation, or an empty string."""
    if not state.casts:
        return ""
    cast = state.casts[seat]
    return form(Cast(cast.spell, cast.targets, cast.bonus)).removeprefix("cast ")


def standing(state: State, x: str, y: str) -> str:
    """Describe the rule from one spell to another."""
    rule = f"{x}>{y}"
    if rule in state.rules:
        return "new rule" if rule in state.fresh else "rule"
    if rule in state.gone:
        return "destroyed"
    return "itself" if x == y else "none"


def spell_label(state: State, spell: str, names: Names) -> str:
    """Describe a spell: its effect, the hands that hold it, and the targets of its rules."""
    held = [f"{_copies(state, seat, spell)} with {names[seat]}" for seat in (0, 1) if spell in state.hands[seat]]
    barred = [f"{names[seat]} may not repeat it" for seat in (0, 1) if spell == repeated(state, seat)]
    leads = [NAMES[y] for y in SPELLS if f"{spell}>{y}" in state.rules]
    onward = f"leads to {', '.join(leads)}" if leads else "leads nowhere"
    does = f"{NAMES[spell]}: {DOES[spell].removesuffix('.')}"
    return "; ".join([does, *(held or ["in no hand"]), *barred, onward])


def _copies(state: State, seat: int, spell: str) -> str:
    copies = state.hands[seat].count(spell)
    return "in hand" if copies == 1 else f"{copies} in hand"


def tables(view: State, *, viewer: Witness, names: Names) -> tuple[TextTable, ...]:
    """Return the seats, and the rules by row and column."""
    return _seats(view, viewer, names), _matrix(view)


def _seats(state: State, viewer: Witness, names: Names) -> TextTable:
    header = ("Seat", "Bouts won", "Points", "Hand", "May not repeat", "Items", "Last spell", "Now")
    return TextTable(f"{headline(state, names)}.", header, tuple(_seat_rows(state, viewer, names)))


def _seat_rows(state: State, viewer: Witness, names: Names) -> Iterator[tuple[str, ...]]:
    for seat in (0, 1):
        yield (
            names[seat] + (" (you)" if seat == viewer else ""),
            str(state.won[seat]),
            str(state.points[seat]),
            " ".join(state.hands[seat]) or "empty",
            repeated(state, seat) or "-",
            ", ".join(state.items[seat]) or "none",
            cast_last(state, seat) or "-",
            doing(state, seat) or "-",
        )


def _matrix(state: State) -> TextTable:
    rows = tuple((f"{x} {NAMES[x]}", *(standing(state, x, y) for y in SPELLS)) for x in SPELLS)
    return TextTable("Rules: from the row's spell to the column's", ("From", *SPELLS), rows)
