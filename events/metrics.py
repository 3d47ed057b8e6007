"""Prometheus metrics of the event store."""

from prometheus_client import Histogram, disable_created_metrics

disable_created_metrics()  # type: ignore[no-untyped-call]

COMMIT_SECONDS = Histogram(
    "croupier_commit_seconds",
    "Time of a commit, from the first statement that appends to its answer",
    buckets=(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
COMMIT_COMMANDS = Histogram(
    "croupier_commit_commands",
    "Commands of one commit",
    buckets=(1, 2, 5, 10, 25, 50, 100, 250),
)


def committed(seconds: float, commands: int = 1) -> None:
    """Observe a commit of this many commands."""
    COMMIT_SECONDS.observe(seconds)
    COMMIT_COMMANDS.observe(commands)
