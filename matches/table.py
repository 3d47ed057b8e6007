"""A stored match: its log read, checked and folded, as one witness was told it."""

from collections import OrderedDict
from collections.abc import Collection, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from uuid import UUID

import msgspec

from events import chain, snapshots, store
from events.chain import Broken
from events.records import Head, Recorded
from events.snapshots import Snapshot
from games import catalogue
from games.kernel import HOST, Witness, from_json, to_json
from matches import codec
from matches.clocks import Clocks
from matches.folded import Folded, evolve, opened
from matches.happenings import MatchRewound
from matches.lifecycle import Lifecycle

Key = tuple[UUID, Witness]
Folds = OrderedDict[Key, Folded]

_KEPT = 2000
_UNREADABLE = (
    ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError,
)  # fmt: skip
"""What rules raise that an event is strange to: one of a later release, say, that was taken back."""
_CODE = ("happenings.py", "lifecycle.py", "clocks.py", "codec.py", "folded.py", "table.py")


class NoSuchMatch(Exception):
    """There is no match with this id."""


class BrokenRecord(Exception):
    """The stored log does not hold together; the match is frozen until a person has looked at it."""

    def __init__(self, broken: Broken) -> None:
        super().__init__(str(broken))
        self.broken = broken


def load(match_id: UUID, witness: Witness = HOST, *, upto: int | None = None) -> Folded:
    """The match at version `upto` (its newest without one); raises NoSuchMatch, BrokenRecord."""
    if upto is None:
        known = _cache.get((match_id, witness))
        return _catch_up(match_id, witness, known, None)
    known = _cache.before((match_id, witness), upto)
    if known is not None and known.version == upto:
        return known
    if known is not None and upto - known.version > snapshots.EVERY:
        known = max(known, _from_snapshot(match_id, witness, upto) or known, key=lambda it: it.version)
    folded = _catch_up(match_id, witness, known, upto)
    _cache.put_earlier((match_id, witness), folded)
    return folded


def at_least(match_id: UUID, witness: Witness, version: int) -> Folded:
    """The match at this version or a later one; nobody is asked where this process has folded so far already."""
    known = _cache.get((match_id, witness))
    return known if known is not None and known.version >= version else load(match_id, witness)


def follow(match_id: UUID, witness: Witness, rows: list[Recorded]) -> Folded:
    """The match with these rows of its log, which reach up to its newest version; nothing is read a second time."""
    known = _cache.get((match_id, witness))
    if known is None or (rows and rows[0].version > known.version + 1):
        return load(match_id, witness)
    new = [row for row in rows if row.version > known.version]
    return _fold_on(match_id, witness, known, new) if new else known


def version_of(match_id: UUID) -> int:
    """The newest version of a match, without loading it; raises NoSuchMatch."""
    head = store.head(match_id)
    if head is None:
        raise NoSuchMatch(str(match_id))
    return head.version


def at_head(match_id: UUID, head: Head) -> Folded:
    """The truth at a head that the caller has locked."""
    known = _cache.get((match_id, HOST))
    if known is not None and known.version == head.version and known.hash == head.hash:
        return known
    return _catch_up(match_id, HOST, known if known and known.version < head.version else None, None)


def last_seen(match_id: UUID) -> Folded | None:
    """The truth as this process last saw it, perhaps an old one; asks nobody."""
    return _cache.get((match_id, HOST))


def remember(match_id: UUID, folded: Folded) -> None:
    """Keep the truth after a commit, for the next command."""
    _cache.put((match_id, HOST), folded)


def _catch_up(match_id: UUID, witness: Witness, known: Folded | None, upto: int | None) -> Folded:
    """Read what is new since `known`, check that it continues the chain, and fold it."""
    folded = known or _from_snapshot(match_id, witness, upto)
    rows = store.read(match_id, after=folded.version if folded else 0, upto=upto)
    return _fold_on(match_id, witness, folded, rows, upto)


def _fold_on(
    match_id: UUID, witness: Witness, folded: Folded | None, rows: list[Recorded], upto: int | None = None
) -> Folded:
    """Check that the rows continue the chain, fold them, and keep what came of it."""
    since = folded.version if folded else 0
    _refuse_broken(match_id, rows, folded)
    for after in _folding(match_id, folded, rows, witness):
        folded = after
    if folded is None:
        raise NoSuchMatch(str(match_id))
    if upto is None:
        _cache.put((match_id, witness), folded)
    if folded.version - since >= snapshots.EVERY:
        snapshots.save(match_id, _reducer(witness), _snapshot(folded))
    return folded


def _folding(match_id: UUID, folded: Folded | None, rows: list[Recorded], witness: Witness) -> Iterator[Folded]:
    """The match after each of the rows; a rewind among them finds the fold it leads to among those already made."""
    since = folded.version if folded else 0
    wanted = {to for row in rows if (to := codec.rewinds_to(row)) is not None}
    kept = _folds_at(match_id, {to for to in wanted if to < since}, witness)
    if folded is not None:
        kept[since] = folded
    for row in rows:
        try:
            folded = _advance(folded, row, witness, kept)
        except _UNREADABLE as error:
            # Not what the error says: a secret may be in it, and this goes into logs.
            reason = f"the rules can't read this {row.type} ({type(error).__name__})"
            raise BrokenRecord(Broken(match_id, row.version, reason)) from error
        if folded.version in wanted:
            kept[folded.version] = folded
        yield folded


def _folds_at(match_id: UUID, versions: Collection[int], witness: Witness) -> dict[int, Folded]:
    """The match at each of these versions, folded from its first event in one pass."""
    if not versions:
        return {}
    rows = store.read(match_id, upto=max(versions))
    _refuse_broken(match_id, rows, None)
    return {it.version: it for it in _folding(match_id, None, rows, witness) if it.version in versions}


def _advance(folded: Folded | None, row: Recorded, witness: Witness, earlier: dict[int, Folded]) -> Folded:
    """The match after one more stored event, as this witness was told it."""
    at = chain.microseconds(row.at)
    if folded is None:
        return opened(codec.unpack_opening(row), version=row.version, hash=row.hash, at=at)
    event = codec.unpack(folded.game, row, witness)
    back = earlier.get(event.to_version) if isinstance(event, MatchRewound) else None
    return evolve(folded, event, version=row.version, hash=row.hash, at=at, earlier=back)


def _refuse_broken(match_id: UUID, rows: list[Recorded], folded: Folded | None) -> None:
    after, previous = (folded.version, folded.hash) if folded else (0, chain.GENESIS)
    *_, broken = chain.check(match_id, rows, after, previous)
    if broken:
        raise BrokenRecord(broken)


def _snapshot(folded: Folded) -> Snapshot:
    kept = {
        "lifecycle": to_json(folded.lifecycle),
        "game_version": folded.game_version,
        "state": to_json(folded.state),
        "at": folded.at,
        "running": to_json(folded.running),
        "onlookers": list(folded.onlookers),
    }
    return Snapshot(folded.version, folded.hash, msgspec.json.encode(kept))


def _from_snapshot(match_id: UUID, witness: Witness, upto: int | None) -> Folded | None:
    snapshot = snapshots.load(match_id, _reducer(witness), store.LAST_VERSION if upto is None else upto)
    if snapshot is None:
        return None
    kept = msgspec.json.decode(snapshot.state)
    story = from_json(kept["lifecycle"], Lifecycle)
    state = catalogue[story.opened.game].read_state(kept["state"])
    return Folded(
        version=snapshot.version,
        hash=snapshot.hash,
        at=kept["at"],
        lifecycle=story,
        game_version=kept["game_version"],
        state=state,
        running=from_json(kept["running"], Clocks),
        onlookers=tuple(kept["onlookers"]),
    )


@cache
def _reducer(witness: Witness) -> str:
    """Names who looks and by which code, so that a snapshot of older code or of another witness never counts."""
    sources = [Path(__file__).with_name(name).read_bytes() for name in _CODE]
    code = sha256(b"".join((*sources, *(game.fingerprint.encode() for game in catalogue.values()))))
    return f"match/{witness}/{code.hexdigest()[:16]}"


class _Cache:
    """By match and witness, of the matches last used: the newest fold, and of those of earlier versions the last."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._newest: Folds = OrderedDict()
        self._earlier: Folds = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Folded | None:
        """The newest fold."""
        with self._lock:
            if key in self._newest:
                self._newest.move_to_end(key)
            return self._newest.get(key)

    def before(self, key: Key, version: int) -> Folded | None:
        """The latest fold of this version or one before it."""
        with self._lock:
            found = [it for folds in (self._newest, self._earlier) if (it := folds.get(key)) and it.version <= version]
            return max(found, key=lambda it: it.version, default=None)

    def put(self, key: Key, folded: Folded) -> None:
        """Keep the newest fold."""
        with self._lock:
            newest = self._newest.get(key)
            if newest is None or newest.version <= folded.version:
                self._keep(self._newest, key, folded)

    def put_earlier(self, key: Key, folded: Folded) -> None:
        """Keep the fold of an earlier version: who reads a match step by step asks for the next one."""
        with self._lock:
            self._keep(self._earlier, key, folded)

    def clear(self) -> None:
        """Know nothing."""
        with self._lock:
            self._newest.clear()
            self._earlier.clear()

    def _keep(self, folds: Folds, key: Key, folded: Folded) -> None:
        folds[key] = folded
        folds.move_to_end(key)
        if len(folds) > self._kept:
            folds.popitem(last=False)


_cache = _Cache(_KEPT)
