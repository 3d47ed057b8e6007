"""Reports errors to Sentry, if SENTRY_DSN is set: the error, its place in the code, and its request.

A report is built from an allow-list. All else that the client library collects is dropped: values of variables,
requests with cookies and bodies, and texts of errors and log lines, which may reveal hidden cards.
"""

import sys
from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from structlog.contextvars import get_contextvars

from config.redaction import redacted

_MISSING = "SENTRY_DSN is set, and sentry-sdk isn't installed: run bin/setup --observability."
_UNCHANGED = ("event_id", "timestamp", "level", "platform", "release", "environment", "logger", "sdk")
_FRAME_FIELDS = ("filename", "module", "function", "lineno", "in_app", "pre_context", "context_line", "post_context")
_LINE_FIELDS = ("match", "stream", "season", "projection", "consumer", "part", "game")
"""Fields of log lines whose values are ids or words of the service itself."""
_REQUEST_FIELDS = ("request_id", "trace_id")


def begin(dsn: str | None, release: str) -> None:
    """Report logged errors from now on; without a DSN, nothing. Raise ImproperlyConfigured."""
    if not dsn:
        return
    try:
        sentry = import_module("sentry_sdk")
        logging = import_module("sentry_sdk.integrations.logging")
    except ImportError as error:
        raise ImproperlyConfigured(_MISSING) from error
    try:
        sentry.init(
            dsn=dsn,
            release=f"croupier@{release}",
            # Failures are logged, by Django and Celery too, so no other integration has to inspect requests and tasks.
            default_integrations=False,
            auto_enabling_integrations=False,
            integrations=[logging.LoggingIntegration(level=None)],
            before_send=redact,
            include_local_variables=False,
            max_request_body_size="never",
            max_breadcrumbs=0,
            auto_session_tracking=False,
            send_client_reports=False,
        )
    except sentry.utils.BadDsn as error:
        raise ImproperlyConfigured("SENTRY_DSN is an address such as https://key@sentry.example.org/1.") from error


def redact(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return a report of the same error with allowed fields only."""
    allowed = {key: event[key] for key in _UNCHANGED if key in event}
    record: Any = hint.get("log_record")
    line = record.msg if isinstance(getattr(record, "msg", None), dict) else {}
    allowed["tags"] = _tags(line)
    if record is not None:
        allowed["logentry"] = {"message": _wording(record, line)}
    if exceptions := event.get("exception", {}).get("values") or _raised(line.get("exc_info")):
        allowed["exception"] = {"values": [_exception(it) for it in exceptions]}
    report: dict[str, Any] = redacted(allowed)
    return report


def _tags(line: dict[str, Any]) -> dict[str, str]:
    request = {key: value for key, value in get_contextvars().items() if key in _REQUEST_FIELDS}
    return request | {key: str(line[key])[:100] for key in _LINE_FIELDS if key in line}


def _wording(record: Any, line: dict[str, Any]) -> str:
    """Return the constant part of a log line: the event's name, or the format string of a line with arguments."""
    if line:
        return str(line.get("event", ""))
    return str(record.msg) if record.args else f"{record.module}:{record.lineno}"


def _raised(exc_info: Any) -> list[dict[str, Any]]:
    """Return the exceptions behind a line's `exc_info`, which is still unformatted."""
    error = exc_info if isinstance(exc_info, BaseException) else sys.exc_info()[1] if exc_info else None
    if error is None:
        return []
    sentry = import_module("sentry_sdk")
    event, _ = sentry.utils.event_from_exception(error, client_options=sentry.get_client().options)
    return list(event["exception"]["values"])


def _exception(raised: dict[str, Any]) -> dict[str, Any]:
    fields = {key: raised[key] for key in ("type", "module") if key in raised}
    frames = (raised.get("stacktrace") or {}).get("frames", [])
    return fields | {"stacktrace": {"frames": [{key: it[key] for key in _FRAME_FIELDS if key in it} for it in frames]}}
