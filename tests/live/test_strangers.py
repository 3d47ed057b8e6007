"""People who aren't signed in: they watch what is public at a page of the house, and that is all."""

import json

import pytest

from tests.api.guests import guest, started
from tests.api.seasons import Cup
from tests.live.test_access import end_of
from tests.live.watching import House
from tests.waiting import PATIENCE

PAGE = "?form=page"


@pytest.fixture(scope="module")
def match() -> str:
    """A match that goes on."""
    return started("pyramid_poker", guest(), guest())


def test_page_without_a_login_gets_the_spectators_view(web: House, match: str) -> None:
    with web.socket(match, PAGE, origin=web.origin) as line:
        assert json.loads(line.recv(timeout=PATIENCE)) == {"kind": "owner", "owner": ""}
        frame = json.loads(line.recv(timeout=PATIENCE))
        assert 'data-status="running"' in frame["content"]
        assert 'id="command"' not in frame["content"]


def test_page_without_a_login_may_not_play(web: House, match: str) -> None:
    with web.socket(match, PAGE, origin=web.origin) as line:
        line.send(json.dumps({"kind": "command", "id": "a", "command": {"text": "first me"}}))
        while "problem" not in (frame := json.loads(line.recv(timeout=PATIENCE))):
            pass
        assert (frame["kind"], frame["problem"]["status"]) == ("refused", 401)


def test_program_without_a_token_is_closed_with_4401(web: House, match: str) -> None:
    assert end_of(web, match, PAGE, first={"kind": "resync", "after": 1}) == 4401
    assert end_of(web, match, first={"kind": "resync", "after": 1}, origin=web.origin) == 4401


def test_match_of_a_private_season_is_closed_with_4403(web: House) -> None:
    hidden = Cup(4, public=False).death_match()
    assert end_of(web, hidden, PAGE, origin=web.origin) == 4403


def test_each_watcher_is_counted_once(web: House, match: str) -> None:
    other = guest()
    with web.watch(other, match) as watcher, web.watch(other, match), web.socket(match, PAGE, origin=web.origin):
        watcher.until(lambda frame: frame.get("watchers") == 2)
