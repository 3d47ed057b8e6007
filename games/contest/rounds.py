"""The opening and closing of rounds: the events that the dealer records, computed from the whole truth."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import convert

from games.contest.content import Round, Values
from games.contest.evaluations import Answers, Auction, Host, Matrix, Nothing, PublicGood
from games.contest.events import (
    AnswersPublished,
    BalanceChanged,
    Entry,
    OrderDrawn,
    PlayersLeft,
    PointsChanged,
    RoundClosed,
    RoundOpened,
    RoundSkipped,
    SecretBalanceChanged,
    SecretPointsChanged,
    Totals,
)
from games.contest.fields import Number, Text
from games.contest.schemes import Amounts, Result, Submissions, evaluate
from games.contest.state import State
from games.kernel import Chance, Event, KeptText, SealedPart, read_part, read_text
from games.kernel.texts import commitment_of


def next_place(state: State) -> tuple[int, int] | None:
    """Return the index and the repetition of the next round; None after the last."""
    if state.repeat < state.rounds[state.index].repeat:
        return state.index, state.repeat + 1
    return (state.index + 1, 1) if state.index + 1 < len(state.rounds) else None


def opened(state: State, place: tuple[int, int], chance: Chance) -> Iterator[Event]:
    """Yield the events of the next round's opening: a shuffle where it needs one, or that it opens or is skipped."""
    index, repeat = place
    of_round, part = _published(state.rounds[index], chance)
    playing = state.playing
    if not of_round.needs.least <= len(playing) <= of_round.needs.most:
        yield RoundSkipped(index, repeat, part)
    elif _is_shuffled(of_round) and not state.drawn:
        yield OrderDrawn(chance.shuffled(playing, "order"))
    else:
        yield RoundOpened(index, repeat, part, _order(state, of_round), _pairs(state, of_round, repeat))


def _published(of_round: Round, chance: Chance) -> tuple[Round, SealedPart | None]:
    if of_round.part is None:
        return of_round, None
    part = read_part(of_round.part.sealed, chance)
    return convert(part.value, Round, strict=False), part


def _is_shuffled(of_round: Round) -> bool:
    in_turn = of_round.who == "in_turn" and of_round.order == "random"
    return in_turn or (isinstance(of_round.scheme, Matrix) and of_round.scheme.pairing == "drawn")


def _order(state: State, of_round: Round) -> tuple[int, ...]:
    if of_round.who != "in_turn":
        return ()
    if of_round.order == "random":
        return state.drawn
    by_points = of_round.order == "points"
    return tuple(sorted(state.playing, key=lambda seat: -(state.points[seat] or 0) if by_points else 0))


def _pairs(state: State, of_round: Round, repeat: int) -> tuple[tuple[int, ...], ...]:
    if not isinstance(of_round.scheme, Matrix):
        return ()
    if of_round.scheme.pairing == "drawn":
        return tuple(zip(state.drawn[::2], state.drawn[1::2], strict=False))
    return round_robin(state.playing, repeat) if of_round.scheme.pairing == "round_robin" else ()


def round_robin(seats: Sequence[int], number: int) -> tuple[tuple[int, ...], ...]:
    """Return the pairs of the `number`-th round of a round robin, by the circle method."""
    circle = [*seats, *([-1] if len(seats) % 2 else [])]
    turn = (number - 1) % (len(circle) - 1) if len(circle) > 1 else 0
    rest = circle[1:]
    turned = [*circle[:1], *rest[turn:], *rest[:turn]]
    pairs = zip(turned[: len(turned) // 2], reversed(turned[len(turned) // 2 :]), strict=True)
    return tuple((min(pair), max(pair)) for pair in pairs if -1 not in pair)


def closed(state: State, chance: Chance) -> Iterator[Event]:
    """Yield the events of the end of the open round, up to the host's judgement if it needs one."""
    of_round = state.round
    yield RoundClosed() if of_round.later else published(of_round, state.entries)
    if isinstance(of_round.scheme, Host):
        # What is paid doesn't depend on the judgement.
        yield from _paid(state, Result())
        return
    answers: tuple[Any, ...] = ()
    if isinstance(of_round.scheme, Answers):
        answers = of_round.scheme.answers
        if of_round.scheme.part is not None:
            part = read_part(of_round.scheme.part.sealed, chance)
            answers = tuple(part.value)
            yield AnswersPublished(part)
    values = {entry.seat: _readable(of_round, entry.values or {}, chance) for entry in state.entries}
    result = evaluate(of_round.scheme, Submissions(values, state.playing, state.pairs, answers, state.roles))
    yield from _settled(state, result)


def _readable(of_round: Round, values: Values, chance: Chance) -> dict[str, Any]:
    """Return values with the text that the scheme evaluates; one that has been withdrawn is None, no correct answer."""
    name = of_round.scheme.field if isinstance(of_round.scheme, Answers) else ""
    return {**values, name: read_text(values[name], chance)} if commitment_of(values.get(name)) else values


def published(of_round: Round, entries: Sequence[Entry]) -> RoundClosed:
    """Return what a round publishes of its submissions."""
    match of_round.reveal:
        case "everything":
            return RoundClosed(entries=tuple(sorted(entries, key=lambda entry: entry.seat)))
        case "choices":
            choices = [entry.values or {} for entry in entries if entry.values]
            return RoundClosed(choices=tuple(sorted(choices, key=repr)))
        case "totals":
            return RoundClosed(totals=tuple(totals_of(of_round, entries)))
        case _:
            return RoundClosed()


def totals_of(of_round: Round, entries: Sequence[Entry]) -> Iterator[Totals]:
    """Yield the totals of each field's values."""
    for field in of_round.fields:
        values = [entry.values[field.name] for entry in entries if entry.values and field.name in entry.values]
        if isinstance(field, Text):
            texts = sorted(filter(None, map(commitment_of, values)))
            yield Totals(field.name, tuple((KeptText(text), 1) for text in texts))
            continue
        counts: Counter[str] = Counter()
        for value in values:
            if isinstance(value, dict):
                counts.update({key: int(amount) for key, amount in value.items()})
            else:
                counts.update(map(str, value if isinstance(value, tuple) else (value,)))
        ordered = tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
        is_number = isinstance(field, Number)
        yield Totals(field.name, ordered, sum(value for value in values if type(value) is int) if is_number else None)


def _settled(state: State, result: Result) -> Iterator[Event]:
    """Yield what a result changes: balances, points, and who leaves."""
    scheme = state.round.scheme
    yield from _paid(state, result)
    gains: Amounts = {} if scheme.balance else result.gains
    yield from points_changed(state, gains, is_due=not isinstance(scheme, Nothing))
    yield from _left(state, {"winners": result.winners, "others": result.others}.get(scheme.out, ()))


def _paid(state: State, result: Result) -> Iterator[Event]:
    for balance, changes in _balance_changes(state, result).items():
        yield from _balance_changed(state, balance, changes)


def _balance_changes(state: State, result: Result) -> dict[str, Amounts]:
    """Return the changes by balance and seat, for every balance that the round can change."""
    of_round, changes = state.round, dict[str, Amounts]()
    for field in of_round.fields:
        if not isinstance(field, Number) or not field.balance:
            continue
        of_balance = changes.setdefault(field.balance, {})
        for entry in state.entries:
            price = _price(state.round, field, entry, result)
            of_balance[entry.seat] = of_balance.get(entry.seat, 0) - price
        if isinstance(of_round.scheme, PublicGood) and of_round.scheme.field == field.name:
            for seat, share in result.shares.items():
                of_balance[seat] = of_balance.get(seat, 0) + share
    if name := of_round.scheme.balance:
        of_balance = changes.setdefault(name, {})
        for seat, gain in result.gains.items():
            held = (state.balances[name][seat] or 0) + of_balance.get(seat, 0)
            of_balance[seat] = of_balance.get(seat, 0) + max(gain, -held)
    return changes


def _price(of_round: Round, field: Number, entry: Entry, result: Result) -> int:
    scheme = of_round.scheme
    if isinstance(scheme, Auction) and scheme.field == field.name:
        return (result.paid or {}).get(entry.seat, 0)
    return int((entry.values or {}).get(field.name, 0))  # type: ignore[arg-type]


def _balance_changed(state: State, name: str, changes: Amounts) -> Iterator[Event]:
    balance = next(it for it in state.options.content.balances if it.name == name)
    if balance.secret:
        for seat in range(state.seats):
            yield SecretBalanceChanged(seat, name, changes.get(seat, 0))
    elif any(changes.values()):
        yield BalanceChanged(name, tuple(changes.get(seat, 0) for seat in range(state.seats)))


def points_changed(state: State, gains: Amounts, *, is_due: bool) -> Iterator[Event]:
    """Yield the change of points by a round's gains and the penalties of its defaults."""
    penalty = state.round.default.penalty
    points = tuple(gains.get(seat, 0) - penalty * (seat in state.defaulted) for seat in range(state.seats))
    show = state.options.content.score.show
    if show == "live":
        if any(points):
            yield PointsChanged(points)
    elif is_due or (penalty and state.defaulted):
        for seat, change in enumerate(points):
            yield SecretPointsChanged(seat, (seat,) if show == "own" else (), change)


def _left(state: State, leaving: Sequence[int]) -> Iterator[Event]:
    """Yield who leaves; nobody, if that would be everybody."""
    seats = tuple(seat for seat in sorted(leaving) if seat in state.playing)
    if seats and len(seats) < len(state.playing):
        yield PlayersLeft(seats)
