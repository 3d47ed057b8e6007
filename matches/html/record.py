"""The record as sentences: what has happened, as a witness was told it, with links to each moment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.kernel import Game, Witness, from_json
from matches.reads import feed
from matches.reads.sentences import lifecycle_sentence
from matches.storage import codec

LINES = 30
"""How many of the latest lines the match page shows."""
_RULINGS = frozenset(
    {
        "match_paused", "match_resumed", "time_given", "time_credited", "match_voided", "match_adjudicated",
        "seat_substituted", "match_rewound", "ruling_posted", "appeal_opened", "appeal_answered", "result_approved",
        "truth_viewed",
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


def told(match_id: UUID, witness: Witness, after: int, upto: int) -> list[dict[str, Any]]:
    """The events after a version up to another, as the witness was told them."""
    return feed.events(match_id, witness, after, max(0, upto - after)).results if upto > after else []


def lines(game: Game, events: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[Line]:
    """The events that have something to say, oldest first."""
    found = (_line(game, event, names) for event in events)
    return [line for line in found if line.text]


def kind_of(game: Game, event: Mapping[str, Any]) -> str:
    """Whether an event is a move in the game, an official's ruling, or the house's own business."""
    if event["type"] in game.event_types:
        return "move"
    return "ruling" if event["type"] in _RULINGS else "house"


def _line(game: Game, event: Mapping[str, Any], names: Sequence[str]) -> Line:
    kind = kind_of(game, event)
    text = game.notation.sentence(game.read_event(event), names) if kind == "move" else _around(event, names)
    seat = event.get("seat")
    return Line(event["version"], kind, seat if isinstance(seat, int) else None, text, event["at"])


def _around(event: Mapping[str, Any], names: Sequence[str]) -> str:
    """What happened around the game, told with the players' names."""
    own = {**event, **event.get("own", {})}
    return lifecycle_sentence(from_json(own, codec.LIFECYCLE[event["type"]]), names)
