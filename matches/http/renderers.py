"""Forms other than JSON in which a socket can receive a match (`?form=NAME`). They are registered at the start."""

from collections.abc import Callable, Sequence
from uuid import UUID

import msgspec

from games.kernel import Witness
from matches.models.talk import Remark

Renderer = Callable[[UUID, Witness, int], str]
"""Renders match, witness and version as HTML."""

LARGEST_FRAME = 64 * 1024
"""A match's frame with this many bytes or more is sent without its content."""

TalkRenderer = Callable[[UUID, str, Sequence[Remark]], str]
"""Renders match, thread and remarks as HTML."""

_renderers: dict[str, Renderer] = {}
_talk_renderers: dict[str, TalkRenderer] = {}


def register(name: str, render: Renderer) -> None:
    """Register a form; it is rendered once for each match, version and witness, in a thread that may use
    the database."""
    if _renderers.setdefault(name, render) is not render:
        raise ValueError(f"The form {name} is taken.")


def register_talk(name: str, render: TalkRenderer) -> None:
    """Register how a form shows remarks; they are rendered once for all readers of a thread."""
    if _talk_renderers.setdefault(name, render) is not render:
        raise ValueError(f"The form {name} is taken.")


def known(name: str) -> bool:
    return name in _renderers


def frame(name: str, match_id: UUID, witness: Witness, version: int) -> str:
    """Return the frame that shows a version in this form. If it would be too large, it contains only the version, and
    the client loads the content itself."""
    content = _renderers[name](match_id, witness, version)
    frame_bytes = msgspec.json.encode({"v": 1, "version": version, "content": content})
    if len(frame_bytes) >= LARGEST_FRAME:
        frame_bytes = msgspec.json.encode({"v": 1, "version": version, "content": None})
    return frame_bytes.decode()


def talk(name: str, match_id: UUID, thread: str, remarks: Sequence[Remark], *, whole: bool) -> str:
    """Return the frame of a thread's remarks in this form; `lines` is empty if the form renders no talk. With `whole`
    the client drops the remarks that it shows."""
    lines = _talk_renderers[name](match_id, thread, remarks) if name in _talk_renderers else ""
    return msgspec.json.encode({"kind": "talk", "thread": thread, "whole": whole, "lines": lines}).decode()
