"""A season from its opening to its champion: every act of the REST interface, and every document between."""

import json
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

from events import store
from events.checkpoints import signing
from matches.http.table_files import XLSX
from matches.seasons import timekeeping
from matches.seasons.domain.availability import DAYS
from tests.api.guests import Guest
from tests.api.seasons import Cup, deliver
from tests.golden.steady import steady_seeds
from tests.golden.transcript import Transcript

WHY = {"reason": "It was agreed."}
NAMES = ("ann", "ben", "cat", "dan", "eve", "fay", "gus", "hew")
DOCUMENTS = (
    "", "/staff", "/players", "/applications", "/episodes", "/main-matches/tables", "/death-matches", "/final",
    "/standings", "/ledger", "/rulings", "/schedule", "/claims", "/availability", "/joining-links", "/board",
    "/mutes", "/audit", "/calendar", "/webhook/notices",
)  # fmt: skip
RECORD = ("/export", "/archive", "/audit/proof", "/audit/proof?size=1", "/events?limit=500", "/events?after=3&limit=2")
OPTIONS = {
    "bans_each": 1, "best_of": 3, "check_in_minutes": 30, "least_notice_minutes": 5, "opponent_minutes": 60,
}  # fmt: skip


class Season(Cup):
    """A season and its people, all by name in the transcript."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.organiser = transcript.person("organiser", is_organiser=True)
        self.host, self.auditor = transcript.person("host"), transcript.person("auditor")
        self.outsider = transcript.person("outsider")
        self.players = [transcript.person(name) for name in NAMES]
        self.open({"title": "A cup", "options": OPTIONS})

    def open(self, body: dict[str, Any]) -> None:
        """Open a season, and go on with it."""
        response = self.organiser.post("/seasons", body, Idempotency_Key=str(uuid4()))
        self.path = response.headers["Location"].removeprefix("/api/v1")
        self.id = self.path.rpartition("/")[2]

    def at(self, name: str, **by: float) -> str:
        """An instant so long from now, under this name in the transcript."""
        return self.transcript.masks.name_instant(store.clock() + timedelta(**by), name)

    def named(self, name: str) -> Guest:
        """The player of this name."""
        return self.players[NAMES.index(name)]

    def act(self, path: str, body: Any = None, by: Guest | None = None) -> list[dict[str, Any]]:
        """A dry run, and the act."""
        self.ask(f"{path}?dry_run=1", body, by)
        return self.did(path, body, by)

    def put(self, path: str, body: Any = None, by: Guest | None = None) -> None:
        """PUT at the season."""
        (by or self.organiser).ask("PUT", self.path + path, b"" if body is None else json.dumps(body).encode())

    def read_all(self, *readers: Guest) -> None:
        """Every document of the season."""
        for reader in readers:
            for path in DOCUMENTS:
                reader.get(self.path + path)
            reader.get("/seasons", {"player": self.players[0].id})

    def ends(self, match: str, winner: Guest) -> None:
        """The host decides a match, and the season is told."""
        players = self.host.get(f"/matches/{match}").json["seats"]
        seat = [it["player"]["id"] for it in players].index(winner.id)
        self.host.post(f"/matches/{match}/adjudicate", {"winners": [seat], **WHY})
        deliver()

    def begins(self, match: str) -> None:
        """The host starts a match."""
        answer = self.host.post(f"/matches/{match}/start", WHY)
        assert answer.status == 200, answer.body


def play() -> Transcript:
    """The transcript of a whole season."""
    transcript = Transcript("season")
    # Matches that seasons of earlier tests wait for would take seeds from the series.
    deliver()
    with steady_seeds("season"), transcript.recording():
        season = Season(transcript)
        _enrolment(season)
        _first_episode(season)
        _second_episode(season)
        _between(season)
        _final(season)
        _after(season)
        path = season.path
        _absence(season)
        _files(season, path)
    return transcript


def _enrolment(season: Season) -> None:
    ann, ben, cat, dan, eve, fay, gus, hew = season.players
    soon = season.at("in a month", days=30)
    season.act("/options", {"options": {"reward": 3}, **WHY})
    season.ask("/options", {"options": {"reward": "much"}, **WHY})
    season.act("/staff", {"account": season.host.id, "role": "host"})
    season.did("/staff", {"account": season.auditor.id, "role": "auditor"})
    season.did("/staff", {"account": season.outsider.id, "role": "host"})
    season.act(f"/staff/{season.outsider.id}/dismiss", WHY)
    season.act("/players", {"player": ann.id})
    season.ask("/players", {"player": ann.id})
    season.ask("/players", {"player": ben.id}, by=ann)
    faulty = {"text": f"{ben.name}\nnobody.at.all\n{cat.name}\nAmara, amara@example.org", "closes_at": soon}
    season.ask("/players/list", faulty)
    season.act("/players/list", {**faulty, "skip_faulty": True})
    season.act("/joining-links", {"approval": True, "most": 20, "closes_at": soon})
    season.act("/joining-links", {"approval": False})
    links = [it["url"].rpartition("/")[2] for it in season.read("/joining-links")["results"]]
    by_approval, at_once = (f"/seasons/joining/{secret}" for secret in links[-2:])
    season.outsider.get(by_approval)
    for person, link in ((dan, by_approval), (hew, by_approval), (season.outsider, by_approval), (eve, at_once)):
        for query in ("?dry_run=1", ""):
            person.post(f"{link}{query}", Idempotency_Key=str(uuid4()))
    season.host.get(f"{season.path}/applications")
    season.act(f"/applications/{dan.id}/admit")
    season.act(f"/applications/{hew.id}/decline", {"reason": "The season is full."})
    season.outsider.post(f"{by_approval}/withdraw?dry_run=1", Idempotency_Key=str(uuid4()))
    season.outsider.post(f"{by_approval}/withdraw", Idempotency_Key=str(uuid4()))
    hew.get(by_approval)
    season.act(f"/joining-links/{len(links)}/revoke", WHY)
    fay.post(at_once, Idempotency_Key=str(uuid4()))
    for player in (fay, gus):
        season.did("/players", {"player": player.id})
    season.act(f"/players/{gus.id}/name", {"name": "Gustav", **WHY})
    season.organiser.ask("PUT", f"{season.path}/webhook", b'{"url": "https://hooks.example.org/croupier"}')
    season.organiser.get(f"{season.path}/webhook")
    season.organiser.post(f"{season.path}/webhook/test")
    season.read_all(season.organiser, season.outsider)


def _first_episode(season: Season) -> None:
    """Tables by the season's chance, a decision with a deadline, a match with a time, a corrected result."""
    season.act("/episodes", {"title": "The opening night"})
    season.ask("/main-matches/seatings", {"game": "pentagram", "tables": [[season.host.id]]})
    season.act("/main-matches/seatings", {"game": "pentagram", "clocks": None, "tables": [[], []], "draw": True})
    tables = season.read("/main-matches/tables")["results"]
    seated = [[season.player(it) for it in table["players"]] for table in tables]
    for table, players in zip(tables, seated, strict=True):
        season.begins(table["id"])
        season.ends(table["id"], players[0])
    winner, other = seated[0][0], seated[1][0]
    candidates = [it.id for players in seated for it in players if it not in (winner, other)]
    season.act("/main-matches", {"name": "Pentagram"})
    correction = {"winners": [winner.id], "candidates": candidates[:2], "rewards": {winner.id: 2}, **WHY}
    season.act("/episodes/1/main-match/correct", correction)
    safe = next(it for it in season.living() if it.id not in (winner.id, *candidates[:2]))
    season.ask("/tokens", {"player": safe.id}, by=safe)
    season.act("/tokens", {"player": safe.id}, by=winner)
    again = next(it for it in season.living() if it.id not in (winner.id, safe.id, *candidates[:2]))
    season.act("/episodes/1/token/correct", {"player": again.id, **WHY})
    season.act("/candidates", {"player": candidates[1]}, by=winner)
    season.act("/episodes/1/candidate/correct", {"player": candidates[0], **WHY})
    ec = season.player(candidates[0])
    season.act("/decision/extend", {"until": season.at("in two days", days=2), **WHY})
    others = [it for it in season.living() if it not in (winner, again, ec)]
    season.act("/opponents", {"player": others[0].id}, by=ec)
    season.act("/episodes/1/opponent/correct", {"player": others[1].id, **WHY})
    dmo = others[1]
    season.act("/bans", {"game": "pentagram"}, by=ec)
    season.act("/bans", {"game": "reality_benders"}, by=dmo)
    banned = {"player": ec.id, "game": "pentagram", "instead": "peeling_the_banana", **WHY}
    season.act("/episodes/1/ban/correct", banned)
    _timed_death_match(season, ec, dmo)


def _timed_death_match(season: Season, ec: Guest, dmo: Guest) -> None:
    far, farther = season.at("in a week", days=7), season.at("in eight days", days=8)
    body = {"game": "pyramid_poker", "clocks": None, "opens_at": far}
    season.ask("/death-matches", {"game": "reality_benders", "clocks": None}, by=season.host)
    season.ask("/death-matches?dry_run=1", body, by=season.host)
    match = season.did("/death-matches", body, by=season.host)[0]["match"]
    path = f"/matches/{match}"
    windows = [{"since": far, "until": farther, "can": False}]
    # All of the week, so that nothing depends on the day and the hour of the test.
    weekly = [{"day": day, "since": "00:00", "until": "00:00"} for day in DAYS]
    availability = {"zone": "Europe/Vienna", "windows": windows, "weekly": weekly}
    season.put(f"/players/{ec.id}/availability", availability, by=ec)
    for reader in (ec, dmo, season.host):
        reader.get(f"{season.path}/players/{ec.id}/availability")
    season.act(f"{path}/times", {"times": [farther]}, by=ec)
    season.host.get(f"{season.path}{path}/availability")
    season.act(f"{path}/times/accept", {"opens_at": farther}, by=dmo)
    season.read_all(season.host)
    soon = season.at("in a while", minutes=20)
    season.act(f"{path}/time", {"opens_at": soon, **WHY}, by=season.host)
    season.act(f"{path}/check-in", {"player": ec.id}, by=ec)
    season.did(f"{path}/check-in", {"player": dmo.id}, by=season.host)
    season.act(f"{path}/time", {"opens_at": None, **WHY}, by=season.host)
    season.begins(match)
    dmo.get("/me/matches", {"season": season.id})
    season.loses(match, ec)
    events = ec.get(f"{path}/events", {"limit": 500}).json["results"]
    started = next(it["version"] for it in events if it["type"] == "match_started")
    season.act(f"{path}/rewind", {"to_version": started, **WHY})
    season.host.post(f"{path}/resume", WHY)
    season.loses(match, dmo)
    season.act(f"{path}/correct", {"winner": dmo.id, **WHY})
    season.act("/claims", {"kind": "conduct", "text": "Somebody shouted.", "match": match}, by=ec)
    season.did("/claims", {"kind": "conduct", "text": "It was loud.", "match": None}, by=dmo)
    season.act("/claims/2/withdraw", by=dmo)
    season.act("/claims/1/answer", {"decision": "rejected", "reason": "Nobody else heard it."}, by=season.host)
    season.ask(f"{path}/approve", by=season.host)
    season.act(f"{path}/approve")
    season.host.get(f"/matches/{match}")
    season.host.get(f"{season.path}{path}/availability")
    season.read_all(season.organiser)


def _second_episode(season: Season) -> None:
    """Results as a table, a match that is annulled and set again; a table by hand in an episode that is called off."""
    season.act("/rulings", {"text": "A pass is a move.", "match": None}, by=season.host)
    season.did("/episodes", {"title": "The auction"})
    first, second, third, *rest = season.living()
    rows = [{"player": it.id, "match": "Hall", "place": place} for place, it in enumerate(season.living(), start=1)]
    rows[0] |= {"garnets": 2, "tokens": 1}
    rows[1] |= {"tokens": 1}
    season.ask("/main-matches/results?dry_run=1", {"name": "Dice", "text": "player,place\nnobody,1"})
    season.act("/main-matches/results", {"name": "Dice", "rows": rows})
    season.act("/garnets", {"from": first.id, "to": second.id, "amount": 1, "reason": "A debt."}, by=first)
    ec = rest[-1]
    season.did("/opponents", {"player": third.id}, by=ec)
    for player, game in ((ec, "pentagram"), (third, "peeling_the_banana")):
        season.did("/bans", {"game": game}, by=player)
    match = season.set("/death-matches", "pyramid_poker")
    season.act(f"/matches/{match}/annul", {"reason": "A power cut."}, by=season.host)
    match = season.set("/death-matches", "higher_or_lower")
    season.loses(match, third)
    season.did(f"/matches/{match}/approve")
    season.did("/episodes", {"title": "A quiet one"})
    body = {"game": "pentagram", "clocks": None, "players": [it.id for it in season.living()[:3]], "priority": 0}
    season.act("/main-matches/tables", body, by=season.host)
    season.act("/episodes/close", {"reason": "Nobody goes this time."})


def _between(season: Season) -> None:
    """Let players join, leave and talk between two episodes."""
    hew, transcript = season.named("hew"), season.transcript
    newcomer, guest_star = transcript.person("newcomer"), transcript.person("guest star")
    first, *_, leaver = season.living()
    season.did("/episodes", {"title": "Coming and going"})
    season.act("/players/late", {"player": guest_star.id, "amount": 2, "reason": "A guest star."})
    season.act(f"/players/{first.id}/substitute", {"newcomer": newcomer.id, "reason": "A long journey."})
    season.players += [newcomer, guest_star]
    season.act(f"/players/{leaver.id}/withdraw", {"reason": "Work calls.", "outcome": "forfeit"})
    season.act(f"/players/{leaver.id}/reinstate", {"amount": 1, "reason": "The journey was called off."})
    for player in (first, leaver, newcomer):
        season.outsider.get(f"{season.path}/players/{player.id}")
    season.did("/episodes/close", {"reason": "Only comings and goings."})
    board = f"{season.path}/board/0"
    leaver.post(board, {"text": "Who plays at eight?"})
    newcomer.post(board, {"text": "I do."})
    season.host.post(f"{board}/2/hide", {"reason": "It belongs elsewhere."})
    newcomer.get(f"{board}/2")
    season.host.get(f"{board}/2")
    season.host.post(f"{board}/2/restore", {"reason": "It does belong here."})
    newcomer.get(board)
    hew.get(board)
    mute_request = {"account": leaver.id, "span": "season", "reason": "Again, after a warning."}
    mute = season.host.post(f"{season.path}/mutes", mute_request).json["number"]
    leaver.post(board, {"text": "Hello?"})
    season.host.get(f"{season.path}/mutes")
    season.host.post(f"{season.path}/mutes/{mute}/lift", {"reason": "All is well again."})
    season.put("/board", {"open_to": "members"})
    season.put("/calendar", by=leaver)
    leaver.get(f"{season.path}/calendar")
    leaver.ask("DELETE", f"{season.path}/calendar")
    leaver.ask("PUT", f"/me/reach/seasons/{season.id}", b'{"choice": "muted"}')


def _rooms(season: Season, opener: Guest, other: Guest) -> None:
    """Let players talk in rooms of the season."""
    rooms = f"{season.path}/rooms"
    private = {"kind": "private", "title": "Two of us", "members": [other.id]}
    room = f"{rooms}/{opener.post(rooms, private).json['id']}"
    opener.post(rooms, private)
    confessional = opener.post(rooms, {"kind": "confessional"}).json["id"]
    opener.post(rooms, {"kind": "lounge"})
    season.host.post(rooms, {"kind": "lounge"})
    opener.post(f"{room}/remarks", {"text": "Shall we vote together?"})
    other.post(f"{room}/remarks", {"text": "Never."})
    other.get(f"{room}/remarks")
    other.ask("PUT", f"{room}/read", b'{"number": 1}')
    for reader in (opener, other, season.host):
        reader.get(rooms)
        reader.get(room)
    season.host.post(f"{room}/look")
    opener.post(f"{room}/remarks/2/report", {"reason": "Rude."})
    report = season.host.get(f"{season.path}/reports").json["results"][0]["id"]
    season.host.post(f"{season.path}/reports/{report}/answer", {"reason": "Rude, yes.", "hide": True})
    other.get(f"{room}/remarks")
    confession, board = f"{rooms}/{confessional}", f"{season.path}/board/0"
    opener.post(f"{confession}/remarks", {"text": "I trust nobody."})
    season.host.post(f"{confession}/remarks/1/hide", {"reason": "It belongs elsewhere."})
    season.host.get(f"{confession}/remarks/1")
    season.host.post(f"{confession}/remarks/1/restore", {"reason": "It does belong here."})
    opener.post(board, {"text": "Good luck to all."})
    other.post(f"{board}/1/report", {"reason": "Sarcasm."})
    other.post(f"{room}/leave")
    opener.post(f"{room}/remarks", {"text": "Hello?"})
    opener.post(f"{room}/close")


def _final(season: Season) -> None:
    for player in season.living()[2:]:
        season.did(f"/players/{player.id}/withdraw", {"reason": "Work calls."})
    season.ask("/final", by=season.host)
    season.act("/final")
    first, _ = [season.player(it) for it in season.read("/final")["players"]]
    body = {"game": "pyramid_poker", "options": {}, "clocks": None}
    season.ask("/final/matches?dry_run=1", body, by=season.host)
    for game in ("pyramid_poker", "pentagram"):
        match = season.set("/final/matches", game)
        season.ends(match, first)
        season.did(f"/matches/{match}/approve")


def _after(season: Season) -> None:
    """The record of a season that is over."""
    season.read_all(season.organiser, Guest())
    signing.sign_if_due(after_seconds=0)
    for path in (
        "/export",
        "/archive",
        "/audit/proof",
        "/audit/proof?size=1",
        "/events?limit=500",
        "/events?after=3&limit=2",
    ):
        season.auditor.get(season.path + path)
    newest = season.organiser.get(season.path)
    season.organiser.get(season.path, If_None_Match=newest.headers["ETag"])
    for path in ("", "/standings", "/ledger", "/episodes"):
        season.outsider.get(f"{season.path}{path}", {"at": 60})
    season.organiser.ask("DELETE", f"{season.path}/webhook")
    season.outsider.get("/history", {"text": "Dice", "season": season.id})
    season.outsider.get("/matches", {"season": season.id})
    season.outsider.get("/events", {"season": season.id, "limit": 3})
    season.host.get("/me/calls")
    assert season.read()["status"] == "finished"


def _absence(season: Season) -> None:
    """Another season from this one as its template, in which somebody doesn't come."""
    options = {"bans_each": 0, "public": False, "private_rooms": "players", "rooms_each": 1}
    season.open({"title": "The next one", "template": season.id, "options": options})
    season.did("/staff", {"account": season.host.id, "role": "host"})
    ann, ben, cat, *_ = season.players[:3]
    for player in (ann, ben, cat):
        season.did("/players", {"player": player.id})
    season.outsider.get(season.path)
    season.did("/episodes", {"title": "An episode"})
    season.did("/main-matches", {"name": "Dice", "winners": [ann.id], "candidates": [cat.id]})
    season.did("/opponents", {"player": ben.id}, by=cat)
    opens = store.clock() + timedelta(minutes=10)
    body = {"game": "pyramid_poker", "clocks": None, "opens_at": opens.isoformat()}
    match = season.did("/death-matches", body, by=season.host)[0]["match"]
    season.did(f"/matches/{match}/check-in", {"player": cat.id}, by=cat)
    with patch.object(store, "clock", lambda: opens + timedelta(minutes=1)):
        timekeeping.keep_time(UUID(season.id))
        season.read("/death-matches")
        season.act(f"/matches/{match}/absence", {"ruling": "loss", "reason": "They didn't come."})
        season.read("/death-matches")
    _rooms(season, ann, ben)


def _files(season: Season, path: str) -> None:
    """Read the lists of the season at this path as files for spreadsheets."""
    for name in ("/standings", "/players", "/ledger", "/schedule", "/episodes", "/episodes?episode=2"):
        for media_type in ("text/csv", XLSX):
            file = season.outsider.get(f"{path}{name}", Accept=media_type)
            season.outsider.get(f"{path}{name}", Accept=media_type, If_None_Match=file.headers["ETag"])
    season.outsider.get(f"{path}/episodes?episode=2")
