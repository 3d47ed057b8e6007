"""Sealed parts of a match's options: kept beside the seed, given to the rules alone, published at the end."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from psycopg.errors import IntegrityError

from games.kernel import Illegal
from matches.audit import croupier_verify, export, replay, verify_all
from matches.audit.croupier_verify import Bad, Changed
from matches.models import Match, SealedPart
from matches.seasons.models import Season
from matches.services import accepting, hosting, opening, rematching
from matches.storage import repository, seeds
from matches.storage.repository import BrokenRecord
from tests.api.guests import guest
from tests.api.seasons import Cup, deliver
from tests.events.staging import owner
from tests.events.test_roles import service
from tests.matches.tampering import Line, rechained
from tests.matches.test_seeds import tables_that_hold
from tests.pages import as_read
from tests.recipe.cataloguing import catalogued
from tests.recipe.secret_number import GAME
from tests.table_setting import new_account, play_on, play_to_the_end, running_match
from tests.web.match_setting import client_of

ADVICE = "Give the part itself"


@pytest.fixture(autouse=True)
def _in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from catalogued(GAME, monkeypatch)


@pytest.fixture
def secret() -> int:
    """A number that no other test has published."""
    return 10**14 + uuid4().int % 10**14


@pytest.fixture
def match(secret: int) -> Match:
    return running_match("secret_number", *["bot"] * 3, options={"number": secret})


@pytest.fixture
def cup() -> Iterator[Cup]:
    """A season with an open episode, which isn't listed once its matches' game has left the catalogue."""
    cup = Cup(players=4)
    cup.did("/episodes", {"title": "An episode"})
    yield cup
    deliver()
    Season.objects.filter(id=cup.id).delete()


def commitment_of(match: Match) -> str:
    (commitment,) = repository.load(match.id).lifecycle.opened.options["number"].values()
    return str(commitment)


def exported(match: Match) -> list[str]:
    return b"".join(export.export(match.id)).decode().splitlines()


def parsed(match: Match) -> list[Line]:
    return [json.loads(line) for line in exported(match)]


def written(lines: list[Line]) -> list[str]:
    return [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines]


def test_no_table_contains_a_sealed_part_before_the_rules_publish_it(match: Match, secret: int) -> None:
    play_on(match, 2)
    with owner() as hand:
        assert tables_that_hold(hand, str(secret).encode()) == set()
        assert f"{secret}" not in "".join(exported(match))
        play_to_the_end(match)
        assert "events_event" in tables_that_hold(hand, str(secret).encode()), "The search itself must find it."


def test_record_publishes_the_parts_once_the_match_is_over(match: Match, secret: int) -> None:
    assert "parts" not in parsed(match)[0]
    play_to_the_end(match)
    header, *lines = parsed(match)
    (part,) = header["parts"].values()
    assert (list(header["parts"]), part["value"]) == ([commitment_of(match)], secret)
    assert [line["public"]["part"] for line in lines if line.get("type") == "number_opened"] == [part]
    assert croupier_verify.verify(exported(match))["seed"]
    assert replay.judged(exported(match)).acts > 3
    assert verify_all.check([match.id], rules=True).broken == []


def test_parts_are_read_once_and_only_for_games_that_seal(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[list[UUID]] = []
    fetched = seeds._fetched_parts

    def counted(streams: Iterable[UUID]) -> dict[UUID, dict[str, bytes]]:
        read.append(list(streams))
        return fetched(read[-1])

    monkeypatch.setattr(seeds, "_fetched_parts", counted)
    play_to_the_end(running_match("pyramid_poker"))
    assert read == []
    play_to_the_end(match)
    assert read == [[match.id]]


def test_rules_of_a_match_name_a_sealed_option(match: Match) -> None:
    page = as_read(client_of(new_account()).get(f"/games/secret_number?match={match.code}"))
    assert "sealed" in page and commitment_of(match) not in page


def test_parts_of_a_match_called_off_are_published(match: Match) -> None:
    hosting.void(match_id=match.id, by=match.opened_by_id, reason="A test.")
    assert parsed(match)[0]["parts"]
    croupier_verify.verify(exported(match))


def test_rewound_match_publishes_the_same_part(match: Match, secret: int) -> None:
    play_on(match, 1)
    hosting.rewind(
        match_id=match.id, by=match.opened_by_id, to_version=repository.version_of(match.id) - 1, reason="A test."
    )
    play_to_the_end(match)
    assert repository.load(match.id).state.number == secret
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
def test_match_stops_when_its_stored_part_is_not_the_promised_one(match: Match, stored: bytes | None) -> None:
    play_on(match, 2)
    with owner() as hand:
        if stored is None:
            hand.execute("DELETE FROM matches_sealedpart WHERE stream = %s", [match.id])
        else:
            sealed = seeds._box().encrypt(stored)
            hand.execute("UPDATE matches_sealedpart SET sealed = %s WHERE stream = %s", [sealed, match.id])
    seeds._parts.cache_clear()
    with pytest.raises(BrokenRecord, match="sealed part"):
        play_to_the_end(match)
    assert "sealed part" in verify_all.check([match.id], rules=False).broken[0].reason


def test_stored_part_is_decrypted_with_the_seed_key(match: Match, secret: int) -> None:
    stored = SealedPart.objects.get(stream=match.id)
    assert bytes(stored.commitment).hex() == commitment_of(match)
    assert str(secret).encode() in seeds._box().decrypt(bytes(stored.sealed))


def test_part_is_stored_only_by_an_act_on_its_stream(match: Match) -> None:
    for stream in (uuid4(), match.id):
        with service() as connection, pytest.raises(IntegrityError, match="appends nothing"):
            connection.execute("INSERT INTO matches_sealedpart VALUES (%s, 'x', 'x')", [stream])


def test_options_with_a_foreign_commitment_are_refused(match: Match) -> None:
    body = {"game": "secret_number", "options": {"number": {"sealed": commitment_of(match)}}, "seats": [{}, {}]}
    answer = guest().post("/matches", body)
    assert (answer.status, answer.json["code"]) == (422, "bad_options") and ADVICE in answer.json["detail"]


def test_rematch_of_a_match_with_sealed_parts_is_refused() -> None:
    players = [new_account(), new_account()]
    match = running_match("secret_number", *players, opener=players[0])
    accepting.accept(match_id=match.id, player=players[1].id)
    play_to_the_end(match)
    with pytest.raises(Illegal, match="sealed parts") as caught:
        rematching.offer_rematch(match_id=match.id, player=players[0].id)
    assert caught.value.code == "bad_options"


def test_match_of_a_season_has_the_parts_that_its_scheduling_sealed(cup: Cup, secret: int) -> None:
    table = {"game": "secret_number", "clocks": None, "options": {"number": secret}}
    # when two tables are scheduled with the same options
    first, second = (
        cup.did("/main-matches/tables", table | {"players": [it.id for it in players]})[0]
        for players in (cup.players[:2], cup.players[2:])
    )
    # then the season's log has commitments with salts of their own
    assert first["options"].keys() == {"number"} and first["options"] != second["options"]
    with owner() as hand:
        assert tables_that_hold(hand, str(secret).encode()) == set()
    # and the matches, which a worker opens, are played with the parts
    deliver()
    for scheduled in (first, second):
        match = Match.objects.get(id=scheduled["match"])
        assert repository.load(match.id).lifecycle.opened.options == scheduled["options"]
        opening.start(match_id=match.id, by=UUID(cup.organiser.id), reason="")
        play_to_the_end(match)
        assert repository.load(match.id).state.number == secret
        assert croupier_verify.verify(exported(match))["seed"]


def test_tampered_part_of_a_season_is_found_by_the_check_of_the_database(cup: Cup, secret: int) -> None:
    table = {"game": "secret_number", "clocks": None, "options": {"number": secret}}
    cup.did("/main-matches/tables", table | {"players": [it.id for it in cup.players]})
    deliver()
    assert verify_all.check([UUID(cup.id)], rules=False).broken == []
    with owner() as hand:
        sealed = seeds._box().encrypt(b"{}")
        hand.execute("UPDATE matches_sealedpart SET sealed = %s WHERE stream = %s", [sealed, UUID(cup.id)])
    assert "sealed part" in verify_all.check([UUID(cup.id)], rules=False).broken[0].reason


def test_drawn_tables_of_a_season_share_one_commitment(cup: Cup, secret: int) -> None:
    asked = {"game": "secret_number", "clocks": None, "options": {"number": secret}, "tables": [[], []], "draw": True}
    events = cup.did("/main-matches/seatings", asked)
    options = [event["options"] for event in events if "options" in event]
    assert len(options) == 3 and options[0] == options[1] == options[2]
    deliver()
    for event in events:
        if event["type"] == "main_match_scheduled":
            assert seeds.parts_of(UUID(event["match"])).keys() == {options[0]["number"]["sealed"]}


def test_seasons_refuse_options_with_a_foreign_commitment(cup: Cup) -> None:
    table = {"game": "secret_number", "clocks": None, "options": {"number": {"sealed": "0" * 64}}}
    answer = cup.ask("/main-matches/tables", table | {"players": [it.id for it in cup.players]})
    assert (answer.status, answer.json["code"]) == (422, "bad_options") and ADVICE in answer.json["detail"]
