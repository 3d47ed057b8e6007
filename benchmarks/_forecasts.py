"""Forecasts for three houses too large for any machine here: what they need, how late moves arrive, and the first
limit."""

from collections.abc import Callable
from typing import NamedTuple

from benchmarks._simulation import Costs, Found, House, Model
from benchmarks.report import Row, number

MOVES_OF_MATCH = 89
SECONDS_OF_MATCH = 15 * 60
PEAK = 2.5
"""Ratio of the busiest hour of a day to the mean."""
LATE = 0.25
"""Longest permitted 99th percentile of the seconds until a move is received."""
LAST_FRAME = 1.0
"""Seconds until the last of a final's spectators receives a move."""
ARRIVING = 600
"""Seconds in which a final's spectators connect."""
_FULL = 0.7
"""Highest load of a part at the peak, so that the others can replace one that fails."""
_SECONDS = 10.0


class Layout(NamedTuple):
    """Resources for a load: web processes, of a processor each, and processors of the database."""

    webs: int
    postgres: int


def forecasts(costs: Costs) -> tuple[list[Row], list[str]]:
    """Return rows and notes of all three forecasts."""
    rows: list[Row] = []
    notes: list[str] = []
    for forecast in (_at_once, _a_day, _final):
        more_rows, more_notes = forecast(costs)
        rows += more_rows
        notes += more_notes
    return rows, notes


def layout_for(costs: Costs, rate: float, matches: float) -> Layout:
    """Return the smallest layout with no part above its highest load and with moves received in time."""
    web = rate * costs.web_crowded + matches * costs.web_idle
    layout = Layout(_parts(web), _parts(rate * costs.postgres + matches * costs.postgres_idle))
    while played(costs, layout, rate, matches).latency(99) > LATE:
        layout = layout._replace(webs=layout.webs + 1)
    return layout


def _parts(seconds: float) -> int:
    return max(1, -int(-seconds // _FULL))


def played(costs: Costs, layout: Layout, rate: float, matches: float, seconds: float = _SECONDS) -> Found:
    """Run the model of such a house under such a load."""
    model = Model(costs, House(*layout), matches=int(matches))
    model.play_at(rate)
    return model.run(seconds, warm_up=2)


def breaks_at(costs: Costs, layout: Layout, rate: float, matches: float) -> tuple[float, str]:
    """Return the multiple of the load at which more than one move in a hundred is late, and the part
    that is full then."""
    low, high, full = 1.0, 1.0, ""
    while high < 16:
        high *= 1.1
        simulated = played(costs, layout, rate * high, matches * high, 4)
        if len(simulated.latencies) < rate * high * 4 * 0.9 or simulated.latency(99) > LATE:
            full = max(simulated.busy, key=lambda name: simulated.busy[name])
            return low, {"web": "the web processes' interpreters", "postgres": "the database's processors"}[full]
        low = high
    return low, "nothing"


def _steady(costs: Costs, what: str, rate: float, matches: float) -> tuple[list[Row], list[str], Layout]:
    layout = layout_for(costs, rate, matches)
    simulated = played(costs, layout, rate, matches)
    times, part = breaks_at(costs, layout, rate, matches)
    rows = [
        Row(f"{what}: moves a second", "1/s", (rate,)),
        Row(f"{what}: web processes, of a processor each", "", (float(layout.webs),)),
        Row(f"{what}: processors of the database", "", (float(layout.postgres),)),
        Row(f"{what}: web processes busy", "%", (100 * simulated.busy["web"],)),
        Row(f"{what}: database busy", "%", (100 * simulated.busy["postgres"],)),
        Row(f"{what}: move told, p50", "ms", (1000 * simulated.latency(50),)),
        Row(f"{what}: move told, p99", "ms", (1000 * simulated.latency(99),)),
        Row(f"{what}: memory of web processes", "GB", (_memory(costs, layout.webs, 2 * matches),)),
    ]
    notes = [f"{what}: it bears {times:.2f} times that; what breaks first is {part}"]
    return rows, notes, layout


def _at_once(costs: Costs) -> tuple[list[Row], list[str]]:
    matches = 10_000
    rows, notes, _ = _steady(costs, "10,000 matches at once", matches * MOVES_OF_MATCH / SECONDS_OF_MATCH, matches)
    return rows, notes


def _a_day(costs: Costs) -> tuple[list[Row], list[str]]:
    what, a_day = "1 M matches a day, at the peak", 1_000_000
    mean = a_day * MOVES_OF_MATCH / 86_400
    rows, notes, layout = _steady(costs, what, mean * PEAK, a_day * SECONDS_OF_MATCH / 86_400 * PEAK)
    moves = a_day * MOVES_OF_MATCH
    events, keys, wal = (moves * each / 1e9 for each in (costs.event_bytes, costs.key_bytes, costs.wal_bytes))
    rows += [
        Row("1 M matches a day: events on disk a day", "GB", (events,)),
        Row("1 M matches a day: keys on disk a day, before they go", "GB", (keys,)),
        Row("1 M matches a day: written ahead a day", "GB", (wal,)),
        Row("1 M matches a day: Valkey busy at the peak", "%", (100 * mean * PEAK * costs.valkey,)),
    ]
    notes.append(
        f"1 M matches a day: {number(mean)} moves a second in the mean; {layout.webs} processors of web processes and "
        f"{layout.postgres} of one Postgres hold the peak"
    )
    return rows, notes


def _final(costs: Costs) -> tuple[list[Row], list[str]]:
    what, spectators = "100,000 spectators of a final", 100_000
    coming = spectators / ARRIVING * costs.greeting

    def in_time(webs: int) -> bool:
        return spectators / webs * costs.frame < 0.8 * LAST_FRAME and coming / webs < _FULL

    webs = _first(in_time)
    simulated = _shown(costs, webs, spectators)
    half = _shown(costs, max(1, webs // 2), spectators)
    per_second = spectators * costs.frame_bytes
    rows = [
        Row(f"{what}: web processes, of a processor each", "", (float(webs),)),
        Row(f"{what}: a move told to the last, p50", "ms", (1000 * simulated.latency(50),)),
        Row(f"{what}: a move told to the last, p99", "ms", (1000 * simulated.latency(99),)),
        Row(f"{what}: the same with half of them, p50", "ms", (1000 * half.latency(50),)),
        Row(f"{what}: web processes busy with their coming, in ten minutes", "%", (100 * coming / webs,)),
        Row(f"{what}: memory of web processes", "GB", (_memory(costs, webs, spectators),)),
        Row(f"{what}: sent for a move", "MB", (per_second / 1e6,)),
        Row(f"{what}: the line that sends it within a second", "Gbit/s", (8 * per_second / 1e9,)),
    ]
    notes = [
        f"{what}: what breaks first is the interpreter of the web process that has most of them: a frame takes it "
        f"{number(1e6 * costs.frame)} us, so one process tells {number(LAST_FRAME / costs.frame)} within a second"
    ]
    return rows, notes


def _shown(costs: Costs, webs: int, spectators: int) -> Found:
    model = Model(costs, House(webs, 2), spectators=spectators)
    model.show_final(every=5.0)
    return model.run(400)


def _memory(costs: Costs, webs: int, sockets: float) -> float:
    return (webs * costs.process_bytes + sockets * costs.socket_bytes) / 1e9


def _first(holds: Callable[[int], bool]) -> int:
    return next(count for count in range(1, 10_000) if holds(count))
