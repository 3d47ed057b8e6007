"""A game that is in the catalogue, and of which the host has no other line, is played at every door and proved after.

The game is the example of `docs/adding-a-game.md`; only these tests put it into the catalogue.
"""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import httpx
import pytest
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.test import Client as Browser

import games
from matches.models import Match
from matches.services import playing
from matches.storage import repository
from matches.terminal.client import Client
from matches.terminal.session import Session
from tests.api.guests import advance, guest, started
from tests.pages import as_read
from tests.plain_http import NOBODY
from tests.recipe.cataloguing import catalogued
from tests.recipe.sealed_bids import GAME
from tests.table_setting import new_account, new_token, running_match
from tests.web.match_setting import client_of


@pytest.fixture(autouse=True)
def _in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from catalogued(GAME, monkeypatch)


@pytest.fixture
def verifier(tmp_path: Path) -> Path:
    """The standalone verifier as the house hands it out."""
    path = tmp_path / "croupier_verify.py"
    path.write_bytes(Browser(SERVER_NAME="localhost").get("/croupier_verify.py").content)
    return path


def test_sealed_bids_are_played_over_rest_and_the_record_is_verified(
    verifier: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = [guest(), guest()]
    match = started("sealed_bids", *players, options={"coins": 3})
    advance(match, players, 100, Random(1))
    match_document = players[0].get(f"/matches/{match}").json
    assert (match_document["status"], match_document["outcome"]["reason"]) == ("finished", "played")
    record = tmp_path / "match.ndjson"
    record.write_bytes(players[1].get(f"/matches/{match}/export").body)
    assert b'"tie_broken"' in record.read_bytes(), "With three coins each some bids are equal."
    alone = subprocess.run([sys.executable, "-I", "-S", verifier, record], capture_output=True, text=True, check=False)
    assert alone.returncode == 0, alone.stdout + alone.stderr
    assert "the seed is the one promised" in alone.stdout
    call_command("verify", str(record), "--rules")
    assert "Decided again by the rules" in capsys.readouterr().out


def test_bid_is_hidden_until_it_is_opened() -> None:
    players, watcher = [guest(), guest()], guest()
    match = started("sealed_bids", *players)
    assert players[0].send(match, "bid 17").status == 201
    events = [who.get(f"/matches/{match}/events").json["results"][-1] for who in (players[0], players[1], watcher)]
    assert [it["type"] for it in events] == ["bid_submitted"] * 3
    assert [it["coins"] for it in events] == [17, None, None]


def test_page_of_a_new_game_has_generated_buttons() -> None:
    one, two = new_account(), new_account()
    match = running_match("sealed_bids", one, two)
    playing.attend(match_id=match.id)
    pages = {seat: client_of(account) for seat, account in enumerate((one, two))}
    page = as_read(pages[0].get(f"/m/{match.code}/"))
    assert len(re.findall(r"data-cell='\d+'", page)) == 21
    assert re.findall(r'name="choice" value="([^"]*)"', page) == [*(f"bid {coins}" for coins in range(21)), "resign"]
    for seat, choice in ((0, "bid 4"), (1, "bid 6")):
        press(pages[seat], match, choice)
    (sale,) = repository.load(match.id).state.sales
    assert (sale.seat, sale.bids) == (1, (4, 6))
    assert "takes the lot" in pages[0].get(f"/m/{match.code}/").content.decode()


def press(browser: Browser, match: Match, choice: str) -> None:
    """A button of the page's form, as a browser without scripts sends it."""
    page = as_read(browser.get(f"/m/{match.code}/"))
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert key and f'value="{choice}"' in page
    assert browser.post(f"/m/{match.code}/commands", {"key": key[1], "choice": choice}).status_code == 302


def test_new_game_is_played_in_the_terminal_to_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = Session(Worked(new_token(new_account())), games.catalogue["sealed_bids"])
    session.open("{}", None)
    typed = iter(["rules", "legal", "bid 99", *["2"] * 7])
    monkeypatch.setattr(session._console, "input", lambda _: next(typed))
    session.play()
    output = capsys.readouterr().out
    assert "Two seats bid for seven lots in secret." in output
    assert "Your purse holds 20 coins; bid 0 to 20." in output
    assert re.search(r"Lot 7 of 7 is worth \d", output)
    assert "You won" in output or "You lost" in output


class Worked(Client):
    """A client that asks the application itself, which has a worker that is never late."""

    def __init__(self, token: str) -> None:
        super().__init__("http://localhost")
        self._http = httpx.Client(
            base_url="http://localhost/api/v1", transport=httpx.WSGITransport(get_wsgi_application()), verify=NOBODY
        )
        self.log_in(token, None, None)

    def post(self, path: str, body: Any = None, *details: Any, **more: Any) -> Any:
        """Send, and let the worker deal and play the bots."""
        answer = super().post(path, body, *details, **more)
        if path.endswith(("/start", "/commands")):
            playing.attend(match_id=UUID(path.split("/")[2]))
        return answer
