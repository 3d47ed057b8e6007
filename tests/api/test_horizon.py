"""Versions of a decision on access: the answer contains nothing later, since another account may then hold the seat."""

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from matches.audit import history
from matches.reads import entitlements, feed
from matches.services import hosting
from tests.api.guests import Answer, Guest, chosen, guest, house, started

NEWEST: dict[str, Callable[[Answer], int]] = {
    "": lambda answer: answer.json["version"],
    "/view": lambda answer: answer.json["version"],
    "/view?at=1000": lambda answer: answer.json["version"],
    "/moment": lambda answer: answer.json["version"],
    "/diff?from=1": lambda answer: answer.json["to"],
    "/history": lambda answer: max(answer.json["version"], *(result["version"] for result in answer.json["results"])),
    "/history/export": lambda answer: json.loads(answer.lines[-1])["version"],
    "/events": lambda answer: max(answer.json["version"], *(result["version"] for result in answer.json["results"])),
}
"""The newest version that an answer tells of."""


class Meanwhile:
    """Does something once, right behind a call."""

    def __init__(self, call: Callable[..., Any], act: Callable[[], None]) -> None:
        self._call, self._act, self.done = call, act, False

    def __call__(self, *words: Any, **named: Any) -> Any:
        result = self._call(*words, **named)
        if not self.done:
            self.done = True
            self._act()
        return result


def give_the_seat_away(match: str, host: Guest, heir: Guest) -> None:
    """Seat 0 goes to somebody else, who locks their spell in."""
    assert host.post(f"/matches/{match}/substitute", {"seat": 0, "player": heir.id, "reason": "A test."}).status == 200
    move(match, heir)


def move(match: str, player: Guest) -> None:
    """Seat 0 does what its bot would."""
    assert player.send(match, chosen(player.get(f"/matches/{match}").json, 0, Random(1))).status == 201
    house(match)


@pytest.mark.in_process
@pytest.mark.parametrize("door", NEWEST)
def test_seat_lost_during_a_request_reveals_nothing_of_its_new_holder(
    door: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, leaver, other, heir = guest(), guest(), guest(), guest()
    match = started("reality_benders", leaver, other, opener=host)
    newest = leaver.get(f"/matches/{match}").json["version"]
    meanwhile = Meanwhile(entitlements.entitled, lambda: give_the_seat_away(match, host, heir))
    monkeypatch.setattr(entitlements, "entitled", meanwhile)
    answer = leaver.get(f"/matches/{match}{door}")
    assert meanwhile.done and NEWEST[door](answer) == newest


def test_seat_lost_during_a_download_reveals_nothing_of_its_new_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    host, leaver, heir = guest(), guest(), guest()
    match = started("reality_benders", leaver, guest(), opener=host)
    newest = leaver.get(f"/matches/{match}").json["version"]
    monkeypatch.setattr(history, "_PAGE", 2)
    assert newest > 2
    read = feed.events
    meanwhile = Meanwhile(read, lambda: give_the_seat_away(match, host, heir))
    monkeypatch.setattr(feed, "events", meanwhile)
    lines = leaver.get(f"/matches/{match}/history/export").lines
    assert meanwhile.done and [json.loads(line)["version"] for line in lines] == list(range(1, newest + 1))


@pytest.mark.in_process
@pytest.mark.parametrize("door", [door for door in NEWEST if door])
def test_host_sees_no_more_than_the_recorded_look(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    host, mira = guest(), guest()
    match = started("reality_benders", mira, guest(), opener=host)
    meanwhile = Meanwhile(hosting.view_truth, lambda: move(match, mira))
    monkeypatch.setattr(hosting, "view_truth", meanwhile)
    answer = host.get(f"/matches/{match}{door}{'&' if '?' in door else '?'}as=host")
    listed = host.get(f"/matches/{match}/events").json["results"]
    looks = [event["version"] for event in listed if event["type"] == "truth_viewed"]
    assert meanwhile.done and [NEWEST[door](answer)] == looks != [listed[-1]["version"]]
