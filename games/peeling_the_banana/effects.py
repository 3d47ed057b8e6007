"""The effects of played cards, and their targets."""

from collections.abc import Iterator

from games.kernel import Event, Illegal
from games.peeling_the_banana.banana import EMPTY, OUTSIDE
from games.peeling_the_banana.commands import PlayCard
from games.peeling_the_banana.events import (
    AvailabilityChanged,
    CardPlayed,
    CardRegrown,
    CardRemoved,
    CoinsGained,
    PiecePlaced,
)
from games.peeling_the_banana.options import sheet_of
from games.peeling_the_banana.pieces import AIMED, Space, coins_of, is_piece, kind_of, space_name
from games.peeling_the_banana.state import Cards, State


def discarded_by(state: State, card: str) -> Cards:
    """Return the cards that leave the deck when this one is played: those above it, then itself. R5"""
    return state.deck[: state.deck.index(card) + 1]


def targets(state: State, seat: int, card: str) -> Cards:
    """Return the cards that an aimed special may name once it is in the discard, sorted. R8"""
    cards, opponent = state.available, 1 - seat
    match kind_of(card):
        case "slip":
            others = [other for other, seats in cards.items() if opponent in seats]
        case "graft":
            others = [other for other, seats in cards.items() if seats == (opponent,)]
        case _:
            discard = (*state.discard, *discarded_by(state, card))
            others = [other for other in discard if seat in cards[other]]
    return tuple(sorted(other for other in others if other != card))


def played(state: State, seat: int, command: PlayCard) -> Iterator[Event]:
    """Yield the events of playing a card of the reach; raise Illegal."""
    kind = kind_of(command.card)
    effect = _effect(state, seat, kind, command)
    yield CardPlayed(seat, command.card, discarded_by(state, command.card))
    if effect is not None:
        yield effect


def _effect(state: State, seat: int, kind: str, command: PlayCard) -> Event | None:
    """Return the event of the card's effect; None without one, or if it is the dealer's duty."""
    if command.placement is not None and not is_piece(kind):
        raise Illegal("bad_target", f"{command.card} is no piece, so it takes no placement.")
    if command.target is not None and kind not in AIMED and kind != "bite":
        raise Illegal("bad_target", f"{command.card} takes no target.")
    if is_piece(kind):
        return _place(state, seat, kind, command)
    if kind == "bite":
        return _bite(state, seat, command)
    if coins := coins_of(kind):
        return CoinsGained(seat, coins)
    return _aim(state, seat, kind, command) if kind in AIMED else None


def _place(state: State, seat: int, kind: str, command: PlayCard) -> Event | None:
    lies = sheet_of(state.options).lies(kind)
    if command.placement is None:
        if lies:
            raise Illegal("target_needed", f"Say where {command.card} goes.")
        return None  # a piece that fits nowhere is played for nothing. R7
    lie = lies.get(command.placement)
    if lie is None:
        raise Illegal("off_board", f"All spaces of {command.card} must lie on the banana.")
    rows = state.boards[seat]
    filled = tuple([cell for cell in lie.cells if rows[cell.row - 1][cell.col - 1] == EMPTY])
    return PiecePlaced(seat, command.card, lie.cells, filled)


def _bite(state: State, seat: int, command: PlayCard) -> Event:
    space = command.target
    if space is None:
        raise Illegal("target_needed", f"Say which empty space {command.card} fills.")
    if not isinstance(space, Space):
        raise Illegal("bad_target", f"{command.card} fills a space of your board; name its row and column.")
    mark = _mark(state, seat, space)
    if mark == OUTSIDE:
        raise Illegal("off_board", f"{space_name(space.row, space.col)} isn't on the banana.")
    if mark != EMPTY:
        raise Illegal("not_empty", f"{space_name(space.row, space.col)} is filled already.")
    return PiecePlaced(seat, command.card, (space,), (space,))


def _mark(state: State, seat: int, space: Space) -> str:
    rows = state.boards[seat]
    if 1 <= space.row <= len(rows) and 1 <= space.col <= len(rows[0]):
        return rows[space.row - 1][space.col - 1]
    return OUTSIDE


def _aim(state: State, seat: int, kind: str, command: PlayCard) -> Event | None:
    allowed, target = targets(state, seat, command.card), command.target
    if target is None:
        if allowed:
            raise Illegal("target_needed", f"{command.card} needs a card to work on: {', '.join(allowed)}.")
        return None  # without a legal target it is played for nothing. R8
    if not isinstance(target, str) or target not in allowed:
        raise Illegal("bad_target", f"{command.card} can work on {', '.join(allowed) or 'no card now'}.")
    if kind == "regrow":
        return CardRegrown(seat, target)
    if kind == "graft":
        return AvailabilityChanged(target, (0, 1))
    return AvailabilityChanged(target, (seat,)) if seat in state.available[target] else CardRemoved(target)
