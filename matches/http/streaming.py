"""Streaming responses: a view returns the beginning, and `matches.realtime.streams` continues it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponse
from msgspec import Struct
from rest_framework.request import Request

from games.kernel import Witness
from matches.models import AccessToken, Account

Form = Literal["ndjson", "sse"]

MEDIA_TYPES: dict[str, Form] = {"application/x-ndjson": "ndjson", "text/event-stream": "sse"}
STREAM = "croupier.stream"
"""The key of the ASGI scope under which a view puts the Stream to continue."""


@dataclass(frozen=True)
class Stream:
    """The subject and the reader of a stream. The subject is one of these:

    - `season`: a message after each change of this season. Only this subject is open to readers without an account.
    - `login`: nothing but heartbeats, until the session ends.
    - `talk`: the new remarks of a `thread` about this match or season.
    - `match_id`: the frames of this match after `version`, as `witness` sees them.
    - none of these: the account's turn alerts. The matches in `alerted` were sent with the beginning.

    `token` is None for a session.
    """

    form: Form
    account: Account | None
    token: AccessToken | None
    session: str
    address: str
    match_id: UUID | None = None
    witness: Witness | None = None
    version: int = 0
    alerted: tuple[UUID, ...] = ()
    talk: UUID | None = None
    thread: str = ""
    season: UUID | None = None
    login: bool = False


def accepted_form(request: Request) -> Form | None:
    """Return the form of a stream that the Accept header names first; None if it names none."""
    for part in request.META.get("HTTP_ACCEPT", "").split(","):
        if form := MEDIA_TYPES.get(part.split(";")[0].strip().lower()):
            return form
    return None


def last_event_id(request: Request) -> int | None:
    """Return the version in the header Last-Event-ID, which a reconnecting browser sends; None without a valid one."""
    given = request.META.get("HTTP_LAST_EVENT_ID", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def begin(request: Request, form: Form, documents: Iterable[Struct], **rest: Any) -> HttpResponse:
    """Return the beginning of a streaming response: the documents, each as a frame.

    Under ASGI the stream continues; `rest` are the fields of Stream that name its subject.
    """
    scope = getattr(request._request, "scope", None)
    if scope is not None:
        token = request.auth if isinstance(request.auth, AccessToken) else None
        session = "" if token else request._request.session.session_key or ""
        scope[STREAM] = Stream(form, request.user, token, session, request.META.get("REMOTE_ADDR", ""), **rest)
    media_type = next(name for name, media_form in MEDIA_TYPES.items() if media_form == form)
    *before, last = [msgspec.json.encode(document).decode() for document in documents] or [""]
    # Only the last document has an id, so a client that loses the connection before it asks for the whole beginning.
    body = "".join([*(line(form, text, has_id=False) for text in before), line(form, last) if last else ""]).encode()
    # Proxies must not buffer the stream.
    return HttpResponse(body, content_type=media_type, headers={"X-Accel-Buffering": "no"})


def begin_for_page(request: HttpRequest, account: Account | None, **rest: Any) -> HttpResponse:
    """Return the beginning of an event stream for a page's script, which has no documents; otherwise as `begin`."""
    scope = getattr(request, "scope", None)
    if scope is not None:
        session = request.session.session_key or ""
        scope[STREAM] = Stream("sse", account, None, session, request.META.get("REMOTE_ADDR", ""), **rest)
    body = heartbeat("sse").encode()
    return HttpResponse(body, content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def line(form: Form, text: str, *, has_id: bool = True) -> str:
    """Return a frame in the stream's form. If `has_id`, a server-sent event has the version after it as its id."""
    if form == "ndjson":
        return f"{text}\n"
    frame = msgspec.json.decode(text, type=_Frame)
    version = (frame.to or frame.version) if has_id else 0
    return f"{f'id: {version}' + chr(10) if version else ''}event: {frame.kind}\ndata: {text}\n\n"


def heartbeat(form: Form) -> str:
    """Return the empty line or comment that is sent while nothing happens."""
    return "\n" if form == "ndjson" else ":\n\n"


class _Frame(Struct):
    kind: str
    to: int = 0
    version: int = 0
