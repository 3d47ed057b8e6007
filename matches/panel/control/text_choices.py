"""The texts of a match that a host can withdraw, each with whose it is and where."""

from collections.abc import Mapping, Sequence
from typing import Any

from games import contest
from games.contest.telling import whose_text
from games.kernel import SPECTATOR, Event
from matches.audit import history
from matches.audit.history import EventFilter
from matches.domain.match_state import MatchState
from matches.html import record
from matches.html.seats import names_of
from matches.panel.entry import ControlRoom
from matches.reads import feed
from matches.reads.contexts import contexts

_LONGEST = 80


def text_choices(room: ControlRoom) -> list[tuple[str, str]]:
    """Return the texts that spectators may read by commitment, each with its author and place as its last event says
    them."""
    events = list(history.everything(room.match.id, SPECTATOR, EventFilter()))
    if not events:
        return []
    at, names = feed.visible_state(room.match.id, SPECTATOR), names_of(room.match)
    read = [record.event_of(at.game, event) for event in events]
    where = contexts(at, room.match.id, read, events[-1]["version"])
    choices: dict[str, str] = {}
    for event, own, context in zip(events, read, where, strict=True):
        if event["type"] == "text_withdrawn":
            choices.pop(event["commitment"], None)
        for place, commitment in event.get("texts", {}).items():
            origin = _origin(at, own, place, context, names) or str(event["version"])
            choices[commitment] = f"{origin}: {_at(event, place)[:_LONGEST]}"
    return list(choices.items())


def _origin(at: MatchState, event: Event, place: str, context: Any, names: Sequence[str]) -> str:
    """Return whose text stands at a place of an event; empty if the game doesn't say."""
    return whose_text(at.state, event, place, context, names) if at.game is contest.GAME else ""


def _at(event: Mapping[str, Any], place: str) -> str:
    """Return the text at a place of an event."""
    value: Any = {**event, **event.get("own", {})}
    for name in place.split("."):
        value = value[int(name)] if isinstance(value, list) else value[name]
    return str(value)
