"""A match of each game, with both players, a spectator and its host: over REST, sockets and streams."""

from random import Random
from typing import Any
from uuid import UUID

from games import catalogue
from matches.http.table_files import XLSX
from matches.seasons.domain.contests import CONTEST
from matches.storage import repository
from tests.api.guests import Guest, chosen, house
from tests.golden.sockets import TALK, Hall, loop
from tests.golden.steady import steady_seeds
from tests.golden.transcript import Transcript, events_of

MOVES = 8
"""Number of moves before the last player resigns."""
HALF_WAY = (
    "", "/view", "/view?at=8", "/view?as=host", "/view?as=seat:1", "/events?after=4&limit=3", "/legal", "/moment",
    "/knowledge?of=6", "/history?kind=moves&limit=3", "/history/export?form=csv&kind=moves", "/export", "/note",
)  # fmt: skip
"""Paths that a player reads in a running match."""
AT_THE_END = (
    "", "/view?at=8", "/view?as=seat:1", "/events?limit=500", "/events?after=9&as=spectator&limit=2", "/legal",
    "/moment?at=9&as=spectator", "/knowledge?of=9", "/diff?from=2&to=9&as=spectator", "/history?kind=host&limit=2",
    "/history?text=seat+1&limit=3", "/history/export", "/history/export?form=csv", "/export", "/audit",
    "/commands/move-0",
)  # fmt: skip
"""Paths that a spectator reads of a finished match."""
SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class Table:
    """A match, and who is there."""

    def __init__(self, transcript: Transcript, slug: str) -> None:
        self.transcript, self.slug = transcript, slug
        self.host = transcript.person("host")
        self.players = transcript.person("seat 0"), transcript.person("seat 1")
        self.spectator = transcript.person("spectator")
        self.match = self._opened()

    def _opened(self) -> str:
        first, second = self.players
        seats = [{"player": first.id}, {"player": None}]
        clocks = {name: {"base": 86400, "reserve": 3600} for name in catalogue[self.slug].clocks}
        opened = self.host.post("/matches", {"game": self.slug, "seats": seats, "clocks": clocks, "approval": True})
        assert opened.status == 201, opened.body
        match = str(opened.json["id"])
        second.post(f"/matches/{match}/join", {"invitation": opened.json["seats"][1]["invitation"]})
        for player, nonce in zip(self.players, ("heads", "tails"), strict=True):
            player.post(f"/matches/{match}/nonce", {"nonce": nonce})
        self.host.post(f"/matches/{match}/start", {"reason": "All are here."})
        house(match)
        return match

    @property
    def version(self) -> int:
        return repository.version_of(UUID(self.match))

    def read(self, reader: Guest, paths: tuple[str, ...]) -> None:
        """Read the paths that differ from game to game, the match again, and the lists that contain it."""
        for path in paths:
            reader.get(f"/matches/{self.match}{path}")
        newest = reader.get(f"/matches/{self.match}")
        reader.get(f"/matches/{self.match}", If_None_Match=newest.headers["ETag"])
        reader.get("/events", {"match": self.match, "limit": 2})
        reader.get("/history", {"text": "seat", "player": self.players[0].id})
        reader.get("/matches", {"player": self.players[0].id})


def play(slug: str) -> Transcript:
    """The transcript of a match of this game."""
    transcript = Transcript(slug)
    with steady_seeds(slug), transcript.recording(), loop() as runs:
        table, hall = Table(transcript, slug), Hall(transcript, runs)
        for label, who in zip(("seat 0", "seat 1"), table.players, strict=True):
            hall.socket(label, who, table.match)
        hall.socket("spectator", table.spectator, table.match, TALK)
        events = f"/matches/{table.match}/events"
        hall.stream("spectator's stream", table.spectator, events, SSE)
        hall.stream("host's lines", table.host, events, NDJSON)
        hall.note(table.version)
        _refuse(table, hall)
        for number in range(MOVES):
            _move(table, hall, number, Random(f"{slug} {number}"))
            if number == MOVES // 2:
                table.read(table.players[0], HALF_WAY)
        _end(table, hall)
    return transcript


def _move(table: Table, hall: Hall, number: int, rng: Random) -> None:
    """Over REST and over the socket in turn; a dry run before, and the legal commands."""
    view = table.players[0].get(f"/matches/{table.match}").json
    if view["outcome"] is not None:
        return
    seat = rng.choice(view["due"]["prompts"])["seat"]
    player, label = table.players[seat], f"seat {seat}"
    own_view = view if seat == 0 else player.get(f"/matches/{table.match}").json
    command = chosen(own_view, seat, rng)
    if number % 2:
        hall.lines[label].say(kind="command", id=f"move-{number}", command={"text": command})
        hall.answered(label)
    else:
        if number == 0:
            player.send(table.match, command, dry_run=True)
        player.send(table.match, command, key=f"move-{number}", If_Match=f'"v{view["version"]}"')
    hall.note(table.version)
    house(table.match)
    hall.note(table.version)


def _refuse(table: Table, hall: Hall) -> None:
    """Send requests that are refused, over REST and the socket."""
    first = table.players[0]
    commands: tuple[Any, ...] = ("sing", {"type": "no_such"}, {"type": 1})
    for command in commands:
        first.send(table.match, command, key="refused")
        table.spectator.send(table.match, command)
    first.send(table.match, {"type": "resign"}, If_Match='"v1"')
    first.get(f"/matches/{table.match}/view", {"as": "host"})
    for number, command in enumerate(commands):
        body = {"text": command} if isinstance(command, str) else command
        hall.lines["seat 0"].say(kind="command", id=f"refused-{number}", command=body)
        hall.answered("seat 0")
    hall.lines["spectator"].say(kind="command", id="watching", command={"type": "resign"})
    hall.answered("spectator")
    hall.lines["spectator"].say(kind="resync", after=1)
    hall.lines["spectator"].follow("events")
    hall.note(table.version)


def _end(table: Table, hall: Hall) -> None:
    """The second player gives up, and all is known."""
    match, spectator = table.match, table.spectator
    table.players[1].send(match, {"type": "resign"}, key="last")
    hall.note(table.version)
    for label in ("spectator's stream", "host's lines"):
        table.transcript.note(f"{label} begins", hall.lines[label].beginning)
    table.host.post(f"/matches/{match}/approve", {"reason": "Well played."})
    table.read(spectator, AT_THE_END)
    spectator.get(f"/players/{table.players[0].id}")
    spectator.get(f"/players/{table.players[0].id}/results")
    whole = hall.stream("spectator's second stream", spectator, f"/matches/{match}/events?after=1", SSE)
    whole.end()
    table.transcript.note("spectator reads the stream", events_of(table.transcript.masks, whole.lines))
    if table.slug == CONTEST:
        for media_type in ("text/csv", XLSX):
            spectator.get(f"/matches/{match}/view", Accept=media_type)
