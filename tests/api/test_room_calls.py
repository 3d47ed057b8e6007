"""Calls about remarks in rooms and about reports: to whom, how often, and until when they are sent."""

import json
from uuid import UUID

from matches.models import Call
from matches.seasons import talk_calls
from tests.api.guests import Guest
from tests.api.rooms import House, say

WHY = {"reason": "It insults me."}


def calls_of(who: Guest, kind: str = "room") -> list[Call]:
    """Return the calls of a kind to an account, on its page."""
    return list(Call.objects.filter(account=UUID(who.id), kind=kind, way="page").order_by("made_at"))


def test_member_is_called_once_until_the_room_is_marked_as_read() -> None:
    house = House()
    path = house.alliance()
    say(house.first, path, "Or the fourth?")
    assert len(calls_of(house.second)) == 1 and calls_of(house.first) == []
    [call] = calls_of(house.second)
    assert talk_calls.is_awaited(call)
    assert house.second.ask("PUT", f"{path}/read", b'{"number": 2}').status == 204
    assert not talk_calls.is_awaited(call)
    say(house.first, path, "Well?")
    assert len(calls_of(house.second)) == 2


def test_call_to_a_member_who_has_left_lapses() -> None:
    house = House()
    path = house.alliance()
    [call] = calls_of(house.second)
    assert house.second.post(f"{path}/leave").status == 204
    assert not talk_calls.is_awaited(call)


def test_nobody_is_called_who_has_switched_rooms_off_or_blocked_the_author() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second, house.third, house.fourth])
    choice = {"table": {"room": {"page": False}}}
    assert house.second.ask("PATCH", "/me/reach", json.dumps(choice).encode()).status == 200
    assert house.third.ask("PUT", f"/me/blocks/{house.first.id}").status == 204
    say(house.first, path, "Hello.")
    assert [len(calls_of(it)) for it in (house.second, house.third, house.fourth)] == [0, 0, 1]


def test_seat_of_a_running_match_is_not_called_for_what_it_cannot_read() -> None:
    house = House()
    path = house.opens(house.first, members=[house.second, house.third])
    house.plays(house.first, house.second)
    say(house.third, path, "He holds the nine.")
    assert calls_of(house.first) == calls_of(house.second) == []


def test_staff_is_called_for_a_confession_and_nobody_for_the_lounge() -> None:
    house = House()
    say(house.first, house.opens(house.first, "confessional"), "I trust nobody.")
    assert [len(calls_of(it)) for it in (house.organiser, house.host, house.auditor, house.second)] == [1, 1, 1, 0]
    say(house.second, house.opens(house.host, "lounge"), "Hello, all.")
    assert [len(calls_of(it)) for it in (house.host, house.first)] == [1, 0]


def test_officials_are_called_for_a_report_except_the_author_of_the_remark() -> None:
    house = House()
    path = house.opens(house.first, members=[house.host])
    say(house.host, path, "You will lose.")
    house.first.post(f"{path}/remarks/1/report", WHY)
    assert [len(calls_of(it, "report")) for it in (house.organiser, house.host, house.auditor)] == [1, 0, 0]
    [call] = calls_of(house.organiser, "report")
    assert talk_calls.is_awaited(call)
    report = house.organiser.get(f"{house.path}/reports").json["results"][0]["id"]
    house.organiser.post(f"{house.path}/reports/{report}/answer", WHY)
    assert not talk_calls.is_awaited(call)
