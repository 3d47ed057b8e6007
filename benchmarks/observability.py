"""bench observability: cost of metrics and spans per move, in processor time of the process that makes it.

The same moves of Pyramid Poker through services.submit, the three in turn, in rounds: without   nothing is counted, and
no span is requested off       the default: commits are counted, spans are switched off on        every span is
recorded, batched and encoded for a collector, and discarded
"""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from statistics import median
from typing import Any
from unittest.mock import patch
from uuid import uuid4

from benchmarks import stage
from benchmarks.report import Row, number, print_results
from benchmarks.store import moves_to_play

_CALLS = 100_000


def main(argv: list[str]) -> int:
    """Measure and print the results."""
    parser = argparse.ArgumentParser(prog="bench observability", description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--moves", type=int, default=200, help="a round")
    arguments = parser.parse_args(argv)
    with stage.service():
        samples = _in_turn(arguments.rounds, arguments.moves)
        call = _call()
    rows = [Row(f"processor time of a move, {name}", "us", tuple(durations)) for name, durations in samples.items()]
    without, off, on = (samples[name] for name in ("without", "off", "on"))
    off_costs, on_costs = number(_difference(off, without)), number(_difference(on, without))
    notes = [
        f"switched off it costs {off_costs} us a move, switched on {on_costs} us",
        f"asking for a span that isn't recorded: {number(call)} ns",
    ]
    print_results("observability", rows, notes)
    return 0


def _difference(one: list[float], other: list[float]) -> float:
    """Return the median over the rounds of the difference between two measurements."""
    return median(ours - theirs for ours, theirs in zip(one, other, strict=True))


def _in_turn(rounds: int, moves: int) -> dict[str, list[float]]:
    ways: dict[str, Callable[[], Any]] = {"without": _without, "off": nullcontext, "on": _on}
    samples: dict[str, list[float]] = {name: [] for name in ways}
    playing = moves_to_play()
    for number_of_round in range(rounds + 1):
        for name, way in ways.items():
            with way():
                begun = time.process_time()
                for _ in range(moves):
                    next(playing)
                took = time.process_time() - begun
            if number_of_round:
                samples[name].append(1e6 * took / moves)
    return samples


@contextmanager
def _without() -> Iterator[None]:
    """Replace metrics and spans with functions that do nothing."""
    nothing = nullcontext()
    with (
        patch("events.metrics.committed", lambda *_: None),
        patch("events.tracing.span", lambda *_, **__: nothing),
        patch("events.tracing.traceparent", lambda: ""),
    ):
        yield


@contextmanager
def _on() -> Iterator[None]:
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult

    from events import tracing

    class Nowhere(SpanExporter):
        """Encodes spans as for a collector."""

        def export(self, spans: Any) -> SpanExportResult:
            encode_spans(spans).SerializeToString()
            return SpanExportResult.SUCCESS

    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(Nowhere()))
    tracing.switch_on(provider.get_tracer("bench"))
    try:
        yield
        provider.force_flush()
    finally:
        tracing.switch_on(None)
        provider.shutdown()


def _call() -> float:
    from events import tracing

    stream = uuid4()
    begun = time.perf_counter()
    for _ in range(_CALLS):
        with tracing.span("commit", stream=stream, version=1):
            pass
    return 1e9 * (time.perf_counter() - begun) / _CALLS
