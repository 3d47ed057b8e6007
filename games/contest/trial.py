"""Trials of a content: whole contests played by bots in memory, and what came of them."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from msgspec import Struct

from games.contest import GAME
from games.contest.content import Cards, Choice, Content, Number, Round
from games.contest.finishing import final_points
from games.contest.options import Options
from games.contest.schemes import worth
from games.contest.state import State
from games.kernel import HOST, Chance, Generator, Table

BANDS: Final = 10
"""The most bands into which the values of a number are put."""


class ValueTried(Struct, frozen=True):
    """A value of a round's choice, number or cards: how often it was submitted, its share of all submissions, the
    points gained with it in the round on average, and the share of first places of those who submitted it.
    """

    round: str
    field: str
    value: str
    count: int
    share: float
    gain: float
    wins: float


class Trial(Struct, frozen=True):
    """The results of so many contests.

    `commands` and `rounds` are the least, mean and greatest numbers in a contest. `ties` is the share of contests in
    which several seats have the most points. `seats` and `roles` have the share of first places; players who share one
    divide it. `points` is the mean of all seats.
    """

    contests: int
    commands: tuple[int, float, int]
    rounds: tuple[int, float, int]
    ties: float
    values: tuple[ValueTried, ...]
    seats: tuple[float, ...]
    roles: dict[str, float]
    points: float


@dataclass
class _Used:
    """The uses of a value: how often, the points gained with it, and the first places."""

    count: int = 0
    gain: float = 0.0
    wins: float = 0.0


@dataclass
class _Sums:
    """The sums over the contests of a trial."""

    commands: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    ties: int = 0
    points: float = 0.0
    values: dict[tuple[str, str, str], _Used] = field(default_factory=dict)
    seats: defaultdict[int, float] = field(default_factory=lambda: defaultdict(float))
    roles: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    dealt: Counter[str] = field(default_factory=Counter)


def trial(content: Content, seats: int, count: int, seed: int) -> Trial:
    """Return what came of `count` contests that bots play; the host's judgements are drawn at random."""
    sums = _Sums()
    options = Options(content=content)
    for number in range(count):
        _play(options, seats, Chance(f"{seed} {number}".encode()), sums)
    return Trial(
        contests=count,
        commands=_spread(sums.commands),
        rounds=_spread(sums.rounds),
        ties=sums.ties / count,
        values=tuple(_values(content, sums)),
        seats=tuple(sums.seats[seat] / count for seat in range(seats)),
        roles={role: sums.roles[role] / dealt for role, dealt in sorted(sums.dealt.items())},
        points=sums.points / count / seats,
    )


def _spread(numbers: list[int]) -> tuple[int, float, int]:
    return min(numbers), sum(numbers) / len(numbers), max(numbers)


def _values(content: Content, sums: _Sums) -> Iterator[ValueTried]:
    totals = Counter[tuple[str, str]]()
    for (name, of_field, _), used in sums.values.items():
        totals[name, of_field] += used.count
    for of_round in content.rounds:
        for it in of_round.fields:
            for label in _labels(content, it):
                used = sums.values.get((of_round.name, it.name, label), _Used())
                if used.count:
                    share = used.count / totals[of_round.name, it.name]
                    gain, wins = used.gain / used.count, used.wins / used.count
                    yield ValueTried(of_round.name, it.name, label, used.count, share, gain, wins)


def _play(options: Options, seats: int, chance: Chance, sums: _Sums) -> None:
    """Play one contest and add it to the sums."""
    rng = Generator(chance.draws("bots"))
    table = Table(GAME, options, seats=seats, chance=chance)
    commands, before = 0, final_points(table.state)
    gains: list[tuple[int, ...]] = []
    while (outcome := table.outcome) is None:
        if table.due.dealer:
            table.deal()
        elif HOST in (prompt.seat for prompt in table.due.prompts):
            table.act(HOST, GAME.sample(table.witness(HOST), HOST, rng))
            commands += 1
        else:
            for seat in rng.sample(table.due.seats, len(table.due.seats)):
                table.act(seat, GAME.bot(table.witness(seat), seat, rng))
                commands += 1
        state: State = table.state
        if len(state.played) > len(gains) and state.stage != "judging":
            after = final_points(state)
            gains.append(tuple(new - old for new, old in zip(after, before, strict=True)))
            before = after
    firsts = {seat: 1 / len(outcome.winners) for seat in outcome.winners}
    sums.commands.append(commands)
    sums.rounds.append(len(gains))
    sums.points += sum(outcome.score.values())
    sums.ties += list(outcome.score.values()).count(max(outcome.score.values())) > 1
    for seat, part in firsts.items():
        sums.seats[seat] += part
    _add_roles(table.state, firsts, sums)
    _add_values(table.state, gains, firsts, sums)


def _add_roles(state: State, firsts: Mapping[int, float], sums: _Sums) -> None:
    for seat, role in enumerate(state.roles):
        sums.dealt[role or ""] += 1
        sums.roles[role or ""] += firsts.get(seat, 0)


def _add_values(state: State, gains: list[tuple[int, ...]], firsts: Mapping[int, float], sums: _Sums) -> None:
    for shown, gained in zip(state.played, gains, strict=True):
        of_round: Round = state.rounds[shown.index]
        for entry in shown.entries:
            for name, label in _labelled(state.options.content, of_round, entry.values or {}):
                used = sums.values.setdefault((of_round.name, name, label), _Used())
                used.count += 1
                used.gain += gained[entry.seat]
                used.wins += firsts.get(entry.seat, 0)


def _labelled(content: Content, of_round: Round, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields with the labels of their values: of each option or card, or of a number's band."""
    for it in of_round.fields:
        if isinstance(it, Choice) and it.name in values:
            value = values[it.name]
            yield from ((it.name, option) for option in (value if isinstance(value, tuple) else (value,)))
        elif isinstance(it, Number) and it.name in values:
            yield it.name, _labels(content, it)[(values[it.name] - it.least) // _width(it)]
        elif isinstance(it, Cards):
            yield from ((it.name, str(worth(card))) for card in values.get(it.name, ()))


def _labels(content: Content, of_field: Any) -> tuple[str, ...]:
    """Return the labels of a field's values, in their order; none for other kinds of fields."""
    if isinstance(of_field, Choice):
        return of_field.options
    if isinstance(of_field, Cards):
        cards = next(deck.cards for deck in content.decks if deck.name == of_field.deck)
        return tuple(map(str, sorted({worth(card) for card in cards})))
    if not isinstance(of_field, Number):
        return ()
    width = _width(of_field)
    starts = range(of_field.least, of_field.most + 1, width)
    return tuple(str(low) if width == 1 else f"{low} to {min(low + width - 1, of_field.most)}" for low in starts)


def _width(of_field: Number) -> int:
    """Return the width of a number's bands: 1 where there are at most twice as many numbers as bands."""
    count = of_field.most - of_field.least + 1
    return 1 if count <= 2 * BANDS else -(-count // BANDS)
