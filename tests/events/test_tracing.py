"""One id from a request to spans, log lines and whoever goes on with it elsewhere; and nothing that is secret."""

import logging
import time
from collections.abc import Iterator
from uuid import uuid4

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode, format_span_id, format_trace_id
from structlog.contextvars import get_contextvars

from events import appending, tracing
from events.records import NewEvent
from events.store import StreamTransaction

TRACE, SPAN = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
TRACEPARENT = f"00-{TRACE}-{SPAN}-01"


@pytest.fixture
def spans() -> Iterator[InMemorySpanExporter]:
    """Spans are recorded, and kept here."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracing.switch_on(provider.get_tracer("test"))
    yield exporter
    tracing.switch_on(None)


def test_switched_off_nothing_is_made() -> None:
    assert tracing.span("one") is tracing.span("two", stream=uuid4(), version=1)
    assert tracing.traceparent() == "" and tracing.later("three", TRACEPARENT, 0.0) is None
    tracing.describe("four", version=1)


def test_spans_within_a_request_are_of_its_trace(spans: InMemorySpanExporter) -> None:
    stream = uuid4()
    with tracing.entered("request") as trace_id, tracing.span("commit", stream=stream, version=3):
        pass
    commit, request = spans.get_finished_spans()
    assert format_trace_id(request.context.trace_id) == format_trace_id(commit.context.trace_id) == trace_id
    assert commit.parent.span_id == request.context.span_id
    assert dict(commit.attributes) == {"stream": str(stream), "version": 3}


def test_task_continues_the_trace_of_its_request(spans: InMemorySpanExporter) -> None:
    with tracing.entered("request", TRACEPARENT) as trace_id:
        assert trace_id == TRACE
        origin = tracing.origin()
    with tracing.following(origin, "attend"):
        assert get_contextvars()["trace_id"] == TRACE
    tracing.later("last frame", origin.traceparent, time.perf_counter() - 0.5).end()
    request, attend, last_frame = spans.get_finished_spans()
    assert format_span_id(request.parent.span_id) == SPAN
    assert attend.parent.span_id == last_frame.parent.span_id == request.context.span_id
    assert 0.5 <= (last_frame.end_time - last_frame.start_time) / 1e9 < 1


def test_without_spans_the_id_of_a_request_goes_along_all_the_same() -> None:
    with tracing.following(tracing.Origin("caller-1234", TRACEPARENT), "attend"):
        assert tracing.origin().request_id == "caller-1234"
        assert get_contextvars()["trace_id"] == TRACE
    assert tracing.origin() == tracing.Origin()


@pytest.mark.parametrize(
    "traceparent",
    ["", "nonsense", TRACEPARENT.upper(), f"ff-{TRACE}-{SPAN}-01", f"00-{'0' * 32}-{SPAN}-01", TRACEPARENT + "-x"],
)
def test_a_traceparent_that_cannot_be_read_begins_a_trace(traceparent: str, spans: InMemorySpanExporter) -> None:
    with tracing.entered("request", traceparent) as trace_id:
        assert trace_id and trace_id != TRACE
    assert spans.get_finished_spans()[0].parent is None


def test_failure_is_traced_by_its_type_only(spans: InMemorySpanExporter) -> None:
    with pytest.raises(LookupError), tracing.entered("request"), tracing.span("commit"):
        raise LookupError("the hidden brick is a red 7")
    for span in spans.get_finished_spans():
        assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, "LookupError")
        assert "brick" not in span.to_json()


def test_the_line_of_a_commit_has_the_ids(spans: InMemorySpanExporter, caplog: pytest.LogCaptureFixture) -> None:
    stream = uuid4()
    with caplog.at_level(logging.INFO, appending.COMMITS):
        origin = tracing.Origin("caller-1234", TRACEPARENT)
        with tracing.following(origin, "attend"), StreamTransaction(stream, actor="a") as transaction:
            transaction.append([NewEvent("said", b"{}")], expected=0)
    (line,) = (record.msg for record in caplog.records)
    line_expected = {"event": "committed", "stream": str(stream), "since": 1, "version": 1}
    assert line.items() >= (line_expected | {"request_id": "caller-1234", "trace_id": TRACE}).items()
