"""Streaming responses: the view gives the beginning, and the server's live handler continues it."""

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
"""The key in the request's scope for the stream to continue."""


@dataclass(frozen=True)
class Stream:
    """A response to be continued for a caller: a match as a witness from a version on, a thread of talk about a match
    or season, that a `season` has changed, that the `login` lasts, or the account's calls. Only a season can be
    followed without an account.

    `alerted` are the matches whose alerts have been sent. `token` is None for a session.
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


def requested_form(request: Request) -> Form | None:
    """Return the form of a stream that the Accept header names first; None if it names none."""
    for part in request.META.get("HTTP_ACCEPT", "").split(","):
        if form := MEDIA_TYPES.get(part.split(";")[0].strip().lower()):
            return form
    return None


def last_received(request: Request) -> int | None:
    """Return the last version that a reconnecting browser has received (Last-Event-ID)."""
    given = request.META.get("HTTP_LAST_EVENT_ID", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else None


def begin(request: Request, form: Form, documents: Iterable[Struct], **rest: Any) -> HttpResponse:
    """Return the beginning of a streaming response; a live handler, if any, continues it as `rest` says."""
    scope = getattr(request._request, "scope", None)
    if scope is not None:
        token = request.auth if isinstance(request.auth, AccessToken) else None
        session = "" if token else request._request.session.session_key or ""
        scope[STREAM] = Stream(form, request.user, token, session, request.META.get("REMOTE_ADDR", ""), **rest)
    media_type = next(name for name, its in MEDIA_TYPES.items() if its == form)
    *before, last = [msgspec.json.encode(document).decode() for document in documents] or [""]
    # A client that is cut off during the beginning resumes from before it: only its last document names its version.
    body = "".join([*(line(form, text, reaches=False) for text in before), line(form, last) if last else ""]).encode()
    # Proxies must not buffer the stream.
    return HttpResponse(body, content_type=media_type, headers={"X-Accel-Buffering": "no"})


def begin_at_page(request: HttpRequest, account: Account | None, **rest: Any) -> HttpResponse:
    """Return the beginning of an event stream for a page's script; a live handler, if any, continues it
    as `rest` says."""
    scope = getattr(request, "scope", None)
    if scope is not None:
        session = request.session.session_key or ""
        scope[STREAM] = Stream("sse", account, None, session, request.META.get("REMOTE_ADDR", ""), **rest)
    body = sign_of_life("sse").encode()
    return HttpResponse(body, content_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


def line(form: Form, text: str, *, reaches: bool = True) -> str:
    """Return a frame in the stream's form. Its id is the version that it reaches, if `reaches`."""
    if form == "ndjson":
        return f"{text}\n"
    frame = msgspec.json.decode(text, type=_Frame)
    reached = (frame.to or frame.version) if reaches else 0
    return f"{f'id: {reached}' + chr(10) if reached else ''}event: {frame.kind}\ndata: {text}\n\n"


def sign_of_life(form: Form) -> str:
    """Return what is sent while nothing happens."""
    return "\n" if form == "ndjson" else ":\n\n"


class _Frame(Struct):
    kind: str
    to: int = 0
    version: int = 0
