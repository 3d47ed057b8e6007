"""Pages as a browser reads them, however their templates are laid out."""

import re
from typing import Protocol

_ATTRIBUTES = r'(?:"[^"]*"|[^">])*'
_KEPT = re.compile(r"(?<=>)[^<]*(?=</(?:pre|textarea)>)")
_TAG = re.compile(rf"<[a-z]{_ATTRIBUTES}>", re.IGNORECASE)
_VALUE = re.compile(r'="\s*([^"]*?)\s*"')
_LINES_OF_THEIR_OWN = (
    "article|aside|body|button|caption|dd|details|dialog|div|dl|dt|fieldset|footer|form|h[1-6]|head|header|html|legend|"
    "li|main|meta|nav|ol|option|p|pre|section|select|summary|table|tbody|td|textarea|th|thead|title|tr|ul"
)
_AROUND = re.compile(rf"\s*(</?(?:{_LINES_OF_THEIR_OWN})\b{_ATTRIBUTES}>)\s*", re.IGNORECASE)


class Answer(Protocol):
    """An answer to a client of Django."""

    content: bytes


def as_read(answer: Answer | str) -> str:
    """Markup without the blank space that shows nowhere: beside what begins a line of its own, and inside tags.

    Any other is one space. What is laid out in characters, and what a field holds, stays as it is.
    """
    markup = answer if isinstance(answer, str) else answer.content.decode()
    removed: list[str] = []

    def put_by(match: re.Match[str]) -> str:
        removed.append(match[0])
        return f"\0{len(removed) - 1}\0"

    markup = _TAG.sub(_without_blanks, _KEPT.sub(put_by, markup))
    markup = _AROUND.sub(r"\1", re.sub(r"\s+", " ", markup))
    return re.sub(r"\0(\d+)\0", lambda match: removed[int(match[1])], markup)


def _without_blanks(tag: re.Match[str]) -> str:
    trimmed = _VALUE.sub(lambda it: f'="{" ".join(it[1].split())}"', tag[0])
    return re.sub(r"\s+(?=/?>$)", "", trimmed)
