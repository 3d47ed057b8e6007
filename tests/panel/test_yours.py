"""The panel before who is no official of the house, and the ways of officials to it."""

import re

from matches.models import Account
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.office import Desk, hosted_match, room
from tests.table_setting import new_account


def account_of(guest: object) -> Account:
    return Account.objects.get(id=guest.id)


def test_a_dmo_finds_their_desk_and_their_match_one_press_away() -> None:
    cup = Cup(4)
    cup.death_match()
    opponent = account_of(cup.player(cup.read("/episodes")["results"][-1]["opponent"]))
    page = Desk(opponent).read("/admin/")
    assert f'href="/seasons/{cup.id}/desk"' in page and "death match opponent (DMO)" in page
    assert re.search(r'id="your-matches-\w+"\s+href="/m/\w+/"', page)
    assert "control/" not in page


def test_a_seasons_host_finds_its_room_and_a_friendlys_opener_the_control_room() -> None:
    cup = Cup(0)
    assert f'href="/admin/seasons/{cup.id}/"' in Desk(account_of(cup.host)).read("/admin/")
    match, host = hosted_match(moves=0)
    assert f'href="{room(match)}"' in Desk(host).read("/admin/")


def test_page_shows_no_matches_or_seasons_of_others() -> None:
    cup, (match, _) = Cup(1), hosted_match(moves=0)
    page = Desk(new_account()).read("/admin/")
    assert cup.id not in page and match.code not in page


def test_global_list_redirects_others_to_their_own_page() -> None:
    desk = Desk(new_account())
    answer = desk.get("/admin/matches/account/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
    assert "That is for the staff and organisers of the house." in desk.read("/admin/")


def test_officials_have_links_to_the_panel_and_their_seasons() -> None:
    cup = Cup(0)
    organiser, host, stranger = account_of(cup.organiser), account_of(cup.host), new_account()
    way = f'href="/admin/seasons/{cup.id}/"'
    for who, opens in ((organiser, True), (host, False)):
        for address in ("/", "/account", f"/seasons/{cup.id}"):
            page = Desk(who).read(address)
            assert way in page, address
            assert ("/admin/seasons/open/" in page) is opens, address
        assert 'href="/admin/"' in Desk(who).read("/")
    for address in ("/", "/account", f"/seasons/{cup.id}"):
        assert "/admin/" not in Desk(stranger).read(address), address
    assert "/admin/" not in as_read(Desk().get(f"/seasons/{cup.id}"))


def test_organiser_who_plays_in_a_season_has_a_link_to_their_desk_only() -> None:
    cup = Cup(1)
    Account.objects.filter(id=cup.players[0].id).update(is_organiser=True)
    page = Desk(account_of(cup.players[0])).read(f"/seasons/{cup.id}")
    assert f"/admin/seasons/{cup.id}/" not in page and f"/seasons/{cup.id}/desk" in page
