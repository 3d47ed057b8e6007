"""The figures that are worked out when Prometheus asks."""

import os
from collections.abc import Iterator

from django.db import DatabaseError
from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from psycopg import Error as PostgresError

from events import outbox, projections


class Lag:
    """How far the projections, and the consumers of other streams' news, are behind the log."""

    def collect(self) -> Iterator[Metric]:
        """Two gauges by projection; nothing while the database is away."""
        try:
            behind = projections.lag()
        except (DatabaseError, PostgresError):
            return
        streams = GaugeMetricFamily("croupier_dirty_streams", "Streams that wait for it", labels=["projection"])
        age = GaugeMetricFamily("croupier_dirty_seconds", "Age of the oldest of them", labels=["projection"])
        for name in (*projections.names(), *outbox.names()):
            count, seconds = behind.get(name, (0, 0.0))
            streams.add_metric([name], count)
            age.add_metric([name], seconds)
        yield streams
        yield age


def exposition() -> bytes:
    """All figures in Prometheus' text form, of all processes where they share a folder."""
    registry = CollectorRegistry()
    registry.register(Lag())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)
        return generate_latest(registry)
    return generate_latest(REGISTRY) + generate_latest(registry)
