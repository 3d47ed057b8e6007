"""bench simulate: needs of a house too large for any machine here, from a model with costs measured here.

python -m benchmarks simulate              10,000 matches at once, 1 M matches a day, 100,000 spectators of a final:
                                           what each needs, how late moves arrive, and the first limit
python -m benchmarks simulate --measure    measures the costs of running processes into benchmarks/costs.json, and
                                           plays in turn with that at three other sizes, to compare the model with

Measuring needs a machine without other work; `chrt -r 1 bin/bench simulate --measure` makes a busy one wait.
"""

import argparse
import json
import os
import time
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from benchmarks import _costs, _forecasts, stage
from benchmarks._costs import Meter, Run
from benchmarks._lines import allow_many_files, memory
from benchmarks._simulation import Costs, House, Model, fitted
from benchmarks._tables import new_player
from benchmarks.live import served
from benchmarks.report import Row, print_results

COSTS = Path(__file__).parent / "costs.json"
_FEW, _CROWD = 4, 48
_CHECKED = (2, 12, 30)
_ROUNDS = 4
_A_FIFTH = 0.2


def main(argv: list[str]) -> int:
    """Measure and compare, or print the forecasts."""
    parser = argparse.ArgumentParser(prog="bench simulate", description=__doc__.splitlines()[0])
    parser.add_argument("--measure", action="store_true", help="measure the costs here, keep them, and compare")
    if parser.parse_args(argv).measure:
        costs, played = _measure()
        _keep(costs)
        return _compare(costs, played)
    document = json.loads(COSTS.read_text())
    rows, notes = _forecasts.forecasts(Costs(**document["costs"]))
    print_results("simulate", rows, [*notes, f"costs of {document['at']}, at a load average of {document['load']}"])
    return 0


def _keep(costs: Costs) -> None:
    document = {
        "source": "bin/bench simulate --measure",
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": round(os.getloadavg()[0], 1),
        "processors": os.cpu_count(),
        "costs": {name: float(f"{value:.3g}") for name, value in asdict(costs).items()},
    }
    COSTS.write_text(json.dumps(document, indent=2) + "\n")


def _measure() -> tuple[Costs, dict[int, list[Run]]]:
    """Return the costs, and the runs at each size."""
    allow_many_files()
    with stage.service() as owner_url:
        with served(False) as web:
            meter = Meter(web.pid, owner_url)
            _costs.flat_out(web.port, meter, _FEW, 200)
            with _costs.bytes_written(owner_url) as grown:
                played = _in_turn(web.port, meter, (1, _FEW, _CROWD, *_CHECKED))
            commit = _costs.commit_seconds(owner_url)
        with served(False) as web:
            meter = Meter(web.pid, owner_url)
            less, more = (_costs.idle(web.port, meter, matches, 10) for matches in (40, 240))
        with served(False) as web:
            meter, token, empty = Meter(web.pid, owner_url), new_player()[1], memory(web.pid)
            greeted, few_watch, frame_bytes = _costs.watched(web.port, meter, token, 100, 15)
            _, many_watch, _ = _costs.watched(web.port, meter, token, 500, 15)
            socket_bytes = (memory(web.pid) - empty) / 500
    moves = sum(run.moves for runs in played.values() for run in runs)
    few = played[_FEW]
    costs = Costs(
        web_alone=_cost(few, "web"),
        web_crowded=_cost(played[_CROWD], "web"),
        crowd=_CROWD,
        few=_FEW,
        locked=1.0,
        on_path=1.0,
        postgres=_cost(few, "postgres"),
        commit=commit,
        valkey=_cost(few, "valkey"),
        client=_cost(few, "clients"),
        frame=(many_watch.web - few_watch.web) / 400,
        greeting=greeted.web,
        web_idle=max(0.0, more.web - less.web) / 200,
        postgres_idle=max(0.0, more.postgres - less.postgres) / 200,
        socket_bytes=socket_bytes,
        process_bytes=empty,
        frame_bytes=frame_bytes,
        event_bytes=grown["events"] / moves,
        key_bytes=grown["keys"] / moves,
        wal_bytes=grown["wal"] / moves,
    )
    return fitted(costs, alone=_rate(played[1]), crowded=_rate(played[_CROWD])), played


def _in_turn(port: int, meter: Meter, sizes: tuple[int, ...]) -> dict[int, list[Run]]:
    """Make short runs of all sizes, one after the other, with pauses for other users of the machine: its speed changes
    from minute to minute."""
    runs: dict[int, list[Run]] = {lanes: [] for lanes in sizes}
    for _ in range(_ROUNDS):
        for lanes, results in runs.items():
            results.append(_costs.flat_out(port, meter, lanes, 200 + 16 * lanes))
            time.sleep(0.5)
    return runs


def _cost(runs: list[Run], whose: str) -> float:
    return median(getattr(run.spent, whose) / run.moves for run in runs)


def _rate(runs: list[Run]) -> float:
    return median(run.rate for run in runs)


def _compare(costs: Costs, played: dict[int, list[Run]]) -> int:
    """Compare the model with runs of sizes that were not used to fit it; return 1 if its moves per second differ by
    more than a fifth."""
    rows, notes, worst = [], [], 0.0
    for lanes in _CHECKED:
        model = Model(costs, House(1, 2, shared=2))
        model.play_flat_out(lanes)
        simulated, runs = model.run(20, warm_up=2), played[lanes]
        off = simulated.rate / _rate(runs) - 1
        worst = max(worst, abs(off))
        late, here = 1000 * simulated.latency(50), tuple(1000 * run.latency for run in runs)
        what = f"{lanes} matches flat out"
        rows += [
            Row(f"{what}: moves, here", "1/s", tuple(run.rate for run in runs)),
            Row(f"{what}: moves, by the model", "1/s", (simulated.rate,)),
            Row(f"{what}: move to the other seat, p50, here", "ms", here),
            Row(f"{what}: move to the other seat, p50, by the model", "ms", (late,)),
        ]
        notes.append(
            f"{what}: off by {100 * off:+.0f} % in moves a second, {100 * (late / median(here) - 1):+.0f} % in p50"
        )
    notes.append(f"load average {os.getloadavg()[0]:.1f}; clients and servers share the machine, in the model too")
    print_results("simulate-check", rows, notes)
    return int(worst > _A_FIFTH)
