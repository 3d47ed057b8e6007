"""The end of a contest before its last round."""

from games.contest import GAME
from games.contest.commands import Submit
from games.kernel import Chance, Table

CONTENT = {
    "title": "A spy",
    "roles": [{"name": "spy"}],
    "rounds": [
        {
            "name": "vote",
            "repeat": 9,
            "fields": [{"kind": "player", "name": "suspect"}],
            "scheme": {"kind": "named_most", "field": "suspect", "out": "winners", "role": "spy", "hits": 2},
        }
    ],
    "end": {"without": "spy"},
}


def test_r39_contest_ends_when_nobody_of_the_role_is_left() -> None:
    table = Table(GAME, {"content": CONTENT}, seats=5, chance=Chance(seed=b"a"))
    table.settle()
    spy = table.state.roles.index("spy")
    innocent, other, *_ = (seat for seat in range(5) if seat != spy)
    _all_name(table, innocent, instead=other)
    assert table.outcome is None and table.state.left == (innocent,)
    _all_name(table, spy, instead=other)
    assert table.outcome is not None and table.state.left == (innocent, spy)
    assert table.state.points[spy] == 1 and table.state.points[other] == 2


def _all_name(table: Table, suspect: int, *, instead: int) -> None:
    for seat in table.due.seats:
        table.act(seat, Submit(table.state.number, {"suspect": instead if seat == suspect else suspect}))
    table.settle()
