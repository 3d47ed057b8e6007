"""The state of a match, and the reducer."""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from games.kernel import Event, FlagFallen, evolve_kernel
from games.kernel import State as KernelState
from games.peeling_the_banana.banana import EMPTY, FILLED, Rows
from games.peeling_the_banana.events import (
    AvailabilityChanged,
    Bought,
    CardPlayed,
    CardRegrown,
    CardRemoved,
    CoinsGained,
    DeckReshuffled,
    DeckShuffled,
    FirstChosen,
    PiecePlaced,
    TurnFinished,
    TurnStarted,
)
from games.peeling_the_banana.options import Options, first_available, issued_of
from games.peeling_the_banana.pieces import UPGRADES, Space, kind_of

Stage = Literal["shuffle", "first", "play", "reshuffle", "tumble", "shop", "over"]
Cards = tuple[str, ...]
Laid = tuple[tuple[int, ...], ...]

FIRST_REACH = 3


class Upgrades(Struct, frozen=True):
    """The number of times that a seat has bought each upgrade."""

    income: int = 0
    reach: int = 0
    haggle: int = 0


class State(KernelState, frozen=True, kw_only=True):
    """The state of a match; pairs are by seat.

    `stage` says what is awaited; `seat` is on turn, and `turns` are the numbers of each seat's own turns. `deck` has
    its top card first, `discard` its latest card last; `available` are the seats that may play each card. `issued` is
    the highest number of a card of each kind so far. `boards` are rows of `.` outside, `#` empty, `o` filled. `laid`
    are rows of the numbers of the uppermost piece or bite in each space, counted for each sheet from 1, 0 for none.
    `reshuffled` is true if the deck has run out in this turn already.
    """

    options: Options
    stage: Stage = "shuffle"
    starter: int | None = None
    seat: int | None = None
    turns: tuple[int, int] = (0, 0)
    deck: Cards = ()
    discard: Cards = ()
    available: dict[str, tuple[int, ...]]
    issued: dict[str, int]
    boards: tuple[Rows, Rows]
    laid: tuple[Laid, Laid]
    coins: tuple[int, int] = (0, 0)
    upgrades: tuple[Upgrades, Upgrades] = (Upgrades(), Upgrades())
    reshuffled: bool = False
    flagged: int | None = None


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before the deck is shuffled."""
    bare = tuple((0,) * len(row) for row in options.board)
    return State(
        seats=seats,
        priority=priority,
        options=options,
        available={},
        issued=issued_of(options),
        boards=(options.board, options.board),
        laid=(bare, bare),
    )


def reach_size(state: State, seat: int) -> int:
    """Return the number of cards from which a seat chooses, if the deck has as many for it. R5"""
    return FIRST_REACH + state.upgrades[seat].reach


def runs_short(state: State, seat: int) -> bool:
    """True if the discard must be shuffled before this seat chooses, unless that happened in this turn. R12"""
    cards = len(reach(state, seat))
    if state.options.reshuffle == "empty":
        return cards == 0
    return cards < reach_size(state, seat) and bool(state.discard)


def reach(state: State, seat: int) -> Cards:
    """Return the cards from which a seat may choose, the top one first. R5"""
    size = reach_size(state, seat)
    cards = []
    for card in state.deck:
        if seat in state.available[card]:
            cards.append(card)
            if len(cards) == size:
                break
    return tuple(cards)


def evolve(state: State, event: Event) -> State:
    """Return the state after an event."""
    match event:
        case CardPlayed():
            return _play(state, event)
        case PiecePlaced():
            return _fill(_lay(state, event.seat, event.cells), event.seat, event.filled)
        case Bought():
            return _buy(state, event)
        case TurnFinished():
            return replace(state, stage="over") if min(state.turns) == state.options.turns else state  # R13
        case TurnStarted():
            return _await_card(
                replace(
                    state,
                    seat=event.seat,
                    turns=_put(state.turns, event.seat, event.turn),
                    coins=_put(state.coins, event.seat, event.coins),
                    reshuffled=False,
                )
            )
        case CoinsGained():
            return _pay(state, event.seat, event.coins)
        case AvailabilityChanged():
            return replace(state, available={**state.available, event.card: event.seats})
        case CardRemoved():
            return _remove(state, event.card)
        case CardRegrown():
            discard = _without(state.discard, event.card)
            return replace(state, discard=discard, deck=(event.card, *state.deck))
        case DeckReshuffled():
            return _reshuffle(state, event.order)
        case DeckShuffled():
            available = {card: first_available(state.options, card) for card in event.order}
            return replace(state, stage="first", deck=event.order, available=available)
        case FirstChosen():
            first, second = state.options.starting_coins
            coins = (first, second) if event.seat == 0 else (second, first)
            return replace(state, coins=coins, starter=event.seat)  # R3
        case FlagFallen() if event.clock == "turn":
            return replace(state, flagged=event.seat)
        case _:
            return evolve_kernel(state, event)


def _await_card(state: State) -> State:
    """Set the stage for the choice of a card: `reshuffle`, `play`, or `shop` if there is no card. R5, R12"""
    if state.seat is None:
        return state
    if not state.reshuffled and runs_short(state, state.seat):
        return replace(state, stage="reshuffle")
    return replace(state, stage="play" if reach(state, state.seat) else "shop")


def _play(state: State, event: CardPlayed) -> State:
    after = replace(
        state,
        stage="shop",
        deck=state.deck[len(event.discarded) :],
        discard=state.discard + event.discarded,
    )
    match kind_of(event.card):
        case "seconds":
            return _await_card(after)  # R9
        case "tumble":
            return replace(after, stage="tumble")
        case _:
            return after


def _lay(state: State, seat: int, cells: tuple[Space, ...]) -> State:
    rows = [list(row) for row in state.laid[seat]]
    number = 1 + max(map(max, rows))
    for space in cells:
        rows[space.row - 1][space.col - 1] = number
    return replace(state, laid=_put(state.laid, seat, tuple(map(tuple, rows))))


def _fill(state: State, seat: int, filled: tuple[Space, ...]) -> State:
    rows = [list(row) for row in state.boards[seat]]
    for space in filled:
        rows[space.row - 1][space.col - 1] = FILLED
    board = tuple(["".join(row) for row in rows])
    after = replace(state, boards=_put(state.boards, seat, board))
    full = not any(EMPTY in row for row in board)
    return replace(after, stage="over") if full else after  # R13


def _buy(state: State, event: Bought) -> State:
    paid = _pay(state, event.seat, -event.price)
    if event.item in UPGRADES:
        bought = state.upgrades[event.seat]
        more: Any = {event.item: getattr(bought, event.item) + 1}
        return replace(paid, upgrades=_put(state.upgrades, event.seat, replace(bought, **more)))
    if event.card is None or event.card in state.available:
        return paid
    return replace(
        paid,
        discard=(*state.discard, event.card),
        available={**state.available, event.card: (event.seat,)},
        issued={**state.issued, event.item: state.issued.get(event.item, 0) + 1},
    )


def _remove(state: State, card: str) -> State:
    return replace(
        state,
        deck=_without(state.deck, card),
        discard=_without(state.discard, card),
        available={other: seats for other, seats in state.available.items() if other != card},
    )


def _reshuffle(state: State, order: Cards) -> State:
    after = replace(state, deck=order, discard=())
    if state.stage == "tumble":
        return replace(after, stage="shop")
    return _await_card(replace(after, reshuffled=True))


def _pay(state: State, seat: int, coins: int) -> State:
    return replace(state, coins=_put(state.coins, seat, state.coins[seat] + coins))


def _without(cards: Cards, card: str) -> Cards:
    return tuple([other for other in cards if other != card])


def _put(pair: tuple[Any, Any], seat: int, value: Any) -> tuple[Any, Any]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)
