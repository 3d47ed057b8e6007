"""Log output: one line per event on standard output, as JSON or as plain text for a terminal."""

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

from config.redaction import redacted

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
HIDDEN = re.compile(
    r"pass(word|wd)|secret|token|authorization|cookie|api_?key|seed(?!_commitment)|nonce|salt", re.IGNORECASE
)
# A login inside a URL: keep the user and the host, hide the password. Each part has a maximum length, because requested
# URLs of any length are logged too.
LOGIN = re.compile(r"(?P<start>://[^\s:/@]{0,100}:)[^\s@]{1,400}+@")


_MOST_CHARACTERS = 2_000
_MOST_CHARACTERS_OF_TRACEBACK = 10_000
_LINE_FIELDS = ("timestamp", "level", "logger")


class Output(logging.StreamHandler[Any]):
    """Standard output. If a line can't be written, its values aren't printed instead."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Write to standard error which line failed."""
        kind = sys.exc_info()[0]
        sys.stderr.write(f"A log line of {record.module}:{record.lineno} failed: {kind and kind.__name__}\n")


def redact(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide values by their key, and passwords and secrets inside URLs in any value."""
    for key, value in entry.items():
        if key in _LINE_FIELDS:
            continue
        if key != "event" and HIDDEN.search(key):
            entry[key] = "[hidden]"
        else:
            clean = redacted(value, other=repr)
            entry[key] = _cut(LOGIN.sub(r"\g<start>[hidden]@", clean), key) if isinstance(clean, str) else clean
    return entry


def _cut(text: str, key: str) -> str:
    """Remove the middle of an overlong text: anonymous clients choose the URLs that are logged."""
    half = (_MOST_CHARACTERS_OF_TRACEBACK if key == "exception" else _MOST_CHARACTERS) // 2
    return text if len(text) <= 2 * half else f"{text[:half]} [...] {text[-half:]}"


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(form: str, level: str, *, commits: bool = False) -> dict[str, Any]:
    """Configure structlog and return the LOGGING setting; `form` is "json" or "console". With `commits`, log each
    commit."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *SHARED,
            structlog.processors.StackInfoRenderer(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {
                "()": structlog.stdlib.ProcessorFormatter,
                "foreign_pre_chain": [*SHARED, structlog.stdlib.ExtraAdder()],
                "processors": [
                    structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                    *_rendering(form),
                ],
            }
        },
        "handlers": {"stdout": {"()": "config.logs.Output", "stream": "ext://sys.stdout", "formatter": "line"}},
        "root": {"handlers": ["stdout"], "level": level},
        # Django's own handlers would print the line a second time, or mail it.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            "events.commits": {"level": "INFO" if commits else "WARNING"},
            # The clock tasks would add a line per second without information.
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            # It logs the URL of every socket, with anything that a client put into it.
            "uvicorn.error": {"level": "WARNING"},
            # Without Redis it logs an error every second; its listeners log one per minute.
            "channels_redis.pubsub": {"level": "CRITICAL"},
        },
    }


def _rendering(form: str) -> list[Any]:
    # Format the traceback first, so that it is redacted too, and without the frames' locals, which hold seeds and
    # passwords.
    as_text: list[Any] = [structlog.processors.format_exc_info, redact]
    if form == "json":
        return [*as_text, structlog.processors.JSONRenderer()]
    plain = structlog.dev.ConsoleRenderer(
        colors=False, repr_native_str=True, exception_formatter=structlog.dev.plain_traceback
    )
    return [*as_text, _escape_event, plain]


def _escape_event(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Escape line ends and terminal codes in a message, which other libraries build from what clients send."""
    entry["event"] = "".join(it if it.isprintable() else repr(it)[1:-1] for it in str(entry.get("event", "")))
    return entry
