"""Tables at which people go on playing while parts of the service are killed, and what has to be true in the end."""

import json
from collections.abc import Sequence
from datetime import datetime
from random import Random
from threading import Event, Thread

from tests.journeys.followers import TRANSPORTS, Follower
from tests.journeys.guests import Guest, prompted
from tests.journeys.proxies import Front
from tests.journeys.stubborn import BOUND, Stubborn, record_of
from tests.waiting import wait_until

TURN_SECONDS = 3
CLOCKS = {"turn": {"base": TURN_SECONDS, "reserve": 0}}
"""Of a match at which nobody moves, so that a flag falls with each turn."""


class Table(Thread):
    """Two people who play one match after the other, a request this way, the next that way; each match is followed by
    all transports."""

    def __init__(
        self, players: list[Guest], front: Front, enough: Event, seed: int, clients: Sequence[Stubborn] = ()
    ) -> None:
        super().__init__(daemon=True)
        self.players, self.front, self.enough, self.rng = players, front, enough, Random(seed)
        self.clients = clients or [Stubborn(player) for player in players]
        self.followers: list[Follower] = []
        self.matches: list[str] = []
        self.fault: BaseException | None = None

    @property
    def moves(self) -> int:
        """Return the number of acknowledged moves."""
        return sum(len(client.acknowledged) for client in self.clients)

    @property
    def failures(self) -> list[str]:
        """Return the failures of all players' requests."""
        return [failure for client in self.clients for failure in client.failures]

    def run(self) -> None:
        try:
            while not self.enough.is_set():
                self._play(self._open())
        except BaseException as fault:  # the test raises it again
            self.fault = fault

    def finish(self) -> None:
        """Let the followers come to the end; raises what went wrong."""
        if self.fault:
            raise self.fault
        records = {match: record_of(match, self.players[0]) for match in self.matches}
        for follower in self.followers:
            record = records[follower.match]
            wait_until(lambda follower=follower, record=record: len(follower.told) >= len(record), BOUND)
            follower.ask_to_stop()
        for follower in self.followers:
            follower.stop()
            assert follower.told == [event["hash"] for event in records[follower.match]], follower.name

    def _open(self) -> str:
        first, seats = self.clients[0], [{"player": player.id} for player in self.players]
        opening, starting = f"open {self.ident} {len(self.matches)}", f"start {self.ident} {len(self.matches)}"
        body = {"game": "pentagram", "seats": seats, "clocks": None}
        match = first.insist(lambda: first.guest.post("/matches", body, opening)).json()["id"]
        response = first.insist(lambda: first.guest.post(f"/matches/{match}/start", {"reason": "A journey."}, starting))
        assert response.status_code == 200, response.text
        self.matches.append(match)
        for transport in TRANSPORTS:
            self.followers.append(Follower(transport, self.front, self.players[0].token, match))
            self.followers[-1].start()
        return str(match)

    def _play(self, match: str) -> None:
        while not self.enough.is_set():
            document = self.clients[0].read(match)
            if document["outcome"]:
                return
            for seat, client in enumerate(self.clients):
                if prompted(document, seat):
                    client.send(match, seat, client.choose(match, seat, self.rng))
                    break
            # People think.
            self.enough.wait(0.1)


def move(players: list[Guest], match: str, rng: Random) -> int:
    """One move of whoever is asked; gives the version that it led to."""
    document = wait_until(lambda: (it := players[0].read(match)) and it["due"]["prompts"] and it)
    seat = document["due"]["prompts"][0]["seat"]
    return int(players[seat].send(match, players[seat].choose(players[seat].read(match), seat, rng))["version"])


def played(tables: Sequence[Table], moves: int) -> None:
    """Wait until so many more moves were acknowledged at each table."""
    goals = [table.moves + moves for table in tables]
    wait_until(
        lambda: (
            any(table.fault for table in tables)
            or all(table.moves >= goal for table, goal in zip(tables, goals, strict=True))
        ),
        2 * BOUND,
    )


def assert_each_is_kept_once(table: Table) -> int:
    """Every acknowledged move stands in its record once, and a retry gives its answer again; gives how many."""
    records = {match: record_of(match, table.players[0]) for match in table.matches}
    hashes = {match: {event["version"]: event["hash"] for event in record} for match, record in records.items()}
    for client in table.clients:
        for it in client.acknowledged:
            answer = json.loads(it.body)
            assert all(hashes[it.match][event["version"]] == event["hash"] for event in answer["events"])
            again = client.guest.post(f"/matches/{it.match}/commands", it.command, it.key)
            assert (again.status_code, again.content) == (201, it.body)
    placed = [event for record in records.values() for event in record if event["type"] == "card_placed"]
    assert len(placed) == table.moves
    return table.moves


def lateness(host: Guest, match: str) -> list[float]:
    """By how many seconds each flag fell after its instant; the replay of the record says that each fell once."""
    record = record_of(match, host)
    instants = [datetime.fromisoformat(event["at"]) for event in record]
    return [
        (instants[place] - instants[place - 1]).total_seconds() - TURN_SECONDS
        for place, event in enumerate(record) if event["type"] == "flag_fallen"
    ]  # fmt: skip
