"""The record as sentences: events as a witness saw them, with links to each moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.kernel import Game, Witness, from_json
from matches.reads import feed
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


def lines(game: Game, events: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Line]:
    """Return a line for each event that has a sentence, oldest first."""
    all_lines = (_line(game, event, names) for event in events)
    return [line for line in all_lines if line.text]


def kind_of(game: Game, event: Mapping[str, Any]) -> str:
    """Return the kind of an event: a move in the game, an official's ruling, or anything else."""
    if event["type"] in game.event_types:
        return "move"
    return "ruling" if event["type"] in _RULINGS else "house"


def _line(game: Game, event: Mapping[str, Any], names: Sequence[str]) -> Line:
    kind = kind_of(game, event)
    own = {**event, **event.get("own", {})}
    text = game.notation.sentence(game.read_event(own), names) if kind == "move" else _around(own, names)
    seat = event.get("seat")
    return Line(event["version"], kind, seat if isinstance(seat, int) else None, text, event["at"])


def _around(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the sentence of an event outside the game, with the players' names."""
    return lifecycle_sentence(from_json(event, codec.LIFECYCLE[event["type"]]), names)
