"""bench year: a year of a league's play through the real services, a month at a time, archived and pruned in between.

Each month so many matches are played to their end, move by move with keys, while some others go on all the year. Then
the database is told that a month has passed, what is over for longer than a month is archived and removed, and what
nobody needs is pruned. Told are the bytes on hot disk after each month, the time in which an archived match is back,
and `verify` over everything, hot and archived.
"""

import argparse
import time
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import quantiles
from uuid import UUID

import psycopg
from rich.progress import track

from benchmarks import stage
from benchmarks.report import Row, number, tell

_MONTHS = 12
_TABLES = ("events_event", "events_key", "events_place", "events_head", "matches_match", "matches_seat", "events_leaf")
_AGE = (
    "UPDATE matches_match SET changed_at = changed_at - interval '30 days'",
    "UPDATE events_key SET at = at - interval '30 days'",
)
_VACUUM = "VACUUM (ANALYZE)"


def main(argv: list[str]) -> int:
    """Play a year and tell; 1 where something doesn't hold afterwards."""
    parser = argparse.ArgumentParser(prog="bench year", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10_000, help="that are played to their end in the year")
    parser.add_argument("--running", type=int, default=100, help="matches that go on all the year")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="archive and remove nothing, to compare with")
    asked = parser.parse_args(argv)
    with stage.service() as owner_url:
        return _year(owner_url, asked)


def _year(owner_url: str, asked: argparse.Namespace) -> int:
    from django.conf import settings

    _begin(asked.running)
    rows, sizes = [], []
    month = asked.matches // _MONTHS
    with get_context("spawn").Pool(asked.processes, _join) as pool:
        for number_of_month in track(range(1, _MONTHS + 1), "months"):
            pool.starmap(_play, [(month // asked.processes, seed) for seed in range(asked.processes)])
            _pass_a_month(owner_url, asked.keep)
            sizes.append(_sizes(owner_url))
            told = ", ".join(f"{name} {size / 2**20:.1f}" for name, size in sizes[-1].items())
            print(f"month {number_of_month}: MiB {told}", flush=True)
            rows.append(Row(f"hot disk after month {number_of_month}", "MiB", (sizes[-1]["all"] / 2**20,)))
    notes = [f"hot disk a running match: {number(sizes[0]['all'] / asked.running / 1024)} kB after the first month, "
             f"{number(sizes[-1]['all'] / asked.running / 1024)} kB after the last"]  # fmt: skip
    if not asked.keep:
        rows += _reads()
        files = sum(path.stat().st_size for path in Path(settings.DATA / "archive").rglob("*") if path.is_file())
        notes.append(f"{files / 2**20:.1f} MiB of files in the archive")
    broken, note = _verified()
    tell("year", rows, [*notes, note])
    return 1 if broken else 0


def _begin(running: int) -> None:
    from tests.table_setting import play_on, running_match

    for _ in range(running):
        play_on(running_match("pyramid_poker"), 10)


def _join() -> None:
    """A process of the pool: it has the environment of the first."""
    import django

    django.setup()


def _play(matches: int, seed: int) -> None:
    from tests.table_setting import new_account, play_to_the_end, running_match

    people, rng = [new_account(), new_account()], Random(seed)
    for _ in range(matches):
        play_to_the_end(running_match("pyramid_poker", *people), rng)


def _pass_a_month(owner_url: str, keep: bool) -> None:
    from events import archiving
    from events.checkpoints import signing
    from matches.storage import order
    from matches.workers import archiving as due_streams
    from matches.workers import pruning
    from matches.workers.archiving import Tally

    while order.place():
        pass
    signing.sign_if_due()
    with psycopg.connect(owner_url, autocommit=True) as owner:
        if not keep:
            tally = Tally()
            for it in due_streams.due(25):
                tally = due_streams.put_away(it.stream, tally)
            for segment in archiving.removable(owner, 0):
                archiving.remove(owner, segment, due_streams.is_over)
            pruning.prune()
        for statement in _AGE:
            owner.execute(statement.encode())
        owner.execute(_VACUUM.encode())


def _sizes(owner_url: str) -> dict[str, int]:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        whole = owner.execute("SELECT pg_database_size(current_database())").fetchone()
        asked = "SELECT pg_total_relation_size(%s::regclass)"
        return {"all": whole[0] if whole else 0} | {
            table: row[0] for table in _TABLES if (row := owner.execute(asked, [table]).fetchone())
        }


def _reads() -> list[Row]:
    """An archived match, from nothing known to its last position, and its whole record."""
    from events import archived
    from events.pipeline import roundtrip
    from events.store import raw_connection
    from matches.audit import export
    from matches.storage import repository

    asked = "SELECT stream FROM events_archived GROUP BY stream ORDER BY stream LIMIT 200"
    found: list[UUID] = [stream for (stream,) in roundtrip(raw_connection(), [(asked, ())])[0]]
    loads, exports = [], []
    for stream in found:
        archived._files = archived._Files(0)
        begun = time.perf_counter()
        repository.load(stream)
        loads.append(1000 * (time.perf_counter() - begun))
    for stream in found[:50]:
        begun = time.perf_counter()
        for _ in export.export(stream):
            pass
        exports.append(1000 * (time.perf_counter() - begun))
    return [
        Row("an archived match folded", "ms", tuple(loads)),
        Row("p99 of these", "ms", (quantiles(loads, n=100)[-1],)),
        Row("the record of an archived match", "ms", tuple(exports)),
    ]


def _verified() -> tuple[bool, str]:
    from matches.audit import verify_all
    from matches.audit.verify_all import Checked

    begun, done = time.perf_counter(), Checked(0, 0, 0, [])

    def progress(checked: Checked) -> None:
        nonlocal done
        done = Checked(
            done.streams + checked.streams,
            done.events + checked.events,
            done.draws + checked.draws,
            [*done.broken, *checked.broken],
        )

    faults = [str(it) for it in verify_all.faults(folder=None, key=None, rules=False, processes=1, progress=progress)]
    spent = time.perf_counter() - begun
    told = f"verify: {done.streams:,} streams, {done.events:,} events in {spent:.0f} s"
    return bool(faults), f"{told}, {len(faults)} faults {faults[:2] or ''}"
