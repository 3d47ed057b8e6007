"""The laws that every game keeps, by number, and the error that names the one that is broken."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

LAWS = {
    1: "The same options, seed and commands give the same log, byte for byte.",
    2: "The log folded anew is the state that was kept step by step, at every version and for every witness.",
    3: "What `legal`, `sample` and the bot give is accepted; a refusal has a code of the README and changes nothing.",
    4: "Two truths that a witness can't tell apart give it the same in everything: non-interference.",
    5: "Every match ends within its bound, each seat ranked once; a fallen flag ends its turn, and who resigns is out.",
    6: "Every event, command, state and options object survives JSON.",
    7: "`due` names a prompt or the dealer until there is an outcome, and nothing after; every witness sees it alike.",
    8: "The host's witness is the truth, and what is blanked once stays as it is when blanked again.",
    9: "All is told in words: commands read back from their text, events have sentences, boards fit 100 columns.",
}


class Unprepared(Exception):
    """The laws can't be held against a game before something about it is written; the message says what."""


class LawBroken(AssertionError):
    """A game breaks a law; `law` is its number."""

    def __init__(self, law: int, reason: BaseException) -> None:
        super().__init__(law, reason)
        self.law = law
        self.reason = reason

    def __str__(self) -> str:
        return f"Law {self.law}: {LAWS[self.law]}\nBroken at {_place(self.reason)}\n{_told(self.reason)}"


def _place(reason: BaseException) -> str:
    *_, frame = extract_tb(reason.__traceback__)
    return f"{Path(frame.filename).name}:{frame.lineno}: {frame.line}"


def _told(reason: BaseException) -> str:
    return f"{type(reason).__name__}: {reason}"


@contextmanager
def law(number: int) -> Iterator[None]:
    """Whatever goes wrong inside breaks this law, unless a law inside it has been named already."""
    try:
        yield
    except (LawBroken, Unprepared):
        raise
    except Exception as reason:
        raise LawBroken(number, reason) from reason
