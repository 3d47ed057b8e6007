"""One log line an event on standard output: JSON, or coloured text for a person at a terminal."""

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
# A login inside a URL: keep who and where, drop the password. Each part is bounded, as an address of any length that
# somebody asks for is logged too.
LOGIN = re.compile(r"(?P<start>://[^\s:/@]{0,100}:)[^\s@]{1,400}+@")


_MOST_LETTERS = 2_000
_MOST_LETTERS_OF_TRACEBACK = 10_000
_OF_THE_LINE = ("timestamp", "level", "logger")


class Output(logging.StreamHandler[Any]):
    """Standard output. Where a line can't be written, its values aren't printed in its place."""

    def handleError(self, record: logging.LogRecord) -> None:
        """Say on standard error which line it was."""
        kind = sys.exc_info()[0]
        sys.stderr.write(f"A log line of {record.module}:{record.lineno} failed: {kind and kind.__name__}\n")


def redact(_: Any, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Hide values by their key, and passwords and secrets inside URLs wherever they stand."""
    for key, value in entry.items():
        if key in _OF_THE_LINE:
            continue
        if key != "event" and HIDDEN.search(key):
            entry[key] = "[hidden]"
        else:
            clean = redacted(value, other=repr)
            entry[key] = _cut(LOGIN.sub(r"\g<start>[hidden]@", clean), key) if isinstance(clean, str) else clean
    return entry


def _cut(text: str, key: str) -> str:
    """Leave out the middle of a text that is too long: a client that isn't signed in chooses what it asks for."""
    half = (_MOST_LETTERS_OF_TRACEBACK if key == "exception" else _MOST_LETTERS) // 2
    return text if len(text) <= 2 * half else f"{text[:half]} [...] {text[-half:]}"


SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(form: str, level: str, *, commits: bool = False) -> dict[str, Any]:
    """Set structlog up and give the LOGGING setting; `form` is "json" or "console". With `commits` each has a line."""
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
        # Django's own handlers would print the same line once more, or mail it.
        "loggers": {
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            "events.commits": {"level": "INFO" if commits else "WARNING"},
            # One line a second from the clock tasks says nothing.
            "celery.beat": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "celery.app.trace": {"level": "WARNING"},
            "httpx": {"level": "WARNING"},
            # It writes down the address of every socket, with whatever somebody put into it.
            "uvicorn.error": {"level": "WARNING"},
            # With Redis away it tells so every second; who listens through it tells it once a minute.
            "channels_redis.pubsub": {"level": "CRITICAL"},
        },
    }


def _rendering(form: str) -> list[Any]:
    # The traceback becomes text first, so that it is redacted like everything else; without the frames' locals,
    # which hold seeds and passwords.
    as_text: list[Any] = [structlog.processors.format_exc_info, redact]
    if form == "json":
        return [*as_text, structlog.processors.JSONRenderer()]
    plain = structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback)
    return [*as_text, plain]
