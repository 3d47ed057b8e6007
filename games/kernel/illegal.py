"""The exceptions for what the rules refuse: a stable code for programs, a sentence for people."""

from collections.abc import Sequence

from msgspec import Struct


class Fault(Struct, frozen=True):
    """A fault of options: its place, like `content.rounds.2.fields.0.most`, counted from 0, and a sentence."""

    place: str
    sentence: str


class Illegal(Exception):
    """The rules refuse the command; nothing has changed.

    `code` is stable and snake_case; `message` says what to do in a sentence a player understands.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class FaultyOptions(Illegal):
    """Options are refused, with all their faults."""

    def __init__(self, message: str, faults: Sequence[Fault]) -> None:
        super().__init__("bad_options", message)
        self.faults = tuple(faults)
