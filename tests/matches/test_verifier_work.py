"""Checking a record takes work in proportion to its length, whoever wrote it: counted in lines of code, not in time."""

import json
import sys
from collections.abc import Callable
from hashlib import sha256
from types import FrameType
from typing import Any
from uuid import UUID

import pytest

from matches.audit import croupier_verify
from matches.audit.croupier_verify import Bad, Changed, Unsupported, verify

MATCH = UUID(int=7)
SEED = bytes(32)
Public = dict[str, Any]


def record(game: str, events: list[Public], *, options: Public | None = None) -> list[str]:
    """The lines of a finished match with these events in it, all of whose hashes fit, and no draws."""
    opening = {
        "type": "match_opened", "game": game, "seats": 2, "chance": "croupier-chance-v1", "options": options or {},
        "seed_commitment": sha256(SEED).hexdigest(),
    }  # fmt: skip
    end: list[Public] = [{"type": "match_voided"}, {"type": "seed_revealed", "seed": SEED.hex()}]
    header: Public = {"format": croupier_verify.FORMAT, "match": str(MATCH), "game": game, "version": len(events) + 3}
    lines, previous = [], b""
    for version, public in enumerate([opening, *events, *end], start=1):
        line = {
            "version": version, "type": public["type"], "schema": 1, "actor": "dealer",
            "at": f"2026-01-01T00:00:00.{version:06}Z", "public": dict(sorted(public.items())), "digest": None,
            "secret": None, "salt": None, "audience": None,
        }  # fmt: skip
        previous = croupier_verify.event_hash(previous, MATCH, line)
        lines.append(line | {"hash": previous.hex()})
    header |= {"hash": previous.hex(), "finished": True, "seed_commitment": opening["seed_commitment"],
               "chance": opening["chance"], "draws": 0, "checkpoint": False}  # fmt: skip
    return [json.dumps(sort_within(line), separators=(",", ":")) for line in (header, *lines)]


def sort_within(line: Public) -> Public:
    """The line with the names inside its values in order."""
    return {name: json.loads(json.dumps(value, sort_keys=True)) for name, value in line.items()}


def work(act: Callable[[], object]) -> int:
    """Return how many lines of code run, comprehensions' among them."""
    count, before = 0, sys.gettrace()

    def trace(frame: FrameType, kind: str, _: object) -> Any:
        nonlocal count
        count += kind == "line"
        return trace

    sys.settrace(trace)
    try:
        act()
    except Bad:
        pass
    finally:
        sys.settrace(before)
    return count


def placed(number: int) -> Public:
    return {"type": "card_placed", "colour": "orange", "space": number % 5}


LONG: dict[str, Callable[[int], list[str]]] = {
    "starts": lambda count: record("pentagram", [{"type": "match_started"}] * count),
    "cards placed": lambda count: record("pentagram", [placed(number) for number in range(count)]),
    "bricks dealt": lambda count: record("pyramid_poker", [{"type": "brick_dealt", "brick": "AS"}] * count),
    "nonces in plain": lambda count: record("pentagram", [{"type": "nonce_added", "seat": 0, "nonce": "x"}] * count),
    "substitutions": lambda count: record("pentagram", [{"type": "seat_substituted", "seat": 0}] * count),
    "rewinds": lambda count: record("pentagram", [{"type": "match_rewound", "to_version": 1}] * count),
}


@pytest.mark.parametrize("kind", LONG)
@pytest.mark.parametrize("undrawn", [False, True])
def test_work_of_verification_grows_linearly_with_the_record(kind: str, undrawn: bool) -> None:
    once, twice = (LONG[kind](count) for count in (200, 400))
    assert work(lambda: verify(twice, undrawn=undrawn)) < 2.3 * work(lambda: verify(once, undrawn=undrawn))


def test_list_of_taken_cards_is_bounded_by_what_can_be_drawn() -> None:
    """Else each of many events would have a longer list than the one before."""
    log = [json.loads(line) for line in LONG["cards placed"](400)[1:]]
    befores = croupier_verify._befores(log, croupier_verify.GAMES["pentagram"])
    assert max(len(spent.get("placement", ())) for _, _, spent, _ in befores[1:]) == 5


def test_nonces_are_collected_once_for_all_seeds_of_a_match() -> None:
    logs = []
    for count in (100, 200):
        opening = {"type": "match_opened", "public": {"seats": 2}}
        logs.append([opening, *[{"type": "seed_revealed", "public": {"seed": SEED.hex()}}] * count])
    once, twice = (work(lambda log=log: croupier_verify._keys(log)) for log in logs)
    assert twice < 2.3 * once


@pytest.mark.parametrize("mark", ["\u0301", "\u0f73"])
def test_a_run_of_many_marks_is_not_composed(mark: str) -> None:
    """Putting marks in order takes time by the square of their number."""
    most = croupier_verify.MOST_MARKS
    assert croupier_verify._composed("e" + mark * most)
    with pytest.raises(ValueError, match="marks stand upon one letter"):
        croupier_verify._composed("e" + mark * (most + 1))


def test_a_number_of_many_digits_is_not_read() -> None:
    lines = record("pentagram", [])
    most = croupier_verify.MOST_DIGITS
    for place in (0, 1):
        changed = [*lines]
        changed[place] = lines[place].replace('"version":', f'"version":{"9" * most}', 1)
        with pytest.raises(Changed, match="the line is not JSON"):
            verify(changed)


def test_too_large_parts_of_an_event_are_not_checked() -> None:
    most = croupier_verify.MOST_IN_OPTIONS
    with pytest.raises(Unsupported, match="its options have more than"):
        verify(record("pentagram", [], options={"x": "x" * most}))
    with pytest.raises(Unsupported, match="a nonce has more than"):
        verify(record("pentagram", [{"type": "nonce_added", "seat": 0, "nonce": "x" * 10_001}]))


def test_groups_of_more_cards_than_any_game_has_are_not_filled() -> None:
    groups = [{"board": "A", "shape": str(number), "cards": ["A1"]} for number in range(501)]
    with pytest.raises(Unsupported, match="groups of more than 1000 cards"):
        croupier_verify._filled({"fields": ["groups"]}, {"groups": groups}, iter(()))


def test_a_note_s_first_signatures_alone_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    public = bytes([1]) + bytes(32)
    number = sha256(b"house\n" + public).digest()[:4]
    encoded = croupier_verify.base64.b64encode(public).decode()
    signature = croupier_verify.base64.b64encode(number + bytes(64)).decode()
    note = "house\n1\nroot\n\n" + f"\u2014 house {signature}\n" * 500
    checked: list[bytes] = []
    monkeypatch.setattr(croupier_verify, "ed25519", lambda *parts: bool(checked.append(parts[2])))
    assert not croupier_verify.signed(note, f"house+{number.hex()}+{encoded}")
    assert len(checked) <= croupier_verify.MOST_SIGNATURES


def test_a_player_of_very_many_substitutes_is_not_followed() -> None:
    successors = {str(number): str(number + 1) for number in range(croupier_verify.MOST_SUBSTITUTES + 1)}
    assert croupier_verify._is_or_became("5", "700", successors)
    assert not croupier_verify._is_or_became("5", "elsewhere", {"5": "6", "6": "7"})
    with pytest.raises(Unsupported, match="substitutes"):
        croupier_verify._is_or_became("0", "elsewhere", successors)
