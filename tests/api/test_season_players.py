"""Whoever plays in a season runs nothing of it, whatever they are in the house: every act, asked by who shouldn't."""

from functools import partial
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from events import store
from matches.domain.declared_host_acts import HOST_ACTS
from matches.models import Account
from matches.services import hosting
from matches.storage import repository
from tests.api.document import OPERATIONS
from tests.api.guests import Answer, Guest, guest
from tests.api.ordinary import ordinary
from tests.api.seasons import Cup, deliver
from tests.api.test_seasons_identities import EXPECTED, IDENTITIES, Scene, Scenes
from tests.api.test_seasons_identities import READS as SEASON_READS
from tests.host_acts import ASKED, service_of
from tests.table_setting import refusal_of

RIGHTS = {
    "house organiser": {"is_organiser": True},
    "superuser": {"is_organiser": True, "is_staff": True, "is_superuser": True},
}
PLAYERS = ("winner", "ec", "dmo", "bystander", "gone")
ACTS = [act.rest.operation for act in HOST_ACTS]
FOR_ALL = (
    *SEASON_READS, "listSeasons", "openSeason", "auditSeason", "proveSeason", "exportSeason", "sayOnBoard",
)  # fmt: skip
"""Operations that every reader or player of a season may call, and operations that belong to no season yet."""
READS = ("readView", "listEvents", "drawBoard", "photographBoard", "readMoment", "listHistory", "exportHistory")
WHY = {"reason": "It was agreed."}


def promoted(player: Guest, rights: str = "superuser") -> Guest:
    """The player, who has been given these rights in the house."""
    Account.objects.filter(id=player.id).update(**RIGHTS[rights])
    return player


def heads(cup: Cup, *matches: str) -> list[Any]:
    """Return the heads of the season and of these matches."""
    return [store.head(UUID(stream)) for stream in (cup.id, *matches)]


class Promoted(Scenes):
    """Seasons whose players all are organisers of the house, and superusers."""

    def scene(self, stage: str) -> Scene:
        """A season at this stage, the same one for all."""
        if stage not in self._scenes:
            self._scenes[stage] = Scene(stage, self._people)
            for name in PLAYERS:
                promoted(self._scenes[stage].people[name])
        return self._scenes[stage]


@pytest.fixture(scope="module")
def scenes() -> Promoted:
    deliver()
    return Promoted()


@pytest.mark.parametrize("row", [row for row in EXPECTED if row.split()[0] not in FOR_ALL])
def test_player_gets_no_season_rights_from_global_roles(scenes: Promoted, row: str) -> None:
    operation, *stage = row.split()
    scene = scenes.scene(stage[0] if stage else "set")
    due = dict(zip(IDENTITIES, map(int, EXPECTED[row].split()), strict=True))
    before = heads(scene)
    for name in PLAYERS:
        tries = due[name] == 201 and "dry_run" in OPERATIONS[operation].parameters("query")
        answer = scene.asked(operation, name, "?dry_run=1" if tries else "")
        assert answer.status == (200 if tries else due[name]), name
        if due["house"] != 403 and due[name] == 403 and operation not in ("archiveSeason", "banGame", "openRoom"):
            assert answer.refusal == (403, "plays_here"), name
    assert heads(scene) == before


class Hall(SimpleNamespace):
    """A season under way with a match; who runs it, and who would but plays in it."""

    def asked(self, operation: str, by: Guest, **how: Any) -> Answer:
        """The answer to the ordinary request about the match."""
        body = {"seat": 0} if operation == "endStandIn" else None
        return ordinary(operation, name=self.match, body=body, **how).sent_by(by)


def seated_before(cup: Cup, match: str, player: Guest, seat: int) -> None:
    """Seat an account as a release did that allowed anybody: a host has put it into a seat."""
    with pytest.MonkeyPatch.context() as before:
        before.setattr(hosting, "refuse_official", lambda match_id, player: None, raising=False)
        body = {"seat": seat, "player": player.id, **WHY}
        assert cup.host.post(f"/matches/{match}/substitute", body).status == 200


@pytest.fixture(scope="module")
def hall() -> Hall:
    """EC and DMO play the match. An earlier one was voided, at which the others were seated by a host."""
    cup = Cup(6, public=False)
    earlier = cup.death_match()
    passing, chair, clerk = guest(is_organiser=True), guest(), guest()
    for person, role in ((chair, "organiser"), (clerk, "host")):
        cup.did("/staff", {"account": person.id, "role": role})
    for person, seat in ((passing, 0), (chair, 0), (clerk, 1)):
        seated_before(cup, earlier, person, seat)
    cup.did(f"/matches/{earlier}/annul", WHY)
    match = cup.set("/death-matches", "pyramid_poker")
    episode = cup.read("/episodes")["results"][0]
    first, second, *_ = (it for it in cup.players if it.id not in (episode["candidate"], episode["opponent"]))
    cup.did(f"/players/{second.id}/withdraw", WHY)
    return Hall(
        cup=cup,
        match=match,
        barred={
            "house organiser who plays": promoted(first, "house organiser"),
            "superuser who plays": promoted(cup.player(episode["opponent"])),
            "superuser who has withdrawn": promoted(second),
            "house organiser who was seated": passing,
            "season organiser who was seated": chair,
            "season host who was seated": clerk,
        },
        open_to={
            "season organiser": cup.organiser,
            "season host": cup.host,
            "house organiser": guest(is_organiser=True),
        },
    )


BARRED = (
    "house organiser who plays", "superuser who plays", "superuser who has withdrawn", "house organiser who was seated",
    "season organiser who was seated", "season host who was seated",
)  # fmt: skip


@pytest.mark.parametrize("who", BARRED)
def test_host_acts_are_refused_to_players_of_the_season(hall: Hall, who: str) -> None:
    before = heads(hall.cup, hall.match)
    for operation in ACTS:
        assert hall.asked(operation, hall.barred[who]).refusal == (403, "plays_here"), operation
    assert heads(hall.cup, hall.match) == before


@pytest.mark.parametrize("who", BARRED)
def test_truth_is_refused_to_players_of_the_season(hall: Hall, who: str) -> None:
    before = heads(hall.cup, hall.match)
    for operation in READS:
        assert hall.asked(operation, hall.barred[who], query="?as=host").status == 404, operation
    assert hall.cup.ask("/rulings", {"text": "Mine."}, by=hall.barred[who]).refusal == (403, "plays_here")
    assert hall.barred[who].get(f"{hall.cup.path}/archive").refusal == (403, "forbidden")
    assert heads(hall.cup, hall.match) == before


def test_service_refuses_host_acts_of_players_itself(hall: Hall) -> None:
    by = UUID(hall.barred["house organiser who plays"].id)
    before = heads(hall.cup, hall.match)
    # Nobody stands in for anybody here yet.
    for name in set(ASKED) - {"end_stand_in"}:
        act = partial(service_of(name), match_id=UUID(hall.match), by=by, **ASKED[name])
        assert refusal_of(act) == "plays_here", name
    assert refusal_of(lambda: hosting.view_truth(match_id=UUID(hall.match), by=by)) == "plays_here"
    assert heads(hall.cup, hall.match) == before


def test_service_lets_no_other_player_of_the_season_end_a_stand_in(hall: Hall) -> None:
    by, organiser = UUID(hall.barred["house organiser who plays"].id), UUID(hall.cup.organiser.id)
    seat = {"match_id": UUID(hall.match), "seat": 0, "reason": "Away."}
    hosting.seat_stand_in(by=organiser, player="bot", **seat)
    assert refusal_of(lambda: hosting.end_stand_in(by=by, **seat)) == "plays_here"
    hosting.end_stand_in(by=organiser, **seat)


@pytest.mark.parametrize("who", ["season organiser", "season host", "house organiser"])
def test_official_who_does_not_play_may_host(hall: Hall, who: str) -> None:
    for operation in ("pauseMatch", "resumeMatch", "postRuling"):
        assert hall.asked(operation, hall.open_to[who]).status == 200, operation
    assert hall.asked("readView", hall.open_to[who], query="?as=host").status == 200
    assert hall.cup.ask("/rulings", {"text": "A pass is a move."}, by=hall.open_to[who]).status == 201


def test_player_with_global_rights_keeps_the_acts_of_a_player(hall: Hall) -> None:
    player = hall.barred["superuser who plays"]
    assert hall.asked("openAppeal", player).status == 201
    stand_in = {"seat": 1, "player": "bot", **WHY}
    assert hall.cup.host.post(f"/matches/{hall.match}/stand-in", stand_in).status == 200
    assert player.post(f"/matches/{hall.match}/stand-in/end", {"seat": 1, **WHY}).status == 200
    assert player.get(f"/matches/{hall.match}/legal").status == 200


def test_global_organiser_cannot_enrol_themselves() -> None:
    cup, house = Cup(3), guest(is_organiser=True)
    before = heads(cup)
    for query in ("", "?dry_run=1"):
        refused = cup.ask(f"/players{query}", {"player": house.id}, by=house)
        assert refused.refusal == (409, "runs_the_season")
        assert refused.json["detail"].startswith("You run this season, so you don't let yourself in: ask another")
        assert cup.ask(f"/players{query}", {"player": cup.organiser.id}).refusal == (409, "runs_the_season")
    body = {"newcomer": house.id, **WHY}
    refused = cup.ask(f"/players/{cup.players[0].id}/substitute", body, by=house)
    assert refused.refusal == (409, "runs_the_season")
    assert heads(cup) == before


def test_organiser_who_enrolled_stays_barred_after_withdrawing() -> None:
    cup, house = Cup(2), guest(is_organiser=True)
    cup.did("/players", {"player": house.id})
    assert cup.ask("/episodes", {"title": "Mine"}, by=house).refusal == (403, "plays_here")
    cup.did(f"/players/{house.id}/withdraw", {"reason": "Let me run it again."}, by=house)
    assert cup.ask("/players", {"player": guest().id}, by=house).refusal == (403, "plays_here")
    cup.did("/players", {"player": guest().id})
    cup.did("/episodes", {"title": "First"})


def test_official_of_a_season_cannot_be_seated_at_its_matches(hall: Hall) -> None:
    cup = hall.cup
    before = heads(cup, hall.match)
    for official in (cup.host, cup.organiser, cup.auditor, hall.open_to["house organiser"]):
        body = {"seat": 0, "player": official.id, **WHY}
        refused = cup.host.post(f"/matches/{hall.match}/substitute", body)
        assert refused.refusal == (409, "runs_the_season")
    assert heads(cup, hall.match) == before


def test_account_seated_at_a_match_gets_no_role_in_its_season() -> None:
    cup, stranger = Cup(4), guest()
    match = cup.death_match()
    for player in (stranger.id, "bot"):
        assert cup.host.post(f"/matches/{match}/substitute", {"seat": 0, "player": player, **WHY}).status == 200
        assert cup.ask("/staff", {"account": stranger.id, "role": "host"}).refusal == (403, "plays_here")


def test_match_is_voided_although_its_scheduler_plays_now() -> None:
    cup, house = Cup(4), guest(is_organiser=True)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    match = cup.did("/death-matches", {"game": "pyramid_poker", "clocks": None}, by=house)[0]["match"]
    cup.did(f"/players/{candidate.id}/substitute", {"newcomer": house.id, **WHY})
    assert repository.load(UUID(match)).lifecycle.seat_of(house.id) == 0
    cup.did(f"/players/{house.id}/withdraw", {"reason": "I go."}, by=house)
    assert repository.load(UUID(match)).lifecycle.voided
