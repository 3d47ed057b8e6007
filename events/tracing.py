"""OpenTelemetry spans, if they are switched on, and the request id and trace that tasks and hints carry.

While tracing is off, a span is an empty context. A span holds names, ids and counts, but no values and no error texts,
which could contain a seat's secrets.
"""

import re
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from structlog.contextvars import bound_contextvars, get_contextvars

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer

_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-(?P<trace>(?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_NOTHING: AbstractContextManager[None] = nullcontext()
_tracer: "Tracer | None" = None


class Origin(NamedTuple):
    """The origin of an act: the id of its request, and its place in a trace. Either may be empty."""

    request_id: str = ""
    traceparent: str = ""


def switch_on(tracer: "Tracer | None") -> None:
    """Record spans from now on; with None, stop."""
    global _tracer
    _tracer = tracer


def is_on() -> bool:
    """True if spans are recorded."""
    return _tracer is not None


def span(name: str, **about: UUID | str | int) -> AbstractContextManager[Any]:
    """Record the block as a span of the current trace, or of a new one."""
    return _NOTHING if _tracer is None else _recorded(name, None, about)


@contextmanager
def entered(name: str, traceparent: str = "") -> Iterator[str]:
    """Record the handling of a request in this block; yield the id of its trace, empty if there is none.

    Pass a `traceparent` only from a trusted caller, because it is used unchecked. Its trace id is yielded even while no
    spans are recorded.
    """
    if _tracer is None:
        yield trace_id(traceparent)
        return
    from opentelemetry.trace import SpanKind, format_trace_id

    with _recorded(name, _context(traceparent), {}, SpanKind.SERVER) as recorded:
        yield format_trace_id(recorded.get_span_context().trace_id)


def describe(name: str, **about: UUID | str | int) -> None:
    """Set the name and attributes of the current span."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span

        current = get_current_span()
        current.update_name(name)
        current.set_attributes(_attributes(about))


def origin() -> Origin:
    """Return the origin of the current act, for a task or process that continues it."""
    return Origin(get_contextvars().get("request_id", ""), traceparent())


@contextmanager
def following(origin: Origin, name: str, **about: UUID | str | int) -> Iterator[None]:
    """Record the block as a continuation of a request: its log lines have the request's id, and its span belongs to the
    request's trace."""
    ids = {"request_id": origin.request_id, "trace_id": trace_id(origin.traceparent)}
    with bound_contextvars(**{key: value for key, value in ids.items() if value}):
        if _tracer is None:
            yield
        else:
            with _recorded(name, _context(origin.traceparent), about):
                yield


def later(name: str, traceparent: str, begun: float, **about: UUID | str | int) -> "Span | None":
    """Start a span of that trace as of `begun` (by time.perf_counter), which the caller ends. Return None if no spans
    are recorded."""
    if _tracer is None:
        return None
    since = time.time_ns() - int((time.perf_counter() - begun) * 1e9)
    return _tracer.start_span(name, _context(traceparent), attributes=_attributes(about), start_time=since)


def traceparent() -> str:
    """Return the place in the current trace in W3C's format; empty if no spans are recorded."""
    if _tracer is None:
        return ""
    from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

    at = get_current_span().get_span_context()
    return f"00-{format_trace_id(at.trace_id)}-{format_span_id(at.span_id)}-{at.trace_flags:02x}" if at.is_valid else ""


def trace_id(traceparent: str) -> str:
    """Return the trace id of a traceparent; empty if it is invalid."""
    read = _TRACEPARENT.fullmatch(traceparent)
    return read["trace"] if read else ""


@contextmanager
def _recorded(name: str, within: "Context | None", about: dict[str, Any], kind: Any = None) -> "Iterator[Span]":
    from opentelemetry.trace import SpanKind, Status, StatusCode

    assert _tracer is not None  # noqa: S101  callers have checked it
    kind = kind or SpanKind.INTERNAL
    # Otherwise the error's text would be recorded.
    silent: dict[str, Any] = {"record_exception": False, "set_status_on_exception": False}
    with _tracer.start_as_current_span(name, within, kind, _attributes(about), **silent) as recorded:
        try:
            yield recorded
        except Exception as error:
            recorded.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise


def _context(traceparent: str) -> "Context":
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    return TraceContextTextMapPropagator().extract({"traceparent": traceparent} if trace_id(traceparent) else {})


def _attributes(about: dict[str, Any]) -> dict[str, Any]:
    return {key: value if isinstance(value, int) else str(value) for key, value in about.items()}
