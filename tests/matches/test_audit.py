"""The export: it holds without trusting the house, and every tampering with it shows."""

import ast
import json
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import pytest

from events.upcasting import Fields, Upcasters
from games import catalogue
from games.kernel.messages import type_name
from matches.audit import croupier_verify, export, replay
from matches.audit.croupier_verify import Bad, verify
from matches.domain import events as happenings
from matches.services import opening
from matches.storage import codec, seeds
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, waiting_match
from tests.waiting import PATIENCE

VERIFIER = Path(croupier_verify.__file__)
PLACES = 50
Line = dict[str, Any]


def exported(match_id: UUID) -> list[str]:
    """The export's lines."""
    return b"".join(export.export(match_id)).decode().splitlines()


@cache
def finished(slug: str) -> tuple[str, ...]:
    """The export of a finished match of this game, with nonces in it."""
    people = [new_account() for _ in range(catalogue[slug].seats.min)]
    match = waiting_match(slug, *people)
    opening.add_nonce(match_id=match.id, player=people[1].id, seat=1, nonce="my dice")
    opening.start(match_id=match.id, by=match.opened_by_id, reason="")
    play_to_the_end(match)
    return tuple(exported(match.id))


@cache
def running() -> tuple[str, ...]:
    """The export of a running match with many secrets."""
    match = running_match("higher_or_lower")
    play_on(match, 30)
    return tuple(exported(match.id))


def parsed(lines: tuple[str, ...]) -> list[Line]:
    """The header and the events, to tamper with."""
    return [json.loads(line) for line in lines]


def written(lines: list[Line]) -> list[str]:
    """Lines once more."""
    return [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines]


def other(value: Any, rng: Random) -> Any:
    """Another value of the same kind."""
    match value:
        case None:
            return "something"
        case bool():
            return not value
        case int():
            return value + rng.choice([-1, 1])
        case str():
            place = rng.randrange(len(value) + 1)
            return f"{value[:place]}{rng.choice('0aZ')}{value[place:]}"
        case list():
            return value[:-1] if value and rng.random() < 0.5 else [*value, 0]
        case dict() if value:
            name = rng.choice(sorted(value))
            return {**value, name: other(value[name], rng)}
    return {"something": 0}


def change(field: str) -> Callable[[list[Line], int, Random], None]:
    """Another value in one field of the event."""

    def act(lines: list[Line], place: int, rng: Random) -> None:
        lines[place][field] = other(lines[place][field], rng)

    return act


def hex_change(field: str) -> Callable[[list[Line], int, Random], None]:
    """Another digit in a field that holds hex, or hex where there is none."""

    def act(lines: list[Line], place: int, rng: Random) -> None:
        digits = lines[place][field] or "00" * 32
        at = rng.randrange(len(digits))
        digit = rng.choice([digit for digit in "0123456789abcdef" if digit != digits[at]])
        lines[place][field] = f"{digits[:at]}{digit}{digits[at + 1 :]}"

    return act


def at_another_time(lines: list[Line], place: int, rng: Random) -> None:
    """A microsecond sooner or later."""
    at = lines[place]["at"]
    lines[place]["at"] = f"{at[:-2]}{(int(at[-2]) + rng.randint(1, 9)) % 10}Z"


def swap(lines: list[Line], place: int, rng: Random) -> None:
    """The event and the one after it change places."""
    place = min(place, lines[0]["version"] - 1)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]


def swap_and_renumber(lines: list[Line], place: int, rng: Random) -> None:
    """The same, with the numbers put right."""
    place = min(place, lines[0]["version"] - 1)
    swap(lines, place, rng)
    for near in (place, place + 1):
        lines[near] = {**lines[near], "version": near}


def blank(lines: list[Line], place: int, rng: Random) -> None:
    """A secret is kept back."""
    lines[place] |= {"secret": None, "salt": None}


def forget(lines: list[Line], place: int, rng: Random) -> None:
    """A secret is made never to have been."""
    lines[place] |= {"secret": None, "salt": None, "digest": None, "audience": None}


def with_secret(lines: list[Line], place: int) -> int:
    """The next event with a secret, or the one before."""
    later = [n for n, line in enumerate(lines) if n >= place and line.get("digest")]
    return later[0] if later else max(n for n, line in enumerate(lines) if line.get("digest"))


def on_a_secret(act: Callable[[list[Line], int, Random], None]) -> Callable[[list[Line], int, Random], None]:
    """The tampering at an event that has a secret."""
    return lambda lines, place, rng: act(lines, with_secret(lines, place), rng)


def invented(lines: list[Line], place: int, rng: Random) -> None:
    """A secret is put where there was none."""
    last = lines[0]["version"]
    place = next((n for n in range(place, last) if lines[n]["digest"] is None), last)
    lines[place] |= {"secret": {"card": "7H"}, "salt": "00" * 16}


TAMPERINGS: dict[str, Callable[[list[Line], int, Random], None]] = {
    "another fact": change("public"),
    "another actor": change("actor"),
    "another type": change("type"),
    "another schema": change("schema"),
    "another version": change("version"),
    "another time": at_another_time,
    "another hash": hex_change("hash"),
    "another digest": hex_change("digest"),
    "another audience": change("audience"),
    "another secret": on_a_secret(change("secret")),
    "another salt": on_a_secret(hex_change("salt")),
    "a secret kept back": on_a_secret(blank),
    "a secret forgotten": on_a_secret(forget),
    "a secret invented": invented,
    "an event dropped": lambda lines, place, rng: lines.pop(place),
    "an event told twice": lambda lines, place, rng: lines.insert(place, deepcopy(lines[place])),
    "events swapped": swap,
    "events swapped and renumbered": swap_and_renumber,
    "the end cut off": lambda lines, place, rng: lines.__delitem__(slice(place, None)),
    "a field added": lambda lines, place, rng: lines[place].update({"note": "nothing"}),
    "a field left out": lambda lines, place, rng: lines[place].pop(rng.choice(sorted(lines[place]))),
}


@pytest.mark.parametrize("kind", TAMPERINGS)
def test_tampering_is_detected_no_later_than_where_it_is(kind: str) -> None:
    rng, good = Random(kind), parsed(finished("higher_or_lower"))
    for _ in range(PLACES):
        place, lines = rng.randint(1, good[0]["version"]), list(good)
        for near in {place, min(place + 1, good[0]["version"]), with_secret(good, place), *range(place, place + 5)}:
            lines[near] = deepcopy(lines[near])
        TAMPERINGS[kind](lines, place, rng)
        first = next((n for n, pair in enumerate(zip(lines, good, strict=False)) if pair[0] != pair[1]), len(lines))
        with pytest.raises(Bad) as bad:
            verify(written(lines))
        assert bad.value.version <= first, f"{bad.value}, tampered at {first}"


@pytest.mark.parametrize(
    "name", ["match", "game", "version", "hash", "finished", "seed_commitment", "chance", "format"]
)
@pytest.mark.parametrize(
    "lines", [lambda: finished("peeling_the_banana"), running], ids=["finished without secrets", "running"]
)
def test_header_that_differs_from_its_events_is_refused(lines: Callable[[], tuple[str, ...]], name: str) -> None:
    rng, good = Random(name), parsed(lines())
    for _ in range(5):
        changed = deepcopy(good)
        changed[0][name] = str(UUID(int=rng.getrandbits(128))) if name == "match" else other(good[0][name], rng)
        with pytest.raises(Bad):
            verify(written(changed))


def rechain(lines: list[Line], since: int) -> None:
    """Make every hash from a place on anew, and the header fit: whoever does this needs no secret."""
    previous = bytes.fromhex(lines[since - 1]["hash"]) if since > 1 else b""
    for line in lines[since : lines[0]["version"] + 1]:
        previous = croupier_verify.event_hash(previous, UUID(lines[0]["match"]), line)
        line["hash"] = previous.hex()
    lines[0]["hash"] = previous.hex()


def test_rechained_log_fits_its_header_but_no_hash_noted_earlier() -> None:
    """Alone a file can't show that it was never another; whoever kept an earlier hash can tell."""
    good = parsed(finished("pentagram"))
    lines = deepcopy(good)
    lines[40]["actor"] = "mallory"
    rechain(lines, 40)
    verify(written(lines))
    last = good[0]["version"]
    assert {line["hash"] for line in lines[40 : last + 1]}.isdisjoint(line["hash"] for line in good[1 : last + 1])


def test_a_secret_or_a_seed_can_not_be_changed_even_with_a_new_chain() -> None:
    good = parsed(finished("higher_or_lower"))
    lines = deepcopy(good)
    place = with_secret(lines, 10)
    lines[place]["secret"] = other(lines[place]["secret"], Random(1))
    rechain(lines, place)
    with pytest.raises(Bad, match="the secret is not the one that was promised"):
        verify(written(lines))
    lines = deepcopy(good)
    place = lines[0]["version"]
    lines[place]["public"]["seed"] = "00" * 32
    rechain(lines, place)
    with pytest.raises(Bad, match="the revealed seed is not the one that was promised"):
        verify(written(lines))


@pytest.mark.parametrize("slug", catalogue)
def test_the_rules_refuse_another_outcome_however_well_it_is_chained(slug: str) -> None:
    good = parsed(finished(slug))
    export.replay(written(good))
    lines = deepcopy(good)
    place = next(n for n, line in enumerate(lines) if line.get("type") == "match_finished")
    public = lines[place]["public"]
    lines[place]["public"] = {**public, "winners": public["ranking"][-1], "ranking": public["ranking"][::-1]}
    assert lines[place]["public"] != public
    rechain(lines, place)
    verify(written(lines))
    with pytest.raises(Bad, match="the rules give another outcome than the recorded one"):
        export.replay(written(lines))


def test_a_record_in_an_old_shape_is_replayed_in_todays(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = Upcasters()

    @steps.step("brick_placed", 1)
    def square_became_cell(fields: Fields) -> Fields:
        return {("cell" if name == "square" else name): value for name, value in fields.items()}

    lines = parsed(finished("pyramid_poker"))
    placed = [line["public"] for line in lines[1:] if line.get("type") == "brick_placed"]
    for public in placed:
        public["square"] = public.pop("cell")
    monkeypatch.setattr(codec, "upcasters", steps)
    assert placed
    export.replay(written(lines))
    assert replay.judged(written(lines)).acts


def test_record_of_an_unknown_game_is_refused_by_name() -> None:
    lines = parsed(finished("pyramid_poker"))
    lines[0]["game"] = lines[1]["public"]["game"] = "ludo"
    for check in (export.replay, replay.judged):
        with pytest.raises(Bad, match="ludo"):
            check(written(lines))


@pytest.mark.parametrize("slug", catalogue)
def test_no_false_alarm_on_ten_good_exports(slug: str) -> None:
    match, rng = running_match(slug), Random(slug)
    for _ in range(9):
        lines = exported(match.id)
        summary = verify(lines)
        export.replay(lines)
        assert (summary["match"], summary["game"]) == (str(match.id), slug)
        assert (summary["events"], summary["opened"], summary["seed"]) == (match.version, 0, False)
        play_on(match, 1, rng)
    whole = finished(slug)
    summary = verify(whole)
    export.replay(whole)
    header = parsed(whole)[0]
    assert (summary["events"], summary["seed"]) == (header["version"], True)
    assert summary["draws"] == header["draws"] == len(whole) - 1 - header["version"]
    assert (summary["draws"] > 0) == bool(catalogue[slug].draws)
    assert summary["opened"] == sum(line.get("digest") is not None for line in parsed(whole))


def test_export_of_a_running_match_has_no_secret_no_salt_and_no_seed() -> None:
    match = running_match("higher_or_lower")
    play_on(match, 20)
    lines = exported(match.id)
    events = parsed(tuple(lines))[1:]
    assert sum(event["digest"] is not None for event in events) > 10
    assert all(event["secret"] is event["salt"] is None for event in events)
    assert seeds.seed_of(match.id).hex() not in "".join(lines)


@pytest.mark.parametrize(
    "line",
    [
        "", "{}", "[]", "null", "no JSON", '"', "{" * 100_000, '{"version": 1e400}', '{"version": ' + "9" * 5000 + "}",
        "NaN",
    ],
    ids=lambda line: repr(line[:14]),
)  # fmt: skip
def test_lines_that_are_no_events_are_refused_without_a_crash(line: str) -> None:
    good = list(finished("pyramid_poker"))
    for place in (0, 1, 17, len(good) - 1):
        with pytest.raises(Bad) as bad:
            verify([*good[:place], line, *good[place + 1 :]])
        assert bad.value.version == place


@pytest.mark.parametrize("value", [None, True, -1, 2**70, 1.5, "", "zz", "\ud800", [], {}, {"a": {"b": [None]}}])
def test_fields_of_another_type_are_refused_without_a_crash(value: object) -> None:
    good = parsed(finished("pyramid_poker"))
    for name in good[5]:
        lines = deepcopy(good)
        if lines[5][name] == value:
            continue
        lines[5][name] = value
        with pytest.raises(Bad) as bad:
            verify(written(lines))
        assert bad.value.version == 5


def test_event_with_a_duplicate_key_is_refused() -> None:
    """Two readers could read two values."""
    lines = list(finished("pyramid_poker"))
    lines[5] = lines[5].replace("{", '{"actor":"mallory",', 1)
    with pytest.raises(Bad) as bad:
        verify(lines)
    assert bad.value.version == 5


def test_an_export_without_events_proves_nothing() -> None:
    header = parsed(finished("pyramid_poker"))[0] | {"version": 0, "hash": "", "finished": False}
    for lines in ([], written([header])):
        with pytest.raises(Bad):
            verify(lines)


def alone(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The verifier as a doubter runs it: a copy somewhere else, with nothing but Python's own library."""
    copy = cwd / "croupier_verify.py"
    copy.write_bytes(VERIFIER.read_bytes())
    command = [sys.executable, "-I", "-S", str(copy), *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env={}, capture_output=True, text=True, timeout=PATIENCE)


def test_verifier_runs_alone_and_its_exit_status_is_the_result(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.ndjson", tmp_path / "bad.ndjson"
    good.write_text("\n".join(finished("pyramid_poker")) + "\n")
    bad.write_text(good.read_text().replace('"actor":"', '"actor":"x', 1))
    held = alone(good, cwd=tmp_path)
    assert (held.returncode, held.stderr) == (0, "")
    assert "holds: " in held.stdout and "the seed is the one promised" in held.stdout
    broken = alone(bad, cwd=tmp_path)
    assert (broken.returncode, broken.stderr) == (4, "")
    assert broken.stdout.startswith(
        "CHANGED at version 1: the hash does not match the event's facts. The file is not as "
    )
    (tmp_path / "latin").write_bytes(b"\xff\xfe")
    unreadable = alone("latin", cwd=tmp_path)
    assert (unreadable.returncode, unreadable.stderr) == (4, "")
    assert unreadable.stdout.startswith("CHANGED at version 0: it is not UTF-8.")
    for arguments in (["nowhere"], [], [good, bad]):
        refused = alone(*arguments, cwd=tmp_path)
        assert refused.returncode == 2 and refused.stdout == "" and "Traceback" not in refused.stderr


def test_verifier_lists_the_same_lifecycle_events_as_the_server() -> None:
    assert {type_name(kind) for kind in happenings.EVENTS} == croupier_verify._LIFECYCLE


def test_verifier_parses_as_python_3_7_and_imports_only_the_standard_library() -> None:
    tree = ast.parse(VERIFIER.read_text(), feature_version=(3, 7))
    imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = {alias.name for node in imported for alias in node.names}
    assert names == {
        "base64", "hmac", "json", "os", "re", "sys", "zipfile", "datetime", "timedelta", "timezone", "sha256", "sha512",
        "UUID", "zlib", "combinations", "contextmanager", "binascii", "codecs", "html", "unicodedata",
    }  # fmt: skip
