"""The record as sentences: events as a witness saw them, with links to each moment."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.kernel import Event, Game, Witness, from_json
from matches.domain.match_state import MatchState
from matches.reads import feed
from matches.reads.contexts import contexts
from matches.reads.sentences import lifecycle_sentence
from matches.storage import codec

LINES = 30
"""The match page shows this many of the latest lines."""
_RULINGS = frozenset(
    {
        "match_paused", "match_resumed", "time_given", "time_credited", "match_voided", "match_adjudicated",
        "seat_substituted", "match_rewound", "ruling_posted", "appeal_opened", "appeal_answered", "result_approved",
        "truth_viewed", "text_withdrawn",
    }
)  # fmt: skip


@dataclass(frozen=True)
class Line:
    """An event in English; `kind` is `move`, `ruling` or `house`, `at` an instant in UTC."""

    version: int
    kind: str
    seat: int | None
    text: str
    at: str


def witnessed_events(match_id: UUID, witness: Witness, after: int, upto: int) -> list[dict[str, Any]]:
    """Return the events after a version up to another, as the witness saw them."""
    return feed.events(match_id, witness, after, max(0, upto - after)).results if upto > after else []


def lines(
    match_state: MatchState, match_id: UUID, events: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> list[Line]:
    """Return a line for each of consecutive events that has a sentence, oldest first; `match_state` is the match at any
    version."""
    if not events:
        return []
    game = match_state.game
    read = [event_of(game, event) for event in events]
    where = contexts(match_state, match_id, read, events[-1]["version"])
    all_lines = (_line(game, *parts, names) for parts in zip(events, read, where, strict=True))
    return [line for line in all_lines if line.text]


def kind_of(game: Game, event: Mapping[str, Any]) -> str:
    """Return the kind of an event: a move in the game, an official's ruling, or anything else."""
    if event["type"] in game.event_types:
        return "move"
    return "ruling" if event["type"] in _RULINGS else "house"


def event_of(game: Game, event: Mapping[str, Any]) -> Event:
    """Return an event as its witness saw it, from its document."""
    own = {**event, **event.get("own", {})}
    if kind_of(game, event) == "move":
        return game.read_event(own)
    around: Event = from_json(own, codec.LIFECYCLE[event["type"]])
    return around


def _line(game: Game, event: Mapping[str, Any], read: Event, context: Hashable, names: Sequence[str]) -> Line:
    kind, seat = kind_of(game, event), event.get("seat")
    text = game.sentence(read, names, context) if kind == "move" else lifecycle_sentence(read, names)
    return Line(event["version"], kind, seat if isinstance(seat, int) else None, text, event["at"])
