"""The distribution of tests to the processes of a run.

pytest-xdist's `worksteal` first gives each process an equal run of the list, one after the other; a process that has
finished its run takes from the end of another's. Tests that need the same browser, house or web process therefore stand
at the head of one run, where no other process takes them, so that it is started once and not in every process.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def share_out(groups: Sequence[Sequence[T]], rest: Iterable[T], processes: int) -> list[T]:
    """All in one list: each group at the head of a process's run as far as there are processes, the rest behind."""
    heads: list[list[T]] = [[] for _ in range(processes)]
    for number, group in enumerate(groups):
        heads[number % processes].extend(group)
    others, listed = list(rest), list[T]()
    total, waiting = sum(map(len, heads)) + len(others), iter(others)
    for left, head in zip(range(processes, 0, -1), heads, strict=True):
        size = (total - len(listed)) // left
        listed += [*head, *islice(waiting, max(0, size - len(head)))]
    return [*listed, *waiting]
