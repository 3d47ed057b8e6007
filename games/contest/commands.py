"""The commands of a seat, and those of the host."""

from typing import Annotated

from msgspec import Meta

from games.contest.content import Content, Values
from games.kernel import Command

_WRITTEN = Meta(extra={"text": "lines"})
"""Marks what people write for others to read; the host refuses texts that can't be shown."""
Reason = Annotated[str, Meta(min_length=1, max_length=500), _WRITTEN]
Number = Annotated[int, Meta(ge=1, le=1_000)]


class Submit(Command, frozen=True):
    """Fill in the form of the open round, whose number counts the rounds from 1; it replaces an earlier submission."""

    round: Number
    values: Annotated[Values, _WRITTEN] = {}


class Withdraw(Command, frozen=True):
    """Take the submission of the open round back."""

    round: Number


class Transfer(Command, frozen=True):
    """Give another player some of a balance."""

    to: Annotated[int, Meta(ge=0, lt=30)]
    balance: str
    amount: Annotated[int, Meta(ge=1, le=1_000_000)]


class Resolve(Command, frozen=True):
    """Judge the closed round: the points of each seat that was asked, by seat, and a text for everybody."""

    round: Number
    points: dict[str | int, Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]]
    text: Annotated[str, Meta(max_length=4_000), _WRITTEN] = ""


class Close(Command, frozen=True):
    """Close the open round before its time is over: the default counts for whoever hasn't submitted."""

    round: Number


class Amend(Command, frozen=True):
    """Replace the rounds that haven't opened yet, with a reason for everybody."""

    content: Annotated[Content, _WRITTEN]
    reason: Reason
