"""The deadlines of a contest's rounds: in calendars, on the season's page, and in the calls of its players."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from events import store
from matches.models import Account, Call
from matches.notifications import match_calls
from matches.seasons.reads.open_rounds import open_rounds
from matches.storage import repository
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.matches.test_calls import with_push
from tests.seasons.contest_play import TWO_VOTES, PlayedTable, set_contest
from tests.seasons.test_calendars import events, public, read
from tests.web.match_setting import client_of

DAY = timedelta(days=1)


def cup(**options: Any) -> Cup:
    """A season with an open episode."""
    cup = Cup(4, **options)
    cup.did("/episodes", {"title": "First"})
    return cup


def page(cup: Cup, reader: Guest) -> str:
    client = client_of(Account.objects.get(id=reader.id))
    return " ".join(client.get(f"/seasons/{cup.id}/matches").content.decode().split())


def test_calendars_have_the_end_of_the_open_round_until_the_contest_is_over() -> None:
    season = cup()
    table = set_contest(season, 4)
    (first,) = events(public(season))
    assert first["SUMMARY"] == "Two Votes: round 1 of 2 closes"
    assert DAY - timedelta(minutes=5) < first["DTSTART"].dt - store.clock() < DAY + timedelta(minutes=1)
    table.play_round()
    (second,) = events(public(season))
    assert second["SUMMARY"] == "Two Votes: round 2 of 2 closes"
    assert second["UID"] == first["UID"] and second["SEQUENCE"] > first["SEQUENCE"]
    table.play_out()
    assert events(public(season)) == []


def test_player_s_own_calendar_has_the_rounds_of_their_contests_alone() -> None:
    season = cup()
    set_contest(season, 3)
    mine, idle = (it.ask("PUT", "/me/calendar").json["url"] for it in (season.players[0], season.players[3]))
    assert [it["SUMMARY"] for it in events(read(mine))] == ["Two Votes: round 1 of 2 closes"]
    assert events(read(idle)) == []


def test_round_that_the_host_judges_is_named_as_such() -> None:
    season = cup()
    of_host = {**TWO_VOTES["rounds"][0], "scheme": {"kind": "host", "least": 0, "most": 5}}
    table = set_contest(season, 4, options={"content": {**TWO_VOTES, "rounds": [of_host]}})
    for seat in range(4):
        table.submit(seat, side="left")
    (event,) = events(public(season))
    assert event["SUMMARY"] == "Two Votes: round 1 of 1 is to be judged by its host"
    assert "Its host judges round 1 of 1 until" in page(season, season.players[0])


def test_season_s_page_tells_until_when_a_round_is_open() -> None:
    season = cup()
    set_contest(season, 4)
    assert "Round 1 of 2 is open until" in page(season, season.players[0])


def test_late_spectator_learns_of_a_round_as_late_as_of_the_match() -> None:
    season = cup(spectator_delay=3600)
    table = set_contest(season, 4)
    match = UUID(table.match)
    assert open_rounds([match], None) == {} == open_rounds([match], UUID(season.host.id))
    assert open_rounds([match], UUID(season.players[0].id))[match].number == 1
    assert events(public(season)) == []


def test_paused_contest_has_no_deadline() -> None:
    season = cup()
    table = set_contest(season, 4)
    assert season.host.post(f"/matches/{table.match}/pause", {"reason": "A break."}).status == 200
    assert open_rounds([UUID(table.match)], None) == {} and events(public(season)) == []


def called(table: PlayedTable, kind: str) -> list[str]:
    """The accounts with a call of this kind about the match."""
    calls = Call.objects.filter(match_id=table.match, kind=kind)
    return sorted({str(it) for it in calls.values_list("account_id", flat=True)})


def test_players_are_called_for_each_round_and_reminded_before_it_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    season = cup()
    for player in season.players:
        with_push(Account.objects.get(id=player.id))
    table = set_contest(season, 4)
    people = sorted(it.id for it in season.players)
    match_calls.queue_new_calls()
    assert called(table, "your_turn") == people
    table.submit(0, side="left")
    late = store.clock() + DAY * 9 / 10
    with monkeypatch.context() as later:
        later.setattr(store, "clock", lambda: late)
        match_calls.remind()
    seated = str(repository.load(UUID(table.match)).lifecycle.players[0])
    assert called(table, "reminder") == [it for it in people if it != seated], "Who has submitted isn't reminded."
    table.play_round()
    match_calls.queue_new_calls()
    assert Call.objects.filter(match_id=table.match, kind="your_turn", account_id=people[0]).count() == 2
