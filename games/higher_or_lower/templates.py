"""The template of an assignment: the groups of a seat's colour, and the cards left for them."""

from typing import Final

from msgspec import Struct

from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.pieces import ALLOWED, NUMBER_OF, Shape
from games.higher_or_lower.state import State
from games.kernel import Template


class GroupTemplate(Struct, frozen=True):
    """A group that takes `size` cards of `suits`; `cards` are its present ones, none if it is missing."""

    board: str
    shape: Shape
    size: int
    suits: tuple[str, ...]
    cards: tuple[str, ...]


class AssignGroupTemplate(Template, frozen=True, tag="assign_group"):
    """All groups of the seat's colour, those that are `missing`, and the cards that are `left` for them. A group's
    cards are of one suit, or each of another suit and another number; sent again, they replace what lies there."""

    groups: tuple[GroupTemplate, ...]
    missing: tuple[tuple[str, Shape], ...]
    left: tuple[str, ...]


def assign_group(state: State, seat: int) -> AssignGroupTemplate:
    """Return the template of an assignment, for a seat that hasn't locked in."""  # R5
    laid = {(group.board, group.shape): group.cards for group in state.groups[seat]}
    places = places_of(state, seat)
    used = {card for cards in laid.values() for card in cards}
    return AssignGroupTemplate(
        groups=tuple(
            GroupTemplate(board, shape, len(spaces), tuple(ALLOWED[board]), laid.get((board, shape), ()))
            for (board, shape), spaces in places.items()
        ),
        missing=tuple(place for place in places if place not in laid),
        left=tuple(card for card in NUMBER_OF if card not in used),
    )


TEMPLATES: Final = {AssignGroupTemplate: assign_group}
