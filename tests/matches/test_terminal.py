"""The terminal's own parts, against the API in this process."""

from random import Random
from typing import Any

import httpx
import pytest
from django.core.wsgi import get_wsgi_application

from games import catalogue
from matches import services
from matches.models import Match
from matches.terminal import seats
from matches.terminal.client import Client, ProblemAnswer
from matches.terminal.session import Session
from tests.lost import backup, restore
from tests.plain_http import NOBODY
from tests.table_setting import BOT, new_account, new_token, play_on, running_match

SITTINGS = 3


def client_of(token: str) -> Client:
    """A client that asks the application itself."""
    client = Client("http://localhost")
    client._http = httpx.Client(
        base_url="http://localhost/api/v1", transport=httpx.WSGITransport(get_wsgi_application()), verify=NOBODY
    )
    client.log_in(token, None, None)
    return client


@pytest.fixture
def evening(capsys: pytest.CaptureFixture[str]) -> tuple[Match, Session]:
    """A match of a player against the house, at the terminal."""
    mira = new_account()
    match = running_match("pentagram", mira, BOT)
    session = Session(client_of(new_token(mira)), catalogue["pentagram"])
    session.resume(match.code)
    return match, session


@pytest.mark.parametrize("body", [{"text": "a\udcffb"}, {"options": {"a": float("nan")}}])
def test_unsendable_body_is_refused_in_a_sentence(body: dict[str, Any]) -> None:
    with pytest.raises(ProblemAnswer, match="can't be sent"):
        client_of(new_token(new_account())).post("/matches", body)


def test_evening_ends_when_the_match_is_voided(
    evening: tuple[Match, Session], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    match, session = evening
    services.void(match_id=match.id, by=match.opened_by_id, reason="The house is on fire.")
    events, calls = session._client.events, []

    def counted(*details: Any) -> Any:
        calls.append(details)
        assert len(calls) <= SITTINGS, "It asks again and again."
        return events(*details)

    monkeypatch.setattr(session._client, "events", counted)
    session.play()
    output = capsys.readouterr().out
    assert "The match is void: The house is on fire." in output
    assert "You lost." not in output


def test_evening_continues_from_the_restored_version(
    evening: tuple[Match, Session], capsys: pytest.CaptureFixture[str]
) -> None:
    match, session = evening
    saved, left = backup(match.id), match.version
    play_on(match, 1)
    session._print_events(session._next_page()["results"])
    assert session._version == match.version > left
    restore(match.id, saved)
    session._print_events(session._next_page()["results"])
    output = " ".join(capsys.readouterr().out.split())
    assert f"The events above after {left} are void; play goes on from there." in output
    assert session._version == left
    services.void(match_id=match.id, by=match.opened_by_id, reason="Enough.")
    session.play()
    assert "The match is void: Enough." in capsys.readouterr().out


class Fickle:
    """A client whose first command may or may not have arrived."""

    def __init__(self) -> None:
        self.keys: list[str | None] = []

    def post(self, path: str, body: dict[str, Any], key: str | None = None) -> dict[str, Any]:
        """A command."""
        self.keys.append(key)
        if len(self.keys) == 1:
            raise ProblemAnswer({"code": "unavailable"})
        return {}


def test_command_is_retried_under_its_own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    mira = new_account()
    match = running_match("pyramid_poker", mira, new_account())
    services.attend(match_id=match.id)
    document, fickle = client_of(new_token(mira)).get(f"/matches/{match.id}"), Fickle()
    monkeypatch.setattr(seats.time, "sleep", lambda _: None)
    assert seats._move(document, fickle, 0, Random(1))
    assert len(fickle.keys) == 2 and fickle.keys[0] == fickle.keys[1] is not None
