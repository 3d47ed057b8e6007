"""A stored match is one thing, however it is come by: from the cache, the log, a snapshot or the kernel."""

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from events import snapshot_writer, snapshots, store
from events.records import NewEvent, Recorded
from events.snapshots import Snapshot
from events.store import StreamTransaction
from games import catalogue
from games.kernel import HOST, SPECTATOR, Table, Witness
from matches.domain import events
from matches.domain.clocks import ClockTimes
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services import hosting
from matches.storage import codec, repository
from matches.storage.fold_cache import FoldCache
from matches.storage.repository import BrokenRecord, NoSuchMatch
from matches.storage.sizes import size_of
from tests.cases import some_slow
from tests.events.staging import tamper
from tests.table_setting import play_on, play_to_the_end, running_match, send, waiting_match

EVERY = 40


@pytest.fixture(autouse=True)
def no_snapshots(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Nothing is known of a match but its log; gives what makes snapshots frequent."""
    forget(monkeypatch)
    monkeypatch.setattr(snapshots, "EVERY", 10**9)
    return lambda every: monkeypatch.setattr(snapshots, "EVERY", every)


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start with an empty cache."""
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))


def witnesses(match: Match) -> tuple[Witness, ...]:
    """Everyone who may look."""
    return (HOST, SPECTATOR, *range(catalogue[match.game].seats.min))


def worth_a_look(version: int, last: int) -> bool:
    """Every version of the beginning and the end, and some between."""
    return version <= 12 or version > last - 5 or version % 16 == 0


def told_by_the_kernel(match: Match, witness: Witness) -> Iterator[tuple[int, Any]]:
    """Each version, and the game's state that the kernel's own table shows this witness there."""
    rows = store.read(match.id)
    opened = codec.unpack_opening(rows[0])
    game = catalogue[opened.game]
    played = Table(game, opened.options, opened.seats, opened.priority)
    for row in rows:
        event = codec.unpack(game, row, HOST)
        if not isinstance(event, events.EVENTS):
            played.record(event)
        yield row.version, played.witness(witness)


def test_state_of_an_opened_match_has_the_hash_of_its_event() -> None:
    match = waiting_match("pyramid_poker", None, None)
    (opened,) = store.read(match.id)
    match_state = repository.load(match.id)
    assert (match_state.version, match_state.hash) == (1, opened.hash)


@pytest.mark.parametrize("slug", some_slow(catalogue, always=("higher_or_lower",)))
def test_every_path_to_a_version_gives_a_witness_the_same_state(
    slug: str, monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    hours = {name: ClockTimes(base=3600, reserve=3600) for name in catalogue[slug].clocks}
    match, rng = running_match(slug, clocks=hours), Random(slug)
    cached: dict[tuple[Witness, int], MatchState] = {}
    while match.status == "running":
        play_on(match, 1, rng)
        for witness in witnesses(match):
            cached[witness, match.version] = repository.load(match.id, witness)

    fresh: dict[tuple[Witness, int], MatchState] = {}
    for witness in witnesses(match):
        for version, state in told_by_the_kernel(match, witness):
            if worth_a_look(version, match.version):
                forget(monkeypatch)
                match_state = repository.load(match.id, witness, upto=version)
                fresh[witness, version] = match_state
                assert (match_state.version, match_state.state) == (version, state), (witness, version)
    for (witness, version), match_state in fresh.items():
        assert repository.load(match.id, witness, upto=version) == match_state, (witness, version)
    for place in cached.keys() & fresh.keys():
        assert cached[place] == fresh[place], place
        assert cached[place].clocks == fresh[place].clocks

    forget(monkeypatch)
    no_snapshots(EVERY)
    reads = watch_reads(monkeypatch)
    for witness in witnesses(match):
        for version in range(EVERY, match.version + 1, EVERY):
            forget(monkeypatch)
            assert repository.load(match.id, witness, upto=version).version == version
            assert snapshot_writer.writer().wait()
        forget(monkeypatch)
        last = repository.load(match.id, witness)
        assert last == fresh[witness, match.version]
    assert max(reads) >= match.version - 2 * EVERY, "no snapshot was used"


def test_stepping_through_a_match_reads_each_event_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pyramid_poker")
    play_on(match, 6)
    there = {version: repository.load(match.id, SPECTATOR, upto=version) for version in range(match.version, 1, -1)}
    forget(monkeypatch)
    reads = watch_reads(monkeypatch)
    for version in range(2, match.version + 1):
        assert repository.load(match.id, SPECTATOR, upto=version) == there[version]
    assert reads == [0, *range(1, match.version - 1)], "The event it ends with is read again with what follows."
    assert repository.load(match.id, SPECTATOR, upto=match.version - 3) == there[match.version - 3], "a step back"
    assert reads[-1] == 0


def test_a_snapshot_is_preferred_to_a_fold_far_behind_it(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, kept = with_a_snapshot(no_snapshots, monkeypatch)
    no_snapshots(EVERY)
    repository.load(match.id, HOST, upto=3)
    reads = watch_reads(monkeypatch)
    assert repository.load(match.id, HOST, upto=match.version).version == match.version > EVERY + 3
    assert reads == [kept.version - 1]


def watch_reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """After which versions the log is read from now on."""
    reads: list[int] = []
    read = store.read

    def watched(stream: UUID, *, after: int = 0, **more: Any) -> Any:
        reads.append(after)
        return read(stream, after=after, **more)

    monkeypatch.setattr(store, "read", watched)
    return reads


def with_a_snapshot(set_every: Callable[[int], None], monkeypatch: pytest.MonkeyPatch) -> tuple[Match, Snapshot]:
    """A match of which the host's snapshot is kept, and nothing is cached."""
    match = running_match("pyramid_poker")
    play_on(match, 20)
    set_every(EVERY)
    forget(monkeypatch)
    repository.load(match.id, HOST, upto=match.version)
    assert snapshot_writer.writer().wait()
    set_every(10**9)
    forget(monkeypatch)
    kept = snapshots.load(match.id, repository._reducer(HOST), match.version)
    assert kept is not None and kept.version == match.version
    return match, kept


def test_snapshot_replaces_reading_its_events(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, kept = with_a_snapshot(no_snapshots, monkeypatch)
    reads = watch_reads(monkeypatch)
    assert repository.load(match.id).version == match.version
    assert reads == [kept.version - 1]


def test_a_snapshot_of_other_code_is_not_used(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, _ = with_a_snapshot(no_snapshots, monkeypatch)
    expected = repository.load(match.id, HOST, upto=match.version)
    forget(monkeypatch)
    monkeypatch.setattr(repository, "_reducer", lambda witness: f"match/{witness}/other code")
    reads = watch_reads(monkeypatch)
    assert repository.load(match.id) == expected
    assert reads == [0]


def test_a_snapshot_of_another_witness_is_not_used(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, _ = with_a_snapshot(no_snapshots, monkeypatch)
    names = {repository._reducer(witness) for witness in (HOST, SPECTATOR, 0, 1)}
    assert len(names) == 4
    reads = watch_reads(monkeypatch)
    repository.load(match.id, SPECTATOR)
    assert reads == [0]


def test_snapshot_contradicted_by_the_log_is_not_used(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, kept = with_a_snapshot(no_snapshots, monkeypatch)
    expected = repository.load(match.id, HOST, upto=match.version)
    forget(monkeypatch)
    lie = msgspec.json.encode(msgspec.json.decode(kept.state) | {"game_version": 999})
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_snapshot SET hash = sha256(hash), state = %s WHERE stream = %s", (lie, match.id)
        )
    )
    assert repository.load(match.id) == expected


@pytest.mark.parametrize("saved", ["nothing", "a snapshot of the house's", "one that the log contradicts"])
def test_matches_folded_together_equal_those_loaded_alone(
    saved: str, monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    match, other, broken, mixed = (running_match(it) for it in ("pyramid_poker", *2 * ["higher_or_lower"], "pentagram"))
    for it in (match, other, broken, mixed):
        play_on(it, 8)
    if saved != "nothing":
        snapshots.save(match.id, repository._reducer(HOST), repository._snapshot(repository.load(match.id)))
        play_on(match, 2)
    if saved == "one that the log contradicts":
        tamper(lambda hand: hand.execute("UPDATE events_snapshot SET hash = sha256(hash)"))
    wanted = {it.id: witnesses(it) for it in (match, other, mixed)}
    alone = {(id, witness): repository.load(id, witness) for id, them in wanted.items() for witness in them}
    forget(monkeypatch)
    known = repository.load(mixed.id, SPECTATOR)
    tamper(lambda hand: hand.execute("UPDATE events_event SET actor = 'x' WHERE stream = %s", (broken.id,)))
    repository.fold_ahead({broken.id: (HOST,), uuid4(): (SPECTATOR,), **wanted})
    assert {key: repository.cached_state(*key) for key in alone} == alone
    assert repository.cached_state(mixed.id, SPECTATOR) is known, "What is there isn't read again."
    assert repository.cached_state(broken.id) is None
    with pytest.raises(BrokenRecord):
        repository.load(broken.id)


def test_a_match_of_very_many_events_is_not_folded_beside_others(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pyramid_poker")
    play_on(match, 4)
    forget(monkeypatch)
    monkeypatch.setattr(repository, "_MAX_AHEAD", match.version)
    repository.fold_ahead({match.id: (HOST,)})
    assert repository.cached_state(match.id) is None
    monkeypatch.setattr(repository, "_MAX_AHEAD", match.version + 1)
    repository.fold_ahead({match.id: (HOST,)})
    assert repository.cached_state(match.id) == repository.load(match.id)


@pytest.mark.parametrize("game", catalogue)
def test_snapshots_of_a_game_whose_state_has_changed_are_not_read(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = repository._reducer.__wrapped__(HOST)
    changed = replace(catalogue[game], state_version=catalogue[game].state_version + 1)
    monkeypatch.setattr(repository, "catalogue", {**catalogue, game: changed})
    assert repository._reducer.__wrapped__(HOST) != before


def test_a_version_beyond_the_end_is_the_end() -> None:
    match = running_match("pyramid_poker")
    play_on(match, 2)
    assert repository.load(match.id, 0, upto=10_000).version == match.version == repository.version_of(match.id)


def test_missing_match_raises_no_such_match() -> None:
    for ask in (repository.load, repository.version_of, lambda match: repository.load(match, SPECTATOR, upto=3)):
        with pytest.raises(NoSuchMatch):
            ask(uuid4())
    with pytest.raises(NoSuchMatch):
        repository.load(running_match("pyramid_poker").id, upto=0)


@pytest.mark.parametrize("known", [False, True], ids=["fresh", "with its beginning cached"])
def test_a_broken_record_freezes_the_match_and_no_other(known: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    match, other = running_match("pyramid_poker"), running_match("pyramid_poker")
    play_on(match, 4)
    play_on(other, 4)
    broken_at = match.version
    forget(monkeypatch)
    if known:
        repository._cache.put((match.id, HOST), repository.load(match.id, upto=broken_at - 1))
    tamper(
        lambda hand: hand.execute(
            "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = %s", (match.id, broken_at)
        )
    )
    with pytest.raises(BrokenRecord) as refusal:
        repository.load(match.id)
    assert (refusal.value.broken.stream, refusal.value.broken.version) == (match.id, broken_at)
    with pytest.raises(BrokenRecord):
        send(match.id, 0, Random(0))
    play_to_the_end(other)
    assert other.status == "finished"


@pytest.mark.parametrize(
    "event",
    [NewEvent("ghost_seen", b"{}"), NewEvent("brick_placed", b'{"seat":0}'),
     NewEvent("match_rewound", b'{"reason":"","to_version":999}')],
    ids=lambda event: event.type,
)  # fmt: skip
def test_unreadable_event_freezes_its_match_and_no_other(event: NewEvent, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after going back to an older release."""
    match, other = running_match("pyramid_poker"), running_match("pyramid_poker")
    with StreamTransaction(match.id, actor="a later release") as stream_transaction:
        stream_transaction.append([event], expected=stream_transaction.version)
    forget(monkeypatch)
    with pytest.raises(BrokenRecord) as refusal:
        repository.load(match.id)
    assert (refusal.value.broken.stream, refusal.value.broken.version) == (match.id, match.version + 1)
    assert repository.load(match.id, upto=match.version).version == match.version
    with pytest.raises(BrokenRecord):
        hosting.pause(match_id=match.id, by=match.opened_by_id, reason="What is this?")
    play_to_the_end(other)
    assert other.status == "finished"


def test_running_match_has_a_snapshot_at_intervals(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    no_snapshots(10)
    match, rng = running_match("pyramid_poker"), Random(1)
    while match.version < 35:
        play_on(match, 1, rng)
        for witness in witnesses(match):
            repository.load(match.id, witness)
    assert snapshot_writer.writer().wait()
    expected = {witness: repository.load(match.id, witness) for witness in witnesses(match)}
    forget(monkeypatch)
    reads = watch_reads(monkeypatch)
    for witness in witnesses(match):
        assert repository.load(match.id, witness) == expected[witness]
        assert expected[witness].clocks == repository.load(match.id, witness).clocks
    assert min(reads) >= match.version - 20


def test_a_move_is_played_though_no_snapshot_can_be_saved(
    monkeypatch: pytest.MonkeyPatch, no_snapshots: Callable[[int], None]
) -> None:
    def refuse(_: object) -> None:
        raise OSError("The disk is full.")

    no_snapshots(5)
    match = running_match("pyramid_poker")
    monkeypatch.setattr(snapshots, "save_all", refuse)
    play_on(match, 10)
    assert snapshot_writer.writer().wait()
    monkeypatch.undo()
    monkeypatch.setattr(snapshots, "EVERY", 5)
    play_on(match, 10)
    assert snapshot_writer.writer().wait()
    kept = snapshots.load(match.id, repository._reducer(HOST), match.version)
    assert kept is not None and kept.version > match.version - 10


def test_older_fold_replaces_no_newer_one_and_the_cache_stays_small() -> None:
    match = running_match("pyramid_poker")
    old, new = repository.load(match.id, upto=1), repository.load(match.id, upto=3)
    cache = FoldCache(3 * size_of(new))
    first, second, third = ((uuid4(), HOST) for _ in range(3))
    for match_state in (old, new, old):
        cache.put(first, match_state)
    assert cache.get(first) is new
    cache.put(second, old)
    assert cache.get(first) is new
    cache.put(third, old)
    assert (cache.get(first), cache.get(second), cache.get(third)) == (new, None, old)
    assert cache.size <= 3 * size_of(new)


@pytest.mark.parametrize("slug", catalogue)
def test_size_of_a_fold_is_close_to_its_memory(slug: str) -> None:
    match = running_match(slug)
    play_on(match, 10)
    rows = store.read(match.id)
    folds = [fold_of(match, rows)]
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        folds += [fold_of(match, rows) for _ in range(20)]
        taken = (tracemalloc.get_traced_memory()[0] - before) / 20
    finally:
        tracemalloc.stop()
    # Folds of one match share what is computed once per version, as its prompts.
    assert 0.5 * taken < size_of(folds[-1]) < 2.5 * taken


def fold_of(match: Match, rows: list[Recorded]) -> MatchState:
    """The match folded from the first event, beside the cache."""
    *_, last = repository._folding(match.id, None, rows, HOST)
    return last
