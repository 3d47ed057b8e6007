"""The house's own acts: a deal is the same however often it is tried, and bots play without being told."""

import json
from random import Random
from typing import Any
from uuid import UUID

import pytest

from events import store
from games import catalogue
from games.kernel import judge
from matches.models import Match
from matches.services import hosting, playing
from matches.services.playing import VersionMoved
from matches.storage import repository, seeds
from tests.events.staging import owner
from tests.table_setting import (
    BOT,
    at_once,
    in_another_process,
    new_account,
    play_on,
    refusal_of,
    running_match,
    send,
    wait_until,
    waits_for_seat,
)


def recorded_events(match: Match, after: int) -> list[list[Any]]:
    """Return the events recorded after a version, including their secrets."""
    rows = store.read(match.id, after=after)
    return [[row.version, row.type, row.public.decode(), row.secret and row.secret.decode()] for row in rows]


def test_deal_killed_before_its_commit_is_repeated_with_the_same_cards() -> None:
    match = running_match("higher_or_lower", new_account(), new_account())
    play_until_the_dealer_is_due(match)
    version = match.version
    killed = in_another_process(f"""
        import json, os
        from uuid import UUID
        from events import appending
        from matches.services import playing
        from tests.matches.test_dealing import recorded_events
        from matches.models import Match

        roundtrip = appending.roundtrip

        def cut_off(connection, statements):
            assert statements[-1][0] == "COMMIT"
            roundtrip(connection, statements[:-1])
            print(json.dumps(recorded_events(Match(id=UUID({str(match.id)!r})), {version})), flush=True)
            os._exit(137)

        appending.roundtrip = cut_off
        playing.deal(match_id=UUID({str(match.id)!r}), expected={version})
    """)
    assert killed.returncode == 137, killed.stderr
    assert recorded_events(match, version) == [], "what was not committed must be gone"
    wait_until(lambda: not _deal_is_locked(match))
    playing.deal(match_id=match.id, expected=version)
    dealt = recorded_events(match, version)
    assert dealt and dealt == json.loads(killed.stdout.splitlines()[-1])


def play_until_the_dealer_is_due(match: Match) -> None:
    """Play to a point where the next act is a deal that draws."""
    rng = Random(1)
    while not (match_state := repository.load(match.id)).due.dealer:
        send(match.id, match_state.due.prompts[0].seat, rng)
    match.refresh_from_db()


def _deal_is_locked(match: Match) -> bool:
    """True if the transaction of the dead process still holds its lock."""
    with owner() as hand, hand.transaction():
        cursor = hand.execute("SELECT 1 FROM events_head WHERE stream = %s FOR UPDATE SKIP LOCKED", [match.id])
        return cursor.fetchone() is None


def test_concurrent_dealers_deal_once() -> None:
    match = running_match("pentagram", new_account(), new_account())
    results = at_once([lambda: playing.deal(match_id=match.id, expected=match.version)] * 8)
    assert results.count(None) == 1
    assert all(isinstance(result, VersionMoved) for result in results if result is not None)


def test_deal_is_refused_when_none_is_due() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    deal = {"match_id": match.id, "expected": match.version}
    assert refusal_of(lambda: playing.deal(**deal)) == "nothing_due"
    with pytest.raises(VersionMoved):
        playing.deal(match_id=match.id, expected=match.version - 1)


@pytest.mark.parametrize("slug", catalogue)
def test_bots_play_every_game_to_its_end(slug: str, woken: list[UUID]) -> None:
    match = running_match(slug)
    assert woken == [match.id]
    acts = playing.attend(match_id=match.id)
    match.refresh_from_db()
    assert (match.status, match.wake) == ("finished", False)
    assert acts > 10 and playing.attend(match_id=match.id) == 0
    assert woken == [match.id], "who attends needs no other worker"
    assert [row.type for row in store.read(match.id)[-2:]] == ["match_finished", "seed_revealed"]


def test_attend_stops_where_a_person_must_act(woken: list[UUID]) -> None:
    mira = new_account()
    match, rng = running_match("pyramid_poker", mira, BOT), Random(5)
    told_to_wake = []
    for _ in range(6):
        playing.attend(match_id=match.id)
        assert waits_for_seat(match, 0)
        woken.clear()
        send(match.id, 0, rng)
        told_to_wake.append(woken == [match.id])
        assert told_to_wake[-1] != waits_for_seat(match, 0)
    assert told_to_wake.count(True) >= 4


def test_concurrent_attends_keep_the_log_unbroken() -> None:
    match = running_match("peeling_the_banana")
    results = at_once([lambda: playing.attend(match_id=match.id)] * 3)
    assert all(isinstance(result, int) for result in results), results
    match.refresh_from_db()
    assert match.status == "finished"
    rows = store.read(match.id)
    assert [row.version for row in rows] == list(range(1, match.version + 1))


def test_paused_match_is_not_attended_until_its_host_resumes_it(woken: list[UUID]) -> None:
    match = running_match("pyramid_poker")
    play_on(match, 3)
    hosting.pause(match_id=match.id, by=match.opened_by_id, reason="Tea.")
    match.refresh_from_db()
    assert (match.status, match.wake) == ("paused", False)
    assert playing.attend(match_id=match.id) == 0
    woken.clear()
    hosting.resume(match_id=match.id, by=match.opened_by_id, reason="Back.")
    assert woken == [match.id]
    assert playing.attend(match_id=match.id) > 0


def test_every_draw_of_a_deal_follows_from_the_seed_the_nonces_and_the_version() -> None:
    match = running_match("higher_or_lower", new_account(), new_account())
    play_until_the_dealer_is_due(match)
    match_state = repository.load(match.id)
    chance = seeds.chance_of(match.id, match_state.lifecycle, match_state.game_version)
    first, again = (judge.deal(match_state.game, match_state.state, chance) for _ in range(2))
    assert first == again
    assert judge.deal(match_state.game, match_state.state, chance.at(match_state.game_version + 1)) != first
