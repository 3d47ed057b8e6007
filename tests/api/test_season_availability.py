"""Availability of a season's players: who reads it, the warnings that follow from it, and its deletion."""

import json
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from events import store
from matches.accounts import erasure
from matches.models import Match
from matches.seasons.models import Availability
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup
from tests.api.test_season_times import Dated, at

NOTHING: dict[str, Any] = {"zone": "UTC", "windows": [], "weekly": []}


@pytest.fixture(scope="module")
def cup() -> Dated:
    """A season in which nobody has said anything."""
    return Dated(at(days=1))


def say(cup: Cup, player: Guest, by: Guest | None = None, **availability: Any) -> Answer:
    """PUT what the player says; it is kept as it is returned."""
    path = f"{cup.path}/players/{player.id}/availability"
    return (by or player).ask("PUT", path, json.dumps({**NOTHING, **availability}).encode())


def away(**when: float) -> dict[str, Any]:
    """A window of two hours around an instant in which one can't play."""
    middle = store.clock() + timedelta(**when)
    since, until = (it.isoformat() for it in (middle - timedelta(hours=1), middle + timedelta(hours=1)))
    return {"since": since, "until": until, "can": False}


def test_availability_is_set_by_the_player_and_read_by_officials() -> None:
    cup = Dated(at(days=1))
    weekly = [{"day": "fri", "since": "18:00", "until": "22:00"}]
    response = say(cup, cup.ec, zone="Asia/Seoul", weekly=weekly, windows=[away(days=2)])
    assert response.status == 200, response.body
    path = f"/players/{cup.ec.id}/availability"
    for reader in (cup.ec, cup.organiser, cup.host, cup.auditor):
        assert cup.read(path, by=reader) == response.json
    assert response.json["zone"] == "Asia/Seoul" and response.json["weekly"] == weekly
    for reader in (cup.organiser, cup.host, cup.auditor):
        assert cup.read("/availability", by=reader)["results"] == [response.json]
    assert cup.read(f"/players/{cup.dmo.id}/availability") == {"player": cup.dmo.id, **NOTHING}


def test_availability_is_hidden_from_others_events_and_archive() -> None:
    cup = Dated(at(days=1))
    before = cup.read()["version"]
    assert say(cup, cup.ec, zone="Antarctica/Troll", windows=[away(days=2)]).status == 200
    assert cup.read()["version"] == before
    for path in (f"/players/{cup.ec.id}/availability", "/availability", f"/matches/{cup.match}/availability"):
        assert cup.dmo.get(cup.path + path).refusal == (403, "forbidden")
    for other in (cup.dmo, cup.organiser, cup.host):
        assert say(cup, cup.ec, by=other, zone="UTC").refusal == (403, "forbidden")
    for path in ("/export", "/archive", "/events"):
        assert b"Antarctica" not in cup.organiser.get(cup.path + path).body


def test_officials_see_who_is_available_and_which_times_suit_both() -> None:
    cup = Dated(at(days=1))
    free = {"since": at(days=3), "until": at(days=3, hours=4), "can": True}
    say(cup, cup.ec, windows=[away(days=2), free])
    say(cup, cup.dmo, windows=[{**free, "since": at(days=3, hours=2)}])
    cup.did(f"/matches/{cup.match}/times", {"times": [at(days=2), at(days=3, hours=1)]}, by=cup.dmo)
    answer = cup.read(f"/matches/{cup.match}/availability", by=cup.host, at=at(days=3, hours=3))
    assert [
        (it["can"], it["cannot"], it["unknown"]) for it in (answer["opens_at"], *answer["proposed"], answer["asked"])
    ] == [
        ([], [], [cup.ec.id, cup.dmo.id]),
        ([], [cup.ec.id], [cup.dmo.id]),
        ([cup.ec.id], [], [cup.dmo.id]),
        ([cup.ec.id, cup.dmo.id], [], []),
    ]
    (suits,) = answer["suited"]
    assert suits["can"] == [cup.ec.id, cup.dmo.id]
    meant = store.clock() + timedelta(days=3, hours=2)
    assert abs(datetime.fromisoformat(suits["at"]) - meant) < timedelta(minutes=1)


def test_unsuitable_time_is_set_after_a_warning() -> None:
    cup = Dated(at(days=1))
    say(cup, cup.ec, windows=[away(days=2)])
    path, body = f"/matches/{cup.match}/time", {"opens_at": at(days=2), "reason": "The hall is free."}
    dry = cup.ask(f"{path}?dry_run=1", body, by=cup.host)
    assert "said that they can't play on" in dry.json["text"][-1]
    assert "said that" not in str(cup.ask(f"{path}?dry_run=1", {**body, "opens_at": at(days=3)}).json)
    cup.did(path, body, by=cup.host)
    assert Match.objects.get(id=cup.match).opens_at == datetime.fromisoformat(body["opens_at"])


def test_player_proposing_a_time_is_warned_only_of_their_own_availability() -> None:
    cup = Dated(at(days=1))
    say(cup, cup.ec, windows=[away(days=2)])
    proposal = {"times": [at(days=2)]}
    mine, theirs = (
        cup.ask(f"/matches/{cup.match}/times?dry_run=1", proposal, by=it).json["text"] for it in (cup.ec, cup.dmo)
    )
    assert ("said that" in str(mine), "said that" in str(theirs)) == (True, False)


def test_availability_is_removed_by_an_empty_one_by_leaving_and_by_erasure() -> None:
    cup = Dated(at(days=1))
    ec, dmo, third = cup.ec, cup.dmo, cup.players[0]
    for player in (ec, dmo, third):
        assert say(cup, player, windows=[away(days=2)]).status == 200
    assert say(cup, dmo).json == {"player": dmo.id, **NOTHING}
    assert said_in(cup) == {ec.id, third.id}
    cup.did(f"/players/{third.id}/withdraw", {"reason": "Work calls."})
    assert said_in(cup) == {ec.id}
    assert say(cup, third, windows=[away(days=2)]).refusal == (409, "not_living")
    cup.did(f"/players/{ec.id}/substitute", {"newcomer": guest().id, "reason": "Ill."})
    assert said_in(cup) == set()
    Availability.objects.create(season_id=cup.id, account_id=third.id, said=NOTHING, said_at=store.clock())
    erasure.erase(UUID(third.id))
    assert said_in(cup) == set()


def test_availability_is_deleted_when_the_season_ends() -> None:
    cup = Cup(3)
    cup.did("/episodes", {"title": "First"})
    cup.did("/episodes/close", {"reason": "Nothing happened."})
    first, second, last = cup.players
    assert say(cup, last, windows=[away(days=2)]).status == 200
    cup.did(f"/players/{first.id}/withdraw", {"reason": "Work calls."})
    cup.did("/final")
    cup.did(f"/players/{second.id}/withdraw", {"reason": "Work calls."})
    assert (cup.read()["status"], said_in(cup)) == ("finished", set())
    assert say(cup, last, windows=[away(days=2)]).refusal == (409, "season_over")


def said_in(cup: Cup) -> set[str]:
    return {str(it) for it in Availability.objects.filter(season=cup.id).values_list("account_id", flat=True)}


@pytest.mark.parametrize(
    "availability",
    [
        {"windows": [{"since": "0001-01-01T00:00:00+14:00", "until": "2030-01-01T00:00:00Z", "can": True}]},
        {"windows": [{"since": "2030-01-01T00:00:00Z", "until": "9999-12-31T23:59:59-14:00", "can": True}]},
        {"windows": [{"since": "2030-01-02T00:00:00Z", "until": "2030-01-01T00:00:00Z", "can": True}]},
        {"windows": [{"since": "2030-01-01T00:00:00", "until": "2030-01-02T00:00:00", "can": True}]},
        {"weekly": [{"day": "fri", "since": "24:00", "until": "08:00"}]},
        {"weekly": [{"day": "friday", "since": "18:00", "until": "20:00"}]},
        {"zone": "Nowhere/Land"},
        {"zone": "../../etc/passwd"},
        {"zone": "UTC\0"},
    ],
)
def test_invalid_availability_is_refused_and_changes_nothing(cup: Dated, availability: dict[str, Any]) -> None:
    answer = say(cup, cup.ec, **availability)
    assert answer.status in (400, 422) and said_in(cup) == set(), answer.body


@pytest.mark.parametrize("instant", ["0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-14:00"])
def test_availability_for_an_invalid_time_is_refused(cup: Dated, instant: str) -> None:
    answer = cup.organiser.get(f"{cup.path}/matches/{cup.match}/availability", {"at": instant})
    assert answer.refusal == (422, "bad_opening_time")
