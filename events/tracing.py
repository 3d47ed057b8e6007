"""Which request an act belongs to: spans for OpenTelemetry where it is switched on, and what tasks and hints carry.

Switched off, a span is an empty context. A span holds names, ids and counts, never a value or the text of an error:
those may tell what one seat alone may know.
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
    """What has brought an act: the id of a request, and where in a trace it was. Either may be empty."""

    request_id: str = ""
    traceparent: str = ""


def switch_on(tracer: "Tracer | None") -> None:
    """From now on spans are recorded; with None no longer."""
    global _tracer
    _tracer = tracer


def is_on() -> bool:
    """Whether spans are recorded."""
    return _tracer is not None


def span(name: str, **about: UUID | str | int) -> AbstractContextManager[Any]:
    """What is done within is a span of the trace at hand, or begins one."""
    return _NOTHING if _tracer is None else _recorded(name, None, about)


@contextmanager
def entered(name: str, traceparent: str = "") -> Iterator[str]:
    """A request is answered within; gives the id of its trace, empty where there is none.

    A `traceparent` is believed, so only a trusted caller's is handed in; without spans its trace is named all the same.
    """
    if _tracer is None:
        yield trace_id(traceparent)
        return
    from opentelemetry.trace import SpanKind, format_trace_id

    with _recorded(name, _context(traceparent), {}, SpanKind.SERVER) as recorded:
        yield format_trace_id(recorded.get_span_context().trace_id)


def describe(name: str, **about: UUID | str | int) -> None:
    """What the span at hand turned out to be."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span

        current = get_current_span()
        current.update_name(name)
        current.set_attributes(_attributes(about))


def origin() -> Origin:
    """What is being done now, for whoever goes on with it elsewhere."""
    return Origin(get_contextvars().get("request_id", ""), traceparent())


@contextmanager
def following(origin: Origin, name: str, **about: UUID | str | int) -> Iterator[None]:
    """What is done within follows from a request, whose id its log lines have and whose trace it goes on with."""
    told = {"request_id": origin.request_id, "trace_id": trace_id(origin.traceparent)}
    with bound_contextvars(**{key: value for key, value in told.items() if value}):
        if _tracer is None:
            yield
        else:
            with _recorded(name, _context(origin.traceparent), about):
                yield


def later(name: str, traceparent: str, begun: float, **about: UUID | str | int) -> "Span | None":
    """A span of that trace which began at `begun` (of time.perf_counter) and whose end the caller tells; None where no
    spans are recorded."""
    if _tracer is None:
        return None
    since = time.time_ns() - int((time.perf_counter() - begun) * 1e9)
    return _tracer.start_span(name, _context(traceparent), attributes=_attributes(about), start_time=since)


def traceparent() -> str:
    """Where in a trace this is, as W3C's trace context writes it; empty where no spans are recorded."""
    if _tracer is None:
        return ""
    from opentelemetry.trace import format_span_id, format_trace_id, get_current_span

    at = get_current_span().get_span_context()
    return f"00-{format_trace_id(at.trace_id)}-{format_span_id(at.span_id)}-{at.trace_flags:02x}" if at.is_valid else ""


def trace_id(traceparent: str) -> str:
    """The trace that a traceparent names; empty for one that can't be read."""
    read = _TRACEPARENT.fullmatch(traceparent)
    return read["trace"] if read else ""


@contextmanager
def _recorded(name: str, within: "Context | None", about: dict[str, Any], kind: Any = None) -> "Iterator[Span]":
    from opentelemetry.trace import SpanKind, Status, StatusCode

    assert _tracer is not None  # noqa: S101  whoever calls has looked
    kind = kind or SpanKind.INTERNAL
    # Else the text of an error would be recorded.
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
