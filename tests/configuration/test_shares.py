"""Each process begins with tests that belong together, and none is lost or doubled."""

from itertools import chain

import pytest

from tests.shares import share_out

GROUPS = (["a1", "a2"], ["b1"], ["c1", "c2", "c3"])


def runs(listed: list[str], processes: int) -> list[list[str]]:
    """Return each process's part of the list, as worksteal distributes it."""
    parts = []
    for left in range(processes, 0, -1):
        size = len(listed) // left
        parts.append(listed[:size])
        listed = listed[size:]
    return parts


def test_each_group_heads_the_run_of_one_process() -> None:
    rest = [str(number) for number in range(17)]
    one, two, three, four = runs(share_out(GROUPS, rest, 4), 4)
    assert (one[:2], two[:1], three[:3]) == GROUPS
    assert set(four) < set(rest)


def test_with_fewer_processes_groups_follow_each_other() -> None:
    one, two = runs(share_out(GROUPS, map(str, range(8)), 2), 2)
    assert one[:5] == ["a1", "a2", "c1", "c2", "c3"]
    assert two[:1] == ["b1"]


@pytest.mark.parametrize("processes", [1, 2, 3, 4, 9])
@pytest.mark.parametrize("others", [0, 1, 30])
def test_nothing_is_lost_or_doubled(processes: int, others: int) -> None:
    rest = [str(number) for number in range(others)]
    assert sorted(share_out(GROUPS, rest, processes)) == sorted([*rest, *chain.from_iterable(GROUPS)])
