"""The script of the demo season: its incidents are fixed, its winners are random."""

import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from matches.terminal.demo_people import Cast, Person
from matches.terminal.seats import Stuck, patient, play

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("pyramid_poker", {}),
    ("reality_benders", {"max_bouts": 3}),
    ("peeling_the_banana", {"turns": 8}),
    ("pentagram", {}),
    ("higher_or_lower", {}),
)
"""The games of the demo's death matches, with options that keep them short."""

MAIN_MATCHES = ("Secret Dice", "The Auction", "Blind Trade", "Chain of Lies", "Zombie Night", "Black and White")
"""The names of the main matches whose results are entered without a table."""

_SUBSTITUTION, _CLAIMS, _APPOINTMENT, _APPEAL, _REWIND, _WITHDRAWAL, _DISPUTE, _GIFT = 2, 3, 3, 3, 5, 4, 6, 7
"""The episodes of these incidents."""

Tell = Callable[[str], None]
_WAIT_SECONDS = 60.0
_TABLES, _MOST_AT_A_TABLE = 3, 5


class Script:
    """Plays a season; calls `tell` with a line for each incident, and `moved` after each move."""

    def __init__(self, cast: Cast, rng: Random, tell: Tell, moved: Callable[[], None]) -> None:
        self._cast = cast
        self._rng = rng
        self._tell = tell
        self._moved = moved

    def enrol(self, players: int) -> None:
        """Open the season, and enrol its players."""
        cast = self._cast
        body = {"title": "The demo season", "options": {"bans_each": 1}}
        season = patient(lambda: cast.organiser.client.post("/seasons", body))
        cast.season = season["season"]
        cast.act("/staff", {"account": cast.host.id, "role": "host"})
        people = [cast.enter() for _ in range(players)]
        cast.act("/players/list", {"text": "\n".join(it.name for it in people)})
        self._tell(f"{', '.join(it.name for it in people)} join.")

    def begin(self, number: int) -> tuple[str, Person, Person]:
        """Play an episode into its death match; return the match, the EC and the DMO."""
        if number == _WITHDRAWAL:
            self._withdrawal()
        if number == _CLAIMS:
            self._claims()
        if number == _GIFT:
            self._gift()
        self._cast.act("/episodes", {"title": f"Episode {number}"})
        if number == 1:
            self._tables()
        else:
            self._typed(number)
        match, candidate, opponent = self._death_match(number)
        self._some(match, [candidate, opponent], 2)
        return match, candidate, opponent

    def episode(self, number: int) -> None:
        """Play a whole episode, with the incidents of its number."""
        cast = self._cast
        match, candidate, opponent = self.begin(number)
        self._play(number, match, candidate, opponent)
        self._await_result(match)
        if number == _DISPUTE:
            self._dispute(match, candidate, opponent)
        cast.act(f"/matches/{match}/approve")
        document = cast.read("/episodes")["results"][-1]
        self._tell(f"Episode {number}: {cast.people[document['eliminated']].name} is out.")

    def final(self) -> Person:
        """Play the final; return the champion."""
        cast = self._cast
        cast.act("/final")
        while not (document := cast.read("/final"))["champion"]:
            game, options = self._game(document["games"])
            match = self._set("/final/matches", game, options)
            self._start(match)
            players = [cast.people[it] for it in document["players"]]
            self._to_the_end(match, players)
            self._await_result(match)
            cast.act(f"/matches/{match}/approve")
        return cast.people[document["champion"]]

    def _tables(self) -> None:
        """Play the main match at three or more tables of Pentagram at the same time, seated by the season's chance."""
        cast, tables = self._cast, []
        count = max(_TABLES, -(-len(cast.living()) // _MOST_AT_A_TABLE))
        options = {"end": "target", "target": 20}
        body = {"game": "pentagram", "options": options, "clocks": None, "tables": [[]] * count, "draw": True}
        for table in cast.act("/main-matches/seatings", body, by=cast.host):
            if table["type"] == "main_match_scheduled":
                self._start(table["match"])
                players = [cast.people[it] for it in table["players"]]
                tables.append((table["match"], players, Random(self._rng.random())))  # noqa: S311  bots' moves
        with ThreadPoolExecutor(_TABLES) as pool:
            list(pool.map(lambda it: play(it[0], [one.client for one in it[1]], it[2], moved=self._moved), tables))
        for match, _, _ in tables:
            self._await_result(match)
        self._record({"name": f"Pentagram, {count} tables"})

    def _typed(self, number: int) -> None:
        """Enter the result of a main match that was played elsewhere."""
        people = self._cast.living()
        winner, *losers = self._rng.sample(people, min(len(people), 3))
        self._record(
            {
                "name": MAIN_MATCHES[number % len(MAIN_MATCHES)],
                "winners": [winner.id],
                "candidates": [it.id for it in losers],
                "rewards": {winner.id: 1},
            }
        )

    def _record(self, body: dict[str, Any]) -> None:
        """Record the main match, give the second token of life, and name the EC."""
        cast = self._cast
        cast.act("/main-matches", body)
        document = cast.read("/episodes")["results"][-1]
        if document["giving"]:
            free = [
                it for it in cast.living() if it.id not in document["tokens"] and it.id not in document["candidates"]
            ]
            chosen = self._rng.choice(free or [it for it in cast.living() if it.id not in document["tokens"]])
            cast.act("/tokens", {"player": chosen.id}, by=cast.people[document["giving"]])
            document = cast.read("/episodes")["results"][-1]
        if not document["candidate"]:
            named = self._rng.choice(document["eligible"])
            cast.act("/candidates", {"player": named}, by=cast.people[document["winners"][0]])

    def _death_match(self, number: int) -> tuple[str, Person, Person]:
        """Choose the DMO, strike games, and start the death match; return it with the EC and the DMO."""
        cast = self._cast
        document = cast.read("/episodes")["results"][-1]
        candidate = cast.people[document["candidate"]]
        cast.act("/opponents", {"player": self._rng.choice(document["eligible"])}, by=candidate)
        opponent = cast.people[cast.read("/episodes")["results"][-1]["opponent"]]
        wanted, options = GAMES[number % len(GAMES)]
        for person in (candidate, opponent):
            left = cast.read("/episodes")["results"][-1]["games"]
            cast.act("/bans", {"game": self._rng.choice([it for it in left if it != wanted])}, by=person)
        match = self._set("/death-matches", wanted, options)
        if number == _APPOINTMENT:
            self._appointment(match, candidate, opponent)
        self._start(match)
        self._tell(f"Episode {number}: {candidate.name} meets {opponent.name} in {wanted.replace('_', ' ')}.")
        return match, candidate, opponent

    def _play(self, number: int, match: str, candidate: Person, opponent: Person) -> None:
        """Play the death match, with the incidents of the episode."""
        if number == _SUBSTITUTION:
            self._some(match, [candidate, opponent], 4)
            opponent = self._substitution(opponent)
        if number == _CLAIMS:
            self._answer()
        if number == _APPEAL:
            self._some(match, [candidate, opponent], 4)
            self._appeal(match, opponent)
        if number == _REWIND:
            self._rewind(match, [candidate, opponent])
        self._to_the_end(match, [candidate, opponent])

    def _substitution(self, leaver: Person) -> Person:
        cast, newcomer = self._cast, self._cast.enter()
        cast.act(f"/players/{leaver.id}/substitute", {"newcomer": newcomer.id, "reason": "A sudden journey."})
        self._tell(f"{newcomer.name} takes {leaver.name}'s place in the middle of the death match.")
        return newcomer

    def _claims(self) -> None:
        """Correct the last main match after its winner's claim; the eliminated player makes a claim that stays open."""
        cast, document = self._cast, self._cast.read("/episodes")["results"][-1]
        winner, loser = cast.people[document["winners"][0]], cast.people[document["eliminated"]]
        paid = {"kind": "broken_rule", "text": f"{document['name']} pays two garnets, and I got one."}
        number = cast.act("/claims", paid, by=winner)[0]["number"]
        upheld = {"decision": "upheld", "reason": "So its rules say."}
        cast.act(f"/claims/{number}/answer", upheld, by=cast.host)
        right = {"rewards": {winner.id: 2}, "reason": f"Claim {number}: the rules of {document['name']}."}
        cast.act(f"/episodes/{document['number']}/main-match/correct", right)
        cast.act("/claims", {"kind": "conduct", "text": "Somebody whistled all the time."}, by=loser)
        self._tell(f"{winner.name} was paid too little, which is corrected; {loser.name} complains of a whistler.")

    def _answer(self) -> None:
        """Reject every open claim."""
        for claim in self._cast.read("/claims")["results"]:
            if claim["status"] == "open":
                answer = {"decision": "rejected", "reason": "Nobody else has heard it."}
                self._cast.act(f"/claims/{claim['number']}/answer", answer, by=self._cast.host)

    def _appointment(self, match: str, candidate: Person, opponent: Person) -> None:
        """Let the EC propose two times, and the DMO accept the second. The match is started before it."""
        evening = datetime.now(UTC).replace(hour=18, minute=0, second=0, microsecond=0)
        times = [(evening + timedelta(days=days)).isoformat() for days in (1, 2)]
        self._cast.act(f"/matches/{match}/times", {"times": times}, by=candidate)
        self._cast.act(f"/matches/{match}/times/accept", {"opens_at": times[1]}, by=opponent)
        self._tell(f"{candidate.name} and {opponent.name} make an appointment.")

    def _appeal(self, match: str, player: Person) -> None:
        appeal = player.client.post(f"/matches/{match}/appeals", {"kind": "clock", "text": "My connection was away."})
        answer = {"decision": "rejected", "reason": "No clock runs in this match."}
        self._cast.host.client.post(f"/matches/{match}/appeals/{appeal['number']}/answer", answer)
        self._tell(f"{player.name} appeals; the host answers: {answer['reason']}")

    def _rewind(self, match: str, players: list[Person]) -> None:
        """Play on, then rewind the match by two commands."""
        version = self._some(match, players, 4)["version"]
        self._some(match, players, 2)
        body = {"to_version": version, "reason": "A slip of the finger, both agree."}
        self._cast.host.client.post(f"/matches/{match}/rewind", body)
        self._cast.act("/rulings", {"text": "A slip that both agree on is taken back.", "match": match},
                       by=self._cast.host)  # fmt: skip
        self._tell(f"The host takes the match back to version {version}.")

    def _withdrawal(self) -> None:
        leaver = self._rng.choice(self._cast.living())
        self._cast.act(f"/players/{leaver.id}/withdraw", {"reason": "Work calls."}, by=leaver)
        self._tell(f"{leaver.name} withdraws.")

    def _dispute(self, match: str, candidate: Person, opponent: Person) -> None:
        """Correct the result to the wrong winner, and back."""
        document = next(it for it in self._cast.read("/death-matches")["results"] if it["id"] == match)
        loser, winner = document["loser"], document["winner"]
        self._cast.act(f"/matches/{match}/correct", {"winner": loser, "reason": "A protest: the count was wrong."})
        self._cast.act(f"/matches/{match}/correct", {"winner": winner, "reason": "Counted again: it was right."})
        names = {person.id: person.name for person in (candidate, opponent)}
        self._tell(f"{names[loser]} disputes the result; {names[winner]} has won after all.")

    def _gift(self) -> None:
        """Give a garnet between two episodes, as players in a death match may give none."""
        giver, *_, receiver = self._cast.living()
        body = {"from": giver.id, "to": receiver.id, "amount": 1, "reason": "A promise from last week."}
        self._cast.act("/garnets", body, by=giver)
        self._tell(f"{giver.name} gives {receiver.name} a garnet.")

    def _set(self, path: str, game: str, options: dict[str, Any]) -> str:
        body = {"game": game, "options": options, "clocks": None}
        match: str = self._cast.act(path, body, by=self._cast.host)[0]["match"]
        return match

    def _start(self, match: str) -> None:
        host = self._cast.host.client
        patient(lambda: host.post(f"/matches/{match}/start", {"reason": "Everybody is here."}))

    def _some(self, match: str, players: list[Person], acts: int) -> Mapping[str, Any]:
        return play(match, [it.client for it in players], self._rng, acts=acts, moved=self._moved)

    def _to_the_end(self, match: str, players: list[Person]) -> None:
        play(match, [it.client for it in players], self._rng, moved=self._moved)

    def _await_result(self, match: str) -> None:
        """Wait until the season has the match's result; raise Stuck after a minute."""
        deadline = time.monotonic() + _WAIT_SECONDS
        while any(it["id"] == match and it["status"] == "scheduled" for it in self._cast.read("/schedule")["results"]):
            if time.monotonic() > deadline:
                raise Stuck("The season has waited a minute for a result. Is a worker running?")
            time.sleep(0.1)

    def _game(self, left: list[str]) -> tuple[str, dict[str, Any]]:
        return self._rng.choice([it for it in GAMES if it[0] in left])
