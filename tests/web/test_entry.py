"""Sign-up, sign-in and sign-out, as forms."""

from uuid import uuid4

import pytest
from django.test import Client, RequestFactory, override_settings

from matches.html.entry import way_back
from matches.models import Account
from tests.pages import as_read
from tests.table_setting import new_account
from tests.web.site import PASSWORD, fresh_name, member


@pytest.fixture
def client() -> Client:
    return Client(headers={"host": "localhost"})


def test_new_account_is_signed_in_and_sees_the_lobby(client: Client) -> None:
    name = fresh_name()
    answer = client.post("/sign-up", {"username": name, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert name in client.get("/").content.decode()


def test_invalid_time_zone_at_sign_up_becomes_utc(client: Client) -> None:
    name = fresh_name()
    assert client.post("/sign-up", {"username": name, "password": PASSWORD, "time_zone": "../x"}).status_code == 302
    assert Account.objects.get(username=name).time_zone == "UTC"


@pytest.mark.parametrize(
    ("name", "password", "status", "words"),
    [
        ("host", PASSWORD, 422, "reserved"),
        ("a/b", PASSWORD, 422, "letters, digits"),
        ("", PASSWORD, 422, "This field is required"),
        ("someone-new-here", "12345678", 422, "too common"),
        ("x" * 161, PASSWORD, 422, "at most 160"),
        ("someone-new-here", "x" * 129, 422, "at most 128"),
        ("nul\0", PASSWORD, 422, "Null characters"),
    ],
)
def test_refused_sign_up_names_the_fault_and_makes_no_account(
    client: Client, name: str, password: str, status: int, words: str
) -> None:
    answer = client.post("/sign-up", {"username": name, "password": password})
    assert answer.status_code == status
    assert words in answer.content.decode()
    assert not Account.objects.filter(username=name.replace("\0", "")).exists() or name == "host"
    assert "sessionid" not in client.cookies


def test_name_that_looks_like_another_is_refused(client: Client) -> None:
    name = member().username
    answer = client.post("/sign-up", {"username": name.upper(), "password": PASSWORD})
    assert answer.status_code == 409
    assert "Choose another name" in answer.content.decode()


def test_closed_sign_up_says_so(client: Client) -> None:
    with override_settings(SIGNUP="closed"):
        for answer in (client.get("/sign-up"), client.post("/sign-up", {"username": "q", "password": PASSWORD})):
            assert answer.status_code == 403
            assert "Ask the organiser" in answer.content.decode()


def test_a_name_is_known_however_it_is_typed(client: Client) -> None:
    name = member().username
    assert client.post("/sign-in", {"username": name.upper(), "password": PASSWORD}).status_code == 302


@pytest.mark.parametrize("wrong", ["name", "password"])
def test_wrong_name_and_wrong_password_get_equal_responses(client: Client, wrong: str) -> None:
    name = fresh_name() if wrong == "name" else member().username
    answer = client.post("/sign-in", {"username": name, "password": "another long walk"})
    assert answer.status_code == 401
    assert "Name or password wrong" in answer.content.decode()
    assert "another long walk" not in answer.content.decode()


def test_inactive_account_cannot_sign_in(client: Client) -> None:
    account = member()
    Account.objects.filter(id=account.id).update(is_active=False)
    assert client.post("/sign-in", {"username": account.username, "password": PASSWORD}).status_code == 401


def test_sign_in_returns_to_the_requested_page(client: Client) -> None:
    stopped = client.get("/open/pyramid_poker?x=1")
    assert stopped.headers["Location"] == "/sign-in?next=/open/pyramid_poker%3Fx%3D1"
    why = "What you asked for needs an account."
    assert why in as_read(client.get(stopped.headers["Location"])) and why not in as_read(client.get("/sign-in"))
    data = {"username": member().username, "password": PASSWORD, "next": "/open/pyramid_poker?x=1"}
    assert client.post("/sign-in", data).headers["Location"] == "/open/pyramid_poker?x=1"


@pytest.mark.parametrize(
    ("stood_on", "page"),
    [
        ("http://localhost/players/someone?x=1", "/players/someone%3Fx%3D1"),
        ("http://localhost", "/"),
        ("http://evil.example/players/someone", "/"),
        ("http://[", "/"),
        ("", "/"),
    ],
)
def test_sign_in_returns_to_the_page_of_a_form_sent_signed_out(client: Client, stood_on: str, page: str) -> None:
    stopped = client.post("/open/pyramid_poker/friendly", headers={"Referer": stood_on})
    assert (stopped.status_code, stopped.headers["Location"]) == (302, f"/sign-in?next={page}")


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "\\\\evil"])
def test_redirect_after_sign_in_never_leaves_the_site(elsewhere: str) -> None:
    factory = RequestFactory(headers={"host": "localhost"})
    for request in (factory.get("/", {"next": elsewhere}), factory.post("/", {"next": elsewhere})):
        assert way_back(request) == "/"


def test_sign_out_is_a_post_that_ends_the_session(client: Client) -> None:
    client.force_login(new_account())
    assert client.get("/sign-out").status_code == 405
    assert client.get("/account").status_code == 200
    assert client.post("/sign-out").status_code == 302
    assert client.get("/account").status_code == 302


def test_signed_in_account_is_redirected_from_sign_in_and_sign_up(client: Client) -> None:
    client.force_login(new_account())
    for door in ("/sign-in?next=/matches", "/sign-up?next=/matches"):
        assert client.get(door).headers["Location"] == "/matches"


@override_settings(LIMITS=True, LIMIT_RATES={"commands": "2/minute", "reads": "2/minute"})
def test_forms_count_towards_the_limits_of_programs(client: Client) -> None:
    client.force_login(new_account())
    reads = [client.get("/account").status_code for _ in range(3)]
    posts = [client.post("/open/chess/friendly").status_code for _ in range(3)]
    assert (reads, posts) == ([200, 200, 429], [404, 404, 429])


@pytest.mark.parametrize(
    "path",
    [
        "/seasons", "/seasons/{}", "/seasons/{}?at=2", "/seasons/{}/episodes/1", "/seasons/{}/players/{}",
        "/seasons/{}/episodes/1/recap.png", "/seasons/{}/champion", "/seasons/{}/champion.png",
        "/seasons/{}/poster.png", "/seasons/{}/calendar.ics", "/calendars/guessed.ics",
    ],
)  # fmt: skip
def test_anonymous_reads_of_seasons_are_limited_like_those_of_matches(path: str) -> None:
    client, unknown = Client(headers={"host": "localhost"}, REMOTE_ADDR=f"10.1.2.{len(path)}"), uuid4()
    with override_settings(LIMITS=True, LIMIT_RATES={"reads": "1/minute"}):
        assert [client.get(path.format(unknown, unknown)).status_code for _ in range(2)][1] == 429


def test_a_form_from_another_site_is_refused_with_a_page() -> None:
    client = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
    client.get("/sign-in")
    answer = client.post("/sign-in", {"username": "a", "password": "b"})
    assert answer.status_code == 403
    assert "Cross-site check failed" in answer.content.decode()
    assert "reload it and send the form again" in answer.content.decode()
