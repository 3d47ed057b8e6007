"""The host's acts on a stored match: what each brings, when it is refused, and that the record holds afterwards."""

from collections.abc import Callable
from random import Random
from typing import Any
from uuid import uuid4

import pytest

from events import store
from events.store import StreamTransaction
from games.kernel import HOST, SPECTATOR, to_json
from games.kernel.messages import type_name
from matches.audit import export
from matches.domain import host_acts
from matches.domain.clocks import ClockTimes
from matches.models import Account, Match, PlayerResult, StoredText
from matches.reads import entitlements, feed
from matches.services import appealing, hosting, opening, playing
from matches.services.appending import append, match_at_head
from matches.services.playing import VersionMoved
from matches.storage import codec, repository
from matches.storage.projections import RESULTS
from tests.host_acts import ACTS, ASKED, service_of
from tests.matches.hosted_match import act, boundary, exported, forget, holds, types, version
from tests.table_setting import (
    BOT,
    new_account,
    play_on,
    play_to_the_end,
    refusal_of,
    running_match,
    send,
    waiting_match,
)

# Each act


def match_for_act(name: str, host: Account, players: list[Account]) -> Match:
    """Return a match in which the act of this name is allowed."""
    if name == "start":
        return waiting_match("pyramid_poker", *players, opener=host)
    clocks = {"turn": ClockTimes(base=600, reserve=60)}
    opened = opening.open_match(
        opener=host.id, game="pyramid_poker", options={}, approval=True, clocks=clocks,
        seats=[opening.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    match = Match.objects.get(id=opened.match_id)
    act("start", match, host)
    play_on(match, 2)
    match name:
        case "resume":
            act("pause", match, host)
        case "end_stand_in":
            act("seat_stand_in", match, host, seat=1, player="bot")
        case "answer_appeal":
            appealing.appeal(match_id=match.id, player=players[0].id, kind="clock", text="Late.")
        case "approve":
            act("adjudicate", match, host, winners=[0])
        case "withdraw_text":
            StoredText.objects.create(stream=match.id, commitment=bytes(32), sealed=b"")
    return match


@pytest.mark.parametrize("name", ASKED)
def test_host_act_appends_the_events_that_its_dialog_names(name: str, host: Account, players: list[Account]) -> None:
    match, asked = match_for_act(name, host, players), ASKED[name]
    if name == "extend":
        asked = asked | {"seat": repository.load(match.id).clocks.runs[0].seat}
    before = version(match)
    service_of(name)(match_id=match.id, by=host.id, **asked)
    assert types(match, before) == [type_name(it) for it in ACTS[name].appends]
    first = store.read(match.id, after=before)[0]
    assert first.actor == str(host.id)
    told = feed.events(match.id, SPECTATOR, before, 1).results[0]
    assert (asked.get("reason") or asked["text"]) in (told.get("reason"), told.get("own", {}).get("text"), told["text"])
    holds(match)


def substituted(match: Match, host: Account) -> None:
    act("substitute", match, host, seat=1, player=new_account().id)


def paused(match: Match, host: Account) -> None:
    act("pause", match, host)


@pytest.mark.parametrize(
    ("name", "meanwhile"),
    [("void", substituted), ("void", paused), ("adjudicate", substituted), ("substitute", substituted)],
)
def test_decision_on_changed_seats_or_status_is_refused_as_outdated(
    name: str, meanwhile: Callable[[Match, Account], None], match: Match, host: Account
) -> None:
    def seen() -> str:
        return host_acts.seats_and_status(repository.load(match.id).lifecycle)

    stale = seen()
    meanwhile(match, host)
    before, asked = version(match), {**ASKED[name], "seat": 0} if name == "substitute" else ASKED[name]
    with pytest.raises(VersionMoved, match="Who holds which seat, or the match's status"):
        act(name, match, host, **asked, expected=stale)
    assert version(match) == before
    fresh = seen()
    if meanwhile is substituted:
        play_on(match, 1)
    act(name, match, host, **asked, expected=fresh)


def test_rewind_is_refused_on_another_version_than_the_host_expected(match: Match, host: Account) -> None:
    before, to = version(match), boundary(match, 2)
    with pytest.raises(VersionMoved):
        act("rewind", match, host, to_version=to, expected=before - 1)
    assert version(match) == before
    act("rewind", match, host, to_version=to, expected=before)


# Void


def test_void_match_has_no_winner_and_reveals_everything(match: Match, host: Account) -> None:
    before = version(match)
    act("void", match, host, reason="The lights went out.")
    match.refresh_from_db()
    assert types(match, before) == ["match_voided", "seed_revealed"]
    assert (match.status, match.needs, match.wake) == ("void", [], False)
    assert match.finished_at is not None
    match_state = repository.load(match.id)
    assert (match_state.outcome, match_state.lifecycle.status, match_state.due.prompts) == (None, "void", ())
    assert match_state.lifecycle.seed is not None
    assert entitlements.witness_of(match_state.lifecycle, str(uuid4()), "host") is HOST
    summary = holds(match)
    assert summary["seed"] and summary["opened"] > 0


def test_match_voided_before_its_start_cannot_be_joined_or_started(host: Account) -> None:
    waiting = waiting_match("pyramid_poker", None, BOT, opener=host)
    act("void", waiting, host)
    assert refusal_of(lambda: act("start", waiting, host)) == "match_over"
    assert holds(waiting)["seed"]


def test_void_match_has_no_result(match: Match, host: Account) -> None:
    act("void", match, host)
    RESULTS.apply(1, match.id, store.read(match.id))
    assert not PlayerResult.objects.filter(match_id=match.id).exists()


# Adjudicate


def test_adjudicated_match_has_the_winners_that_the_host_named(
    match: Match, host: Account, players: list[Account]
) -> None:
    before = version(match)
    act("adjudicate", match, host, winners=[1], reason="Seat 0 left.")
    assert types(match, before) == ["match_adjudicated", "match_finished", "seed_revealed"]
    story = repository.load(match.id).lifecycle
    assert to_json(story.outcome) == {
        "winners": [1], "ranking": [[1], [0]], "reason": "adjudicated", "score": {},
    }  # fmt: skip
    match.refresh_from_db()
    assert match.status == "finished"
    assert holds(match)["seed"]
    RESULTS.apply(1, match.id, store.read(match.id))
    won = {row.account_id: row.won for row in PlayerResult.objects.filter(match_id=match.id, generation=1)}
    assert won == {players[0].id: False, players[1].id: True}


def test_all_seats_may_win_together(match: Match, host: Account) -> None:
    act("adjudicate", match, host, winners=[1, 0, 1])
    assert to_json(repository.load(match.id).outcome)["ranking"] == [[0, 1]]


# Substitute


def test_substitute_sees_as_the_seat_and_the_leaver_as_a_spectator(
    match: Match, host: Account, players: list[Account]
) -> None:
    newcomer, before = new_account(), to_json(repository.load(match.id, 1).state)
    act("substitute", match, host, seat=1, player=newcomer.id, reason="Unwell.")
    story = repository.load(match.id).lifecycle
    assert entitlements.witness_of(story, str(newcomer.id)) == 1
    assert entitlements.witness_of(story, str(players[1].id)) is SPECTATOR
    with pytest.raises(entitlements.NotEntitled):
        entitlements.witness_of(story, str(players[1].id), "seat:1")
    assert to_json(repository.load(match.id, 1).state) == before
    seats = list(match.seats.order_by("number").values_list("account_id", "is_bot"))
    assert seats == [(players[0].id, False), (newcomer.id, False)]
    play_to_the_end(match, Random(3))
    assert str(newcomer.id) in {row.actor for row in store.read(match.id)}
    assert holds(match)["seed"]


@pytest.mark.parametrize("how", ["waiting", "running", "paused"])
def test_bot_may_take_over_a_seat_at_any_time(how: str, host: Account, players: list[Account]) -> None:
    match = waiting_match("pyramid_poker", *players, opener=host)
    if how != "waiting":
        act("start", match, host)
    if how == "paused":
        act("pause", match, host)
    act("substitute", match, host, seat=0, player=BOT)
    if how == "running":
        assert playing.attend(match_id=match.id) > 0
    assert repository.load(match.id).lifecycle.players == (BOT, str(players[1].id))
    assert repository.load(match.id).lifecycle.status == how
    assert list(match.seats.filter(is_bot=True).values_list("number", "account_id")) == [(0, None)]


def test_filling_an_open_seat_revokes_its_invitation(host: Account) -> None:
    match = waiting_match("pyramid_poker", None, BOT, opener=host)
    act("substitute", match, host, seat=0, player=new_account().id)
    assert match.seats.get(number=0).invitation is None
    act("start", match, host)


def test_account_that_knows_secrets_of_another_seat_cannot_substitute(
    match: Match, host: Account, players: list[Account]
) -> None:
    hosting.view_truth(match_id=match.id, by=host.id)
    assert refusal_of(lambda: act("substitute", match, host, seat=0, player=host.id)) == "knows_secrets"
    act("substitute", match, host, seat=1, player=BOT)
    assert refusal_of(lambda: act("substitute", match, host, seat=0, player=players[1].id)) == "knows_secrets"
    act("substitute", match, host, seat=1, player=players[1].id)
    assert refusal_of(lambda: act("substitute", match, host, seat=0, player=players[1].id)) == "already_seated"


# Rulings, appeals, approval


def test_appeal_is_answered_once_and_stays_in_the_record_after_the_end(
    match: Match, host: Account, players: list[Account]
) -> None:
    act("void", match, host)
    finished_at = Match.objects.get(id=match.id).finished_at
    assert appealing.appeal(match_id=match.id, player=players[0].id, kind="conduct", text="Whispers.") == 1
    assert appealing.appeal(match_id=match.id, player=players[1].id, kind="clock", text="Late.") == 2
    act("answer_appeal", match, host, number=2, decision="rejected", reason="It was in time.")
    hosting.rule(match_id=match.id, by=host.id, text="No whispering.")
    told = [(a.number, a.seat, a.kind, a.text, a.decision, a.reason) for a in feed.appeals(match.id).results]
    assert told == [
        (1, 0, "conduct", "Whispers.", None, None),
        (2, 1, "clock", "Late.", "rejected", "It was in time."),
    ]
    again = {"number": 2, "decision": "approved"}
    assert refusal_of(lambda: act("answer_appeal", match, host, **again)) == "appeal_closed"
    for number in (0, 3, -1, 10**30):
        assert refusal_of(lambda n=number: act("answer_appeal", match, host, **again | {"number": n})) == (
            "no_such_appeal"
        )
    assert Match.objects.get(id=match.id).finished_at == finished_at
    holds(match)


def test_seat_has_a_limit_of_open_appeals(match: Match, players: list[Account]) -> None:
    def appeal() -> int:
        return appealing.appeal(match_id=match.id, player=players[0].id, kind="other", text="Once more.")

    for _ in range(10):
        appeal()
    assert refusal_of(appeal) == "too_many_appeals"


def test_substitute_has_none_of_the_leavers_open_appeals(match: Match, host: Account, players: list[Account]) -> None:
    for _ in range(10):
        appealing.appeal(match_id=match.id, player=players[0].id, kind="other", text="Once more.")
    newcomer = new_account()
    act("substitute", match, host, seat=0, player=newcomer.id)
    assert appealing.appeal(match_id=match.id, player=newcomer.id, kind="clock", text="Too fast.") == 11


def test_result_counts_once_a_host_has_approved_it(host: Account, players: list[Account]) -> None:
    opened = opening.open_match(
        opener=host.id, game="pyramid_poker", options={}, approval=True,
        seats=[opening.SeatRequest(player.id) for player in players],
    )  # fmt: skip
    match = Match.objects.get(id=opened.match_id)
    act("start", match, host)
    assert refusal_of(lambda: act("approve", match, host)) == "not_finished"
    play_to_the_end(match, Random(5))
    assert feed.view(match.id, SPECTATOR).outcome.approved is False
    before = version(match)
    act("approve", match, host)
    assert feed.view(match.id, SPECTATOR).outcome.approved is True
    assert feed.view(match.id, SPECTATOR, before).outcome.approved is False
    assert refusal_of(lambda: act("approve", match, host)) == "already_approved"
    assert holds(match)["seed"]


# The truth


def test_look_at_the_truth_is_recorded_once_until_the_next_event(match: Match, host: Account) -> None:
    other = new_account(is_organiser=True)
    before = version(match)
    for who in (host, host, other, host, other):
        hosting.view_truth(match_id=match.id, by=who.id)
    assert types(match, before) == ["truth_viewed", "truth_viewed"]
    forget()
    hosting.view_truth(match_id=match.id, by=host.id)
    assert version(match) == before + 2
    send(match.id, repository.load(match.id).due.prompts[0].seat, Random(1))
    moved = version(match)
    hosting.view_truth(match_id=match.id, by=host.id)
    (looked,) = store.read(match.id, after=moved)
    assert codec.unpack(repository.load(match.id).game, looked, SPECTATOR).by == str(host.id)
    assert export.standing(match.id).truth_viewed_by == [host.id, other.id]


def test_look_at_a_finished_match_is_not_recorded(match: Match, host: Account) -> None:
    act("void", match, host)
    before = version(match)
    hosting.view_truth(match_id=match.id, by=host.id)
    assert version(match) == before


def test_player_may_not_look_at_the_truth(match: Match, players: list[Account]) -> None:
    before = version(match)
    with pytest.raises(entitlements.NotEntitled):
        hosting.view_truth(match_id=match.id, by=players[0].id)
    assert version(match) == before
    story = repository.load(match.id).lifecycle
    with pytest.raises(entitlements.NotEntitled):
        entitlements.witness_of(story, str(players[0].id), "host", True)
    with pytest.raises(entitlements.NotEntitled):
        entitlements.witness_of(story, str(uuid4()), "seat:0", True)


# Refusals


REFUSED: list[tuple[str, dict[str, Any], str, str]] = [
    ("void", {}, "over", "match_over"),
    ("adjudicate", {"winners": [0]}, "over", "match_over"),
    ("adjudicate", {"winners": [0]}, "waiting", "not_started"),
    ("adjudicate", {"winners": [2]}, "running", "no_such_seat"),
    ("adjudicate", {"winners": [-1]}, "running", "no_such_seat"),
    ("adjudicate", {"winners": []}, "running", "no_winner"),
    ("substitute", {"seat": 0, "player": BOT}, "over", "match_over"),
    ("substitute", {"seat": 2, "player": BOT}, "running", "no_such_seat"),
    ("seat_stand_in", {"seat": 0, "player": "bot"}, "over", "match_over"),
    ("extend", {"seat": 0, "seconds": 5}, "over", "match_over"),
    ("extend", {"seat": 0, "seconds": 5}, "waiting", "not_started"),
    ("extend", {"seat": 0, "seconds": 5}, "running", "no_prompt"),
    ("rewind", {"to_version": 5}, "over", "match_over"),
    ("rewind", {"to_version": 2}, "waiting", "not_started"),
    ("rewind", {"to_version": 3}, "running", "no_such_version"),
    ("rewind", {"to_version": 0}, "running", "no_such_version"),
    ("rewind", {"to_version": 10**6}, "running", "no_such_version"),
    ("resume", {}, "over", "match_over"),
    ("resume", {}, "running", "not_paused"),
    ("pause", {}, "over", "match_over"),
    ("pause", {}, "waiting", "not_started"),
    ("pause", {}, "paused", "match_paused"),
    ("start", {}, "running", "already_started"),
    ("approve", {}, "running", "nothing_to_approve"),
    ("approve", {}, "over", "nothing_to_approve"),
]


@pytest.mark.parametrize(("name", "more", "standing", "code"), REFUSED)
def test_invalid_host_act_is_refused_and_appends_nothing(
    name: str, more: dict[str, Any], standing: str, code: str, host: Account, players: list[Account]
) -> None:
    setting: Callable[..., Match] = waiting_match if standing == "waiting" else running_match
    match = setting("pyramid_poker", *players, opener=host)
    if standing == "over":
        act("void", match, host)
    if standing == "paused":
        act("pause", match, host)
    before = exported(match)
    assert refusal_of(lambda: act(name, match, host, **more)) == code
    assert exported(match) == before
    assert code in ACTS[name].rest.refusals, "The document names it."


def test_seated_player_gets_no_second_seat(match: Match, host: Account, players: list[Account]) -> None:
    for seat in (0, 1):
        assert refusal_of(lambda s=seat: act("substitute", match, host, seat=s, player=players[1].id)) == (
            "already_seated"
        )


def test_host_is_the_actor_of_the_event(match: Match, host: Account) -> None:
    act("rewind", match, host, to_version=boundary(match, 1))
    (row,) = store.read(match.id, after=version(match) - 1)
    assert row.actor == str(host.id)
    with (
        StreamTransaction(match.id, actor="nobody") as stream_transaction,
        pytest.raises(ValueError, match="needs the match"),
    ):
        append(
            stream_transaction,
            match_at_head(stream_transaction),
            [codec.unpack(repository.load(match.id).game, row, HOST)],
        )


def test_time_beyond_the_calendar_is_refused(timed: Match, host: Account) -> None:
    seat = repository.load(timed.id).clocks.runs[0].seat
    month = 30 * 86400

    def wait_for_months(months: int) -> str:
        for _ in range(months):
            hosting.extend(match_id=timed.id, by=host.id, seat=seat, seconds=month, reason="Wait.")
        return ""

    assert refusal_of(lambda: wait_for_months(host_acts.MOST_GIVEN_SECONDS // month + 1)) == "too_much_time"
    assert feed.clocks_document(repository.load(timed.id)).running
