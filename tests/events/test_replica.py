"""A replica is read for records, rebuilds and searches, where it holds the same history; no view ever reads from it."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.test.utils import CaptureQueriesContext

from events import replica, store
from events.records import NOWHERE, Point
from games.kernel import HOST, SPECTATOR
from matches.audit import export
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads import feed
from matches.realtime import frames
from matches.storage import repository
from matches.web.play import chains
from tests.events.staging import append, counted, new_stream, owner
from tests.panel.office import Desk, hosted_match
from tests.table_setting import BOT, new_account, play_to_the_end, running_match

STALE = "stale"


class Asked:
    """The stage's database under the replica's name. What stands in the schema `stale` stands there instead."""

    def __init__(self) -> None:
        self.times = 0
        self.fails_after = 10_000

    def connection(self) -> psycopg.Connection[Any]:
        """Whatever is asked of the replica's streams passes here."""
        self.times += 1
        if self.times > self.fails_after:
            raise psycopg.OperationalError("It is away.")
        return store.connection_of(connections[replica.ALIAS])


@pytest.fixture
def replica_reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Asked]:
    """A replica is set, and of use until something is found out about it."""
    named = settings.DATABASES[DEFAULT_DB_ALIAS]
    options = {**named["OPTIONS"], "pool": False, "options": f"-c search_path={STALE},public"}
    monkeypatch.setitem(settings.DATABASES, replica.ALIAS, {**named, "OPTIONS": options})
    monkeypatch.setattr(replica, "_cached", replica._CachedState())
    spy = Asked()
    monkeypatch.setattr(replica, "_connection", spy.connection)
    with owner() as hand:
        hand.execute(f"DROP SCHEMA IF EXISTS {STALE} CASCADE; CREATE SCHEMA {STALE}")
        hand.execute(f"GRANT USAGE ON SCHEMA {STALE} TO {settings.DATABASE_LOGINS.role}")
        yield spy
        connections[replica.ALIAS].close()
        del connections[replica.ALIAS]
        hand.execute(f"DROP SCHEMA {STALE} CASCADE")


def stands_there(table: str, rows: str, *values: object) -> None:
    """On the replica a table holds these rows and no others."""
    with owner() as hand:
        hand.execute(f"CREATE TABLE {STALE}.{table} AS {rows}", values or None)
        hand.execute(f"GRANT SELECT ON {STALE}.{table} TO {settings.DATABASE_LOGINS.role}")


@pytest.fixture(scope="module")
def finished() -> Match:
    """A match that is over."""
    match = running_match("pyramid_poker", BOT, BOT)
    play_to_the_end(match)
    return match


def record(match: Match) -> list[bytes]:
    return list(export.export(match.id, aside=True))


def test_a_record_is_read_from_the_replica(
    finished: Match, replica_reads: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "_PAGE", 7)
    exported = list(export.export(finished.id))
    assert replica_reads.times == 0
    monkeypatch.setattr(export.store, "read_in_pages", lambda *_, **__: pytest.fail("read from the primary"))
    assert record(finished) == exported
    assert replica_reads.times > repository.end_of(finished.id).version / 7


LACKING = "SELECT * FROM public.events_event WHERE stream = %s AND version <= 5"
WITHOUT_ITS_END = """
SELECT * FROM public.events_event e WHERE stream = %s
AND version < (SELECT version FROM public.events_head h WHERE h.stream = e.stream)
"""
OF_ANOTHER_HISTORY = """
SELECT stream, version, type, schema, public, secret, audience, salt, actor, at, sha256(hash) AS hash
FROM public.events_event WHERE stream = %s
"""


@pytest.mark.parametrize("rows", [LACKING, WITHOUT_ITS_END, OF_ANOTHER_HISTORY])
def test_rows_missing_or_different_in_the_replica_are_read_from_the_primary(
    finished: Match, replica_reads: Asked, rows: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stands_there("events_event", rows, finished.id)
    monkeypatch.setattr(replica, "_NEWEST", "SELECT 1 WHERE false")
    exported = list(export.export(finished.id))
    assert record(finished) == exported
    assert replica_reads.times > 0


def test_one_that_fails_amid_a_record_is_gone_on_from_and_left(
    finished: Match, replica_reads: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "_PAGE", 7)
    exported = list(export.export(finished.id))
    assert replica.standing().serves
    replica_reads.fails_after = replica_reads.times + 3
    assert record(finished) == exported
    failed = replica_reads.times
    assert record(finished) == exported and replica_reads.times == failed, "It isn't asked again at once."


def test_a_replica_of_another_history_is_not_used(replica_reads: Asked) -> None:
    phantom = "SELECT gen_random_uuid() AS stream, 1 AS version, now() AS at, 'x'::bytea AS hash"
    stands_there("events_event", phantom)
    assert not replica.standing().serves
    assert replica.search(lambda where: where) == DEFAULT_DB_ALIAS


@pytest.mark.parametrize(("seconds", "serves"), [(29.0, True), (31.0, False)])
def test_one_that_is_too_far_behind_is_left(
    replica_reads: Asked, seconds: float, serves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica, "_REPLICA", f"SELECT %s::text IS NULL OR %s::text IS NULL, {seconds}::float8")
    assert replica.standing() == (serves, seconds)
    assert replica.search(lambda where: where) == (replica.ALIAS if serves else DEFAULT_DB_ALIAS)


def test_search_moves_to_the_primary_after_a_failure_but_not_after_a_timeout(replica_reads: Asked) -> None:
    def look(where: str) -> str:
        if where == replica.ALIAS:
            raise OperationalError("It is away.")
        return where

    def look_long(where: str) -> str:
        raise OperationalError("canceling statement due to statement timeout") from psycopg.errors.QueryCanceled()

    with pytest.raises(OperationalError, match="timeout"):
        replica.search(look_long)
    assert replica.standing().serves
    assert replica.search(look) == DEFAULT_DB_ALIAS
    assert not replica.standing().serves


def test_a_rebuild_folds_from_the_replica_and_reads_what_is_newer_from_the_primary(
    replica_reads: Asked, finished: Match
) -> None:
    end = repository.end_of(finished.id).version
    repository._cache.clear()
    with replica.reading(finished.id):
        before = replica_reads.times
        folded = repository.load(finished.id, SPECTATOR, upto=end)
        assert replica_reads.times > before
    repository._cache.clear()
    assert same(folded, repository.load(finished.id, SPECTATOR, upto=end))
    stream = new_stream(3)
    with replica.reading(stream):
        append(stream, [counted(4)])
        assert [row.version for rows in store.read_in_pages(stream) for row in rows] == [1, 2, 3, 4]
        assert [row.version for row in store.read(stream)] == [1, 2, 3, 4]


def same(one: MatchState, other: MatchState) -> bool:
    return (one.version, one.hash, one.state) == (other.version, other.hash, other.state)


def test_panel_log_is_searched_in_the_replica_and_read_from_the_primary(
    replica_reads: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, _ = hosted_match(moves=4)
    desk = Desk(new_account(is_organiser=True))
    plain = desk.read("/admin/log/", match=match.code)
    assert "Looked for in a replica" not in plain
    stands_there("events_public", "SELECT * FROM public.events_public WHERE stream = %s", match.id)
    with owner() as hand:
        hand.execute("UPDATE stale.events_public SET id = id || '0', version = version + 1000 WHERE version = 1")
    monkeypatch.setattr(replica, "_REPLICA", "SELECT %s::text IS NULL OR %s::text IS NULL, 5.0::float8")
    monkeypatch.setattr(replica, "_cached", replica._CachedState())
    with CaptureQueriesContext(connections[replica.ALIAS]) as there:
        page = desk.read("/admin/log/", match=match.code)
    assert any("events_public" in query["sql"] for query in there)
    assert "Looked for in a replica that is 5 s behind" in page
    assert "Version 2 of" in page and "Version 1001 of" not in page, "What the primary doesn't hold never happened."


def test_the_panels_lists_are_searched_there_and_shown_from_the_primary(replica_reads: Asked) -> None:
    match, _ = hosted_match(moves=4)
    desk = Desk(new_account(is_organiser=True))
    stands_there("matches_match", "SELECT * FROM public.matches_match WHERE id = %s", match.id)
    with owner() as hand:
        hand.execute("UPDATE stale.matches_match SET version = 31415")
    with CaptureQueriesContext(connections[replica.ALIAS]) as there:
        page = desk.read("/admin/matches/match/", q=match.code)
    assert any("matches_match" in query["sql"] for query in there)
    assert match.code in page and "31415" not in page
    with CaptureQueriesContext(connections[replica.ALIAS]) as there:
        desk.read("/admin/matches/match/")
    assert len(there) == 0, "A list that isn't searched is no search."


VIEWS = (
    "/", "/matches/{code}/", "/matches/{code}/replay/5/", "/admin/matches/{code}/control/",
    "/api/v1/matches", "/api/v1/matches/{id}", "/api/v1/matches/{id}?as=spectator", "/api/v1/matches/{id}/events",
    "/api/v1/matches/{id}/legal", "/api/v1/matches/{id}/audit", "/api/v1/events",
)  # fmt: skip


@pytest.mark.slow
def test_no_view_reads_from_it(replica_reads: Asked, finished: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    match, host = hosted_match(moves=4)
    monkeypatch.setattr(replica, "standing", lambda: pytest.fail("A view asked for the replica."))
    player = match.seats.get(number=0).account
    answered = 0
    for account in (player, host, new_account(is_organiser=True)):
        desk = Desk(account)
        for view in VIEWS:
            for match_shown in (match, finished):
                answer = desk.get(view.format(code=match_shown.code, id=match_shown.id))
                answered += answer.status_code == 200
    assert answered > 2 * len(VIEWS)
    since = dict.fromkeys((0, SPECTATOR, HOST), NOWHERE)
    assert frames.load_frames(match.id, since, {}).newest.version == repository.end_of(match.id).version
    (third,) = store.read(match.id, after=2, upto=3)
    since = dict.fromkeys(since, Point(3, third.hash))
    assert feed.news(match.id, since, datetime.now(UTC)).newest.version == repository.end_of(match.id).version
    assert chains.chain_of(finished.id, SPECTATOR, repository.end_of(finished.id).hash.hex()).fault == ""
    assert replica_reads.times == 0
