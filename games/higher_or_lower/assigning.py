"""The secret assignment of cards to groups: assigning, withdrawing and locking in."""

from collections.abc import Iterator

from games.higher_or_lower.commands import AssignGroup, WithdrawGroup
from games.higher_or_lower.completion import Completions
from games.higher_or_lower.events import GroupAssigned, GroupWithdrawn, LockedIn
from games.higher_or_lower.layout import Place, layout_of
from games.higher_or_lower.pieces import ALLOWED, BOARDS, NUMBER_OF, SUITS, Group, sorted_cards
from games.higher_or_lower.state import State
from games.kernel import Event, Illegal, quantity


def places_of(state: State, seat: int) -> dict[Place, tuple[int, ...]]:
    """Return a seat's groups as places with their spaces."""
    return layout_of(state.options.boards).groups[state.colours[seat]]


def assign(state: State, seat: int, command: AssignGroup) -> Iterator[Event]:
    """Assign cards to a group, and record whether the other groups can still be filled."""  # R4, R5
    place = _place(state, seat, command)
    others = tuple(group for group in state.groups[seat] if (group.board, group.shape) != place)
    refuse_cards(place, len(places_of(state, seat)[place]), command.cards, others)
    cards = sorted_cards(command.cards)
    assigned = (*others, Group(*place, cards))
    with Completions(state.options.boards, state.colours[seat], assigned) as completions:
        yield GroupAssigned(seat, *place, cards, completable=completions.exist())  # R6


def withdraw(state: State, seat: int, command: WithdrawGroup) -> Iterator[Event]:
    """Take a group's cards back."""
    board, shape = _place(state, seat, command)
    if state.group_of(seat, board, shape) is None:
        raise Illegal("not_assigned", f"You have no cards on the {shape} group of board {board}.")
    yield GroupWithdrawn(seat, board, shape)


def lock_in(state: State, seat: int) -> Iterator[Event]:
    """Declare the assignment final."""  # R7
    missing = [place for place in places_of(state, seat) if state.group_of(seat, *place) is None]
    if missing:
        groups = ", ".join(f"{board} {shape}" for board, shape in missing)
        raise Illegal("not_complete", f"Assign these groups first: {groups}.")
    yield LockedIn(seat)


def refuse_cards(place: Place, size: int, cards: tuple[str, ...], others: tuple[Group, ...]) -> None:
    """Raise Illegal if a group can't take the cards, given the seat's other groups."""  # R5
    board, shape = place
    strange = next((card for card in cards if card not in NUMBER_OF), None)
    if strange is not None:
        raise Illegal("no_such_card", f"{strange!r} is no card; cards are A1 to E10.")
    if len(cards) != size:
        raise Illegal("wrong_count", f"The {shape} group of board {board} takes {quantity(size, 'card')}.")
    used = [*cards, *(card for group in others for card in group.cards)]
    twice = next((card for card in cards if used.count(card) > 1), None)
    if twice is not None:
        raise Illegal("card_used", f"{twice} can lie in one place only.")
    foreign = next((card for card in cards if card[0] not in ALLOWED[board]), None)
    if foreign is not None:
        takes = ", ".join(SUITS[suit] for suit in ALLOWED[board])
        raise Illegal("suit_not_allowed", f"Board {board} takes {takes}; {foreign} is {SUITS[foreign[0]]}.")
    if len({card[0] for card in cards}) > 1 and not all_differ(cards):
        raise Illegal("mixed_group", "A group is of one suit, or of different suits and different numbers.")


def all_differ(cards: tuple[str, ...]) -> bool:
    """True if no two cards share a suit or a number."""
    return len({card[0] for card in cards}) == len({NUMBER_OF[card] for card in cards}) == len(cards)


def _place(state: State, seat: int, command: AssignGroup | WithdrawGroup) -> Place:
    refuse_unknown_board(command.board)
    if (command.board, command.shape) not in places_of(state, seat):
        colour = state.colours[seat]
        raise Illegal("no_such_group", f"Board {command.board} has no {colour} {command.shape}.")
    return command.board, command.shape


def refuse_unknown_board(board: str) -> None:
    """Raise Illegal if there is no such board."""
    if board not in BOARDS:
        raise Illegal("no_such_board", "The boards are A, B, C, D and E.")
