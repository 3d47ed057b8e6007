"""Calls of people: sent once by each way that they want, in order, and at most once a minute."""

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from uuid import uuid4

import pytest

from events import store
from matches.domain import calls as rules
from matches.domain.calls import KINDS, TABLE, WAYS, Quiet
from matches.domain.clocks import ClockTimes
from matches.models import Account, Call, MailAddress, Match, PushSubscription
from matches.notifications import call_delivery, calls, match_calls, reach
from matches.notifications.calls import Cause
from matches.services import hosting, offering, opening
from matches.storage import repository
from tests.table_setting import at_once, new_account, play_on, running_match


class Post:
    """Takes what is sent by a way; refuses what goes to accounts that are `away`."""

    def __init__(self) -> None:
        self.got: list[tuple[Call, call_delivery.Message]] = []
        self.letters: list[list[str]] = []
        self.away: set[Account] = set()

    def take(self, sent: list[Call], messages: list[call_delivery.Message]) -> str:
        if sent[0].account in self.away:
            return "Nobody opens."
        self.got += zip(sent, messages, strict=True)
        self.letters.append([it.kind for it in messages])
        return ""

    def kinds(self, account: Account) -> list[str]:
        return [call.kind for call, _ in self.got if call.account == account]


@pytest.fixture
def post(monkeypatch: pytest.MonkeyPatch) -> Iterator[Post]:
    Call.objects.all().delete()
    post = Post()
    monkeypatch.setattr(call_delivery, "senders", {"push": post.take, "email": post.take})
    yield post
    Call.objects.all().delete()


def with_push(account: Account) -> PushSubscription:
    return PushSubscription.objects.create(account=account, sealed=b"", digest=uuid4().bytes * 2, label="A browser")


def with_mail(account: Account) -> Account:
    MailAddress.objects.create(account=account, sealed=b"", digest=b"", verified_at=store.clock())
    return account


def called() -> Account:
    account = new_account()
    with_push(account)
    return account


def news(account: Account, kind: str = "result", **about: object) -> Cause:
    return Cause(account.id, kind, str(uuid4()), **about)


def sent_a_minute_ago() -> None:
    Call.objects.filter(state="sent").update(done_at=store.clock() - timedelta(seconds=61))
    Call.objects.filter(state="waiting").update(due_at=store.clock())


def test_turn_is_notified_once_by_several_workers(post: Post) -> None:
    players = [called(), called()]
    match = running_match("pyramid_poker", *players)
    for _ in range(2):
        match_calls.queue_new_calls()
    at_once([match_calls.queue_new_calls, call_delivery.send_pending] * 3)
    seat = repository.load(match.id).due.prompts[0].seat
    assert sorted(post.kinds(players[seat])) == ["match_begins", "your_turn"]
    assert post.kinds(players[1 - seat]) == ["match_begins"]


def test_the_next_turn_is_called_too_and_the_end(post: Post) -> None:
    players = [called(), called()]
    match = running_match("pyramid_poker", *players)
    for _ in range(4):
        match_calls.queue_new_calls()
        call_delivery.send_pending()
        sent_a_minute_ago()
        play_on(match, 1)
    hosting.void(match_id=match.id, by=match.opened_by_id, reason="Enough.")
    match_calls.queue_new_calls()
    call_delivery.send_pending()
    assert post.kinds(players[0]).count("your_turn") + post.kinds(players[1]).count("your_turn") == 4
    assert [post.kinds(it)[-1] for it in players] == ["result", "result"]


def test_offer_is_notified_to_those_who_can_answer_until_it_is_answered(post: Post) -> None:
    players = [called(), called()]
    match = running_match("pyramid_poker", *players)
    offering.make_offer(match_id=match.id, player=players[0].id, kind="pause")
    for _ in range(2):
        match_calls.queue_new_calls()
    call_delivery.send_pending()
    assert [post.kinds(it).count("offer") for it in players] == [0, 1]
    offering.accept_offer(match_id=match.id, player=players[1].id, number=1)
    sent_a_minute_ago()
    offering.make_offer(match_id=match.id, player=players[1].id, kind="resume")
    match_calls.queue_new_calls()
    call = Call.objects.get(account=players[0], kind="offer", way="push")
    offering.decline_offer(match_id=match.id, player=players[0].id, number=2)
    call_delivery.send_pending()
    call.refresh_from_db()
    assert call.state == "lapsed" and "offer" not in post.kinds(players[0]), "it is answered"


def test_turn_notice_lapses_if_the_turn_is_played_before_delivery(post: Post) -> None:
    players = [called(), called()]
    match = running_match("pyramid_poker", *players)
    match_calls.queue_new_calls()
    seat = repository.load(match.id).due.prompts[0].seat
    while repository.load(match.id).due.prompts[0].seat == seat:
        play_on(match, 1)
    call_delivery.send_pending()
    assert post.kinds(players[seat]) == ["match_begins"]
    assert Call.objects.get(account=players[seat], kind="your_turn").state == "lapsed"


def test_player_who_gets_a_seat_is_invited(post: Post) -> None:
    opener, other = new_account(), called()
    opening.open_match(
        opener=opener.id, game="pyramid_poker", options={},
        seats=[opening.SeatRequest(opener.id), opening.SeatRequest(other.id)],
    )  # fmt: skip
    match_calls.queue_new_calls()
    call_delivery.send_pending()
    assert post.kinds(other) == ["invitation"]
    assert not Call.objects.filter(account=opener).exists()


def test_notices_of_one_kind_about_one_match_are_merged_within_a_minute(post: Post) -> None:
    account, match = called(), uuid4()
    calls.queue([news(account, match=match)])
    assert call_delivery.send_pending() == 1
    later = [news(account, match=match) for _ in range(3)]
    calls.queue([*later, news(account, match=uuid4())])
    assert call_delivery.send_pending() == 1, "what is about another match needn't wait"
    first = Call.objects.filter(state="sent", match_id=match, way="push").get()
    waiting = Call.objects.filter(state="waiting").order_by("due_at").first()
    assert waiting.due_at == first.done_at + timedelta(minutes=1)
    sent_a_minute_ago()
    assert call_delivery.send_pending() == 1
    assert [call.cause for call, _ in post.got if call.match_id == match][-1] == later[-1].cause
    assert Call.objects.filter(state="merged").count() == 2 and not Call.objects.filter(state="waiting").exists()


def test_refused_notice_waits_in_order_and_delays_no_other_account(post: Post) -> None:
    dead, well = called(), called()
    post.away = {dead}
    calls.queue([news(dead, "result"), news(dead, "answer"), news(well)])
    assert call_delivery.send_pending() == 1
    assert (post.kinds(well), post.kinds(dead)) == (["result"], [])
    failed, waiting = Call.objects.filter(account=dead, way="push").order_by("made_at")
    assert (failed.attempts, failed.last_failure, waiting.attempts) == (1, "Nobody opens.", 0)
    post.away = set()
    assert call_delivery.send_pending() == 0, "it isn't tried again at once"
    Call.objects.filter(account=dead, state="waiting").update(next_try_at=store.clock())
    assert call_delivery.send_pending() == 2
    assert post.kinds(dead) == ["result", "answer"]


def test_notice_is_given_up_after_the_last_attempt(post: Post) -> None:
    dead = called()
    post.away = {dead}
    calls.queue([news(dead)])
    for _ in range(call_delivery.MOST_ATTEMPTS):
        Call.objects.filter(state="waiting").update(next_try_at=store.clock())
        call_delivery.send_pending()
    assert Call.objects.get(account=dead, way="push").state == "given_up"


def test_notice_of_a_dead_worker_is_sent_by_another(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    account = called()
    calls.queue([news(account)])
    with monkeypatch.context() as killed, pytest.raises(KeyboardInterrupt):
        killed.setattr(call_delivery, "senders", {"push": lambda *_: (_ for _ in ()).throw(KeyboardInterrupt)})
        call_delivery.send_pending()
    assert call_delivery.send_pending() == 0, "it is lent to the one who may still be at it"
    Call.objects.filter(state="waiting").update(next_try_at=store.clock())
    assert call_delivery.send_pending() == 1


def test_exception_in_sending_delays_only_its_own_account(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    ill, well = called(), called()

    def take(sent: list[Call], messages: list[call_delivery.Message]) -> str:
        return str(1 / 0) if sent[0].account == ill else post.take(sent, messages)

    monkeypatch.setattr(call_delivery, "senders", {"push": take})
    calls.queue([news(ill), news(well)])
    assert call_delivery.send_pending() == 1
    assert Call.objects.get(account=ill, way="push").last_failure.endswith("ZeroDivisionError.")


def test_each_browser_gets_its_own_notice_and_its_removal_deletes_its_notices(post: Post) -> None:
    account = called()
    second = with_push(account)
    calls.queue([news(account)])
    assert call_delivery.send_pending() == 2
    second.delete()
    assert account.calls.filter(way="push").count() == 1


def test_all_due_notices_of_an_account_go_into_one_letter(post: Post) -> None:
    account = with_mail(new_account())
    match = uuid4()
    calls.queue([news(account, match=match), news(account, match=match), news(account, "answer")])
    assert call_delivery.send_pending() == 2
    assert post.letters == [["result", "answer"]]
    assert Call.objects.filter(account=account, way="email", state="merged").count() == 1


def test_switching_a_kind_off_or_muting_a_season_drops_waiting_notices(post: Post) -> None:
    account, season, other = called(), uuid4(), uuid4()
    calls.queue([news(account, "result", season=season), news(account, "answer", season=season)])
    reach.choose(account, {("result", "push"): False})
    reach.choose_for_season(account, season, "muted")
    assert call_delivery.send_pending() == 0
    calls.queue([news(account, "answer", season=season), news(account, "answer", season=other)])
    assert call_delivery.send_pending() == 1
    reach.choose_for_season(account, season, "all")
    calls.queue([news(account, "result", season=season)])
    assert call_delivery.send_pending() == 1
    assert post.kinds(account) == ["answer", "result"]


def test_quiet_hours_let_nothing_through_until_they_end(post: Post) -> None:
    account = called()
    hour = store.clock().hour
    quiet = {"quiet_from": time((hour - 1) % 24), "quiet_until": time((hour + 2) % 24)}
    reach.arrange(account, details=False, digest="at_once", **quiet)
    calls.queue([news(account)])
    assert call_delivery.send_pending() == 0
    due = Call.objects.get(account=account, way="push").due_at
    assert (due.hour, due.minute) == ((hour + 2) % 24, 0)
    assert Call.objects.get(account=account, way="page").state == "sent", "the page tells it all the same"
    reach.arrange(account, details=False, digest="at_once", quiet_from=None, quiet_until=None)
    assert call_delivery.send_pending() == 1, "what waits follows what is wanted now"


SUMMER = datetime(2026, 7, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("begins", "ends", "at", "due"),
    [
        (22, 7, SUMMER.replace(hour=19, minute=59), SUMMER.replace(hour=19, minute=59)),
        (22, 7, SUMMER.replace(hour=20), SUMMER.replace(day=2, hour=5)),
        (22, 7, SUMMER.replace(hour=4, minute=59), SUMMER.replace(hour=5)),
        (22, 7, SUMMER.replace(hour=5), SUMMER.replace(hour=5)),
        (1, 7, SUMMER.replace(hour=3), SUMMER.replace(hour=5)),
        (1, 7, SUMMER.replace(hour=22), SUMMER.replace(hour=22)),
    ],
)
def test_quiet_hours_are_by_the_accounts_clock(begins: int, ends: int, at: datetime, due: datetime) -> None:
    assert rules.after(Quiet(time(begins), time(ends), "Europe/Vienna"), at) == due


def test_quiet_hours_that_end_in_an_hour_that_is_repeated_end_after_they_began() -> None:
    quiet = Quiet(time(22), time(2, 30), "Europe/Vienna")
    first, second = (datetime(2026, 10, 25, hour, 10, tzinfo=UTC) for hour in (0, 1))
    for at in (first, second):
        assert rules.after(quiet, at) == at + timedelta(minutes=20)


@pytest.mark.parametrize(
    ("digest", "at", "due"),
    [
        ("at_once", SUMMER, SUMMER),
        ("hourly", SUMMER.replace(hour=9, minute=20), SUMMER.replace(hour=10)),
        ("hourly", SUMMER.replace(hour=9), SUMMER.replace(hour=9)),
        ("daily", SUMMER.replace(hour=5), SUMMER.replace(hour=6)),
        ("daily", SUMMER.replace(hour=6, minute=1), SUMMER.replace(day=2, hour=6)),
    ],
)
def test_a_digest_gathers_mail_until_its_hour_by_the_accounts_clock(digest: str, at: datetime, due: datetime) -> None:
    assert rules.due_at("email", at, None, digest, "Europe/Vienna") == due
    assert rules.due_at("push", at, None, digest, "Europe/Vienna") == at


def test_a_call_names_nothing_of_a_private_match_unless_its_reader_wants_that(post: Post) -> None:
    players = [called(), called()]
    match = running_match("pyramid_poker", *players)
    match_calls.queue_new_calls()
    Call.objects.filter(state="waiting").update(next_try_at=store.clock())
    call_delivery.send_pending()
    assert {message.text for call, message in post.got} <= {TABLE["match_begins"].text, TABLE["your_turn"].text}
    call = Call.objects.filter(kind="match_begins", way="push").first()
    assert call_delivery.message(call, details=True).text == "A match of yours has begun: Pyramid Poker."
    assert call_delivery.message(call, details=False).page == f"/m/{match.id}/"


def test_guest_inactive_account_and_bot_get_no_notice(post: Post) -> None:
    off = called()
    guest = new_account()
    Account.objects.filter(id=off.id).update(is_active=False)
    Account.objects.filter(id=guest.id).update(guest_until=store.clock() + timedelta(days=1))
    assert calls.queue([news(off), news(guest), Cause(uuid4(), "result", "x")]) == 0


def test_mover_of_a_long_turn_is_reminded_once_after_four_fifths(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    players = [called(), called()]
    running_match("pyramid_poker", *players)
    match = running_match("pyramid_poker", *players, clocks={"choice": ClockTimes(base=1200)})
    mover = repository.load(match.id).due.prompts[0].seat
    for seconds, count in ((900, 0), (1000, 1), (1100, 0)):
        at = store.clock() + timedelta(seconds=seconds)
        with monkeypatch.context() as later:
            later.setattr(store, "clock", lambda at=at: at)
            assert (match_calls.remind() > 0) == bool(count)
    assert {it.account for it in Call.objects.filter(kind="reminder")} == {players[mover]}
    assert Call.objects.filter(kind="reminder", way="push").count() == 1


def test_old_notices_are_deleted(post: Post) -> None:
    account = called()
    calls.queue([news(account), news(account)])
    old = Call.objects.filter(way="page").order_by("made_at").first()
    Call.objects.filter(id=old.id).update(made_at=store.clock() - timedelta(days=91))
    calls.forget_old()
    assert not Call.objects.filter(id=old.id).exists()
    assert Call.objects.filter(account=account).count() == 3


def test_the_table_has_words_and_ways_for_every_kind() -> None:
    assert set(TABLE) == {*KINDS, "test"}
    assert all(
        kind.ways <= set(WAYS) and kind.text.endswith(".") and kind.when.endswith(".") for kind in TABLE.values()
    )


def test_frozen_match_delays_no_notice_of_another_match(post: Post, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = running_match("pyramid_poker", called(), called())
    well = running_match("pyramid_poker", called(), called())
    load = repository.load

    def refuse(match_id: object, *args: object, **more: object) -> object:
        if match_id == broken.id:
            raise repository.BrokenRecord(None)
        return load(match_id, *args, **more)

    monkeypatch.setattr(repository, "load", refuse)
    match_calls.queue_new_calls()
    assert Call.objects.filter(match_id=well.id).exists() and not Call.objects.filter(match_id=broken.id).exists()
    monkeypatch.undo()
    match_calls.queue_new_calls()
    assert Call.objects.filter(match_id=broken.id).exists(), "it is looked at again once it isn't"
    assert Match.objects.get(id=broken.id).status == "running"
