"""Old leaves of the checkpoints lie in the archive's tiles: each proof is the same, and nothing goes unseen."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from psycopg.errors import InsufficientPrivilege

from events import archived
from events.archived import ArchiveUnavailable
from events.checkpoints import checking, merkle, signing, tiles, tiling
from events.checkpoints.signing import ConsistencyProof, Proof
from tests.cases import some_slow
from tests.events.staging import append, counted, new_stream, one, owner
from tests.events.test_roles import service

VERSIONS = (1, 2, 3)
ProofsOfStream = tuple[list[Proof | None], list[tuple[object, ...]], ConsistencyProof | None]


class Tiled(NamedTuple):
    """A stream whose leaves are in the archive alone, with its proofs from before they were moved there."""

    stream: UUID
    sizes: list[int]
    proofs: ProofsOfStream
    place: int


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No earlier test's copies of checkpoints."""
    monkeypatch.setattr(settings, "CHECKPOINTS", tmp_path / "outside")
    tiles.forget()


def size_signed() -> int:
    """Sign whatever has moved; gives how many leaves there are then."""
    note = signing.sign_if_due(after_seconds=0)
    return int((note or signing.newest() or "\n0").split("\n")[1])


def proofs_of(stream: UUID, sizes: list[int]) -> ProofsOfStream:
    """Return the proofs of a stream in the checkpoints of these sizes."""
    wanted = [(upto, size) for upto in VERSIONS for size in sizes]
    proofs = [signing.prove(stream, upto=upto, size=size) for upto, size in wanted]
    return proofs, signing.covering(stream), signing.prove_consistency(sizes[0], sizes[-1])


def filled_up() -> int:
    """More leaves, until all before them fill whole tiles."""
    for _ in range(tiles.SIZE):
        new_stream(1)
    return size_signed()


def put_away() -> None:
    """Every tile that is full, noted and its leaves removed."""
    with owner() as hand:
        for place in tiling.due(hand, 0):
            tiling.put_away(hand, place)
        for place in list(tiling.removable(hand, 0)):
            tiling.remove(hand, place)


@pytest.fixture(scope="module")
def tiled() -> Tiled:
    """Three leaves of a stream in tiles; the last checkpoint came after them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "CHECKPOINTS", Path("/nonexistent"))
        stream, sizes = new_stream(1), []
        for version in VERSIONS:
            sizes.append(size_signed())
            if version < VERSIONS[-1]:
                append(stream, [counted(version + 1)])
        sizes.append(filled_up())
        proofs = proofs_of(stream, sizes)
        put_away()
        tiles.forget()
        return Tiled(stream, sizes, proofs, proofs[1][0][0].position // tiles.SIZE)


def faults() -> list[str]:
    """Return the current faults."""
    tiles.forget()
    return [str(fault) for fault in checking.faults(signing.signer().verifier_key, None, lambda _: None)]


@contextmanager
def another_file(place: int, change: Callable[[bytes], bytes | None]) -> Iterator[None]:
    """The storage gives what `change` makes of a tile's file, or none; then the file is there again."""
    with owner() as hand:
        name = one(hand, "SELECT name FROM events_tile WHERE place = %s", place)
        digest = one(hand, "SELECT digest FROM events_tile WHERE place = %s", place)
    whole = archived.file(name, digest)
    archived.storage().delete(name)
    if (other := change(whole)) is not None:
        archived.storage().save(name, ContentFile(other))
    tiles.forget()
    try:
        yield
    finally:
        archived.storage().delete(name)
        archived.storage().save(name, ContentFile(whole))
        tiles.forget()


def test_proof_from_a_tile_equals_the_earlier_proof(tiled: Tiled) -> None:
    with owner() as hand:
        assert one(hand, "SELECT count(*) FROM events_leaf WHERE stream = %s", tiled.stream) == 0
    proofs = proofs_of(tiled.stream, tiled.sizes)
    assert proofs == tiled.proofs
    proof = proofs[0][-1]
    assert proof is not None and proof.leaf.version == 3 and [leaf.version for leaf, _, _ in proofs[1]] == [3, 2, 1]
    assert merkle.includes(proof.leaf.leaf_hash, proof.leaf.position, proof.size, proof.path, proof.root)


def test_database_keeps_the_subtree_hash_of_a_tile(tiled: Tiled) -> None:
    with owner() as hand:
        first = tiled.place * tiles.SIZE
        query = "SELECT array_agg(level) FROM events_subtree WHERE place << level BETWEEN %s AND %s"
        assert set(one(hand, query, first, first + tiles.SIZE - 1)) >= {tiles.LEVEL}
        assert min(one(hand, query, first, first + tiles.SIZE - 1)) == tiles.LEVEL


def test_everything_holds_from_the_first_leaf_to_the_last(tiled: Tiled) -> None:
    assert not [fault for fault in faults() if "leaf" in fault or "leaves" in fault or str(tiled.stream) in fault]
    assert checking.count() == size_signed()


def test_a_stream_whose_leaves_are_in_tiles_is_signed_again_only_once_it_goes_on(tiled: Tiled) -> None:
    size_signed()
    assert signing.sign_if_due(after_seconds=0) is None
    stream = new_stream(1)
    size_signed()
    filled_up()
    put_away()
    append(stream, [counted(2)])
    size = size_signed()
    proof = signing.prove(stream)
    assert proof is not None and (proof.leaf.version, proof.size) == (2, size)
    assert [leaf.version for leaf, _, _ in signing.covering(stream)] == [2, 1]
    filled_up()
    put_away()
    assert [leaf.version for leaf, _, _ in signing.covering(stream)] == [2, 1]
    assert signing.prove(stream, upto=1).leaf.version == 1  # type: ignore[union-attr]


CHANGES: dict[str, Callable[[bytes], bytes | None]] = {
    "no file": lambda _: None,
    "cut short": lambda whole: whole[:-7],
    "another file": lambda whole: tiles.packed([tiles.Entry(UUID(int=7), 1, b"h", None)] * tiles.SIZE),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_tile_that_is_not_what_was_put_there_proves_nothing_and_is_named(tiled: Tiled, change: str) -> None:
    with another_file(tiled.place, CHANGES[change]):
        with pytest.raises(ArchiveUnavailable):
            signing.prove(tiled.stream)
        with pytest.raises(ArchiveUnavailable):
            signing.covering(tiled.stream)
        assert any("leaves/" in fault for fault in faults())
    assert signing.prove(tiled.stream) is not None


def test_a_tile_counts_only_where_its_leaves_hash_up_to_what_the_database_has_kept(tiled: Tiled) -> None:
    entries = [tiles.Entry(UUID(int=place), 1, b"h" * 32, None) for place in range(tiles.SIZE)]
    data = tiles.packed(entries)
    root = merkle.root(leaf.leaf_hash for leaf in tiles.unpacked(data, 0, _root_of(entries)).leaves)
    assert tiles.unpacked(data, 0, root).hashes[tiles.LEVEL, 0] == root
    for other in (entries[:-1], [entries[0]._replace(version=2), *entries[1:]]):
        with pytest.raises(ArchiveUnavailable, match="other leaves than the checkpoints"):
            tiles.unpacked(tiles.packed(other), 0, root)


def _root_of(entries: list[tiles.Entry]) -> bytes:
    return merkle.root(tiles.Leaf(place, *entry[:3]).leaf_hash for place, entry in enumerate(entries))


COVERED = {
    "gone": ("DELETE FROM events_covered", "doesn't note leaf"),
    "set back": ("UPDATE events_covered SET position = position - 1", "doesn't note leaf"),
    "ahead": ("UPDATE events_covered SET version = version + 1000", "and no tile does"),
    "elsewhere": ("UPDATE events_covered SET position = position + 1000000", "and no tile does"),
}


@pytest.mark.parametrize("how", some_slow(COVERED, always=["elsewhere"]))
def test_covered_row_that_differs_from_its_tiles_is_detected(tiled: Tiled, how: str) -> None:
    row = "SELECT version, position FROM events_covered WHERE stream = %s"
    statement, sentence = COVERED[how]
    with owner() as hand:
        version, position = hand.execute(row, [tiled.stream]).fetchone() or (0, 0)
        before = faults()
        hand.execute(f"{statement} WHERE stream = %s", [tiled.stream])
        try:
            assert any(sentence in fault for fault in faults() if fault not in before)
        finally:
            hand.execute("DELETE FROM events_covered WHERE stream = %s", [tiled.stream])
            hand.execute("INSERT INTO events_covered VALUES (%s, %s, %s)", [tiled.stream, version, position])


def test_nothing_is_removed_whose_file_is_another_one(tiled: Tiled) -> None:
    filled_up()
    with owner() as hand:
        places = list(tiling.due(hand, 0))
        for place in places:
            tiling.put_away(hand, place)
        with another_file(places[0], CHANGES["another file"]), pytest.raises(ArchiveUnavailable):
            tiling.remove(hand, places[0])
        query = "SELECT count(*) FROM events_leaf WHERE position / %s = %s"
        assert one(hand, query, tiles.SIZE, places[0]) == tiles.SIZE
        assert tiling.remove(hand, places[0]) == tiles.SIZE
        assert tiling.remove(hand, places[0]) == 0, "it is done twice without harm"


def test_tiles_are_due_after_so_many_days_and_go_after_the_days_of_grace(tiled: Tiled) -> None:
    filled_up()
    with owner() as hand:
        assert list(tiling.due(hand, 1)) == []
        places = list(tiling.due(hand, 0))
        assert places
        for place in places:
            tiling.put_away(hand, place)
        assert list(tiling.removable(hand, 1)) == []
        assert set(places) <= set(tiling.removable(hand, 0))


def refused(hand: psycopg.Connection[object], statement: str) -> bool:
    """True if the statement is refused; it is rolled back in any case."""
    try:
        with hand.transaction(force_rollback=True):
            hand.execute(statement)
    except InsufficientPrivilege:
        return True
    return False


FORBIDDEN = (
    "DELETE FROM events_leaf WHERE position = (SELECT max(position) FROM events_leaf)",
    "DELETE FROM events_subtree WHERE level = 1 AND place = (SELECT max(place) FROM events_subtree WHERE level = 1)",
    "DELETE FROM events_subtree WHERE level = 8",
    "UPDATE events_leaf SET hash = ''",
    "TRUNCATE events_leaf",
    "DELETE FROM events_tile",
    "UPDATE events_tile SET name = ''",
    "TRUNCATE events_tile",
)
FOR_THE_OWNER = (
    "INSERT INTO events_tile (place, digest, name) VALUES (1000000, '', '')",
    "DELETE FROM events_covered",
    "UPDATE events_covered SET version = 0",
)


def test_the_owner_removes_no_leaf_that_is_not_in_a_tile_and_the_service_none_at_all(tiled: Tiled) -> None:
    size_signed()
    with owner() as hand:
        assert [it for it in FORBIDDEN if not refused(hand, it)] == []
        hand.execute("BEGIN")
        first = one(hand, "SELECT min(position) FROM events_leaf")
        hand.execute("INSERT INTO events_tile (place, digest, name) VALUES (%s, '', '') ON CONFLICT DO NOTHING",
                     [first // tiles.SIZE])  # fmt: skip
        assert refused(hand, f"DELETE FROM events_leaf WHERE position = {first}"), "it isn't noted as covered"  # noqa: S608
        hand.execute("ROLLBACK")
    with service() as hand:
        assert [it for it in FORBIDDEN + FOR_THE_OWNER if not refused(hand, it)] == []
