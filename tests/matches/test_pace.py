"""Bots rest before they move where people follow them: where a person plays, and at the show match."""

from collections.abc import Iterator
from datetime import timedelta
from math import inf
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db.models.functions import Now

from matches import tasks
from matches.domain import show
from matches.domain.clocks import ClockTimes
from matches.models import Account, Match
from matches.publishing import presence
from matches.reads import selectors
from matches.services import playing
from matches.storage import repository
from matches.workers import pace
from matches.workers import show as shows
from matches.workers.worker_threads import WorkerThreads
from tests.table_setting import BOT, new_account, running_match, wait_until


@pytest.fixture(autouse=True)
def long_rests(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rests that no test lives to see the end of; nobody has looked at the front page."""
    monkeypatch.setattr(settings, "BOT_REST_SECONDS", 3600.0)
    monkeypatch.setattr(settings, "SHOW_REST_SECONDS", 3600.0)
    presence.forget(show.AUDIENCE, presence.watcher("front"))
    yield
    presence.forget(show.AUDIENCE, presence.watcher("front"))


def somebody_looks() -> None:
    presence.note({show.AUDIENCE: [presence.watcher("front")]})


def rest_of(match: Match) -> float:
    return pace.rest(match.id, repository.load(match.id))


def bot_to_move(*seats: Account | str, **setting: Any) -> Match:
    """A match in which a bot is to move."""
    match = running_match("pentagram", *seats, **setting)
    playing.attend(match_id=match.id, rests=lambda _: True)
    return match


def newest_show() -> Match:
    """Return the newest show match after its dealer has acted."""
    somebody_looks()
    shows.keep()
    match = Match.objects.filter(opened_by=show.OPENER).latest("opened_at")
    playing.attend(match_id=match.id, rests=lambda _: True)
    return match


def test_bot_rests_before_answering_a_person_and_not_among_bots() -> None:
    assert 3500 < rest_of(bot_to_move(BOT, new_account())) <= 3600
    assert rest_of(bot_to_move(BOT, BOT)) == 0


def test_bot_moves_once_its_rest_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    match = bot_to_move(BOT, new_account())
    assert tasks._serve(match.id) is not None
    before = repository.version_of(match.id)
    monkeypatch.setattr(settings, "BOT_REST_SECONDS", 1e-6)
    assert tasks._serve(match.id) is None, "It waits for the person now."
    assert repository.version_of(match.id) > before


def test_rest_of_a_bot_ends_before_its_flag_falls(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = {"turn": ClockTimes(base=600)}
    monkeypatch.setattr(settings, "BOT_REST_SECONDS", 59.0)
    match = bot_to_move(BOT, new_account(), clocks=clocks)
    assert rest_of(match) > 0
    monkeypatch.setattr(settings, "BOT_REST_SECONDS", 61.0)
    assert rest_of(match) == 0


def test_resting_match_is_served_next_when_its_rest_is_over() -> None:
    match = bot_to_move(BOT, new_account())
    served: list[UUID] = []

    def serve(match_id: UUID) -> float | None:
        served.append(match_id)
        return 0.05 if len(served) < 3 else None

    worker_threads = WorkerThreads(serve, threads=1)
    worker_threads.attend_to(selectors.work_of([match.id]))
    try:
        wait_until(lambda: len(served) == 3)
    finally:
        worker_threads.stop()
    assert served == [match.id] * 3


def test_show_is_opened_only_while_somebody_watches() -> None:
    Match.objects.filter(opened_by=show.OPENER).update(status="finished", changed_at=Now() - timedelta(hours=1))
    before = Match.objects.filter(opened_by=show.OPENER).count()
    shows.keep()
    assert Match.objects.filter(opened_by=show.OPENER).count() == before
    match = newest_show()
    assert (match.status, match.season_id) == ("running", None)
    assert all(seat.is_bot for seat in match.seats.all())
    shows.keep()
    assert Match.objects.filter(opened_by=show.OPENER).count() == before + 1, "One at a time."


def test_show_rests_at_its_own_pace_and_stops_without_watchers(monkeypatch: pytest.MonkeyPatch) -> None:
    match = newest_show()
    assert rest_of(match) > 3500
    monkeypatch.setattr(settings, "SHOW_REST_SECONDS", 1e-6)
    assert rest_of(match) == 0
    presence.forget(show.AUDIENCE, presence.watcher("front"))
    assert rest_of(match) == inf and tasks._serve(match.id) is None
    presence.note({match.id: [presence.watcher("somebody")]})
    assert rest_of(match) == 0, "Who watches the match itself looks too."


def test_next_show_is_of_the_next_game_a_while_after_the_end() -> None:
    match = newest_show()
    Match.objects.filter(id=match.id).update(status="finished", changed_at=Now())
    assert newest_show() == match
    Match.objects.filter(id=match.id).update(changed_at=Now() - timedelta(minutes=1))
    following = newest_show()
    assert following.game == shows.next_game(match.game) != match.game
    assert following != match


def test_disabled_show_opens_no_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "SHOW_REST_SECONDS", 0.0)
    before = Match.objects.count()
    somebody_looks()
    shows.keep()
    assert Match.objects.count() == before


def test_account_that_opens_the_show_cannot_sign_in() -> None:
    account = newest_show().opened_by
    assert not account.is_active and not account.has_usable_password()
