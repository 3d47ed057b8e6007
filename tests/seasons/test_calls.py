"""Calls of a season: each is sent once, only to those whom it concerns, and lapses when it no longer applies."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest

from events import store
from matches.models import Account, Call
from matches.notifications import call_delivery, match_calls, reach
from matches.seasons import calls as season_calls
from matches.seasons import process_manager, timekeeping
from matches.seasons.domain import appointments, attendance, episodes, results
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim
from tests.matches.test_calls import Post, with_push
from tests.seasons.test_delivery import Stored


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    Call.objects.all().delete()
    post = Post()
    monkeypatch.setattr(call_delivery, "senders", {"push": post.take, "email": post.take})
    yield post
    Call.objects.all().delete()


def season(**options: object) -> Stored:
    """A season whose players have a browser to be told in."""
    stored = Stored(**options)
    for player in stored.players:
        with_push(player)
    return stored


def call_kinds(player: Account, way: str = "page") -> list[str]:
    return list(player.calls.filter(way=way).order_by("made_at").values_list("kind", flat=True))


def queue_calls_twice() -> None:
    """Queue the new calls twice, as two workers do."""
    for _ in range(2):
        season_calls.queue_new_calls()


def test_players_are_notified_of_their_place_and_deciders_of_their_decision(post: Post) -> None:
    it = season()
    queue_calls_twice()
    first, holder, opponent, candidate = it.players
    assert [call_kinds(player)[0] for player in it.players] == ["invitation"] * 4
    assert "decision" not in call_kinds(first) + call_kinds(holder)
    assert "decision" not in call_kinds(opponent) + call_kinds(candidate), "the death match is set"


def second_episode(it: Stored) -> Account:
    """Another episode, whose only winner is to give a token away and to name the EC; gives the winner."""
    it.act(lambda s, by: results.annul(s, by, str(it.match), "A fresh start."))
    it.act(lambda s, by: episodes.close_episode(s, by, "No death match."))
    it.act(lambda s, by: episodes.open_episode(s, by, "Second"))
    names = [str(player.id) for player in it.players]
    it.act(lambda s, by: episodes.record_main_match(s, by, "Dice", names[1:2], names[2:]))
    return it.players[1]


def test_decision_is_notified_once_and_lapses_when_it_is_made(post: Post) -> None:
    it = season()
    winner = second_episode(it)
    queue_calls_twice()
    assert call_kinds(winner).count("decision") == 1, (
        "the second token is theirs to give, the EC afterwards theirs to name"
    )
    it.act(lambda s, by: episodes.give_token(s, by, str(it.players[0].id)), by=winner)
    call_delivery.send_pending()
    assert "decision" not in post.kinds(winner), "it is done, so nobody need hear of it"
    queue_calls_twice()
    assert call_kinds(winner).count("decision") == 2
    post.got.clear()
    Call.objects.filter(state="waiting").update(due_at=store.clock())
    call_delivery.send_pending()
    assert post.kinds(winner) == ["decision"]


def test_proposed_or_set_time_is_notified_to_the_other_players_of_the_match(post: Post) -> None:
    it = season(opens_in=timedelta(hours=5))
    process_manager.settle_tables(it.id)
    queue_calls_twice()
    players = it.players[3], it.players[2]
    before = [call_kinds(player).count("appointment") for player in players]
    assert before == [1, 1], "it was set with a time"
    at = (store.clock() + timedelta(hours=9)).isoformat()
    it.act(lambda s, by: appointments.propose_times(s, by, str(it.match), [at]), by=players[0])
    queue_calls_twice()
    assert [call_kinds(player).count("appointment") for player in players] == [1, 2]
    assert "appointment" not in call_kinds(it.players[0])


def test_open_check_in_is_notified_until_the_player_checks_in(post: Post) -> None:
    it = season(opens_in=timedelta(minutes=20), check_in_minutes=30)
    season_calls.remind()
    first, second = it.players[3], it.players[2]
    it.act(lambda s, by: attendance.check_in(s, by, str(it.match), str(first.id)), by=first)
    call_delivery.send_pending()
    assert "check_in" in post.kinds(second) and "check_in" not in post.kinds(first)
    season_calls.remind()
    assert call_kinds(second).count("check_in") == 1


def test_reminder_is_sent_to_the_decider_with_the_seasons_own(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    it = season(candidate_minutes=60, remind_percent=50, remind_minutes=0)
    winner = second_episode(it)
    it.act(lambda s, by: episodes.give_token(s, by, str(it.players[0].id)), by=winner)
    later = store.clock() + timedelta(minutes=40)
    with monkeypatch.context() as then:
        then.setattr(store, "clock", lambda: later)
        assert timekeeping.keep_time(it.id)
    queue_calls_twice()
    assert [call_kinds(player).count("reminder") for player in it.players] == [0, 1, 0, 0]


def test_answer_to_a_claim_is_notified_to_its_author(post: Post) -> None:
    it = season()
    mine = it.players[0]
    it.act(MakeClaim("conduct", "Rude.").decide, by=mine)
    it.act(AnswerClaim(1, "upheld", "So it was.").decide)
    queue_calls_twice()
    assert call_kinds(mine).count("answer") == 1
    assert all("answer" not in call_kinds(player) for player in it.players[1:])


def test_claim_is_notified_to_officials_and_its_answer_to_both_players(post: Post) -> None:
    it = season()
    mine, other = it.players[3], it.players[2]
    it.act(MakeClaim("wrong_result", "I won.", str(it.match)).decide, by=mine)
    it.act(AnswerClaim(1, "rejected", "You didn't.").decide)
    queue_calls_twice()
    assert [call_kinds(player).count("answer") for player in it.players] == [0, 0, 1, 1] and other == it.players[2]
    assert call_kinds(it.organiser).count("claim") == 1 and not any(
        "claim" in call_kinds(player) for player in it.players
    )


def test_decision_is_notified_to_the_player_it_affects_and_not_to_its_decider(post: Post) -> None:
    it = season()
    queue_calls_twice()
    before = Call.objects.filter(kind="decided", way="page").count()
    winner = second_episode(it)
    it.act(lambda s, by: episodes.give_token(s, by, str(it.players[0].id)), by=winner)
    queue_calls_twice()
    fresh = Call.objects.filter(kind="decided", way="page").order_by("made_at")[before:]
    assert [call.account for call in fresh] == [winner, it.players[0]], "a token with the result, the other one given"


def test_correction_is_notified_once_to_each_affected_player(post: Post) -> None:
    it = season()
    it.act(lambda s, by: results.annul(s, by, str(it.match), "A slip."))
    queue_calls_twice()
    assert [call_kinds(player).count("correction") for player in it.players] == [0, 0, 1, 1]


def test_a_public_season_is_named_and_a_private_one_is_not(post: Post) -> None:
    for public in (True, False):
        it = season(public=public)
        queue_calls_twice()
        call = Call.objects.filter(account=it.players[0], way="push").first()
        told_of = call_delivery.message(call, details=False)
        assert ("A cup" in told_of.text) == public
        assert told_of.page == f"/seasons/{it.id}"


def test_matches_of_a_season_follow_the_notification_settings_of_the_season(post: Post) -> None:
    it = season()
    reach.choose_for_season(it.players[3], UUID(str(it.id)), "muted")
    it.opened()
    match_calls.queue_new_calls()
    assert call_kinds(it.players[3], "push") == [] and "match_begins" in call_kinds(it.players[2], "push")
