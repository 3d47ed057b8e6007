"""A match of up to 30 seats at every entry point, and its page on narrow and wide screens."""

import json
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from games.drawing import themes
from games.kernel import HOST, MOST_SEATS, SPECTATOR, Seats
from matches.http import renderers
from matches.models import Account, Match
from matches.reads import pictures
from matches.services import accepting
from matches.storage import repository
from tests.api.guests import guest, opened
from tests.pages import as_read
from tests.recipe.cataloguing import catalogued
from tests.recipe.secret_number import GAME
from tests.table_setting import new_account, play_on, play_to_the_end, running_match
from tests.web.match_setting import client_of
from tests.web.site import Visitors
from tests.web.test_frames import long_named

COUNTS = (13, MOST_SEATS)


@pytest.fixture(autouse=True)
def _in_the_catalogue(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from catalogued(GAME, monkeypatch)


def table_of(players: Sequence[Account]) -> Match:
    """A running match, in which some have moved."""
    match = running_match("secret_number", *players)
    for player in players:
        accepting.accept(match_id=match.id, player=player.id)
    play_on(match, len(players) // 3)
    return match


def test_every_seat_has_a_letter_of_its_own_and_colours() -> None:
    assert len(set(themes.SEAT_LETTERS)) == MOST_SEATS
    assert themes.SEAT_LETTERS[:5] == tuple("ABCDE") and themes.SEAT_LETTERS[25:27] == ("Z", "AA")
    for seat in range(MOST_SEATS):
        assert themes.LIGHT.seat(seat) == themes.LIGHT.seat(seat % 5) and themes.LIGHT.seat_soft(seat)


def test_game_with_more_seats_than_letters_is_refused() -> None:
    with pytest.raises(ValueError, match="30 seats"):
        Seats(min=2, max=MOST_SEATS + 1)


@pytest.mark.parametrize("count", COUNTS)
def test_match_of_many_seats_is_opened_over_rest_and_played_to_its_end(count: int) -> None:
    opener = guest()
    match = Match.objects.get(id=opened(opener, "secret_number", opener, *["bot"] * (count - 1)))
    document = opener.get(f"/matches/{match.id}").json
    assert [seat["seat"] for seat in document["seats"]] == list(range(count))
    assert opener.post(f"/matches/{match.id}/start").status == 200
    play_to_the_end(match, Random(1))
    document = opener.get(f"/matches/{match.id}").json
    assert len(document["outcome"]["score"]) == count
    assert opener.get(f"/matches/{match.id}/export").status == 200
    assert pictures.png_of(match, SPECTATOR, "light", 400).startswith(b"\x89PNG")


def test_match_of_more_than_thirty_seats_is_refused_over_rest() -> None:
    body = {"game": "secret_number", "seats": [{"player": "bot"}] * (MOST_SEATS + 1)}
    assert guest().post("/matches", body).status == 400


@pytest.mark.parametrize("count", COUNTS)
def test_match_of_many_seats_is_opened_by_the_form_and_listed(count: int) -> None:
    opener = new_account()
    browser = client_of(opener)
    assert f'name="seat-{MOST_SEATS - 1}"' in browser.get("/open/secret_number").content.decode()
    kinds = {f"seat-{seat}": "bot" if seat < count else "none" for seat in range(1, MOST_SEATS)}
    form = {"seat-0": "me", **kinds, "option-number": "7", "key": "a-key-of-this-form"}
    answer = browser.post("/open/secret_number", form)
    assert answer.status_code == 302, answer.content.decode()
    match = Match.objects.get(opened_by=opener)
    assert match.seats.count() == count
    for address in (f"/m/{match.code}/seats", f"/m/{match.code}/", "/", f"/players/{opener.username}"):
        assert browser.get(address, follow=True).status_code == 200, address
    assert f"and {count - 3} others" in as_read(browser.get("/matches"))


def test_replay_cover_and_control_room_show_thirty_seats() -> None:
    host = new_account(is_organiser=True)
    match = running_match("secret_number", *["bot"] * MOST_SEATS, opener=host)
    browser = client_of(host)
    control = browser.get(f"/admin/matches/{match.code}/control/", follow=True)
    assert control.status_code == 200 and "AD: Bot AD" in control.content.decode()
    play_to_the_end(match)
    for address in ("replay/", "cover.png", "table.svg"):
        assert browser.get(f"/m/{match.code}/{address}", follow=True).status_code == 200, address


def test_frames_of_thirty_seats_are_under_64_kilobytes() -> None:
    match = table_of([long_named("W") for _ in range(MOST_SEATS)])
    witnesses = (0, MOST_SEATS - 1, SPECTATOR, HOST)
    frames = [renderers.frame("page", match.id, it, repository.version_of(match.id)) for it in witnesses]
    play_to_the_end(match)
    frames += [renderers.frame("page", match.id, it, repository.version_of(match.id)) for it in witnesses]
    # A frame that were too large would have no content.
    assert all(json.loads(frame)["content"] for frame in frames)


FITS = """() => {
  const seats = [...document.querySelectorAll('.seats > .seat')].map(it => it.getBoundingClientRect())
  const board = document.querySelector('#board').getBoundingClientRect()
  return {
    wide: document.documentElement.scrollWidth, seats: seats.length, board: board.height,
    over: Math.max(...seats.map(it => it.right)), bottom: board.bottom,
    least: Math.min(...seats.map(it => it.width)),
  }
}"""


@pytest.mark.parametrize("count", COUNTS)
def test_seats_and_board_fit_narrow_and_wide_screens(visitors: Visitors, count: int) -> None:
    me = new_account()
    match = table_of([me, *(new_account() for _ in range(count - 1))])
    check_fit(visitors, match, me, count)
    play_to_the_end(match)
    check_fit(visitors, match, me, count)


def check_fit(visitors: Visitors, match: Match, me: Account, count: int) -> None:
    """The page without scripts: the web process doesn't have the game, and serves the styles alone."""
    content = client_of(me).get(f"/m/{match.code}/").content
    page = visitors.page(java_script_enabled=False)
    page.route(f"**/m/{match.code}/", lambda route: route.fulfill(body=content, content_type="text/html"))
    for width, height in ((360, 740), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"{visitors.site}/m/{match.code}/")
        fits = page.evaluate(FITS)
        assert fits["seats"] == count and fits["wide"] <= width and fits["over"] <= width, fits
        assert fits["board"] >= 200 and fits["least"] >= 90, fits
        # The scene of an ended match scrolls.
        assert fits["bottom"] <= height or match.status == Match.Status.FINISHED, fits
