"""Reality Benders: two rules between spells, a spell with its targets, and Imagination's two choices."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.reality_benders.checks import rules_wanted
from games.reality_benders.commands import Pick
from games.reality_benders.notation import form
from games.reality_benders.pieces import NAMES, OFFERED, SPELLS, TARGETS
from games.reality_benders.reveal import choosers
from games.reality_benders.state import State, castable
from matches.html.trays.tray import Choice, Tray, TrayContext

_TASKS = {
    "bend": "bend the rules",
    "cast": "cast a spell",
    "offer": "offer three spells to the other seat's Imagination",
    "pick": "pick one of the spells offered",
}


def tray(context: TrayContext) -> Tray:
    """What the stage asks for; a submission may be replaced while another one is awaited."""
    state, seat = context.state, context.seat
    task = _TASKS.get(state.stage, "wait")
    if state.stage == "pick":
        picks = [pick for pick in context.commands if isinstance(pick, Pick)]
        return Tray(task, tuple(Choice(form(pick), f"Pick {pick.spell}, {NAMES[pick.spell]}") for pick in picks))
    return Tray(
        task=task,
        module="benders",
        cells=OFFERED if state.stage == "offer" else SPELLS,
        data={
            "stage": state.stage,
            "wanted": rules_wanted(state),
            "rules": list(state.rules),
            "items": list(state.items[seat]),
            "names": NAMES,
            "spells": [_spell(state, seat, spell) for spell in SPELLS],
            "offered": list(OFFERED),
        },
        note=_locked(state, seat),
    )


def _locked(state: State, seat: int) -> str:
    sent = state.submitted[seat]
    if choosers(state) == (seat,):
        return "It is opened at once and can't be replaced."
    if sent is None or sent == "hidden":
        return "Nobody sees it before both seats have locked in."
    return f"You have locked in: {form(sent)}. You may replace it until the other seat has locked in."


def _spell(state: State, seat: int, spell: str) -> dict[str, Any]:
    held = state.hands[seat].count(spell)
    last = state.casts[seat].spell if state.casts else None
    reason = "" if spell in castable(state, seat) else "cast last round" if held and spell == last else "not in hand"
    return {"spell": spell, "name": NAMES[spell], "targets": TARGETS[spell], "reason": reason}


def touched(event: Mapping[str, Any]) -> Sequence[str]:
    """The spells that the last duel was between."""
    return tuple(cast["spell"] for cast in event["casts"]) if event["type"] == "spells_revealed" else ()
