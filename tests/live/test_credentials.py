"""What somebody came in with has ended: their very next word over what is still open is refused, and it closes."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from uuid import UUID

import httpx
import pytest
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from matches import table
from matches.models import AccessToken, Account
from tests.api.guests import PASSWORD, Guest, guest, started
from tests.live.test_admission import change_password, cookie, deactivate, expire, log_out, page_of, revoke
from tests.live.watching import House, Watcher
from tests.plain_http import NOBODY
from tests.table_setting import new_account, new_token
from tests.waiting import wait_until


@pytest.mark.parametrize("end", [revoke, expire, deactivate])
def test_a_token_that_has_ended_brings_no_more_commands(web: House, end: Callable[[Account], None]) -> None:
    account = new_account()
    match = started("pyramid_poker", Guest(new_token(account), account), guest())
    with web.watch(Guest(new_token(account), account), match) as watcher:
        end(account)
        assert_refused(watcher, match, "bad_token")


@pytest.mark.parametrize("end", [log_out, change_password, deactivate])
def test_a_session_that_has_ended_brings_no_more_commands(web: House, end: Callable[[Account], None]) -> None:
    account = new_account(PASSWORD)
    client = page_of(account)
    account.session_key = client.cookies["sessionid"].value
    match = started("pyramid_poker", Guest(new_token(account), account), guest())
    with web.socket(match, origin=web.origin, additional_headers=cookie(client)) as line:
        watcher = Watcher(line)
        watcher.follow("hello")
        end(account)
        assert_refused(watcher, match, "not_authenticated")


def assert_refused(watcher: Watcher, match: str, code: str) -> None:
    version = table.version_of(UUID(match))
    try:
        refused = watcher.command("resign", id="a-key")
        assert (refused["id"], refused["problem"]["code"]) == ("a-key", code)
    except ConnectionClosed:
        pass  # the beat came first
    assert watcher.end()[0] == 4401
    assert table.version_of(UUID(match)) == version


def test_a_token_that_has_ended_is_told_nothing_again(web: House) -> None:
    account = new_account()
    match = started("pyramid_poker", guest(), guest())
    with web.watch(Guest(new_token(account), account), match) as watcher:
        told = len(watcher.events)
        revoke(account)
        watcher.say(kind="resync", after=1)
        assert watcher.end()[0] == 4401
        assert len(watcher.events) == told


def test_a_long_poll_ends_with_its_token(web: House) -> None:
    account = new_account()
    reader = Guest(new_token(account), account)
    match = started("pyramid_poker", guest(), guest())
    newest = table.version_of(UUID(match))

    def poll() -> httpx.Response:
        address = f"http://127.0.0.1:{web.port}/api/v1/matches/{match}/events?after={newest}&wait=30"
        return httpx.get(address, headers={"Authorization": f"Bearer {reader.token}"}, timeout=40, verify=NOBODY)

    with ThreadPoolExecutor(1) as pool:
        polled, begun = pool.submit(poll), monotonic()
        assert wait_until(lambda: AccessToken.objects.get(account=account).last_used_at)
        AccessToken.objects.filter(account=account).update(revoked_at=timezone.now())
        answer = polled.result()
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    assert monotonic() - begun < 20
