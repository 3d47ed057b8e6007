"""Isolate text of right-to-left scripts, so that it doesn't reorder the sentence around it."""

from unicodedata import bidirectional

_FROM_RIGHT = ("R", "AL")
_ISOLATE, _POP = "\u2068", "\u2069"


def apart(words: str) -> str:
    """Return user input for use in a sentence, isolated if it contains a right-to-left letter, so that names and
    numbers beside it keep their place."""
    return f"{_ISOLATE}{words}{_POP}" if any(bidirectional(letter) in _FROM_RIGHT for letter in words) else words
