"""A record tells who promised, who showed and who was left out; one that tells it otherwise doesn't hold."""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from matches.audit import export, replay
from matches.audit.croupier_verify import Bad, nonces_sentences, verify
from matches.domain import nonces
from matches.services import timing
from tests.matches.test_audit import Line, exported, parsed, rechain, written
from tests.matches.test_nonces import Party
from tests.table_setting import play_to_the_end

OLDER = Path(__file__).with_name("before_nonces_were_promised.ndjson")


def ended(party: Party) -> tuple[str, ...]:
    """The record of the party's match, played to its end."""
    play_to_the_end(party.match)
    return tuple(exported(party.match.id))


@cache
def both_revealed() -> tuple[str, ...]:
    """Return the record of a match in which both promised a nonce and revealed it after the call to start."""
    party = Party(0, 1)
    party.start()
    party.show(0)
    party.show(1)
    return ended(party)


@cache
def left_out() -> tuple[str, ...]:
    """One in which seat 1 didn't show its nonce in time."""
    with pytest.MonkeyPatch.context() as hurried:
        party = Party(0, 1)
        party.show(0)
        hurried.setattr(nonces, "REVEAL_SECONDS", 0)
        party.start()
        timing.let_flag_fall(match_id=party.match.id)
        return ended(party)


@pytest.mark.parametrize(("record", "gave"), [(both_revealed, [2, 2]), (left_out, [2, 3])])
def test_record_with_committed_nonces_is_verified(
    record: Callable[[], tuple[str, ...]], gave: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = record()
    summary = verify(lines)
    assert (summary["nonces"], summary["draws"] > 20) == (gave, True)
    export.replay(lines)
    if record is left_out:
        monkeypatch.setattr(nonces, "REVEAL_SECONDS", 0)
    assert replay.judged(lines).acts > 40


def test_record_of_an_older_release_is_verified() -> None:
    """Plain nonces, mixed as they were, a rewind, and a bot that chose by the system's generator."""
    lines = OLDER.read_text(encoding="utf-8").splitlines()
    assert (verify(lines)["nonces"], verify(lines)["draws"]) == ([1, 0], 1)
    export.replay(lines)
    judged = replay.judged(lines)
    assert (judged.programmed, judged.unprogrammed > 2) == (0, True)


def event(lines: list[Line], kind: str, seat: int | None = None) -> Line:
    """The last event of a type, by this seat."""
    return [it for it in lines if it.get("type") == kind and seat in (None, it["public"].get("seat"))][-1]


def drop(lines: list[Line], dropped: Line) -> None:
    """An event is kept back, and everything behind it closes up."""
    lines.remove(dropped)
    lines[0]["version"] -= 1
    for line in lines[dropped["version"] :]:
        line["draw" if "draw" in line else "version"] -= 1


def another_nonce(lines: list[Line]) -> None:
    event(lines, "nonce_revealed", 0)["public"]["nonce"] = "ab" * 32


def respelled(lines: list[Line]) -> None:
    public = event(lines, "nonce_revealed", 0)["public"]
    public["nonce"] = public["nonce"].upper()


def shown_by_another(lines: list[Line]) -> None:
    event(lines, "nonce_revealed", 0)["public"]["seat"] = 1


def promised_too_late(lines: list[Line]) -> None:
    """The last to give a nonce promises it once the other's is shown."""
    early, late = event(lines, "nonce_committed", 1), event(lines, "nonce_revealed", 0)
    for field in ("public", "type", "actor"):
        early[field], late[field] = late[field], early[field]


def shown_twice(lines: list[Line]) -> None:
    revealed = event(lines, "nonce_revealed", 1)
    revealed["public"] = deepcopy(event(lines, "nonce_revealed", 0)["public"])


def in_plain_afterwards(lines: list[Line]) -> None:
    revealed = event(lines, "nonce_revealed", 1)
    revealed["type"] = revealed["public"]["type"] = "nonce_added"


def unnamed(lines: list[Line]) -> None:
    """Drop the event that names the seat whose nonce was left out."""
    drop(lines, event(lines, "nonce_left_out"))


def kept_back(lines: list[Line]) -> None:
    """The house turns a nonce away and doesn't say so."""
    drop(lines, event(lines, "nonce_revealed", 0))


def never_called(lines: list[Line]) -> None:
    """A seat is left out without a time in which it could have shown its nonce."""
    drop(lines, event(lines, "nonces_called"))


def mixed_otherwise(lines: list[Line]) -> None:
    lines[1]["public"]["nonces"] = "croupier-nonces-v3"


def mixed_as_before(lines: list[Line]) -> None:
    del lines[1]["public"]["nonces"]


FORGED = [
    (both_revealed, another_nonce, "not the one that was promised"),
    (both_revealed, respelled, "64 hex digits"),
    (both_revealed, shown_by_another, "not the one that was promised"),
    (both_revealed, promised_too_late, "none once a promised one is shown"),
    (both_revealed, shown_twice, "no promised nonce"),
    (both_revealed, in_plain_afterwards, "none once a promised one is shown"),
    (both_revealed, kept_back, "left out by name"),
    (both_revealed, mixed_otherwise, "isn't known here"),
    (both_revealed, mixed_as_before, "given in plain"),
    (left_out, unnamed, "left out by name"),
    (left_out, kept_back, "left out by name"),
    (left_out, never_called, "once the start was called"),
]


@pytest.mark.parametrize(
    ("record", "forge", "why"), FORGED, ids=[f"{one.__name__} {two.__name__}" for one, two, _ in FORGED]
)
def test_record_with_forged_nonces_is_refused_although_it_is_rechained(
    record: Callable[[], tuple[str, ...]], forge: Callable[[list[Line]], None], why: str
) -> None:
    lines = deepcopy(parsed(record()))
    forge(lines)
    rechain(lines, 1)
    with pytest.raises(Bad, match=why):
        verify(written(lines))


def test_seat_left_out_too_early_is_detected_by_the_rules() -> None:
    """The record says until when it could have shown its nonce."""
    with pytest.raises(Bad, match="the rules don't give this event here"):
        replay.judged(left_out())


@pytest.mark.parametrize("names", [None, ("Mira", "Tobias", "Bot")])
def test_server_and_verifier_word_the_fairness_of_draws_equally(
    names: tuple[str, ...] | None,
) -> None:
    for kinds in product(range(4), repeat=3):
        assert nonces.fairness_sentence_of(kinds, names) == nonces_sentences(list(kinds), names)
