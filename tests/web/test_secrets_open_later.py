"""Pages about secrets that open with the end of the season: they say when, and offer nobody more until then."""

from django.test import Client

from matches.models import Match
from tests.api.guests import guest
from tests.seasons.test_opening_secrets import LateCup
from tests.two_worlds.pages import browser_of

SENTENCE = "Secrets open with the end of the season."


def page_words(path: str, browser: Client) -> str:
    response = browser.get(path, follow=True)
    assert response.status_code == 200, response
    return response.content.decode()


def code_of(season: LateCup) -> str:
    return Match.objects.get(id=season.match).code


def test_match_page_says_when_secrets_open_from_its_end_until_then() -> None:
    season, browser = LateCup(), browser_of(None)
    page = f"/m/{code_of(season)}/"
    assert SENTENCE not in page_words(page, browser)
    season.played()
    assert SENTENCE in page_words(page, browser)
    season.ends()
    assert SENTENCE not in page_words(page, browser)


def test_replay_offers_other_witnesses_once_secrets_are_open() -> None:
    season, browser = LateCup().played(), browser_of(guest().id)
    replay = f"/m/{code_of(season)}/replay/"
    assert "?as=seat:1" not in page_words(replay, browser) and "?as=host" not in page_words(replay, browser)
    season.ends()
    assert "?as=seat:1" in page_words(replay, browser) and "?as=host" in page_words(replay, browser)


def test_control_room_offers_a_recorded_look_and_no_view_of_a_seat() -> None:
    season = LateCup().played()
    room, browser = f"/admin/matches/{code_of(season)}/control/", browser_of(season.host.id)
    page = page_words(room, browser)
    assert SENTENCE in page and "Look at everything" in page and "?as=seat:1" not in page
    season.ends()
    page = page_words(room, browser)
    assert SENTENCE not in page and "Look at everything" not in page and "?as=seat:1" in page


def test_event_log_shows_a_secret_once_it_is_open() -> None:
    season, browser = LateCup(), browser_of(guest(is_organiser=True).id)
    season.table.submit(0, side="right")
    number = season.types().index("submitted") + 1
    season.voided()
    page = f"/admin/log/{season.match}/{number}/"
    before = page_words(page, browser)
    assert "Part of it is sealed" in before and "right" not in _sentence(before)
    season.ends()
    after = page_words(page, browser)
    assert "Part of it is sealed" not in after and "right" in _sentence(after)


def _sentence(page: str) -> str:
    """Return the section with the event's sentence."""
    return page.partition('<section class="sheet">')[2].partition("</section>")[0]


def test_dispute_shows_its_secrets_after_the_end_of_the_season() -> None:
    season = LateCup()
    player = season.player(str(season.table.state.lifecycle.players[0]))
    appeal = {"kind": "conduct", "text": "Somebody talked."}
    assert player.post(f"/matches/{season.match}/appeals", appeal).status == 201
    season.played()
    page, browser = f"/admin/disputes/{code_of(season)}/1/", browser_of(season.auditor.id)
    assert SENTENCE in page_words(page, browser)
    season.ends()
    assert SENTENCE not in page_words(page, browser)


def test_rules_of_the_season_and_its_opening_form_name_the_option() -> None:
    season = LateCup()
    rules = "The secrets of main matches open with the end of the season."
    assert rules in page_words(f"/seasons/{season.id}/rules", browser_of(None))
    form = page_words("/admin/seasons/open/", browser_of(season.organiser.id))
    assert "Secrets open" in form and "With the end of the season" in form
