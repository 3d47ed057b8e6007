"""Moves that need no door: where player and process have seen the same position one trip stores the act.

Whatever that trip can't do, the door does after it: no player is refused for what a process didn't know.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from events import estimated_clock, store
from events.optimistic import OptimisticAppend
from games import catalogue
from games.kernel import Command
from matches import services
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.services import playing
from matches.storage import repository
from tests.table_setting import new_account, play_on, running_match


class Tries:
    """How often the one trip was tried, and how often it was enough."""

    made = stored = 0


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tries]:
    """Counts."""
    found = Tries()

    class Counted(OptimisticAppend):
        def append(self, *events: Any, **more: Any) -> Any:
            found.made += 1
            rows = super().append(*events, **more)
            found.stored += 1
            return rows

    monkeypatch.setattr(playing, "OptimisticAppend", Counted)
    yield found


@pytest.fixture
def match() -> Match:
    """Two people at a pyramid, both bricks of the beginning dealt."""
    match = running_match("pyramid_poker", new_account(), new_account())
    play_on(match, 2)
    return match


@pytest.fixture
def fall_behind(monkeypatch: pytest.MonkeyPatch) -> Callable[[Match, MatchState], None]:
    """Makes this process one that has seen nothing since."""

    def fall(match: Match, seen: MatchState) -> None:
        monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
        repository.remember(match.id, seen)

    return fall


def move(match: Match, **more: Any) -> services.Accepted:
    """The bot's choice for the seat whose turn it is, on the version that this process has seen last."""
    seen = repository.last_seen(match.id)
    assert seen is not None
    estimated_clock.read_off(store.clock())
    seat = seen.due.prompts[0].seat
    command: Command = seen.game.bot(repository.load(match.id, seat, upto=seen.version).state, seat, Random(1))
    asked = {"command": command, "key": f"at {seen.version}", "fingerprint": b"f", "expected": seen.version} | more
    return services.submit(match_id=match.id, seat=seat, player=str(seen.lifecycle.players[seat]), **asked)


@pytest.mark.parametrize("game", sorted(catalogue))
def test_what_is_stored_at_once_is_read_again_as_it_was_thought(game: str, tries: Tries) -> None:
    played, moves = running_match(game, new_account(), new_account()), 0
    while moves < 30 and (match_state := repository.load(played.id)).outcome is None:
        if match_state.due.dealer:
            services.deal(match_id=played.id, expected=match_state.version)
        else:
            move(played)
            moves += 1
    # A busy machine may need more than the 10 ms that the database allows, now and then.
    assert tries.made == moves and tries.stored > 0
    kept = repository.load(played.id)
    assert repository.load(played.id, upto=kept.version) == kept


def test_a_position_that_another_process_has_left_is_left_here_too(
    match: Match, tries: Tries, fall_behind: Callable[[Match, MatchState], None]
) -> None:
    seen = repository.load(match.id)
    move(match)
    moved, stored = repository.load(match.id), tries.stored
    fall_behind(match, seen)
    with pytest.raises(services.VersionMoved) as refused:
        move(match, key="another")
    assert refused.value.current == moved.version
    assert (tries.made, tries.stored) == (2, stored)
    assert repository.load(match.id) == moved


def test_an_aside_that_this_process_has_not_seen_stops_nobody(
    match: Match, tries: Tries, fall_behind: Callable[[Match, MatchState], None]
) -> None:
    seen = repository.load(match.id)
    services.rule(match_id=match.id, by=match.opened_by_id, text="Speak up, please.")
    fall_behind(match, seen)
    told = move(match)
    assert (tries.made, tries.stored) == (1, 0)
    types = [row.type for row in store.read(match.id, after=seen.version)]
    assert types[0] == "ruling_posted" and told.version == seen.version + len(types) > seen.version + 1


def test_who_missed_more_asides_than_are_looked_through_is_told_to_look_again(
    match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "_MOST_ASIDES", 2)
    seen = repository.load(match.id).version
    for text in ("One.", "Two.", "Three."):
        services.rule(match_id=match.id, by=match.opened_by_id, text=text)
    with pytest.raises(services.VersionMoved):
        move(match, expected=seen)
    assert move(match, expected=seen + 1).version > seen + 3


def test_a_retry_from_a_process_that_missed_the_first_gets_the_first_answer(
    match: Match, tries: Tries, fall_behind: Callable[[Match, MatchState], None]
) -> None:
    seen = repository.load(match.id)
    first, stored = move(match), tries.stored
    fall_behind(match, seen)
    assert move(match) == first._replace(replayed=True)
    assert (tries.made, tries.stored) == (2, stored)
    assert store.head(match.id).version == first.version


@pytest.mark.parametrize("off", [timedelta(seconds=5), timedelta(seconds=-5)])
def test_a_process_whose_time_is_wrong_stores_the_databases(
    match: Match, tries: Tries, off: timedelta, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = store.clock()
    monkeypatch.setattr(playing.estimated_clock, "now", lambda: store.clock() + off)
    told = move(match)
    assert tries.stored == 0
    (row,) = store.read(match.id, after=told.version - 1)
    assert before <= row.at <= store.clock()


def test_a_process_that_was_told_no_time_asks_at_the_door(
    match: Match, tries: Tries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing.estimated_clock, "now", lambda: None)
    move(match)
    assert tries.made == 0


@pytest.mark.parametrize("expected", [None, 3])
def test_who_names_no_version_or_another_one_goes_to_the_door(match: Match, tries: Tries, expected: int | None) -> None:
    try:
        move(match, expected=expected)
    except services.VersionMoved:
        assert expected == 3
    assert tries.made == 0
