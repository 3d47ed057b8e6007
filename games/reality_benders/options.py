"""What an organiser may set for a match."""

from games.kernel import Options as KernelOptions
from games.reality_benders.pieces import ITEMS, RULES

_MOST_PHASES = 200
_MOST_BOUTS = 25


class Options(KernelOptions, frozen=True, kw_only=True):
    """The rules at the start, each seat's items, when ties trash, and how long an undecided match runs."""

    rules: tuple[str, ...] = ()
    items: tuple[str, ...] = ITEMS
    tie_trash_phase: int = 16
    tie_trash_phase_first: int = 32
    max_bouts: int = 5

    def __post_init__(self) -> None:
        _check_list("rules", self.rules, RULES, 'a rule such as "A>D" between two spells of A to I')
        _check_list("items", self.items, ITEMS, "one of bonus, bridge and break")
        _check_span("tie_trash_phase", self.tie_trash_phase, _MOST_PHASES)
        _check_span("tie_trash_phase_first", self.tie_trash_phase_first, _MOST_PHASES)
        _check_span("max_bouts", self.max_bouts, _MOST_BOUTS)


def _check_list(name: str, given: tuple[str, ...], known: tuple[str, ...], what: str) -> None:
    for item in given:
        if item not in known:
            raise ValueError(f"Each entry of {name} is {what}, not {item!r}.")
    if len(set(given)) < len(given):
        raise ValueError(f"No entry of {name} may stand there twice.")


def _check_span(name: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ValueError(f"{name} is 1 to {most}, not {value}.")
