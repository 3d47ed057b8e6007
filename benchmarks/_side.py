"""One side of a comparison: a checkout's servers, matches and web processes, told by JSON lines what to do.

It runs as a process of its own, on the packages of the checkout that is measured, and so imports nothing that an older
one may lack. `python -P benchmarks/_side.py` reads a request a line, such as {"do": "matches", "count": 50}, and
answers each with a line; at the end of its input it stops all that it has started.
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
    """Serve requests until there are none."""
    answers = os.fdopen(os.dup(1), "w")
    # Whatever else prints does it into the log.
    os.dup2(2, 1)
    from benchmarks import stage

    with stage.service() as owner_url, tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder), owner_url)
        try:
            for line in sys.stdin:
                asked = json.loads(line)
                answer = getattr(house, asked.pop("do"))(**asked)
                answers.write(json.dumps(answer) + "\n")
                answers.flush()
        finally:
            house.stop()


class House:
    """The processes of one checkout, and matches with the moves that will be made in them."""

    def __init__(self, logs: Path, owner_url: str) -> None:
        self._logs, self._owner_url = logs, owner_url
        self._programs: dict[str, Any] = {}
        self._spectator = ""
        self._served = 0

    def serve(self, webs: int, worker: bool, apart: bool, env: dict[str, str]) -> dict[str, Any]:
        """Start web processes, each at a port of its own, and a worker with a beat if wanted."""
        from config.runner import embedded, parts

        self.stop()
        self._served += 1
        logs = self._logs / str(self._served)
        given = dict(os.environ) | {"CROUPIER_CONCURRENCY": "20000"} | env
        ports = [embedded.free_port() for _ in range(webs)]
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
        """End the first web process at once and launch it anew, as the supervisor does."""
        program = self._programs["web-1"]
        program.child.send_signal(signal.SIGKILL)
        program.child.wait(10)
        program.launch()
        return {"pids": self._pids()}

    def stop(self) -> bool:
        """Stop what `serve` has started."""
        for program in self._programs.values():
            program.ask_to_stop()
        for program in self._programs.values():
            program.stop()
        self._programs = {}
        return True

    def spectator(self) -> str:
        """The token of somebody who sits nowhere."""
        if not self._spectator:
            self._spectator = _new_player()[1]
        return self._spectator

    def database(self, name: str) -> str:
        """A database of that name beside the house's own, on the same Postgres."""
        import psycopg

        with psycopg.connect(self._owner_url, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{self._owner_url.rpartition('/')[0]}/{name}"

    def matches(self, count: int, game: str, moves: int, events: int, seconds: int = 0) -> list[dict[str, Any]]:
        """Running matches, their players' tokens, and up to so many moves of each with the versions around them.

        One that is to have more `events` has been paused and resumed by its host until it had them.
        """
        made = [new_match(game, moves, seed, events, seconds) for seed in range(count)]
        if seconds:
            from matches import services

            # Their clocks have stood still until all of them are there.
            for match in made:
                services.resume(match_id=UUID(match["id"]), by=UUID(match["host"]), reason=_HOST_REASON)
        return made

    def flags(self, matches: list[str]) -> int:
        """How many acts of the clock there are in these matches, that is, how many flags have fallen."""
        from events import store
        from events.pipeline import array, roundtrip

        asked = """SELECT count(DISTINCT (stream, at)) FROM events_event
            WHERE stream = ANY($1) AND actor = 'clock' AND type <> 'time_credited'"""
        ((row,),) = roundtrip(store.raw_connection(), [(asked, (array(matches),))])
        return int(row[0])

    def fill(self, events: int) -> int:
        """Have about so many events stored, of other matches; gives how many there are then."""
        fill(events)
        return how_many()

    def _pids(self) -> dict[str, int]:
        found = {name: program.child.pid for name, program in self._programs.items()}
        for entry in Path("/proc").glob("[0-9]*"):
            name, parent = _named(entry)
            if parent == os.getpid() and name in ("postgres", "valkey-server"):
                found[name] = int(entry.name)
        return found


def new_match(slug: str, moves: int, seed: int, events: int = 0, seconds: int = 0) -> dict[str, Any]:
    """One running match, and what will be played in it; one with `seconds` a turn is paused, to be resumed."""
    from games import catalogue
    from matches import services
    from matches.domain.clocks import ClockTimes
    from matches.storage import repository

    game = catalogue[slug]
    clocks = {name: ClockTimes(seconds) for name in game.clocks} if seconds else None
    players = [_new_player() for _ in range(game.seats.min)]
    host, _ = _new_player()
    opened = services.open_match(
        opener=host,
        game=slug,
        options={},
        seats=[services.SeatRequest(id) for id, _ in players],
        clocks=clocks,
    )
    services.start(match_id=opened.match_id, by=host, reason=_HOST_REASON)
    before = repository.load(opened.match_id)
    played = script(opened.match_id, game, moves, seed)
    services.attend(match_id=opened.match_id)
    stands = repository.load(opened.match_id).version
    grown = 0
    if seconds:
        services.pause(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        grown = 2
    while stands + grown + 2 <= events:
        services.pause(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        services.resume(match_id=opened.match_id, by=host, reason=_HOST_REASON)
        grown += 2
    first = before.version + grown
    return {
        "id": str(opened.match_id),
        "host": str(host),
        "tokens": [token for _, token in players],
        "version": stands + grown,
        "moves": [[seat, command, first + since, first + to] for seat, command, since, to in played],
    }


def script(match_id: Any, game: Any, moves: int, seed: int) -> list[tuple[int, Any, int, int]]:
    """What the game's bot will do at each seat: the match's own chance tells what will come of it.

    The move that ends the match is left out.
    """
    from games.kernel import Table, to_json
    from matches.storage import repository, seeds

    chance = seeds.chance_of(match_id, repository.load(match_id).lifecycle, 0)
    table = Table(game, options={}, seats=game.seats.min, chance=chance)
    rng = Random(seed)
    made: list[tuple[int, Any, int, int]] = []
    table.settle()
    while len(made) < moves and table.outcome is None:
        seat, since = table.due.prompts[0].seat, table.version
        command = game.bot(table.witness(seat), seat, rng)
        table.act(seat, command)
        made.append((seat, to_json(command), since, table.version))
        table.settle()
    return made if table.outcome is None else made[:-1]


def how_many() -> int:
    """The events that are stored."""
    from events import store
    from events.pipeline import roundtrip

    ((row,),) = roundtrip(store.raw_connection(), [("SELECT coalesce(sum(version), 0)::bigint FROM events_head", ())])
    return int(row[0])


def fill(events: int) -> None:
    """Have about so many events stored: copies of one real match's log, each under an id of its own, chained anew."""
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
    """A process's name and its parent."""
    try:
        name, _, rest = (entry / "stat").read_text().rpartition(")")
    except OSError:
        return "", 0
    return name.partition("(")[2], int(rest.split()[1])


if __name__ == "__main__":
    main()
