"""A season's times over REST: proposals, a new time, check-ins, deadlines."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from events import store
from matches.models import Match
from tests.api.seasons import Cup
from tests.api.test_season_matches import paired

HALF = timedelta(minutes=30)


def at(**later: float) -> str:
    return (store.clock() + timedelta(**later)).isoformat()


class Dated(Cup):
    """A season with a death match that opens in a while."""

    def __init__(self, opens_at: str, clocks: Any = None, **options: Any) -> None:
        super().__init__(4, **options)
        ec = self.main_match()
        self.did("/opponents", {"player": self.living()[-2].id}, by=ec)
        body = {"game": "pyramid_poker", "clocks": clocks, "opens_at": opens_at}
        self.match = self.did("/death-matches", body)[0]["match"]
        episode = self.read("/episodes")["results"][0]
        self.ec, self.dmo = self.player(episode["candidate"]), self.player(episode["opponent"])

    def told(self) -> Any:
        return self.read("/death-matches")["results"][0]


def test_two_players_agree_on_a_new_time_and_the_match_follows() -> None:
    cup = Dated(at(days=1))
    early, late = at(days=2), at(days=3)
    cup.did(f"/matches/{cup.match}/times", {"times": [early, late]}, by=cup.ec)
    (offer,) = cup.told()["proposals"]
    assert (offer["by"], len(offer["times"])) == (cup.ec.id, 2)
    refused = cup.ask(f"/matches/{cup.match}/times/accept", {"opens_at": at(days=4)}, by=cup.dmo)
    assert refused.refusal == (422, "no_such_time")
    events = cup.did(f"/matches/{cup.match}/times/accept", {"opens_at": late}, by=cup.dmo)
    assert [it["type"] for it in events] == ["time_accepted", "match_time_set"]
    assert Match.objects.get(id=cup.match).opens_at == datetime.fromisoformat(late)
    document = cup.told()
    assert (datetime.fromisoformat(document["opens_at"]), document["proposals"]) == (datetime.fromisoformat(late), [])


def test_a_new_time_is_tried_before_it_is_set() -> None:
    cup = Dated(at(days=1))
    body = {"opens_at": at(days=2), "reason": "The hall is free."}
    dry = cup.ask(f"/matches/{cup.match}/time?dry_run=1", body, by=cup.host)
    assert dry.status == 200 and "The hall is free." in dry.json["text"][0]
    assert cup.ask(f"/matches/{cup.match}/time", {**body, "opens_at": at(days=-1)}).refusal == (422, "bad_opening_time")
    key = str(uuid4())
    first, again = (cup.ask(f"/matches/{cup.match}/time", body, by=cup.host, Idempotency_Key=key) for _ in range(2))
    assert (first.status, again.status, again.headers["Idempotent-Replayed"]) == (201, 201, "true")
    assert cup.host.post(f"/matches/{cup.match}/start").status == 200
    assert cup.ask(f"/matches/{cup.match}/time", {**body, "opens_at": at(days=5)}).refusal == (409, "already_started")


def test_set_up_closes_by_the_chosen_time_before_play_and_moves_with_the_match() -> None:
    cup = paired(Cup(4))
    opens = store.clock() + timedelta(days=9)
    body = {"game": "higher_or_lower", "opens_at": opens.isoformat(), "setup_closes": 1800}
    match = cup.did("/death-matches", body, by=cup.host)[0]["match"]
    for at_last in (opens, opens + timedelta(days=5)):
        if at_last != opens:
            cup.did(f"/matches/{match}/time", {"opens_at": at_last.isoformat(), "reason": "The hall."})
        death_match, row = cup.read("/death-matches")["results"][0], Match.objects.get(id=match)
        moments = [datetime.fromisoformat(death_match[name]) for name in ("opens_at", "setup_closes_at", "begins_at")]
        assert moments == [at_last - it for it in (timedelta(0), HALF, timedelta(days=1) + HALF)]
        assert (row.opens_at, row.starts_at) == (moments[0], moments[2])
        assert cup.host.get(f"/matches/{match}").json["setup_closes"] == 1800


def test_match_without_a_set_up_or_time_has_no_set_up_end() -> None:
    cup = Dated(at(days=1))
    assert (cup.told()["setup_closes_at"], cup.told()["begins_at"][:19]) == (None, cup.told()["opens_at"][:19])
    cup.did(f"/matches/{cup.match}/time", {"opens_at": None, "reason": "We will see."})
    assert (cup.told()["setup_closes_at"], cup.told()["begins_at"]) == (None, None)


def test_check_in_is_shown_and_recorded() -> None:
    cup = Dated(at(minutes=20), check_in_minutes=30)
    assert cup.told()["check_in"]["present"] == []
    cup.did(f"/matches/{cup.match}/check-in", {"player": cup.ec.id}, by=cup.ec)
    again = cup.ask(f"/matches/{cup.match}/check-in", {"player": cup.ec.id}, by=cup.ec)
    assert again.refusal == (409, "already_checked_in")
    assert Match.objects.get(id=cup.match).awaits_check_in
    cup.did(f"/matches/{cup.match}/check-in", {"player": cup.dmo.id}, by=cup.host)
    assert cup.told()["check_in"]["present"] == [cup.ec.id, cup.dmo.id]
    assert not Match.objects.get(id=cup.match).awaits_check_in


def test_season_names_the_decision_with_a_deadline_and_an_organiser_extends_it() -> None:
    cup = Cup(4, opponent_minutes=60)
    ec = cup.main_match()
    awaited = cup.read()["awaited"]
    assert (awaited["decision"], awaited["players"], awaited["lapsed"]) == ("opponent", [ec.id], False)
    until = at(days=2)
    cup.did("/decision/extend", {"until": until, "reason": "Was ill."})
    assert datetime.fromisoformat(cup.read()["awaited"]["until"]) == datetime.fromisoformat(until)
    assert cup.ask("/decision/extend", {"until": at(days=-1), "reason": "Now."}).refusal == (422, "bad_deadline")
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=ec)
    assert cup.read()["awaited"] is None


def test_dry_run_names_due_events_and_refuses_with_the_earliest_time() -> None:
    cup = Dated(at(days=3), clocks={}, check_in_minutes=30, absence="loss", least_notice_minutes=20)
    body = {"opens_at": "2099-01-01T12:00:00Z", "reason": "The hall."}
    early = cup.ask(f"/matches/{cup.match}/time", body | {"opens_at": at(minutes=70)}, by=cup.host)
    assert early.refusal == (422, "bad_opening_time")
    assert "The earliest time is" in early.json["detail"]
    soon = (store.clock() + timedelta(hours=5)).replace(second=0, microsecond=0)
    answer = cup.ask(f"/matches/{cup.match}/time?dry_run=1", body | {"opens_at": soon.isoformat()}, by=cup.host)
    *_, opens, check_in = answer.json["text"]
    assert opens == f"Play opens on {soon:%Y-%m-%d %H:%M} UTC."
    opening = f"{soon - timedelta(minutes=30):%Y-%m-%d %H:%M} UTC until {soon:%Y-%m-%d %H:%M} UTC"
    assert check_in == f"The check-in is open from {opening}. Who alone hasn't checked in by then has lost a duel."
