"""The form of a notice for its receiver: the project's own, or the one of a chat or push service.

Names are user input: in a chat they must not mention people, or look like one of the service's links.
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
    content: bytes
    headers: Mapping[str, str]


def written(form: str, text: str, link: str, fields: Mapping[str, Any]) -> Body:
    """Render a notice in a form: its sentence, its link (empty without a public URL), and its fields for programs."""
    return _FORMS[form](text, link, fields)


def _standard(text: str, link: str, fields: Mapping[str, Any]) -> Body:
    content = _joined(text, link)
    return _json({"content": content, "text": content, "croupier": fields})


def _discord(text: str, link: str, fields: Mapping[str, Any]) -> Body:
    content = _MARKDOWN.sub(r"\\\1", text)
    if len(content) > _room(_MOST_OF_DISCORD, link):
        # Cutting the text must not end it with a single backslash.
        content = content[: _room(_MOST_OF_DISCORD, link) - 1].rstrip("\\") + _CUT
    return _json({"content": _joined(content, link), "allowed_mentions": {"parse": []}})


def _slack(text: str, link: str, fields: Mapping[str, Any]) -> Body:
    content = "".join(_SLACK.get(letter, letter) for letter in text[: _room(_MOST_OF_SLACK, link) // 5])
    return _json({"text": _joined(content, f"<{link}>" if link else ""), "unfurl_links": False, "unfurl_media": False})


def _ntfy(text: str, link: str, fields: Mapping[str, Any]) -> Body:
    content = text.encode()[:_MOST_BYTES_OF_NTFY].decode(errors="ignore")
    headers = {"Content-Type": "text/plain; charset=utf-8", "Title": "Croupier"}
    return Body(content.encode(), {**headers, "Click": link} if link else headers)


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
