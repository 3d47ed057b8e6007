"""The permissions of every operation on seasons for every kind of caller.

The season has an organiser, a host and an auditor. Its players are the main match's `winner`, the `ec`, the `dmo` and a
`bystander`; `gone` has withdrawn from it. `elsewhere` plays in another season, `outsider` in none. `house` is an
organiser of the house without a part in this season; `revoked` and `reader` (whose token may only read) are tokens of
the organiser's account, `page` is the organiser's session cookie without a cross-site proof.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from matches.models import Account
from tests.api.document import OF_SEASONS, OPERATIONS
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup, deliver, ordinarily
from tests.api.test_identities import revoked_token
from tests.table_setting import new_token

IDENTITIES = (
    "anonymous", "organiser", "host", "auditor", "winner", "ec", "dmo", "bystander", "gone", "elsewhere", "outsider",
    "house", "revoked", "reader", "page",
)  # fmt: skip
# anon orga host audi winn ec dmo byst gone else outs hous revo read page
READ = "401 200 200 200 200 200 200 200 200 200 200 200 401 200 200"
READ_OVER = "200 200 200 200 200 200 200 200 200 200 200 200 401 200 200"
READ_PRIVATE = "404 200 200 200 200 200 200 200 200 404 404 200 401 200 200"
ORGANISERS = "401 201 403 403 403 403 403 403 403 403 403 201 401 403 403"
HOSTS = "401 201 201 403 403 403 403 403 403 403 403 201 401 403 403"
HIDDEN = "401 201 403 403 403 403 403 403 403 404 404 201 401 403 403"
BOARD = "401 200 200 200 200 200 200 200 200 403 403 200 401 403 200"
BOARD_PRIVATE = "401 200 200 200 200 200 200 200 200 404 404 200 401 403 200"
NO_ROOM = "401 404 404 404 404 404 404 404 404 404 404 404 401 403 404"
READS = (
    "readSeason", "listStaff", "listEpisodes", "listTables", "listDeathMatches", "readFinal", "readStandings",
    "readLedger", "listPlayers", "readPlayer", "listRulings", "readSchedule", "listSeasonEvents",
)  # fmt: skip
EXPECTED = {
    "listSeasons": READ_OVER,
    "openSeason": "401 201 403 403 403 403 403 403 403 403 403 201 401 403 403",
    **dict.fromkeys(READS, READ),
    **{f"{operation} over": READ_OVER for operation in ("readSeason", "readStandings", "listSeasonEvents")},
    **{f"{operation} private": READ_PRIVATE for operation in READS},
    "appointStaff": ORGANISERS,
    "dismissStaff": ORGANISERS,
    "enrolPlayer enrolling": ORGANISERS,
    "enrolPlayer": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "enrolList enrolling": "401 201 403 403 403 403 403 403 403 403 403 201 401 403 403",
    "listJoiningLinks": "401 200 403 403 403 403 403 403 403 403 403 200 401 403 200",
    "listJoiningLinks private": "401 200 403 403 403 403 403 403 403 404 404 200 401 403 200",
    "openJoiningLink enrolling": ORGANISERS,
    "revokeJoiningLink": "401 404 403 403 403 403 403 403 403 403 403 404 401 403 403",
    "listApplications": READ,
    "listApplications private": f"401{READ_PRIVATE[3:]}",
    "admitApplicant": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "declineApplicant": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "readJoiningLink": "401 404 404 404 404 404 404 404 404 404 404 404 401 404 404",
    "joinSeason": "401 404 404 404 404 404 404 404 404 404 404 404 401 403 403",
    "withdrawApplication": "401 404 404 404 404 404 404 404 404 404 404 404 401 403 403",
    "enrolLate opened": ORGANISERS,
    "reinstatePlayer": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "changeOptions enrolling": ORGANISERS,
    "withdrawPlayer": "401 201 403 403 403 403 403 201 403 403 403 201 401 403 403",
    "replacePlayer": ORGANISERS,
    "renamePlayer": ORGANISERS,
    "openEpisode enrolling": ORGANISERS,
    "openEpisode private": "401 409 403 403 403 403 403 403 403 404 404 409 401 403 403",
    "closeEpisode opened": ORGANISERS,
    "recordMainMatch opened": ORGANISERS,
    "enterResults opened": ORGANISERS,
    "scheduleTable opened": HOSTS,
    "listClaims": READ,
    "listClaims private": READ_PRIVATE,
    "listClaims over": READ_OVER,
    "makeClaim": "401 403 403 403 201 201 201 201 201 403 403 403 401 403 403",
    "withdrawClaim": "401 404 404 404 404 404 404 404 404 404 404 404 401 403 403",
    "answerClaim": "401 404 404 403 403 403 403 403 403 403 403 404 401 403 403",
    "seatMainMatch opened": HOSTS,
    "giveToken recorded": "401 201 403 403 201 403 403 403 403 403 403 201 401 403 403",
    "nameCandidate given": "401 201 403 403 201 403 403 403 403 403 403 201 401 403 403",
    "nameOpponent named": "401 201 403 403 403 201 403 403 403 403 403 201 401 403 403",
    "banGame paired": "401 403 403 403 403 201 201 403 403 403 403 403 401 403 403",
    "scheduleDeathMatch paired": HOSTS,
    "approveSeasonResult reported": ORGANISERS,
    "approveSeasonResult": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "correctResult reported": ORGANISERS,
    "correctMainMatch": ORGANISERS,
    "correctToken": ORGANISERS,
    "correctCandidate": "401 422 403 403 403 403 403 403 403 403 403 422 401 403 403",
    "correctOpponent": "401 422 403 403 403 403 403 403 403 403 403 422 401 403 403",
    "correctBan": "401 404 403 403 403 403 403 403 403 403 403 404 401 403 403",
    "rewindSeasonMatch": "401 409 409 403 403 403 403 403 403 403 403 409 401 403 403",
    "annulMatch": HOSTS,
    "proposeTimes": "401 409 409 403 403 409 409 403 403 403 403 409 401 403 403",
    "listAvailability": "401 200 200 200 403 403 403 403 403 403 403 200 401 200 200",
    "listAvailability private": "401 200 200 200 403 403 403 403 403 404 404 200 401 200 200",
    "readAvailability": "401 200 200 200 403 403 403 200 403 403 403 200 401 200 200",
    "readAvailability private": "401 200 200 200 403 403 403 200 403 404 404 200 401 200 200",
    "sayAvailability": "401 403 403 403 403 403 403 200 403 403 403 403 401 403 403",
    "sayAvailability private": "401 403 403 403 403 403 403 200 403 404 404 403 401 403 403",
    "readMatchTimes": "401 200 200 200 403 403 403 403 403 403 403 200 401 200 200",
    "readMatchTimes private": "401 200 200 200 403 403 403 403 403 404 404 200 401 200 200",
    "acceptTime": "401 403 403 403 403 422 422 403 403 403 403 403 401 403 403",
    "setMatchTime": "401 409 409 403 403 403 403 403 403 403 403 409 401 403 403",
    "checkIn": "401 422 422 403 403 403 403 403 403 403 403 422 401 403 403",
    "decideAbsence": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "extendDecision opened": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "openFinal two": ORGANISERS,
    "openFinal": "401 409 403 403 403 403 403 403 403 403 403 409 401 403 403",
    "scheduleFinalMatch final": HOSTS,
    "moveGarnets": "401 201 403 403 403 403 403 201 403 403 403 201 401 403 403",
    "moveGarnets private": "401 201 403 403 403 403 403 201 403 404 404 201 401 403 403",
    "postSeasonRuling": HOSTS,
    "postSeasonRuling private": "401 201 201 403 403 403 403 403 403 404 404 201 401 403 403",
    "readSeasonWebhook": "401 404 403 403 403 403 403 403 403 403 403 404 401 403 404",
    "readSeasonWebhook private": "401 404 403 403 403 403 403 403 403 404 404 404 401 403 404",
    "setSeasonWebhook": "401 422 403 403 403 403 403 403 403 403 403 422 401 403 403",
    "removeSeasonWebhook": "401 404 403 403 403 403 403 403 403 403 403 404 401 403 403",
    "testSeasonWebhook": "401 404 403 403 403 403 403 403 403 403 403 404 401 403 403",
    "readSeasonCalendar": "401 404 404 404 404 404 404 404 404 404 404 404 401 404 404",
    "revokeSeasonCalendar": "401 404 404 404 404 404 404 404 404 404 404 404 401 403 403",
    "makeSeasonCalendar": "401 200 200 200 200 200 200 200 200 200 200 200 401 403 403",
    "makeSeasonCalendar private": "401 200 200 200 200 200 200 200 200 404 404 200 401 403 403",
    "readBoard": BOARD,
    "readBoard private": BOARD_PRIVATE,
    "setBoard": "401 200 200 403 403 403 403 403 403 403 403 200 401 403 403",
    "listBoardRemarks": BOARD,
    "listBoardRemarks private": BOARD_PRIVATE,
    "sayOnBoard": "401 201 201 201 201 403 403 201 201 403 403 201 401 403 403",
    "sayOnBoard reported": "401 201 201 201 201 201 201 201 201 403 403 201 401 403 403",
    "readBoardRemark": "401 404 404 404 404 404 404 404 404 403 403 404 401 403 404",
    "hideOnBoard": "401 404 404 404 404 404 404 404 404 403 403 404 401 403 403",
    "restoreOnBoard": "401 404 404 404 404 404 404 404 404 403 403 404 401 403 403",
    "reportOnBoard": "401 404 404 404 404 404 404 404 404 403 403 404 401 403 403",
    "listRooms": "401 200 200 200 200 200 200 200 200 200 200 200 401 403 200",
    "listRooms private": BOARD_PRIVATE,
    "openRoom": HOSTS,
    "openRoom private": "401 201 201 403 403 403 403 403 403 404 404 201 401 403 403",
    **dict.fromkeys(("readRoom", "listRoomRemarks", "readRoomRemark"), NO_ROOM),
    **dict.fromkeys(
        (
            "sayInRoom", "hideInRoom", "restoreInRoom", "reportInRoom", "markRoomRead", "closeRoom", "leaveRoom",
            "lookIntoRoom",
        ),
        f"{NO_ROOM[:-3]}403",
    ),
    "listSeasonReports": "401 200 200 403 403 403 403 403 403 403 403 200 401 403 200",
    "answerReport": "401 404 404 403 403 403 403 403 403 403 403 404 401 403 403",
    "listSeasonMutes": "401 200 200 403 403 403 403 403 403 403 403 200 401 403 200",
    "muteInSeason": "401 422 422 403 403 403 403 403 403 403 403 422 401 403 403",
    "liftSeasonMute": "401 404 404 403 403 403 403 403 403 403 403 404 401 403 403",
    "auditSeason": READ,
    "auditSeason private": READ_PRIVATE,
    "proveSeason": "401 404 404 404 404 404 404 404 404 404 404 404 401 404 404",
    "exportSeason": READ,
    "exportSeason private": READ_PRIVATE,
    "exportSeason over": READ_OVER,
    "archiveSeason": "401 200 200 200 403 403 403 403 403 403 403 200 401 200 200",
    "archiveSeason private": "404 200 200 200 403 403 403 403 403 404 404 200 401 200 200",
    "archiveSeason over": READ_OVER,
    "listSeasonNotices": "401 200 403 403 403 403 403 403 403 403 403 200 401 403 200",
    "listSeasonNotices private": "401 200 403 403 403 403 403 403 403 404 404 200 401 403 200",
}  # fmt: skip


WHOLE_ROW = ("openSeason", "sayOnBoard")
"""Operations without a dry run that don't change what others of their row may do, so that one season is enough."""


class Scene(Cup):
    """A season at a stage, with everybody by the name of their identity."""

    def __init__(self, stage: str, people: dict[str, Guest]) -> None:
        super().__init__(5, organiser=people["organiser"], public=stage != "private", bans_each=1)
        self.winner, self.bystander, self.dmo, self.ec, self.gone = self.players
        self.match = str(uuid4())
        self.did(f"/players/{self.gone.id}/withdraw", {"reason": "Work calls."}, by=self.gone)
        self.people = people | {
            name: getattr(self, name) for name in ("host", "auditor", "winner", "ec", "dmo", "bystander", "gone")
        }
        self._reach(stage)

    def _reach(self, stage: str) -> None:
        if stage == "enrolling":
            return
        if stage in ("two", "final", "over"):
            return self._two(stage)
        self.did("/episodes", {"title": "First"})
        steps: tuple[tuple[str, Any], ...] = (
            ("opened", lambda: self.did(
                "/main-matches",
                {"name": "Dice", "winners": [self.winner.id], "candidates": [self.ec.id, self.dmo.id]},
            )),
            ("recorded", lambda: self.did("/tokens", {"player": self.bystander.id}, by=self.winner)),
            ("given", lambda: self.did("/candidates", {"player": self.ec.id}, by=self.winner)),
            ("named", lambda: self.did("/opponents", {"player": self.dmo.id}, by=self.ec)),
            ("paired", self._begin),
            ("set", lambda: self.loses(self.match, self.ec)),
        )  # fmt: skip
        for reached, step in steps:
            if stage == reached or (reached == "set" and stage in ("set", "private")):
                return None
            step()
        return None

    def _begin(self) -> None:
        self.match = self.set("/death-matches", "pyramid_poker")

    def _two(self, stage: str) -> None:
        self.did("/episodes", {"title": "First"})
        self.did("/episodes/close", {"reason": "Nothing happened."})
        for leaver in (self.ec, self.dmo):
            self.did(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."})
        if stage == "final":
            self.did("/final")
        if stage == "over":
            self.did(f"/players/{self.bystander.id}/withdraw", {"reason": "Work calls."})

    def asked(self, operation: str, identity: str, query: str = "") -> Answer:
        """The answer to the ordinary request for this operation."""
        names = {"player": self.bystander.id, "account": self.auditor.id, "match": self.match}
        how = {"names": names, "body": self._body(operation)}
        query = "?size=1" if operation == "proveSeason" else query
        return ordinarily(self, operation, self.people[identity], query, **how)

    def _body(self, operation: str) -> dict[str, Any]:
        """Return the fields of the body that depend on the scene."""
        match operation:
            case "appointStaff":
                return {"account": guest().id}
            case "enrolPlayer":
                return {"player": guest().id}
            case "enrolLate":
                return {"player": guest().id}
            case "replacePlayer":
                return {"newcomer": guest().id}
            case "recordMainMatch":
                return {"winners": [self.winner.id], "candidates": [self.ec.id], "rewards": {self.winner.id: 1}}
            case "enterResults":
                places = enumerate((self.winner.id, self.ec.id), start=1)
                return {"rows": [{"player": it, "place": place} for place, it in places]}
            case "seatMainMatch":
                return {"tables": [[self.winner.id, self.ec.id]]}
            case "scheduleTable":
                return {"players": [self.winner.id, self.ec.id]}
            case "giveToken":
                return {"player": self.bystander.id}
            case "nameCandidate":
                return {"player": self.ec.id}
            case "nameOpponent":
                return {"player": self.dmo.id}
            case "correctMainMatch":
                return {"winners": [self.bystander.id], "rewards": {self.bystander.id: 1}}
            case "correctToken" | "correctCandidate" | "correctBan":
                return {"player": self.ec.id}
            case "correctOpponent":
                return {"player": self.dmo.id}
            case "correctResult":
                return {"winner": self.ec.id}
            case "openRoom":
                return {"kind": "lounge", "members": []}
            case "moveGarnets":
                return {"from": self.bystander.id, "to": self.winner.id}
        return {}


class Scenes:
    """A season for each stage, the same one until it is spoilt."""

    def __init__(self) -> None:
        organiser = guest(is_organiser=True)
        account = Account.objects.get(id=organiser.id)
        page = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
        page.force_login(account)
        elsewhere = Cup(1).players[0]
        self._people = {
            "anonymous": Guest(), "organiser": organiser, "elsewhere": elsewhere, "outsider": guest(),
            "house": guest(is_organiser=True), "revoked": Guest(revoked_token(account)),
            "reader": Guest(new_token(account, scopes=["match:read"])), "page": Guest(client=page),
        }  # fmt: skip
        self._scenes: dict[str, Scene] = {}

    def asked(self, row: str, identity: str) -> int:
        """The status of the answer to the row's request.

        Acts are tried in a dry run, whose 200 stands for 201. After one that has none and was accepted the scene is
        set anew, or after its row.
        """
        operation, at = read(row)
        if at not in self._scenes:
            self._scenes[at] = Scene(at, self._people)
        acts = OPERATIONS[operation].method == "POST"
        tries = "dry_run" in OPERATIONS[operation].parameters("query")
        status = self._scenes[at].asked(operation, identity, "?dry_run=1" if tries else "").status
        if acts and status == 201 and operation not in WHOLE_ROW:
            del self._scenes[at]
        return 201 if tries and status == 200 else status

    def end(self, row: str) -> None:
        """The next row finds nothing of what this one has left."""
        operation, at = read(row)
        if operation in WHOLE_ROW:
            self._scenes.pop(at, None)


def read(row: str) -> tuple[str, str]:
    """The operation and the stage of the season."""
    operation, *stage = row.split()
    return operation, stage[0] if stage else "set"


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    deliver()
    return Scenes()


def test_every_season_operation_has_a_row_with_all_identities() -> None:
    rows = {row.split()[0] for row in EXPECTED}
    assert not OF_SEASONS - rows, f"Give {sorted(OF_SEASONS - rows)} rows in EXPECTED; `Scene` sets their stages."
    assert not rows - OF_SEASONS, "There is no such operation on seasons."
    assert {len(columns.split()) for columns in EXPECTED.values()} == {len(IDENTITIES)}
    assert len(OF_SEASONS) > 30
    # What an account wants to be told of a season is its own affair: tests/api/test_identities.py.
    assert {it for it in OPERATIONS if "season" in it.lower()} - {"chooseSeasonCalls"} <= OF_SEASONS


@pytest.mark.parametrize("row", EXPECTED)
def test_each_identity_gets_its_expected_status(scenes: Scenes, row: str) -> None:
    statuses = {identity: scenes.asked(row, identity) for identity in IDENTITIES}
    scenes.end(row)
    assert statuses == dict(zip(IDENTITIES, map(int, EXPECTED[row].split()), strict=True))
