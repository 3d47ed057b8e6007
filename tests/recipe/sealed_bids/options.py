"""The options of a match, set when it is opened."""

from games.kernel import Options as KernelOptions


class Options(KernelOptions, frozen=True, kw_only=True):
    """The options; `coins` is the number of coins in each purse at the start."""

    coins: int = 20

    def __post_init__(self) -> None:
        if not 1 <= self.coins <= 30:
            raise ValueError("A purse holds 1 to 30 coins.")
