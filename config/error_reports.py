"""Reports faults to Sentry where SENTRY_DSN says where to: which error, where in the code, and in which request.

A report is made anew from what may leave, so that whatever else the client library gathers stays here: values of
variables, requests with their cookies and bodies, the texts of errors and of log lines, which may tell a hidden hand.
"""

import sys
from importlib import import_module
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from structlog.contextvars import get_contextvars

from config.redaction import redacted

_MISSING = "SENTRY_DSN is set, and sentry-sdk isn't installed: run bin/setup --observability."
_AS_IT_IS = ("event_id", "timestamp", "level", "platform", "release", "environment", "logger", "sdk")
_OF_FRAME = ("filename", "module", "function", "lineno", "in_app", "pre_context", "context_line", "post_context")
_OF_LINE = ("match", "stream", "season", "projection", "consumer", "part", "game")
"""What log lines name by an id or a word of the house's own."""
_OF_REQUEST = ("request_id", "trace_id")


def begin(dsn: str | None, release: str) -> None:
    """Report from now on what is logged as an error, with no DSN nothing; raises ImproperlyConfigured."""
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
            # What fails is logged, by Django and Celery, too; nothing else need look into requests and tasks.
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
    """A report of the same fault that holds nothing but what may leave."""
    told = {key: event[key] for key in _AS_IT_IS if key in event}
    record: Any = hint.get("log_record")
    line = record.msg if isinstance(getattr(record, "msg", None), dict) else {}
    told["tags"] = _tags(line)
    if record is not None:
        told["logentry"] = {"message": _wording(record, line)}
    if raised := event.get("exception", {}).get("values") or _raised(line.get("exc_info")):
        told["exception"] = {"values": [_exception(it) for it in raised]}
    report: dict[str, Any] = redacted(told)
    return report


def _tags(line: dict[str, Any]) -> dict[str, str]:
    request = {key: value for key, value in get_contextvars().items() if key in _OF_REQUEST}
    return request | {key: str(line[key])[:100] for key in _OF_LINE if key in line}


def _wording(record: Any, line: dict[str, Any]) -> str:
    """What every such line says. Only one of our own, or one that is filled in afterwards, has it apart from values."""
    if line:
        return str(line.get("event", ""))
    return str(record.msg) if record.args else f"{record.module}:{record.lineno}"


def _raised(told: Any) -> list[dict[str, Any]]:
    """The error that a line of our own names, which becomes text only as the line is printed."""
    error = told if isinstance(told, BaseException) else sys.exc_info()[1] if told else None
    if error is None:
        return []
    sentry = import_module("sentry_sdk")
    event, _ = sentry.utils.event_from_exception(error, client_options=sentry.get_client().options)
    return list(event["exception"]["values"])


def _exception(raised: dict[str, Any]) -> dict[str, Any]:
    told = {key: raised[key] for key in ("type", "module") if key in raised}
    frames = (raised.get("stacktrace") or {}).get("frames", [])
    return told | {"stacktrace": {"frames": [{key: it[key] for key in _OF_FRAME if key in it} for it in frames]}}
