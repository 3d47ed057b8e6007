"""A season's matches in the panel: who runs them is the season's to say, and a private season stays private."""

import pytest

from matches.models import Account, Match
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.panel.office import Desk, room
from tests.table_setting import new_account


@pytest.fixture(scope="module")
def cup() -> tuple[Cup, Match, Guest]:
    """A private season with a death match under way, and a player of it who is an organiser of the house."""
    cup = Cup(4, public=False)
    match = Match.objects.get(id=cup.death_match())
    judge_and_party = cup.living()[0]
    Account.objects.filter(id=judge_and_party.id).update(is_organiser=True)
    return cup, match, judge_and_party


def test_a_seasons_staff_runs_its_matches_and_nobody_else_does(cup: tuple[Cup, Match, Guest]) -> None:
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
        "an organiser of the house who plays in it": 404,
        "a seat": 404,
        "staff": 404,
    }


def test_a_private_seasons_match_is_in_no_list_of_who_may_not_see_it(cup: tuple[Cup, Match, Guest]) -> None:
    _, match, _ = cup
    staff, organiser = Desk(new_account(is_staff=True)), Desk(new_account(is_organiser=True))
    for address in ("/admin/", "/admin/matches/match/", f"/admin/matches/seat/?q={match.code}"):
        assert match.code not in rows_of(staff.read(address)), address
        assert match.code in rows_of(organiser.read(address)), address
    assert staff.get(f"/admin/matches/match/{match.id}/change/").status_code == 302, "To them there is none."


def test_a_seasons_host_finds_its_matches_in_their_list(cup: tuple[Cup, Match, Guest]) -> None:
    season, match, _ = cup
    assert match.code in Desk(Account.objects.get(id=season.host.id)).read("/admin/hosting/")
    assert match.code not in Desk(Account.objects.get(id=season.auditor.id)).read("/admin/hosting/")


def as_guest(who: Guest, match: Match) -> int:
    return Desk(Account.objects.get(id=who.id)).get(room(match)).status_code


def rows_of(page: str) -> str:
    """The page without what was searched for."""
    return page.split("<tbody", 1)[-1] if "<tbody" in page else ""
