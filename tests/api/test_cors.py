"""Pages of other origins: those that the operator lists may ask the API by token; others and cookies stay out."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client, override_settings

from tests.api.guests import guest

LISTED, OTHER = "https://bots.example.org", "https://elsewhere.example.org"
PREFLIGHT = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,idempotency-key"}


@pytest.fixture
def browser() -> Iterator[Client]:
    """The service as it is with an origin in CROUPIER_CORS_ORIGINS."""
    cors = "corsheaders.middleware.CorsMiddleware"
    chain = [*settings.MIDDLEWARE[:2], cors, *settings.MIDDLEWARE[2:]]
    with override_settings(MIDDLEWARE=chain, CORS_ALLOWED_ORIGINS=[LISTED]):
        yield Client(headers={"host": "localhost"})


def allowed(headers: dict[str, str]) -> set[str]:
    return {name for name in headers if name.lower().startswith("access-control-")}


def test_listed_origin_may_send_tokens_and_read_responses(browser: Client) -> None:
    preflight = browser.options("/api/v1/matches/x/commands", headers={"origin": LISTED, **PREFLIGHT})
    assert preflight.status_code == 200 and preflight.headers["Access-Control-Allow-Origin"] == LISTED
    assert {"authorization", "idempotency-key", "if-match"} <= set(
        preflight.headers["Access-Control-Allow-Headers"].split(", ")
    )
    response = browser.get("/api/v1/me", headers={"origin": LISTED, "authorization": f"Bearer {guest().token}"})
    assert response.status_code == 200 and response.headers["Access-Control-Allow-Origin"] == LISTED
    assert {"ETag", "Retry-After"} <= set(response.headers["Access-Control-Expose-Headers"].split(", "))


def test_cross_origin_requests_carry_no_cookie(browser: Client) -> None:
    for headers in ({"origin": LISTED}, {"origin": LISTED, **PREFLIGHT}):
        answer = browser.options("/api/v1/me", headers=headers)
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_unlisted_origin_and_other_paths_get_no_cors_headers(browser: Client) -> None:
    for path, origin in (
        ("/api/v1/games", OTHER),
        ("/api/v1/games", "null"),
        ("/account", LISTED),
        ("/admin/", LISTED),
    ):
        for answer in (
            browser.get(path, headers={"origin": origin}),
            browser.options(path, headers={"origin": origin, **PREFLIGHT}),
        ):
            assert allowed(dict(answer.headers)) == set(), f"{path} answers {origin}"


def test_no_origin_is_listed_by_default() -> None:
    assert settings.CORS_ALLOWED_ORIGINS == [] and not settings.CORS_ALLOW_CREDENTIALS
    answer = Client(headers={"host": "localhost"}).options("/api/v1/me", headers={"origin": LISTED, **PREFLIGHT})
    assert answer.status_code == 204 and allowed(dict(answer.headers)) == set()
