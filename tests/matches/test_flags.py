"""Flags while a part of what they need is away: one match's row, the workers, the pool, the disk."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from time import monotonic
from types import SimpleNamespace
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings
from django.db import connection, connections
from django.test import Client, override_settings
from psycopg_pool import PoolTimeout

from events import chain, store
from events.pipeline import roundtrip
from events.store import raw_connection
from matches import tasks
from matches.models import Match
from matches.reads import selectors
from matches.services import playing, timing
from matches.storage import holds, outages, repository
from matches.workers import flags
from tests.matches import fault_scenarios
from tests.table_setting import api, new_account, wait_until

HEAD = "SELECT events_enter(%s, 'somebody', NULL, true)"
DEADLINE = "SELECT FROM matches_deadline WHERE match_id = %s FOR UPDATE"
MATCH = "SELECT FROM matches_match WHERE id = %s FOR UPDATE"


@contextmanager
def locked(match_id: UUID, what: str) -> Iterator[None]:
    """Somebody else has this row of a match."""
    with psycopg.connect(settings.DATABASE_LOGINS.app) as other:
        other.execute(what, [match_id])
        yield


@pytest.fixture
def armed(monkeypatch: pytest.MonkeyPatch) -> list[fault_scenarios.Armed]:
    """Five matches whose flags fall within two seconds; a sweep sees no other."""
    players = (new_account().id, new_account().id)
    matches = [fault_scenarios.arm(1, players) for _ in range(5)]
    listed, mine = selectors.flags_to_fall, {match.match_id for match in matches}
    monkeypatch.setattr(
        selectors, "flags_to_fall", lambda within_seconds: [it for it in listed(within_seconds) if it[0] in mine]
    )
    monkeypatch.setattr(flags, "_waiting", flags._HeldMatches())
    return matches


def types_of(match_id: UUID) -> list[str]:
    return [row.type for row in store.read(match_id)]


@pytest.mark.parametrize("what", [HEAD, DEADLINE, MATCH])
def test_locked_match_delays_no_other_flag(armed: list[fault_scenarios.Armed], what: str) -> None:
    held, *others = armed
    with locked(held.match_id, what):
        wait_until(lambda: fault_scenarios.seconds_until_the_last(armed) < 0.5)
        began = monotonic()
        tasks.keep_time()
        assert monotonic() - began < 2
        late = fault_scenarios.how_late(others)
        assert (len(late.seconds), late.wrong) == (4, [])
        assert max(late.seconds) < 1
        assert "flag_fallen" not in types_of(held.match_id)
    wait_until(lambda: tasks.keep_time() or "flag_fallen" in types_of(held.match_id))


@pytest.fixture
def look_at(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], list[UUID]]:
    """Finds a match locked at a second, and gives what is waited for on the side since."""
    match_id, waiting, waited_for = uuid4(), flags._HeldMatches(), []

    def locked(**_: object) -> None:
        raise timing.Locked

    def look(at: float) -> list[UUID]:
        monkeypatch.setattr(flags, "time", SimpleNamespace(monotonic=lambda: at))
        flags.let_missed_flags_fall()
        return [it for it in waited_for if it == match_id]

    monkeypatch.setattr(waiting, "wait_for", waited_for.append)
    monkeypatch.setattr(flags, "_waiting", waiting)
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: [(match_id, -9.0)])
    monkeypatch.setattr(timing, "let_flag_fall", locked)
    return look


def test_worker_waits_for_a_match_found_locked_several_times_in_a_row(
    look_at: Callable[[float], list[UUID]],
) -> None:
    assert [len(look_at(second)) for second in (100, 100.3, 102.4, 102.7, 102.9)] == [0, 0, 0, 0, 1]


def test_only_one_thread_waits_for_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, match_id, jobs = flags._HeldMatches(), uuid4(), []
    monkeypatch.setattr(waiting, "_threads", SimpleNamespace(submit=lambda *job: jobs.append(job)))
    monkeypatch.setattr(timing, "catch_up_clock", lambda match_id: 0)
    waiting.wait_for(match_id)
    waiting.wait_for(match_id)
    assert len(jobs) == 1
    wait, *whom = jobs[0]
    wait(*whom)
    waiting.wait_for(match_id)
    assert len(jobs) == 2


@pytest.mark.parametrize("is_held", [True, False])
def test_worker_waits_for_a_match_with_an_open_hold(monkeypatch: pytest.MonkeyPatch, is_held: bool) -> None:
    match_id, waited_for = uuid4(), []
    silence = outages.Silence(0.0, None, None, is_held=is_held)
    monkeypatch.setattr(outages, "load_silence", lambda: silence)
    monkeypatch.setattr(holds, "open_ones", lambda: [match_id])
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: [])
    monkeypatch.setattr(flags, "_waiting", SimpleNamespace(wait_for=waited_for.append))
    flags.keep_time()
    assert waited_for == [match_id] * is_held


@pytest.mark.parametrize(("seconds_ago", "visited"), [(3599.0, True), (3600.0, False)])
def test_worker_credits_time_within_an_hour_after_an_outage(
    monkeypatch: pytest.MonkeyPatch, seconds_ago: float, visited: bool
) -> None:
    match_id, ended_at, fallen = uuid4(), store.clock(), []
    monkeypatch.setattr(outages, "load_silence", lambda: outages.Silence(0.0, ended_at, seconds_ago))
    monkeypatch.setattr(selectors, "matches_on_the_clock_since", lambda since: [match_id] * (since == ended_at))
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: [])
    monkeypatch.setattr(timing, "let_flag_fall", lambda match_id, wait: fallen.append(match_id))
    flags.keep_time()
    assert fallen == [match_id] * visited


def test_worker_visits_no_match_while_no_process_accepts_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "load_silence", lambda: outages.Silence(10**6, None, None, is_held=True))
    monkeypatch.setattr(holds, "open_ones", lambda: pytest.fail("visited"))
    monkeypatch.setattr(selectors, "flags_to_fall", lambda within_seconds: pytest.fail("visited"))
    flags.keep_time()


def test_missing_match_is_not_reported_as_locked() -> None:
    with pytest.raises(repository.NoSuchMatch):
        timing.let_flag_fall(match_id=uuid4())


@contextmanager
def hasty() -> Iterator[None]:
    """This thread waits 1.2 s for a lock, not five."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '1200ms'")
    try:
        yield
    finally:
        connections.close_all()
        with connection.cursor() as cursor:
            cursor.execute("RESET lock_timeout")


@pytest.mark.parametrize("what", [HEAD, DEADLINE])
def test_match_is_credited_the_time_for_which_it_was_locked(armed: list[fault_scenarios.Armed], what: str) -> None:
    held, other, *_ = armed
    with hasty(), locked(held.match_id, what):
        with pytest.raises(psycopg.errors.LockNotAvailable):
            choose(held)
        wait_until(lambda: fault_scenarios.seconds_until_the_last(armed) == 0)
        assert held.match_id in holds.open_ones()
    outages.load_silence()
    assert timing.let_flag_fall(match_id=held.match_id) is None
    assert types_of(held.match_id)[-1] == "time_credited"
    assert choose(held).version
    assert timing.let_flag_fall(match_id=other.match_id) is not None, "It alone was held."
    assert "time_credited" not in types_of(other.match_id)
    assert held.match_id not in holds.open_ones()
    assert types_of(held.match_id).count("time_credited") == 1


@pytest.mark.parametrize(("seconds", "owed"), [(0.9, None), (1.5, 2)])
def test_act_that_ended_a_hold_leaves_only_the_rest_to_credit(
    armed: list[fault_scenarios.Armed], seconds: float, owed: int | None
) -> None:
    """It was dated when it arrived, and the hold ended when it was stored: on a busy machine that is long after."""
    match_id = armed[0].match_id
    match = repository.load(match_id)
    hold = (match_id, chain.instant(match.at - 5_000_000), chain.instant(match.at + int(seconds * 1e6)))
    note = "INSERT INTO matches_hold (match_id, began_at, ended_at) VALUES ($1, $2, $3)"
    roundtrip(raw_connection(), [(note, hold)])
    outages.load_silence()
    credit = outages.owed_to(match_id, match, match.at + 60_000_000)
    assert (credit and credit.seconds) == owed


def choose(match: fault_scenarios.Armed) -> playing.Accepted:
    """The first seat's command, which has until its flag falls."""
    return playing.submit(
        match_id=match.match_id,
        seat=0,
        player=match.player,
        command=fault_scenarios.FIRST,
        key="first",
        fingerprint=b"",
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", [HEAD, DEADLINE])
def test_match_locked_past_its_flag_is_credited_the_time(armed: list[fault_scenarios.Armed], what: str) -> None:
    """Nobody but the sweep tries to reach it."""
    held = armed[0]
    with locked(held.match_id, what):
        until = monotonic() + 16
        wait_until(lambda: tasks.keep_time() or monotonic() > until)
    wait_until(lambda: tasks.keep_time() or "time_credited" in types_of(held.match_id))
    assert "flag_fallen" not in types_of(held.match_id)
    assert choose(held).version


def test_web_process_lets_flags_fall_that_no_worker_visits_and_none_early(
    armed: list[fault_scenarios.Armed], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flags, "LEFT_SECONDS", 0.2)
    flags.let_missed_flags_fall()
    assert fault_scenarios.unfallen_of(armed) == 0 and "flag_fallen" not in types_of(armed[0].match_id)
    wait_until(lambda: flags.let_missed_flags_fall() or all("flag_fallen" in types_of(it.match_id) for it in armed))
    late = fault_scenarios.how_late(armed)
    assert late.wrong == []
    assert min(late.seconds) >= 0.2, "A worker comes first."


def test_web_process_with_an_exhausted_pool_still_sends_its_beat() -> None:
    connections.close_all()
    pool, taken, pulse = connection.pool, [], outages._Pulse()
    try:
        with suppress(PoolTimeout):
            while True:
                taken.append(pool.getconn(timeout=0.5))
        began = monotonic()
        pulse.try_beat()
        took = monotonic() - began
    finally:
        pulse.stop()
        for it in taken:
            pool.putconn(it)
    assert taken and took < 3
    silence = outages.load_silence()
    assert silence.seconds is not None and silence.seconds < 3


@contextmanager
def full_disk() -> Iterator[None]:
    """No table takes a row, nor a changed one: what Postgres says of a disk without room, it says of all of them."""
    with psycopg.connect(settings.DATABASE_LOGINS.owner, autocommit=True) as owner:
        owner.execute(
            "CREATE FUNCTION test_full() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN "
            "RAISE disk_full USING MESSAGE = 'could not extend file: No space left on device'; END$$"
        )
        tables = owner.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        try:
            for (name,) in tables:
                owner.execute(
                    f'CREATE TRIGGER test_full BEFORE INSERT OR UPDATE ON "{name}" EXECUTE FUNCTION test_full()'
                )
            yield
        finally:
            owner.execute("DROP FUNCTION test_full CASCADE")


def test_match_with_a_due_flag_is_read_on_a_full_disk() -> None:
    player = new_account()
    reader, browser = api(player), Client(headers={"host": "localhost"}, raise_request_exception=False)
    browser.force_login(player)
    assert browser.get("/").status_code == 200
    match = fault_scenarios.arm(1, (player.id, new_account().id))
    code = Match.objects.get(id=match.match_id).code
    wait_until(lambda: fault_scenarios.seconds_until_the_last([match]) == 0)
    with full_disk(), override_settings(OUTAGE_SECONDS=86400):
        for path in ("", "/legal", "/events", "/history"):
            response = reader.get(f"/matches/{match.match_id}{path}")
            assert response.status_code == 200, (path, response.content)
        assert reader.get("/me/matches").status_code == 200
        assert browser.get(f"/m/{code}/").status_code == 200
        assert browser.get("/").status_code == 200
        assert browser.post("/account/tokens", {"name": "One", "days": "30"}).status_code in (200, 422, 503)
        refused = [
            reader.post(f"/matches/{match.match_id}/commands", fault_scenarios.FIRST, idempotency_key="a"),
            reader.post("/matches", {"game": "pentagram", "seats": [{"player": str(player.id)}, {"player": "bot"}]}),
        ]
        for answer in refused:
            assert (answer.status_code, answer.json()["code"]) == (503, "unavailable"), answer.content
            assert answer.headers["Retry-After"] == "1"
        tasks.keep_time()
        assert "flag_fallen" not in types_of(match.match_id)
    tasks.keep_time()
    assert types_of(match.match_id).count("flag_fallen") == 1
