"""A match and all that may be done at it beside play: its host's acts, offers, appeals, talk, and how it ends."""

import json
from typing import Any
from uuid import uuid4

from events.checkpoints import signing
from tests.api.guests import Guest
from tests.api.ordinary import ordinary
from tests.golden.steady import steady_seeds
from tests.golden.transcript import Transcript

WHY = {"reason": "It was agreed."}
MATCH = {"game": "pyramid_poker", "clocks": {"turn": {"base": 3600, "reserve": 60}}}


class Hall:
    """The people, and the match that they are at."""

    def __init__(self, transcript: Transcript) -> None:
        self.host, self.watcher = transcript.person("host"), transcript.person("watcher")
        self.ann, self.ben = transcript.person("ann"), transcript.person("ben")
        self.substitute = transcript.person("substitute")
        self.match = ""

    def open(self, by: Guest, *players: Guest | None, **more: Any) -> None:
        """Open a match, and go on with it."""
        seats = [{"player": it and it.id} for it in players]
        response = by.post("/matches", {**MATCH, "seats": seats, **more}, Idempotency_Key=str(uuid4()))
        assert response.status == 201, response.body
        self.match = response.json["id"]

    def asked(self, operation: str, by: Guest, body: dict[str, Any] | None = None, **names: str) -> Any:
        """The ordinary request for an operation at the match; gives the document."""
        answer = ordinary(operation, name=self.match, body=body, **names).sent_by(by)
        return json.loads(answer.body) if answer.body else None


def play() -> Transcript:
    """The transcript of what happens at tables."""
    transcript = Transcript("table")
    with steady_seeds("table"), transcript.recording():
        hall = Hall(transcript)
        _waiting(hall)
        _hosted(hall)
        _talk(hall)
        _over(hall)
        _friendly(hall)
        _declined(hall)
    return transcript


def _waiting(hall: Hall) -> None:
    # An older open seat: the list has a next page, whether or not other tests have left open seats in the database.
    hall.open(hall.host, hall.ann, None)
    hall.asked("openSeat", hall.host, {"seat": 1})
    hall.open(hall.host, hall.ann, None, approval=True)
    hall.asked("openSeat", hall.host, {"seat": 1})
    hall.watcher.get("/seeks", {"game": "pyramid_poker", "limit": 1})
    hall.asked("startMatch", hall.host)
    hall.asked("joinMatch", hall.watcher)
    hall.ben.post(f"/matches/{hall.match}/join", {"seat": 1})
    hall.asked("acceptMatch", hall.ann)
    hall.asked("addNonce", hall.ann)
    hall.asked("startMatch", hall.ann)
    hall.asked("startMatch", hall.host)


def _hosted(hall: Hall) -> None:
    """Every act of a host, each refused to a player before."""
    host, ann = hall.host, hall.ann
    for operation in ("pauseMatch", "resumeMatch", "extendTurn", "postRuling", "seatStandIn", "endStandIn"):
        hall.asked(operation, ann)
        hall.asked(operation, host)
    hall.asked("makeOffer", ann)
    hall.asked("remindPlayers", ann)
    hall.asked("remindPlayers", host)
    before = host.get(f"/matches/{hall.match}").json["version"]
    ann.send(hall.match, "first 1", key="first")
    ann.get(f"/matches/{hall.match}/commands/first")
    hall.asked("rewindMatch", host, {"to_version": before + 1})
    hall.asked("rewindMatch", host, {"to_version": before})
    hall.asked("resumeMatch", host)
    hall.asked("openAppeal", ann)
    hall.asked("openAppeal", hall.watcher)
    hall.asked("listAppeals", hall.watcher)
    hall.asked("answerAppeal", host)
    hall.asked("withdrawText", host)
    hall.asked("substitutePlayer", host, {"player": hall.substitute.id})
    hall.asked("keepNote", ann)
    hall.asked("readNote", ann)
    for picture in ("board.svg", "board.svg?theme=dark&as=spectator", "board.png?width=200"):
        hall.watcher.get(f"/matches/{hall.match}/{picture}")


def _talk(hall: Hall) -> None:
    host, ann, watcher = hall.host, hall.ann, hall.watcher
    hall.asked("sayRemark", watcher)
    hall.asked("sayRemark", ann)
    hall.asked("sayRemark", ann, {"text": "Well.", "thread": "table"})
    hall.asked("hideRemark", host)
    hall.asked("readRemark", watcher)
    hall.asked("readRemark", host)
    hall.asked("restoreRemark", host)
    mute = hall.asked("muteAccount", host, {"account": watcher.id})
    hall.asked("sayRemark", watcher)
    hall.asked("listMutes", host)
    hall.asked("liftMute", host, number=str(mute["number"]))
    for thread in ("table", "spectators"):
        watcher.get(f"/matches/{hall.match}/remarks", {"thread": thread})
    hall.asked("setTalk", host)
    hall.asked("readTalk", watcher)
    watcher.ask("PUT", f"/me/blocks/{ann.id}")
    watcher.get("/me/blocks")
    watcher.get(f"/matches/{hall.match}/remarks", {"thread": "table"})
    watcher.ask("DELETE", f"/me/blocks/{ann.id}")


def _over(hall: Hall) -> None:
    hall.asked("adjudicateMatch", hall.host)
    hall.asked("approveResult", hall.host)
    signing.sign_if_due(after_seconds=0)
    for path in ("", "/audit", "/audit/proof", "/history", "/events?limit=500", "/export"):
        hall.watcher.get(f"/matches/{hall.match}{path}")
    size = hall.watcher.get(f"/matches/{hall.match}/audit/proof").json["size"]
    hall.watcher.get("/checkpoints/consistency", {"from": size, "to": size})
    hall.open(hall.host, hall.ann, hall.ben)
    hall.asked("voidMatch", hall.host)


def _friendly(hall: Hall) -> None:
    """Two friends without a host: what they offer each other, and their rematch."""
    ann, ben = hall.ann, hall.ben
    hall.open(ann, ann, ben)
    hall.asked("acceptMatch", ben)
    hall.asked("startMatch", ann)
    for answer in ("acceptOffer", "declineOffer"):
        hall.asked("makeOffer", ann)
        number = hall.asked("listOffers", ben)["results"][-1]["number"]
        hall.asked(answer, ben, number=str(number))
        hall.asked("makeOffer", ben, {"kind": "resume", "minutes": None})
        hall.asked("acceptOffer", ann, number=str(number + 1))
    ann.send(hall.match, {"type": "resign"})
    hall.asked("offerRematch", ben)
    hall.asked("readRematch", ann)
    hall.asked("offerRematch", ann)


def _declined(hall: Hall) -> None:
    hall.open(hall.ann, hall.ann, hall.ben)
    hall.asked("declineMatch", hall.ben)
    hall.ann.get("/me/matches", {"status": "waiting"})
