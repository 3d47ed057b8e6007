"""Rule for texts that are shown to others: one rule for every field of every interface.

The profiles of RFC 8264 to 8266 (`precis-i18n`) don't fit: they refuse emoji that are joined or have a variant, and
they allow any number of marks on a letter.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any, get_type_hints

import msgspec

from games.kernel import Command, Illegal

MOST_MARKS = 8
"""Maximum of marks and joiners after a letter; written languages need about half of them."""
_REFUSED = {
    "Cc": "control characters", "Cs": "halves of a character", "Cn": "unassigned characters",
    "Co": "private characters",
    "Zl": "line separators", "Zp": "paragraph separators",
}  # fmt: skip
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_HIDDEN = frozenset("\u206a\u206b\u206c\u206d\u206e\u206f\ufff9\ufffa\ufffb\u2061\u2062\u2063\u2064\U000e0001")
_DROPPED = dict.fromkeys(map(ord, "\ufeff\u200b\u2060"))
"""Zero-width characters that programs insert when text is pasted; removing them doesn't change how it reads."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0\U00013441\U00013442\ufffc\U0001d159")
_UNSEEN = frozenset({"Cf", "Mn", "Me", "Zs", "Cc"})
_TRAILING = frozenset({"Mn", "Me", "Mc", "Cf"})
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f")
"""Flags of regions, such as Scotland's: a black flag, and the region's code in invisible characters."""
_TAGS = re.compile("[\U000e0020-\U000e007f]")
_BREAK = re.compile("\r\n|[\r\u2028\u2029]")
_FUTURE_EMOJI = range(0x1F000, 0x1FB00)
"""Unassigned characters here are emoji of a Unicode that is newer than Python's."""


class BadText(ValueError):
    """A text that breaks the rule. The message says which rule and what to do."""


def clean_line(text: str) -> str:
    """Return the text of a single line in normal form (NFC); raise BadText."""
    if text.isascii() and text.isprintable():
        return text
    if any(it in text for it in "\n\r\t\u2028\u2029"):
        raise BadText("A single line is expected: remove line breaks and tabs.")
    return _clean(text)


def clean_lines(text: str) -> str:
    """Return the text of several lines in normal form (NFC), broken by "\\n" alone; raise BadText."""
    text = _BREAK.sub("\n", text)
    for line in re.split("[\n\t]", text):
        if not (line.isascii() and line.isprintable()):
            return _clean(text)
    return text


def refuse_bad_texts(command: Command) -> None:
    """Raise Illegal("malformed") if a text in a command, in a field that is marked as one people write, breaks the
    rule. A game marks it by `Meta(extra={"text": "lines"})`."""
    for name in _written_fields(type(command)):
        for text in _texts_in(msgspec.to_builtins(getattr(command, name))):
            try:
                clean_lines(text)
            except BadText as fault:
                raise Illegal("malformed", f"`{name}`: {fault}") from None


@cache
def _written_fields(kind: type[Command]) -> tuple[str, ...]:
    hints = get_type_hints(kind, include_extras=True)
    marks = {name: [it.extra or {} for it in getattr(hint, "__metadata__", ())] for name, hint in hints.items()}
    return tuple(name for name, extras in marks.items() if any("text" in it for it in extras))


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for pair in value.items():
            yield from _texts_in(pair)
    elif isinstance(value, list | tuple):
        for it in value:
            yield from _texts_in(it)


def _clean(text: str) -> str:
    is_empty = not text.strip()
    text = unicodedata.normalize("NFC", text.translate(_DROPPED))
    plain = _FLAG.sub("", text)
    for character in set(plain) - {"\n", "\t"}:
        _refuse_character(character)
    if not is_empty and not _FLAG.search(text) and not any(map(_is_seen, text)):
        raise BadText("The text holds nothing that can be seen. Write something, or leave it empty.")
    _refuse_piles(text)
    return text


def _refuse_character(character: str) -> None:
    kind = unicodedata.category(character)
    if character in _TURNING:
        fault = "it changes the direction of the text around it"
    elif character in _HIDDEN or _TAGS.match(character):
        fault = "it can't be seen"
    elif kind in _REFUSED and not (kind == "Cn" and ord(character) in _FUTURE_EMOJI):
        fault = f"a text holds no {_REFUSED[kind]}"
    else:
        return
    raise BadText(f"The character U+{ord(character):04X} can't be used, as {fault}. Remove it.")


def _is_seen(character: str) -> bool:
    return unicodedata.category(character) not in _UNSEEN and character not in _BLANK


def _refuse_piles(text: str) -> None:
    """Raise BadText if one letter has more marks than any language needs."""
    pile = 0
    for character in _FLAG.sub("", text):
        pile = pile + 1 if unicodedata.category(character) in _TRAILING else 0
        if pile > MOST_MARKS:
            raise BadText(f"A letter carries at most {MOST_MARKS} accents or other marks. Remove some.")
