"""The bot: it submits what a sensible player might, by the round's scheme, from its seat's witness state."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, log
from random import Random
from typing import Any, Final

from games.contest import evaluations, fields, forms
from games.contest.commands import Submit
from games.contest.content import AnyValue, Values
from games.contest.schemes import worth
from games.contest.state import State
from games.kernel import Command

DECIMALS = 9
"""The decimal places of what is rounded or compared; the last digits differ between machines."""

LEVELS = (1, 4, 4, 2)
"""The weights of reasoning 0 to 3 steps ahead of the mean."""

FAITH = 0.9
"""The probability that a partner who was fair last time is met fairly, or named again."""

KEEPS = ("keep", "little", "spoil")
"""Words in the text of a role that make it hold back from a common pot, above all while no names are published."""


@dataclass(frozen=True)
class Turn:
    """A seat's turn to submit: the scheme, with its field as bounded for the seat."""

    state: State
    seat: int
    scheme: Any
    field: Any
    rng: Random

    @property
    def others(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.state.playing if seat != self.seat)

    def last(self, name: str) -> dict[int, Any]:
        """Return the values of a field by seat, when this round was played last; empty if no names were published."""
        for shown in reversed(self.state.played):
            if shown.index == self.state.index:
                values = {it.seat: it.values[name] for it in shown.entries if it.values and name in it.values}
                return values if set(values) - {self.seat} else {}
        return {}

    def last_mean(self, otherwise: float) -> float:
        """Return the mean of the field's numbers, when this round was played last, as far as they were published."""
        numbers = [value for value in self.last(self.field.name).values() if isinstance(value, int)]
        for shown in reversed(self.state.played):
            if not numbers and shown.index == self.state.index:
                numbers = [value for it in shown.choices if isinstance(value := it.get(self.field.name), int)]
        return sum(numbers) / len(numbers) if numbers else otherwise

    def number(self, number: float) -> Values:
        """Return the number nearest to this one that the field takes."""
        nearest = round(round(number, DECIMALS))
        return {self.field.name: max(self.field.least, min(self.field.most, nearest))}


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the submission of a seat that is asked."""
    values = forms.sample(state, seat, rng)
    scheme = state.round.scheme
    field = next((it for it in forms.fields_of(state, seat) if it.name == getattr(scheme, "field", "")), None)
    choose = _CHOSEN.get(type(scheme))
    if field and choose:
        values |= choose(Turn(state, seat, scheme, field, rng))
    return Submit(state.number, values)


def _with_most(turn: Turn) -> Values:
    """Return mostly the option that had the most votes last time, or the first one."""
    if turn.field.most > 1 or turn.rng.random() > FAITH:
        return {}
    votes = Counter(turn.last(turn.field.name).values())
    return {turn.field.name: max(turn.field.options, key=lambda option: votes[option])}


def _alone(turn: Turn) -> Values:
    """Return a number, or a card, that is good and perhaps nobody else's."""
    highest = isinstance(turn.scheme, evaluations.UniqueHighest)
    if isinstance(turn.field, fields.Cards):
        hand = sorted(turn.state.cards_of(turn.seat, turn.field.deck), key=worth, reverse=highest)
        card = turn.rng.choice(hand[: (len(hand) + 1) // 2])
        return {turn.field.name: (card,)} if turn.field.least <= 1 else {}
    weights = lone_weights(len(turn.state.playing), min(60, turn.field.most - turn.field.least + 1))
    (step,) = turn.rng.choices(range(len(weights)), weights)
    return turn.number(turn.field.most - step if highest else turn.field.least + step)


@cache
def lone_weights(players: int, count: int) -> tuple[float, ...]:
    """Return the weights of `count` numbers, the best first, in the equilibrium of "the best number that nobody else
    names" for a number of players that varies around `players`.
    """
    least, most = 0.0, float(players)
    for _ in range(60):
        middle = (least + most) / 2
        least, most = (middle, most) if sum(_chain(middle, count)) < players else (least, middle)
    return tuple(round(weight + 0.002, DECIMALS) for weight in _chain(least, count))


def _chain(first: float, count: int) -> Iterator[float]:
    for _ in range(count):
        yield first
        first = log(max(1.0, exp(first) - first))


def _near(turn: Turn) -> Values:
    """Return the target, or a share of the last mean, or of the middle, so many steps ahead."""
    if isinstance(turn.field, fields.Cards):
        return {}
    if turn.scheme.target is not None:
        return turn.number(turn.scheme.target)
    (level,) = turn.rng.choices(range(len(LEVELS)), LEVELS)
    guess = turn.last_mean((turn.field.least + turn.field.most) / 2) * (turn.scheme.percent / 100) ** level
    return turn.number(guess + (turn.rng.random() - 0.5) * (2 + abs(guess) / 5))


def _bid(turn: Turn) -> Values:
    """Return a bid below the prize's value, within a fair part of what is left for all lots to come."""
    state, scheme = turn.state, turn.scheme
    lots = [prize for it in _to_come(state) if isinstance(it, evaluations.Auction) for prize in it.prizes]
    prize = sum(scheme.prizes) / len(scheme.prizes)
    expected = max(1.0, len(lots) / len(state.playing))
    value = turn.field.most / expected * len(lots) * prize / (sum(lots) or 1)
    weight = next(it.weight for it in state.options.content.balances if it.name == turn.field.balance)
    if weight > 0:
        value = min(value, prize / weight)
    if isinstance(scheme, evaluations.AllPay):
        return turn.number(value * turn.rng.random() ** (len(state.playing) / (1 + len(scheme.prizes))))
    shade = 0.8 if isinstance(scheme, evaluations.SecondPrice) else 0.55
    return turn.number(value * (shade + (1 - shade) * turn.rng.random()))


def _to_come(state: State) -> Iterator[Any]:
    """Yield the schemes of the open round and of those to come, as far as they are published."""
    for index, of_round in enumerate(state.rounds[state.index :]):
        for _ in range(of_round.repeat - (state.repeat - 1 if index == 0 else 0)):
            yield of_round.scheme


def _meet(turn: Turn) -> Values:
    """Return a choice that is good for both with a partner who made it last, and else the best reply."""
    payoffs = {(it.own, it.other): it.points for it in turn.scheme.payoffs}
    best = max(payoffs, key=lambda pair: payoffs[pair] + payoffs.get(pair[::-1], 0))
    partner = _partner(turn)
    named: Values = {turn.scheme.partner: partner} if turn.scheme.pairing == "mutual" and partner is not None else {}
    last = turn.last(turn.field.name)
    own, expected = last.get(turn.seat), best[1] if partner is None else last.get(partner, best[1])
    if best[0] != best[1]:
        # Those who have met mostly take turns at the better side.
        is_turn = own != expected and own in best and turn.rng.random() < FAITH
        choice = expected if is_turn else turn.rng.choice(best)
    elif (expected == best[0]) == (turn.rng.random() < FAITH):
        choice = best[0]
    else:
        choice = max(turn.field.options, key=lambda option: payoffs.get((option, expected), 0))
    return named | {turn.field.name: choice}


def _partner(turn: Turn) -> int | None:
    """Return the partner: the drawn one; or one who named this seat last, the same one as before if possible."""
    if turn.scheme.pairing == "mutual":
        named = turn.last(turn.scheme.partner)
        suitors = [other for other in turn.others if named.get(other) == turn.seat]
        if named.get(turn.seat) in suitors and turn.rng.random() < FAITH:
            return int(named[turn.seat])
        return turn.rng.choice(suitors or turn.others)
    return next((other for pair in turn.state.pairs if turn.seat in pair for other in pair if other != turn.seat), None)


def _give(turn: Turn) -> Values:
    """Return a share for the pot: about what was given last time, and less for a role that is to keep it."""
    share = turn.last_mean(turn.field.most * 0.6) * (0.6 + 0.8 * turn.rng.random())
    role = next((it for it in turn.state.options.content.roles if it.name == turn.state.roles[turn.seat]), None)
    if role and any(word in role.text.lower() for word in KEEPS):
        share *= 0.8 if turn.state.round.reveal == "everything" else 0.4
    return turn.number(share)


def _name(turn: Turn) -> Values:
    """Return the players whom it suits to name, or an amount for each of the three best."""
    state, scheme = turn.state, turn.scheme
    harms = (scheme.points < scheme.others or scheme.out == "winners") != isinstance(scheme, evaluations.NamedLeast)
    if state.round.who.startswith("role:"):
        liking = _agreed(turn)
    else:
        liking = {other: _liking(turn, other) + 0.5 * turn.rng.random() for other in turn.others}
        for companion in set(state.companions[turn.seat] or () if state.roles else ()) & liking.keys():
            liking[companion] += 9
    ranked = sorted(liking, key=lambda other: round(liking[other] if harms else -liking[other], DECIMALS))
    if isinstance(turn.field, fields.Split):
        parts = [turn.field.budget // 3, turn.field.budget // 6][: len(ranked) - 1]
        parts = [turn.field.budget - sum(parts), *parts]
        return {turn.field.name: {str(other): part for other, part in zip(ranked, parts, strict=False) if part}}
    allowed = forms.others_in(state, turn.seat, turn.field)
    chosen = [other for other in ranked if other in allowed][: max(1, turn.field.least)]
    if len(chosen) < turn.field.least or not chosen:
        return {}
    return {turn.field.name: tuple(sorted(chosen)) if turn.field.most > 1 else chosen[0]}


def _liking(turn: Turn, other: int) -> float:
    """Return how much a seat likes another: for seals and shares it gave, not for its lead nor for naming this seat."""
    scores = [it for it in turn.state.points if it is not None]
    points = turn.state.points[other]
    leads = points is not None and max(scores) > min(scores)
    liking = (min(scores) - points) / (max(scores) - min(scores)) if leads and points is not None else 0.0
    for shown in turn.state.played[-3:]:
        values = next((it.values for it in shown.entries if it.seat == other and it.values), {})
        for field in turn.state.rounds[shown.index].fields:
            liking += _opinion(turn, field, values.get(field.name))
    return liking


def _opinion(turn: Turn, field: fields.AnyField, value: AnyValue | None) -> float:
    match field, value:
        case fields.Split(budget=budget, options=()), dict():
            return 2 * int(value.get(str(turn.seat), 0)) / budget
        case fields.Number(balance=balance, most=most), int() if balance:
            return value / max(1, most)
        case fields.Player(), int() if value == turn.seat:
            return -1.0
    return 0.0


def _agreed(turn: Turn) -> dict[int, float]:
    """Return an order of others that all of a role compute alike, and that favours no seat."""
    team = {turn.seat, *(turn.state.companions[turn.seat] or ())}
    seats = [seat for seat in turn.state.playing if seat not in team] or list(turn.others)
    start = 5 * sum(team) + turn.state.number
    return {seat: float((place + start) % len(seats)) for place, seat in enumerate(seats)}


def _add(turn: Turn) -> Values:
    """Return the greatest sum, or the smallest if units cost points."""
    gains = turn.scheme.points > 0
    count = turn.field.most if gains else turn.field.least
    if not isinstance(turn.field, fields.Cards):
        return turn.number(count)
    hand = sorted(turn.state.cards_of(turn.seat, turn.field.deck), key=worth, reverse=gains)
    return {turn.field.name: tuple(sorted(hand[:count]))}


_CHOSEN: Final[Mapping[type[Any], Callable[[Turn], Values]]] = {
    evaluations.Majority: _with_most,
    evaluations.Plurality: _with_most,
    evaluations.UniqueHighest: _alone,
    evaluations.UniqueLowest: _alone,
    evaluations.Closest: _near,
    evaluations.FirstPrice: _bid,
    evaluations.SecondPrice: _bid,
    evaluations.AllPay: _bid,
    evaluations.Matrix: _meet,
    evaluations.PublicGood: _give,
    evaluations.NamedMost: _name,
    evaluations.NamedLeast: _name,
    evaluations.Sum: _add,
}
"""The choices by scheme. All others are random: a minority can't be foreseen, and an answer can't be looked up."""
