"""The evaluation of a round. Pure functions of its submissions; the README states each with a worked example."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final
from unicodedata import normalize

from games.contest.content import AnyValue, Values
from games.contest.evaluations import (
    AllPay,
    Answer,
    Answers,
    AnyScheme,
    Auction,
    Closest,
    FirstPrice,
    Majority,
    Matrix,
    Minority,
    NamedLeast,
    NamedMost,
    Plurality,
    PublicGood,
    Race,
    SecondPrice,
    Sum,
    UniqueHighest,
    UniqueLowest,
)

Amounts = dict[int, int]
"""Amounts by seat; a seat that isn't there has 0."""


@dataclass(frozen=True)
class Submissions:
    """The values by seat, in the order of submission, of a round; the seats in the contest; the
    pairs that play with each other; the correct answers; the roles by seat.
    """

    values: Mapping[int, Values]
    playing: tuple[int, ...]
    pairs: tuple[tuple[int, ...], ...] = ()
    answers: tuple[str | int, ...] = ()
    roles: tuple[str | None, ...] = ()

    def of(self, name: str) -> dict[int, Any]:
        """Return the value of a field by seat, of the seats that have one, in the order of submission."""
        return {seat: values[name] for seat, values in self.values.items() if name in values}


@dataclass(frozen=True)
class Result:
    """The result of a round.

    `gains` are added to points or to the scheme's balance. `winners` and `others` are the two groups, for who leaves.
    `paid` is the price of each seat's bid, where that differs from the bid; `shares` are paid out of a pot.
    """

    gains: Amounts = field(default_factory=dict)
    winners: tuple[int, ...] = ()
    others: tuple[int, ...] = ()
    paid: Amounts | None = None
    shares: Amounts = field(default_factory=dict)


def evaluate(scheme: AnyScheme, submissions: Submissions) -> Result:
    """Return the result of a round under its scheme; nothing without a submission."""
    return _EVALUATED.get(type(scheme), _nothing)(scheme, submissions)


def _nothing(scheme: Any, submissions: Submissions) -> Result:
    return Result()


def _divided(scheme: Any, winners: Iterable[int], among: Iterable[int]) -> Result:
    """Return the result in which winners gain `points` and all others of the seats `others`."""
    won = frozenset(winners)
    seats = sorted(among)
    gains = {seat: scheme.points if seat in won else scheme.others for seat in seats}
    return Result(gains, tuple(seat for seat in seats if seat in won), tuple(seat for seat in seats if seat not in won))


def _items(value: AnyValue) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)


def _votes(scheme: Any, submissions: Submissions) -> Result:
    """Evaluate a choice by the number of votes. R9, R10, R11"""
    chosen = submissions.of(scheme.field)
    votes = Counter(option for value in chosen.values() for option in _items(value))
    winning = _winning_options(scheme, votes)
    return _divided(
        scheme, [seat for seat, value in chosen.items() if winning & set(_items(value))], chosen
    )  # fmt: skip


def _winning_options(scheme: Any, votes: Counter[str]) -> frozenset[str]:
    if not votes or (isinstance(scheme, Minority) and len(votes) == 1):
        return frozenset()
    best = (min if isinstance(scheme, Minority) else max)(votes.values())
    if isinstance(scheme, Majority) and 2 * best <= votes.total():
        return frozenset()
    options = frozenset(option for option, count in votes.items() if count == best)
    return options if len(options) == 1 or scheme.tie == "all" else frozenset()


def _numbers(scheme: Any, submissions: Submissions) -> Amounts:
    """Return the number of each seat, or what its cards are worth."""
    return {seat: sum(map(worth, _items(value))) for seat, value in submissions.of(scheme.field).items()}


def _unique(scheme: Any, submissions: Submissions) -> Result:
    """Evaluate numbers of which only those named once count. R12, R13"""
    numbers = _numbers(scheme, submissions)
    counts = Counter(numbers.values())
    once = [number for number, count in counts.items() if count == 1]
    if not once:
        return _divided(scheme, (), numbers)
    best = (max if isinstance(scheme, UniqueHighest) else min)(once)
    return _divided(scheme, [seat for seat, number in numbers.items() if number == best], numbers)


def _closest(scheme: Closest, submissions: Submissions) -> Result:
    """Evaluate numbers by their distance to a target or to a share of their mean. R14"""
    numbers = _numbers(scheme, submissions)
    if not numbers:
        return Result()
    target = Fraction(sum(numbers.values()) * scheme.percent, 100 * len(numbers))
    if scheme.target is not None:
        target = Fraction(scheme.target)
    least = min(abs(number - target) for number in numbers.values())
    return _divided(scheme, [seat for seat, number in numbers.items() if abs(number - target) == least], numbers)


def _auction(scheme: Auction, submissions: Submissions) -> Result:
    """Evaluate bids. R15, R16, R17"""
    bids = submissions.of(scheme.field)
    ranked = sorted((seat for seat in bids if bids[seat] > 0), key=lambda seat: -bids[seat])
    winners = ranked[: len(scheme.prizes)]
    gains = dict(zip(winners, scheme.prizes, strict=False))
    paid = {seat: bids[seat] for seat in winners}
    if isinstance(scheme, AllPay):
        paid = dict(bids)
    elif isinstance(scheme, SecondPrice):
        price = bids[ranked[len(winners)]] if len(ranked) > len(winners) else 0
        paid = dict.fromkeys(winners, price)
    others = tuple(seat for seat in sorted(bids) if seat not in winners)
    return Result(gains, tuple(sorted(winners)), others, paid)


def _matrix(scheme: Matrix, submissions: Submissions) -> Result:
    """Evaluate choices by pair. R18"""
    choices = submissions.of(scheme.field)
    payoffs = {(it.own, it.other): it.points for it in scheme.payoffs}
    gains = dict.fromkeys(choices, 0)
    pairs = [pair for pair in _pairs(scheme, submissions) if all(seat in choices for seat in pair)]
    for one, other in pairs:
        gains[one] += payoffs.get((choices[one], choices[other]), 0)
        gains[other] += payoffs.get((choices[other], choices[one]), 0)
    paired = {seat for pair in pairs for seat in pair}
    gains |= {seat: scheme.alone for seat in choices if seat not in paired}
    most = max(gains.values(), default=0)
    winners = tuple(seat for seat in sorted(gains) if gains[seat] == most)
    return Result(gains, winners, tuple(seat for seat in sorted(gains) if seat not in winners))


def _pairs(scheme: Matrix, submissions: Submissions) -> Sequence[tuple[int, ...]]:
    seats = sorted(submissions.of(scheme.field))
    if scheme.pairing == "all":
        return [(one, other) for place, one in enumerate(seats) for other in seats[place + 1 :]]
    if scheme.pairing == "mutual":
        named = submissions.of(scheme.partner)
        return [(seat, other) for seat, other in named.items() if seat < other and named.get(other) == seat]
    return submissions.pairs


def _public_good(scheme: PublicGood, submissions: Submissions) -> Result:
    """Share a pot. R19"""
    given = submissions.of(scheme.field)
    seats = sorted(submissions.values)
    if not seats:
        return Result()
    share = sum(given.values()) * scheme.percent // 100 // len(seats)
    return Result(shares=dict.fromkeys(seats, share))


def _named(scheme: Any, submissions: Submissions) -> Result:
    """Evaluate players by how often they are named. R20, R21"""
    named = {seat: _votes_for(value) for seat, value in submissions.of(scheme.field).items()}
    votes = {seat: sum(its.get(seat, 0) for its in named.values()) for seat in submissions.playing}
    best = (max if isinstance(scheme, NamedMost) else min)(votes.values(), default=0)
    winners = [seat for seat, count in votes.items() if count == best] if any(votes.values()) else []
    result = _divided(scheme, winners if len(winners) == 1 or scheme.tie == "all" else (), votes)
    if not scheme.role:
        return result
    holders = {seat for seat, role in enumerate(submissions.roles) if role == scheme.role}
    hits = [seat for seat in named if seat not in holders and holders & set(named[seat])]
    return replace(result, gains=result.gains | {seat: result.gains.get(seat, 0) + scheme.hits for seat in hits})


def _votes_for(value: AnyValue) -> Amounts:
    """Return how often, or with how much, a value names each seat."""
    if isinstance(value, dict):
        return {int(key): int(amount) for key, amount in value.items()}
    return Counter(_items(value))


def is_correct(value: AnyValue, answers: Sequence[str | int]) -> bool:
    """True if a value is one of the answers; texts are compared without case and superfluous spaces."""
    return _plain(value) in {_plain(answer) for answer in answers}


def _plain(value: Any) -> Any:
    return normalize("NFC", " ".join(value.casefold().split())) if isinstance(value, str) else value


def _answers(scheme: Answers, submissions: Submissions) -> Result:
    """Evaluate answers. R22, R23"""
    given = submissions.of(scheme.field)
    correct = [seat for seat, value in given.items() if is_correct(value, submissions.answers)]
    if isinstance(scheme, Race):
        winners = correct[: len(scheme.prizes)]
        others = tuple(seat for seat in sorted(given) if seat not in winners)
        return Result(dict(zip(winners, scheme.prizes, strict=False)), tuple(sorted(winners)), others)
    return _divided(scheme, correct, given)


def _sum(scheme: Sum, submissions: Submissions) -> Result:
    """Add up numbers, or cards. R24"""
    gains = {seat: scheme.points * number for seat, number in _numbers(scheme, submissions).items()}
    most = max(gains.values(), default=0)
    winners = tuple(seat for seat in sorted(gains) if gains[seat] == most)
    return Result(gains, winners, tuple(seat for seat in sorted(gains) if seat not in winners))


def worth(item: str | int) -> int:
    """Return a number, or the number with which a card begins: `7` for `7 of hearts`; 0 without one."""
    if isinstance(item, int):
        return item
    digits = item.split(" ")[0]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 7 else 0


_EVALUATED: Final[dict[type[Any], Callable[[Any, Submissions], Result]]] = {
    Majority: _votes,
    Plurality: _votes,
    Minority: _votes,
    UniqueHighest: _unique,
    UniqueLowest: _unique,
    Closest: _closest,
    FirstPrice: _auction,
    SecondPrice: _auction,
    AllPay: _auction,
    Matrix: _matrix,
    PublicGood: _public_good,
    NamedMost: _named,
    NamedLeast: _named,
    Answer: _answers,
    Race: _answers,
    Sum: _sum,
}
