"""Reality Benders: rules between spells, a spell with its targets, and Imagination's two choices."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.reality_benders.checks import rules_wanted
from games.reality_benders.commands import Bend, Cast, Offer, Pick
from games.reality_benders.notation import form
from games.reality_benders.pieces import DOES, NAMES, OFFERED, SPELLS, TARGETS
from games.reality_benders.reveal import choosers
from games.reality_benders.state import State, castable
from games.reality_benders.tables import repeated
from games.reality_benders.telling import submission_words
from matches.html.trays.tray import Choice, Tray, TrayContext


def tray(context: TrayContext) -> Tray:
    """Return the choices of the stage; a submission may be replaced while another one is awaited."""
    state, seat, other = context.state, context.seat, context.names[1 - context.seat]
    task = {
        "bend": "bend the rules",
        "cast": "cast a spell",
        "offer": f"offer three spells to {other}’s Imagination",
        "pick": "take one of the three spells",
    }.get(state.stage, "wait")
    if state.stage == "pick":
        picks = [pick for pick in context.commands if isinstance(pick, Pick)]
        return Tray(task, tuple(map(_pick, picks)), reasons=dict(_refusals(state, seat)))
    return Tray(
        task=task,
        module="benders",
        cells=OFFERED if state.stage == "offer" else SPELLS,
        data={
            "stage": state.stage,
            "wanted": rules_wanted(state),
            "rules": list(state.rules),
            "items": list(state.items[seat]),
            "spells": [_spell(state, seat, spell) for spell in SPELLS],
            "offered": list(OFFERED),
            "locking": _locking(state, seat),
            "foresees": "spell_effects" in context.aided,
        },
        note=_locked(state, seat, other),
        reasons=dict(_refusals(state, seat)),
    )


def _pick(pick: Pick) -> Choice:
    return Choice(form(pick), f"Take {NAMES[pick.spell]}", cell=pick.spell, hint=DOES[pick.spell], listed=True)


def _locking(state: State, seat: int) -> str:
    """Return what follows when the seat locks in. The text must not depend on whether the other seat has."""
    alone = choosers(state) == (seat,)
    return "It is opened at once and can't be replaced." if alone else "You can replace it until both lock in."


def _locked(state: State, seat: int, other: str) -> str:
    sent = state.submitted[seat]
    if isinstance(sent, Bend | Cast | Offer):
        return f"Locked in: {submission_words(sent)}. You may replace it until {other} has locked in."
    return f"{other} has locked in: when you do, both are opened." if state.submitted[1 - seat] else ""


def _spell(state: State, seat: int, spell: str) -> dict[str, Any]:
    return {
        "spell": spell,
        "name": NAMES[spell],
        "does": DOES[spell],
        "targets": TARGETS[spell],
        "held": [hand.count(spell) for hand in state.hands],
        "barred": [spell == repeated(state, one) for one in (0, 1)],
        "reason": _reason(state, seat, spell),
    }


def _reason(state: State, seat: int, spell: str) -> str:
    """Return why the seat can't cast the spell now, or "": the spell of its last round rests."""
    if spell in castable(state, seat):
        return ""
    if spell in state.hands[seat]:
        return f"You cast {NAMES[spell]} in the last round; it rests for this one."
    return f"{NAMES[spell]} is not in your hand."


def _refusals(state: State, seat: int) -> Iterator[tuple[str, str]]:
    """Yield why a spell can't be cast, offered or picked."""
    if state.stage == "cast":
        yield from ((f"hand {spell}", reason) for spell in SPELLS if (reason := _reason(state, seat, spell)))
    if state.stage == "offer":
        yield "I", "Imagination itself can't be offered."
    if state.stage == "pick":
        offer = state.offers[seat] or ()
        yield from ((spell, f"{NAMES[spell]} is not among the three.") for spell in SPELLS if spell not in offer)


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """Return the spells of the last duel."""
    return tuple(cast["spell"] for cast in event["casts"]) if event["type"] == "spells_revealed" else ()
