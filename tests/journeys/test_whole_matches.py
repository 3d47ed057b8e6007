"""Whole matches through the running service: clients over REST, the dealer and the bots in a Celery worker."""

import subprocess
from io import StringIO
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic

import httpx
import pytest
from django.core.management import CommandError, call_command

from games import catalogue
from tests.cases import some_slow
from tests.journeys.guests import play_to_the_end
from tests.journeys.house import House, figures
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def verifier(house: House, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standalone verifier as the house hands it out."""
    path = tmp_path_factory.mktemp("verifier") / "croupier_verify.py"
    path.write_bytes(httpx.get(f"{house.url}/croupier_verify.py").raise_for_status().content)
    return path


def check_by_stranger(verifier: Path, record: Path) -> str:
    """Return the verifier's exit code and output in a Python that can't import this project."""
    command = ["python3", "-I", verifier, record]
    process = subprocess.run(command, capture_output=True, text=True, check=False, cwd=record.parent)
    return f"{process.returncode}: {process.stdout}{process.stderr}"


def check_by_rules(record: Path) -> str:
    """Return the output of `manage.py verify`."""
    output = StringIO()
    call_command("verify", record, stdout=output)
    return output.getvalue()


@pytest.mark.parametrize("slug", some_slow(sorted(catalogue), always=("pyramid_poker",)))
def test_two_clients_play_a_whole_match_and_its_record_is_verified(
    house: House, verifier: Path, tmp_path: Path, slug: str
) -> None:
    players = [house.guest("ada"), house.guest("berit")]
    match = players[0].open(slug, *players)
    record = tmp_path / "match.ndjson"

    midway = players[0].export(match)
    end = play_to_the_end(match, players, Random(slug))

    record.write_text(midway)
    assert "the seed is still sealed" in check_by_stranger(verifier, record)
    assert end["status"] == "finished" and end["due"]["prompts"] == [] and not end["due"]["dealer"]
    assert players[1].read(match)["outcome"] == end["outcome"]
    record.write_text(players[1].export(match))
    verdict = check_by_stranger(verifier, record)
    assert verdict.startswith(f"0: {match} ({slug}) holds: {end['version']} events")
    assert "the seed is the one promised" in verdict
    assert "Replayed by the rules: the outcome is the recorded one." in check_by_rules(record)


def test_changed_record_is_refused_by_both_verifiers(house: House, verifier: Path, tmp_path: Path) -> None:
    ada = house.guest("ada")
    match = ada.open("pyramid_poker", ada, "bot")
    ada.send(match, {"text": "first me"})
    ada.send(match, {"type": "resign"})
    record = tmp_path / "match.ndjson"

    record.write_text(ada.export(match).replace('"reason":"A journey."', '"reason":"A journeY."'))

    assert check_by_stranger(verifier, record).startswith("4: CHANGED at version 4")
    with pytest.raises(CommandError, match="CHANGED at version 4"):
        check_by_rules(record)


@pytest.mark.slow
def test_a_bot_answers_each_move_of_a_person(house: House) -> None:
    ada, rng, waits = house.guest("ada"), Random(7), []
    match = ada.open("pentagram", ada, "bot")

    while not (document := ada.turn(match, seat=0))["outcome"]:
        ada.send(match, ada.choose(document, 0, rng))
        sent = monotonic()
        ada.turn(match, seat=0)
        waits.append(monotonic() - sent)

    document = ada.get(f"/matches/{match}/events", limit=500)["results"]
    actors = [event["actor"] for event in document if event["type"] == "card_placed"]
    assert actors == [ada.id, "bot"] * 30
    figures["a bot's answer, median"] = median(waits)


def test_bots_play_a_match_to_its_end_without_watchers(house: House) -> None:
    ada = house.guest("ada")

    match = ada.open("peeling_the_banana", "bot", "bot")
    wait_until(lambda: ada.read(match)["status"] == "finished")

    events = ada.get(f"/matches/{match}/events", limit=500)["results"]
    assert {event["actor"] for event in events} == {ada.id, "bot", "dealer"}
    assert events[-1]["type"] == "seed_revealed"


@pytest.mark.slow
def test_a_flag_falls_by_itself(house: House) -> None:
    ada, bela = house.guest("ada"), house.guest("berit")

    match = ada.open("pyramid_poker", ada, bela, clocks={"choice": {"base": 1}})
    wait_until(lambda: "flag_fallen" in ada.export(match))

    events = {event["type"]: event for event in ada.get(f"/matches/{match}/events")["results"]}
    assert events["flag_fallen"]["seat"] == 0
    assert "first_chosen" in events, "Chance chooses who starts."
