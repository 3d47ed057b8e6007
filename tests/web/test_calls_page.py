"""The page of what reaches an account, and the same over REST."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from django.test import Client

from events import store
from matches.accounts import erasure
from matches.domain.calls import KINDS, WAYS
from matches.models import Account, Call
from matches.notifications import calls, mail_addresses, reach
from matches.notifications.calls import Cause
from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.table_setting import new_account

PAGE = "/account/calls"


@pytest.fixture
def me() -> Iterator[Account]:
    yield new_account()


@pytest.fixture
def client(me: Account) -> Client:
    client = Client(SERVER_NAME="localhost", raise_request_exception=False)
    client.force_login(me)
    return client


@pytest.fixture
def mails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house sends letters."""
    monkeypatch.setattr(mail_addresses, "is_on", lambda: True)


@pytest.mark.usefixtures("mails")
def test_page_shows_the_default_notifications_and_an_empty_history(client: Client) -> None:
    page = client.get(PAGE).content.decode()
    assert all(f'value="{kind} {way}"' in page for kind in KINDS for way in WAYS)
    assert 'value="decision email" checked' in page and 'value="your_turn email" >' in page
    assert "Nothing yet." in page and f'href="{PAGE}"' in client.get("/account").content.decode()


def test_email_options_are_hidden_without_mail_and_keep_their_choice(client: Client, me: Account) -> None:
    reach.choose(me, {("result", "email"): True, ("claim", "email"): False})
    reach.arrange(me, details=False, digest="daily", quiet_from=None, quiet_until=None)
    page = client.get(PAGE).content.decode()
    assert "This house sends no letters." in page
    assert 'email"' not in page and 'name="digest"' not in page and ">E-mail</th>" not in page
    assert client.post(f"{PAGE}/table", {"wanted": ["result page"]}).status_code == 302
    assert client.post(f"{PAGE}/when", {"details": "on"}).status_code == 302
    wish = reach.wish_of(me)
    assert (wish.details, wish.digest) == (True, "daily")
    assert wish.wants("result", "email") and not wish.wants("claim", "email") and not wish.wants("result", "push")


def test_only_ticked_kinds_are_notified(client: Client, me: Account) -> None:
    assert client.post(f"{PAGE}/table", {"wanted": ["answer page"]}).status_code == 302
    assert calls.queue([Cause(me.id, kind, "x") for kind in KINDS]) == 1
    page = client.get(PAGE).content.decode()
    assert page.count("checked") == 1 and "There is an answer that concerns you." in page


def test_quiet_hours_need_both_ends_and_are_kept(client: Client, me: Account) -> None:
    half = client.post(f"{PAGE}/when", {"digest": "daily", "quiet_from": "22:00"})
    assert half.status_code == 422 and "Give both times" in as_read(half)
    fields = {"digest": "daily", "quiet_from": "22:00", "quiet_until": "07:00", "details": "on"}
    assert client.post(f"{PAGE}/when", fields).status_code == 302
    page = client.get(PAGE).content.decode()
    assert 'value="22:00"' in page and 'value="07:00"' in page and me.reach.details


def test_season_is_muted_and_unmuted(client: Client, me: Account) -> None:
    cup = Cup(4)
    cup.did("/players", {"player": str(me.id)})
    assert client.post(f"{PAGE}/season", {"season": cup.id, "choice": "muted"}).status_code == 302
    assert '<option value="muted" selected>' in client.get(PAGE).content.decode()
    assert client.post(f"{PAGE}/season", {"season": cup.id, "choice": ""}).status_code == 302
    assert '<option value="muted" selected>' not in client.get(PAGE).content.decode()
    for wrong in ({"season": "x", "choice": "muted"}, {"season": str(uuid4()), "choice": "all"}):
        assert client.post(f"{PAGE}/season", wrong).status_code == 404
    assert client.post(f"{PAGE}/season", {"season": cup.id, "choice": "loud"}).status_code == 400


def test_test_notification_is_sent_and_listed(client: Client) -> None:
    assert "A test is on its way" in client.post(f"{PAGE}/test", follow=True).content.decode()
    assert "Croupier can reach you here." in as_read(client.get(PAGE))


def test_page_is_refused_to_others_and_guests(client: Client, me: Account) -> None:
    stranger = Client(SERVER_NAME="localhost", raise_request_exception=False)
    assert stranger.get(PAGE).status_code == 302
    passer = new_account()
    Account.objects.filter(id=passer.id).update(guest_until=store.clock())
    stranger.force_login(passer)
    assert stranger.get(PAGE).status_code in (302, 403)


def test_over_rest_the_same_table_is_read_and_changed() -> None:
    me = guest()
    response = me.ask(
        "PATCH", "/me/reach", b'{"table": {"result": {"page": false}}, "quiet": {"begins": "23:30", "ends": "06:00"}}'
    )
    assert response.status == 200 and response.json["table"]["result"] == {"page": False, "push": True, "email": True}
    assert response.json["quiet"] == {"begins": "23:30", "ends": "06:00"} and not response.json["email"]
    again = me.ask("PATCH", "/me/reach", b'{"details": true}').json
    assert again["details"] and again["quiet"] == response.json["quiet"], "what isn't named stays"
    assert me.ask("PATCH", "/me/reach", b'{"quiet": null}').json["quiet"] is None
    for wrong in (
        b'{"quiet": {"begins": "24:00", "ends": "06:00"}}',
        b'{"table": {"gossip": {"page": true}}}',
        b'{"digest": 1}',
    ):
        assert me.ask("PATCH", "/me/reach", wrong).status == 400


def test_test_notification_is_listed_over_rest_and_erased_with_the_account() -> None:
    me = guest()
    assert me.ask("POST", "/me/calls/test").status == 204
    (call,) = me.get("/me/calls").json["results"]
    assert (call["kind"], call["way"], call["state"]) == ("test", "page", "sent")
    me.ask("PATCH", "/me/reach", b'{"details": true, "table": {"result": {"page": false}}}')
    erasure.erase(Account.objects.get(id=me.id).id)
    account = Account.objects.get(id=me.id)
    assert not Call.objects.filter(account=account).exists()
    assert not account.call_choices.exists() and not hasattr(account, "reach")
