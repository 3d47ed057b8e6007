"""bench races: many clients at one match at once, over HTTP, on throw-away servers and live web processes.

python -m benchmarks races                 32 clients send a move at the version they saw, 500 rounds: one may win each
python -m benchmarks races --no-if-match   the same without If-Match: the losers meet 409 where 412 stood
python -m benchmarks races --keys          one command with one key, sent by 20 clients at once, 200 times: one event
"""

import argparse
import http.client
import json
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import quantiles
from threading import Barrier, Thread
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks import stage
from benchmarks.report import Row, print_results
from matches.audit import croupier_verify

GAME = "pyramid_poker"
"""Its draws are made with the moves, so that no worker need deal between rounds."""
CLIENTS, ROUNDS = 32, 500
SENDERS, REPEATS = 20, 200


class Answer(NamedTuple):
    """A response and the seconds that it took."""

    status: int
    headers: dict[str, str]
    body: bytes
    seconds: float


class Caller:
    """One connection to one web process."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send one request below /api/v1."""
        all_headers = {"Host": "localhost", "Content-Type": "application/json"}
        all_headers |= {name.replace("_", "-"): value for name, value in headers.items()}
        begun = perf_counter()
        self._connection.request(method, f"/api/v1{path}", None if body is None else json.dumps(body), all_headers)
        response = self._connection.getresponse()
        content = response.read()
        response_headers = {name.lower(): value for name, value in response.getheaders()}
        return Answer(response.status, response_headers, content, perf_counter() - begun)

    def document(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Return the document of a response that must be successful."""
        answer = self.ask(method, path, body, **headers)
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status} {answer.body[:300]!r}")
        return json.loads(answer.body)


class Crowd:
    """Callers in threads of their own that are released together again and again."""

    def __init__(self, ports: list[int], size: int) -> None:
        self._size = size
        self._gate, self._done = Barrier(size + 1), Barrier(size + 1)
        self._act: Callable[[Caller, int], Answer] | None = None
        self._answers: list[Answer | Exception] = []
        for number in range(size):
            Thread(target=self._live, args=(Caller(ports[number % len(ports)]), number), daemon=True).start()

    def all_at_once(self, act: Callable[[Caller, int], Answer]) -> list[Answer]:
        """Return every caller's response; raise the error of one of them."""
        self._act, self._answers = act, [RuntimeError()] * self._size
        self._gate.wait()
        self._done.wait()
        errors = [answer for answer in self._answers if isinstance(answer, Exception)]
        if errors:
            raise errors[0]
        return [answer for answer in self._answers if isinstance(answer, Answer)]

    def _live(self, caller: Caller, number: int) -> None:
        while True:
            self._gate.wait()
            try:
                assert self._act
                self._answers[number] = self._act(caller, number)
            except Exception as error:  # told by all_at_once
                self._answers[number] = error
            self._done.wait()


@dataclass
class Play:
    """Matches of two accounts, one after the other; clients race for each turn."""

    host: Caller
    tokens: list[str]
    players: list[str]
    rng: Random = field(default_factory=lambda: Random(1))
    match: str = ""
    versions: int = 0
    gaps: int = 0
    matches: int = 0

    def turn(self) -> tuple[str, int, dict[str, Any]]:
        """Return the token of the seat that must act, the version, and a legal command."""
        document = self._read() if self.match else None
        if document is None or document["status"] != "running":
            self.finish()
            self._open()
            document = self._read()
        seat = document["due"]["prompts"][0]["seat"]
        legal = self.host.document("GET", f"/matches/{self.match}/legal", Authorization=self.tokens[seat])
        return self.tokens[seat], document["version"], self.rng.choice(legal["legal"])

    def finish(self) -> None:
        """Check the record with the verifier; a gap or a double would break it."""
        if not self.match:
            return
        export = self.host.ask("GET", f"/matches/{self.match}/export", Authorization=self.tokens[0])
        try:
            summary = croupier_verify.verify(export.body.decode().splitlines())
        except croupier_verify.Bad as bad:
            self.gaps += 1
            print(f"{self.match}: {bad}")
        else:
            self.versions += summary["events"]
        self.matches += 1
        self.match = ""

    def _read(self) -> Any:
        return self.host.document("GET", f"/matches/{self.match}", Authorization=self.tokens[0])

    def _open(self) -> None:
        seats = [{"player": player} for player in self.players]
        body = {"game": GAME, "seats": seats, "clocks": None}
        self.match = self.host.document("POST", "/matches", body, Authorization=self.tokens[0])["id"]
        start = f"/matches/{self.match}/start"
        self.host.document("POST", start, {"reason": "A race."}, Authorization=self.tokens[0])


def main(argv: list[str]) -> int:
    """Race and print the results; return 1 if a promise is broken."""
    parser = argparse.ArgumentParser(prog="bench races", description=__doc__)
    parser.add_argument("--keys", action="store_true", help="race for one key instead of one version")
    parser.add_argument("--no-if-match", action="store_true", help="don't tell the version that was seen")
    parser.add_argument("--clients", type=int, help=f"{CLIENTS}, or {SENDERS} with --keys")
    parser.add_argument("--rounds", type=int, help=f"{ROUNDS}, or {REPEATS} with --keys")
    parser.add_argument("--web", type=int, default=2, help="web processes")
    arguments = parser.parse_args(argv)
    clients = arguments.clients or (SENDERS if arguments.keys else CLIENTS)
    rounds = arguments.rounds or (REPEATS if arguments.keys else ROUNDS)
    with stage.service(), _web(arguments.web) as ports:
        play, crowd = _play(ports[0]), Crowd(ports, clients)
        begun = perf_counter()
        if arguments.keys:
            broken, rows, notes = _race_for_keys(play, crowd, rounds)
        else:
            broken, rows, notes = _race_for_versions(play, crowd, rounds, conditional=not arguments.no_if_match)
        took = perf_counter() - begun
        notes.append(f"{rounds} rounds of {clients} clients over {arguments.web} web processes: {took:.0f} s")
    print_results("races-keys" if arguments.keys else "races", rows, notes)
    return int(broken)


def _race_for_versions(play: Play, crowd: Crowd, rounds: int, conditional: bool) -> tuple[bool, list[Row], list[str]]:
    """Send the same move from everybody at the same version, each with a key of their own."""
    statuses: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    seconds: list[float] = []
    for number in range(rounds):
        token, version, command = play.turn()
        headers = {"If_Match": f'"v{version}"'} if conditional else {}
        answers = crowd.all_at_once(_sending(play, command, f"{number}-{{}}", token, **headers))
        statuses.update(answer.status for answer in answers)
        wins[sum(answer.status == 201 for answer in answers)] += 1
        seconds += [answer.seconds for answer in answers]
    play.finish()
    failures = sum(count for status, count in statuses.items() if status >= 500)
    refused = 412 if conditional else 409
    broken = set(wins) != {1} or failures > 0 or play.gaps > 0 or set(statuses) - {201, refused} != set()
    return (
        broken,
        _latencies(seconds),
        [
            f"rounds with exactly one winner: {wins[1]} of {rounds}",
            f"answers: {_counts(statuses)}; 5xx: {failures}",
            f"records with a gap, a double or a broken chain: {play.gaps} of {play.matches} ({play.versions} events)",
        ],
    )


def _race_for_keys(play: Play, crowd: Crowd, rounds: int) -> tuple[bool, list[Row], list[str]]:
    """Send the same command from everybody with one key; then another command with it."""
    statuses: Counter[int] = Counter()
    doubles = differing = unmarked = reused = 0
    seconds: list[float] = []
    for number in range(rounds):
        token, version, command = play.turn()
        answers = crowd.all_at_once(_sending(play, command, f"key-{number}", token))
        statuses.update(answer.status for answer in answers)
        differing += len({(answer.status, answer.body) for answer in answers}) > 1
        unmarked += sum("idempotent-replayed" not in answer.headers for answer in answers) != 1
        seconds += [answer.seconds for answer in answers]
        reused += _sending(play, {"text": "resign"}, f"key-{number}", token)(play.host, 0).status == 422
        doubles += not _once(play, token, version, json.loads(answers[0].body))
    play.finish()
    failures = sum(count for status, count in statuses.items() if status >= 500)
    broken = doubles + differing + unmarked + failures + play.gaps + (rounds - reused) > 0 or set(statuses) != {201}
    return (
        broken,
        _latencies(seconds),
        [
            f"rounds that brought anything but the one command's events: {doubles} of {rounds}",
            f"answers: {_counts(statuses)}; 5xx: {failures}; rounds with differing bytes: {differing}",
            f"rounds without exactly one answer that is no replay: {unmarked}; other body refused with 422: {reused}",
            f"records with a gap, a double or a broken chain: {play.gaps} of {play.matches} ({play.versions} events)",
        ],
    )


def _sending(
    play: Play, command: dict[str, Any], key: str, token: str, **headers: str
) -> Callable[[Caller, int], Answer]:
    """Return a function that sends a command to the match; `{}` in the key is replaced by the caller's number."""
    path = f"/matches/{play.match}/commands"

    def send(caller: Caller, number: int) -> Answer:
        return caller.ask("POST", path, command, Authorization=token, Idempotency_Key=key.format(number), **headers)

    return send


def _once(play: Play, token: str, version: int, accepted: dict[str, Any]) -> bool:
    """True if the match is at the version of the response, with exactly its events since `version`."""
    page = play.host.document("GET", f"/matches/{play.match}/events?after={version}", Authorization=token)
    return bool(page["results"] == accepted["events"] and page["version"] == accepted["version"])


def _latencies(seconds: list[float]) -> list[Row]:
    cuts = quantiles(seconds, n=100)
    return [
        Row("an answer, half of them within", "ms", (cuts[49] * 1000,)),
        Row("an answer, 99 of 100 within", "ms", (cuts[98] * 1000,)),
        Row("the slowest answer", "ms", (max(seconds) * 1000,)),
    ]


def _counts(statuses: Counter[int]) -> str:
    return ", ".join(f"{status}: {count}" for status, count in sorted(statuses.items()))


@contextmanager
def _web(count: int) -> Iterator[list[int]]:
    """Run web processes that serve the staged database; yield their ports."""
    from config.runner import embedded, parts

    with ExitStack() as stack:
        logs = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="croupier-races-")))
        ports = []
        for number in range(count):
            ports.append(embedded.free_port())
            program = parts.web(ports[-1], os.environ, logs / str(number))
            stack.callback(program.stop)
            stack.callback(program.ask_to_stop)
            program.start()
        yield ports


def _play(port: int) -> Play:
    from matches.http import tokens
    from matches.http.scopes import SCOPES
    from matches.models import AccessToken, Account

    bearers, accounts = [], []
    for name in ("mira", "tobias"):
        account, new_token = Account.objects.create_user(f"bench-{name}"), tokens.new_token()
        expires = account.joined_at + tokens.LIFETIME
        AccessToken.objects.create(
            account=account, prefix=new_token.prefix, digest=new_token.digest, scopes=list(SCOPES), expires_at=expires
        )
        bearers.append(f"Bearer {new_token.token}")
        accounts.append(str(account.id))
    return Play(Caller(port), bearers, accounts)
