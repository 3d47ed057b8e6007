"""A host who plays against a person is offered no act, and refused each that they post all the same."""

import html
import re

import pytest

from games.kernel import SPECTATOR
from matches.models import Account, Match
from matches.services import appealing, hosting
from matches.storage import repository
from tests.panel.office import Desk, room, version_of
from tests.table_setting import BOT, new_account, play_on, running_match, waiting_match


def playing(**rights: bool) -> tuple[Match, Account]:
    """A match under way whose opener, or an organiser of the house, plays against a person."""
    player, other = new_account(**rights), new_account()
    match = running_match("pyramid_poker", player, other, opener=None if rights else player)
    play_on(match, 6)
    appealing.appeal(match_id=match.id, player=other.id, kind="clock", text="It ran.")
    return match, player


def offers(page: str) -> list[str]:
    return re.findall(r'data-opens="act-([a-z-]+)"', page)


@pytest.mark.parametrize("rights", [{}, {"is_organiser": True}], ids=["opener", "organiser"])
def test_room_of_a_playing_host_offers_nothing_with_the_reason(rights: dict[str, bool]) -> None:
    match, player = playing(**rights)
    page = Desk(player).read(room(match))
    assert offers(page) == [] and "control/look/" not in page and "control/rewind/" not in page
    assert "Another host has to run it" in page


@pytest.mark.parametrize("rights", [{}, {"is_organiser": True}], ids=["opener", "organiser"])
def test_posted_act_of_a_playing_host_is_refused_with_the_reason(rights: dict[str, bool]) -> None:
    match, player = playing(**rights)
    before = version_of(match)
    answer = Desk(player).act(match, "adjudicate", winners=["0"], reason="For me.")
    assert answer.status_code == 403 and "You hold, or have held, a seat" in html.unescape(answer.content.decode())
    assert version_of(match) == before


def test_playing_host_cannot_rewind_or_look() -> None:
    match, player = playing()
    before, desk = version_of(match), Desk(player)
    for answer in (
        desk.get(room(match, "rewind/"), to="4"),
        desk.post(room(match, "rewind/"), to_version="4", expected=str(before), reason="A better draw."),
    ):
        assert answer.status_code == 403
    desk.post(room(match, "look/"))
    assert version_of(match) == before


def test_host_who_left_their_seat_sees_no_truth() -> None:
    match, player = playing()
    hosting.substitute(match_id=match.id, by=new_account().id, seat=0, player=BOT, reason="Unwell.")
    before, desk = version_of(match), Desk(player)
    assert repository.load(match.id, SPECTATOR).lifecycle.seat_of(str(player.id)) is None
    assert desk.get(room(match), **{"as": "host"}).status_code == 403
    assert desk.post(room(match, "look/")).status_code == 403
    assert desk.get(f"/m/{match.code}/replay/", **{"as": "host"}).status_code == 403
    assert desk.post(f"/m/{match.code}/look").status_code == 403
    answer = desk.get(f"/api/v1/matches/{match.id}/view", **{"as": "host"})
    assert answer.status_code == 403
    assert "Everything" not in desk.read(f"/m/{match.code}/replay/1/")
    assert version_of(match) == before


def test_playing_host_may_start_cancel_and_fill_seats_before_the_start() -> None:
    player = new_account()
    match = waiting_match("pentagram", player, new_account(), None, opener=player)
    desk = Desk(player)
    page = desk.read(room(match))
    assert offers(page) == ["substitute", "void"]
    dialog = page[page.index('id="act-substitute"') :]
    assert re.findall(r'<option value="(\d)"', dialog[: dialog.index("</dialog>")]) == ["2"]
    assert desk.act(match, "substitute", seat="2", player="bot", reason="Nobody came.").status_code == 302
    assert offers(desk.read(room(match)))[:2] == ["start", "void"]


def test_against_bots_the_room_is_whole() -> None:
    player = new_account()
    match = running_match("pyramid_poker", player, BOT, opener=player)
    page = Desk(player).read(room(match))
    assert {"pause", "adjudicate", "substitute", "void"} <= set(offers(page)) and "control/rewind/" in page
    assert "Another host has to run it" not in page
