"""Tasks of a season's officials: calls by every way, the lobby and the dashboard, and whom it concerns."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from django.test import Client

from events import store
from matches.models import Account, Call, Notice
from matches.notifications import notices
from matches.seasons import calls, personal_notices, process_manager, repository, timekeeping
from matches.seasons.domain import episodes, results, roster
from matches.seasons.domain.steps import pending_steps
from matches.seasons.models import Season
from matches.seasons.reads import officials
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup, deliver
from tests.pages import as_read
from tests.seasons.test_delivery import Stored
from tests.table_setting import new_account


def calls_of(account: Account | Guest, kind: str = "official") -> list[str]:
    """The kinds of what waits, as the account's list tells it."""
    rows = Call.objects.filter(account_id=account.id, kind=kind, way="page").order_by("made_at")
    return [it.split(" ")[0] for it in rows.values_list("cause", flat=True)]


def queue_calls_twice() -> None:
    """Queue the new calls twice, as two workers do."""
    for _ in range(2):
        calls.queue_new_calls()


def lobby_of(account: Account) -> str:
    client = Client(headers={"host": "localhost"})
    client.force_login(account)
    return as_read(client.get("/"))


def asks_to_play(cup: Cup) -> Guest:
    """A newcomer who has asked to play by a link that takes approval."""
    cup.did("/joining-links", {"approval": True})
    secret = urlsplit(cup.read("/joining-links")["results"][-1]["url"]).path.rpartition("/")[2]
    newcomer = guest()
    assert newcomer.post(f"/seasons/joining/{secret}", {}, Idempotency_Key=str(uuid4())).status == 201
    return newcomer


def test_application_notifies_the_organisers_once_and_nobody_else() -> None:
    cup = Cup(3)
    newcomer = asks_to_play(cup)
    queue_calls_twice()
    assert calls_of(cup.organiser) == ["application"]
    assert [calls_of(it) for it in (cup.host, cup.auditor, newcomer, *cup.players)] == [[]] * 6


def test_an_admitted_applicant_is_answered_and_not_invited() -> None:
    cup = Cup(3)
    newcomer = asks_to_play(cup)
    cup.did(f"/applications/{newcomer.id}/admit")
    queue_calls_twice()
    assert calls_of(newcomer, "answer") and not calls_of(newcomer, "invitation")
    assert calls_of(cup.players[0], "invitation"), "an organiser has enrolled this one"


def test_result_to_approve_notifies_the_organisers() -> None:
    season = Stored()
    queue_calls_twice()
    season.finished()
    deliver()
    queue_calls_twice()
    assert "result" in calls_of(season.organiser)
    assert "1 result to approve" in lobby_of(season.organiser)
    season.act(lambda it, by: results.approve(it, by, str(season.match)))
    assert "to approve" not in lobby_of(season.organiser)


def test_match_without_a_time_is_listed_in_the_lobby_until_it_begins() -> None:
    season = Stored()
    process_manager.settle_tables(season.id)
    assert "1 match without a time" in lobby_of(season.organiser)
    season.opened()
    assert "without a time" not in lobby_of(season.organiser)


def test_match_without_a_time_notifies_other_officials_than_its_author() -> None:
    season = Stored()
    other = new_account()
    season.act(lambda it, by: roster.appoint(it, by, str(other.id), "organiser"))
    queue_calls_twice()
    assert "time" in calls_of(other)
    newest = list(repository.revisions(season.id))[-1]
    assert newest.row.actor == str(season.organiser.id) and calls_of(season.organiser) == []


def lapsed() -> Stored:
    """A season in which nobody has given the second token in time."""
    season = Stored(token_minutes=1, least_notice_minutes=1, decision_default="organiser")
    season.act(lambda it, by: results.annul(it, by, str(season.match), "A fresh start."))
    season.act(lambda it, by: episodes.close_episode(it, by, "No death match."))
    season.act(lambda it, by: episodes.open_episode(it, by, "Second"))
    names = [str(player.id) for player in season.players]
    season.act(lambda it, by: episodes.record_main_match(it, by, "Dice", names[1:2], names[2:]))
    return season


def test_lapsed_decision_notifies_the_organisers(monkeypatch: pytest.MonkeyPatch) -> None:
    season, clock = lapsed(), store.clock
    monkeypatch.setattr(store, "clock", lambda: clock() + timedelta(minutes=2))
    while timekeeping.keep_time(season.id):
        pass
    monkeypatch.undo()
    assert [it.kind for it in pending_steps(repository.load(season.id)) if it.notice] == ["token"]
    queue_calls_twice()
    assert calls_of(season.organiser) == ["decision"]
    assert "A decision that nobody took in time" in lobby_of(season.organiser)


def test_organiser_who_plays_in_a_season_is_not_notified_as_an_official() -> None:
    cup = Cup(3)
    second = guest(is_organiser=True)
    cup.did("/players", {"player": second.id})
    asks_to_play(cup)
    queue_calls_twice()
    assert calls_of(second) == []
    assert "application" not in lobby_of(Account.objects.get(id=second.id))


def test_webhook_of_an_organiser_gets_applications() -> None:
    cup = Cup(3)
    organiser = Account.objects.get(id=cup.organiser.id)
    notices.set_webhook(organiser, "https://hooks.example.org/x")
    asks_to_play(cup)
    personal_notices.queue_new_notices()
    kinds: list[Any] = list(Notice.objects.filter(webhook__account=organiser).values_list("kind", "season_id"))
    assert ("official", UUID(cup.id)) in kinds


def test_most_recently_changed_seasons_are_listed_beyond_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(officials, "_MOST_SEASONS", 1)
    asks_to_play(Cup(2))
    cup = Cup(2)
    asks_to_play(cup)
    boss = new_account(is_organiser=True)
    assert [str(it.season_id) for it in officials.waiting_for(boss, Season.objects.all())] == [cup.id]
