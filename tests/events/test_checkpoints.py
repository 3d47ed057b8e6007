"""Signed checkpoints: due when enough has happened, made once, copied to the outside, proved, held against the log."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings

from events import chain, store
from events.checkpoints import checking, merkle, signing
from events.checkpoints import outside as outside
from events.checkpoints.notes import Checkpoint, InvalidNote, Signer, read
from matches.audit import croupier_verify
from tests.events.staging import TRIGGERS, append, counted, new_stream, owner
from tests.table_setting import at_once


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of the test's own; the database's earlier checkpoints aren't copied there."""
    monkeypatch.setattr(settings, "CHECKPOINTS", tmp_path / "outside")
    return tmp_path / "outside"


def sign() -> str | None:
    """Sign whatever has moved."""
    return signing.sign_if_due(after_seconds=0)


def verified_checkpoint(note: str | None) -> Checkpoint:
    """Return a note's checkpoint, with its signature checked."""
    assert note is not None
    return read(note, signing.signer().verifier_key)


def test_a_checkpoint_covers_every_stream_that_has_moved_and_proves_its_head() -> None:
    streams = [new_stream(length) for length in (1, 4, 2)]
    signed = verified_checkpoint(sign())
    for stream in streams:
        proof = signing.prove(stream)
        head = store.head(stream)
        assert (proof.leaf.version, proof.leaf.hash) == (head.version, head.hash)
        assert (proof.size, proof.root) == (signed.size, signed.root)
        assert merkle.includes(proof.leaf.leaf_hash, proof.leaf.position, proof.size, proof.path, proof.root)


def test_nothing_is_signed_while_nothing_has_moved() -> None:
    new_stream(1)
    assert sign()
    assert sign() is None


def test_a_checkpoint_is_due_after_some_time_or_so_many_events() -> None:
    sign()
    stream = new_stream(3)
    assert signing.sign_if_due(after_seconds=3600, after_events=4) is None
    append(stream, [counted(4)])
    assert signing.sign_if_due(after_seconds=3600, after_events=4)
    append(stream, [counted(5)])
    assert signing.sign_if_due(after_seconds=3600, after_events=4) is None
    assert signing.sign_if_due(after_seconds=0, after_events=4)


def test_several_workers_at_once_make_one_checkpoint() -> None:
    sign()
    stream = new_stream(2)
    notes = at_once([sign] * 4)
    assert [type(note) for note in notes if isinstance(note, Exception)] == []
    assert len([note for note in notes if note]) == 1
    assert len(signing.covering(stream)) == 1


def test_a_stream_that_goes_on_is_covered_again_and_the_tree_continues() -> None:
    stream = new_stream(2)
    first = verified_checkpoint(sign())
    append(stream, [counted(3)])
    second = verified_checkpoint(sign())
    covering = signing.covering(stream)
    assert [(leaf.version, size) for leaf, size, _ in covering] == [(3, second.size), (2, first.size)]
    old = signing.prove(stream, upto=2, size=second.size)
    assert old.leaf.version == 2
    assert merkle.includes(old.leaf.leaf_hash, old.leaf.position, second.size, old.path, second.root)
    assert signing.prove(stream, upto=2, size=first.size).root == first.root
    assert signing.prove(stream, upto=1) is None
    assert signing.prove(stream, size=first.size) is None, "its newest leaf came later"
    assert signing.continues(first.size, second.size)


def test_copies_are_outside_and_each_is_written_once(folder: Path) -> None:
    new_stream(1)
    sign()
    signing.publish()
    copies = list(outside.copies())
    assert [copy.size for copy in copies] == sorted(copy.size for copy in copies)
    assert outside.newest() == copies[-1]
    assert signing.publish() == 0
    append(new_stream(1), [counted(2)])
    note = sign()
    assert signing.publish() == 1
    assert outside.newest().note == note
    assert not [path for path in folder.rglob("*") if path.name.startswith(".")]


class Hook(http.server.BaseHTTPRequestHandler):
    """Takes what is posted, unless it is to fail."""

    taken: list[str] = []
    failing = 0

    def do_POST(self) -> None:
        """One checkpoint."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        failing = Hook.failing > 0
        Hook.failing -= failing
        if not failing:
            Hook.taken.append(body)
        self.send_response(503 if failing else 204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Quiet."""


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Hook]]:
    server = http.server.HTTPServer(("127.0.0.1", 0), Hook)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setattr(settings, "CHECKPOINT_WEBHOOK", f"http://127.0.0.1:{server.server_port}/hook")
    Hook.taken, Hook.failing = [], 0
    yield Hook
    server.shutdown()
    server.server_close()


@pytest.mark.slow
def test_a_webhook_takes_every_checkpoint_in_order_though_it_fails_now_and_then(webhook: type[Hook]) -> None:
    new_stream(1)
    sign()
    signing.publish()
    while outside.post_new():
        pass
    webhook.taken.clear()
    webhook.failing = 2
    notes = []
    for _ in range(3):
        new_stream(1)
        notes.append(sign())
        signing.publish()
    assert webhook.taken == notes


def test_a_file_that_is_no_copy_holds_nothing_up(folder: Path) -> None:
    new_stream(1)
    sign()
    signing.publish()
    newest = outside.newest()
    for stray in ("notes.checkpoint", "1 (copy).checkpoint", "999999999999.checkpoint.part"):
        (newest.path.parent / stray).write_text("a list of errands")
    assert outside.newest() == newest
    new_stream(1)
    assert sign() and signing.publish() == 1


@pytest.mark.slow
def test_copies_posted_to_the_webhook_are_not_read_again(webhook: type[Hook], monkeypatch: pytest.MonkeyPatch) -> None:
    new_stream(1)
    sign()
    signing.publish()
    while outside.post_new():
        pass
    new_stream(1)
    note = verified_checkpoint(sign())
    path, opened, read_copy = outside.write(note.size, note.at, signing.newest()), [], outside._read
    monkeypatch.setattr(outside, "_read", lambda path: opened.append(path) or read_copy(path))
    assert outside.post_new() == 1
    assert opened == [path]


def test_a_webhook_that_is_no_address_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "CHECKPOINT_WEBHOOK", "no address")
    new_stream(1)
    sign()
    assert signing.publish() > 0


def test_nothing_is_signed_by_a_database_that_was_set_back(folder: Path) -> None:
    """Outside stands a checkpoint that this database has never made."""
    sign()
    later = signing.signer().sign(verified_checkpoint(signing.newest())._replace(size=10**9))
    outside.write(10**9, verified_checkpoint(later).at, later)
    new_stream(1)
    with pytest.raises(signing.Forked, match="restored from an older copy"):
        sign()


# The note

NAME = "croupier.example.org"


def note_of() -> tuple[str, str]:
    """A note and its key."""
    house = Signer(NAME, "a secret of the house")
    return house.sign(Checkpoint(NAME, 7, bytes(range(32)), datetime(2026, 11, 21, 12, tzinfo=UTC))), house.verifier_key


@pytest.mark.parametrize(
    "change",
    [
        lambda note: note.replace("\n7\n", "\n8\n"),
        lambda note: note.replace("12:00", "12:01"),
        lambda note: note.replace("AAECAw", "BAECAw"),
        lambda note: note.replace(NAME, "other.example.org"),
        lambda note: note.replace("\u2014", "-"),
        lambda note: note[:-3] + "\n",
        lambda note: note[:-10] + "AAAA" + note[-6:],
        lambda note: "",
        lambda note: note.split("\n\n")[0],
        lambda note: "x\n" + note,
    ],
)
def test_a_note_that_was_changed_is_refused_here_and_by_the_standalone_verifier(change: Callable[[str], str]) -> None:
    good, key = note_of()
    assert read(good, key).size == 7
    assert croupier_verify.signed(good, key)
    bad = change(good)
    assert bad != good
    with pytest.raises(InvalidNote):
        read(bad, key)
    with suppress(ValueError):
        assert not croupier_verify.signed(bad, key)


def test_another_key_of_the_same_name_is_refused() -> None:
    good, _ = note_of()
    other = Signer(NAME, "another secret").verifier_key
    with pytest.raises(InvalidNote):
        read(good, other)
    assert not croupier_verify.signed(good, other)


RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("public", "message", "signature"), RFC_8032)
def test_the_standalone_verifier_checks_the_vectors_of_rfc_8032(public: str, message: str, signature: str) -> None:
    key, text, good = map(bytes.fromhex, (public, message, signature))
    assert croupier_verify.ed25519(key, text, good)
    assert not croupier_verify.ed25519(key, text + b"x", good)
    for place in range(0, 64, 7):
        assert not croupier_verify.ed25519(key, text, good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    high = (int.from_bytes(good[32:], "little") + croupier_verify._ORDER).to_bytes(32, "little")
    assert not croupier_verify.ed25519(key, text, good[:32] + high), "the same signature written otherwise"


# Held against the log

TABLES = {"events_event": TRIGGERS} | {
    table: (f"{table}_append_only", f"{table}_no_truncate", f"{table}_checked", *more)
    for table, more in {
        "events_leaf": ["events_leaf_only_tiled"], "events_subtree": ["events_subtree_only_tiled"], "events_signed": [],
    }.items()
}  # fmt: skip
Act = Callable[[psycopg.Connection[Any], UUID], object]


def faults() -> list[str]:
    """Return the current faults, compared with the copies outside."""
    key = signing.signer().verifier_key
    return [str(fault) for fault in checking.faults(key, None, lambda _: None)]


def tamper_and_look(act: Act, stream: UUID) -> list[str]:
    """The faults that an owner's act brings, which is undone afterwards."""
    before = faults()
    with owner() as hand:
        switch(hand, "DISABLE TRIGGER")
        hand.execute("CREATE TABLE kept_event AS SELECT * FROM events_event WHERE stream = %s", [stream])
        for name in ("events_leaf", "events_signed"):
            hand.execute(f"CREATE TABLE kept_{name} AS SELECT * FROM {name}")  # noqa: S608
        try:
            act(hand, stream)
            return [fault for fault in faults() if fault not in before]
        finally:
            hand.execute("DELETE FROM events_event WHERE stream = %s", [stream])
            hand.execute("INSERT INTO events_event SELECT * FROM kept_event")
            for name in ("events_leaf", "events_signed"):
                hand.execute(f"DELETE FROM {name}")  # noqa: S608
                hand.execute(f"INSERT INTO {name} SELECT * FROM kept_{name}")  # noqa: S608
            hand.execute("DROP TABLE kept_event, kept_events_leaf, kept_events_signed")
            switch(hand, "ENABLE ALWAYS TRIGGER")


def switch(hand: psycopg.Connection[Any], how: str) -> None:
    """Let the owner past the triggers of the log and its checkpoints, or no longer."""
    for table, names in TABLES.items():
        for name in names:
            hand.execute(f"ALTER TABLE {table} {how} {name}")


def statement(sql: str) -> Act:
    """One statement about the stream."""
    return lambda hand, stream: hand.execute(sql, {"stream": stream})


def rewrite_whole_chain(hand: psycopg.Connection[Any], stream: UUID) -> None:
    """Another event 2, and every hash after it made anew: the chain itself holds."""
    previous = chain.GENESIS
    for row in store.read(stream):
        changed = row._replace(public=b'{"n":1000}') if row.version == 2 else row
        previous = chain.relink(previous, stream, changed)
        hand.execute("UPDATE events_event SET public = %s, hash = %s WHERE stream = %s AND version = %s",
                     (changed.public, previous, stream, row.version))  # fmt: skip


def rewrite_the_leaf_too(hand: psycopg.Connection[Any], stream: UUID) -> None:
    """The chain and the leaf that should have shown it."""
    rewrite_whole_chain(hand, stream)
    hand.execute("UPDATE events_leaf l SET hash = e.hash FROM events_event e"
                 " WHERE l.stream = %s AND e.stream = l.stream AND e.version = l.version", [stream])  # fmt: skip


FAULTS: dict[str, tuple[str, Act]] = {
    "a whole chain rewritten": ("version 4: not the event that a signed checkpoint holds", rewrite_whole_chain),
    "and its leaf too": ("some are not those that were signed", rewrite_the_leaf_too),
    "a tail cut off": (
        "version 4: missing; a signed checkpoint holds it",
        statement("DELETE FROM events_event WHERE stream = %(stream)s AND version > 2"),
    ),
    "a stream deleted": (
        "version 4: missing; a signed checkpoint holds it",
        statement("DELETE FROM events_event WHERE stream = %(stream)s"),
    ),
    "a leaf deleted": (
        "is missing from the database",
        statement(
            "DELETE FROM events_leaf WHERE position = (SELECT min(position) FROM events_leaf"
            " WHERE position >= 256 * (SELECT count(*) FROM events_tile))"
        ),
    ),
    "the database set back": (
        "it was set back",
        statement(
            "WITH first AS (SELECT min(position) AS at FROM events_leaf WHERE stream = %(stream)s),"
            " gone AS (DELETE FROM events_signed WHERE size > (SELECT at FROM first))"
            " DELETE FROM events_leaf WHERE position >= (SELECT at FROM first)"
        ),
    ),
    "a checkpoint changed": (
        "a checkpoint in the database: The signature is not the key's.",
        statement(
            "UPDATE events_signed SET note = replace(note, 'time 2', 'time 3')"
            " WHERE size = (SELECT max(size) FROM events_signed)"
        ),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_changes_of_a_covered_stream_by_the_owner_are_detected(fault: str) -> None:
    sentence, act = FAULTS[fault]
    stream, _ = new_stream(4), new_stream(1)
    assert sign()
    signing.publish()
    sentences = tamper_and_look(act, stream)
    assert any(sentence in it for it in sentences), sentences
    if "version" in sentence:
        assert any(str(stream) in it for it in sentences)


def test_copy_that_is_no_text_is_reported(folder: Path) -> None:
    new_stream(1)
    sign()
    signing.publish()
    outside.newest().path.write_bytes(b"\xff\xfe")
    assert any("It is no checkpoint" in fault for fault in faults())


def test_copy_with_a_bad_signature_is_reported(folder: Path) -> None:
    new_stream(1)
    sign()
    signing.publish()
    good = outside.newest()
    good.path.write_text(good.note.replace("time 2", "time 3"))
    assert any("The signature is not the key's." in fault and str(good.path) in fault for fault in faults())
