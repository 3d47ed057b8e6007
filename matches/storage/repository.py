"""The repository of matches: their logs read, checked and folded for a witness, with a cache."""

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
"""What rules raise for an event that they don't know, of a later release, say, that was taken back."""

_MOST_AHEAD = 500
"""So many events of a match are read beside others'."""

when_lost: list[Callable[[], object]] = []
"""Called after this process has seen that the database holds another history than it had cached."""


class NoSuchMatch(Exception):
    """There is no match with this id."""


class BrokenRecord(Exception):
    """The stored log does not hold together; the match is frozen until a person has looked at it."""

    def __init__(self, broken: ChainBroken) -> None:
        super().__init__(str(broken))
        self.broken = broken


def load(match_id: UUID, witness: Witness = HOST, *, upto: int | None = None) -> MatchState:
    """The match at version `upto` (its newest without one); raises NoSuchMatch, BrokenRecord.

    An `upto` that is the newest version read here is answered without asking, so a caller takes it from a read of its
    own.
    """
    if upto is None:
        known = _cache.get((match_id, witness))
        return _catch_up(match_id, witness, known, None)
    known = _cache.before((match_id, witness), upto)
    if known is not None and known.version == upto and _cache.end_of(match_id) == (known.version, known.hash):
        return known
    if known is not None and upto - known.version > snapshots.EVERY:
        known = max(known, _from_snapshot(match_id, witness, upto) or known, key=lambda it: it.version)
    match_state = _catch_up(match_id, witness, known, upto)
    _cache.put_earlier((match_id, witness), match_state)
    return match_state


def at_least(match_id: UUID, witness: Witness, version: int) -> MatchState:
    """The match at this version, which its row has, or a later one; without a query where it is cached."""
    known = _cache.get((match_id, witness))
    return known if known is not None and known.version == version else load(match_id, witness)


def at_point(match_id: UUID, witness: Witness, point: Point) -> MatchState:
    """The match at this point, where its log was just seen to end, or a later one; without a query where it is
    cached."""
    known = _cache.get((match_id, witness))
    return known if known is not None and (known.version, known.hash) == point else load(match_id, witness)


def fold_ahead(wanted: Mapping[UUID, Collection[Witness]]) -> None:
    """Cache these matches for these witnesses, all that aren't yet read in two trips. What can't be folded so, as it is
    long, archived or broken, is left to whoever loads it."""
    absent = [
        key for match_id, them in wanted.items() for witness in them if not _cache.get(key := (match_id, witness))
    ]
    if not absent:
        return
    saved = snapshots.load_all({it for it, _ in absent}, {_reducer(witness) for _, witness in absent})
    found = {(match_id, witness): saved.get((match_id, _reducer(witness))) for match_id, witness in absent}
    begins: dict[UUID, int] = {}
    for (match_id, _), snapshot in found.items():
        begin = snapshot.version - 1 if snapshot else 0
        begins[match_id] = min(begin, begins.get(match_id, begin))
    logs = store.read_all(begins, limit=_MOST_AHEAD)
    for (match_id, witness), snapshot in found.items():
        rows = logs[match_id]
        if 0 < len(rows) < _MOST_AHEAD:
            with suppress(BrokenRecord, *UNREADABLE):
                _fold_ahead(match_id, witness, _restored(snapshot) if snapshot else None, rows)


def _fold_ahead(match_id: UUID, witness: Witness, known: MatchState | None, rows: list[Recorded]) -> None:
    if known is None or _holds(rows, known):
        _fold_on(match_id, witness, known, [row for row in rows if known is None or row.version > known.version])


def follow(match_id: UUID, witness: Witness, rows: list[Recorded]) -> MatchState:
    """The match with these rows of its log, which reach up to its newest version; nothing is read a second time where
    what is known ends in one of them."""
    known = _cache.get((match_id, witness))
    if known is None or not _holds(rows, known):
        return load(match_id, witness)
    return _fold_on(match_id, witness, known, [row for row in rows if row.version > known.version])


def advance(match_id: UUID, witness: Witness, before: Point, rows: Sequence[Recorded]) -> MatchState | None:
    """The match with rows that are known to be stored right after a point, folded on what is cached; asks nobody.

    None where something else is cached, or one of the rows rewinds the match. Raises BrokenRecord.
    """
    known = _cache.get((match_id, witness))
    if known is None or any(codec.rewinds_to(row) is not None for row in rows):
        return None
    if (known.version, known.hash) == (rows[-1].version, rows[-1].hash):
        return known
    if (known.version, known.hash) != before:
        return None
    *_, match_state = _folding(match_id, known, rows, witness)
    _cache.put((match_id, witness), match_state, is_end=True)
    _save_if_due(match_id, witness, known.version, match_state)
    return match_state


def version_of(match_id: UUID) -> int:
    """The newest version of a match, without loading it; raises NoSuchMatch."""
    return end_of(match_id).version


def end_of(match_id: UUID) -> Point:
    """Where a match's log ends, without loading it; raises NoSuchMatch."""
    head = store.head(match_id)
    if head is None:
        raise NoSuchMatch(str(match_id))
    return Point(head.version, head.hash)


def at_head(match_id: UUID, head: Head) -> MatchState:
    """The match, as HOST sees it, at a head that the caller has locked."""
    known = _cache.get((match_id, HOST))
    if known is not None and known.version >= head.version:
        if (known.version, known.hash) == (head.version, head.hash):
            return known
        _forget(match_id, known)
        known = None
    return _catch_up(match_id, HOST, known, None)


def last_seen(match_id: UUID, witness: Witness = HOST) -> MatchState | None:
    """The match as this witness sees it, from the cache; perhaps an old version. None where it isn't cached."""
    return _cache.get((match_id, witness))


def remember(match_id: UUID, match_state: MatchState) -> None:
    """Cache the match after a commit, for the next command."""
    before = _cache.get((match_id, HOST))
    _cache.put((match_id, HOST), match_state, is_end=True)
    if before is not None:
        _save_if_due(match_id, HOST, before.version, match_state)


def _catch_up(match_id: UUID, witness: Witness, known: MatchState | None, upto: int | None) -> MatchState:
    """Read what is new since `known`, check that it continues the chain, and fold it.

    The event that `known` ends with is read once more: after a restore or a failover another one may stand there, or
    none. Then all that is known is forgotten, and the match is folded anew.
    """
    match_state = known or _from_snapshot(match_id, witness, upto)
    rows = store.read(match_id, after=match_state.version - 1 if match_state else 0, upto=upto)
    if match_state is None:
        return _fold_on(match_id, witness, None, rows, upto)
    if not _holds(rows, match_state):
        _forget(match_id, match_state)
        return _catch_up(match_id, witness, None, upto)
    return _fold_on(match_id, witness, match_state, rows[1:], upto)


def _holds(rows: list[Recorded], match_state: MatchState) -> bool:
    """Whether one of these rows, which follow on each other, is the event that the fold ends with."""
    place = match_state.version - rows[0].version if rows else -1
    return 0 <= place < len(rows) and (rows[place].version, rows[place].hash) == (match_state.version, match_state.hash)


def _forget(match_id: UUID, known: MatchState) -> None:
    """The log contradicts what is cached of a match, after a restore or a failover to a server that lacked it. The same
    may hold for every other stream, so the whole cache is cleared."""
    log.warning("history_changed", match=str(match_id), known=known.version)
    _cache.clear()
    for forget in when_lost:
        forget()


def _fold_on(
    match_id: UUID, witness: Witness, match_state: MatchState | None, rows: list[Recorded], upto: int | None = None
) -> MatchState:
    """Check that the rows continue the chain, fold them, and keep what came of it."""
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
    """Have a snapshot saved where one is due, so that nobody who starts anew has a long way to fold."""
    if snapshots.is_due(since, match_state.version):
        snapshot_writer.writer().post(match_id, _reducer(witness), partial(_snapshot, match_state))


def _folding(
    match_id: UUID, match_state: MatchState | None, rows: Sequence[Recorded], witness: Witness
) -> Iterator[MatchState]:
    """The match after each of the rows; a rewind among them finds the fold it leads to among those already made."""
    since = match_state.version if match_state else 0
    wanted = {to for row in rows if (to := codec.rewinds_to(row)) is not None}
    kept = _folds_at(match_id, {to for to in wanted if to < since}, witness)
    if match_state is not None:
        kept[since] = match_state
    for row in rows:
        try:
            match_state = _advance(match_state, row, witness, kept)
        except UNREADABLE as error:
            # Not what the error says: a secret may be in it, and this goes into logs.
            reason = f"the rules can't read this {row.type} ({type(error).__name__})"
            raise BrokenRecord(ChainBroken(match_id, row.version, reason)) from error
        if match_state.version in wanted:
            kept[match_state.version] = match_state
        yield match_state


def _folds_at(match_id: UUID, versions: Collection[int], witness: Witness) -> dict[int, MatchState]:
    """The match at each of these versions, folded from its first event in one pass."""
    if not versions:
        return {}
    rows = store.read(match_id, upto=max(versions))
    _refuse_broken(match_id, rows, None)
    return {it.version: it for it in _folding(match_id, None, rows, witness) if it.version in versions}


def _advance(
    match_state: MatchState | None, row: Recorded, witness: Witness, earlier: dict[int, MatchState]
) -> MatchState:
    """The match after one more stored event, as this witness was told it."""
    at = chain.microseconds(row.at)
    if match_state is None:
        return opened(codec.unpack_opening(row), version=row.version, hash=row.hash, at=at)
    event = codec.unpack(match_state.game, row, witness)
    back = earlier.get(event.to_version) if isinstance(event, MatchRewound) else None
    return evolve(match_state, event, version=row.version, hash=row.hash, at=at, actor=row.actor, earlier=back)


def _refuse_broken(match_id: UUID, rows: list[Recorded], match_state: MatchState | None) -> None:
    after, previous = (match_state.version, match_state.hash) if match_state else (0, chain.GENESIS)
    *_, broken = chain.check(match_id, rows, after, previous)
    if broken:
        raise BrokenRecord(broken)


def _snapshot(match_state: MatchState) -> Snapshot:
    kept = {
        "lifecycle": to_json(match_state.lifecycle),
        "game_version": match_state.game_version,
        "state": to_json(match_state.state),
        "at": match_state.at,
        "running": to_json(match_state.running),
        "onlookers": list(match_state.onlookers),
        "acted_at": match_state.acted_at,
    }
    return Snapshot(match_state.version, match_state.hash, msgspec.json.encode(kept))


def _from_snapshot(match_id: UUID, witness: Witness, upto: int | None) -> MatchState | None:
    snapshot = snapshots.load(match_id, _reducer(witness), store.LAST_VERSION if upto is None else upto)
    return _restored(snapshot) if snapshot else None


def _restored(snapshot: Snapshot) -> MatchState:
    kept = msgspec.json.decode(snapshot.state)
    story = from_json(kept["lifecycle"], Lifecycle)
    state = catalogue[story.opened.game].read_state(kept["state"])
    return MatchState(
        version=snapshot.version,
        hash=snapshot.hash,
        at=kept["at"],
        lifecycle=story,
        game_version=kept["game_version"],
        state=state,
        running=from_json(kept["running"], Clocks),
        onlookers=tuple(kept["onlookers"]),
        acted_at=kept["acted_at"],
    )


@cache
def _reducer(witness: Witness) -> str:
    """The name of a witness's snapshots, with the version of every state, so that outdated ones are never read."""
    return f"match/{witness}/{shapes()}"


def shapes() -> str:
    """The versions of every state's shape, as the names of snapshots end."""
    games = ".".join(f"{slug}-{catalogue[slug].state_version}" for slug in sorted(catalogue))
    return f"{STATE_VERSION}/{games}"


_cache = FoldCache(settings.FOLD_CACHE_BYTES)
