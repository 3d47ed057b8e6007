"""Metrics for Prometheus."""

from prometheus_client import Counter, Gauge, Histogram, Summary, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]

REQUESTS = Counter("croupier_requests", "HTTP requests", ["method", "route", "status"])
SECONDS = Histogram(
    "croupier_request_seconds",
    "Time to the first byte of the answer",
    ["method", "route"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30),
)
CONNECTIONS = Gauge(
    "croupier_connections", "Open connections: `socket` or `stream`", ["kind"], multiprocess_mode="livesum"
)
CONNECTION_BYTES = Gauge(
    "croupier_connection_bytes",
    "Bytes that wait in memory at open connections, to be parsed, taken or read",
    multiprocess_mode="livesum",
)
HUBS = Gauge("croupier_hubs", "Matches with open connections", multiprocess_mode="livesum")
LAST_FRAME_SECONDS = Histogram(
    "croupier_last_frame_seconds",
    "Time from hearing that a match has moved until all of its connections here were sent it",
    buckets=(0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 30),
)
LOOP_BLOCKED_SECONDS = Summary(
    "croupier_loop_blocked_seconds", "Time for which the event loop was blocked, 0.02 s or more each", ["work"]
)
COMMANDS = Counter("croupier_commands", "Commands: `accepted`, or the refusal", ["game", "result"])

LEFT = Counter("croupier_fast_way_left", "Commands that left the fast way, by the reason", ["why"])
LEFT_OUT = Counter("croupier_commands_overloaded", "Commands refused before any work, as too many others waited")
AT_ONCE = Counter("croupier_requests_at_once", "HTTP requests answered without Django", ["method", "route"])


def count_fallback(why: str) -> None:
    """Count a command that left the fast path."""
    LEFT.labels(why).inc()


def accepted(game: str) -> None:
    COMMANDS.labels(game, "accepted").inc()


def refused(game: str, code: str) -> None:
    COMMANDS.labels(game, code).inc()
