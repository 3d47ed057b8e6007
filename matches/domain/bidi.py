"""Words of a script that runs from right to left, kept from turning round the sentence that they stand in."""

from unicodedata import bidirectional

_FROM_RIGHT = ("R", "AL")
_BEGIN, _END = "\u2068", "\u2069"


def apart(words: str) -> str:
    """What somebody has typed, to be put into a sentence: beside another name or a number it stays where it belongs.

    Unicode's isolates do it, and only where there is a letter that runs from right to left.
    """
    return f"{_BEGIN}{words}{_END}" if any(bidirectional(letter) in _FROM_RIGHT for letter in words) else words
