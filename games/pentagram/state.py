"""The state of a match for one witness, and the reducer."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from games.kernel import Event, Large, evolve_kernel
from games.kernel import State as KernelState
from games.pentagram.events import (
    CardDrawn,
    CardPlaced,
    DeckShuffled,
    SpacePaid,
    WorkerPlaced,
    WorkersReturned,
    ZeroDealt,
)
from games.pentagram.options import Options, towards_target
from games.pentagram.pieces import COLOURS, DECK, FACES, ROW, SPACES, Card, Colour

T = TypeVar("T")

Cards = tuple[tuple[Card | None, ...], ...]
Workers = tuple[tuple[tuple[int, ...], ...], ...]


class State(KernelState, frozen=True, kw_only=True):
    """The state of a match for one witness. Rows are in the order of COLOURS, spaces are numbered from 0.

    `deck` is the rest of the deck from the top, None for witnesses that may not know it; `left` is its size. `turns` is
    the number of turns begun. `turn` is the seat on turn, which must place `card`; `placed` is the row and space of the
    last placement. `cards` and `workers` are by row and space; `workers` are the seats of the workers on each space.
    `paying` is true while the row of the last placement pays, until its space 0 has paid. `coins` are by seat and
    colour. `hands` are the numbers of workers in hand, by seat. `met` is the turn in which each seat first had the
    target, 0 for the start, None if it hasn't had it.
    """

    options: Options
    deck: tuple[Card, ...] | None = None
    left: int = len(DECK)
    turns: int = 0
    turn: int | None = None
    card: Card | None = None
    placed: tuple[int, int] | None = None
    paying: bool = False
    cards: Cards
    workers: Workers
    coins: tuple[tuple[Large, ...], ...]
    hands: tuple[int, ...]
    met: tuple[int | None, ...]


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before the shuffle: start coins of every colour for every seat, all workers in hand."""  # R2
    purse = (options.start_coins,) * len(COLOURS)
    return State(
        seats=seats,
        priority=priority,
        options=options,
        cards=((None,) * len(SPACES),) * len(COLOURS),
        workers=(((),) * len(SPACES),) * len(COLOURS),
        coins=(purse,) * seats,
        hands=(options.workers,) * seats,
        met=(0 if towards_target(options, purse) >= options.target else None,) * seats,
    )


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, as redacted for the witness."""
    match event:
        case DeckShuffled(order=order):
            return replace(state, deck=order)
        case ZeroDealt(cards=cards):
            rows = tuple((cards[colour], *row[1:]) for colour, row in zip(COLOURS, state.cards, strict=True))
            return replace(state, deck=_without_top(state.deck, len(rows)), left=state.left - len(rows), cards=rows)
        case CardDrawn(seat=seat, card=card):
            return replace(
                state,
                deck=_without_top(state.deck, 1),
                left=state.left - 1,
                turns=state.turns + 1,
                turn=seat,
                card=card,
            )
        case CardPlaced(colour=colour, space=space):
            return _card_placed(state, ROW[colour], space)
        case WorkerPlaced():
            return _worker_placed(state, event)
        case SpacePaid():
            return _space_paid(state, event)
        case WorkersReturned(seats=seats):
            hands = tuple(hand + seats.count(seat) for seat, hand in enumerate(state.hands))
            return replace(state, hands=hands)
        case _:
            return evolve_kernel(state, event)


def _card_placed(state: State, row: int, space: int) -> State:
    cards = _replace_in_row(state.cards, row, space, state.card)
    paying = pays(state.options, cards[row], space)
    return replace(state, card=None, placed=(row, space), cards=cards, paying=paying)


def _worker_placed(state: State, event: WorkerPlaced) -> State:
    seat, row = event.seat, ROW[event.colour]
    seats = tuple(sorted((*state.workers[row][event.space], seat)))
    return replace(
        state,
        coins=_replace_in_row(state.coins, seat, row, state.coins[seat][row] - event.price),
        hands=_replace_at(state.hands, seat, state.hands[seat] - 1),
        workers=_replace_in_row(state.workers, row, event.space, seats),
    )


def _space_paid(state: State, event: SpacePaid) -> State:
    row, space, target_row = ROW[event.colour], event.space, FACES[event.card].target
    coins = state.coins
    for seat, (_, after) in event.coins.items():
        coins = _replace_in_row(coins, seat, target_row, after)
    return replace(
        state,
        coins=coins,
        met=_turns_of_target(state, coins),
        paying=state.paying and space > 0,
        cards=_replace_in_row(state.cards, row, space, None),
        workers=_one_space_right(state.workers, row, space) if event.coins else state.workers,
    )


def pays(options: Options, cards: Sequence[Card | None], placed: int) -> bool:
    """True if a row with these cards pays after the placement on this space. R6"""
    if options.zero_column == "waits" and placed == 0 and None in cards:
        return False
    return cards[0] is not None


def _turns_of_target(state: State, coins: tuple[tuple[int, ...], ...]) -> tuple[int | None, ...]:
    options = state.options
    return tuple(
        state.turns if met is None and towards_target(options, purse) >= options.target else met
        for met, purse in zip(state.met, coins, strict=True)
    )


def _one_space_right(workers: Workers, row: int, space: int) -> Workers:
    """Move the workers of a space to the next lower space, which lies to its right; those on space 0 leave the row."""
    moving = workers[row][space]
    workers = _replace_in_row(workers, row, space, ())
    if space == 0:
        return workers
    return _replace_in_row(workers, row, space - 1, tuple(sorted((*workers[row][space - 1], *moving))))


def _without_top(deck: tuple[Card, ...] | None, count: int) -> tuple[Card, ...] | None:
    return None if deck is None else deck[count:]


def _replace_at(items: tuple[T, ...], index: int, item: T) -> tuple[T, ...]:
    return (*items[:index], item, *items[index + 1 :])


def _replace_in_row(rows: tuple[tuple[T, ...], ...], row: int, index: int, item: T) -> tuple[tuple[T, ...], ...]:
    return _replace_at(rows, row, _replace_at(rows[row], index, item))


def next_seat(state: State) -> int:
    """Return the seat of the next turn, resigned seats included; the priority seat begins."""  # R3
    return state.priority if state.turn is None else (state.turn + 1) % state.seats


def empty_spaces(state: State) -> tuple[tuple[Colour, int], ...]:
    """Return every empty space, as colour and number."""
    return tuple(
        (colour, space)
        for colour, row in zip(COLOURS, state.cards, strict=True)
        for space in SPACES
        if row[space] is None
    )
