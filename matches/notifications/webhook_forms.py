"""How a notice looks to who gets it: the house's own form, or the one of a chat or push service.

Names are others' words: in a chat none of them may call its people, or look like a link of the house's.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

Form = Literal["standard", "discord", "slack", "ntfy"]

_MOST_OF_DISCORD: Final = 2000
_MOST_OF_SLACK: Final = 4000
_MOST_BYTES_OF_NTFY: Final = 4096
_CUT: Final = "\N{HORIZONTAL ELLIPSIS}"
_MARKDOWN: Final = re.compile(r"([\\*_~`|>\[\]()#<@:])")
_SLACK: Final = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


class Body(NamedTuple):
    """What is posted."""

    content: bytes
    headers: Mapping[str, str]


def written(form: str, text: str, link: str, told: Mapping[str, Any]) -> Body:
    """A notice in a form: its sentence, the page that it leads to (empty where the house has no address), and what
    programs read of it."""
    return _FORMS[form](text, link, told)


def _standard(text: str, link: str, told: Mapping[str, Any]) -> Body:
    said = _joined(text, link)
    return _json({"content": said, "text": said, "croupier": told})


def _discord(text: str, link: str, told: Mapping[str, Any]) -> Body:
    said = _MARKDOWN.sub(r"\\\1", text)
    if len(said) > _room(_MOST_OF_DISCORD, link):
        # No backslash may lose what it stands before.
        said = said[: _room(_MOST_OF_DISCORD, link) - 1].rstrip("\\") + _CUT
    return _json({"content": _joined(said, link), "allowed_mentions": {"parse": []}})


def _slack(text: str, link: str, told: Mapping[str, Any]) -> Body:
    said = "".join(_SLACK.get(letter, letter) for letter in text[: _room(_MOST_OF_SLACK, link) // 5])
    return _json({"text": _joined(said, f"<{link}>" if link else ""), "unfurl_links": False, "unfurl_media": False})


def _ntfy(text: str, link: str, told: Mapping[str, Any]) -> Body:
    said = text.encode()[:_MOST_BYTES_OF_NTFY].decode(errors="ignore")
    headers = {"Content-Type": "text/plain; charset=utf-8", "Title": "Croupier"}
    return Body(said.encode(), {**headers, "Click": link} if link else headers)


def _json(document: Mapping[str, Any]) -> Body:
    return Body(json.dumps(document).encode(), {"Content-Type": "application/json"})


def _joined(text: str, link: str) -> str:
    return f"{text} {link}" if link else text


def _room(most: int, link: str) -> int:
    return most - len(link) - 3


_FORMS: Final[Mapping[str, Callable[[str, str, Mapping[str, Any]], Body]]] = {
    "standard": _standard,
    "discord": _discord,
    "slack": _slack,
    "ntfy": _ntfy,
}
