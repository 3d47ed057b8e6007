"""Limits hold over all who count together; without Redis play goes on and guessing doesn't."""

import socket
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
import redis
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, override_settings
from limits import RateLimitItem, parse_many

from matches.http import limits, rate_windows
from matches.http.problems import Problem
from tests.api.asking import sent
from tests.api.guests import guest, started
from tests.api.ordinary import BODIES
from tests.api.seasons import Cup
from tests.waiting import wait_until

client = Client(headers={"host": "localhost"})
RATES = {
    "commands": "3/minute", "reads": "5/minute", "archives": "2/minute", "logins": "2/minute", "signups": "2/minute",
    "contests": "2/minute", "trials": "1/minute", "logins_address": "3/minute", "logins_name": "4/minute",
}  # fmt: skip


@pytest.fixture(autouse=True)
def counting(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Limits on, and low; the counters have met no outage yet."""
    be_patient(monkeypatch, 30)
    with override_settings(LIMITS=True, LIMIT_RATES=RATES):
        yield


def be_patient(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    for name in ("of_play", "of_entries"):
        monkeypatch.setattr(rate_windows, name, rate_windows.Counter(seconds))


@pytest.fixture
def address() -> str:
    """An address that nobody has asked from."""
    return f"10.{'.'.join(str(byte) for byte in uuid.uuid4().bytes[:3])}"


@pytest.fixture
def redis_away() -> Iterator[None]:
    """Nobody listens where Redis should be."""
    with override_settings(REDIS_URL="redis://127.0.0.1:1/0"):
        yield


@pytest.fixture
def redis_silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Redis takes connections and never answers."""
    be_patient(monkeypatch, 0.1)
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        override_settings(REDIS_URL=f"redis://127.0.0.1:{server.getsockname()[1]}/0"),
    ):
        yield


def keyed(*rates: str) -> list[tuple[str, RateLimitItem]]:
    name = uuid.uuid4().hex
    return [(f"test:{{{name}}}:{rate}", item) for rate in rates for item in parse_many(rate)]


def redis_clock() -> float:
    seconds, microseconds = redis.Redis.from_url(settings.REDIS_URL).time()
    return float(seconds + microseconds / 1_000_000)


def read(address: str) -> HttpResponse:
    return client.get("/api/v1/me", REMOTE_ADDR=address)


def ask(method: str, address: str, user: object = None) -> None:
    request = sent(REMOTE_ADDR=address)
    request.method = request._request.method = method
    request._user = user
    limits.ByMethod().allow_request(request, None)


def test_exactly_the_limit_of_200_concurrent_requests_passes() -> None:
    window = keyed("20/minute")
    with ThreadPoolExecutor(16) as pool:
        verdicts = list(pool.map(lambda _: rate_windows.of_play.count(window), range(200)))
    assert sum(verdict.allowed for verdict in verdicts) == 20


def test_retry_after_is_long_enough_and_not_too_long() -> None:
    window = keyed("4/second")
    while (verdict := rate_windows.of_play.count(window)).allowed:
        pass
    assert 0 < verdict.wait <= 1250
    due = redis_clock() + verdict.wait / 1000
    wait_until(lambda: redis_clock() >= due)
    assert rate_windows.of_play.count(window).allowed


def test_a_full_window_counts_nothing_in_the_others() -> None:
    narrow, wide = keyed("1/minute", "10/minute")
    assert rate_windows.of_play.count([narrow, wide]).allowed
    for _ in range(20):
        refused = rate_windows.of_play.count([narrow, wide])
        assert (refused.allowed, refused.limit) == (False, 1)
    assert rate_windows.of_play.count([wide]).left == 8


def test_tightest_window_is_reported() -> None:
    few, many = keyed("3/minute", "100/hour")
    assert rate_windows.of_play.count([many, few]) == rate_windows.Verdict(1, 3, 2, 0)


def test_reads_and_commands_are_counted_apart(address: str) -> None:
    for _ in range(3):
        ask("POST", address)
    with pytest.raises(Problem) as refused:
        ask("POST", address)
    assert refused.value.code == "too_many_requests"
    # At most the rest of a whole window, and a third of the next.
    assert 1 <= int(refused.value.headers["Retry-After"]) <= 80
    ask("GET", address)


def test_players_behind_one_address_do_not_share(address: str) -> None:
    one, other = SimpleNamespace(pk=uuid.uuid4()), SimpleNamespace(pk=uuid.uuid4())
    for _ in range(3):
        ask("POST", address, one)
        ask("POST", address, other)
    with pytest.raises(Problem):
        ask("POST", address, one)


def test_a_whole_ipv6_network_is_one_caller() -> None:
    network = f"2001:db8:{uuid.uuid4().hex[:4]}:{uuid.uuid4().hex[:4]}"
    for host in (1, 2, 3):
        ask("POST", f"{network}::{host}")
    with pytest.raises(Problem):
        ask("POST", f"{network}:ffff::1")


def test_the_refusal_is_a_problem_with_headers(address: str) -> None:
    statuses = [ask_anonymously(address).status_code for _ in range(3)]
    assert statuses == [201, 201, 429] or statuses == [422, 422, 429]
    refused = ask_anonymously(address)
    assert refused.json()["code"] == "too_many_requests"
    assert refused.headers["RateLimit-Limit"] == "2"
    assert refused.headers["RateLimit-Remaining"] == "0"
    assert int(refused.headers["Retry-After"]) >= 1


def ask_anonymously(address: str, door: str = "accounts") -> HttpResponse:
    body = {"username": uuid.uuid4().hex, "password": "1"}
    return client.post(f"/api/v1/{door}", body, content_type="application/json", REMOTE_ADDR=address)


@pytest.fixture
def redis_commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the commands to Redis, while the clock of the limits stands still."""
    monkeypatch.setattr(rate_windows, "time", SimpleNamespace(monotonic=lambda: 7.0))
    commands: list[str] = []
    ask_redis = redis.Redis.execute_command

    def noted(self: redis.Redis, *words: str, **options: object) -> object:
        commands.append(words[0])
        return ask_redis(self, *words, **options)

    monkeypatch.setattr(redis.Redis, "execute_command", noted)
    return commands


def test_commands_continue_without_redis_which_is_not_asked_again(
    redis_away: None, address: str, redis_commands: list[str]
) -> None:
    for _ in range(20):
        ask("POST", address)
        ask("GET", address)
    assert redis_commands == ["EVALSHA"]


def test_silent_redis_delays_only_one_command(redis_silent: None, address: str, redis_commands: list[str]) -> None:
    for _ in range(20):
        ask("POST", address)
    assert redis_commands == ["EVALSHA"]


@pytest.mark.parametrize("door", ["accounts", "tokens"])
def test_guesses_are_refused_without_redis(redis_away: None, address: str, door: str) -> None:
    refused = ask_anonymously(address, door)
    assert (refused.status_code, refused.json()["code"]) == (503, "limits_unavailable")
    assert refused.headers["Retry-After"] == "1"


def test_redis_is_asked_again_once_it_is_back(redis_away: None, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(rate_windows.CounterAway):
        rate_windows.of_play.count(keyed("5/minute"))
    monkeypatch.setattr(rate_windows.of_play, "_script", lambda keys, args: b"1 5 4 0")
    with pytest.raises(rate_windows.CounterAway):
        rate_windows.of_play.count(keyed("5/minute"))
    rate_windows.of_play.away_until = time.monotonic()
    assert rate_windows.of_play.count(keyed("5/minute")).allowed


def test_limits_can_be_switched_off(address: str) -> None:
    with override_settings(LIMITS=False):
        for _ in range(10):
            ask("POST", address)


def test_counting_takes_one_redis_call(redis_commands: list[str]) -> None:
    rate_windows.of_play.count(keyed("5/minute"))
    redis_commands.clear()
    rate_windows.of_play.count(keyed("100000/second", "1000000/minute"))
    assert redis_commands == ["EVALSHA"]


def test_returned_places_may_be_used_again_once() -> None:
    window = keyed("2/minute")
    keys = [key for key, _ in window]
    rate_windows.of_entries.give_back(keys)
    assert [rate_windows.of_entries.count(window).allowed for _ in range(3)] == [True, True, False]
    rate_windows.of_entries.give_back(keys)
    assert [rate_windows.of_entries.count(window).allowed for _ in range(2)] == [True, False]


def test_archives_have_a_limit_of_their_own(address: str) -> None:
    with override_settings(LIMITS=False):
        cup = Cup(0)
    token = {"Authorization": f"Bearer {cup.organiser.token}"}
    responses = [client.get(f"/api/v1{cup.path}/archive", REMOTE_ADDR=address, headers=token) for _ in range(3)]
    assert [answer.status_code for answer in responses] == [200, 200, 429]
    assert int(responses[2].headers["Retry-After"]) >= 1
    assert client.get(f"/api/v1{cup.path}", REMOTE_ADDR=address, headers=token).status_code == 200


def test_checks_and_trials_of_contests_have_limits_of_their_own(address: str) -> None:
    token = {"Authorization": f"Bearer {guest().token}"}
    statuses = {}
    for path, times in (("check", 3), ("trial", 2)):
        body = BODIES["tryContent" if path == "trial" else "checkContest"]
        statuses[path] = [
            client.post(
                f"/api/v1/contests/{path}", body, content_type="application/json", REMOTE_ADDR=address, headers=token
            ).status_code
            for _ in range(times)
        ]
    assert statuses == {"check": [200, 200, 429], "trial": [200, 429]}


def test_anonymous_exports_count_towards_the_limit_of_archives(address: str) -> None:
    with override_settings(LIMITS=False):
        player = guest()
        path = f"/api/v1/matches/{started('pyramid_poker', player, guest())}/export"
        player.send(path.split("/")[4], {"type": "resign"})
    statuses = [client.get(path, REMOTE_ADDR=address).status_code for _ in range(3)]
    assert statuses == [200, 200, 429]
    token = {"Authorization": f"Bearer {player.token}"}
    assert client.get(path, REMOTE_ADDR=address, headers=token).status_code == 200
