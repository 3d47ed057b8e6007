"""Playing as a guest: one press, whatever is pressed twice, and what becomes of it by signing up or in."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.models.functions import Now
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone

from games import catalogue
from matches.http import rate_windows
from matches.models import AccessEntry, Account, Match, Seat
from matches.services import hosting, opening
from matches.web.models import Remark
from tests.pages import as_read
from tests.table_setting import BOT, at_once, new_account, running_match
from tests.web.site import PASSWORD, fresh_name, member

PLAY = "/open/pyramid_poker/friendly"


def browser(**more: Any) -> Client:
    """A browser that has seen a page with a form."""
    client = Client(headers={"host": "localhost"}, **more)
    client.get("/sign-in")
    return client


def twin(client: Client) -> Client:
    """Return a copy of the browser with the cookies that it has now."""
    other = Client(headers={"host": "localhost"})
    other.cookies = type(client.cookies)(client.cookies.output(header="", sep=";"))
    return other


def press(client: Client, path: str = PLAY, key: str = "", **more: Any) -> HttpResponse:
    return client.post(path, {"guest": "yes", "key": key or uuid4().hex}, **more)


def player_of(client: Client) -> Account:
    return Account.objects.get(id=client.session["_auth_user_id"])


def matches_of(account: Account) -> list[Match]:
    return list(Match.objects.filter(seats__account=account))


def invitation(opener: Account) -> tuple[Match, str]:
    """A friendly with an open seat, and the way to it."""
    opened = opening.open_match(
        opener=opener.id,
        game="pyramid_poker",
        options={},
        seats=[opening.SeatRequest(opener.id), opening.SeatRequest()],
    )
    return Match.objects.get(id=opened.match_id), f"/j/{opened.code}/{opened.invitations[1]}"


def test_one_click_makes_a_guest_and_a_running_match() -> None:
    client = browser()
    answer = press(client)
    guest = player_of(client)
    (match,) = matches_of(guest)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/m/{match.code}/")
    assert match.status == "running" and [seat.is_bot for seat in match.seats.order_by("number")] == [False, True]
    assert re.fullmatch(r"Guest \d{4,9}", guest.username) and not guest.has_usable_password()
    days = (guest.guest_until - timezone.now()) / timedelta(days=1)
    assert 13.9 < days <= 14 and 13.9 < client.session.get_expiry_age() / 86400 <= 14
    page = as_read(client.get("/"))
    assert match.code in page and match.code not in as_read(browser().get("/"))
    assert 'action="/sign-out"' not in page and 'href="/sign-up"' in page


def test_guest_button_is_on_the_front_page_the_games_and_their_rules() -> None:
    for path, forms in (("/", 1), ("/games", len(catalogue)), ("/games/pentagram", 1)):
        page = as_read(browser().get(path))
        assert page.count('name="guest" value="yes"') == forms, path
        keys = re.findall(r'name="key" value="([0-9a-f]{32})"', page)
        assert len(set(keys)) == forms, path
        assert 'name="guest"' not in as_read(signed_in(new_account()).get(path)), path


def signed_in(account: Account) -> Client:
    client = browser()
    client.force_login(account)
    return client


@pytest.mark.parametrize("method", ["get", "head", "options", "put"])
def test_only_a_post_makes_a_guest(method: str) -> None:
    before = Account.objects.count()
    client = browser()
    _, way = invitation(new_account())
    accounts = Account.objects.count()
    for path in (f"{PLAY}?guest=yes&key=1", f"{way}?guest=yes"):
        getattr(client, method)(path)
    assert Account.objects.count() == accounts == before + 1
    assert client.get(PLAY).headers["Location"] == "/games/pyramid_poker"


def test_ended_session_of_an_account_does_not_make_a_guest() -> None:
    answer = browser().post(PLAY, {"key": uuid4().hex})
    assert answer.headers["Location"] == "/sign-in?next=/"


def test_button_sent_twice_makes_one_match_of_one_guest() -> None:
    client, key = browser(), uuid4().hex
    again = twin(client)
    first, second = press(client, key=key), press(again, key=key)
    assert first.headers["Location"] == second.headers["Location"]
    assert player_of(client) == player_of(again)
    assert len(matches_of(player_of(client))) == 1
    # a member's too
    me = signed_in(new_account())
    assert me.post(PLAY, {"key": key}).headers["Location"] == me.post(PLAY, {"key": key}).headers["Location"]


def test_presses_at_the_same_instant_make_one_guest_and_a_match_for_each_button() -> None:
    client, keys = browser(), [uuid4().hex, uuid4().hex]
    tabs = [(twin(client), key) for key in keys * 3]
    answers = at_once([lambda tab=tab, key=key: press(tab, key=key) for tab, key in tabs])
    assert {answer.status_code for answer in answers} == {302}, answers
    ways = {answer.headers["Location"] for answer in answers}
    players = Seat.objects.filter(match__code__in=[way[3:-1] for way in ways], is_bot=False)
    assert len(ways) == 2 and len({seat.account_id for seat in players}) == 1


def test_same_button_opens_another_match_after_the_first_ended() -> None:
    client, key = browser(), uuid4().hex
    press(client, key=key)
    (match,) = matches_of(player_of(client))
    hosting.void(match_id=match.id, by=player_of(client).id, reason="Enough.")
    assert client.post(PLAY, {"key": key}).headers["Location"] != f"/m/{match.code}/"


def test_old_guest_key_does_not_sign_in_as_the_earlier_guest() -> None:
    client = browser()
    old = twin(client)
    press(client)
    guest = player_of(client)
    Account.objects.filter(id=guest.id).update(joined_at=Now() - timedelta(minutes=6))
    assert press(old).status_code == 302
    assert player_of(old) != guest
    # nor one that has been signed up with since
    client = browser()
    old = twin(client)
    press(client)
    client.post("/sign-up", {"username": fresh_name(), "password": PASSWORD})
    press(old)
    assert player_of(old).is_guest and player_of(old) != player_of(client)


def test_guest_button_without_cookies_is_refused_with_the_reason() -> None:
    before = Account.objects.count()
    answer = press(Client(enforce_csrf_checks=True, headers={"host": "localhost"}))
    assert answer.status_code == 403 and "Allow cookies for this site" in answer.content.decode()
    assert Account.objects.count() == before


def test_cross_site_post_makes_no_guest() -> None:
    client = browser(enforce_csrf_checks=True)
    answer = press(client)
    assert answer.status_code == 403 and "Allow cookies" not in answer.content.decode()
    token = client.cookies["csrftoken"].value
    assert client.post(PLAY, {"guest": "yes", "csrfmiddlewaretoken": token}).status_code == 302


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(rate_windows, "of_entries", rate_windows.Counter(30))
    rates = {"commands": "1000/second", "reads": "1000/second", "guests": "3/hour", "signups": "100/hour"}
    with override_settings(LIMITS=True, LIMIT_RATES=rates):
        yield


@pytest.mark.usefixtures("few")
def test_guests_per_address_are_limited_and_existing_ones_continue() -> None:
    here, before = f"10.{'.'.join(map(str, uuid4().bytes[:3]))}", Account.objects.count()
    browsers = [browser() for _ in range(8)]
    statuses = [press(client, REMOTE_ADDR=here).status_code for client in browsers]
    assert statuses == [302] * 3 + [429] * 5
    assert Account.objects.count() == before + 3
    assert "new guests; try again in" in press(browsers[4], REMOTE_ADDR=here).content.decode()
    assert press(browsers[0], REMOTE_ADDR=here).status_code == 302
    assert press(browser(), REMOTE_ADDR="10.254.0.1").status_code == 302


@override_settings(LIMITS=True, MATCHES_OF_GUEST=(1, 0))
def test_guest_at_the_match_limit_reads_what_to_do() -> None:
    client = browser()
    with override_settings(LIMITS=False):
        press(client)
    page = press(client)
    assert page.status_code == 409 and "resign one, or sign up" in page.content.decode()


@override_settings(GUESTS=False)
def test_guest_button_leads_to_sign_in_if_guests_are_disabled() -> None:
    client, (_, way) = browser(), invitation(new_account())
    assert "No account needed" not in client.get("/").content.decode()
    assert press(client).headers["Location"] == "/sign-in?next=/"
    assert "Play as a guest" not in client.get(way).content.decode()
    assert press(client, way).headers["Location"] == f"/sign-in?next={way}"


def test_signing_up_keeps_the_account_and_its_matches() -> None:
    client = browser()
    press(client)
    guest = player_of(client)
    assert guest.username in client.get("/sign-up").content.decode()
    name = fresh_name()
    answer = client.post("/sign-up", {"username": name, "password": PASSWORD, "time_zone": "Asia/Seoul"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    player = player_of(client)
    assert (player.id, player.username, player.guest_until, player.time_zone) == (guest.id, name, None, "Asia/Seoul")
    assert len(matches_of(player)) == 1 and matches_of(player)[0].code in client.get("/").content.decode()
    assert list(AccessEntry.objects.filter(account=player.id).values_list("kind", flat=True)) == ["guest_signed_up"]
    assert browser().post("/sign-in", {"username": name, "password": PASSWORD}).headers["Location"] == "/"


@pytest.mark.parametrize("name", ["host", "Guest 17", "taken"])
def test_refused_name_leaves_the_guest_unchanged(name: str) -> None:
    client = browser()
    press(client)
    taken = member().username if name == "taken" else name
    answer = client.post("/sign-up", {"username": taken, "password": PASSWORD})
    assert answer.status_code in (409, 422)
    assert player_of(client).is_guest and client.get("/account").status_code == 200


def test_guest_signs_up_once_in_two_tabs() -> None:
    client = browser()
    press(client)
    other = twin(client)
    names = [fresh_name(), fresh_name()]
    answers = at_once(
        [
            lambda name=name, tab=tab: tab.post("/sign-up", {"username": name, "password": PASSWORD}).status_code
            for name, tab in zip(names, (client, other), strict=True)
        ]
    )
    assert answers.count(302) >= 1
    assert Account.objects.filter(username__in=names, seats__isnull=False).count() == 1


def test_sign_in_leaves_the_guest_behind_and_says_so() -> None:
    client = browser()
    press(client)
    guest, account = player_of(client), member()
    page = client.get("/sign-in").content.decode()
    assert guest.username in page and "leaves the guest behind" in page
    client.post("/sign-in", {"username": account.username, "password": PASSWORD})
    assert player_of(client) == account
    assert f"You no longer play as {guest.username}" in client.get("/").content.decode()
    assert Account.objects.get(id=guest.id).is_guest


def test_returning_guest_is_prolonged() -> None:
    client = browser()
    press(client)
    guest = player_of(client)
    Account.objects.filter(id=guest.id).update(guest_until=Now() + timedelta(days=3))
    client.get("/")
    assert player_of(client).guest_until > timezone.now() + timedelta(days=13)


def test_guest_sees_only_their_own_settings() -> None:
    client = browser()
    press(client)
    page = client.get("/account").content.decode()
    assert "You play as a guest" in page and "Leave for good" in page
    assert "Make token" not in page and "Change password" not in page
    assert "You play as a guest" not in signed_in(new_account()).get("/account").content.decode()


def test_a_guest_gets_no_token_no_webhook_no_talk_and_no_seats_for_others() -> None:
    client = browser()
    press(client)
    guest, other = player_of(client), new_account()
    watched = running_match("pyramid_poker", other, BOT)
    talk = f"/m/{watched.code}/talk"
    posts: list[tuple[str, dict[str, Any]]] = [
        ("/account/tokens", {"name": "mine", "scopes": ["match:read"]}),
        ("/account/notices/webhook", {"url": "https://example.org/"}),
    ]
    for path, data in posts:
        answer = client.post(path, data)
        assert answer.status_code == 403 and "Not for guests" in answer.content.decode(), path
    assert "Talk is for accounts alone." in client.post(talk, {"text": "Hello"}, follow=True).content.decode()
    assert not guest.tokens.exists() and not Remark.objects.filter(account=guest).exists()
    for seats in ([str(guest.id), None], [str(guest.id), str(other.id)], ["bot", "bot"]):
        body = {"game": "pyramid_poker", "seats": [{"player": player} for player in seats]}
        answer = client.post("/api/v1/matches", json.dumps(body), content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (403, "not_for_guests"), seats
    answer = client.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "invite"})
    assert answer.status_code == 422 and "Sign up first" in answer.content.decode()
    me = client.get("/api/v1/me").json()
    assert me["guest_until"] and me["username"] == guest.username
    assert len(matches_of(guest)) == 1


def test_invitation_names_its_opener_and_the_game() -> None:
    opener = new_account()
    match, way = invitation(opener)
    page = as_read(browser().get(way))
    for words in (opener.username, "invites you to the friendly", "Pyramid Poker", match.code, "Play as a guest"):
        assert words in page, words
    assert match.seats.filter(account=None).count() == 1


def test_invitation_shows_the_clocks() -> None:
    opener = signed_in(new_account())
    answer = opener.post("/open/pyramid_poker", {"seat-0": "me", "seat-1": "invite"})
    way = re.search(r'value="http://localhost(/j/[^"]+)"', opener.get(answer.headers["Location"]).content.decode())
    assert way
    page = " ".join(as_read(browser().get(way[1])).split())
    assert "Turn: 1 minute each time, and 5 minutes more for the whole match" in page


@pytest.mark.parametrize("door", ["sign-up", "sign-in", "guest"])
def test_an_invitation_outlives_every_way_in(door: str) -> None:
    match, way = invitation(new_account())
    client = browser()
    if door == "guest":
        answer = press(client, way)
    else:
        link = re.search(rf'href="(/{door}\?next=[^"]+)"', client.get(way).content.decode())
        assert link
        back = re.search(r'name="next" value="([^"]+)"', client.get(link[1]).content.decode())
        assert back
        name = member().username if door == "sign-in" else fresh_name()
        answer = client.post(f"/{door}", {"username": name, "password": PASSWORD, "next": back[1]})
        assert answer.headers["Location"] == way
        answer = client.post(way)
    assert answer.headers["Location"] == f"/m/{match.code}/seats"
    assert match.seats.get(number=1).account_id == player_of(client).id


def test_guest_taking_an_invitation_in_several_tabs_gets_one_seat() -> None:
    match, way = invitation(new_account())
    client = browser()
    tabs = [twin(client) for _ in range(3)]
    answers = at_once([lambda tab=tab: press(tab, way) for tab in tabs])
    assert {it.headers.get("Location") for it in answers} == {f"/m/{match.code}/seats"}, answers
    assert match.seats.get(number=1).account.is_guest


@pytest.mark.parametrize("wrong", ["secret", "%00", "taken"])
def test_invalid_invitation_reveals_nothing_and_makes_no_guest(wrong: str) -> None:
    opener = new_account()
    match, way = invitation(opener)
    if wrong == "taken":
        signed_in(new_account()).post(way)
    else:
        way = f"/j/{match.code}/{wrong}"
    reader, before = signed_in(new_account()), Account.objects.count()
    for answer in (browser().get(way), press(browser(), way), reader.get(way)):
        assert answer.status_code == 422
        assert "its seat is taken" in answer.content.decode() and opener.username not in answer.content.decode()
    assert Account.objects.count() == before
