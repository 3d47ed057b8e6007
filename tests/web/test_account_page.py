"""The account's page: settings, password, tokens."""

import re

import pytest
from django.test import Client

from matches.models import AccessToken, Account
from tests.table_setting import Api, new_account, new_token
from tests.web.site import PASSWORD


@pytest.fixture
def account() -> Account:
    return new_account()


@pytest.fixture
def with_password(account: Account) -> None:
    """Most of the page needs none, and hashing takes its time."""
    account.set_password(PASSWORD)
    account.save()


@pytest.fixture
def client(request: pytest.FixtureRequest, account: Account) -> Client:
    if "with_password" in request.fixturenames:
        request.getfixturevalue("with_password")
    client = Client(headers={"host": "localhost"})
    client.force_login(account)
    return client


def test_settings_are_stored_and_applied_to_pages(client: Client, account: Account) -> None:
    answer = client.post("/account/settings", {"time_zone": "Asia/Tokyo", "theme": "dark"})
    assert answer.headers["Location"] == "/account"
    account.refresh_from_db()
    assert (account.time_zone, account.theme) == ("Asia/Tokyo", "dark")
    page = client.get("/account").content.decode()
    assert 'data-theme="dark"' in page and "Your settings are saved." in page
    assert re.search(r'value="Asia/Tokyo"\s+selected', page)


@pytest.mark.parametrize("wrong", [{"time_zone": "Mars/Base"}, {"theme": "neon"}])
def test_invalid_setting_is_refused(client: Client, account: Account, wrong: dict[str, str]) -> None:
    answer = client.post("/account/settings", {"time_zone": "UTC", "theme": "light"} | wrong)
    assert answer.status_code == 422
    assert "Select a valid choice" in answer.content.decode()
    account.refresh_from_db()
    assert (account.time_zone, account.theme) == ("UTC", "system")


@pytest.mark.usefixtures("with_password")
def test_a_new_password_ends_other_sessions_and_keeps_this_one(client: Client, account: Account) -> None:
    other = Client(headers={"host": "localhost"})
    other.force_login(account)
    assert client.post("/account/password", {"current": PASSWORD, "new": "another long walk"}).status_code == 302
    assert client.get("/account").status_code == 200
    assert other.get("/account").status_code == 302
    account.refresh_from_db()
    assert account.check_password("another long walk")


@pytest.mark.usefixtures("with_password")
@pytest.mark.parametrize(
    ("current", "new", "words"),
    [("wrong", "another long walk", "t your current password"), (PASSWORD, "12345678", "too common")],
)
def test_a_refused_password_changes_nothing(
    client: Client, account: Account, current: str, new: str, words: str
) -> None:
    answer = client.post("/account/password", {"current": current, "new": new})
    assert answer.status_code == 422
    assert words in answer.content.decode()
    account.refresh_from_db()
    assert account.check_password(PASSWORD)


def test_token_is_shown_once_and_has_the_ticked_scopes(client: Client, account: Account) -> None:
    response = client.post("/account/tokens", {"name": "My <bot>", "scopes": ["match:read"]})
    token = re.search(r'id="new-token"[^>]*value="(crp_[^"]+)"', response.content.decode())
    assert token
    assert Api(token[1]).get("me").json() | {"scopes": ["match:read"]} == Api(token[1]).get("me").json()
    later = client.get("/account").content.decode()
    assert token[1] not in later and token[1][:12] in later
    assert "My &lt;bot&gt;" in later


def test_a_token_for_nothing_is_refused(client: Client, account: Account) -> None:
    assert client.post("/account/tokens", {"name": "x", "scopes": []}).status_code == 422
    assert client.post("/account/tokens", {"name": "x", "scopes": ["everything"]}).status_code == 422
    assert not account.tokens.exists()


def test_a_revoked_token_is_refused_from_then_on(client: Client, account: Account) -> None:
    token = new_token(account)
    assert Api(token).get("me").status_code == 200
    assert client.post(f"/account/tokens/{account.tokens.get().id}/revoke").status_code == 302
    assert Api(token).get("me").status_code == 401
    assert "You have none." in client.get("/account").content.decode()


def test_token_of_another_account_cannot_be_revoked(client: Client) -> None:
    other = new_account()
    token = new_token(other)
    answer = client.post(f"/account/tokens/{AccessToken.objects.get(account=other).id}/revoke")
    assert answer.status_code == 404
    assert Api(token).get("me").status_code == 200


def test_times_are_in_the_accounts_zone_with_utc_in_the_title(client: Client, account: Account) -> None:
    new_token(account)
    AccessToken.objects.filter(account=account).update(last_used_at="2026-07-01T22:30:00Z")
    Account.objects.filter(id=account.id).update(time_zone="Asia/Tokyo")
    page = client.get("/account").content.decode()
    assert 'title="2026-07-01 22:30:00 UTC">2 Jul 2026, 07:30<' in page
