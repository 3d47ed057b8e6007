"""The state of a contest for one witness, and the reducer."""

from collections.abc import Iterable
from typing import Literal, TypeVar

from msgspec import Struct, convert
from msgspec.structs import replace

from games.contest.content import Round, Values
from games.contest.evaluations import Host
from games.contest.events import (
    Amended,
    AnswersPublished,
    BalanceChanged,
    ClosedByHost,
    ContestFinished,
    DeckShuffled,
    Defaulted,
    Entry,
    HandDealt,
    OrderDrawn,
    PlayersLeft,
    PointsChanged,
    Resolved,
    RoleDealt,
    RolesDrawn,
    RoundClosed,
    RoundOpened,
    RoundRevealed,
    RoundSkipped,
    SecretBalanceChanged,
    SecretlyTransferred,
    SecretPointsChanged,
    Submitted,
    SubmittedInTurn,
    TeamsDrawn,
    TieBroken,
    Totals,
    Transferred,
    Withdrawn,
)
from games.contest.fields import Cards, Number
from games.contest.options import Options
from games.kernel import Event, Illegal, KeptText, SealedPart, evolve_kernel
from games.kernel import State as KernelState

Stage = Literal["between", "open", "judging", "over"]

T = TypeVar("T")

Seen = tuple[int | None, ...]
"""Amounts by seat, None where they are unknown."""


class Shown(Struct, frozen=True, kw_only=True):
    """A round that is over: its submissions as far as they are known, and what was published of it.

    `number` counts the rounds played from 1; `points` are those gained in it, None where they are unknown.
    """

    number: int
    index: int
    repeat: int
    entries: tuple[Entry, ...]
    totals: tuple[Totals, ...] = ()
    choices: tuple[Values, ...] = ()
    points: Seen = ()
    text: str | KeptText = ""
    answers: tuple[str | int, ...] = ()


class Hand(Struct, frozen=True):
    """A seat's cards of a deck, None where they are unknown."""

    seat: int
    deck: str
    cards: tuple[str, ...] | None


class State(KernelState, frozen=True, kw_only=True):
    """`rounds` are the rounds as far as they are published; `index` and `repeat` name the current one.

    `dealt` counts the decks dealt. `entries` are the submissions of the open round in their order. `order` is who
    submits in turn, `pairs` who plays with whom, `drawn` a shuffle for the next round. `gifts` counts, by seat, what
    was given away in the round; `defaulted` are the seats whose default counts. `left` are the players who left the
    contest, in order.
    """

    options: Options
    rounds: tuple[Round, ...]
    stage: Stage = "between"
    index: int = 0
    repeat: int = 0
    played: tuple[Shown, ...] = ()
    roles: tuple[str | None, ...] = ()
    companions: tuple[tuple[int, ...] | None, ...] = ()
    teams: tuple[int, ...] = ()
    dealt: int = 0
    hands: tuple[Hand, ...] = ()
    points: Seen
    balances: dict[str, Seen]
    entries: tuple[Entry, ...] = ()
    order: tuple[int, ...] = ()
    pairs: tuple[tuple[int, ...], ...] = ()
    drawn: tuple[int, ...] = ()
    gifts: tuple[int, ...] = ()
    defaulted: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    closed_by_host: bool = False
    tied: tuple[int, ...] = ()
    ranking: tuple[tuple[int, ...], ...] = ()

    @property
    def round(self) -> Round:
        """The current round, or the one that opens next."""
        return self.rounds[min(self.index, len(self.rounds) - 1)]

    @property
    def number(self) -> int:
        """The number of the current round, counting the rounds played from 1."""
        return len(self.played) + 1

    @property
    def playing(self) -> tuple[int, ...]:
        """The seats in the contest."""
        return tuple(seat for seat in range(self.seats) if seat not in self.left and seat not in self.resigned)

    @property
    def submitted(self) -> frozenset[int]:
        """The seats that have submitted in the open round."""
        return frozenset(entry.seat for entry in self.entries)

    def values_of(self, seat: int) -> Values | None:
        """Return what a seat has submitted in the open round; None if nothing, or unknown."""
        return next((entry.values for entry in self.entries if entry.seat == seat), None)

    def cards_of(self, seat: int, deck: str) -> tuple[str, ...]:
        """Return the cards that a seat is known to hold of a deck."""
        return next((it.cards or () for it in self.hands if (it.seat, it.deck) == (seat, deck)), ())


def opening(options: Options, seats: int, priority: int) -> State:
    """Return the state before anything is drawn or dealt; raise Illegal("bad_options") for too few or many seats, or
    amounts of garnets for other seats."""
    content = options.content
    if not content.least_seats <= seats <= content.most_seats:
        span = f"{content.least_seats} to {content.most_seats} players, not for {seats}"
        raise Illegal("bad_options", f"This contest is for {span}.")
    if any(it.starts and len(it.starts) != seats for it in content.balances):
        raise Illegal("bad_options", f"The garnets at the start are not those of {seats} players.")
    return State(
        seats=seats,
        priority=priority,
        options=options,
        rounds=content.rounds,
        points=(0,) * seats,
        balances={it.name: it.starts or (it.start,) * seats for it in content.balances},
        gifts=(0,) * seats,
        roles=(None,) * seats if content.roles else (),
        companions=(None,) * seats if content.roles else (),
    )


def evolve(state: State, event: Event) -> State:
    """Return the state after an event, as redacted for the witness."""
    match event:
        case RolesDrawn():
            return state
        case ClosedByHost():
            return replace(state, closed_by_host=True)
        case RoleDealt(seat=seat, role=role, companions=companions):
            return _role_dealt(state, seat, role, companions)
        case TeamsDrawn(order=order):
            count = len(state.options.content.teams)
            teams = {seat: place % count for place, seat in enumerate(order)}
            return replace(state, teams=tuple(teams[seat] for seat in range(state.seats)))
        case DeckShuffled():
            return replace(state, dealt=state.dealt + 1)
        case HandDealt(seat=seat, deck=deck, cards=cards):
            return replace(state, hands=(*state.hands, Hand(seat, deck, cards)))
        case OrderDrawn(order=order):
            return replace(state, drawn=order)
        case RoundOpened(index=index, repeat=repeat, part=part, order=order, pairs=pairs):
            return replace(
                _published(state, index, part),
                stage="open", index=index, repeat=repeat, entries=(), order=order, pairs=pairs, drawn=(),
                gifts=(0,) * state.seats, defaulted=(), closed_by_host=False,
            )  # fmt: skip
        case RoundSkipped(index=index, repeat=repeat, part=part):
            return replace(_published(state, index, part), stage="between", index=index, repeat=repeat, drawn=())
        case _:
            return _evolve_round(state, event)


def _evolve_round(state: State, event: Event) -> State:
    match event:
        case Submitted(seat=seat, values=values):
            return _submitted(state, seat, values)
        case SubmittedInTurn(seat=seat, values=values, by_default=by_default):
            return _submitted(state, seat, values, by_default=by_default)
        case Defaulted(seat=seat, values=values):
            return _submitted(state, seat, values, by_default=True)
        case Withdrawn(seat=seat):
            return replace(state, entries=tuple(entry for entry in state.entries if entry.seat != seat))
        case Transferred(seat=seat, to=to, balance=balance, amount=amount):
            return _transferred(state, seat, to, balance, amount)
        case SecretlyTransferred(seat=seat, to=to, balance=balance, amount=amount):
            return _transferred(state, seat, to, balance, amount)
        case RoundClosed():
            return _closed(state, event)
        case Resolved(text=text):
            return replace(_last_changed(state, text=text), stage="between")
        case PointsChanged(points=points):
            return _points_changed(state, points)
        case SecretPointsChanged(seat=seat, points=change):
            return _points_changed(state, _at(state, seat, change))
        case BalanceChanged(balance=balance, amounts=amounts):
            return _balance_changed(state, balance, amounts)
        case SecretBalanceChanged(seat=seat, balance=balance, amount=amount):
            return _balance_changed(state, balance, _at(state, seat, amount))
        case PlayersLeft(seats=seats):
            return replace(state, left=(*state.left, *seats))
        case _:
            return _evolve_end(state, event)


def _evolve_end(state: State, event: Event) -> State:
    match event:
        case RoundRevealed(number=number, totals=totals, choices=choices, entries=entries):
            shown = state.played[number - 1]
            shown = replace(shown, totals=totals, choices=choices, entries=entries or shown.entries)
            return replace(state, played=(*state.played[: number - 1], shown, *state.played[number:]))
        case TieBroken(order=order):
            return replace(state, tied=order)
        case ContestFinished(points=points, ranking=ranking):
            return replace(state, stage="over", points=points, ranking=ranking)
        case Amended(rounds=rounds):
            kept = state.rounds[: next_index(state)]
            return replace(state, rounds=(*kept, *rounds[len(kept) :]))
        case AnswersPublished(part=part):
            return _last_changed(state, answers=tuple(part.value))
        case _:
            return evolve_kernel(state, event)


def next_index(state: State) -> int:
    """Return the index of the first round of which nothing has been played yet."""
    begun = state.stage != "between" or state.repeat > 0
    return state.index + (1 if begun else 0)


def amounts_held(state: State, seat: int, balance: str) -> int:
    """Return the amount of a balance that a seat's open submission will be charged at most; 0 if unknown."""
    values = state.values_of(seat) or {}
    return sum(
        value
        for field in state.round.fields
        if isinstance(field, Number) and field.balance == balance and isinstance(value := values.get(field.name), int)
    )


def _role_dealt(state: State, seat: int, role: str | None, companions: tuple[int, ...] | None) -> State:
    state = replace(
        state,
        roles=_with(state.roles, seat, role),
        companions=_with(state.companions, seat, companions),
    )
    gains = next((it.gains for it in state.options.content.roles if it.name == role), {})
    every = {name for it in state.options.content.roles for name in it.gains}
    for name in sorted(every):
        state = _balance_changed(state, name, _at(state, seat, None if role is None else gains.get(name, 0)))
    return state


def _published(state: State, index: int, part: SealedPart | None) -> State:
    if part is None:
        return state
    opened = convert(part.value, Round, strict=False)
    return replace(state, rounds=(*state.rounds[:index], opened, *state.rounds[index + 1 :]))


def _closed(state: State, event: RoundClosed) -> State:
    shown = Shown(
        number=state.number,
        index=state.index,
        repeat=state.repeat,
        entries=event.entries or state.entries,
        totals=event.totals,
        choices=event.choices,
        points=(0,) * state.seats,
    )
    stage: Stage = "judging" if isinstance(state.round.scheme, Host) else "between"
    hands = tuple(_after_play(state.round, hand, shown.entries) for hand in state.hands)
    return replace(
        state, stage=stage, played=(*state.played, shown), hands=hands, entries=(), order=(), pairs=()
    )  # fmt: skip


def _after_play(of_round: Round, hand: Hand, entries: Iterable[Entry]) -> Hand:
    """Return a hand without the cards that its seat has submitted."""
    fields = [field for field in of_round.fields if isinstance(field, Cards) and field.deck == hand.deck]
    values = next((entry.values for entry in entries if entry.seat == hand.seat), None)
    if not fields or values is None or hand.cards is None:
        return hand
    kept = list(hand.cards)
    for field in fields:
        for card in values.get(field.name, ()):  # type: ignore[union-attr]
            kept.remove(str(card))
    return replace(hand, cards=tuple(kept))


def _last_changed(state: State, **changes: object) -> State:
    if not state.played:
        return state
    return replace(state, played=(*state.played[:-1], replace(state.played[-1], **changes)))


def _points_changed(state: State, changes: Seen) -> State:
    state = replace(state, points=_sum(state.points, changes))
    return _last_changed(state, points=_sum(state.played[-1].points, changes)) if state.played else state


def _balance_changed(state: State, balance: str, changes: Seen) -> State:
    return replace(state, balances=state.balances | {balance: _sum(state.balances[balance], changes)})


def _submitted(state: State, seat: int, values: Values | None, *, by_default: bool = False) -> State:
    others = tuple(entry for entry in state.entries if entry.seat != seat)
    defaulted = (*state.defaulted, seat) if by_default else state.defaulted
    return replace(state, entries=(*others, Entry(seat, values)), defaulted=defaulted)


def _transferred(state: State, seat: int, to: int, balance: str | None, amount: int | None) -> State:
    state = replace(state, gifts=_with(state.gifts, seat, state.gifts[seat] + 1))
    if balance is not None and amount is not None:
        changes = _with(_at(state, seat, -amount), to, amount)
        return _balance_changed(state, balance, changes)
    for it in state.options.content.balances:
        if it.gives == "secretly":
            state = _balance_changed(state, it.name, _with(_at(state, seat, None), to, None))
    return state


def _sum(amounts: Seen, changes: Seen) -> Seen:
    return tuple(
        None if amount is None or change is None else amount + change
        for amount, change in zip(amounts, changes, strict=True)
    )


def _at(state: State, seat: int, amount: int | None) -> Seen:
    return tuple(amount if place == seat else 0 for place in range(state.seats))


def _with(items: tuple[T, ...], seat: int, item: T) -> tuple[T, ...]:
    return (*items[:seat], item, *items[seat + 1 :])
