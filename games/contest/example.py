"""A worked round of a content: bots play it by the game's own rules, from a fixed seed."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from games.contest import GAME
from games.contest.content import Condition, Content, Round
from games.contest.evaluations import Answers
from games.contest.options import Options
from games.contest.state import Shown, State
from games.kernel import HOST, Chance, Generator, Table, canonical, from_json

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana", "Ivo", "June", "Kai", "Lena", "Max")
_SEATS: Final = 5
_KEPT: Final = 64


class Example(Struct, frozen=True):
    """A round that bots have played: `points` are those gained and `balances` the changes, by seat, `pairs` who plays
    with whom."""

    round: Round
    names: tuple[str, ...]
    shown: Shown
    points: tuple[int, ...]
    balances: dict[str, tuple[int, ...]]
    left: tuple[int, ...]
    pairs: tuple[tuple[int, ...], ...]


def worked_round(content: Content) -> Example | None:
    """Return the first round that isn't secret and has no secret answers, played once; None if there is none."""
    return _worked_round(canonical(content))


@lru_cache(maxsize=_KEPT)
def _worked_round(data: bytes) -> Example | None:
    """Return the worked round of a content in JSON, which is the same for all readers."""
    content = from_json(msgspec.json.decode(data), Content)
    of_round = next((it for it in content.rounds if not it.secret and not isinstance(it.scheme, Answers)), None)
    if of_round is None:
        return None
    once = replace(of_round, repeat=1, needs=Condition(), later=False)
    seats = min(max(_SEATS, content.least_seats), content.most_seats)
    try:
        options = Options(content=replace(content, rounds=(once,)))
    except ValueError:
        return None  # What the other rounds use isn't used by this one alone.
    before, after = _played(options, seats)
    return Example(
        round=once,
        names=tuple(NAMES[seat] if seat < len(NAMES) else f"Player {seat + 1}" for seat in range(seats)),
        shown=after.played[0],
        points=tuple(points or 0 for points in after.played[0].points),
        balances=_changes(before.balances, after.balances),
        left=after.left,
        pairs=before.pairs,
    )


def _played(options: Options, seats: int) -> tuple[State, State]:
    """Return the whole truth when the round opens, and after it, for display."""
    chance = Chance(b"example")
    rng = Generator(chance.draws("bots"))
    table = Table(GAME, options, seats=seats, chance=chance)
    while table.state.stage != "open":
        table.deal()
    before: State = table.state
    while not table.state.played or table.state.stage == "judging":
        if table.due.dealer:
            table.deal()
        elif HOST in (prompt.seat for prompt in table.due.prompts):
            table.act(HOST, GAME.sample(table.witness(HOST), HOST, rng))
        else:
            seat = table.due.seats[0]
            table.act(seat, GAME.bot(table.witness(seat), seat, rng))
    return before, table.readable(table.state)


def _changes(
    before: Mapping[str, tuple[int | None, ...]], after: Mapping[str, tuple[int | None, ...]]
) -> dict[str, tuple[int, ...]]:
    """Return the changes of the balances that the round has changed."""
    changes = {
        name: tuple((new or 0) - (old or 0) for old, new in zip(before[name], after[name], strict=True))
        for name in before
    }
    return {name: by_seat for name, by_seat in changes.items() if any(by_seat)}
