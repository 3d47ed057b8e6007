"""The repository of matches: reads, checks and folds their logs for a witness, with a cache."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, partial
from uuid import UUID

import msgspec
import structlog
from django.conf import settings

from events import chain, snapshot_writer, snapshots, store
from events.chain import ChainBroken
from events.records import Head, Point, Recorded
from events.snapshots import Snapshot
from games import catalogue
from games.kernel import HOST, Witness, from_json, to_json
from matches.domain.clocks import Clocks
from matches.domain.events import MatchRewound
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import STATE_VERSION, MatchState, evolve, opened
from matches.storage import codec
from matches.storage.fold_cache import FoldCache

log = structlog.get_logger(__name__)

UNREADABLE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError,
)  # fmt: skip
"""Exceptions that rules raise for an event they don't know, such as one stored by a later release."""

_MAX_AHEAD = 500
"""Limit of events of one match that are read together with other matches."""

when_lost: list[Callable[[], object]] = []
"""Functions to call after the database turned out to hold another history than this process had cached."""


class NoSuchMatch(Exception):
    """There is no match with this id."""


class BrokenRecord(Exception):
    """The stored log is invalid. The match is frozen until a person has examined it."""

    def __init__(self, broken: ChainBroken) -> None:
        super().__init__(str(broken))
        self.broken = broken


def load(match_id: UUID, witness: Witness = HOST, *, upto: int | None = None) -> MatchState:
    """Return the match at version `upto`, by default its newest; raises NoSuchMatch, BrokenRecord.

    No query is made if `upto` is the newest version that this process has read, so callers take `upto` from a read of
    their own.
    """
    if upto is None:
        cached = _cache.get((match_id, witness))
        return _catch_up(match_id, witness, cached, None)
    cached = _cache.before((match_id, witness), upto)
    if cached is not None and cached.version == upto and _cache.end_of(match_id) == (cached.version, cached.hash):
        return cached
    if cached is not None and upto - cached.version > snapshots.EVERY:
        cached = max(cached, _from_snapshot(match_id, witness, upto) or cached, key=lambda it: it.version)
    match_state = _catch_up(match_id, witness, cached, upto)
    _cache.put_earlier((match_id, witness), match_state)
    return match_state


def states_at(match_id: UUID, versions: Sequence[int], witness: Witness = HOST) -> list[MatchState]:
    """Return the match at each of these ascending versions, folded in one pass from the first."""
    if not versions:
        return []
    first = load(match_id, witness, upto=versions[0])
    rows = store.read(match_id, after=first.version, upto=versions[-1])
    _refuse_broken(match_id, rows, first)
    wanted = frozenset(versions)
    return [it for it in (first, *_folding(match_id, first, rows, witness)) if it.version in wanted]


def at_least(match_id: UUID, witness: Witness, version: int) -> MatchState:
    """Return the match at this version or a later one; no query if this version is cached."""
    cached = _cache.get((match_id, witness))
    return cached if cached is not None and cached.version == version else load(match_id, witness)


def at_point(match_id: UUID, witness: Witness, point: Point) -> MatchState:
    """Return the match at this point, the end of its log when last read, or later; no query if it is cached."""
    cached = _cache.get((match_id, witness))
    return cached if cached is not None and (cached.version, cached.hash) == point else load(match_id, witness)


def fold_ahead(wanted: Mapping[UUID, Collection[Witness]]) -> None:
    """Cache these matches for these witnesses, with two queries for all that aren't cached yet. Matches that are long,
    archived or broken are skipped; `load` handles them."""
    absent = [
        key
        for match_id, witnesses in wanted.items()
        for witness in witnesses
        if not _cache.get(key := (match_id, witness))
    ]
    if not absent:
        return
    saved = snapshots.load_all({it for it, _ in absent}, {_reducer(witness) for _, witness in absent})
    snapshot_by_key = {(match_id, witness): saved.get((match_id, _reducer(witness))) for match_id, witness in absent}
    begins: dict[UUID, int] = {}
    for (match_id, _), snapshot in snapshot_by_key.items():
        begin = snapshot.version - 1 if snapshot else 0
        begins[match_id] = min(begin, begins.get(match_id, begin))
    logs = store.read_all(begins, limit=_MAX_AHEAD)
    for (match_id, witness), snapshot in snapshot_by_key.items():
        rows = logs[match_id]
        if 0 < len(rows) < _MAX_AHEAD:
            with suppress(BrokenRecord, *UNREADABLE):
                _fold_ahead(match_id, witness, _restored(snapshot) if snapshot else None, rows)


def _fold_ahead(match_id: UUID, witness: Witness, cached: MatchState | None, rows: list[Recorded]) -> None:
    if cached is None or _holds(rows, cached):
        _fold_on(match_id, witness, cached, [row for row in rows if cached is None or row.version > cached.version])


def follow(match_id: UUID, witness: Witness, rows: list[Recorded]) -> MatchState:
    """Return the match with these rows of its log, which end at its newest version. Nothing is read again if the cached
    version is that of one of the rows."""
    cached = _cache.get((match_id, witness))
    if cached is None or not _holds(rows, cached):
        return load(match_id, witness)
    return _fold_on(match_id, witness, cached, [row for row in rows if row.version > cached.version])


def advance(match_id: UUID, witness: Witness, before: Point, rows: Sequence[Recorded]) -> MatchState | None:
    """Return the match with rows that are stored directly after a point, folded onto the cached version. No query.

    None if another version is cached, or one of the rows rewinds the match. Raises BrokenRecord.
    """
    cached = _cache.get((match_id, witness))
    if cached is None or any(codec.rewinds_to(row) is not None for row in rows):
        return None
    if (cached.version, cached.hash) == (rows[-1].version, rows[-1].hash):
        return cached
    if (cached.version, cached.hash) != before:
        return None
    *_, match_state = _folding(match_id, cached, rows, witness)
    _cache.put((match_id, witness), match_state, is_end=True)
    _save_if_due(match_id, witness, cached.version, match_state)
    return match_state


def version_of(match_id: UUID) -> int:
    """Return the newest version of a match without loading it; raises NoSuchMatch."""
    return end_of(match_id).version


def end_of(match_id: UUID) -> Point:
    """Return the point at which a match's log ends, without loading it; raises NoSuchMatch."""
    head = store.head(match_id)
    if head is None:
        raise NoSuchMatch(str(match_id))
    return Point(head.version, head.hash)


def at_head(match_id: UUID, head: Head) -> MatchState:
    """Return the match for HOST at a head that the caller has locked."""
    cached = _cache.get((match_id, HOST))
    if cached is not None and cached.version >= head.version:
        if (cached.version, cached.hash) == (head.version, head.hash):
            return cached
        _forget(match_id, cached)
        cached = None
    return _catch_up(match_id, HOST, cached, None)


def cached_state(match_id: UUID, witness: Witness = HOST) -> MatchState | None:
    """Return the cached match for this witness, possibly an old version; None if it isn't cached. No query."""
    return _cache.get((match_id, witness))


def remember(match_id: UUID, match_state: MatchState) -> None:
    """Cache the match after a commit, for the next command."""
    before = _cache.get((match_id, HOST))
    _cache.put((match_id, HOST), match_state, is_end=True)
    if before is not None:
        _save_if_due(match_id, HOST, before.version, match_state)


def _catch_up(match_id: UUID, witness: Witness, cached: MatchState | None, upto: int | None) -> MatchState:
    """Read the rows after `cached`, check that they continue the chain, and fold them.

    The last event of `cached` is read again: after a restore or a failover another event may have its version, or none.
    Then the cache is cleared and the match folded from the start.
    """
    match_state = cached or _from_snapshot(match_id, witness, upto)
    rows = store.read(match_id, after=match_state.version - 1 if match_state else 0, upto=upto)
    if match_state is None:
        return _fold_on(match_id, witness, None, rows, upto)
    if not _holds(rows, match_state):
        _forget(match_id, match_state)
        return _catch_up(match_id, witness, None, upto)
    return _fold_on(match_id, witness, match_state, rows[1:], upto)


def _holds(rows: list[Recorded], match_state: MatchState) -> bool:
    """True if one of these consecutive rows is the last event of the fold."""
    place = match_state.version - rows[0].version if rows else -1
    return 0 <= place < len(rows) and (rows[place].version, rows[place].hash) == (match_state.version, match_state.hash)


def _forget(match_id: UUID, cached: MatchState) -> None:
    """Clear the whole cache, because the log contradicts a cached match. After a restore or a failover to a server that
    lacked its last events, the same may hold for every other stream."""
    log.warning("history_changed", match=str(match_id), known=cached.version)
    _cache.clear()
    for listener in when_lost:
        listener()


def _fold_on(
    match_id: UUID, witness: Witness, match_state: MatchState | None, rows: list[Recorded], upto: int | None = None
) -> MatchState:
    """Check that the rows continue the chain, fold them, and cache the result."""
    since = match_state.version if match_state else 0
    _refuse_broken(match_id, rows, match_state)
    for after in _folding(match_id, match_state, rows, witness):
        match_state = after
    if match_state is None:
        raise NoSuchMatch(str(match_id))
    if upto is None:
        _cache.put((match_id, witness), match_state, is_end=True)
    _save_if_due(match_id, witness, since, match_state)
    return match_state


def _save_if_due(match_id: UUID, witness: Witness, since: int, match_state: MatchState) -> None:
    """Save a snapshot if one is due, so that a process without a cache has little to fold."""
    if snapshots.is_due(since, match_state.version):
        snapshot_writer.writer().post(match_id, _reducer(witness), partial(_snapshot, match_state))


def _folding(
    match_id: UUID, match_state: MatchState | None, rows: Sequence[Recorded], witness: Witness
) -> Iterator[MatchState]:
    """Yield the match after each of the rows. A rewind among them uses the fold of its version from those made so
    far."""
    since = match_state.version if match_state else 0
    rewound_to = {to for row in rows if (to := codec.rewinds_to(row)) is not None}
    kept = _folds_at(match_id, {to for to in rewound_to if to < since}, witness)
    if match_state is not None:
        kept[since] = match_state
    for row in rows:
        try:
            match_state = _advance(match_state, row, witness, kept)
        except UNREADABLE as error:
            # Omit the error's message: it may contain a secret, and this goes into logs.
            reason = f"the rules can't read this {row.type} ({type(error).__name__})"
            raise BrokenRecord(ChainBroken(match_id, row.version, reason)) from error
        if match_state.version in rewound_to:
            kept[match_state.version] = match_state
        yield match_state


def _folds_at(match_id: UUID, versions: Collection[int], witness: Witness) -> dict[int, MatchState]:
    """Return the match at each of these versions, folded from its first event in one pass."""
    if not versions:
        return {}
    rows = store.read(match_id, upto=max(versions))
    _refuse_broken(match_id, rows, None)
    return {it.version: it for it in _folding(match_id, None, rows, witness) if it.version in versions}


def _advance(
    match_state: MatchState | None, row: Recorded, witness: Witness, earlier: dict[int, MatchState]
) -> MatchState:
    """Return the match after one more stored event, as this witness sees it."""
    at = chain.microseconds(row.at)
    if match_state is None:
        return opened(codec.unpack_opening(row), version=row.version, hash=row.hash, at=at)
    event = codec.unpack(match_state.game, row, witness)
    rewound = earlier.get(event.to_version) if isinstance(event, MatchRewound) else None
    return evolve(match_state, event, version=row.version, hash=row.hash, at=at, actor=row.actor, earlier=rewound)


def _refuse_broken(match_id: UUID, rows: list[Recorded], match_state: MatchState | None) -> None:
    after, previous = (match_state.version, match_state.hash) if match_state else (0, chain.GENESIS)
    *_, broken = chain.check(match_id, rows, after, previous)
    if broken:
        raise BrokenRecord(broken)


def _snapshot(match_state: MatchState) -> Snapshot:
    fields = {
        "lifecycle": to_json(match_state.lifecycle),
        "game_version": match_state.game_version,
        "state": to_json(match_state.state),
        "at": match_state.at,
        "running": to_json(match_state.running),
        "onlookers": list(match_state.onlookers),
        "acted_at": match_state.acted_at,
    }
    return Snapshot(match_state.version, match_state.hash, msgspec.json.encode(fields))


def _from_snapshot(match_id: UUID, witness: Witness, upto: int | None) -> MatchState | None:
    snapshot = snapshots.load(match_id, _reducer(witness), store.LAST_VERSION if upto is None else upto)
    return _restored(snapshot) if snapshot else None


def _restored(snapshot: Snapshot) -> MatchState:
    fields = msgspec.json.decode(snapshot.state)
    lifecycle = from_json(fields["lifecycle"], Lifecycle)
    state = catalogue[lifecycle.opened.game].read_state(fields["state"])
    return MatchState(
        version=snapshot.version,
        hash=snapshot.hash,
        at=fields["at"],
        lifecycle=lifecycle,
        game_version=fields["game_version"],
        state=state,
        running=from_json(fields["running"], Clocks),
        onlookers=tuple(fields["onlookers"]),
        acted_at=fields["acted_at"],
    )


@cache
def _reducer(witness: Witness) -> str:
    """Return the name of a witness's snapshots. It contains the version of every state's shape, so that outdated
    snapshots are never read."""
    return f"match/{witness}/{shapes()}"


def shapes() -> str:
    """Return the versions of every state's shape, the last part of a snapshot's name."""
    games = ".".join(f"{slug}-{catalogue[slug].state_version}" for slug in sorted(catalogue))
    return f"{STATE_VERSION}/{games}"


_cache = FoldCache(settings.FOLD_CACHE_BYTES)
