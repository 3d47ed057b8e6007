"""Sentences about faults in types, which name types and patterns, in words for authors."""

import re
from typing import Final

from django.utils.translation import gettext_lazy

_SENTENCES: Final = (
    (r"Expected int, got \w+\.", gettext_lazy("It is a whole number.")),
    (r"Expected int >= (-?\d+)\.", gettext_lazy("It is at least %(number)s.")),
    (r"Expected int <= (-?\d+)\.", gettext_lazy("It is at most %(number)s.")),
    (r"Expected str of length <= (\d+)\.", gettext_lazy("It has at most %(number)s characters.")),
    (r"Expected str of length >= 1\.", gettext_lazy("It must not be empty.")),
    (r"Expected array of length >= (\d+)\.", gettext_lazy("There must be at least %(number)s.")),
    (r"Expected array of length <= (\d+)\.", gettext_lazy("There may be at most %(number)s.")),
    (r"Expected str matching regex .*role\|team.*", gettext_lazy("Choose who is asked.")),
    (
        r"Expected str matching regex .*",
        gettext_lazy("It begins with a small letter from a to z; at most 23 small letters, digits and _ follow."),
    ),
    (r"Invalid enum value .*", gettext_lazy("Choose one of the list.")),
    (r"Expected `?.*, got .*", gettext_lazy("It has another form than is expected here.")),
)


def in_words(sentence: str) -> str:
    """Return a fault's sentence in words for authors; one that has them already stays."""
    for pattern, words in _SENTENCES:
        if match := re.fullmatch(pattern, sentence, re.DOTALL):
            return str(words) % {"number": match[1]} if match.re.groups else str(words)
    return sentence
