"""The options of a match."""

from games.kernel import Options as KernelOptions
from games.pyramid_poker.pyramid import LEAST_BASE, MOST_BASE


class Options(KernelOptions, frozen=True, kw_only=True):
    """`base` is the number of spaces in the lowest row of the pyramid."""

    base: int = LEAST_BASE

    def __post_init__(self) -> None:
        if not LEAST_BASE <= self.base <= MOST_BASE:
            raise ValueError(f"base is {LEAST_BASE} to {MOST_BASE} spaces, not {self.base}.")
