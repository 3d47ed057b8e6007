"""The options of a match."""

from collections.abc import Sequence
from typing import Any, Literal

from games.kernel import Large
from games.kernel import Options as KernelOptions

MOST = 10**30
"""The greatest start coins and target: large enough for any match, small enough to print all resulting numbers."""


class Options(KernelOptions, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every default is playable; README, Options, says what each one does."""

    start_coins: Large = 1
    workers: int = 3
    zero_column: Literal["empty", "dealt", "waits"] = "empty"
    end: Literal["deck", "target", "colour", "rounds"] = "deck"
    target: Large = 100
    rounds: int = 12
    score: Literal["total", "weakest", "product", "strongest", "first"] = "total"

    def __post_init__(self) -> None:
        _refuse_outside("start_coins", self.start_coins, 1, MOST)
        _refuse_outside("workers", self.workers, 0, 60)
        _refuse_outside("target", self.target, 1, MOST)
        _refuse_outside("rounds", self.rounds, 1, 60)


def towards_target(options: Options, purse: Sequence[Any]) -> Any:
    """Return the coins of a seat that count for the target: those of its strongest colour, or all. R9"""
    return max(purse) if options.end == "colour" else sum(purse)


def _refuse_outside(name: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ValueError(f"{name} is {least} to {most:.9g}.")
