"""Signing up, tokens, and what a token may do."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher, identify_hasher
from django.db import DatabaseError, connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone

from config import settings
from matches.domain.names import name_key
from matches.http import authentication, tokens
from matches.http.tokens import digest_of, new_token
from matches.models import AccessToken, Account
from tests.table_setting import new_account

PASSWORD = "seven blue lanterns"
AS_SERVED = override_settings(PASSWORD_HASHERS=settings.PASSWORD_HASHERS)
client = Client(headers={"host": "localhost"}, content_type="application/json")


@pytest.fixture
def name() -> str:
    return f"ann {uuid.uuid4().hex[:12]}"


@pytest.fixture
def account(name: str) -> Account:
    return Account.objects.create_user(name, PASSWORD)


def post(path: str, **body: Any) -> HttpResponse:
    return client.post(f"/api/v1/{path}", body, content_type="application/json")


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def token_for(account: Account, **details: Any) -> dict[str, Any]:
    response = post("tokens", username=account.username, password=PASSWORD, **details)
    assert response.status_code == 201
    return response.json()


def me(token: str) -> HttpResponse:
    return client.get("/api/v1/me", headers=bearer(token))


def test_sign_up_then_log_in(name: str) -> None:
    created = post("accounts", username=name, password=PASSWORD)
    assert created.status_code == 201
    assert created.json()["username"] == name
    response = post("tokens", username=name.upper(), password=PASSWORD)
    assert me(response.json()["token"]).json() == {
        **created.json(),
        "is_organiser": False,
        "scopes": ["chat:read", "chat:write", "match:play", "match:read", "season:admin"],
        "time_zone": "UTC",
        "theme": "system",
        "access_log_unseen": 0,
        "guest_until": None,
    }


def test_sign_up_cannot_grant_organiser_rights(name: str) -> None:
    assert post("accounts", username=name, password=PASSWORD, is_organiser=True).status_code == 400
    assert not Account.objects.filter(username=name).exists()


def test_sign_up_can_be_closed(name: str) -> None:
    with override_settings(SIGNUP="closed"):
        response = post("accounts", username=name, password=PASSWORD)
    assert (response.status_code, response.json()["code"]) == (403, "signup_closed")


@pytest.mark.parametrize("spelling", [str.upper, str.title, lambda name: name.replace("a", "ａ", 1)])
def test_a_name_is_taken_however_it_is_typed(account: Account, spelling: Any) -> None:
    response = post("accounts", username=spelling(account.username), password=PASSWORD)
    assert (response.status_code, response.json()["code"]) == (409, "name_taken")


def test_one_of_four_concurrent_sign_ups_gets_the_name(name: str) -> None:
    def sign_up(_: int) -> int:
        try:
            return post("accounts", username=name, password=PASSWORD).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(sign_up, range(4))) == [201, 409, 409, 409]


@pytest.mark.parametrize("bad", ["host", " ann", "a\u202eb", "a\u200bb", "x" * 41, "\ufdfa" * 12, "a\tb", "<b>"])
def test_odd_names_are_refused(bad: str) -> None:
    response = post("accounts", username=bad, password=PASSWORD)
    assert (response.status_code, response.json()["code"]) == (422, "bad_name")


@pytest.mark.parametrize("bad", ["short", "password", "1029384756102"])
def test_weak_passwords_are_refused(name: str, bad: str) -> None:
    response = post("accounts", username=name, password=bad)
    assert (response.status_code, response.json()["code"]) == (422, "weak_password")


@pytest.mark.parametrize("length", [0, 129])
def test_a_password_has_1_to_128_characters(name: str, length: int) -> None:
    assert post("accounts", username=name, password="q7-" * 43 if length else "").status_code == 400


def test_wrong_password_and_unknown_name_get_equal_responses(account: Account) -> None:
    wrong = post("tokens", username=account.username, password="not this one")
    unknown = post("tokens", username="nobody by this name", password="not this one")
    assert wrong.status_code == unknown.status_code == 401
    assert wrong.headers["WWW-Authenticate"] == "Bearer"
    mask = {"request_id": ""}
    assert {**wrong.json(), **mask} == {**unknown.json(), **mask}


def test_an_unknown_name_is_hashed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed = []
    monkeypatch.setattr("django.contrib.auth.base_user.make_password", lambda raw: hashed.append(raw) or "!")
    post("tokens", username="nobody by this name", password="a guess")
    assert hashed == ["a guess"]


@AS_SERVED
def test_passwords_are_stored_with_argon2id(name: str) -> None:
    assert post("accounts", username=name, password=PASSWORD).status_code == 201
    stored_hash = Account.objects.get(username=name).password
    assert stored_hash.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert post("tokens", username=name, password=PASSWORD).status_code == 201
    assert post("tokens", username=name, password="not this one").status_code == 401
    assert Account.objects.get(username=name).password == stored_hash


@AS_SERVED
def test_password_with_an_older_hash_is_accepted_and_rehashed(name: str) -> None:
    older = PBKDF2PasswordHasher().encode(PASSWORD, "salt", iterations=1000)
    account = Account.objects.create(username=name, name_key=name_key(name), password=older)
    assert post("tokens", username=name, password="not this one").status_code == 401
    assert Account.objects.get(pk=account.pk).password == older
    assert post("tokens", username=name, password=PASSWORD).status_code == 201
    assert identify_hasher(Account.objects.get(pk=account.pk).password).algorithm == "argon2"
    assert post("tokens", username=name, password=PASSWORD).status_code == 201


def test_an_account_put_to_sleep_gets_no_token(account: Account) -> None:
    token = token_for(account)["token"]
    Account.objects.filter(pk=account.pk).update(is_active=False)
    assert post("tokens", username=account.username, password=PASSWORD).status_code == 401
    assert me(token).json()["code"] == "bad_token"


def test_only_a_hash_of_the_token_is_kept(account: Account) -> None:
    token = token_for(account, name="my bot")
    token_row = AccessToken.objects.get(pk=token["id"])
    assert bytes(token_row.digest) == digest_of(token["token"])
    assert token["token"].startswith(token_row.prefix) and len(token["token"]) > 40
    assert timedelta(days=89) < token_row.expires_at - timezone.now() < timedelta(days=91)
    listed = client.get("/api/v1/tokens", headers=bearer(token["token"]))
    assert token["token"] not in listed.content.decode()
    assert [row["name"] for row in listed.json()["results"]] == ["my bot"]


def test_tokens_differ() -> None:
    assert len({new_token().token for _ in range(100)}) == 100


@pytest.mark.parametrize("sent", ["Bearer crp_nope", "Bearer", "Bearer ", "Bearer " + "x" * 5000, "bearer crp_nope"])
def test_an_unknown_token_is_refused(sent: str) -> None:
    response = client.get("/api/v1/me", headers={"authorization": sent})
    assert (response.status_code, response.json()["code"]) == (401, "bad_token")
    assert response.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize("sent", ["", "Basic YTpi", "Token crp_x"])
def test_request_without_a_bearer_token_gets_401(sent: str) -> None:
    response = client.get("/api/v1/me", headers={"authorization": sent})
    assert (response.status_code, response.json()["code"]) == (401, "not_authenticated")
    assert response.headers["WWW-Authenticate"] == "Bearer"


def test_a_token_ends(account: Account) -> None:
    token = token_for(account)
    AccessToken.objects.filter(pk=token["id"]).update(expires_at=timezone.now())
    assert me(token["token"]).json()["code"] == "bad_token"


def test_token_is_revoked_once_and_only_by_its_owner(account: Account) -> None:
    token, other = token_for(account), token_for(Account.objects.create_user(f"bob {uuid.uuid4().hex}", PASSWORD))
    path = f"/api/v1/tokens/{token['id']}"
    assert client.delete(path, headers=bearer(other["token"])).status_code == 404
    assert me(token["token"]).status_code == 200
    assert client.delete(path, headers=bearer(token["token"])).status_code == 204
    assert me(token["token"]).json()["code"] == "bad_token"
    spare = token_for(account)["token"]
    assert client.delete(path, headers=bearer(spare)).status_code == 404


def test_read_only_token_may_revoke_only_itself(account: Account) -> None:
    playing, reading = token_for(account), token_for(account, scopes=["match:read"])
    refused = client.delete(f"/api/v1/tokens/{playing['id']}", headers=bearer(reading["token"]))
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert me(playing["token"]).status_code == 200
    assert client.delete(f"/api/v1/tokens/{reading['id']}", headers=bearer(reading["token"])).status_code == 204


def test_expired_token_does_not_prevent_making_a_new_one(account: Account) -> None:
    body = {"username": account.username, "password": PASSWORD}
    response = client.post("/api/v1/tokens", body, content_type="application/json", headers=bearer("crp_old"))
    assert response.status_code == 201


def test_use_of_a_token_is_recorded_once_a_minute(account: Account) -> None:
    token = token_for(account)
    row = AccessToken.objects.filter(pk=token["id"])
    assert row.get().last_used_at is None
    me(token["token"])
    first = row.get().last_used_at
    me(token["token"])
    assert row.get().last_used_at == first
    row.update(last_used_at=first - timedelta(seconds=61))
    me(token["token"])
    assert row.get().last_used_at > first


def test_request_succeeds_although_the_use_of_its_token_cannot_be_recorded(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise DatabaseError

    token = token_for(account)
    monkeypatch.setattr("django.db.models.query.QuerySet.update", fail)
    assert me(token["token"]).status_code == 200


def test_scopes_narrow_a_token(account: Account) -> None:
    token = token_for(account, scopes=["match:read", "match:read"])
    assert token["scopes"] == ["match:read"]
    assert client.get("/api/v1/matches", headers=bearer(token["token"])).status_code == 200
    response = client.post("/api/v1/matches", {}, content_type="application/json", headers=bearer(token["token"]))
    assert (response.status_code, response.json()["code"]) == (403, "missing_scope")
    assert "match:play" in response.json()["detail"]
    assert 'scope="match:play"' in response.headers["WWW-Authenticate"]


@pytest.mark.parametrize("scopes", [[], ["match:*"], "match:read", None])
def test_scopes_are_known_ones(account: Account, scopes: Any) -> None:
    assert post("tokens", username=account.username, password=PASSWORD, scopes=scopes).status_code == 400


def test_a_cookie_writes_with_its_cross_site_proof_alone(account: Account) -> None:
    browser = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    browser.force_login(account)
    assert browser.get("/api/v1/me").json()["username"] == account.username
    path = f"/api/v1/tokens/{token_for(account)['id']}"
    refused = browser.delete(path)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    browser.get("/api/docs")
    proof = {"x-csrftoken": browser.cookies["csrftoken"].value}
    assert browser.delete(path, headers=proof).status_code == 204


def test_wrong_method_gets_405_with_the_allowed_ones(account: Account) -> None:
    response = client.put("/api/v1/me", headers=bearer(token_for(account)["token"]))
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")
    assert "GET" in response.headers["Allow"]


def test_an_address_without_parameters_refuses_them(account: Account) -> None:
    response = client.get("/api/v1/me?scopes=all", headers=bearer(token_for(account)["token"]))
    assert (response.status_code, response.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize("method", ["PUT", "TRACE", "BREW"])
def test_unknown_method_gets_405(account: Account, method: str) -> None:
    response = client.generic(method, "/api/v1/me", headers=bearer(token_for(account)["token"]))
    assert (response.status_code, response.json()["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("path", ["matches/%00", "matches/a%00b/legal", "games/%00", "tokens/%00"])
def test_a_nul_in_an_address_is_404(account: Account, path: str) -> None:
    response = client.get(f"/api/v1/{path}", headers=bearer(token_for(account)["token"]))
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def change(headers: dict[str, str], **fields: str) -> HttpResponse:
    return client.patch("/api/v1/me", fields, content_type="application/json", headers=headers)


def test_an_account_chooses_its_time_zone_and_its_theme(account: Account) -> None:
    headers = bearer(token_for(account)["token"])
    changed = change(headers, time_zone="Europe/Vienna", theme="dark")
    assert changed.status_code == 200
    assert change(headers, theme="light").status_code == 200
    me = client.get("/api/v1/me", headers=headers).json()
    assert (me["time_zone"], me["theme"]) == ("Europe/Vienna", "light")


@pytest.mark.parametrize("zone", ["Atlantis/Capital", "", "../../etc/passwd", "europe/vienna", "posix/UTC"])
def test_unknown_time_zone_is_refused_and_nothing_changes(account: Account, zone: str) -> None:
    headers = bearer(token_for(account)["token"])
    refused = change(headers, time_zone=zone, theme="dark")
    assert (refused.status_code, refused.json()["code"]) == (422, "no_such_time_zone")
    me = client.get("/api/v1/me", headers=headers).json()
    assert (me["time_zone"], me["theme"]) == ("UTC", "system")


def test_the_oldest_of_too_many_tokens_is_revoked() -> None:
    account = new_account()
    first, secret = tokens.make(account, name="the first", scopes=["match:read"])
    assert authentication.load_token(secret) == first
    for number in range(tokens.MOST):
        tokens.make(account, name=str(number), scopes=["match:read"])
    names = [token.name for token in tokens.good_ones(account)]
    assert len(names) == tokens.MOST and "the first" not in names and names[0] == str(tokens.MOST - 1)
    assert authentication.load_token(secret) is None
