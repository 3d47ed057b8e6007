"""The exceptions for what the rules refuse: a stable code for programs, a sentence for people."""

from collections.abc import Sequence

from msgspec import Struct


class Fault(Struct, frozen=True):
    """A fault of options or of a command: its place, like `content.rounds.2.fields.0.most`, counted from 0, and a
    sentence."""

    place: str
    sentence: str


class Illegal(Exception):
    """The rules refuse the command; nothing has changed.

    `code` is stable and snake_case; `message` says what to do in a sentence a player understands. `faults` are all
    faults of what was sent, if the game lists them.
    """

    def __init__(self, code: str, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.faults = tuple(faults)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"
