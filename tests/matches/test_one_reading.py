"""A record has one reading: nobody was told one thing by a part of an event and another by the rest of it."""

from collections.abc import Callable
from copy import deepcopy

import pytest

from matches.audit import croupier_verify, replay
from matches.audit.croupier_verify import Bad, verify
from tests.matches.test_audit import Line, finished, parsed, rechain, written


def of_type(lines: list[Line], kind: str) -> Line:
    """The first event of a type."""
    return next(line for line in lines if line.get("type") == kind)


def told_two_ways(lines: list[Line]) -> None:
    """All see one cell, and the record of the match is that of another."""
    dealt = of_type(lines, "brick_dealt")
    dealt["public"]["brick"] = "AS" if dealt["secret"]["brick"] != "AS" else "2S"


def slipped_in(lines: list[Line]) -> None:
    """The secret has a field more than the public part leaves open."""
    dealt = of_type(lines, "brick_dealt")
    dealt["secret"]["seat"] = dealt["public"].pop("seat")


def of_two_types(lines: list[Line]) -> None:
    """Give an event another type in its public part."""
    of_type(lines, "seat_taken")["public"]["type"] = "ruling_posted"


def forged(act: Callable[[list[Line]], None]) -> list[str]:
    """The record of a finished match after that, each promise and hash made anew, and without its checkpoint."""
    lines = deepcopy(parsed(finished("pyramid_poker")))
    act(lines)
    for line in lines[1:]:
        if line.get("secret") is not None:
            line["digest"] = croupier_verify.digest(bytes.fromhex(line["salt"]), line["secret"]).hex()
    rechain(lines, 1)
    if lines[0]["checkpoint"]:
        lines[0]["checkpoint"] = False
        lines.pop()
    return written(lines)


@pytest.mark.parametrize(
    ("act", "why"),
    [(told_two_ways, "leaves open"), (slipped_in, "leaves open"), (of_two_types, "another type")],
)
def test_ambiguous_event_is_refused(act: Callable[[list[Line]], None], why: str) -> None:
    with pytest.raises(Bad, match=why):
        verify(forged(act))


def test_secret_recorded_for_another_seat_is_detected_by_the_rules() -> None:
    """The chain holds, and every move is legal: only who was told is another."""

    def peeked(lines: list[Line]) -> None:
        dealt = of_type(lines, "brick_dealt")
        dealt["audience"] = {"seat:0": "seat:1", "seat:1": "seat:0"}[dealt["audience"]]

    lines = forged(peeked)
    assert verify(lines)["events"]
    with pytest.raises(Bad, match="told to another seat"):
        replay.judged(lines)


@pytest.mark.parametrize("seats", [10**9, 0, -1, True, "2", None])
def test_record_with_too_many_seats_is_refused(seats: object) -> None:
    def crowded(lines: list[Line]) -> None:
        lines[1]["public"]["seats"] = seats

    with pytest.raises(Bad, match="1 to 100 seats"):
        verify(forged(crowded))


def test_deeply_nested_event_is_refused_at_any_depth() -> None:
    header, opening, *_ = written(parsed(finished("pyramid_poker")))
    for depth in (10, *range(900, 1100)):
        nested = opening.replace('"public":{', f'"public":{{"z":{"[" * depth}{"]" * depth},', 1)
        with pytest.raises(Bad):
            verify([header, nested])
