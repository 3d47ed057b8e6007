"""Trials of a content: whole contests played by bots in memory, and what came of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, Final

from msgspec import Struct, field

from games.contest import GAME
from games.contest.content import Content, Round
from games.contest.fields import Cards, Choice, Number
from games.contest.finishing import final_points
from games.contest.options import Options
from games.contest.schemes import worth
from games.contest.state import State
from games.kernel import HOST, Chance, Event, Generator, Table

BANDS: Final = 10
"""The most bands into which the values of a number are put."""


class ValueTried(Struct, frozen=True):
    """A value of a round's choice, number or cards: how often it was submitted, its share of all submissions, the
    points gained with it in the round on average, and the share of first places of those who submitted it.

    With one that `always_wins`, everybody who submitted it has won, and not everybody who submitted another one.
    """

    round: str
    field: str
    value: str
    count: int
    share: float
    gain: float
    wins: float
    always_wins: bool


class Spread(Struct, frozen=True):
    """The least, the mean and the greatest of numbers."""

    least: int
    mean: float
    most: int


class Trial(Struct, frozen=True):
    """The results of so many contests.

    `commands` and `rounds` are numbers in a contest, `points` those of a seat. `ties` is the share of contests in which
    several seats have the most points. `seats` and `roles` have the share of first places; players who share one divide
    it.
    """

    contests: int
    commands: Spread
    rounds: Spread
    ties: float
    values: tuple[ValueTried, ...]
    seats: tuple[float, ...]
    roles: dict[str, float]
    points: Spread


class Used(Struct):
    """The uses of a value: how often, the points gained with it, the first places, and how often its seat won."""

    count: int = 0
    gain: float = 0.0
    wins: float = 0.0
    won: int = 0


class Sums(Struct):
    """The sums over the contests of a trial, to which more can be added. They can be stored."""

    commands: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    ties: int = 0
    points: int = 0
    least_points: int = 0
    most_points: int = 0
    values: dict[tuple[str, str, str], Used] = field(default_factory=dict)
    seats: dict[int, float] = field(default_factory=dict)
    roles: dict[str, float] = field(default_factory=dict)
    dealt: dict[str, int] = field(default_factory=dict)

    @property
    def contests(self) -> int:
        return len(self.commands)


def trial(content: Content, seats: int, count: int, seed: int) -> Trial:
    """Return what came of `count` contests that bots play; the host's judgements are drawn at random."""
    sums = Sums()
    for number in range(count):
        add_contest(sums, content, seats, number, seed)
    return result_of(content, seats, sums)


def add_contest(
    sums: Sums, content: Content, seats: int, number: int, seed: int, goes_on: Callable[[], bool] = lambda: True
) -> bool:
    """Play the contest of this number and add it to the sums; False if after an act it no longer `goes_on`."""
    table, rng = _table(content, seats, number, seed)
    commands, before = 0, final_points(table.state)
    gains: list[tuple[int, ...]] = []
    for is_command, _ in _acts(table, rng):
        commands += is_command
        state: State = table.state
        if len(state.played) > len(gains) and state.stage != "judging":
            after = final_points(state)
            gains.append(tuple(new - old for new, old in zip(after, before, strict=True)))
            before = after
        if not goes_on():
            return False
    _add_contest(table, commands, gains, sums)
    return True


def course(content: Content, seats: int, seed: int) -> Iterator[str]:
    """Yield the sentences of one contest that bots play, with all secrets, while it is played."""
    table, rng = _table(content, seats, 0, seed)
    names = names_of(seats)
    for _, events in _acts(table, rng):
        contexts = GAME.contexts(table.state, events)
        yield from map(GAME.sentence, map(table.readable, events), repeat(names), contexts)


def names_of(seats: int) -> list[str]:
    """Return what the bots at these seats are called."""
    return [f"Player {seat + 1}" for seat in range(seats)]


def result_of(content: Content, seats: int, sums: Sums) -> Trial:
    """Return the results of the contests in the sums, of which there is at least one."""
    return Trial(
        contests=sums.contests,
        commands=_spread(sums.commands),
        rounds=_spread(sums.rounds),
        ties=sums.ties / sums.contests,
        values=tuple(_values(content, sums)),
        seats=tuple(sums.seats.get(seat, 0) / sums.contests for seat in range(seats)),
        roles={role: sums.roles[role] / dealt for role, dealt in sorted(sums.dealt.items())},
        points=Spread(sums.least_points, sums.points / sums.contests / seats, sums.most_points),
    )


def _spread(numbers: list[int]) -> Spread:
    return Spread(min(numbers), sum(numbers) / len(numbers), max(numbers))


def _values(content: Content, sums: Sums) -> Iterator[ValueTried]:
    for of_round in content.rounds:
        for it in of_round.fields:
            labels = _labels(content, it)
            uses = [sums.values.get((of_round.name, it.name, label), Used()) for label in labels]
            total, is_decisive = sum(used.count for used in uses), any(used.won < used.count for used in uses)
            for label, used in zip(labels, uses, strict=True):
                if used.count:
                    gain, wins = used.gain / used.count, used.wins / used.count
                    always = is_decisive and used.won == used.count
                    share = used.count / total
                    yield ValueTried(of_round.name, it.name, label, used.count, share, gain, wins, always)


def _table(content: Content, seats: int, number: int, seed: int) -> tuple[Table, Generator]:
    chance = Chance(f"{seed} {number}".encode())
    rng = Generator(chance.draws("bots"))
    return Table(GAME, Options(content=content), seats=seats, chance=chance), rng


def _acts(table: Table, rng: Generator) -> Iterator[tuple[bool, Sequence[Event]]]:
    """Play a contest to its end; yield of each act whether it is a command, and its events."""
    while table.outcome is None:
        if table.due.dealer:
            yield False, table.deal()
        elif HOST in (prompt.seat for prompt in table.due.prompts):
            yield True, table.act(HOST, GAME.sample(table.witness(HOST), HOST, rng))
        else:
            for seat in rng.sample(table.due.seats, len(table.due.seats)):
                yield True, table.act(seat, GAME.bot(table.witness(seat), seat, rng))


def _add_contest(table: Table, commands: int, gains: list[tuple[int, ...]], sums: Sums) -> None:
    outcome = table.outcome
    assert outcome is not None  # noqa: S101  _acts has played it to its end
    points = outcome.score.values()
    firsts = {seat: 1 / len(outcome.winners) for seat in outcome.winners}
    sums.least_points = min([*points, sums.least_points] if sums.contests else points)
    sums.most_points = max([*points, sums.most_points] if sums.contests else points)
    sums.commands.append(commands)
    sums.rounds.append(len(gains))
    sums.points += sum(points)
    sums.ties += list(points).count(max(points)) > 1
    for seat, part in firsts.items():
        sums.seats[seat] = sums.seats.get(seat, 0) + part
    _add_roles(table.state, firsts, sums)
    _add_values(table.state, gains, firsts, sums)


def _add_roles(state: State, firsts: Mapping[int, float], sums: Sums) -> None:
    for seat, role in enumerate(state.roles):
        name = role or ""
        sums.dealt[name] = sums.dealt.get(name, 0) + 1
        sums.roles[name] = sums.roles.get(name, 0) + firsts.get(seat, 0)


def _add_values(state: State, gains: list[tuple[int, ...]], firsts: Mapping[int, float], sums: Sums) -> None:
    for shown, gained in zip(state.played, gains, strict=True):
        of_round: Round = state.rounds[shown.index]
        for entry in shown.entries:
            for name, label in _labelled(state.options.content, of_round, entry.values or {}):
                used = sums.values.setdefault((of_round.name, name, label), Used())
                used.count += 1
                used.gain += gained[entry.seat]
                used.wins += firsts.get(entry.seat, 0)
                used.won += entry.seat in firsts


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
