"""The house's log only grows: proved over HTTP between two checkpoints, and checked without the house."""

import base64
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from events.checkpoints import merkle, signing
from events.checkpoints.notes import Checkpoint
from matches.audit.croupier_verify import Bad, Changed, check_continues, continues
from tests.api.guests import Guest
from tests.events.staging import new_stream
from tests.matches.test_audit import alone

LEAVES = [merkle.leaf_hash(bytes([number])) for number in range(33)]


def trees() -> Iterator[tuple[tuple[int, bytes], tuple[int, bytes], list[bytes]]]:
    """Every tree of up to 33 leaves, each later one, and the proof between them."""
    for size in range(1, len(LEAVES) + 1):
        for earlier in range(1, size + 1):
            path = [merkle.root(LEAVES[start:end]) for start, end in merkle.consistency(earlier, size)]
            yield (earlier, merkle.root(LEAVES[:earlier])), (size, merkle.root(LEAVES[:size])), path


def test_standalone_verifier_accepts_true_proofs_and_no_changed_one() -> None:
    wrong = bytes(32)
    for earlier, later, path in trees():
        assert continues(earlier, later, path), (earlier[0], later[0])
        assert not continues((earlier[0], wrong), later, path)
        assert not continues(earlier, (later[0], wrong), path)
        assert not continues(earlier, later, [*path, wrong])
        for place in range(len(path)):
            assert not continues(earlier, later, [*path[:place], wrong, *path[place + 1 :]])
            assert not continues(earlier, later, path[:place] + path[place + 1 :])
        if earlier[0] < later[0]:
            assert not continues(later, earlier, path)


def signed_note() -> str:
    new_stream(2)
    note = signing.sign_if_due(after_seconds=0)
    assert note is not None
    return note


def size_of(note: str) -> int:
    return int(note.split("\n")[1])


def test_consistency_proof_for_a_kept_checkpoint_needs_no_account(tmp_path: Path) -> None:
    earlier_note = signed_note()
    between, newest = signed_note(), signed_note()
    answer = Guest().get("/checkpoints/consistency", {"from": size_of(earlier_note)})
    assert answer.status == 200
    assert (answer.json["from_note"], answer.json["to_note"]) == (earlier_note, newest)
    named = Guest().get("/checkpoints/consistency", {"from": size_of(earlier_note), "to": size_of(between)})
    assert check_continues(earlier_note, named.body.decode()) == (size_of(earlier_note), size_of(between))
    note, proof, key = tmp_path / "kept", tmp_path / "proof", signing.signer().verifier_key
    note.write_text(earlier_note)
    proof.write_bytes(answer.body)
    held = alone("--continues", note, proof, key, cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, "")
    assert held.stdout == f"the log of {size_of(newest)} leaves begins with the one of {size_of(earlier_note)}\n"
    another = base64.b64encode(bytes(32)).decode()
    note.write_text(earlier_note.replace(earlier_note.split("\n")[2], another))
    changed = alone("--continues", note, proof, cwd=tmp_path)
    assert changed.returncode == 4 and "the path doesn't show" in changed.stdout
    forged = alone("--continues", note, proof, key, cwd=tmp_path)
    assert forged.returncode == 4 and "isn't signed" in forged.stdout


def two_logs(earlier_size: int, later_size: int) -> tuple[str, str, str]:
    """A signed note, the answer of an installation whose log has another first leaf, and the key of both."""
    signer = signing.signer()

    def note(leaves: list[bytes]) -> str:
        return signer.sign(Checkpoint(signer.name, len(leaves), merkle.root(leaves), datetime(2026, 1, 1, tzinfo=UTC)))

    other = [merkle.leaf_hash(b"other"), *LEAVES[1:]]
    path = [merkle.root(other[start:end]).hex() for start, end in merkle.consistency(earlier_size, later_size)]
    answer = {"path": path, "to_note": note(other[:later_size])}
    return note(LEAVES[:earlier_size]), json.dumps(answer), signer.verifier_key


@pytest.mark.parametrize("sizes", [(5, 5), (5, 9), (6, 20), (7, 33), (21, 22)])
def test_contradicting_signed_checkpoints_prove_a_rewritten_log(sizes: tuple[int, int]) -> None:
    earlier_note, answer, key = two_logs(*sizes)
    with pytest.raises(Bad, match="the house has rewritten its record") as bad:
        check_continues(earlier_note, answer, key)
    assert bad.type is Bad
    with pytest.raises(Changed, match="the path doesn't show"):
        check_continues(earlier_note, answer)


@pytest.mark.parametrize("sizes", [(4, 9), (8, 33)])
def test_a_proof_without_the_earlier_root_may_have_been_changed(sizes: tuple[int, int]) -> None:
    """From a size that is a power of two the path holds nothing of the earlier tree."""
    with pytest.raises(Changed, match="the path doesn't show"):
        check_continues(*two_logs(*sizes))


def test_a_changed_letter_of_a_note_or_a_proof_proves_no_rewritten_log() -> None:
    earlier_note, between = signed_note(), signed_note()
    signed_note()
    key, rng = signing.signer().verifier_key, Random(3)
    answer = Guest().get("/checkpoints/consistency", {"from": size_of(earlier_note)}).body.decode()
    for _ in range(60):
        pair = [earlier_note, answer]
        which = rng.randrange(2)
        place = rng.randrange(len(pair[which]))
        pair[which] = pair[which][:place] + rng.choice("0aZ=\n") + pair[which][place + 1 :]
        for checked_with in (key, None):
            try:
                check_continues(pair[0], pair[1], checked_with)
            except Bad as bad:
                assert isinstance(bad, Changed), (pair[which][place - 5 : place + 5], bad)
    with pytest.raises(Changed):
        check_continues(between, answer, key)


@pytest.mark.parametrize("proof", ["", "[]", "{}", "null", '{"path": ["x"], "to_note": ""}', '{"path": 7}'])
def test_invalid_consistency_proof_is_refused(proof: str) -> None:
    with pytest.raises(Bad):
        check_continues(signed_note(), proof)


def test_the_newest_checkpoint_continues_itself() -> None:
    note = signed_note()
    answer = Guest().get("/checkpoints/consistency", {"from": size_of(note), "to": size_of(note)})
    assert answer.json["path"] == []
    assert check_continues(note, json.dumps(answer.json)) == (size_of(note), size_of(note))


def test_sizes_without_a_checkpoint_are_refused() -> None:
    earlier, later = signed_note(), signed_note()
    for query in ({"from": size_of(later), "to": size_of(earlier)}, {"from": 2**50}, {"from": 1, "to": 2**50}):
        assert Guest().get("/checkpoints/consistency", query).refusal == (404, "no_checkpoint")
    for query in ({"from": 0}, {"from": "x"}, {}, {"to": 5}, {"from": 2**60}):
        assert Guest().get("/checkpoints/consistency", query).refusal[0] == 400
