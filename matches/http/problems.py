"""Problems: every error of the API is an RFC 9457 document."""

from collections.abc import Mapping
from typing import Any

import django.db
import msgspec
import psycopg
import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse
from rest_framework import exceptions as drf

from events.archived import ArchiveUnavailable
from events.log_throttle import LogThrottle
from events.records import StreamClosed, StreamConflict
from games.contest.reading import Faulty
from games.kernel import Illegal, to_json
from matches.accounts.officials import OfficialInvolved
from matches.contests.domain.drafts import TooLong
from matches.contests.reads.visible import NoSuchContest
from matches.contests.services.saving import ContestMoved
from matches.domain.texts import BadText
from matches.http.problem_codes import entry
from matches.http.responses import Answer
from matches.reads.entitlements import NotEntitled
from matches.seasons.repository import NoSuchSeason
from matches.services import playing
from matches.storage.repository import BrokenRecord, NoSuchMatch

logger = structlog.get_logger(__name__)

_throttle = LogThrottle()
CONTENT_TYPE = "application/problem+json"
_DATABASE_AWAY = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    django.db.OperationalError,
    django.db.InterfaceError,
)
_CODES_OF_DRF: tuple[tuple[type[Exception], str], ...] = (
    (drf.ParseError, "malformed"),
    (drf.ValidationError, "malformed"),
    (drf.AuthenticationFailed, "not_authenticated"),
    (drf.NotAuthenticated, "not_authenticated"),
    (drf.PermissionDenied, "forbidden"),
    (drf.NotFound, "not_found"),
    (drf.MethodNotAllowed, "method_not_allowed"),
    (drf.NotAcceptable, "not_acceptable"),
    (drf.UnsupportedMediaType, "unsupported_media_type"),
    (drf.Throttled, "too_many_requests"),
)
_STEADY_HEADERS = {
    401: {"WWW-Authenticate": "Bearer"},
    503: {"Retry-After": "1"},
}


class Problem(Exception):
    """A refusal with its code, a sentence, and further members of the document. The code determines the status."""

    def __init__(
        self, code: str, detail: str = "", *, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(code, detail)
        self.code = code
        self.status, self.title, self.what_to_do = entry(code)
        self.detail = detail or self.what_to_do
        self.members = members
        self.headers = {**_STEADY_HEADERS.get(self.status, {}), **(headers or {})}

    def document(self, request_id: str) -> dict[str, Any]:
        """Return the problem's document (RFC 9457)."""
        return {
            "type": f"/problems/{self.code}",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
            "request_id": request_id,
            **to_json(self.members),
        }


def refusal(illegal: Illegal, **members: Any) -> Problem:
    """Return the problem for a rule's refusal, with members such as `legal`, and with all faults that it lists."""
    if illegal.faults:
        members["faults"] = illegal.faults
    return Problem(illegal.code, illegal.message, **members)


def problem_answer(problem: Problem, request_id: str) -> Answer:
    """Return the problem as a response to the request with this id."""
    return Answer(problem.status, msgspec.json.encode(problem.document(request_id)), problem.headers, CONTENT_TYPE)


def respond(problem: Problem, request: HttpRequest) -> HttpResponse:
    """Return the problem as Django's response."""
    return problem_answer(problem, getattr(request, "request_id", "")).for_django()


def wants_document(request: HttpRequest) -> bool:
    """True if a page's script sent the request, which shows a refusal itself."""
    return "HX-Request" in request.headers or "json" in request.headers.get("Accept", "")


def handle(exc: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """Handle an exception of any API view. It never raises, so the response is a problem in DEBUG too."""
    problem = problem_of(exc)
    if problem is None:
        logger.error("request failed", exc_info=exc)
        problem = Problem("internal")
    return respond(problem, context["request"])


def problem_of(exc: Exception) -> Problem | None:
    """Return the problem for an exception; None for an unexpected one."""
    match exc:
        case Problem():
            return exc
        case Illegal():
            return refusal(exc)
        case drf.APIException():
            return _of_drf(exc)
        case Http404() | NoSuchMatch() | NoSuchSeason() | NoSuchContest() | NotEntitled():
            return Problem("not_found")
        case PermissionDenied():
            return Problem("forbidden")
        case RequestDataTooBig():
            return Problem("too_large")
        case SuspiciousOperation():
            return Problem("malformed")
        case BadText():
            return Problem("malformed", str(exc))
        case TooLong():
            return Problem("too_large", str(exc))
        case Faulty():
            return Problem("content_faulty", faults=exc.faults)
    if isinstance(exc, _DATABASE_AWAY):
        logger.warning("database away", error=type(exc).__name__)
        return Problem("unavailable")
    return _of_host(exc)


def _of_host(exc: Exception) -> Problem | None:
    match exc:
        case OfficialInvolved():
            return Problem("at_their_match", str(exc))
        case playing.NotAllowed():
            return Problem("forbidden", str(exc))
        case ContestMoved():
            return Problem("version_behind", str(exc), version=exc.current)
        case playing.VersionMoved():
            return Problem("version_behind", str(exc), version=exc.current)
        case playing.KeyReused():
            return Problem("idempotency_key_reused")
        case playing.FlagUndecided():
            detail = "Another player's time has run out; send the command again in a moment."
            return Problem("overloaded", detail, retry_after=1)
        case StreamConflict():
            return Problem("conflict")
        case StreamClosed():
            return Problem("match_over")
        case ArchiveUnavailable():
            if _throttle.is_due("archive", str(exc)):
                logger.error("archive unavailable", reason=str(exc))
            return Problem("archive_unavailable", headers={"Retry-After": "60"})
        case BrokenRecord():
            if _throttle.is_due(exc.broken.stream):
                logger.error("record broken", broken=str(exc))
            return Problem("record_broken", headers={"Retry-After": "600"})
    return None


def _of_drf(exc: drf.APIException) -> Problem | None:
    code = next((code for kind, code in _CODES_OF_DRF if isinstance(exc, kind)), None)
    if code is None:
        return None
    wait = getattr(exc, "wait", None)
    headers = {} if wait is None else {"Retry-After": str(max(1, round(wait)))}
    if isinstance(exc, drf.MethodNotAllowed):
        return Problem(code, str(exc.detail))
    return Problem(code, headers=headers)
