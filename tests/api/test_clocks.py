"""Clocks over REST: what is told of them, and flags that fall because somebody comes."""

from typing import Any
from uuid import uuid4

import pytest

from matches.reads import selectors
from tests.api.guests import Guest, guest
from tests.waiting import wait_until


def match_with(clocks: Any, one: Guest, other: Guest) -> str:
    body = {"game": "pyramid_poker", "seats": [{"player": one.id}, {"player": other.id}], "clocks": clocks}
    match: str = one.post("/matches", body).json["id"]
    assert one.post(f"/matches/{match}/start", {"reason": "now"}).status == 200
    return match


def overdue(match: str) -> bool:
    row = selectors.match_by(match)
    return bool(row and row.overdue)


def types(match: str, reader: Guest) -> list[str]:
    return [event["type"] for event in reader.get(f"/matches/{match}/events").json["results"]]


def test_a_match_has_the_games_clocks_unless_its_opener_changes_them() -> None:
    one, other = guest(), guest()
    match = match_with({"turn": {"reserve": 0}}, one, other)
    clocks = one.get(f"/matches/{match}").json["clocks"]
    assert clocks["times"]["turn"] == {"base": 60, "reserve": 0, "increment": 1}
    assert clocks["times"]["choice"]["base"] == 86400
    assert [(run["seat"], run["clock"]) for run in clocks["running"]] == [(0, "choice")]


def test_a_match_by_correspondence_has_no_clock() -> None:
    one, other = guest(), guest()
    assert one.get(f"/matches/{match_with(None, one, other)}").json["clocks"] is None


def test_late_command_lets_its_own_flag_fall_and_is_refused() -> None:
    one, other = guest(), guest()
    match = match_with({"choice": {"base": 1}}, one, other)
    wait_until(lambda: overdue(match))
    late = one.post(f"/matches/{match}/commands", {"type": "choose_first", "seat": 0}, Idempotency_Key=str(uuid4()))
    assert late.refusal == (409, "flag_fallen")
    assert types(match, other)[4:7] == ["flag_fallen", "first_chosen", "brick_dealt"]


@pytest.mark.parametrize("path", ["", "/events", "/legal", "/view"])
def test_a_read_of_an_overdue_match_lets_the_flag_fall(path: str) -> None:
    one, other = guest(), guest()
    match = match_with({"choice": {"base": 1}}, one, other)
    wait_until(lambda: overdue(match))
    assert other.get(f"/matches/{match}{path}").status == 200
    assert not overdue(match)
    assert "flag_fallen" in types(match, other)


@pytest.mark.parametrize(
    "at",
    ["9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z",
     "1969-07-20T20:17:40Z", "2026-11-21T12:00:00+00:00"],
)  # fmt: skip
def test_opening_time_in_the_past_or_beyond_the_calendar_is_refused(at: str) -> None:
    host = guest()
    seats = [{"player": host.id}, {"player": "bot"}]
    refused = host.post("/matches", {"game": "higher_or_lower", "seats": seats, "opens_at": at})
    assert refused.refusal == (422, "bad_opening_time")
