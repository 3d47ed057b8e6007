"""The dealer's duties: filling a flagged seat's missing groups, and dealing the boards."""

from collections.abc import Iterator
from itertools import islice

from games.higher_or_lower.completion import Completions
from games.higher_or_lower.events import BoardDealt, GroupsFilled, GroupWithdrawn
from games.higher_or_lower.layout import Place, layout_of
from games.higher_or_lower.pieces import BOARDS, NUMBERS, SIDE, Group, rows_of
from games.higher_or_lower.state import State
from games.kernel import Chance, Event
from games.kernel.chance import Draws


def fill(state: State, seat: int, chance: Chance) -> Iterator[Event]:
    """Yield the events that fill a flagged seat's missing groups, after the fewest withdrawals."""  # R8, R9
    boards, colour, groups = state.options.boards, state.colours[seat], state.groups[seat]
    with Completions(boards, colour, groups) as completions:
        out = () if completions.exist() else completions.fewest_withdrawals()
    yield from (GroupWithdrawn(seat, *place) for place in out)
    staying = [group for group in groups if (group.board, group.shape) not in out]
    with Completions(boards, colour, staying) as completions:
        filled = completions.fill(chance.draws("fill").shuffled)
    if filled:
        yield GroupsFilled(seat, tuple(sorted(filled, key=place_of)))


def deal_boards(state: State, chance: Chance) -> Iterator[Event]:
    """Yield the event of each dealt board: grey cards are drawn, and every group is shuffled."""  # R10, R11
    groups = layout_of(state.options.boards).groups
    owned = {
        (colour, *place_of(group)): group.cards
        for seat, colour in enumerate(state.colours)
        for group in (*state.groups[seat], *(state.filled[seat] or ()))
    }
    for board in BOARDS:
        draws = chance.draws(f"board {board}")
        laid = [""] * (SIDE * SIDE)
        for spaces, cards in grey_cards(state, board, draws):
            _lay(laid, spaces, cards)
        for colour in sorted(state.colours):
            for (on, shape), spaces in groups[colour].items():
                if on == board:
                    _lay(laid, spaces, draws.shuffled(owned[colour, on, shape]))
        yield BoardDealt(board, rows_of(tuple(laid)))


def grey_cards(state: State, board: str, draws: Draws) -> Iterator[tuple[tuple[int, ...], tuple[str, ...]]]:
    """Yield the spaces of each grey group of a board, with cards of the board's suit.

    The numbers are drawn again until the groups satisfy their rule, so all valid deals are equally likely.
    """
    greys = layout_of(state.options.boards).groups["grey"]
    groups = [spaces for place, spaces in greys.items() if place[0] == board]
    dealt: list[tuple[int, ...]] = []
    while not dealt or not keeps_grey_rule(dealt):
        numbers = iter(draws.shuffled(NUMBERS))
        dealt = [tuple(islice(numbers, len(spaces))) for spaces in groups]
    for spaces, group in zip(groups, dealt, strict=True):
        yield spaces, tuple(f"{board}{number}" for number in group)


def keeps_grey_rule(groups: list[tuple[int, ...]]) -> bool:
    """True if two groups are each all odd or all even, or if no group of three has consecutive numbers."""  # R11
    if len(groups) == 2:
        return all(len({number % 2 for number in group}) == 1 for group in groups)
    if len(groups) == 3:
        return not any(number + 1 in group for group in groups for number in group)
    return True


def place_of(group: Group) -> Place:
    """Return the place of a group."""
    return group.board, group.shape


def _lay(board: list[str], spaces: tuple[int, ...], cards: tuple[str, ...]) -> None:
    for space, card in zip(spaces, cards, strict=True):
        board[space] = card
