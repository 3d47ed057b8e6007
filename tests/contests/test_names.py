"""Players' names in place of seats, on every interface that tells of submissions."""

from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest
from django.urls import reverse

from events import store
from games.kernel import SPECTATOR
from matches.audit import history
from matches.html import record
from matches.models import Account, Match
from matches.panel.audit.listed_events import match_sentence, states_after
from matches.reads import feed
from matches.reads.sentences import names_of
from matches.services import hosting
from matches.storage import repository
from tests.api.guests import guest
from tests.contests.table import ContestMatch
from tests.events.staging import tamper
from tests.panel.office import Desk, room

PLAYER: dict[str, Any] = {"name": "pick", "title": "Friend", "fields": [{"kind": "player", "name": "pick"}]}
NUMBER: dict[str, Any] = {"name": "bid", "title": "The bid", "fields": [{"kind": "number", "name": "pick"}]}


@pytest.fixture
def match() -> ContestMatch:
    """Return a contest that has asked for a player, then for a number, in fields of the same name."""
    begun = ContestMatch.begun(PLAYER, NUMBER, NUMBER | {"name": "last"})
    begun.submitted(0, pick=1).submitted(1, pick=2).submitted(2, pick=1)
    return begun.submitted(pick=2)


def lines(match: ContestMatch, after: int = 0) -> list[str]:
    state = feed.visible_state(UUID(match.id), SPECTATOR)
    events = record.witnessed_events(UUID(match.id), SPECTATOR, after, state.version)
    return [line.text for line in record.lines(state, UUID(match.id), events, names_of(match.row))]


def published(match: ContestMatch) -> tuple[str, str]:
    """Return the sentences of what the first two rounds have published, with the players' names."""
    names = names_of(match.row)
    friends = "; ".join(f"{name}: pick {names[friend]}" for name, friend in zip(names, (1, 2, 1), strict=True))
    return f"The submissions: {friends}.", f"The submissions: {'; '.join(f'{name}: pick 2' for name in names)}."


def test_lines_of_pages_name_players(match: ContestMatch) -> None:
    of_match = lines(match)
    assert set(published(match)) <= set(of_match)
    closed = of_match.index(published(match)[0])
    later = match.row.version - len(of_match) + closed
    assert published(match)[1] in lines(match, after=later + 5), "A page needn't begin with the contest."


def test_lines_name_players_across_a_rewind(match: ContestMatch) -> None:
    expected = published(match)
    back = next(event["version"] for event in match.host.get(f"/matches/{match.id}/events").json["results"]
                if event["type"] == "round_opened")  # fmt: skip
    hosting.rewind(match_id=UUID(match.id), by=UUID(match.host.id), to_version=back, reason="Again.")
    match.submitted(0, pick=2).submitted(1, pick=0).submitted(2, pick=0)
    names, told = names_of(match.row), lines(match)
    assert set(expected) <= set(told)
    again = "; ".join(f"{name}: pick {names[friend]}" for name, friend in zip(names, (2, 0, 0), strict=True))
    assert told.index(f"The submissions: {again}.") > told.index(expected[1])


def test_page_with_more_rewinds_is_told_without_more_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    match, read, counts = ContestMatch.begun(PLAYER), store.read, list[int]()
    begun = match.row.version
    for rewinds in (2, 6):
        while match.types().count("match_rewound") < rewinds:
            match.submitted(0, pick=1)
            hosting.rewind(match_id=UUID(match.id), by=UUID(match.host.id), to_version=begun, reason="Again.")
        match.submitted(0, pick=1)
        reads = Mock(wraps=read)
        with monkeypatch.context() as counted:
            counted.setattr(store, "read", reads)
            assert match.host.get(f"/matches/{match.id}/events").json["results"]
        counts.append(reads.call_count)
    assert counts[1] == counts[0] > 0


def test_texts_over_rest_name_seats(match: ContestMatch) -> None:
    events = match.host.get(f"/matches/{match.id}/events").json["results"]
    closed = [event["text"] for event in events if event["type"] == "round_closed"]
    assert '"Seat 1"' in closed[0] and '"Seat' not in closed[1]
    (third,) = [event for event in events if event["text"] == closed[0]]
    assert history.moment(UUID(match.id), SPECTATOR, third["version"], match.row.version).text == closed[0]


def test_response_to_a_submission_names_the_seat() -> None:
    match = ContestMatch.begun(PLAYER, NUMBER)
    answer = match.submit(0, pick=2)
    assert answer.json["events"][0]["text"] == 'Seat 0 submits: pick "Seat 2".'


def test_log_of_all_events_names_players(match: ContestMatch) -> None:
    row = Match.objects.prefetch_related("seats__account").get(id=match.id)
    stored = store.read(row.id)
    after = states_after(row, stored)
    told = [match_sentence(row, it, SPECTATOR, names_of(row), after.get(it.version)) for it in stored]
    assert set(published(match)) <= set(told)


def test_log_with_a_broken_record_is_still_read(match: ContestMatch, monkeypatch: pytest.MonkeyPatch) -> None:
    forged = "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2"
    tamper(lambda owner: owner.execute(forged, [match.id]))
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    auditor = Desk(Account.objects.get(id=guest(is_organiser=True).id))
    listed = auditor.read("/admin/log/", match=match.id)
    assert "The submissions: " in listed and auditor.get("/admin/log/").status_code == 200


def test_typed_command_names_a_player() -> None:
    match = ContestMatch.begun(PLAYER, NUMBER)
    name = names_of(match.row)[1]
    answer = match.players[0].send(match.id, {"text": f"submit pick {name}"})
    assert answer.status == 201 and answer.json["events"][0]["values"] == {"pick": 1}


def test_pages_show_no_number_in_place_of_a_player(match: ContestMatch) -> None:
    code = match.row.code
    replay = reverse("web:match-replay-at", args=[code, match.row.version])
    for page in (room(match.row), reverse("web:match", args=[code]), replay):
        shown = match.desk.read(page)
        assert published(match)[0] in shown and published(match)[1] in shown
