"""Access to sockets: who may connect, who stays connected, and for how long."""

from contextlib import ExitStack, suppress
from time import monotonic
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from websockets.exceptions import ConnectionClosed, InvalidStatus

from matches.models import AccessToken, Account
from tests.api.guests import PASSWORD, Guest, guest, started
from tests.api.seasons import Cup
from tests.live.watching import House, Watcher
from tests.table_setting import new_account, new_token
from tests.waiting import wait_until


@pytest.fixture(scope="module")
def match() -> str:
    """A match that goes on."""
    return started("pyramid_poker", guest(), guest())


def page_of(account: Account) -> Client:
    """A browser in which this account is logged in."""
    client = Client(headers={"host": "localhost"})
    assert client.login(username=account.username, password=PASSWORD)
    return client


def cookie(client: Client) -> dict[str, str]:
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def status_of(web: House, match: str, query: str = "", **options: Any) -> int:
    """Return the status of a refused handshake."""
    with pytest.raises(InvalidStatus) as refused, web.socket(match, query, **options):
        pass
    return int(refused.value.response.status_code)


def end_of(web: House, match: str, query: str = "", first: dict[str, Any] | None = None, **options: Any) -> int:
    """The code that ends a socket which opens, sends one frame and listens."""
    with web.socket(match, query, **options) as line:
        watcher = Watcher(line)
        if first is not None:
            # The house may have closed before it is heard.
            with suppress(ConnectionClosed):
                watcher.say(**first)
        return watcher.end()[0]


def test_page_of_the_site_needs_no_token(web: House, match: str) -> None:
    client = page_of(new_account(PASSWORD))
    with web.socket(match, origin=web.origin, additional_headers=cookie(client)) as line:
        assert Watcher(line).follow("hello")["witness"] == "spectator"


@pytest.mark.parametrize("origin", ["http://evil.example", "http://127.0.0.1:1", "null", "http://127.0.0.1.evil.example",
                                    "file://", "http://[::1", None])  # fmt: skip
def test_a_cookie_alone_opens_nothing_to_another_page(web: House, match: str, origin: str | None) -> None:
    client = page_of(new_account(PASSWORD))
    assert status_of(web, match, origin=origin, additional_headers=cookie(client)) == 403


def test_a_foreign_page_with_a_token_is_refused_too(web: House, match: str) -> None:
    assert status_of(web, match, origin="https://evil.example") == 403


@pytest.mark.parametrize("query", ["?token=crp_x", "?after=1&token=x", "?after=x", "?after=-1", "?after=1&after=2",
                                   "?form=nothing", "?after=99999999999", "?=", "?%00"])  # fmt: skip
def test_socket_address_with_other_parameters_gets_400_and_is_not_logged(web: House, match: str, query: str) -> None:
    assert status_of(web, match, query) == 400
    assert "crp_x" not in web.log.read_text()


def test_other_socket_addresses_get_404(web: House) -> None:
    assert status_of(web, "a/b") == 404


@pytest.mark.parametrize("first", [{"kind": "auth", "token": "crp_nonsense"}, {"kind": "auth", "token": "a\0b"},
                                   {"kind": "resync", "after": 1}, {"kind": "auth"}, {"token": "x"}, {}])  # fmt: skip
def test_invalid_first_frame_closes_with_4401(web: House, match: str, first: dict[str, Any]) -> None:
    assert end_of(web, match, first=first) == 4401


def test_ended_session_closes_with_4401(web: House, match: str) -> None:
    client = page_of(new_account(PASSWORD))
    headers = cookie(client)
    client.logout()
    assert end_of(web, match, origin=web.origin, additional_headers=headers) == 4401


def test_token_without_the_read_scope_closes_with_4403(web: House, match: str) -> None:
    narrow = new_token(new_account(), ["match:play"])
    assert end_of(web, match, first={"kind": "auth", "token": narrow}) == 4403


def test_read_only_token_may_send_no_command(web: House) -> None:
    account = new_account()
    reader = Guest(new_token(account, ["match:read"]), account)
    match = started("pyramid_poker", Guest(new_token(account), account), guest())
    with web.watch(reader, match) as watcher:
        assert watcher.hello["seat"] == 0
        assert watcher.command("first 1")["problem"]["code"] == "missing_scope"


@pytest.mark.parametrize("name", ["ZZZZZZZZ", "00000000-0000-4000-8000-000000000000", "%00", "\u00e9"])
def test_unknown_match_closes_with_4403(web: House, name: str) -> None:
    try:
        code = end_of(web, name, first={"kind": "auth", "token": guest().token})
    except InvalidStatus as refused:
        code = refused.response.status_code
    assert code in (4403, 404)


def test_short_code_opens_the_match_as_its_id_does(web: House, match: str) -> None:
    spectator = guest()
    code = spectator.get(f"/matches/{match}").json["code"]
    with web.watch(spectator, code.lower()) as watcher:
        assert watcher.hello["id"] == match


def revoke(account: Account) -> None:
    AccessToken.objects.filter(account=account).update(revoked_at=timezone.now())


def expire(account: Account) -> None:
    AccessToken.objects.filter(account=account).update(expires_at=timezone.now())


def deactivate(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(is_active=False)


def log_out(account: Account) -> None:
    Session.objects.filter(session_key=account.session_key).delete()


def change_password(account: Account) -> None:
    account.set_password("another long walk")
    account.save()


def test_socket_without_access_is_closed_within_five_seconds(web: House, match: str) -> None:
    with ExitStack() as sockets:
        close_reason, staying = [], sockets.enter_context(web.watch(guest(), match))
        silent, opened = Watcher(sockets.enter_context(web.socket(match))), monotonic()
        for act in (revoke, expire, deactivate):
            account = new_account()
            close_reason.append(
                (act, account, sockets.enter_context(web.watch(Guest(new_token(account), account), match)))
            )
        for act in (log_out, change_password, deactivate):
            account = new_account(PASSWORD)
            client = page_of(account)
            account.session_key = client.cookies["sessionid"].value
            line = sockets.enter_context(web.socket(match, origin=web.origin, additional_headers=cookie(client)))
            watcher = Watcher(line)
            watcher.follow("hello")
            close_reason.append((act, account, watcher))
        for act, account, _ in close_reason:
            act(account)
        begun = monotonic()
        assert [watcher.end()[0] for _, _, watcher in close_reason] == [4401] * 6
        assert monotonic() - begun < 5
        assert silent.end()[0] == 4401
        assert 4 < monotonic() - opened < 15
        with pytest.raises(TimeoutError):
            staying.until(lambda _: False, 0.1)


def test_match_of_a_private_season_is_watched_only_while_its_viewer_may_see_it(web: House) -> None:
    cup = Cup(4, public=False)
    hidden, official = cup.death_match(), guest(is_organiser=True)
    assert end_of(web, hidden, first={"kind": "auth", "token": guest().token}) == 4403
    with web.watch(official, hidden) as watcher, web.watch(cup.players[0], hidden) as connection:
        Account.objects.filter(pk=official.id).update(is_organiser=False)
        begun = monotonic()
        assert watcher.end()[0] == 4403
        assert monotonic() - begun < 5
        with pytest.raises(TimeoutError):
            connection.until(lambda _: False, 0.1)


def test_old_socket_is_closed_with_1012_and_resumes_from_its_version(short: House, match: str) -> None:
    spectator = guest()
    with short.watch(spectator, match) as watcher:
        begun = monotonic()
        assert watcher.end()[0] == 1012
        assert monotonic() - begun < 3.5
    with short.watch(spectator, match, f"?after={watcher.version}") as again:
        assert again.hello["version"] == watcher.version


def test_an_account_and_an_address_hold_so_many_sockets_and_no_more(short: House, match: str) -> None:
    one, other = guest(), guest()
    wait_until(lambda: not short.connections())
    with short.watch(one, match), short.watch(one, match), short.watch(one, match) as third:
        assert end_of(short, match, first={"kind": "auth", "token": one.token}) == 4429
        with short.watch(other, match), short.watch(other, match):
            assert end_of(short, match, first={"kind": "auth", "token": other.token}) == 4429
        assert third.end()[0] == 1012

    def gets_in() -> bool:
        with short.socket(match) as line:
            watcher = Watcher(line)
            watcher.say(kind="auth", token=one.token)
            try:
                return watcher.next()["kind"] == "hello"
            except ConnectionClosed:
                return False

    assert wait_until(gets_in)


def test_resync_over_a_socket_counts_as_a_read(short: House, match: str) -> None:
    reader = guest()
    with short.watch(reader, match) as watcher:
        for _ in range(20):
            watcher.say(kind="resync", after=1)
        refused = watcher.follow("refused")
    assert refused["problem"]["code"] == "too_many_requests"


HOSTILE = ["", "[", "[]", "null", '"x"', "{}", '{"kind":"x"}', '{"kind":"command"}', "[" * 9000,
           '{"kind":"pong","x":1}',
           '{"kind":"resync","after":-1}', '{"kind":"resync","after":1e9}', '{"kind":"resync","after":true}',
           '{"kind":"command","id":"","command":{}}', '{"kind":"command","id":"a b","command":{}}',
           '{"kind":"command","id":"a","command":[]}', '{"kind":"command","id":"a","command":{},"expected":"1"}',
           '{"kind":"auth","token":"x"}', '{"kind":"pong","kind":"pong"}', '{"kind":"\\ud800"}',
           '{"kind":"command","id":"\\u0000","command":{}}', b"\x00\xff"]  # fmt: skip


def test_hostile_frames_are_refused_with_a_problem_and_the_socket_lives(web: House, match: str) -> None:
    for part in (HOSTILE[:11], HOSTILE[11:]):
        with web.watch(guest(), match) as watcher:
            for text in part:
                watcher.line.send(text)
                problem = watcher.follow("refused")["problem"]
                assert problem["status"] == 400, text
            watcher.say(kind="pong")
            watcher.say(kind="resync", after=1)
            watcher.follow("events")


def test_sender_of_only_invalid_frames_is_closed_with_4429(web: House, match: str) -> None:
    with web.watch(guest(), match) as watcher:
        with suppress(ConnectionClosed):
            for _ in range(25):
                watcher.line.send("nonsense")
        assert watcher.end()[0] == 4429


def test_a_message_above_sixteen_kilobytes_ends_the_socket(web: House, match: str) -> None:
    with web.watch(guest(), match) as watcher:
        watcher.line.send("x" * 16_385)
        with pytest.raises(ConnectionClosed) as closed:
            watcher.until(lambda _: False)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == 1009
