"""Starting, stopping, starting again; two houses side by side; the demo, and the organiser's view of it."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import httpx
import pytest

from config.embedded import free_port
from games import catalogue
from tests.journeys.guests import Guest, Told
from tests.journeys.house import PASSWORD, ROOT, House, figures
from tests.plain_http import NOBODY
from tests.waiting import wait_until


def up(*arguments: object) -> subprocess.CompletedProcess[str]:
    """A start that is refused."""
    command = [ROOT / "bin/up", "--no-demo", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


def test_two_houses_side_by_side_do_not_meet(house: House, inn: House) -> None:
    ada, mira = house.guest("ada"), inn.demo_guest("mira")
    match = ada.open("pyramid_poker", ada, "bot")

    assert ada.ask(f"/matches/{match}").status_code == 200
    assert mira.ask(f"/matches/{match}").status_code == 404
    stranger = httpx.get(f"{inn.url}/api/v1/me", headers={"Authorization": f"Bearer {ada.token}"})
    assert (stranger.status_code, stranger.json()["code"]) == (401, "bad_token")
    assert not set(house.residents()) & set(inn.residents())
    assert house.services()["DATABASE_URL"] != inn.services()["DATABASE_URL"]
    assert house.services()["REDIS_URL"] != inn.services()["REDIS_URL"]
    for name in ("secret_key", "seed_key"):
        assert (house.data / "secrets" / name).read_text() != (inn.data / "secrets" / name).read_text()


def test_a_second_start_on_a_folder_in_use_is_refused_in_a_sentence(house: House) -> None:
    refused = up("--port", free_port(), "--data", house.data)
    assert refused.returncode == 1
    assert re.fullmatch(
        rf"Croupier already runs on {house.data} \(process \d+\)\. Stop it, or choose another folder with --data\.\n",
        refused.stderr,
    )
    assert house.whole(), "The first goes on."


def test_a_start_on_a_port_in_use_is_refused_in_a_sentence(house: House, tmp_path: Path) -> None:
    refused = up("--port", house.port, "--data", tmp_path / "data")
    assert (refused.returncode, refused.stderr) == (1, f"Port {house.port} is taken. Choose another with --port.\n")
    assert not (tmp_path / "data/postgres").exists()


@pytest.mark.slow
def test_a_house_stops_and_starts_again_soon_with_everything_in_place(inn: House) -> None:
    mira = inn.demo_guest("mira")
    match = mira.open("pyramid_poker", mira, "bot")
    accounts, shown = inn.demo_passwords(), len(matches_of(mira))

    # What Ctrl-C sends.
    inn.stop(by=signal.SIGINT)
    took = figures["warm start"] = inn.start()

    assert took < 60
    assert mira.read(match)["status"] == "running"
    assert inn.demo_passwords() == accounts, "The demo is made once."
    assert len(matches_of(mira)) == shown


def test_the_demo_prints_its_accounts_and_is_made_once(inn: House) -> None:
    organiser = inn.demo_guest("organiser")
    shown = len(matches_of(organiser))

    again = inn.manage("seed_demo")

    assert again.returncode == 0, again.stderr
    assert re.findall(r"^  (\w+) +(\S+)   ", again.stdout, re.MULTILINE) == list(inn.demo_passwords().items())
    assert set(inn.demo_passwords()) == {"organiser", "mira", "tobias"}
    assert len(matches_of(organiser)) == shown


def test_the_demo_matches_between_bots_end_by_themselves(inn: House) -> None:
    organiser = inn.demo_guest("organiser")
    shown = [match for match in matches_of(organiser) if set(names_of(match)) == {"bot"}]
    assert sorted(match["game"] for match in shown) == sorted(catalogue)
    wait_until(lambda: all(organiser.read(match["id"])["status"] == "finished" for match in shown), 60)


def test_the_demo_accounts_are_what_they_say(inn: House) -> None:
    rights = {name: inn.demo_guest(name).get("/me")["is_organiser"] for name in inn.demo_passwords()}
    assert rights == {"organiser": True, "mira": False, "tobias": False}
    waiting = inn.demo_guest("mira").get("/me/matches", game="pyramid_poker", needs_me="true")["results"]
    assert any(names_of(match) == ["mira", "tobias"] for match in waiting)


@pytest.fixture(scope="module")
def office(inn: House) -> Iterator[httpx.Client]:
    """The organiser's browser, logged in to the admin."""
    with logged_in(inn, "organiser") as browser:
        assert browser.get("/admin/").status_code == 200
        yield browser


def test_the_admin_is_the_organisers_alone(inn: House, office: httpx.Client) -> None:
    with logged_in(inn, "mira") as browser:
        assert browser.get("/admin/").status_code == 302
    assert httpx.get(f"{inn.url}/admin/events/loggedevent/").status_code == 302
    style = re.search(r'href="(/static/unfold/css/styles[^"]*)"', office.get("/admin/").text)
    assert style and office.get(style[1]).status_code == 200


def test_the_admin_lists_the_log_and_shows_no_secret_of_a_running_match(inn: House, office: httpx.Client) -> None:
    mira, tobias = inn.demo_guest("mira"), inn.demo_guest("tobias")
    match = mira.open("pyramid_poker", mira, tobias)
    mira.send(match, {"text": "first me"})
    mira.send(match, {"text": "A1"})
    told = mira.get(f"/matches/{match}/events")["results"]
    secret = next(event for event in told if event["type"] == "brick_dealt" and event["seat"] == 0)
    assert re.fullmatch(r"(10|[A2-9])[SHDC]", secret["brick"]), "Mira knows it."

    pages = [office.get("/admin/events/loggedevent/", params={"q": match})]
    rows = re.findall(r'href="(/admin/events/loggedevent/[^"?]+/change/)', pages[0].text)
    pages += [office.get(row) for row in dict.fromkeys(rows)]

    assert len(pages) == 1 + len(told)
    assert all(page.status_code == 200 for page in pages)
    text = "\n".join(unescape(page.text) for page in pages)
    assert match in text and "brick_dealt" in text
    assert not re.search(rf"\b{secret['brick']}\b", text)


def test_the_log_in_the_admin_is_for_looking_only(inn: House, office: httpx.Client) -> None:
    listed = office.get("/admin/events/loggedevent/").text
    row = re.search(r'href="(/admin/events/loggedevent/[^"?]+)/change/', listed)
    assert row
    changed = office.get(f"{row[1]}/change/").text
    assert "/admin/events/loggedevent/add/" not in listed
    assert 'name="_save"' not in changed and f"{row[1]}/delete/" not in changed
    token = {"csrfmiddlewaretoken": office.cookies["csrftoken"]}
    for address in ("/admin/events/loggedevent/add/", f"{row[1]}/change/", f"{row[1]}/delete/"):
        assert office.post(address, data={**token, "type": "x"}).status_code == 403, address


def test_no_log_and_no_queue_holds_a_secret(house: House) -> None:
    ada, bela = house.guest("ada"), house.guest("berit")
    match = ada.open("pyramid_poker", ada, bela)
    ada.send(match, {"text": "first me"})
    ada.send(match, {"type": "resign"})
    seed = ada.read(match)["seed"]
    keys = [path.read_text() for path in (house.data / "secrets").iterdir()]
    secrets = [seed, PASSWORD, ada.token, bela.token, *keys]

    kept = [path for place in ("log", "valkey", "run") for path in (house.data / place).rglob("*") if path.is_file()]

    contents = {path: path.read_bytes() for path in kept}
    assert any(b"matches.tasks.sweep" in content for content in contents.values()), "The queue was among them."
    for path, content in contents.items():
        assert not any(secret.encode() in content for secret in secrets), path


def matches_of(guest: Guest) -> list[Told]:
    """All matches of the house, newest first."""
    found, page = [], guest.get("/matches", limit=100)
    found += page["results"]
    while page["next"]:
        page = guest.get("/matches", limit=100, cursor=page["next"])
        found += page["results"]
    return found


def names_of(match: Told) -> list[str]:
    return [seat["player"] if seat["player"] == "bot" else seat["player"]["username"] for seat in match["seats"]]


@contextmanager
def logged_in(house: House, name: str) -> Iterator[httpx.Client]:
    """A browser in which a demo account has logged in to the admin, as far as it may."""
    with httpx.Client(base_url=house.url, timeout=20, verify=NOBODY) as browser:
        browser.get("/admin/login/")
        form = {"username": name, "password": house.demo_passwords()[name], "next": "/admin/"}
        browser.post("/admin/login/", data={**form, "csrfmiddlewaretoken": browser.cookies["csrftoken"]})
        yield browser
