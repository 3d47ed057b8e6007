"""A season's matches over REST: who runs them, how they are scheduled, how their ends reach the season."""

from datetime import datetime
from typing import Any

import pytest

from matches.models import Match
from tests.api.guests import guest
from tests.api.ordinary import TOMORROW
from tests.api.seasons import Cup, deliver
from tests.table_setting import at_once
from tests.web.match_setting import client_of


def test_a_death_match_is_opened_with_both_seated_and_the_seasons_host_runs_it() -> None:
    cup = Cup(4)
    match = cup.death_match()
    document = cup.host.get(f"/matches/{match}").json
    candidate = cup.read("/episodes")["results"][0]["candidate"]
    assert [seat["role"] for seat in document["seats"]] == ["ec", "dmo"]
    assert document["seats"][0]["player"]["id"] == candidate
    assert document["priority"] == 1, "The DMO holds the choices."
    matches = cup.organiser.get("/matches", {"season": cup.id}).json["results"]
    assert [it["id"] for it in matches] == [match]
    for nobody in (cup.players[0], cup.player(candidate), cup.auditor, guest()):
        assert nobody.post(f"/matches/{match}/pause", {"reason": "Tea."}).refusal == (403, "forbidden")
    assert cup.host.post(f"/matches/{match}/pause", {"reason": "Tea."}).status == 200
    assert cup.organiser.post(f"/matches/{match}/resume", {"reason": "Tea is over."}).status == 200
    assert cup.host.get(f"/matches/{match}/view", {"as": "host"}).status == 200
    assert cup.auditor.get(f"/matches/{match}/view", {"as": "host"}).status == 404


def test_a_dismissed_host_runs_the_seasons_matches_no_more() -> None:
    cup = Cup(4)
    match = cup.death_match()
    cup.did(f"/staff/{cup.host.id}/dismiss", {"reason": "The job is done."})
    assert cup.host.post(f"/matches/{match}/pause", {"reason": "Tea."}).refusal == (403, "forbidden")


def test_global_organiser_who_plays_in_a_season_may_not_host_it() -> None:
    cup, playing = Cup(3), guest(is_organiser=True)
    cup.players.append(playing)
    cup.did("/players", {"player": playing.id})
    match = cup.death_match()
    assert cup.ask("/episodes", {"title": "Mine"}, by=playing).refusal == (403, "plays_here")
    assert playing.post(f"/matches/{match}/void", {"reason": "I lose."}).refusal == (403, "plays_here")


def test_the_end_of_a_match_reaches_its_season_and_an_organiser_approves_it() -> None:
    cup = Cup(4)
    match = cup.death_match()
    episode = cup.read("/episodes")["results"][0]
    cup.loses(match, cup.player(episode["opponent"]))
    death_match = cup.read("/death-matches")["results"][0]
    assert (death_match["status"], death_match["loser"]) == ("finished", episode["opponent"])
    assert cup.ask(f"/matches/{match}/approve", by=cup.host).refusal == (403, "forbidden")
    types = [it["type"] for it in cup.did(f"/matches/{match}/approve")]
    assert types == ["result_approved", "garnets_moved", "garnets_moved", "player_eliminated", "episode_closed"]


def test_a_disputed_result_is_corrected_before_it_counts_and_after() -> None:
    cup = Cup(4)
    match = cup.death_match()
    episode = cup.read("/episodes")["results"][0]
    cup.loses(match, cup.player(episode["opponent"]))
    cup.did(f"/matches/{match}/correct", {"winner": episode["opponent"], "reason": "A slip of the finger."})
    cup.did(f"/matches/{match}/approve")
    cup.did(f"/matches/{match}/correct", {"winner": episode["candidate"], "reason": "It was none."})
    assert cup.read("/episodes")["results"][0]["eliminated"] == episode["opponent"]


def test_match_voided_by_its_host_is_scheduled_again() -> None:
    cup = Cup(4)
    match = cup.death_match()
    assert cup.host.post(f"/matches/{match}/void", {"reason": "The wrong game."}).status == 200
    deliver()
    assert cup.read("/death-matches")["results"][0]["status"] == "annulled"
    assert cup.set("/death-matches", "pentagram") != match


def test_match_annulled_by_its_season_is_void() -> None:
    cup = Cup(4)
    match = cup.death_match()
    cup.did(f"/matches/{match}/annul", {"reason": "The wrong game."}, by=cup.host)
    assert cup.host.get(f"/matches/{match}").json["status"] == "void"


def test_episode_lists_who_may_be_named_as_the_opponent() -> None:
    cup = Cup(5)
    candidate = cup.main_match()
    _winner, _with_a_token, *others = (it.id for it in cup.living())
    assert {*cup.read("/episodes")["results"][0]["eligible"]} == {*others} - {candidate.id}


def test_substitute_gets_the_leavers_seat_in_a_running_match() -> None:
    cup, newcomer = Cup(4), guest()
    match = cup.death_match()
    leaver = cup.read("/episodes")["results"][0]["candidate"]
    before = cup.read(f"/players/{leaver}")
    cup.did(f"/players/{leaver}/substitute", {"newcomer": newcomer.id, "reason": "A long journey."})
    assert cup.read(f"/players/{leaver}", at=before["version"]) == before
    assert newcomer.get(cup.path).json["role"] == "player"
    for player, heir, matches in ((leaver, newcomer.id, []), (newcomer.id, None, [match])):
        document = cup.read(f"/players/{player}")
        assert (document["standing"]["succeeded_by"], [it["id"] for it in document["matches"]]) == (heir, matches)
        assert document["ledger"][-1]["cause"] == "inheritance"
    assert cup.organiser.get(f"{cup.path}/players/{newcomer.id}", {"at": before["version"]}).status == 404
    assert newcomer.get(f"/matches/{match}").json["witness"] == "seat:0"
    assert cup.player(leaver).get(f"/matches/{match}").json["witness"] == "spectator"
    assert newcomer.send(match, {"type": "resign"}).status == 201
    deliver()
    assert cup.read("/death-matches")["results"][0]["loser"] == newcomer.id


def test_outsider_cannot_be_seated_at_a_match_of_a_private_season() -> None:
    cup = Cup(4, public=False)
    match, outsider = cup.death_match(), guest()
    before = cup.host.get(f"/matches/{match}").json["version"]
    refused = cup.host.post(f"/matches/{match}/substitute", {"seat": 0, "player": outsider.id, "reason": "Unwell."})
    assert refused.refusal == (422, "not_enrolled")
    assert cup.host.get(f"/matches/{match}").json["version"] == before
    for player in (cup.players[0].id, "bot"):
        body = {"seat": 0, "player": player, "reason": "Unwell."}
        assert cup.host.post(f"/matches/{match}/substitute", body).status == 200


def test_substitute_of_a_private_season_gets_the_seat() -> None:
    cup, newcomer = Cup(4, public=False), guest()
    match = cup.death_match()
    leaver = cup.read("/episodes")["results"][0]["candidate"]
    cup.did(f"/players/{leaver}/substitute", {"newcomer": newcomer.id, "reason": "A long journey."})
    assert newcomer.get(f"/matches/{match}").json["witness"] == "seat:0"


def test_anybody_is_seated_at_a_public_seasons_match() -> None:
    cup, somebody = Cup(4), guest()
    match = cup.death_match()
    body = {"seat": 0, "player": somebody.id, "reason": "Unwell."}
    assert cup.host.post(f"/matches/{match}/substitute", body).status == 200
    assert somebody.get(f"/matches/{match}").json["witness"] == "seat:0"


def test_withdrawing_player_loses_their_death_match() -> None:
    cup = Cup(4)
    match = cup.death_match()
    leaver = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    withdrawal = {"reason": "A long journey.", "outcome": "annul"}
    assert cup.ask(f"/players/{leaver.id}/withdraw", withdrawal, by=leaver).json["code"] == "forbidden"
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "A long journey."}, by=leaver)
    assert cup.host.get(f"/matches/{match}").json["status"] == "finished"
    assert cup.read("/episodes")["results"][0]["eliminated"] == leaver.id
    page = client_of().get(f"/m/{match}/", follow=True).content.decode()
    assert "wins, as the other player left</h2>" in page and "the host" not in page


def test_finished_match_is_rewound_as_previewed_and_reported_again() -> None:
    cup = Cup(4)
    match = cup.death_match()
    candidate = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    cup.loses(match, candidate)
    started = next(it["version"] for it in candidate.get(f"/matches/{match}/events").json["results"]
                   if it["type"] == "match_started")  # fmt: skip
    rewind = {"to_version": started, "reason": "A rule was misread."}
    refused = cup.host.post(f"/matches/{match}/rewind", rewind)
    assert refused.refusal == (409, "match_over") and "its season's room" in refused.json["detail"]
    preview = cup.ask(f"/matches/{match}/rewind?dry_run=1", rewind, by=cup.host).json["text"]
    assert preview[0].endswith("A rule was misread.") and preview[1].startswith("Known since the end: the seed")
    assert candidate.get(f"/matches/{match}").json["status"] == "finished", "Nothing has happened."
    assert [it["text"] for it in cup.did(f"/matches/{match}/rewind", rewind, by=cup.host)] == preview[:1]
    document = candidate.get(f"/matches/{match}").json
    assert (document["status"], document["outcome"], document["seed"]) == ("paused", None, None)
    assert candidate.get(f"/matches/{match}/view", {"as": "host"}).status == 404
    assert cup.ask(f"/matches/{match}/approve").refusal == (409, "not_finished")
    assert cup.ask(f"/matches/{match}/rewind", rewind).refusal == (409, "not_finished")
    assert cup.host.post(f"/matches/{match}/resume", {"reason": "Now."}).status == 200
    opponent = cup.player(cup.read("/episodes")["results"][0]["opponent"])
    cup.loses(match, opponent)
    assert cup.read("/death-matches")["results"][0]["loser"] == opponent.id
    cup.did(f"/matches/{match}/approve")
    assert cup.ask(f"/matches/{match}/rewind", rewind).refusal == (409, "already_approved")


def test_main_match_is_corrected_in_a_later_episode_as_previewed() -> None:
    cup = Cup(5)
    match = cup.death_match()
    episode = cup.read("/episodes")["results"][0]
    cup.loses(match, cup.player(episode["candidate"]))
    cup.did(f"/matches/{match}/approve")
    cup.did("/episodes", {"title": "Second"})
    correction = {"winners": [episode["candidate"]], "candidates": [episode["winners"][0]], "reason": "A die fell."}
    preview = cup.ask("/episodes/1/main-match/correct?dry_run=1", correction).json["text"]
    events = cup.did("/episodes/1/main-match/correct", correction)
    assert [it["text"] for it in events] == preview
    assert {"main_match_corrected", "tokens_corrected", "elimination_reversed", "match_annulled"} <= {
        it["type"] for it in events
    }
    assert cup.read("/episodes")["results"][0]["eliminated"] is None
    assert cup.ask("/episodes/9/main-match/correct", correction).json["code"] == "no_such_episode"


def test_withdrawal_with_the_outcome_annul_voids_the_match() -> None:
    cup = Cup(4)
    match = cup.death_match()
    leaver = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "A long journey.", "outcome": "annul"})
    assert cup.host.get(f"/matches/{match}").json["status"] == "void"
    cup.did("/episodes/close", {"reason": "One has left already."})
    assert len(cup.living()) == 3


def test_a_main_match_hosted_on_two_tables_is_recorded_from_how_they_ended() -> None:
    cup = Cup(5)
    cup.did("/episodes", {"title": "Tables"})
    one, two = cup.players[:3], cup.players[3:]
    tables = [
        cup.did("/main-matches/tables", {"game": "pentagram", "clocks": None, "players": [it.id for it in seated]})[0]
        for seated in (one, two)
    ]
    for table, seated in zip(tables, (one, two), strict=True):
        assert cup.host.post(f"/matches/{table['match']}/start").status == 200
        assert (
            cup.host.post(f"/matches/{table['match']}/adjudicate", {"winners": [0], "reason": "It is late."}).status
            == 200
        ), seated
    deliver()
    assert {it["status"] for it in cup.read("/main-matches/tables")["results"]} == {"finished"}
    recorded = cup.did("/main-matches", {"name": "Pentagram"})[0]
    assert recorded["winners"] == [one[0].id, two[0].id]
    assert recorded["candidates"] == [one[1].id, one[2].id, two[1].id]


def test_one_of_several_concurrent_schedulings_opens_one_match() -> None:
    cup = Cup(4)
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    body = {"game": "pyramid_poker", "clocks": None}
    answers = at_once([lambda: cup.ask("/death-matches", body, by=cup.host) for _ in range(6)])
    assert sorted(answer.status for answer in answers) == [201] + [409] * 5
    deliver()
    assert Match.objects.filter(season_id=cup.id).count() == 1


def test_match_of_a_season_has_the_seasons_delay() -> None:
    cup = Cup(4, spectator_delay=120)
    match = cup.death_match()
    opened = cup.host.get(f"/matches/{match}/events", {"limit": 1}).json["results"][0]
    assert opened["spectator_delay"] == 120


@pytest.mark.parametrize(("options", "aids"), [({}, "memory"), ({"aids": "none"}, "none"), ({"aids": "all"}, "all")])
def test_match_of_a_season_has_the_seasons_aids(options: dict[str, Any], aids: str) -> None:
    cup = Cup(4, **options)
    match = cup.death_match()
    assert cup.host.get(f"/matches/{match}").json["aids"] == aids
    assert cup.host.get(f"/seasons/{cup.id}").json["options"]["aids"] == aids


def paired(cup: Cup) -> Cup:
    """Up to where the death match is to be set."""
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    return cup


def test_scheduled_match_has_its_opening_time() -> None:
    cup = paired(Cup(4))
    body = {"game": "pyramid_poker", "clocks": None, "opens_at": TOMORROW}
    match = cup.did("/death-matches", body, by=cup.host)[0]["match"]
    document = cup.host.get(f"/matches/{match}").json
    assert (document["status"], datetime.fromisoformat(document["opens_at"])) == (
        "waiting",
        datetime.fromisoformat(TOMORROW),
    )
    assert cup.read("/schedule")["results"][0]["opens_at"][:19] == TOMORROW[:19]


@pytest.mark.parametrize("opens_at", ["2001-01-01T20:00:00Z", "2099-01-01T20:00:00Z"])
def test_scheduled_time_in_the_past_or_too_far_ahead_is_refused(opens_at: str) -> None:
    cup = paired(Cup(4))
    body = {"game": "pyramid_poker", "clocks": None, "opens_at": opens_at}
    for query in ("", "?dry_run=1"):
        assert cup.ask(f"/death-matches{query}", body, by=cup.host).refusal == (422, "bad_opening_time")
    assert cup.read("/schedule")["results"] == []


@pytest.mark.parametrize("opens_at", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00"])
@pytest.mark.parametrize("path", ["/main-matches/tables", "/death-matches", "/final/matches"])
def test_scheduled_time_outside_the_utc_calendar_is_refused(path: str, opens_at: str) -> None:
    cup = Cup(3)
    sitting = {"players": [player.id for player in cup.players]} if path.endswith("tables") else {}
    for query in ("", "?dry_run=1"):
        body = {"game": "pyramid_poker", "clocks": None, "opens_at": opens_at, **sitting}
        assert cup.ask(f"{path}{query}", body, by=cup.host).refusal == (422, "bad_opening_time")


def test_game_with_a_long_set_up_needs_an_opening_time_or_an_explicit_null() -> None:
    cup = paired(Cup(4))
    body = {"game": "higher_or_lower"}
    refused = cup.ask("/death-matches", body, by=cup.host)
    assert refused.refusal == (422, "no_opening_time")
    assert "the clock then plays for whoever isn't there" in refused.json["detail"]
    assert cup.ask("/death-matches?dry_run=1", body | {"opens_at": TOMORROW}, by=cup.host).status == 200
    assert cup.did("/death-matches", body | {"opens_at": None}, by=cup.host)[0]["opens_at"] is None


def test_match_without_clocks_needs_no_opening_time() -> None:
    cup = paired(Cup(4))
    assert cup.did("/death-matches", {"game": "higher_or_lower", "clocks": None}, by=cup.host)[0]["clocks"] is None
