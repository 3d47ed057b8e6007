"""A player of a season says on a page when they can play; their desk and the panel hold it against times."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import timezone

from matches.models import Account
from matches.seasons.models import Availability
from tests.api.guests import Guest
from tests.api.test_season_times import Dated, at
from tests.panel.seasons import account_of, bureau
from tests.web.match_setting import client_of
from tests.web.test_season_desk import read

NONE: dict[str, list[str]] = {
    "day": [], "hours-since": [], "hours-until": [], "window": [], "window-since": [], "window-until": [],
}  # fmt: skip


def page(cup: Dated, player: Guest) -> str:
    answer = client_of(account_of(player)).get(f"/seasons/{cup.id}/availability")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def keep(cup: Dated, player: Guest, **typed: Any) -> HttpResponse:
    form = NONE | {name.replace("_", "-"): value for name, value in typed.items()}
    return client_of(account_of(player)).post(f"/seasons/{cup.id}/availability", form)


def test_player_enters_availability_in_their_time_zone_and_sees_it_again() -> None:
    cup = Dated(at(days=1))
    Account.objects.filter(id=cup.ec.id).update(time_zone="Asia/Seoul")
    assert f'href="/seasons/{cup.id}/availability"' in read(cup.ec, cup)
    day = (timezone.now() + timedelta(days=9)).date()
    weekly = {"day": ["fri", "mon"], "hours_since": ["18:00", ""], "hours_until": ["22:00", ""]}
    dated = {"window": ["cannot"], "window_since": [f"{day}T09:30"], "window_until": [f"{day}T20:00"]}
    assert keep(cup, cup.ec, **weekly, **dated).status_code == 302
    availability = cup.read(f"/players/{cup.ec.id}/availability")
    assert (availability["zone"], availability["weekly"]) == (
        "Asia/Seoul",
        [{"day": "fri", "since": "18:00", "until": "22:00"}],
    )
    assert [(it["since"][:16], it["until"][:16], it["can"]) for it in availability["windows"]] == [
        (f"{day}T00:30", f"{day}T11:00", False)
    ]
    html = page(cup, cup.ec)
    assert f'value="{day}T09:30"' in html and 'value="18:00"' in html and 'value="fri" selected' in html
    Account.objects.filter(id=cup.ec.id).update(time_zone="UTC")
    assert "in the time zone Asia/Seoul" in page(cup, cup.ec) and f'value="{day}T00:30"' in page(cup, cup.ec)
    assert keep(cup, cup.ec).status_code == 302
    assert not Availability.objects.filter(season=cup.id).exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"day": ["fri"], "hours_since": ["18:00"], "hours_until": [""]}, "a beginning and an end"),
        ({"day": ["someday"], "hours_since": ["18:00"], "hours_until": ["20:00"]}, "Choose a day of the week"),
        ({"day": [], "hours_since": ["18:00"], "hours_until": ["20:00"]}, "Choose a day of the week"),
        ({"day": ["fri"], "hours_since": ["<noon>"], "hours_until": ["20:00"]}, "is no time of day"),
        ({"window": ["can"], "window_since": ["soon"], "window_until": ["later"]}, "Enter a valid date/time."),
        ({"window": ["can"], "window_since": ["2030-01-02T18:00"], "window_until": ["2030-01-01T18:00"]}, "no later"),
        ({"window": ["can"], "window_since": ["0001-01-01T00:00+14:00"], "window_until": ["2030-01-01T18:00"]}, "."),
    ],
)  # fmt: skip
def test_invalid_availability_is_refused_and_stays_in_the_form(cup: Dated, typed: Any, sentence: str) -> None:
    answer = keep(cup, cup.ec, **typed)
    text = answer.content.decode()
    assert answer.status_code == 422 and sentence in text and "Nothing was changed." in text
    assert "<noon>" not in text
    assert not Availability.objects.filter(season=cup.id).exists()


@pytest.fixture(scope="module")
def cup() -> Dated:
    """A season in which nobody has said anything."""
    return Dated(at(days=1))


def test_page_is_for_players_and_read_only_for_former_ones(cup: Dated) -> None:
    for who in (cup.organiser, cup.host):
        assert client_of(account_of(who)).get(f"/seasons/{cup.id}/availability").status_code == 404
    assert client_of().get(f"/seasons/{cup.id}/availability").headers["Location"].startswith("/sign-in")
    cup.did(f"/players/{cup.players[0].id}/withdraw", {"reason": "Work calls."})
    assert "your availability isn’t needed" in page(cup, cup.players[0])
    refused = keep(cup, cup.players[0], day=["fri"], hours_since=["18:00"], hours_until=["20:00"])
    assert refused.status_code == 409


def away_on(cup: Dated, player: Guest, day: str) -> None:
    """The player can't play on this day, and can from noon to four on the next."""
    after = f"{date.fromisoformat(day) + timedelta(days=1)}"
    typed = {
        "window": ["cannot", "can"],
        "window_since": [f"{day}T00:00", f"{after}T12:00"],
        "window_until": [f"{day}T23:59", f"{after}T16:00"],
    }
    assert keep(cup, player, **typed).status_code == 302


def test_desk_shows_only_the_players_own_availability() -> None:
    cup = Dated(at(days=1))
    day = f"{timezone.now() + timedelta(days=9):%Y-%m-%d}"
    away_on(cup, cup.ec, day)
    cup.did(f"/matches/{cup.match}/times", {"times": [f"{day}T18:00:00Z"]}, by=cup.host)
    mine, theirs = (" ".join(read(it, cup).split()) for it in (cup.ec, cup.dmo))
    assert ("You said that you can’t" in mine, "You said that you can’t" in theirs) == (True, False)
    cup.did(f"/matches/{cup.match}/time", {"opens_at": f"{day}T18:00:00Z", "reason": "The hall."}, by=cup.host)
    assert "You said that you can’t play then." in " ".join(read(cup.ec, cup).split())


def test_panel_shows_availability_and_suggestions_and_sets_any_time() -> None:
    cup = Dated(at(days=1))
    later = timezone.now() + timedelta(days=9)
    day = f"{later:%Y-%m-%d}"
    away_on(cup, cup.ec, day)
    cup.did(f"/matches/{cup.match}/times", {"times": [f"{day}T20:00:00Z"]}, by=cup.dmo)
    office = bureau(cup, cup.host)
    name = account_of(cup.ec).username
    bare = " ".join(office.foresees("set-time", match=cup.match).split())
    assert "<b>Availability</b>" in bare and f"{day}T20:00:00" in bare
    assert f"{later + timedelta(days=1):%Y-%m-%d}T12:00:00" in bare and "Suitable times" in bare
    fields = {"match": cup.match, "opens_at": f"{day}T18:00", "reason": "The hall."}
    foretold = " ".join(office.foresees("set-time", **fields).split())
    assert f"{day}T18:00:00" in foretold and "said that they can’t play" in foretold and name in foretold
    assert office.did("set-time", **fields) == ["match_time_set"]
    assert "said that they can’t play then" in " ".join(office.page().split())


def test_panel_shows_availability_when_scheduling_a_match() -> None:
    cup = Dated(at(days=1))
    day = f"{timezone.now() + timedelta(days=9):%Y-%m-%d}"
    away_on(cup, cup.dmo, day)
    cup.did(f"/matches/{cup.match}/annul", {"reason": "Another game."})
    fields = {"game": "pyramid_poker", "clocks": "none", "opens_at": f"{day}T18:00"}
    foretold = bureau(cup).foresees("death-match", **fields)
    assert "said that they can’t play" in foretold and "death_match_scheduled" in foretold
