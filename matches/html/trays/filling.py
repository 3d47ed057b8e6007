"""A form in a tray: the fields that a seat fills in, as a page shows them, and what the page's form posts."""

from collections.abc import Mapping
from dataclasses import dataclass

Raw = Mapping[str, list[str]]
"""The values of inputs by name, as a form posts them."""


@dataclass(frozen=True)
class Refused:
    """A form that was posted, and why the rules refused it."""

    posted: Raw
    why: str


@dataclass(frozen=True)
class Option:
    """An item of a field: a choice, a card, or the player at `seat`. `amount` is its part of a split, or its place."""

    value: str
    label: str
    seat: int | None = None
    is_chosen: bool = False
    amount: str = ""


@dataclass(frozen=True)
class Field:
    """A field; `input` is the name of its input, `total` what a split divides, `fault` why its value was refused."""

    kind: str
    input: str
    title: str
    hint: str
    least: int = 0
    most: int = 0
    total: int = 0
    value: str = ""
    options: tuple[Option, ...] = ()
    fault: str = ""

    @property
    def is_single(self) -> bool:
        """True if exactly one option is chosen."""
        return self.least == self.most == 1

    @property
    def has_sign(self) -> bool:
        """True if the number can be below zero."""
        return self.least < 0


@dataclass(frozen=True)
class Gift:
    """The gifts that a seat can make now: to whom, and of each balance the greatest amount, its title and a note."""

    to: tuple[Option, ...]
    balances: tuple[tuple[Option, int, str], ...]
    left: int
    value: str = ""
    fault: str = ""


@dataclass(frozen=True)
class Form:
    """The form of a round. `mark` differs for forms that a page can't show with the same inputs.

    `submitted` is the seat's submission as text, None without one. `notes` say what it costs and what else to know.
    """

    mark: str
    round: int
    fields: tuple[Field, ...]
    submitted: str | None = None
    notes: tuple[str, ...] = ()
    gift: Gift | None = None
    fault: str = ""

    @property
    def faults(self) -> dict[str, str]:
        """The faults of a form that was refused, by input; those of a gift by `gift`."""
        gift = {"gift": self.gift.fault} if self.gift else {}
        return {name: fault for name, fault in ({it.input: it.fault for it in self.fields} | gift).items() if fault}
