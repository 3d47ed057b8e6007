"""The access log as its account is told it: shown until it is seen, and seen without a change of the log."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client

from matches.accounts import access_log, credentials, erasure
from matches.accounts.access_log import Actor, Door
from matches.http import tokens
from matches.models import AccessEntry, Account, SeenEntry
from tests.api.guests import Guest, guest
from tests.pages import as_read
from tests.table_setting import Api, new_account

PASSWORD = "seven blue lanterns"


@pytest.fixture
def ada() -> Account:
    return new_account(PASSWORD)


@pytest.fixture
def official() -> Account:
    return new_account(is_organiser=True)


def made_an_organiser(account: Account, official: Account) -> AccessEntry:
    credentials.change_rights(account, {"is_organiser": True}, Actor(official.id, Door.PANEL))
    return AccessEntry.objects.filter(account=account.id).latest("id")


def browser() -> Client:
    return Client(headers={"host": "localhost"})


def signed_in(account: Account, address: str = "/sign-in", **fields: str) -> tuple[Client, str]:
    """A browser in which the account has just signed in, and where that led."""
    client = browser()
    answer = client.post(address, {"username": account.username, "password": PASSWORD, **fields})
    return client, answer.headers["Location"]


def test_login_shows_foreign_access_entries_until_they_are_marked_as_read(ada: Account, official: Account) -> None:
    entry = made_an_organiser(ada, official)
    client, led_to = signed_in(ada, next="/matches")
    page = client.get(led_to).content.decode()
    assert official.username in page and "an organiser of the house" in page and "UTC" in page
    assert official.username in client.get("/matches").content.decode(), "until it is seen"
    response = client.post("/account/access-log/seen", {"entry": entry.id, "next": "/matches"})
    assert response.headers["Location"] == "/matches"
    assert official.username not in client.get("/matches").content.decode()
    assert official.username in client.get("/account/access-log").content.decode(), "it stands for ever"
    assert signed_in(ada, next="/matches")[1] == "/matches"


def test_own_acts_are_listed_in_the_access_log_and_not_counted_as_unread(ada: Account) -> None:
    client, _ = signed_in(ada)
    client.post("/account/password", {"current": PASSWORD, "new": "another long walk"})
    assert [it.kind for it in access_log.about(ada.id)] == ["password_changed"]
    assert access_log.count_unseen(ada.id) == 0
    assert "changed the password" in client.get("/account/access-log").content.decode()


def test_access_entry_stays_visible_under_a_hundred_later_ones(ada: Account, official: Account) -> None:
    """Whoever has the session can make tokens by the hundred, and so many links can an official."""
    entry = made_an_organiser(ada, official)
    for _ in range(60):
        access_log.note(ada.id, "token_made", Actor(ada.id, Door.PAGE), token="crp_0123")
    for _ in range(60):
        access_log.note(ada.id, "reset_link_made", Actor(official.id, Door.PANEL))
    client, led_to = signed_in(ada)
    page = as_read(client.get(led_to))
    assert f'name="entry" value="{entry.id}"' in page and page.count('name="entry"') == 61
    client.post("/account/access-log/seen", {"entry": [it.id for it in access_log.unseen(ada.id)]})
    assert access_log.count_unseen(ada.id) == 0 and len(access_log.about(ada.id)) == 100


def test_access_log_records_what_a_stolen_token_revoked(ada: Account) -> None:
    client, _ = signed_in(ada)
    client.post("/account/tokens", {"name": "mine", "scopes": ["match:read"]})
    token = ada.tokens.get()
    client.post(f"/account/tokens/{token.id}/revoke")
    by_password = {"username": ada.username, "password": PASSWORD, "scopes": ["match:play"]}
    stolen = client.post("/api/v1/tokens", by_password, content_type="application/json").json()
    Api(stolen["token"]).delete(f"/tokens/{stolen['id']}")
    entries = access_log.about(ada.id)
    assert [(it.kind, it.door) for it in reversed(entries)] == [
        ("token_made", "page"), ("token_revoked", "page"), ("token_made", "rest"), ("token_revoked", "rest"),
    ]  # fmt: skip
    assert stolen["token"] not in str(entries) and entries[0].what == f"revoked a token: {stolen['token'][:12]}..."


@pytest.mark.parametrize("door", ["rest", "page"])
def test_token_requested_with_the_old_password_is_not_made_after_its_change(
    door: str, ada: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thief asks again and again; the hash is checked before the change, and the token made after it."""
    thief, _ = signed_in(ada)

    def change() -> None:
        owner = Actor(ada.id, Door.PAGE)
        credentials.change_password(Account.objects.get(id=ada.id), "another long walk", owner, "password_changed")

    make = tokens.make

    def late(*args: Any, **details: Any) -> Any:
        change()
        return make(*args, **details)

    monkeypatch.setattr(tokens, "make", late)
    if door == "rest":
        body: dict[str, Any] = {"username": ada.username, "password": PASSWORD}
        answer = thief.post("/api/v1/tokens", body, content_type="application/json")
    else:
        answer = thief.post("/account/tokens", {"name": "", "scopes": ["match:play"]})
    assert answer.status_code == 401
    assert not ada.tokens.filter(revoked_at=None).exists()


def test_client_reads_its_access_log_and_marks_entries_as_read(official: Account) -> None:
    ada, bela = guest(), guest()
    entry = made_an_organiser(Account.objects.get(id=ada.id), official)
    assert ada.get("/me").json["access_log_unseen"] == 1
    (access_entry,) = ada.get("/me/access-log").json["results"]
    assert (access_entry["kind"], access_entry["by"], access_entry["by_name"], access_entry["seen"]) == (
        "rights_changed", str(official.id), official.username, False,
    )  # fmt: skip
    assert access_entry["text"] == f"{official.username} changed this account's rights: an organiser of the house."
    assert bela.get("/me/access-log").json["results"] == []
    assert bela.post("/me/access-log/seen", {"entries": [entry.id]}).status == 204
    assert ada.get("/me").json["access_log_unseen"] == 1, "nobody sees for another"
    for _ in range(2):
        assert ada.post("/me/access-log/seen", {"entries": [entry.id, 2**53 - 1]}).status == 204
    assert ada.get("/me").json["access_log_unseen"] == 0
    assert ada.get("/me/access-log").json["results"][0]["seen"] is True
    assert SeenEntry.objects.filter(entry__account=ada.id).count() == 1


def test_granting_a_right_twice_makes_one_access_entry(ada: Account, official: Account) -> None:
    made_an_organiser(ada, official)
    made_an_organiser(ada, official)
    assert AccessEntry.objects.filter(account=ada.id).count() == 1


def test_organisers_made_at_the_machine_are_noted() -> None:
    for words in (("add_account",), ("createsuperuser", "--noinput", "--username")):
        name = f"root {uuid4().hex[:12]}"
        more = ("--organiser", "--password", PASSWORD) if words[0] == "add_account" else ()
        call_command(*words, name, *more)
        account = Account.objects.get(username=name)
        (entry,) = access_log.about(account.id)
        assert (entry.kind, entry.by) == ("account_made", None) and "a superuser" in entry.what


def test_entries_of_an_erased_account_stay_without_its_name(ada: Account, official: Account) -> None:
    made_an_organiser(ada, official)
    name = ada.username
    erasure.erase(ada.id)
    entries = AccessEntry.objects.filter(account=ada.id)
    assert [it.kind for it in entries.order_by("id")] == ["rights_changed", "account_erased"]
    assert name not in str(list(entries.values()))


@pytest.mark.parametrize(
    ("fields", "is_kept"),
    [({}, False), ({"revoke_tokens": ["false", "on"]}, False), ({"revoke_tokens": "false"}, True)],
)
def test_a_new_password_ends_every_token_unless_the_box_is_unticked(
    ada: Account, fields: dict[str, object], is_kept: bool
) -> None:
    client, _ = signed_in(ada)
    token = browser().post(
        "/api/v1/tokens", {"username": ada.username, "password": PASSWORD}, content_type="application/json"
    ).json()["token"]  # fmt: skip
    page = client.get("/account").content.decode()
    assert '<input type="hidden" name="revoke_tokens" value="false">' in page
    changed = client.post("/account/password", {"current": PASSWORD, "new": "another long walk"} | fields)
    assert changed.status_code == 302
    assert client.get("/account").status_code == 200
    assert (Guest(token, ada).get("/me").status == 200) is is_kept
