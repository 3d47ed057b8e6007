"""The exception for a refused command: a stable code for programs, a sentence for people."""


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
