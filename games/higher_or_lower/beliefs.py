"""What a seat may think of each face-down card of the round's board, from what it was told."""

from typing import NamedTuple

from games.higher_or_lower.layout import Place, layout_of
from games.higher_or_lower.pieces import ALLOWED, NUMBER_OF, NUMBERS
from games.higher_or_lower.state import State


class Belief(NamedTuple):
    """The numbers that a face-down card may bear; a likelier one stands more than once."""

    numbers: tuple[int, ...]

    def chance(self, number: int, call: str) -> float:
        """How likely a call from a card with that number is right."""
        right = sum(n > number if call == "higher" else n < number for n in self.numbers)
        return right / len(self.numbers)


def beliefs_of(state: State, seat: int) -> dict[int, Belief]:
    """By face-down space of the round's board."""
    layout = layout_of(state.options.boards)
    beliefs: dict[int, Belief] = {}
    for colour, groups in layout.groups.items():
        for place, spaces in groups.items():
            if place[0] == state.board:
                belief = Belief(_numbers(state, seat, colour, place, spaces) or tuple(NUMBERS))
                beliefs.update((space, belief) for space in spaces if not state.is_open(space))
    return beliefs


def _numbers(state: State, seat: int, colour: str, place: Place, spaces: tuple[int, ...]) -> tuple[int, ...]:
    lying = state.cards_open[place[0]]
    seen = [card for space in spaces if (card := lying[space])]
    if colour == "grey":
        return _grey(state, place, [NUMBER_OF[card] for card in seen])
    own = state.group_of(seat, *place) if state.colours[seat] == colour else None
    if own:
        return tuple(NUMBER_OF[card] for card in own.cards if card not in seen)
    return _foreign(state, colour, place, len(spaces), seen)


def _grey(state: State, place: Place, seen: list[int]) -> tuple[int, ...]:
    """The board's numbers that aren't out yet, of the group's parity where it shows."""
    layout = layout_of(state.options.boards)
    board = place[0]
    lying = state.cards_open[board]
    out = {NUMBER_OF[card] for space in layout.greys[board] if (card := lying[space])}
    left = tuple(number for number in NUMBERS if number not in out)
    shapes = sum(on == board for on, _ in layout.groups["grey"])
    if shapes == 2 and seen:
        return tuple(number for number in left if number % 2 == seen[0] % 2)
    if shapes == 3:
        return tuple(number for number in left if not {number - 1, number + 1} & set(seen))
    return left


def _foreign(state: State, colour: str, place: Place, size: int, seen: list[str]) -> tuple[int, ...]:
    """Cards of the owner that aren't out yet, narrowed by what the group has shown of itself."""
    groups = layout_of(state.options.boards).groups[colour]
    out = {
        state.cards_open[board][space]
        for (board, _), spaces in groups.items()
        if board in state.cards_open
        for space in spaces
    }
    left = [card for card in NUMBER_OF if card[0] in ALLOWED[place[0]] and card not in out]
    suits = {card[0] for card in seen}
    if len(suits) > 1:
        numbers = {NUMBER_OF[card] for card in seen}
        left = [card for card in left if card[0] not in suits and NUMBER_OF[card] not in numbers]
    elif seen and (size > 3 or len(seen) > 1):
        left = [card for card in left if card[0] in suits]
    return tuple(NUMBER_OF[card] for card in left)
