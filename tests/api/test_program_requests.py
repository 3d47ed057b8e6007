"""Recognition of usual requests, which are answered without Django."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.test import override_settings
from django.utils import timezone

from games.kernel import HOST, SPECTATOR
from matches.http import authentication, preparing, program_requests, token_cache
from matches.models import AccessToken
from matches.storage import repository
from tests.table_setting import new_account, new_token, running_match

MATCH = "01890a5d-ac96-774b-bcce-b302099a8057"
PATH = f"/api/v1/matches/{MATCH}/commands"


@pytest.fixture(scope="module")
def token() -> str:
    """One that was found a moment ago."""
    text = new_token(new_account())
    assert authentication.load_token(text)
    return text


def scope(token: str, *more: tuple[bytes, bytes], **changed: Any) -> dict[str, Any]:
    headers = [(b"host", b"localhost"), (b"authorization", b"Bearer " + token.encode()), *more]
    return {
        "type": "http", "method": "POST", "path": PATH, "query_string": b"", "scheme": "http", "root_path": "",
        "client": ("127.0.0.1", 5), "headers": headers, **changed,
    }  # fmt: skip


def test_a_usual_one_is_read_from_the_servers_own_words(token: str) -> None:
    read = program_requests.read(scope(token, (b"x-request-id", b"abcdefgh"), query_string=b"a=1"))
    assert read is not None
    assert (read.method, str(read.match_id), read.about, read.query) == ("POST", MATCH, "commands", "a=1")
    assert (read.address, read.scheme, read.headers["x-request-id"]) == ("127.0.0.1", "http", "abcdefgh")
    assert read.bearer == token


@pytest.mark.parametrize("path", [
    PATH.upper(), PATH + "/", PATH + "/key", PATH.replace(MATCH, "ABCDEF"), PATH.replace("commands", "legal"), "/",
])  # fmt: skip
def test_other_addresses_fall_back_to_django(path: str, token: str) -> None:
    assert program_requests.read(scope(token, path=path)) is None


@pytest.mark.parametrize("header", [
    (b"cookie", b"a=b"), (b"origin", b"http://localhost"), (b"transfer-encoding", b"chunked"),
    (b"expect", b"100-continue"), (b"host", b"localhost"), (b"authorization", b"Bearer x"),
])  # fmt: skip
def test_duplicate_and_browser_headers_fall_back_to_django(header: tuple[bytes, bytes], token: str) -> None:
    assert program_requests.read(scope(token, header)) is None


def test_other_host_or_mount_falls_back_to_django(token: str) -> None:
    request_scope = scope(token)
    request_scope["headers"][0] = (b"host", b"elsewhere.example")
    assert program_requests.read(request_scope) is None
    assert program_requests.read(scope(token, root_path="/croupier")) is None


def test_plain_http_falls_back_to_django_if_it_is_redirected(token: str) -> None:
    with override_settings(SECURE_SSL_REDIRECT=True):
        assert program_requests.read(scope(token)) is None
        assert program_requests.read(scope(token, scheme="https")) is not None


def test_token_is_looked_up_once_a_minute_and_its_use_recorded() -> None:
    text = new_token(new_account())
    assert token_cache.cached_token(text) is None
    found = asyncio.run(preparing.load_token(text))
    assert (
        found is not None
        and token_cache.cached_token(text) is found
        and asyncio.run(preparing.load_token(text)) is found
    )
    found.last_used_at = timezone.now() - token_cache.KEPT_FOR - timedelta(seconds=1)
    AccessToken.objects.filter(id=found.id).update(last_used_at=found.last_used_at)
    again = asyncio.run(preparing.load_token(text))
    assert again is not None and again is not found
    assert AccessToken.objects.get(id=found.id).last_used_at == again.last_used_at > found.last_used_at


@pytest.mark.parametrize("text", ["crp_nobodys", "x" * 201, "\0"])
def test_invalid_token_falls_back_to_django(text: str) -> None:
    assert asyncio.run(preparing.load_token(text)) is None


def test_cache_of_a_match_is_warmed_for_each_witness() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    repository._cache.clear()
    for witness in (HOST, 0, SPECTATOR):
        assert asyncio.run(preparing.warm_cache(match.id, witness))
        remembered = repository.cached_state(match.id, witness)
        assert remembered is not None and remembered.version == repository.version_of(match.id)
    assert not asyncio.run(preparing.warm_cache(uuid4()))


def test_while_the_database_is_away_django_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: Any) -> None:
        raise psycopg.OperationalError("The database is away.")

    monkeypatch.setattr(authentication, "roundtrip", lost)
    monkeypatch.setattr(preparing, "prepare", lost)
    assert asyncio.run(preparing.load_token(new_token(new_account()))) is None
    assert not asyncio.run(preparing.warm_cache(uuid4()))


def test_oldest_of_too_many_tokens_are_dropped_from_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(token_cache, "_MOST", len(token_cache._cached) + 1)
    first, second = new_token(new_account()), new_token(new_account())
    assert authentication.load_token(first) and authentication.load_token(second)
    assert len(token_cache._cached) == token_cache._MOST and token_cache.cached_token(second)


def test_common_headers_equal_those_of_the_middleware() -> None:
    plain, secure = (program_requests.common_headers(scheme) for scheme in ("http", "https"))
    assert plain["X-Frame-Options"] == "DENY" and plain["Cache-Control"] == "private, no-store"
    assert plain["Content-Type"] == secure["Content-Type"] == "application/json"
