"""The check of the whole database: every stream's chain, every seed, the signed checkpoints, and every finished match
by the rules."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import django

from events import store, verifying
from events.chain import ChainBroken
from events.checkpoints import checking, signing
from matches.audit import croupier_verify, export, lost_streams, replay
from matches.audit.croupier_verify import Bad
from matches.models import Match
from matches.storage import seeds, texts

_AT_ONCE = 50
"""Streams in one job of a process."""


class Checked(NamedTuple):
    """A process's result for its streams. `sealed` are matches that are over and whose secrets open with their season's
    end: their acts can't be decided again yet."""

    streams: int
    events: int
    draws: int
    sealed: int
    broken: list[ChainBroken]


def faults(
    *,
    folder: Path | None,
    key: str | None,
    rules: bool,
    processes: int,
    progress: Callable[[Checked], object],
) -> Iterator[checking.Fault]:
    """Yield the faults of the whole database as they are found; `progress` is called after every job."""
    verifier_key = key or signing.signer().verifier_key
    yield from checking.faults(verifier_key, folder, lambda _: None)
    yield from (ChainBroken(stream, 1, "events without a head") for stream in verifying.headless())
    yield from lost_streams.named_by_tables()
    yield from lost_streams.missing_places()
    for checked in _in_parallel(rules, processes):
        progress(checked)
        yield from checked.broken


def check(streams: list[UUID], rules: bool) -> Checked:
    """Check some streams, in one process."""
    broken, events, draws, sealed, unsound = [], 0, 0, 0, texts.faults(streams) | seeds.faults(streams)
    sound: list[UUID] = []
    matches = set(Match.objects.filter(id__in=streams).values_list("id", flat=True)) if rules else set()
    for stream in streams:
        fault = verifying.verify(stream)
        head = store.head(stream)
        events += head.version if head else 0
        if fault is None and stream in unsound:
            fault = ChainBroken(stream, 1, unsound[stream])
        if fault is None and stream in matches:
            fault, drawn, is_sealed = _by_the_rules(stream)
            draws += drawn
            sealed += is_sealed
        if fault is None:
            sound.append(stream)
        else:
            broken.append(fault)
    broken += lost_streams.named_by_seasons(sound)
    broken += lost_streams.misplaced(sound)
    return Checked(len(streams), events, draws, sealed, broken)


def _by_the_rules(match_id: UUID) -> tuple[ChainBroken | None, int, bool]:
    """Return the first event of a finished match that the rules don't give, the number of repeated draws, and True if
    the match is over and sealed."""
    try:
        lines = [line.decode() for line in export.export(match_id)]
        # The rules themselves check the draws just below.
        summary = croupier_verify.verify(lines, undrawn=True)
        if not summary["seed"]:
            return None, 0, summary["sealed_until"] is not None
        export.replay(lines)
        return None, len(replay.judged(lines).draws), False
    except Bad as bad:
        return ChainBroken(match_id, bad.version, bad.reason), 0, False
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # An error in the rules for one match must not stop the check of the others.
        return ChainBroken(match_id, 1, f"the rules trip over it: {error!r}"), 0, False


def _in_parallel(rules: bool, processes: int) -> Iterator[Checked]:
    streams = verifying.streams()
    handfuls = iter(lambda: list(islice(streams, _AT_ONCE)), [])
    if processes == 1:
        yield from (check(handful, rules) for handful in handfuls)
        return
    # Spawned, not forked: a child must not share its parent's database connection. The settings' name comes from its
    # environment, and Django must be set up before this module can be imported.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with ProcessPoolExecutor(processes, get_context("spawn"), django.setup) as pool:
        running = {pool.submit(check, handful, rules) for handful in islice(handfuls, 2 * processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(check, handful, rules) for handful in islice(handfuls, len(done))}
            yield from (future.result() for future in done)
