"""manage.py demo_season on a running house: programs play a season as its clients, and it is there to look at."""

import subprocess
import sys

import pytest

from tests.journeys.house import ROOT, House


def demo(house: House, *arguments: str) -> subprocess.CompletedProcess[str]:
    played = subprocess.run(
        [sys.executable, ROOT / "manage.py", "demo_season", *arguments],
        capture_output=True, text=True, check=False, timeout=560, cwd="/", env=house.beside(),
    )  # fmt: skip
    assert played.returncode == 0, played.stderr
    return played


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_complete_demo_season_has_a_champion(house: House) -> None:
    process = house.manage("add_account", "chief", "--password", "seven blue lanterns", "--organiser")
    assert process.returncode == 0, process.stderr
    # Fewer players don't come to the seventh episode, in which something is given.
    output = demo(house, "--organiser", "chief", "--password", "seven blue lanterns", "--players", "10").stdout
    assert "gives" in output and "is the champion of season" in output


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_demo_season_can_be_stopped_in_an_episode(house: House) -> None:
    process = house.manage("add_account", "boss", "--password", "seven blue lanterns", "--organiser")
    assert process.returncode == 0, process.stderr
    who = ["--organiser", "boss", "--password", "seven blue lanterns"]
    played = demo(house, *who, "--players", "9", "--stop-at", "3", "--seed", "3")
    assert "Left in episode 3" in played.stdout
    watcher = house.guest("season watcher")
    (season,) = watcher.get("/seasons", status="running")["results"]
    first, _, episode = watcher.get(f"/seasons/{season['id']}/episodes")["results"]
    assert [match["status"] for match in first["matches"]] == ["effective"] * 4
    assert [match["status"] for match in episode["matches"]] == ["scheduled"]
    assert len(episode["bans"]) == 2
    happened = {it["type"] for it in watcher.get(f"/seasons/{season['id']}/events", limit=500)["results"]}
    assert happened >= {"seating_drawn", "player_substituted", "main_match_corrected", "match_time_set"}
    claims = watcher.get(f"/seasons/{season['id']}/claims")["results"]
    assert [it["status"] for it in claims] == ["upheld", "open"]
    running = watcher.get("/matches", season=season["id"], status="running")["results"]
    assert [match["id"] for match in running] == [episode["matches"][-1]["id"]]
    again = house.manage("demo_season", *who, "--once")
    assert "There is a season already." in again.stdout
    assert len(watcher.get("/seasons")["results"]) == 1


def test_demo_season_without_a_password_names_the_option(house: House) -> None:
    refused = house.manage("demo_season", "--organiser", "nobody")
    assert refused.returncode != 0
    assert "--password" in refused.stderr
