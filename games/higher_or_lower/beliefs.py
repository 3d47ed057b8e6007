"""The possible numbers of each face-down card of the round's board, from a seat's witness state."""

from typing import NamedTuple

from games.higher_or_lower.layout import Place, layout_of
from games.higher_or_lower.pieces import ALLOWED, NUMBER_OF, NUMBERS
from games.higher_or_lower.state import State


class Belief(NamedTuple):
    """The possible numbers of a face-down card; a more likely one is repeated."""

    numbers: tuple[int, ...]

    def chance(self, number: int, call: str) -> float:
        """Return the probability that a call is right if it follows a card with this number."""
        right = sum(n > number if call == "higher" else n < number for n in self.numbers)
        return right / len(self.numbers)


def beliefs_of(state: State, seat: int) -> dict[int, Belief]:
    """Return the beliefs by face-down space of the round's board."""
    layout = layout_of(state.options.boards)
    beliefs: dict[int, Belief] = {}
    for colour, groups in layout.groups.items():
        for place, spaces in groups.items():
            if place[0] == state.board:
                belief = Belief(_numbers(state, seat, colour, place, spaces) or tuple(NUMBERS))
                beliefs.update((space, belief) for space in spaces if not state.is_open(space))
    return beliefs


def _numbers(state: State, seat: int, colour: str, place: Place, spaces: tuple[int, ...]) -> tuple[int, ...]:
    board_cards = state.cards_open[place[0]]
    open_cards = [card for space in spaces if (card := board_cards[space])]
    if colour == "grey":
        return _grey(state, place, [NUMBER_OF[card] for card in open_cards])
    own = state.group_of(seat, *place) if state.colours[seat] == colour else None
    if own:
        return tuple(NUMBER_OF[card] for card in own.cards if card not in open_cards)
    return _foreign(state, colour, place, len(spaces), open_cards)


def _grey(state: State, place: Place, open_numbers: list[int]) -> tuple[int, ...]:
    """Return the board's numbers that aren't open yet, restricted by the rule for grey groups."""
    layout = layout_of(state.options.boards)
    board = place[0]
    board_cards = state.cards_open[board]
    used = {NUMBER_OF[card] for space in layout.greys[board] if (card := board_cards[space])}
    left = tuple(number for number in NUMBERS if number not in used)
    shapes = sum(on == board for on, _ in layout.groups["grey"])
    if shapes == 2 and open_numbers:
        return tuple(number for number in left if number % 2 == open_numbers[0] % 2)
    if shapes == 3:
        return tuple(number for number in left if not {number - 1, number + 1} & set(open_numbers))
    return left


def _foreign(state: State, colour: str, place: Place, size: int, open_cards: list[str]) -> tuple[int, ...]:
    """Return the numbers of the owner's cards that aren't open yet, restricted by the open cards of the group."""
    groups = layout_of(state.options.boards).groups[colour]
    used = {
        state.cards_open[board][space]
        for (board, _), spaces in groups.items()
        if board in state.cards_open
        for space in spaces
    }
    left = [card for card in NUMBER_OF if card[0] in ALLOWED[place[0]] and card not in used]
    suits = {card[0] for card in open_cards}
    if len(suits) > 1:
        numbers = {NUMBER_OF[card] for card in open_cards}
        left = [card for card in left if card[0] not in suits and NUMBER_OF[card] not in numbers]
    elif open_cards and (size > 3 or len(open_cards) > 1):
        left = [card for card in left if card[0] in suits]
    return tuple(NUMBER_OF[card] for card in left)
