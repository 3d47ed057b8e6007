"""One feed over all matches: nothing is missed and nothing told that a match's own events don't tell."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core import signing
from django.db import connection, connections

from events import store
from events.migrations import __path__ as migrations
from events.store import StreamTransaction
from matches.api import feed_views
from matches.domain.events import RulingPosted
from matches.reads import all_matches
from matches.reads.all_matches import Mark
from matches.seasons.models import Member
from matches.storage import codec, order, repository
from matches.storage.order import Place
from tests.api.guests import Guest, guest, opened, started
from tests.api.seasons import Cup
from tests.events.staging import owner
from tests.table_setting import at_once, wait_until

WHY = {"reason": "A test."}


class Follower:
    """Somebody who follows the feed from now on, page by page."""

    def __init__(self, reader: Guest, limit: int = 500, **query: Any) -> None:
        self.reader, self.query = reader, {"limit": limit} | query
        self.after: dict[str, str] = {}

    def told(self) -> list[tuple[str, int]]:
        """Return match and version of each new event."""
        return [(it["match"], it["event"]["version"]) for it in self.events()]

    def events(self) -> list[dict[str, Any]]:
        results = []
        while True:
            page = self.reader.get("/events", self.query | self.after).json
            self.after = {"after": page["next"]}
            results += page["results"]
            if not page["more"]:
                return results


def newcomer(reader: Guest) -> Follower:
    """A follower who has read all that there was, of other tests too."""
    follower = Follower(reader)
    while order.place():
        pass
    with connection.cursor() as cursor:
        cursor.execute("SELECT coalesce(max(position), 0) + 1 FROM events_place")
        follower.after = {"after": feed_views._cursor_of(Mark(position=cursor.fetchone()[0]))}
    return follower


def waiting(host: Guest) -> str:
    """A match of two others."""
    return opened(host, "pyramid_poker", guest(), guest())


def rule(match: str, host: Guest) -> int:
    """Something happens; gives its version."""
    assert host.post(f"/matches/{match}/rule", WHY).status == 200
    return int(store.head(UUID(match)).version)


def own_events(reader: Guest, match: str) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = reader.get(f"/matches/{match}/events", {"limit": 500}).json["results"]
    return events


def test_feed_equals_the_events_of_each_match_for_every_witness() -> None:
    host, first, second, watcher = (guest() for _ in range(4))
    followers = {reader.id: newcomer(reader) for reader in (first, second, watcher)}
    ours = [started(game, first, second, opener=host) for game in ("pyramid_poker", "reality_benders")]
    assert first.send(ours[0], "first 0").status == 201
    secrets = {}
    for reader in (first, second, watcher):
        results = [it for match in ours for it in Follower(reader, 3, match=match).events()]
        assert [it["event"] for it in results] == [it for match in ours for it in own_events(reader, match)]
        assert {it["witness"] for it in results} == {reader.get(f"/matches/{ours[0]}").json["witness"]}
        whole = followers[reader.id].events()
        for match in ours:
            assert [it["event"] for it in whole if it["match"] == match] == own_events(reader, match)
        secrets[reader.id] = str([it["event"] for it in results])
    assert secrets[first.id] != secrets[watcher.id], "Seat 0 knows what it has drawn."
    assert secrets[second.id] == secrets[watcher.id], "Seat 1 knows nothing yet."


def test_feed_has_the_same_order_at_every_page_size_and_resumes_anywhere() -> None:
    host, player = guest(), guest()
    for _ in range(2):
        started("pyramid_poker", player, guest(), opener=host)
    whole = Follower(player, mine=1).told()
    assert len(whole) == len(set(whole)) > 6
    assert Follower(player, 1, mine=1).told() == whole
    assert Follower(player, 2, mine=1).told() == whole


@contextmanager
def appending_late(match: str) -> Iterator[Thread]:
    """An append that has written its event, and commits once the block is left."""
    key = 4711
    with psycopg.connect(**connection.get_connection_params(), autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", [key])

        def append() -> None:
            event = codec.pack(RulingPosted(text="Late."))
            with StreamTransaction(UUID(match), actor="tester") as transaction:
                wait = ("SELECT pg_advisory_xact_lock($1)", (key,))
                transaction.append([event], expected=transaction.version, also=[wait])
            connections.close_all()

        thread = Thread(target=append)
        thread.start()
        waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = %s AND NOT granted"
        wait_until(lambda: holder.execute(waits, [key]).fetchone()[0] == 1)
        yield thread
        holder.execute("SELECT pg_advisory_unlock(%s)", [key])
        thread.join()


def test_event_committed_after_a_later_one_is_not_missed() -> None:
    host, reader = guest(), guest()
    slow, fast = (waiting(host) for _ in range(2))
    follower = newcomer(reader)
    with appending_late(slow):
        version = rule(fast, host)
        assert (fast, version) in follower.told()
    assert [it for it in follower.told() if it[0] == slow] == [(slow, store.head(UUID(slow)).version)]


def test_concurrently_assigned_places_are_assigned_once() -> None:
    host, reader = guest(), guest()
    matches = [waiting(host) for _ in range(4)]
    follower = newcomer(reader)
    expected = {(match, rule(match, host)) for match in matches for _ in range(5)}
    pages = at_once([lambda: reader.get("/events", {"limit": 500} | follower.after).status for _ in range(6)])
    assert pages == [200] * 6
    places = [it for it in follower.told() if it[0] in matches]
    assert len(places) == len(set(places))
    assert set(places) == expected


def test_private_match_is_fed_to_current_members_of_its_season_only() -> None:
    cup, stranger = Cup(3, public=False), guest()
    followers = [newcomer(cup.auditor), newcomer(stranger)]
    again = newcomer(cup.auditor)
    match = cup.death_match()
    inside, outside = ([it for it in follower.told() if it[0] == match] for follower in followers)
    assert inside and not outside
    assert not Follower(stranger, match=match).told() and not Follower(stranger, season=cup.id).told()
    assert {it[0] for it in Follower(cup.auditor, season=cup.id).told()} == {match}
    Member.objects.filter(season=cup.id, account=cup.auditor.id).delete()
    rule(match, cup.host)
    assert not [it for it in followers[0].told() if it[0] == match], "A right that was lost ends it."
    assert not [it for it in again.told() if it[0] == match]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Lets the delay of a match pass."""
    passed = []

    def pass_by(match: str) -> None:
        passed.append(match)
        everything = {UUID(match): repository.version_of(UUID(match))}
        before = store.aged
        monkeypatch.setattr(store, "aged", lambda stream, seconds: everything.get(stream) or before(stream, seconds))
        with owner() as hand:
            hand.execute("UPDATE events_held SET due_at = clock_timestamp() WHERE stream = %s", [match])

    yield pass_by
    forget_places("stream = ANY(%s::uuid[]) AND late", passed)


def forget_places(condition: str, value: object) -> None:
    """Let the owner remove places, as if they had never been given."""
    with owner() as hand, hand.transaction():
        hand.execute("ALTER TABLE events_place DISABLE TRIGGER events_place_only_archived")
        hand.execute("ALTER TABLE events_placed DISABLE TRIGGER events_placed_counted_alone")
        removed = hand.execute(f"DELETE FROM events_place WHERE {condition}", [value]).rowcount  # noqa: S608
        hand.execute("UPDATE events_placed SET removed = removed + %s", [removed])
        hand.execute("ALTER TABLE events_placed ENABLE ALWAYS TRIGGER events_placed_counted_alone")
        hand.execute("ALTER TABLE events_place ENABLE ALWAYS TRIGGER events_place_only_archived")


def delayed(host: Guest, *players: Guest) -> str:
    return started("pyramid_poker", *players, opener=host, spectator_delay=600)


def test_delayed_match_is_fed_at_once_to_players_and_later_to_others(later: Any) -> None:
    host, first, second, watcher = (guest() for _ in range(4))
    sitter, onlooker = newcomer(first), newcomer(watcher)
    match = delayed(host, first, second)
    every = [(match, version) for version in range(1, rule(match, host) + 1)]
    assert sitter.told() == every
    assert not onlooker.told()
    later(match)
    assert onlooker.told() == every
    assert not sitter.told(), "What it knows isn't told again."
    assert Follower(first, mine=1).told() == Follower(watcher, match=match).told() == every


def test_cursor_reveals_nothing_of_a_delayed_match_to_others() -> None:
    host, first, second, watcher = (guest() for _ in range(4))
    match, other = delayed(host, first, second), waiting(host)
    onlooker = newcomer(watcher)
    rule(other, host)
    (place,) = onlooker.told()
    before = signing.loads(onlooker.after["after"], salt=feed_views._SALT)
    rule(match, host)
    assert not onlooker.told()
    assert signing.loads(onlooker.after["after"], salt=feed_views._SALT) == before
    assert before[:2] == [other, place[1]], "It names what was told, and no place among what wasn't."


def test_substitute_during_the_delay_misses_no_earlier_event(later: Any) -> None:
    host, first, second, heir = (guest() for _ in range(4))
    follower = newcomer(heir)
    match = delayed(host, first, second)
    rule(match, host)
    assert not follower.told()
    taken = {"seat": 1, "player": heir.id} | WHY
    assert host.post(f"/matches/{match}/substitute", taken).status == 200
    seated = store.head(UUID(match)).version
    assert follower.told() == [(match, seated)]
    rule(match, host)
    assert follower.told() == [(match, seated + 1)]
    later(match)
    assert follower.told() == [(match, version) for version in range(1, seated)]


def test_leaver_gets_later_events_with_the_spectator_delay_and_misses_none(later: Any) -> None:
    host, first, second, heir = (guest() for _ in range(4))
    match = delayed(host, first, second)
    follower = newcomer(second)
    taken = {"seat": 1, "player": heir.id} | WHY
    assert host.post(f"/matches/{match}/substitute", taken).status == 200
    newest = rule(match, host)
    assert not follower.told()
    later(match)
    assert follower.told() == [(match, version) for version in range(1, newest + 1)]


def test_seat_lost_while_the_page_is_made_reveals_nothing_of_its_new_holder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    host, first, second, heir = (guest() for _ in range(4))
    match = delayed(host, first, second)
    follower = newcomer(second)
    version = rule(match, host)
    read = all_matches._Rights

    def then_substituted(*words: Any) -> Any:
        monkeypatch.setattr(all_matches, "_Rights", read)
        rights = read(*words)
        assert host.post(f"/matches/{match}/substitute", {"seat": 1, "player": heir.id} | WHY).status == 200
        return rights

    order.place()
    monkeypatch.setattr(all_matches, "_Rights", then_substituted)
    assert (match, version) not in follower.told()


def test_match_with_a_broken_record_does_not_stop_the_feed(monkeypatch: pytest.MonkeyPatch) -> None:
    host, reader = guest(), guest()
    broken, sound = (waiting(host) for _ in range(2))
    follower, read = newcomer(reader), all_matches.feed.events

    def frozen(match_id: UUID, *words: Any) -> Any:
        if str(match_id) == broken:
            raise repository.BrokenRecord(broken)
        return read(match_id, *words)

    expected = [rule(broken, host), rule(sound, host)]
    monkeypatch.setattr(all_matches.feed, "events", frozen)
    follower.query["limit"] = 1
    assert follower.told() == [(sound, expected[1])]


def test_forged_cursor_is_refused_and_one_of_a_lost_history_gets_409() -> None:
    host, reader = guest(), guest()
    match = waiting(host)
    for forged in ("", "x", "WyJhIl0:abc:def", signing.dumps(["a", 1, False, ""], salt="another")):
        assert reader.get("/events", {"after": forged}).json["code"] == "malformed"
    for lost in (["0" * 12], [None]):
        cursor = [match, 1, False, lost[0] or "f" * 12]
        refused = reader.get("/events", {"after": signing.dumps(cursor, salt=feed_views._SALT)})
        assert (refused.status, refused.json["code"]) == (409, "history_changed")


def test_a_long_stretch_with_nothing_for_the_reader_is_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    host, reader = guest(), guest()
    late = delayed(host, guest(), guest())
    follower = newcomer(reader)
    monkeypatch.setattr(all_matches, "_WINDOW", 2)
    monkeypatch.setattr(all_matches, "_WINDOWS", 2)
    for _ in range(9):
        rule(late, host)
    match = waiting(host)
    assert follower.told() == [(match, version) for version in range(1, store.head(UUID(match)).version + 1)]


@pytest.mark.in_process
@pytest.mark.parametrize("sits", [True, False], ids=["a player", "a spectator told late"])
def test_a_page_of_one_event_reads_few_places_of_the_order(sits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    host, player = guest(), guest()
    follower, late = newcomer(player), delayed(host, player if sits else guest(), guest())
    for _ in range(30):
        rule(late, host)
    match = waiting(host)
    wanted = [match, *([late] if sits else [])]
    read, places = order.read, list[int]()

    def counted(*details: Any) -> list[Place]:
        rows = read(*details)
        places.append(len(rows))
        return rows

    monkeypatch.setattr(order, "read", counted)
    position = follower.after
    everything = [it for it in follower.told() if it[0] in wanted]
    passed, pages = sum(places), Follower(player, 1)
    pages.after, pages_read = position, list[int]()
    places_read: list[tuple[str, int]] = []
    while len(places_read) < len(everything):
        places.clear()
        page = player.get("/events", {"limit": 1} | pages.after).json
        pages.after = {"after": page["next"]}
        places_read += [
            it for result in page["results"] if (it := (result["match"], result["event"]["version"]))[0] in wanted
        ]
        pages_read.append(sum(places))
    assert places_read == everything
    # All that the reader may not see is passed in one page; a place that it may see begins with the next.
    assert max(pages_read) <= (10 if sits else 4 * passed) and pages_read[-1] <= 10


def test_events_from_before_the_order_are_placed_before_later_ones() -> None:
    host, reader = guest(), guest()
    match = waiting(host)
    order.place()
    forget_places("stream = %s", match)
    later = rule(match, host)
    text = (Path(migrations[0]) / "0008_earlier_events_placed.py").read_text("utf-8")
    with owner() as hand:
        hand.execute(re.search(r'PLACED = """(.*?)"""', text, re.DOTALL)[1])
    assert Follower(reader, match=match).told() == [(match, version) for version in range(1, later + 1)]
