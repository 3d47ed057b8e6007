"""Other forms than JSON in which a socket can be told the match: `?form=NAME`, once somebody has registered it."""

from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec

from games.kernel import Witness
from matches.models.talk import Remark

Renderer = Callable[[UUID, Witness, int], str]
"""Match, witness and version to HTML."""

LARGEST_FRAME = 64 * 1024
"""Every frame has fewer bytes."""

TalkRenderer = Callable[[UUID, str, Sequence[Remark]], str]
"""Match, thread and remarks to HTML."""

_renderers: dict[str, Renderer] = {}
_talk_renderers: dict[str, TalkRenderer] = {}


def register(name: str, render: Renderer) -> None:
    """Offer a form; it is rendered once for each match, version and witness, in a thread that may use the database."""
    if _renderers.setdefault(name, render) is not render:
        raise ValueError(f"The form {name} is taken.")


def register_talk(name: str, render: TalkRenderer) -> None:
    """Offer how remarks are told in a form; they are rendered once for all who hear a thread."""
    if _talk_renderers.setdefault(name, render) is not render:
        raise ValueError(f"The form {name} is taken.")


def known(name: str) -> bool:
    """Whether there is such a form."""
    return name in _renderers


def frame(name: str, match_id: UUID, witness: Witness, version: int) -> str:
    """The frame that shows a version in this form; one that would be too large only names it, and is asked for."""
    content = _renderers[name](match_id, witness, version)
    told = msgspec.json.encode({"v": 1, "version": version, "content": content})
    if len(told) >= LARGEST_FRAME:
        told = msgspec.json.encode({"v": 1, "version": version, "content": None})
    return told.decode()


def talk(name: str, match_id: UUID, thread: str, remarks: Sequence[Remark], *, whole: bool) -> str:
    """The frame of what is new in a thread, in this form: `lines` stand for its `remarks`."""
    lines = _talk_renderers[name](match_id, thread, remarks) if name in _talk_renderers else ""
    return msgspec.json.encode({"kind": "talk", "thread": thread, "whole": whole, "lines": lines}).decode()
