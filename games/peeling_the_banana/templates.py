"""The template of a play, by card: with many pieces in reach there are too many commands to list."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from games.kernel import Template
from games.peeling_the_banana.legal import ways
from games.peeling_the_banana.pieces import Placement, Space, is_piece, kind_of
from games.peeling_the_banana.state import State, reach


class CardTemplate(Struct, frozen=True):
    """A card in reach and the field that the command needs: `placement`, one of its kind's, or `target`, one of
    `targets`; null if it needs neither."""

    card: str
    kind: str
    takes: Literal["placement", "target"] | None
    targets: tuple[Space | str, ...]


class PlayCardTemplate(Template, frozen=True, tag="play_card"):
    """The cards in reach, and by kind of piece all placements that it may have."""

    cards: tuple[CardTemplate, ...]
    placements: dict[str, tuple[Placement, ...]]


def play_card(state: State, seat: int) -> PlayCardTemplate:
    """Return the template of a seat's play."""  # R5, R7
    ways_by_card = {card: ways(state, seat, card) for card in reach(state, seat)}
    return PlayCardTemplate(
        cards=tuple(_card(card, its) for card, its in ways_by_card.items()),
        placements={
            kind_of(card): tuple(way for way in its if isinstance(way, Placement))
            for card, its in ways_by_card.items()
            if its and is_piece(kind_of(card))
        },
    )


def _card(card: str, ways: Sequence[Placement | Space | str]) -> CardTemplate:
    if ways and is_piece(kind_of(card)):
        return CardTemplate(card, kind_of(card), "placement", ())
    targets = tuple(way for way in ways if not isinstance(way, Placement))
    return CardTemplate(card, kind_of(card), "target" if targets else None, targets)


TEMPLATES: Final = {PlayCardTemplate: play_card}
