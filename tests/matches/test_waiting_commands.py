"""A command that waits is judged by its arrival, and no flag falls before it is decided."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from events import arrivals, estimated_clock, store
from events.loop_connection import LoopConnection
from events.pipeline import roundtrip
from events.store import raw_connection
from games.kernel import Illegal
from matches import services
from matches.api.at_once import AtOnce
from matches.domain.clocks import ClockTimes
from matches.http import overload
from matches.http.overload import Overloaded
from matches.models import Account, Match
from matches.services import fast_way, playing, submit
from matches.services.fast_way import FellBack, submit_at_once
from matches.services.playing import FlagUndecided, Submission
from matches.storage import outages, repository
from tests.live.test_overload import command
from tests.matches.fault_scenarios import armed_flag
from tests.matches.quick import on_a_loop, sender_of, usual
from tests.table_setting import new_account, play_on, running_match, wait_until

LONG = {"choice": ClockTimes(base=600), "turn": ClockTimes(base=600)}


@contextmanager
def arrived(seconds_ago: float) -> Iterator[None]:
    """Handle a request that arrived so long ago and has waited since."""
    with arrivals.awaited() as arrival:
        arrival.stamp()
        assert arrival.at is not None
        arrival.at -= seconds_ago
        yield


@contextmanager
def web_process(settled: str) -> Iterator[None]:
    """A web process runs that has settled what arrived up to this instant, a piece of SQL; no other runs."""
    name = uuid4()
    alone = "UPDATE matches_webprocess SET beaten_at = 'epoch'"
    enter = f"INSERT INTO matches_webprocess VALUES ($1, clock_timestamp() + interval '1 hour', {settled})"  # noqa: S608
    roundtrip(raw_connection(), [(alone, ()), (enter, (name,))])
    try:
        yield
    finally:
        roundtrip(raw_connection(), [("DELETE FROM matches_webprocess WHERE id = $1", (name,))])
        outages.look()


@pytest.fixture
def late_match() -> Match:
    """A match whose mover's time has run out; the flag hasn't fallen yet."""
    times = {"choice": ClockTimes(base=1), "turn": ClockTimes(base=1)}
    match = running_match("pyramid_poker", new_account(), new_account(), clocks=times)
    services.prepare(match.id)
    repository.load(match.id)
    wait_until(lambda: store.clock() > armed_flag(match.id) + timedelta(milliseconds=100))
    return match


def by_the_other_way(submission: Submission) -> services.Accepted:
    return submit(
        match_id=submission.match_id, seat=submission.seat, player=submission.player, command=submission.command,
        key=submission.key, fingerprint=submission.fingerprint, expected=submission.expected,
    )  # fmt: skip


def last_at(match: Match) -> float:
    return store.read(match.id)[-1].at.timestamp()


def test_command_that_arrived_in_time_is_accepted_after_its_deadline(late_match: Match) -> None:
    falls_at = armed_flag(late_match.id).timestamp()
    with arrived(seconds_ago=1):
        by_the_other_way(usual(late_match))
    assert last_at(late_match) <= falls_at, "its player isn't charged for the wait"


def test_fast_path_accepts_a_command_that_arrived_in_time_after_its_deadline(late_match: Match) -> None:
    submission, falls_at = usual(late_match), armed_flag(late_match.id).timestamp()
    sender = sender_of(late_match.seats.get(number=submission.seat).account)
    with arrived(seconds_ago=1):
        answer = on_a_loop(lambda: submit_at_once(submission, sender))
    assert not isinstance(answer, FellBack)
    assert last_at(late_match) <= falls_at


def test_command_that_arrived_late_is_refused_even_if_it_waited_shortly(late_match: Match) -> None:
    with pytest.raises(Illegal, match="ran out"), arrived(seconds_ago=0):
        by_the_other_way(usual(late_match))


def test_turn_of_the_next_player_begins_when_the_command_is_stored() -> None:
    match = running_match("pyramid_poker", new_account(), new_account(), clocks={"turn": ClockTimes(base=600)})
    play_on(match, 2)
    submission, before = usual(match), store.clock().timestamp()
    sender = sender_of(match.seats.get(number=submission.seat).account)
    with arrived(seconds_ago=5):
        assert not isinstance(on_a_loop(lambda: submit_at_once(submission, sender)), FellBack)
    assert last_at(match) >= before - 0.01


def test_flag_falls_once_every_web_process_has_settled_earlier_commands(late_match: Match) -> None:
    version = repository.version_of(late_match.id)
    with web_process("'epoch'"):
        assert services.let_flag_fall(match_id=late_match.id) is None
        assert repository.version_of(late_match.id) == version
    with web_process("clock_timestamp()"):
        assert services.let_flag_fall(match_id=late_match.id) is not None


def test_flag_does_not_wait_for_a_dead_web_process(late_match: Match) -> None:
    statement = "INSERT INTO matches_webprocess VALUES ($1, clock_timestamp() - interval '6 seconds', 'epoch')"
    with web_process("clock_timestamp()"):
        roundtrip(raw_connection(), [(statement, (uuid4(),))])
        assert services.let_flag_fall(match_id=late_match.id) is not None


def test_command_is_put_off_while_the_flag_of_another_seat_is_undecided(
    late_match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "_PAUSE_SECONDS", 0)
    submission = usual(late_match)
    other = 1 - submission.seat
    player = str(repository.load(late_match.id).lifecycle.players[other])
    with web_process("'epoch'"), pytest.raises(FlagUndecided):
        by_the_other_way(submission._replace(seat=other, player=player))


@pytest.mark.parametrize(("base", "is_refused"), [(600, True), (20, False)])
def test_overloaded_service_refuses_a_command_unless_a_flag_is_near(
    monkeypatch: pytest.MonkeyPatch, base: int, is_refused: bool
) -> None:
    times = {"choice": ClockTimes(base=base), "turn": ClockTimes(base=base)}
    match = running_match("pyramid_poker", new_account(), new_account(), clocks=times)
    repository.load(match.id)
    estimated_clock.read_off(store.clock())
    monkeypatch.setattr(fast_way, "longest_wait", lambda: 2.5)
    if is_refused:
        with pytest.raises(Overloaded) as refusal:
            overload.refuse_beyond_capacity(match.id)
        assert (refusal.value.status, refusal.value.headers["Retry-After"]) == (503, "3")
        assert refusal.value.document("")["retry_after"] == 3
    else:
        overload.refuse_beyond_capacity(match.id)


def test_overloaded_service_accepts_a_command_of_an_uncached_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fast_way, "longest_wait", lambda: 60.0)
    overload.refuse_beyond_capacity(uuid4())


def test_service_within_capacity_refuses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    repository.load(match.id)
    monkeypatch.setattr(fast_way, "longest_wait", lambda: 2.0)
    overload.refuse_beyond_capacity(match.id)


def test_commands_are_refused_only_while_the_writer_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    slow, other = (running_match("pyramid_poker", new_account(), new_account(), clocks=LONG) for _ in range(2))
    for match in (slow, other):
        services.prepare(match.id)
        repository.load(match.id)
    submission = usual(slow)
    sender = sender_of(Account.objects.get(id=submission.player))
    run = LoopConnection.run

    async def acts() -> None:
        is_fast = asyncio.Event()

        async def run_slowly(line: LoopConnection, *details: Any) -> Any:
            await is_fast.wait()
            return await run(line, *details)

        monkeypatch.setattr(LoopConnection, "run", run_slowly)
        with arrived(2.5):
            first = asyncio.create_task(submit_at_once(submission, sender))
            async with asyncio.timeout(20):
                while not fast_way.longest_wait() and not first.done():
                    await asyncio.sleep(0.002)
            assert not first.done(), first.result()
        status, headers = await _answer_to_a_command_of(other)
        assert (status, headers[b"Retry-After"]) == (503, b"3")
        is_fast.set()
        assert isinstance(await first, services.Accepted)
        overload.refuse_beyond_capacity(other.id)

    on_a_loop(acts)


async def _answer_to_a_command_of(match: Match) -> tuple[int, dict[bytes, bytes]]:
    """Return status and headers of the answer to a command over REST, which Django must not be asked for."""
    sent = list[Any]()

    async def receive() -> Any:
        return {"type": "http.request", "body": b'{"type":"resign"}'}

    async def send(message: Any) -> None:
        sent.append(message)

    async def django(*_: Any) -> None:
        pytest.fail("Django isn't asked")

    scope = command(b'{"type":"resign"}') | {"path": f"/api/v1/matches/{match.id}/commands"}
    await AtOnce(django)(scope, receive, send)
    return sent[0]["status"], dict(sent[0]["headers"])
