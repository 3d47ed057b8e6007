"""The legal commands of a seat, from its witness state."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.higher_or_lower.assigning import places_of
from games.higher_or_lower.commands import (
    AssignGroup,
    ChooseBoard,
    ChooseColour,
    Flip,
    Guess,
    LockIn,
    Stop,
    WithdrawGroup,
)
from games.higher_or_lower.completion import Completions, Shuffle
from games.higher_or_lower.pieces import CALLS, COLOURS, NUMBER_OF, ORDERS, SIDE
from games.higher_or_lower.playing import boards_left, greys_left, ways_on
from games.higher_or_lower.state import State
from games.kernel import Command, Illegal


def legal(state: State, seat: int) -> Iterator[Command]:
    """Yield every legal command, except assignments, of which there are too many."""
    if not state.colours:
        yield from map(ChooseColour, COLOURS)
    elif len(state.locked) < state.seats:
        if seat not in state.locked:
            yield from _withdrawals(state, seat)
    elif state.mover is None:
        yield from (ChooseBoard(board, order) for board in boards_left(state) for order in ORDERS)
    elif state.at is None:
        yield from map(flip_of, greys_left(state))
    else:
        yield from (Guess(way, call) for way in ways_on(state) for call in CALLS)
        if state.turned > 1:
            yield Stop()


def _withdrawals(state: State, seat: int) -> Iterator[Command]:
    places = places_of(state, seat)
    assigned = [place for place in places if state.group_of(seat, *place)]
    yield from (WithdrawGroup(*place) for place in assigned)
    if len(assigned) == len(places):
        yield LockIn()


def flip_of(space: int) -> Flip:
    """Return the command that turns up a space's card."""
    return Flip(space // SIDE + 1, space % SIDE + 1)


def sample(state: State, seat: int, rng: Random) -> Command:
    """Return a random legal command; an assignment is part of a valid completion."""
    if state.colours and len(state.locked) < state.seats:
        return _sample_assignment(state, seat, rng)
    return rng.choice(tuple(legal(state, seat)))


def _sample_assignment(state: State, seat: int, rng: Random) -> Command:
    with completions_of(state, seat) as completions:
        if not completions.missing:
            return LockIn()
        if not completions.exist():
            group = rng.choice(state.groups[seat])
            return WithdrawGroup(group.board, group.shape)
        group = completions.draw(rng.choice(completions.missing), shuffle_of(rng))
        return AssignGroup(group.board, group.shape, group.cards)


def completion(state: State, seat: int, drafts: Sequence[AssignGroup], rng: Random) -> tuple[AssignGroup, ...]:
    """Draw a valid completion of a seat's missing groups; raise Illegal("not_completable").

    Complete or partial drafts of the groups keep as many of their cards as possible, the fullest draft first.
    """
    begun = {(draft.board, draft.shape): draft.cards for draft in drafts}
    shuffle = shuffle_of(rng)
    with completions_of(state, seat) as completions:
        if not completions.exist():
            raise Illegal("not_completable", "As it stands the other groups can't all be filled; take one back first.")
        order = sorted(shuffle(tuple(completions.missing)), key=lambda place: -len(begun.get(place, ())))
        drawn = [completions.draw(place, _keeping(begun.get(place, ()), shuffle)) for place in order]
    return tuple(AssignGroup(group.board, group.shape, group.cards) for group in drawn)


def _keeping(cards: Sequence[str], shuffle: Shuffle) -> Shuffle:
    """Return a shuffle that puts these cards first, or the patterns that contain them."""
    suits = {card[:1] for card in cards}

    def has_them(pattern: str) -> bool:
        return suits == set(pattern) if len(suits) == 1 < len(cards) else suits <= set(pattern)

    def shuffled(items: Sequence[Any]) -> Sequence[Any]:
        first = cards.__contains__ if items and items[0] in NUMBER_OF else has_them
        return sorted(shuffle(items), key=lambda item: not first(item))

    return shuffled


def completions_of(state: State, seat: int) -> Completions:
    """Return the possible completions of a seat's assignment, a context manager."""
    return Completions(state.options.boards, state.colours[seat], state.groups[seat])


def shuffle_of(rng: Random) -> Shuffle:
    """Return the shuffle of a random generator, for draws from completions."""

    def shuffle(items: Sequence[Any]) -> Sequence[Any]:
        return rng.sample(items, len(items))

    return shuffle
