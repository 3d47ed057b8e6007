"""One side of a comparison: a checkout's servers, matches and web processes, controlled by JSON lines.

It runs as a process of its own with the packages of the measured checkout, and so imports nothing that an older one may
lack. `python -P benchmarks/_side.py` reads one request per line, such as {"do": "matches", "count": 50}, and responds
with a line; at the end of its input it stops all processes that it started.
"""

import json
import os
import signal
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

_HOST_REASON = "A measurement."


def main() -> None:
    """Serve requests until the input ends."""
    answers = os.fdopen(os.dup(1), "w")
    # Redirect all other output to the log.
    os.dup2(2, 1)
    from benchmarks import stage

    with stage.service() as owner_url, tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), owner_url)
        try:
            for line in sys.stdin:
                request = json.loads(line)
                answer = getattr(house, request.pop("do"))(**request)
                answers.write(json.dumps(answer) + "\n")
                answers.flush()
        finally:
            house.stop()


class House:
    """The processes of one checkout, and matches with prepared moves."""

    def __init__(self, logs: Path, owner_url: str) -> None:
        self._logs, self._owner_url = logs, owner_url
        self._programs: dict[str, Any] = {}
        self._spectator = ""
        self._served = 0

    def serve(self, webs: int, worker: bool, apart: bool, env: dict[str, str]) -> dict[str, Any]:
        """Start web processes, each at a port of its own, and on request a worker with a beat."""
        from config.runner import parts
        from config.runner.embedded.server import free_port

        self.stop()
        self._served += 1
        logs = self._logs / str(self._served)
        given = dict(os.environ) | {"CROUPIER_CONCURRENCY": "20000"} | env
        ports = [free_port() for _ in range(webs)]
        for number, port in enumerate(ports, start=1):
            program = parts.web(port, given, logs / f"web-{number}")
            if apart:
                program.arguments[0] = "benchmarks._apart"
            self._programs[f"web-{number}"] = program
        if worker:
            (logs / "run").mkdir(parents=True)
            self._programs |= {"worker": parts.worker(given, logs), "beat": parts.beat(logs, given, logs)}
        for program in self._programs.values():
            program.launch()
        for program in self._programs.values():
            program.await_ready()
        return {"ports": ports, "pids": self._pids()}

    def kill(self) -> dict[str, Any]:
        """Kill the first web process and launch it again, as the supervisor does."""
        program = self._programs["web-1"]
        program.child.send_signal(signal.SIGKILL)
        program.child.wait(10)
        program.launch()
        return {"pids": self._pids()}

    def stop(self) -> bool:
        """Stop the processes that `serve` started."""
        for program in self._programs.values():
            program.request_stop()
        for program in self._programs.values():
            program.stop()
        self._programs = {}
        return True

    def spectator(self) -> str:
        """Return the token of an account without a seat."""
        if not self._spectator:
            self._spectator = _new_player()[1]
        return self._spectator

    def database(self, name: str) -> str:
        """Create a database of that name on the same Postgres; return its address."""
        import psycopg

        with psycopg.connect(self._owner_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{self._owner_url.rpartition('/')[0]}/{name}"

    def matches(
        self,
        count: int,
        game: str,
        moves: int,
        events: int,
        seconds: int = 0,
        seats: int = 0,
        options: dict[str, Any] | None = None,
    ) -> list[dict[str, Any]]:
        """Return running matches, their players' tokens, and up to so many moves of each with the versions around them.

        If a match should have more `events`, its host pauses and resumes it until it has them. Without `seats` it has
        as few as the game allows.
        """
        new_matches = [new_match(game, moves, seed, events, seconds, seats, options) for seed in range(count)]
        if seconds:
            from matches.services import hosting

            # Clocks start only when all matches are there.
            for match in new_matches:
                hosting.resume(match_id=UUID(match["id"]), by=UUID(match["host"]), reason=_HOST_REASON)
        return new_matches

    def flags(self, matches: list[str]) -> int:
        """Return the number of acts of the clock in these matches, which is the number of fallen flags."""
        from events import store
        from events.pipeline import array, roundtrip

        query = """SELECT count(DISTINCT (stream, at)) FROM events_event
            WHERE stream = ANY($1) AND actor = 'clock' AND type <> 'time_credited'"""
        ((row,),) = roundtrip(store.raw_connection(), [(query, (array(matches),))])
        return int(row[0])

    def fill(self, events: int) -> int:
        """Store about so many events of other matches; return how many there are then."""
        fill(events)
        return how_many()

    def _pids(self) -> dict[str, int]:
        pids = {name: program.child.pid for name, program in self._programs.items()}
        for entry in Path("/proc").glob("[0-9]*"):
            name, parent = _named(entry)
            if parent == os.getpid() and name in ("postgres", "valkey-server"):
                pids[name] = int(entry.name)
        return pids


def new_match(
    slug: str,
    moves: int,
    seed: int,
    events: int = 0,
    seconds: int = 0,
    seats: int = 0,
    options: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a running match and its prepared moves; with `seconds` per turn it is paused, to be resumed later."""
    from games import catalogue
    from matches.domain.clocks import ClockTimes
    from matches.services import hosting, opening, playing
    from matches.storage import repository

    game = catalogue[slug]
    clocks = {name: ClockTimes(seconds) for name in game.clocks} if seconds else None
    players = [_new_player() for _ in range(seats or game.seats.min)]
    host, _ = _new_player()
    opened = opening.open_match(
        opener=host,
        game=slug,
        options=options or {},
        seats=[opening.SeatRequest(id) for id, _ in players],
        clocks=clocks,
    )
    opening.start(match_id=opened.match_id, by=host, reason=_HOST_REASON)
    before = repository.load(opened.match_id)
    played = script(opened.match_id, game, moves, seed, len(players), options)
    playing.attend(match_id=opened.match_id)
    version = repository.load(opened.match_id).version
    grown = 0
    if seconds:
        hosting.pause(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        grown = 2
    while version + grown + 2 <= events:
        hosting.pause(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        hosting.resume(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        grown += 2
    first = before.version + grown
    return {
        "id": str(opened.match_id),
        "host": str(host),
        "tokens": [token for _, token in players],
        "version": version + grown,
        "moves": [[seat, command, first + since, first + to] for seat, command, since, to in played],
    }


def script(
    match_id: Any, game: Any, moves: int, seed: int, seats: int = 0, options: dict[str, Any] | None = None
) -> list[tuple[int, Any, int, int]]:
    """Return the commands of the game's bot for each seat, played with the match's own random draws.

    The move that ends the match is omitted.
    """
    from games.kernel import Table, to_json
    from matches.storage import repository, seeds

    chance = seeds.chance_of(match_id, repository.load(match_id).lifecycle, 0)
    table = Table(game, options=options or {}, seats=seats or game.seats.min, chance=chance)
    rng = Random(seed)
    moves_made: list[tuple[int, Any, int, int]] = []
    table.settle()
    while len(moves_made) < moves and table.outcome is None:
        seat, since = table.due.seats[0], table.version
        command = game.bot(table.witness(seat), seat, rng)
        table.act(seat, command)
        moves_made.append((seat, to_json(command), since, table.version))
        table.settle()
    return moves_made if table.outcome is None else moves_made[:-1]


def how_many() -> int:
    """Return the number of stored events."""
    from events import store
    from events.pipeline import roundtrip

    ((row,),) = roundtrip(store.raw_connection(), [("SELECT coalesce(sum(version), 0)::bigint FROM events_head", ())])
    return int(row[0])


def fill(events: int) -> None:
    """Store about so many events: copies of one real match's log, each with an id of its own and chained again."""
    from uuid import uuid4

    from rich.progress import track

    from benchmarks.audit import finished_match
    from events import store
    from events.records import NewEvent
    from events.store import StreamTransaction

    rows = store.read(finished_match("pyramid_poker"))
    batch = [NewEvent(row.type, row.public, row.secret, row.audience, row.schema) for row in rows]
    for _ in track(range(max(0, events - how_many()) // len(batch)), "filling the log"):
        with StreamTransaction(uuid4(), actor="bench") as transaction:
            transaction.append(batch, expected=0)


def _new_player() -> tuple[Any, str]:
    from benchmarks import _tables

    return _tables.new_player()


def _named(entry: Path) -> tuple[str, int]:
    """Return the name of a process and its parent."""
    try:
        name, _, rest = (entry / "stat").read_text().rpartition(")")
    except OSError:
        return "", 0
    return name.partition("(")[2], int(rest.split()[1])


if __name__ == "__main__":
    main()
