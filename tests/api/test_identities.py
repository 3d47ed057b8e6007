"""The permissions of every operation of the document for every kind of caller.

The scene is a running match that `opener` opened for seats 0 and 1; `former` held seat 1 before. `playing` opened a
match of the same kind and holds its seat 0, so that an organiser has to host it; `elsewhere` plays at quite another
one. `revoked`, `expired` and `reader` (whose token may only read) are tokens of seat 0's account, `page` is its session
cookie without a cross-site proof.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from matches.http.tokens import digest_of
from matches.models import AccessToken, Account
from tests.api.document import OF_CONTESTS, OF_SEASONS, OPERATIONS
from tests.api.guests import PASSWORD, Guest, guest, opened, started
from tests.api.ordinary import ordinary
from tests.table_setting import new_account, new_token

IDENTITIES = (
    "anonymous", "seat 0", "seat 1", "elsewhere", "watcher", "former", "opener", "playing", "organiser",
    "revoked", "expired", "reader", "page",
)  # fmt: skip
# anon seat0 seat1 else watch form open play orga revk expi read page
EXPECTED = {
    "signUp":                "201 201 201 201 201 201 201 201 201 201 201 201 201",
    "createToken":           "201 201 201 201 201 201 201 201 201 201 201 201 201",
    "whoAmI":                "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "changeMe":              "401 200 200 200 200 200 200 200 200 401 401 403 403",
    "readPortrait":          "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "choosePortrait":        "401 200 200 200 200 200 200 200 200 401 401 403 403",
    "removePortrait":        "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "uploadPortrait":        "401 400 400 400 400 400 400 400 400 401 401 403 403",
    "readAccessLog":         "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "markAccessSeen":        "401 204 204 204 204 204 204 204 204 401 401 403 403",
    "readReach":             "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "changeReach":           "401 200 200 200 200 200 200 200 200 401 401 403 403",
    "chooseSeasonCalls":     "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "listCalls":             "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "testCalls":             "401 204 204 204 204 204 204 204 204 401 401 403 403",
    "readEmail":             "401 404 404 404 404 404 404 404 404 401 401 404 404",
    "setEmail":              "401 409 409 409 409 409 409 409 409 401 401 403 403",
    "changeEmail":           "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "removeEmail":           "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "verifyEmail":           "401 422 422 422 422 422 422 422 422 401 401 403 403",
    "askForPassword":        "409 409 409 409 409 409 409 409 409 409 409 409 409",
    "resetPassword":         "422 422 422 422 422 422 422 422 422 422 422 422 422",
    "listPushes":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "addPush":               "401 422 422 422 422 422 422 422 422 401 401 403 403",
    "removePush":            "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "readWebhook":           "401 404 404 404 404 404 404 404 404 401 401 404 404",
    "setWebhook":            "401 422 422 422 422 422 422 422 422 401 401 403 403",
    "readCalendar":          "401 404 404 404 404 404 404 404 404 401 401 404 404",
    "revokeCalendar":        "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "makeCalendar":          "401 200 200 200 200 200 200 200 200 401 401 403 403",
    "removeWebhook":         "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "testWebhook":           "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "listNotices":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "listTokens":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "revokeToken":           "401 204 404 404 404 404 404 404 404 401 401 403 403",
    "listGames":             "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "readGame":              "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listPresets":           "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "readPreset":            "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listMatches":           "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listMyMatches":         "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "streamCalls":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "openMatch":             "401 201 201 201 201 201 201 201 201 401 401 403 403",
    "readMatch":             "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "readMatch unseen":      "404 404 404 404 404 404 404 404 404 401 401 404 404",
    "readMatch over":        "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "exportMatch over":      "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listEvents over ?as=host": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listLegal over":        "401 200 200 403 403 403 403 200 403 401 401 200 200",
    "auditMatch over":       "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "readView":              "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "readView ?as=seat:0":   "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "readView ?as=seat:1":   "401 404 200 404 404 404 404 404 404 401 401 404 404",
    "readView ?as=host":     "401 404 404 404 404 404 200 404 200 401 401 404 404",
    "readView ?as=spectator": "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "readView over ?as=host": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "readView over ?as=seat:1": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "drawBoard":             "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "drawBoard ?as=seat:0":  "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "drawBoard ?as=host":    "401 404 404 404 404 404 200 404 200 401 401 404 404",
    "photographBoard":       "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "photographBoard ?as=seat:1": "401 404 200 404 404 404 404 404 404 401 401 404 404",
    "photographBoard over ?as=host": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "listEvents":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "listEvents ?as=seat:0": "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "listEvents ?as=host":   "401 404 404 404 404 404 200 404 200 401 401 404 404",
    "listLegal":             "401 200 200 403 403 403 403 200 403 401 401 200 200",
    "auditMatch":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "proveMatch ?size=1":    "401 404 404 404 404 404 404 404 404 401 401 404 404",
    "proveConsistency ?from=9007199254740990": "404 404 404 404 404 404 404 404 404 404 404 404 404",
    "readMoment":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "readMoment ?as=seat:1": "401 404 200 404 404 404 404 404 404 401 401 404 404",
    "readMoment ?as=host":   "401 404 404 404 404 404 200 404 200 401 401 404 404",
    "readMoment over ?as=seat:1": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "readKnowledge ?of=6":   "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "readKnowledge over ?of=6": "200 200 200 200 200 200 200 200 200 401 401 200 200",
    "diffMatch ?from=4":     "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "diffMatch ?from=4&as=seat:0": "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "listHistory":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "listHistory ?as=host":  "401 404 404 404 404 404 200 404 200 401 401 404 404",
    "exportHistory":         "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "exportHistory ?as=seat:0": "401 200 404 404 404 404 404 200 404 401 401 200 200",
    "followMatches":         "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "followMatches ?match=00000000-0000-4000-8000-000000000000":
        "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "searchHistory ?text=brick&player={account_id}": "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "readCareer":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "listResults":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "eraseMe":               "401 401 401 401 401 401 401 401 401 401 401 403 403",
    "exportMatch":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "offerRematch":          "401 409 409 403 403 403 403 409 403 401 401 403 403",
    "offerRematch over":     "401 201 201 403 403 403 403 201 403 401 401 403 403",
    "readRematch over":      "401 404 404 403 403 403 403 404 403 401 401 404 404",
    "readRematch offered":   "401 200 200 403 403 403 403 200 403 401 401 200 200",
    "readNote":              "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "keepNote":              "401 200 200 200 200 200 200 200 200 401 401 403 403",
    "listRemarks":           "401 403 403 200 200 403 200 403 200 401 401 403 403",
    "listRemarks ?thread=table": "401 200 200 200 200 200 200 200 200 401 401 403 200",
    "listRemarks over":      "401 200 200 200 200 200 200 200 200 401 401 403 200",
    "sayRemark":             "401 403 403 201 201 403 201 403 201 401 401 403 403",
    "sayRemark over":        "401 403 403 201 201 403 201 403 201 401 401 403 403",
    "readRemark":            "401 404 404 404 404 404 404 404 404 401 401 403 404",
    "hideRemark":            "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "restoreRemark":         "401 404 404 404 404 404 404 404 404 401 401 403 403",
    "readTalk":              "401 200 200 200 200 200 200 200 200 401 401 403 200",
    "setTalk":               "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "listMutes":             "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "muteAccount":           "401 403 403 403 403 403 422 403 422 401 401 403 403",
    "liftMute":              "401 403 403 403 403 403 404 403 404 401 401 403 403",
    "listBlocks":            "401 200 200 200 200 200 200 200 200 401 401 403 200",
    "blockAccount":          "401 422 422 422 422 422 422 422 422 401 401 403 403",
    "unblockAccount":        "401 204 204 204 204 204 204 204 204 401 401 403 403",
    "listAppeals":           "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "joinMatch":             "401 200 200 422 422 422 422 200 422 401 401 403 403",
    "joinMatch sought":      "401 409 200 200 200 200 200 409 200 401 401 403 403",
    "listSeeks":             "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "openSeat":              "401 403 403 403 403 403 409 409 409 401 401 403 403",
    "openSeat waiting":      "401 403 403 403 403 403 200 200 200 401 401 403 403",
    "joinMatch waiting":     "401 409 200 200 200 200 200 409 200 401 401 403 403",
    "addNonce":              "401 409 409 403 403 403 403 409 403 401 401 403 403",
    "addNonce full":         "401 200 200 403 403 403 403 200 403 401 401 403 403",
    "acceptMatch":           "401 200 200 403 403 403 403 200 403 401 401 403 403",
    "acceptMatch full":      "401 200 200 403 403 403 403 200 403 401 401 403 403",
    "declineMatch":          "401 409 200 403 403 403 403 409 403 401 401 403 403",
    "declineMatch full":     "401 200 200 403 403 403 403 409 403 401 401 403 403",
    "startMatch":            "401 403 403 403 403 403 409 409 409 401 401 403 403",
    "startMatch waiting":    "401 403 403 403 403 403 409 409 409 401 401 403 403",
    "startMatch full":       "401 403 403 403 403 403 200 200 200 401 401 403 403",
    "sendCommand":           "401 201 201 403 403 403 403 201 403 401 401 403 403",
    "sendCommand ?dry_run=1": "401 200 200 403 403 403 403 200 403 401 401 403 403",
    "readCommand":           "401 404 404 404 404 404 404 404 404 401 401 404 404",
    "pauseMatch":            "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "resumeMatch":           "401 403 403 403 403 403 409 403 409 401 401 403 403",
    "extendTurn":            "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "voidMatch":             "401 403 403 403 403 403 200 200 200 401 401 403 403",
    "adjudicateMatch":       "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "seatStandIn":           "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "endStandIn":            "401 403 409 403 403 403 409 403 409 401 401 403 403",
    "substitutePlayer":      "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "rewindMatch":           "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "postRuling":            "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "approveResult":         "401 403 403 403 403 403 409 403 409 401 401 403 403",
    "approveResult over":    "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "listOffers":            "401 200 200 200 200 200 200 200 200 401 401 200 200",
    "makeOffer":             "401 200 200 403 403 403 403 200 403 401 401 403 403",
    "acceptOffer":           "401 404 404 403 403 403 403 404 403 401 401 403 403",
    "declineOffer":          "401 404 404 403 403 403 403 404 403 401 401 403 403",
    "openAppeal":            "401 201 201 403 403 403 403 201 403 401 401 403 403",
    "answerAppeal":          "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "remindPlayers":         "401 403 403 403 403 403 200 403 200 401 401 403 403",
    "withdrawText":          "401 403 403 403 403 403 404 403 404 401 401 403 403",
}  # fmt: skip


WHOLE_ROW = ("keepNote", "sayRemark")
"""Operations that don't change what others of their row may do, so that one match is enough for the row."""


@dataclass(frozen=True)
class Scene:
    """A match, and the invitation to its open seat."""

    match: str
    invitation: str = ""
    sought: bool = False


class Cast:
    """Everybody, by the name of their identity, and the matches they are asked about."""

    def __init__(self) -> None:
        accounts = [name for name in IDENTITIES if name not in ("anonymous", "revoked", "expired", "reader", "page")]
        self.guests = {name: guest(is_organiser=name == "organiser") for name in accounts}
        self.account = Account.objects.get(id=self.guests["seat 0"].id)
        page = Client(enforce_csrf_checks=True, headers={"host": "localhost"})
        page.force_login(self.account)
        self.guests |= {
            "anonymous": Guest(),
            "revoked": Guest(revoked_token(self.account)),
            "expired": Guest(new_token(self.account, lives=timedelta(seconds=-1))),
            "reader": Guest(new_token(self.account, scopes=["match:read"])),
            "page": Guest(client=page),
        }
        self._scenes: dict[tuple[str, str], Scene] = {}
        started("pentagram", self.guests["elsewhere"], "bot")

    def scene(self, state: str, identity: str) -> Scene:
        """A match in this state, the same one until it is spoilt."""
        opener, first = opener_and_first(identity)
        if (state, opener) not in self._scenes:
            self._scenes[state, opener] = self._set(state, self.guests[opener], self.guests[first])
        return self._scenes[state, opener]

    def spoil(self, state: str, identity: str) -> None:
        """Something has happened; the next caller gets a match of its own."""
        self._scenes.pop((state, opener_and_first(identity)[0]), None)

    def _set(self, state: str, opener: Guest, first: Guest) -> Scene:
        if state in ("waiting", "sought"):
            seats = [{"player": first.id}, {"player": None, "open_to": "anybody" if state == "sought" else None}]
            match_opened = opener.post("/matches", {"game": "pyramid_poker", "seats": seats}).json
            sought = state == "sought"
            return Scene(match_opened["id"], "" if sought else match_opened["seats"][1]["invitation"], sought)
        if state == "full":
            return Scene(opened(opener, "pyramid_poker", first, self.guests["seat 1"]))
        match = started("pyramid_poker", first, self.guests["former"], opener=opener, approval=True)
        assert ordinary("openAppeal", name=match).sent_by(first).status == 201
        assert first.send(match, "first 0").status == 201
        leaving = ordinary("substitutePlayer", name=match, body={"player": self.guests["seat 1"].id})
        assert leaving.sent_by(self.guests["organiser"]).status == 200
        if state in ("over", "offered"):
            assert first.send(match, {"type": "resign"}).status == 201
        if state == "offered":
            assert ordinary("offerRematch", name=match).sent_by(first).status == 201
        return Scene(match)


def opener_and_first(identity: str) -> tuple[str, str]:
    """Return the opener and the player of the first seat of the identity's match."""
    return ("playing", "playing") if identity == "playing" else ("opener", "seat 0")


def revoked_token(account: Account) -> str:
    token = new_token(account)
    AccessToken.objects.filter(digest=digest_of(token)).update(revoked_at=timezone.now())
    return token


@pytest.fixture(scope="module")
def cast() -> Cast:
    return Cast()


def test_every_operation_has_a_row_and_every_row_a_column_for_each_identity() -> None:
    assert {row.split()[0] for row in EXPECTED} == set(OPERATIONS) - OF_SEASONS - OF_CONTESTS
    assert {len(columns.split()) for columns in EXPECTED.values()} == {len(IDENTITIES)}


def status_of(cast: Cast, row: str, identity: str) -> int:
    """Return the status of the response to the row's request."""
    operation, state, query = read(row)
    scene = cast.scene("running" if state == "unseen" else state, identity)
    query = query.replace("{account_id}", str(cast.account.id))
    names = {
        "account_id": str(cast.account.id),
        "name": str(uuid4()) if state == "unseen" else scene.match,
        "token_id": str(spare_token(cast.account)) if operation == "revokeToken" else "",
    }
    request = ordinary(operation, query=query, body=body_of(operation, scene), **names)
    answer = request.sent_by(cast.guests[identity])
    acted = request.method != "GET" and scene.match in request.path and answer.status < 400
    if acted and operation not in WHOLE_ROW:
        cast.spoil(state, identity)
    return answer.status


def read(row: str) -> tuple[str, str, str]:
    """The operation, the state of the match, and the query."""
    operation, *conditions = row.split()
    query = next((it for it in conditions if it.startswith("?")), "")
    return operation, next((it for it in conditions if not it.startswith("?")), "running"), query


def body_of(operation: str, scene: Scene) -> dict[str, Any]:
    """Return the fields of the body that depend on the scene."""
    match operation:
        case "signUp":
            return {"username": f"new {uuid4().hex[:12]}"}
        case "createToken":
            return {"username": new_account(PASSWORD).username}
        case "joinMatch" if scene.invitation:
            return {"invitation": scene.invitation}
        case "joinMatch" if scene.sought:
            return {"invitation": "", "seat": 1}
        case "openSeat":
            return {"seat": 1}
        case "rewindMatch":
            return {"to_version": 5}
    return {}


def spare_token(account: Account) -> UUID:
    """The id of a token to revoke."""
    token = new_token(account)
    return AccessToken.objects.get(digest=digest_of(token)).id


@pytest.mark.parametrize("row", EXPECTED)
def test_each_identity_gets_its_expected_status(cast: Cast, row: str) -> None:
    statuses = {identity: status_of(cast, row, identity) for identity in IDENTITIES}
    operation, state, _ = read(row)
    if operation in WHOLE_ROW:
        for opener in ("opener", "playing"):
            cast.spoil(state, opener)
    assert statuses == dict(zip(IDENTITIES, map(int, EXPECTED[row].split()), strict=True))


def test_each_identity_sees_the_match_as_its_own_witness(cast: Cast) -> None:
    match = cast.scene("running", "watcher").match
    documents = {
        name: cast.guests[name].get(f"/matches/{match}").json
        for name in IDENTITIES
        if name not in ("anonymous", "revoked", "expired")
    }
    seated = {"seat 0": "seat:0", "reader": "seat:0", "page": "seat:0", "seat 1": "seat:1"}
    assert {name: it["witness"] for name, it in documents.items()} == {
        name: seated.get(name, "spectator") for name in documents
    }
    bricks = {name: it["view"]["held"]["brick"] for name, it in documents.items()}
    assert all((bricks[name] is not None) == (seated.get(name) == "seat:0") for name in documents)
