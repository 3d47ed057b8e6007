"""Sealed parts of a match's options: kept beside the seed, given to the rules alone, published at the end."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path

import pytest
from msgspec.structs import replace

from games.kernel import Illegal
from matches import services
from matches.audit import croupier_verify, export, replay, verify_all
from matches.audit.croupier_verify import Bad, Changed
from matches.models import Match, Seed
from matches.seasons.domain import episodes, tables
from matches.storage import repository, seeds
from matches.storage.repository import BrokenRecord
from tests.api.guests import guest
from tests.events.staging import owner
from tests.matches.tampering import Line, rechained
from tests.matches.test_seeds import tables_that_hold
from tests.recipe.cataloguing import catalogued
from tests.recipe.secret_number import GAME
from tests.seasons.staged import Paper, asked
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, waiting_match

SECRET = 987_654_321
ADVICE = "Give the part itself"


@pytest.fixture(autouse=True)
def _in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from catalogued(GAME, monkeypatch)


@pytest.fixture
def match() -> Match:
    return running_match("secret_number", *["bot"] * 3, options={"number": SECRET})


def commitment_of(match: Match) -> str:
    (commitment,) = repository.load(match.id).lifecycle.opened.options["number"].values()
    return str(commitment)


def exported(match: Match) -> list[str]:
    return b"".join(export.export(match.id)).decode().splitlines()


def parsed(match: Match) -> list[Line]:
    return [json.loads(line) for line in exported(match)]


def written(lines: list[Line]) -> list[str]:
    return [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines]


def test_no_table_contains_a_sealed_part_before_the_rules_publish_it(match: Match) -> None:
    play_on(match, 2)
    with owner() as hand:
        assert tables_that_hold(hand, str(SECRET).encode()) == set()
        assert f"{SECRET}" not in "".join(exported(match))
        play_to_the_end(match)
        assert "events_event" in tables_that_hold(hand, str(SECRET).encode()), "The search itself must find it."


def test_record_publishes_the_parts_once_the_match_is_over(match: Match) -> None:
    assert "parts" not in parsed(match)[0]
    play_to_the_end(match)
    header, *lines = parsed(match)
    (part,) = header["parts"].values()
    assert (list(header["parts"]), part["value"]) == ([commitment_of(match)], SECRET)
    assert [line["public"]["part"] for line in lines if line.get("type") == "number_opened"] == [part]
    assert croupier_verify.verify(exported(match))["seed"]
    assert replay.judged(exported(match)).acts > 3
    assert verify_all.check([match.id], rules=True).broken == []


def test_parts_of_a_match_called_off_are_published(match: Match) -> None:
    services.void(match_id=match.id, by=match.opened_by_id, reason="A test.")
    assert parsed(match)[0]["parts"]
    croupier_verify.verify(exported(match))


def test_rewound_match_publishes_the_same_part(match: Match) -> None:
    play_on(match, 1)
    services.rewind(
        match_id=match.id, by=match.opened_by_id, to_version=repository.version_of(match.id) - 1, reason="A test."
    )
    play_to_the_end(match)
    assert repository.load(match.id).state.number == SECRET
    assert croupier_verify.verify(exported(match))["seed"]


def another_value_in_the_header(lines: list[Line]) -> None:
    next(iter(lines[0]["parts"].values()))["value"] = 3


def another_salt_in_the_header(lines: list[Line]) -> None:
    next(iter(lines[0]["parts"].values()))["salt"] = "0" * 64


def no_parts(lines: list[Line]) -> None:
    del lines[0]["parts"]


def no_part(lines: list[Line]) -> None:
    lines[0]["parts"] = {}


def another_part_besides(lines: list[Line]) -> None:
    lines[0]["parts"]["f" * 64] = {"salt": "0" * 64, "value": 3}
    lines[0]["parts"] = dict(sorted(lines[0]["parts"].items()))


def another_part_in_an_event(lines: list[Line]) -> None:
    opened = next(line for line in lines if line.get("type") == "number_opened")
    opened["public"]["part"]["value"] = 3


@pytest.mark.parametrize(
    ("forge", "fault"),
    [
        (another_value_in_the_header, Changed),
        (another_salt_in_the_header, Changed),
        (no_parts, Changed),
        (no_part, Changed),
        (another_part_besides, Changed),
        (another_part_in_an_event, Bad),
    ],
)
def test_forged_part_is_refused_by_the_standalone_verifier(
    match: Match, forge: Callable[[list[Line]], None], fault: type[Bad], tmp_path: Path
) -> None:
    # given the record of a finished match, which holds
    play_to_the_end(match)
    # without its checkpoint, which covers the hashes that are made anew
    lines = [line for line in parsed(match) if "path" not in line]
    lines[0]["checkpoint"] = False
    croupier_verify.verify(written(lines))
    # when a part in it is forged, and every hash made anew
    forged = deepcopy(lines)
    forge(forged)
    record = tmp_path / "match.ndjson"
    record.write_text("\n".join(written(rechained(forged))) + "\n")
    # then the verifier refuses it, alone too
    with pytest.raises(Bad, match="part") as caught:
        croupier_verify.verify(written(forged))
    assert type(caught.value) is fault
    alone = subprocess.run(
        [sys.executable, "-I", "-S", croupier_verify.__file__, record], capture_output=True, text=True, check=False
    )
    assert alone.returncode == fault.status and "part" in alone.stdout


@pytest.mark.parametrize("stored", [b'{"salt":"00","value":3}', None])
def test_match_stops_when_its_stored_parts_are_not_the_promised_ones(match: Match, stored: bytes | None) -> None:
    play_on(match, 2)
    with owner() as hand:
        sealed = stored and seeds._box().encrypt(stored)
        hand.execute("UPDATE matches_seed SET parts = %s WHERE match_id = %s", [sealed, match.id])
    seeds._parts.cache_clear()
    with pytest.raises(BrokenRecord, match="sealed parts"):
        play_to_the_end(match)
    assert "sealed parts" in verify_all.check([match.id], rules=False).broken[0].reason


def test_stored_parts_are_decrypted_with_the_seed_key(match: Match) -> None:
    stored = Seed.objects.get(match_id=match.id).parts
    assert str(SECRET).encode() in seeds._box().decrypt(bytes(stored))
    assert Seed.objects.get(match_id=waiting_match("pentagram").id).parts is None


def test_options_with_a_foreign_commitment_are_refused(match: Match) -> None:
    body = {"game": "secret_number", "options": {"number": {"sealed": commitment_of(match)}}, "seats": [{}, {}]}
    answer = guest().post("/matches", body)
    assert (answer.status, answer.json["code"]) == (422, "bad_options") and ADVICE in answer.json["detail"]


def test_rematch_of_a_match_with_sealed_parts_is_refused() -> None:
    players = [new_account(), new_account()]
    match = running_match("secret_number", *players, opener=players[0])
    services.accept(match_id=match.id, player=players[1].id)
    play_to_the_end(match)
    with pytest.raises(Illegal, match="sealed parts") as caught:
        services.offer_rematch(match_id=match.id, player=players[0].id)
    assert caught.value.code == "bad_options"


def test_seasons_refuse_options_with_sealed_parts() -> None:
    paper = Paper(*"abcd")
    paper.act(episodes.open_episode, "First")
    setting = asked("", "secret_number")
    for options in ({"number": 3}, {"number": {"sealed": "0" * 64}}):
        with pytest.raises(Illegal, match="stay sealed") as caught:
            paper.act(tables.set_tables, replace(setting, options=options), ["m1"], [list("abcd")])
        assert caught.value.code == "bad_options"
