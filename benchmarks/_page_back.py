"""Time to read an archived match over HTTP from a real web process: its pages, record and proof.

Each match is requested once, so that the process has read neither its file nor its tile before.
"""

import http.client
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles
from typing import Any

import psycopg

from benchmarks.report import Row

_PORT = 8430
_EACH = 200
_FOUND = """
SELECT m.id::text, m.code FROM matches_match m JOIN events_archived a ON a.stream = m.id
WHERE NOT EXISTS (SELECT FROM events_event e WHERE e.stream = m.id) ORDER BY md5(m.id::text) LIMIT %s
"""
_PATHS = {
    "page": "/m/{code}/",
    "replay": "/m/{code}/replay/60/",
    "record": "/api/v1/matches/{id}/export",
    "audit": "/api/v1/matches/{id}/audit",
    "proof": "/api/v1/matches/{id}/audit/proof",
}


def rows(owner_url: str) -> list[Row]:
    """Return the median and the 99th percentile of each path in milliseconds; every request is for another match."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        matches = owner.execute(_FOUND, [_EACH * len(_PATHS)]).fetchall()
    results = []
    with _web() as web:
        web.get("/healthz")
        for number, (what, path) in enumerate(_PATHS.items()):
            own_matches = matches[number :: len(_PATHS)]
            spent = tuple(1000 * web.get(path.format(id=id, code=code)) for id, code in own_matches)
            results.append(Row(f"{what} of an archived match, by HTTP", "ms", spent))
            results.append(Row("p99 of these", "ms", (quantiles(spent, n=100, method="inclusive")[-1],)))
    return results


class _Web:
    """A web process and a connection to it."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def get(self, path: str) -> float:
        """Return the seconds until the last byte of a page."""
        begun = time.perf_counter()
        self._connection.request("GET", path)
        answer = self._connection.getresponse()
        answer.read()
        spent = time.perf_counter() - begun
        if answer.status != 200:
            raise RuntimeError(f"{path} is answered {answer.status}.")
        return spent


@contextmanager
def _web() -> Iterator[Any]:
    from config.runner import parts

    with tempfile.TemporaryDirectory() as folder:
        program = parts.web(_PORT, dict(os.environ), Path(folder))
        program.launch()
        try:
            program.await_ready()
            yield _Web(_PORT)
        finally:
            program.request_stop()
            program.stop()
