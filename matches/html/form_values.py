"""Reading and checking the fields of pages' forms."""

import secrets
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.http import HttpRequest, QueryDict

from events.records import Point
from games.kernel import canonical
from matches.html.trays import body_of
from matches.http.commands import LONGEST_TEXT, submission_of
from matches.http.problems import Problem
from matches.services import playing


def fresh_key() -> str:
    """Return an idempotency key for a form's next command."""
    return f"page-{secrets.token_urlsafe(12)}"


def submit(request: HttpRequest, match_id: UUID, seat: int, body: dict[str, Any]) -> playing.Accepted:
    """Submit the form's command, as `command_in` returns it. Raise what `services.submit` does, and Problem."""
    key, expected = key_in(request.POST), expected_in(request)
    point = None if expected is None else Point(expected, b"")
    submission = submission_of(match_id, seat, request.user.pk, body, key, point)
    return playing.submit(**submission._asdict())


def try_out(request: HttpRequest, match_id: UUID, seat: int) -> None:
    """Check whether the form's command would be accepted; raise as `submit` does. Nothing is stored."""
    command = playing.Typed(text_in(request))
    playing.try_out(match_id=match_id, seat=seat, player=str(request.user.pk), command=command)


def command_in(request: HttpRequest, game: str) -> dict[str, Any]:
    """Return the form's command: that of a tray with inputs of its own, else notation in `text`; raise Problem."""
    return body_of(game, dict(request.POST.lists())) or {"text": text_in(request)}


def text_in(request: HttpRequest) -> str:
    """Return the form's command: a pressed button's, else the typed one; raise Problem."""
    text = (request.POST.get("choice") or request.POST.get("text") or "").strip()
    if not text or len(text) > LONGEST_TEXT:
        raise Problem("malformed", f"Type a command, in at most {LONGEST_TEXT} characters.")
    return text


def key_in(given: QueryDict) -> str:
    """Return the form's idempotency key; raise Problem."""
    key = given.get("key", "")
    if not key or len(key) > 200 or not key.isascii() or not key.isprintable() or " " in key:
        raise Problem("idempotency_key_missing", "The form is out of date; load the page again.")
    return key


def key_or_none_in(given: QueryDict) -> str | None:
    """Return the form's idempotency key; None for a form without one. Raise Problem."""
    return key_in(given) if given.get("key") else None


def press_of(request: HttpRequest) -> str:
    """Return an id for a press of a form's button: a hash of its key and all other fields.

    What it creates has this id, so that a form that is sent again creates nothing more. A form without a key creates
    something each time.
    """
    key = request.POST.get("key") or fresh_key()
    fields = {name: request.POST.getlist(name) for name in request.POST if name != "csrfmiddlewaretoken"}
    return sha256(canonical([request.path, fields | {"key": [key]}])).hexdigest()


def expected_in(request: HttpRequest) -> int | None:
    """Return the version that the form was made for, or None; raise Problem."""
    given = request.POST.get("expected", "")
    if not given:
        return None
    version = version_in(given)
    if version is None:
        raise Problem("malformed", "The form is out of date; load the page again.")
    return version


def version_in(text: str) -> int | None:
    """Return the version that a page names; None if it isn't one."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 10 else None
