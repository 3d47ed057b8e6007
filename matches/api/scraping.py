"""The scrape of all metrics by Prometheus."""

import os
from pathlib import Path

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from matches.api.gauges import Gauges

_gauges = Gauges()


def exposition() -> bytes:
    """Return all metrics in Prometheus' text form, of all processes if they share a folder."""
    registry = CollectorRegistry()
    registry.register(_gauges)
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return generate_latest(REGISTRY) + generate_latest(registry)
    _forget_the_dead(Path(os.environ["PROMETHEUS_MULTIPROC_DIR"]))
    MultiProcessCollector(registry)
    return generate_latest(registry)


def _forget_the_dead(folder: Path) -> None:
    """Drop the live gauges of processes that have ended; their counters stay."""
    for path in folder.glob("gauge_live*_*.db"):
        number = int(path.stem.rpartition("_")[2])
        if not _lives(number):
            mark_process_dead(number)


def _lives(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
