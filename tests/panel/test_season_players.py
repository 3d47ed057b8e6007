"""Whoever plays in a season finds no tool of an official for it in the panel, be they a superuser."""

import re
from html import unescape
from uuid import UUID

import pytest

from events import store
from matches.models import Account, Match, Notice, Webhook
from matches.panel.control.acts import ACTS
from matches.panel.seasons.acts import ACTS as SEASON_ACTS
from matches.services import hosting
from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.panel.office import Desk, room
from tests.panel.seasons import account_of
from tests.table_setting import new_account

RIGHTS = {"is_organiser": True, "is_staff": True, "is_superuser": True}
WHO = ("plays at the match", "plays elsewhere", "has withdrawn")
OF_THE_ROOM = ("live/", "presence/", "rewind/", "?as=host", "live/?as=host")
LISTS = ("matches/match/", "matches/seat/")


class Scene:
    """A season with a match under way, which its spectators are told of late; and its players who are superusers."""

    def __init__(self) -> None:
        self.cup = Cup(5, spectator_delay=600)
        self.match = Match.objects.get(id=self.cup.death_match())
        dmo = self.match.seats.get(number=1).account
        first, second = (account_of(player) for player in self.cup.players[:2])
        self.cup.did(f"/players/{second.id}/withdraw", {"reason": "Work calls."})
        self.people = dict(zip(WHO, (dmo, first, second), strict=True))
        Account.objects.filter(id__in=[it.id for it in self.people.values()]).update(**RIGHTS)
        self.office = f"/admin/seasons/{self.cup.id}/"

    def heads(self) -> list[object]:
        """Return the heads of season and match."""
        return [store.head(UUID(self.cup.id)), store.head(self.match.id)]

    def desk(self, who: str) -> Desk:
        """This player's browser."""
        return Desk(self.people[who])


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene()


def sentence(answer) -> str:
    """The status and what the page says."""
    text = unescape(re.sub(r"<[^>]*>", " ", answer.content.decode()))
    return f"{answer.status_code} {' '.join(text.split())}"


@pytest.mark.parametrize("who", WHO)
def test_room_is_refused_to_a_player_with_the_reason(scene: Scene, who: str) -> None:
    before, desk = scene.heads(), scene.desk(who)
    for address in (scene.office, f"{scene.office}news/"):
        text = sentence(desk.get(address))
        assert text.startswith("403 ") and "You play in this season, or did, so you don't run it" in text
    for part in ("", *OF_THE_ROOM):
        text = sentence(desk.get(room(scene.match, part)))
        assert text.startswith("403 ") and "You play in this match's season, or did" in text, part
    assert scene.heads() == before


@pytest.mark.parametrize("who", WHO)
def test_no_act_is_posted_by_a_player(scene: Scene, who: str) -> None:
    before, desk, why = scene.heads(), scene.desk(who), {"reason": "I need it."}
    for name in SEASON_ACTS:
        for part in ("", "foresee/"):
            assert desk.post(f"{scene.office}{name}/{part}", key="k", expected=1, **why).status_code == 403, name
    for name in ACTS:
        assert desk.act(scene.match, name, **why).status_code == 403, name
    for part in ("look/", "rewind/"):
        assert desk.post(room(scene.match, part), to_version=4, **why).status_code == 403, part
    assert desk.post(f"/m/{scene.match.code}/seats/start").status_code == 403
    assert desk.post(f"/m/{scene.match.code}/replay/look").status_code == 404
    assert desk.get(f"/m/{scene.match.code}/replay/?as=host").status_code == 404
    assert scene.heads() == before


@pytest.mark.parametrize("who", WHO)
def test_no_list_shows_a_player_more_of_the_season_than_its_pages_do(scene: Scene, who: str) -> None:
    player, official, code = scene.desk(who), Desk(new_account(**RIGHTS)), scene.match.code
    for address in LISTS:
        assert code not in rows(player.read(f"/admin/{address}", q=code)), address
        assert code in rows(official.read(f"/admin/{address}", q=code)), address
    query = {"match": code}
    assert (player.get("/admin/log/", **query).status_code, official.get("/admin/log/", **query).status_code) == (
        422,
        200,
    )
    assert code not in rows(player.read("/admin/log/"))
    event = f"/admin/log/{scene.match.id}/3/"
    assert (player.get(event).status_code, official.get(event).status_code) == (404, 200)
    assert code not in player.read("/admin/") and code in official.read("/admin/")


def test_notice_of_a_match_is_hidden_from_players_of_its_season(scene: Scene) -> None:
    now, text = store.clock(), f"It is over at {scene.match.code}"
    hook = Webhook.objects.create(account=new_account(), sealed_url=b"", secret=b"", made_at=now, looked_at=now)
    about = {"match_id": scene.match.id, "kind": "match_over", "about": "", "text": text, "version": 1}
    Notice.objects.create(webhook=hook, made_at=now, next_try_at=now, sent_at=now, **about)
    player, official = scene.desk("plays elsewhere"), Desk(new_account(**RIGHTS))
    assert text not in player.read("/admin/matches/notice/") and text in official.read("/admin/matches/notice/")


def test_result_to_approve_is_shown_only_to_those_who_may() -> None:
    cup = Cup(3)
    match = cup.death_match()
    cup.loses(match, cup.living()[-1])
    player = account_of(cup.players[0])
    Account.objects.filter(id=player.id).update(**RIGHTS)
    link = f'id="season-{cup.id}"'
    assert link not in Desk(player).read("/admin/") and link in Desk(account_of(cup.organiser)).read("/admin/")


def test_official_once_seated_by_a_host_hosts_no_match_of_the_season() -> None:
    cup, clerk = Cup(4), guest()
    match = Match.objects.get(id=cup.death_match())
    cup.did("/staff", {"account": clerk.id, "role": "host"})
    desk = Desk(account_of(clerk))
    assert match.code in desk.read("/admin/hosting/")
    with pytest.MonkeyPatch.context() as before:
        before.setattr(hosting, "refuse_official", lambda match_id, player: None, raising=False)
        seating = {"seat": 0, "player": clerk.id, "reason": "As an older release let them."}
        assert cup.host.post(f"/matches/{match.id}/substitute", seating).status == 200
    assert match.code not in desk.read("/admin/hosting/")
    assert desk.get(room(match)).status_code == 403


def rows(page: str) -> str:
    """The rows of a list, without what was searched for."""
    return page.partition("<tbody")[2]


def test_a_player_changes_no_account_of_the_season_and_makes_no_password_for_one(scene: Scene) -> None:
    player, official = scene.desk("plays elsewhere"), Desk(new_account(**RIGHTS))
    rival, host, stranger = account_of(scene.cup.players[3]), account_of(scene.cup.host), new_account()
    for desk, met, status in ((player, 403, 302), (official, 302, 302)):
        for account in (rival, host, stranger):
            due = status if account is stranger else met
            address = f"/admin/matches/account/{account.id}/"
            assert desk.post(f"{address}change/", is_active="on").status_code == due
            response = desk.post(f"{address}reset/")
            assert ("/admin/password/" in response.content.decode()) == (due == 302)
    assert "Ask an organiser who doesn't play in it" in sentence(player.post(address_of(rival)))


def address_of(account: Account) -> str:
    """Return the address at which a link for a new password is made."""
    return f"/admin/matches/account/{account.id}/reset/"


def test_lists_open_to_a_player_after_the_season_and_acts_do_not() -> None:
    cup = Cup(3)
    match = Match.objects.get(id=cup.death_match())
    player = account_of(cup.players[0])
    Account.objects.filter(id=player.id).update(**RIGHTS)
    desk = Desk(player)
    assert match.code not in desk.read("/admin/matches/match/")
    cup.did(f"/matches/{match.id}/annul", {"reason": "It is late."})
    for leaver in cup.players[:2]:
        cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."})
    assert match.code in desk.read("/admin/matches/match/")
    assert desk.get(room(match)).status_code == 403
    assert desk.get(f"/admin/seasons/{cup.id}/").status_code == 403


def test_organiser_enrolling_themselves_is_refused_in_preview_and_act() -> None:
    cup, house = Cup(1), guest(is_organiser=True)
    desk, office = Desk(account_of(house)), f"/admin/seasons/{cup.id}/enrol/"
    head = store.head(UUID(cup.id))
    fields = {"player": house.name, "key": "mine", "expected": head.version}
    for address, status in ((f"{office}foresee/", 200), (office, 409)):
        text = sentence(desk.post(address, **fields))
        assert text.startswith(str(status)) and "you don't let yourself in: ask another organiser" in text
    assert store.head(UUID(cup.id)) == head
