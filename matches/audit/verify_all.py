"""The whole house checked: every stream's chain, every seed, the signed checkpoints, and the rules of every finished
match."""

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
from matches.storage import seeds

_AT_ONCE = 50
"""How many streams a process is handed at a time."""


class Checked(NamedTuple):
    """What a process found in the streams that it was handed."""

    streams: int
    events: int
    draws: int
    broken: list[ChainBroken]


def faults(
    *,
    folder: Path | None,
    key: str | None,
    rules: bool,
    processes: int,
    progress: Callable[[Checked], object],
) -> Iterator[checking.Fault]:
    """What doesn't hold in the whole database, as it is found; `progress` is told of every handful of streams."""
    verifier_key = key or signing.signer().verifier_key
    yield from checking.faults(verifier_key, folder, lambda _: None)
    yield from (ChainBroken(stream, 1, "events without a head") for stream in verifying.headless())
    yield from lost_streams.named_by_tables()
    yield from lost_streams.missing_places()
    for checked in _in_parallel(rules, processes):
        progress(checked)
        yield from checked.broken


def check(streams: list[UUID], rules: bool) -> Checked:
    """Some streams, by one process."""
    broken, events, draws, unsound = [], 0, 0, seeds.faults(streams)
    sound: list[UUID] = []
    matches = set(Match.objects.filter(id__in=streams).values_list("id", flat=True)) if rules else set()
    for stream in streams:
        fault = verifying.verify(stream)
        head = store.head(stream)
        events += head.version if head else 0
        if fault is None and stream in unsound:
            fault = ChainBroken(stream, 1, unsound[stream])
        if fault is None and stream in matches:
            fault, drawn = _by_the_rules(stream)
            draws += drawn
        if fault is None:
            sound.append(stream)
        else:
            broken.append(fault)
    broken += lost_streams.named_by_seasons(sound)
    broken += lost_streams.misplaced(sound)
    return Checked(len(streams), events, draws, broken)


def _by_the_rules(match_id: UUID) -> tuple[ChainBroken | None, int]:
    """The first event of a finished match that the rules don't give, and how many draws were drawn again."""
    try:
        lines = [line.decode() for line in export.export(match_id)]
        # What they draw is asked of the rules themselves, just below.
        summary = croupier_verify.verify(lines, undrawn=True)
        if not summary["seed"]:
            return None, 0
        export.replay(lines)
        return None, len(replay.judged(lines).draws)
    except Bad as bad:
        return ChainBroken(match_id, bad.version, bad.reason), 0
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as error:
        # One match that trips the rules up must not keep the others from being checked.
        return ChainBroken(match_id, 1, f"the rules trip over it: {error!r}"), 0


def _in_parallel(rules: bool, processes: int) -> Iterator[Checked]:
    streams = verifying.streams()
    handfuls = iter(lambda: list(islice(streams, _AT_ONCE)), [])
    if processes == 1:
        yield from (check(handful, rules) for handful in handfuls)
        return
    # Spawned, not forked: a child must not share its parent's database connection. It finds the settings' name in its
    # environment, and must set Django up before it can load this module.
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with ProcessPoolExecutor(processes, get_context("spawn"), django.setup) as pool:
        running = {pool.submit(check, handful, rules) for handful in islice(handfuls, 2 * processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(check, handful, rules) for handful in islice(handfuls, len(done))}
            yield from (future.result() for future in done)
