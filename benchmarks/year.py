"""bench year: a year of a league's play through the real services, a month at a time, archived and removed in between.

Each month so many matches are played to their end, twenty at once, move by move with keys, and a checkpoint is signed
after every eight moves of each, as if a match took an hour; some others continue all the year. Then the database's
rows are aged by a month, `manage.py archive --remove` takes matches that ended more than a month ago, and unneeded rows
are pruned. The results by month are the bytes on hot disk: of running matches, and of what each archived match has
left; then the time until a web process that has not read an archived match returns its page, and the output
of `manage.py verify --all` for everything, hot and archived.
"""

import argparse
import os
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import psycopg
from rich.progress import track

from benchmarks import _hot_disk, _page_back, stage
from benchmarks._hot_disk import Disk
from benchmarks.report import number, print_results

_MONTHS = 12
_AT_ONCE = 20
_MOVES_A_CHECKPOINT = 8
_MOVES_A_MONTH = 4
"""Per match that continues all the year."""
_DAYS = 25
# Only the rows that determine what is due are aged, and nothing of the record: those of matches, keys and checkpoints.
_AGE = (
    "UPDATE matches_match m SET changed_at = changed_at - interval '30 days'"
    " WHERE NOT EXISTS (SELECT FROM events_archived a WHERE a.stream = m.id)",
    "UPDATE events_key SET at = at - interval '30 days'",
    "ALTER TABLE events_signed DISABLE TRIGGER events_signed_append_only",
    "UPDATE events_signed SET at = at - interval '30 days' WHERE at > clock_timestamp() - interval '29 days'",
    "ALTER TABLE events_signed ENABLE ALWAYS TRIGGER events_signed_append_only",
)


def main(argv: list[str]) -> int:
    """Play a year and print the results; return 1 if a check fails afterwards."""
    parser = argparse.ArgumentParser(prog="bench year", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=10_000, help="that are played to their end in the year")
    parser.add_argument("--running", type=int, default=100, help="matches that go on all the year")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="archive and remove nothing, to compare with")
    parser.add_argument("--rules", action="store_true", help="have every match decided again by the rules as well")
    arguments = parser.parse_args(argv)
    with stage.service() as owner_url:
        return _year(owner_url, arguments)


def _year(owner_url: str, arguments: argparse.Namespace) -> int:
    from django.conf import settings

    empty = _hot_disk.empty(owner_url)
    running = _begin(arguments.running)
    disks: list[Disk] = []
    _durable(owner_url, False)
    with get_context("spawn").Pool(arguments.processes, _join) as pool:
        for number_of_month, matches in enumerate(track(_shares(arguments.matches, _MONTHS), "months"), start=1):
            pool.starmap(_play, [(share, seed) for seed, share in enumerate(_shares(matches, arguments.processes))])
            _go_on(running)
            _catch_up()
            if not arguments.keep:
                _archive(pool, owner_url)
            _pass_a_month(owner_url)
            disks.append(_hot_disk.now(owner_url, empty))
            print(f"month {number_of_month}: {_hot_disk.sentence(disks[-1])}", flush=True)
    _durable(owner_url, True)
    print("\n".join(_hot_disk.by_table(disks[-1])), flush=True)
    rows, notes = _hot_disk.rows(disks), [_hot_disk.sentence(disks[-1])]
    if not arguments.keep:
        rows += _page_back.rows(owner_url)
        files = sum(path.stat().st_size for path in Path(settings.DATA / "archive").rglob("*") if path.is_file())
        notes.append(f"{files / 2**20:.1f} MiB of files in the archive")
    is_broken = False
    for how in ([], ["--rules"])[: 1 + arguments.rules]:
        print_results("year", rows, notes)
        broken, result_line = _verify(arguments.processes, *how)
        is_broken, notes = is_broken or broken, [*notes, result_line]
    print_results("year", rows, notes)
    return int(is_broken)


def _durable(owner_url: str, waits: bool) -> None:
    """Set whether later sessions wait for the disk: the cost of a commit is not measured while the year is played."""
    with psycopg.connect(owner_url, autocommit=True) as owner:
        how = "RESET synchronous_commit" if waits else "SET synchronous_commit = off"
        owner.execute(f"ALTER DATABASE {owner.info.dbname} {how}".encode())


def _shares(whole: int, parts: int) -> list[int]:
    return [whole * (part + 1) // parts - whole * part // parts for part in range(parts)]


def _begin(running: int) -> list[Any]:
    from tests.table_setting import new_account, play_on, running_match

    people = new_account(), new_account()
    matches = [running_match("pyramid_poker", *people, opener=people[0]) for _ in range(running)]
    for match in matches:
        play_on(match, 10)
    return matches


def _go_on(running: list[Any]) -> None:
    from tests.table_setting import play_on

    for match in running:
        play_on(match, _MOVES_A_MONTH)


def _join() -> None:
    """Set up a process of the pool, with the environment of the first."""
    import django

    django.setup()


def _play(matches: int, seed: int) -> None:
    from events.checkpoints import signing
    from tests.table_setting import new_account, play_on, running_match

    people, rng = [new_account(), new_account()], Random(seed)
    for start in range(0, matches, _AT_ONCE):
        going = [
            running_match("pyramid_poker", *people, opener=people[0]) for _ in range(min(_AT_ONCE, matches - start))
        ]
        while going:
            for match in going:
                play_on(match, _MOVES_A_CHECKPOINT, rng)
            signing.sign_if_due(after_seconds=0)
            going = [match for match in going if match.status == "running"]


def _catch_up() -> None:
    """Do the work of workers."""
    from events import outbox, projections
    from events.checkpoints import signing
    from matches.storage import order

    while order.place() or projections.catch_up() or outbox.catch_up():
        pass
    signing.sign_if_due()
    signing.publish()


def _archive(pool: Any, owner_url: str) -> None:
    """Do what `manage.py archive --remove` does, with the streams shared out, and then run the command itself for the
    rest."""
    from django.core.management import call_command

    from events import archiving
    from matches.workers import archiving as due_streams
    from matches.workers import pruning

    pool.map(_archive_one, [it.stream for it in due_streams.due(_DAYS)], 10)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        segments = list(archiving.removable(owner, 0))
    pool.starmap(_remove, [(owner_url, segment) for segment in segments], 10)
    call_command("archive", "--days", _DAYS, "--remove", "--grace", "0")
    pruning.prune()


def _archive_one(stream: UUID) -> None:
    from matches.workers.archiving import Tally, archive_stream

    assert not archive_stream(stream, Tally()).failed


def _remove(owner_url: str, segment: Any) -> None:
    from events import archiving
    from matches.workers.archiving import is_over

    with psycopg.connect(owner_url, autocommit=True) as owner:
        archiving.remove(owner, segment, is_over)


def _pass_a_month(owner_url: str) -> None:
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for statement in _AGE:
            owner.execute(statement.encode())
        owner.execute(b"VACUUM (ANALYZE)")


def _verify(processes: int, *how: str) -> tuple[bool, str]:
    """Run the command in a process of its own; return True if something is broken, and a line with its output."""
    arguments = ["manage.py", "verify", "--all", "--processes", str(processes), *how]
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, *arguments], env=os.environ, capture_output=True, text=True, check=False)
    spent = time.perf_counter() - begun
    output = " ".join((done.stdout + done.stderr if done.returncode else done.stdout).split())
    decided = "moves decided again" if "--rules" in how else "chains, seeds and checkpoints; no move decided again"
    return done.returncode != 0, f"{' '.join(arguments)} ({decided}), {number(spent)} s in all: {output[:400]}"
