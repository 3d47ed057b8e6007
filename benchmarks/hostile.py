"""bench hostile: thousands of requests that schemathesis generates from the schema, sent to a live web process.

python -m benchmarks hostile                       10,000 requests
python -m benchmarks hostile --cases 2000 --seed 7

Held: no 5xx, only documented statuses and bodies, data against the schema refused, every record whole afterwards, and
memory that doesn't grow by more than 50 MB.
"""

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks import stage
from benchmarks.report import Row, print_results

CASES = 10_000
MOST_GROWTH = 50.0


@dataclass
class Found:
    """Results of the requests: seconds that each took, statuses, and broken promises."""

    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    broken_records: list[str] = field(default_factory=list)
    matches: int = 0


def main(argv: list[str]) -> int:
    """Send the requests and print the results; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="bench hostile", description=__doc__)
    parser.add_argument("--cases", type=int, default=CASES)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(argv)
    with stage.service(), _web() as (port, pid):
        results = Found()
        # Memory for modules that are loaded once is no growth.
        _barrage(results, port, 500, arguments.seed)
        before, begun = _megabytes(pid), perf_counter()
        sent = _barrage(results, port, arguments.cases, arguments.seed + 1)
        took, growth = perf_counter() - begun, _megabytes(pid) - before
    for fault in (results.faults + results.broken_records)[:20]:
        print(fault[:600])
    cuts = quantiles(results.seconds, n=100)
    rows = [
        Row("an answer, half of them within", "ms", (cuts[49] * 1000,)),
        Row("an answer, 99 of 100 within", "ms", (cuts[98] * 1000,)),
        Row("memory of the web process, growth", "MB", (growth,)),
    ]
    statuses = ", ".join(f"{status}: {count}" for status, count in sorted(results.statuses.items()))
    print_results("hostile", rows, [
        f"{sent} requests in {took:.0f} s, seed {arguments.seed}; answers: {statuses}",
        f"5xx: {sum(count for status, count in results.statuses.items() if status >= 500)}",
        f"answers that break the document's promise: {len(results.faults)}",
        f"records that don't hold afterwards: {len(results.broken_records)} of {results.matches}",
    ])  # fmt: skip
    return int(bool(results.faults or results.broken_records) or growth > MOST_GROWTH)


def _barrage(results: Found, port: int, cases: int, start: int) -> int:
    """Send at least so many requests, in rounds with matches of their own."""
    import schemathesis
    from schemathesis import Case
    from schemathesis.core.transport import Response
    from schemathesis.schemas import APIOperation

    from tests.api.document import DOCUMENT
    from tests.api.generated import Barrage
    from tests.api.guests import guest, started

    player, matches, sent, number = guest(), [], 0, 0

    def aim(operation: APIOperation) -> dict[str, str]:
        if "{name}" not in operation.path:
            return {}
        matches.append(started("pyramid_poker", player, "bot"))
        return {"name": matches[-1]}

    def send(case: Case) -> Response:
        begun = perf_counter()
        response = case.call(base_url=f"http://127.0.0.1:{port}")
        # A password's hash is slow on purpose.
        if case.operation.path not in ("/api/v1/accounts", "/api/v1/tokens"):
            results.seconds.append(perf_counter() - begun)
        return response

    while sent < cases:
        barrage = Barrage(schemathesis.openapi.from_dict(DOCUMENT), str(player.token), aim, send)
        sent += barrage.run(20, start * 1000 + number)
        number += 1
        results.statuses += barrage.statuses
        results.faults += barrage.faults
        print(f"{sent} of {cases}", flush=True)
    results.matches += len(matches)
    results.broken_records += filter(None, (_break_of(player, match) for match in matches))
    return sent


def _break_of(player: Any, match: str) -> str:
    """Return the fault of the match's record, or an empty string."""
    from matches.audit import croupier_verify

    try:
        croupier_verify.verify(player.get(f"/matches/{match}/export").lines)
    except croupier_verify.Bad as bad:
        return f"{match}, {bad}"
    return ""


def _megabytes(pid: int) -> float:
    """Return the memory of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


@contextmanager
def _web() -> Iterator[tuple[int, int]]:
    """Run a web process on the staged database; yield its port and its id."""
    from config.runner import parts
    from config.runner.embedded.server import free_port

    with tempfile.TemporaryDirectory(prefix="croupier-hostile-") as logs:
        port = free_port()
        program = parts.web(port, os.environ, Path(logs))
        program.start()
        try:
            assert program.child
            yield port, program.child.pid
        finally:
            program.request_stop()
            program.stop()
