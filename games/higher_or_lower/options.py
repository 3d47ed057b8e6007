"""The options of a match: the five boards."""

from functools import lru_cache

from games.higher_or_lower.completion import Completions
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import BOARDS, CODES, COLOURS, DEFAULT_BOARDS, NUMBERS, Boards
from games.kernel import Options as KernelOptions

HALF = len(NUMBERS) // 2


class Options(KernelOptions, frozen=True, kw_only=True):
    """The boards, rows from the north, spaces from the west."""

    boards: Boards = DEFAULT_BOARDS

    def __post_init__(self) -> None:
        fault = fault_of(self.boards)
        if fault:
            raise ValueError(fault)


@lru_cache(maxsize=64)
def fault_of(boards: Boards) -> str | None:
    """Return the reason why these boards can't be played, in a sentence, or None."""
    layout = layout_of(boards)
    for board in BOARDS:
        strange = sorted(set(layout.codes[board]) - CODES)
        if strange:
            return f"Board {board}: {strange[0]!r} is no space; write c, p or g and then C, T or S."
        fault = _fault_of_greys([len(g) for (on, _), g in layout.groups["grey"].items() if on == board])
        if fault:
            return f"Board {board} {fault}."
    for colour in COLOURS:
        if not _assignable(boards, colour):
            return f"Fifty cards can't be assigned to the {colour} groups of these boards."
    return None


def _fault_of_greys(sizes: list[int]) -> str | None:
    if not sizes:
        return "has no grey space"
    if sum(sizes) > len(NUMBERS):
        return f"has more than {len(NUMBERS)} grey spaces"
    if len(sizes) > 1 and max(sizes) > HALF:
        return f"has more than {HALF} grey spaces in one of its grey groups"
    return None


def _assignable(boards: Boards, colour: str) -> bool:
    if sum(map(len, layout_of(boards).groups[colour].values())) != 50:
        return False
    with Completions(boards, colour) as completions:
        return completions.exist()
