"""The end of a credential: the next frame over an open connection is refused, and the connection closes."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import monotonic
from uuid import UUID

import httpx
import pytest
from django.test import Client
from django.utils import timezone
from websockets.exceptions import ConnectionClosed

from matches.accounts import access_log, credentials
from matches.accounts.access_log import Actor, Door
from matches.http.authentication import Credential
from matches.models import AccessToken, Account
from matches.realtime import hub_registry as floors
from matches.realtime.connections import SIGNED_OUT, Connection
from matches.realtime.turn_alerts import TurnAlerts
from matches.storage import repository
from tests.api.guests import PASSWORD, Guest, guest, started
from tests.live.test_access import change_password, cookie, deactivate, expire, log_out, page_of, revoke
from tests.live.watching import House, Watcher
from tests.plain_http import NOBODY
from tests.table_setting import new_account, new_token, then_closed
from tests.waiting import PATIENCE, wait_until


@pytest.mark.parametrize("end", [revoke, expire, deactivate])
def test_ended_token_sends_no_more_commands(web: House, end: Callable[[Account], None]) -> None:
    account = new_account()
    match = started("pyramid_poker", Guest(new_token(account), account), guest())
    with web.watch(Guest(new_token(account), account), match) as watcher:
        end(account)
        assert_refused(watcher, match, "bad_token")


@pytest.mark.parametrize("end", [log_out, change_password, deactivate])
def test_ended_session_sends_no_more_commands(web: House, end: Callable[[Account], None]) -> None:
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
    version = repository.version_of(UUID(match))
    try:
        refused = watcher.command("resign", id="a-key")
        assert (refused["id"], refused["problem"]["code"]) == ("a-key", code)
    except ConnectionClosed:
        pass  # the beat came first
    assert watcher.end()[0] == 4401
    assert repository.version_of(UUID(match)) == version


def test_ended_token_gets_no_resync(web: House) -> None:
    account = new_account()
    match = started("pyramid_poker", guest(), guest())
    with web.watch(Guest(new_token(account), account), match) as watcher:
        count = len(watcher.events)
        revoke(account)
        watcher.say(kind="resync", after=1)
        assert watcher.end()[0] == 4401
        assert len(watcher.events) == count


def by_a_new_password(account: Account, client: Client) -> None:
    credentials.change_password(account, "another long walk", Actor(account.id, Door.PAGE), "password_changed")


def by_leaving(account: Account, client: Client) -> None:
    assert client.post("/sign-out").status_code == 302


def by_revoking(account: Account, client: Client) -> None:
    client.post(f"/account/tokens/{account.tokens.get().id}/revoke")


def by_an_official(account: Account, client: Client) -> None:
    credentials.change_rights(account, {"is_active": False}, access_log.OPERATING)


@pytest.mark.parametrize("end", [by_a_new_password, by_leaving, by_revoking, by_an_official])
def test_socket_ends_at_once_when_its_credential_ends(
    end: Callable[[Account, Client], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(floors, "PULSE_SECONDS", 1000.0)
    account, other = new_account(PASSWORD), new_account()
    client = page_of(account)
    new_token(account)
    new_token(other)
    if end is by_leaving:
        credential = Credential(session=client.cookies["sessionid"].value, proof=account.get_session_auth_hash())
    else:
        credential = Credential(token=account.tokens.get().id)

    async def live() -> tuple[object, object]:
        hubs = floors.hubs()
        mine, theirs = Connection(account.id, credential), Connection(other.id, Credential(token=other_token))
        with hubs.waiting(TurnAlerts(mine.account, mine, ())), hubs.waiting(TurnAlerts(theirs.account, theirs, ())):
            await asyncio.to_thread(then_closed(end), account, client)
            await mine.wait(PATIENCE)
            return mine.close_reason, theirs.close_reason

    other_token = other.tokens.get().id
    assert asyncio.run(live()) == (SIGNED_OUT, None)


def test_a_long_poll_ends_with_its_token(web: House) -> None:
    account = new_account()
    reader = Guest(new_token(account), account)
    match = started("pyramid_poker", guest(), guest())
    newest = repository.version_of(UUID(match))

    def poll() -> httpx.Response:
        address = f"http://127.0.0.1:{web.port}/api/v1/matches/{match}/events?after={newest}&wait=30"
        return httpx.get(address, headers={"Authorization": f"Bearer {reader.token}"}, timeout=PATIENCE, verify=NOBODY)

    with ThreadPoolExecutor(1) as pool:
        polled, begun = pool.submit(poll), monotonic()
        assert wait_until(lambda: AccessToken.objects.get(account=account).last_used_at)
        AccessToken.objects.filter(account=account).update(revoked_at=timezone.now())
        answer = polled.result()
    assert (answer.status_code, answer.json()["code"]) == (401, "bad_token")
    assert monotonic() - begun < 20
