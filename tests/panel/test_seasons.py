"""A season's matches in the panel: who runs them is the season's to say, and a private season stays private."""

import re

import pytest

from matches.models import Account, Match
from matches.panel import dashboard
from matches.services import hosting
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.panel.office import Desk, room
from tests.table_setting import BOT, new_account, running_match, waiting_match


@pytest.fixture(scope="module")
def cup() -> tuple[Cup, Match, Guest]:
    """A private season with a death match under way, and a player of it who is an organiser of the house."""
    cup = Cup(4, public=False)
    match = Match.objects.get(id=cup.death_match())
    judge_and_party = cup.living()[0]
    Account.objects.filter(id=judge_and_party.id).update(is_organiser=True)
    return cup, match, judge_and_party


def test_officials_of_a_season_run_its_matches_and_others_do_not(cup: tuple[Cup, Match, Guest]) -> None:
    season, match, judge_and_party = cup
    seated = match.seats.get(number=0).account
    answered = {
        "organiser": as_guest(season.organiser, match),
        "host": as_guest(season.host, match),
        "auditor": as_guest(season.auditor, match),
        "an organiser of the house": Desk(new_account(is_organiser=True)).get(room(match)).status_code,
        "an organiser of the house who plays in it": as_guest(judge_and_party, match),
        "a seat": Desk(seated).get(room(match)).status_code,
        "staff": Desk(new_account(is_staff=True)).get(room(match)).status_code,
    }
    assert answered == {
        "organiser": 200,
        "host": 200,
        "auditor": 404,
        "an organiser of the house": 200,
        "an organiser of the house who plays in it": 403,
        "a seat": 404,
        "staff": 404,
    }


def test_match_of_a_private_season_is_listed_only_to_those_who_may_see_it(cup: tuple[Cup, Match, Guest]) -> None:
    _, match, _ = cup
    staff, organiser = Desk(new_account(is_staff=True)), Desk(new_account(is_organiser=True))
    for address in ("/admin/", "/admin/matches/match/", f"/admin/matches/seat/?q={match.code}"):
        assert match.code not in rows_of(staff.read(address)), address
        assert match.code in rows_of(organiser.read(address)), address
    assert staff.get(f"/admin/matches/match/{match.id}/change/").status_code == 302, "To them there is none."


def test_host_of_a_season_finds_its_matches_in_their_list(cup: tuple[Cup, Match, Guest]) -> None:
    season, match, _ = cup
    assert match.code in Desk(Account.objects.get(id=season.host.id)).read("/admin/hosting/")
    assert match.code not in Desk(Account.objects.get(id=season.auditor.id)).read("/admin/hosting/")


def test_unfinished_matches_are_listed_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dashboard, "_MOST_HOSTED", 2)
    host = new_account()
    waiting = waiting_match("pyramid_poker", new_account(), new_account(), opener=host)
    over = [running_match("pyramid_poker", new_account(), new_account(), opener=host) for _ in range(2)]
    for match in over:
        hosting.void(match_id=match.id, by=host.id, reason="A test.")
    page = Desk(host).read("/admin/hosting/")
    assert 0 < page.index(waiting.code) < page.index(over[1].code)
    assert over[0].code not in page and "These are not all" in page
    monkeypatch.setattr(dashboard, "_MOST_HOSTED", 3)
    page = Desk(host).read("/admin/hosting/")
    assert over[0].code in page and "These are not all" not in page


def test_room_shows_the_state_of_a_match() -> None:
    cup = Cup(4)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    match = str(cup.did("/death-matches", {"game": "pentagram", "clocks": None}, by=cup.host)[0]["match"])
    host = Desk(Account.objects.get(id=cup.host.id))

    def read_states() -> tuple[str, str]:
        page = host.read(f"/admin/seasons/{cup.id}/")
        step = re.search(r"<p>([^<]*); the season gets its result\.</p>", page)
        state = re.search(r"<td>Pentagram 2</td><td>([^<]*)</td>", page)
        assert step and state
        return step[1], state[1]

    assert read_states() == ("Its host starts it", "Scheduled")
    assert f'href="/seasons/{cup.id}"' in host.read(f"/m/{match}/seats")
    assert cup.host.post(f"/matches/{match}/start").status == 200
    assert read_states() == ("It is under way", "Running")
    assert cup.host.post(f"/matches/{match}/pause", {"reason": "Tea."}).status == 200
    assert read_states() == ("It is paused", "Paused")


def test_room_shows_a_finished_match_before_its_result_is_reported() -> None:
    cup = Cup(4, spectator_delay=600)
    match = cup.death_match()
    cup.loses(match, cup.living()[-1])
    page = Desk(Account.objects.get(id=cup.host.id)).read(f"/admin/seasons/{cup.id}/")
    step = page.partition("<p>It is over; the season gets the result when spectators do.</p>")[2].partition("</li>")[0]
    assert "Control room" in step and "Annul" not in step
    assert re.findall(r"<td>Pyramid Poker</td><td>([^<]*)</td>", page) == ["Over"]


def test_list_of_seasons_shows_the_state_of_each() -> None:
    cup = Cup(3)
    page = Desk(Account.objects.get(id=cup.organiser.id)).read("/admin/seasons/")
    assert "<td>Enrolment, 3 players so far</td>" in page


def test_ec_and_dmo_are_in_capitals(cup: tuple[Cup, Match, Guest]) -> None:
    season, match, _ = cup
    room_page = Desk(Account.objects.get(id=season.host.id)).read(room(match))
    assert re.findall(r"Seat [AB], (\w+)", room_page) == ["EC", "DMO"]
    page = Desk(match.seats.get(number=0).account).read(f"/m/{match.code}/")
    assert re.findall(r'<p class="hint">(EC|DMO)\b', page) == ["EC", "DMO"]


def test_match_links_to_its_season_only_if_it_has_one(cup: tuple[Cup, Match, Guest]) -> None:
    season, match, _ = cup
    player, host = match.seats.get(number=0).account, Account.objects.get(id=season.host.id)
    to_season = f"/seasons/{season.id}"
    for path in (f"/m/{match.code}/", f"/m/{match.code}/replay/{match.version}/"):
        assert to_season in Desk(player).read(path), path
    assert f'href="/admin/seasons/{season.id}/">' in Desk(host).read(room(match))
    other = running_match("pentagram", player, BOT)
    assert 'href="/seasons/' not in Desk(player).read(f"/m/{other.code}/")


def as_guest(who: Guest, match: Match) -> int:
    return Desk(Account.objects.get(id=who.id)).get(room(match)).status_code


def rows_of(page: str) -> str:
    """The page without what was searched for."""
    return page.split("<tbody", 1)[-1] if "<tbody" in page else ""
