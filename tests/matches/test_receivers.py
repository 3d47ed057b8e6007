"""Receivers that fail: pauses counted for each receiver, Retry-After, and webhooks that are switched off."""

from collections.abc import Iterator
from datetime import timedelta
from email.utils import format_datetime
from threading import BoundedSemaphore
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test import override_settings

from matches import tasks
from matches.models import Account, Call, Notice, Webhook
from matches.notifications import notices, receivers, webhooks
from tests.api.seasons import Cup
from tests.matches.test_notices import Receiver, listening, make_due, queue_several, receiving
from tests.table_setting import at_once, new_account, play_on, running_match

FAR_AWAY = "Mon, 01 Jan 2024 00:00:00 +99999999999999"


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as it:
        yield it


@pytest.fixture
def owner(receiver: Receiver) -> Account:
    account = new_account()
    notices.set_webhook(account, receiver.url)
    return account


def webhook_of(account: Account) -> Webhook:
    return Webhook.objects.get(account=account)


def pause_of(account: Account) -> timedelta:
    """The time between the last failure and the next call."""
    webhook = webhook_of(account)
    return webhook.next_try_at - webhook.failed_at


def fail(account: Account, receiver: Receiver, status: int, times: int = 1) -> None:
    for _ in range(times):
        receiver.statuses = [status]
        make_due()
        assert notices.send_pending() == 0


def test_pauses_double_from_five_seconds_to_an_hour_less_up_to_a_quarter() -> None:
    for failures, seconds in ((1, 5), (2, 10), (3, 20), (10, 2560), (11, 3600), (80, 3600)):
        pauses = {receivers.pause_after(failures, uuid4()).total_seconds() for _ in range(50)}
        assert 0.75 * seconds <= min(pauses) and max(pauses) <= seconds
        assert len(pauses) > 5, "receivers that failed together are not called again together"


def test_pause_is_equal_for_the_same_receiver_and_count() -> None:
    receiver = uuid4()
    assert receivers.pause_after(3, receiver) == receivers.pause_after(3, receiver)


def test_webhook_is_switched_off_at_once_by_410(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 3)
    fail(owner, receiver, 410)
    webhook = webhook_of(owner)
    assert (webhook.off_at is None, webhook.off_reason) == (False, "The receiver answered 410.")
    assert Notice.objects.filter(webhook=webhook, given_up_at=None).count() == 0
    make_due()
    assert (notices.send_pending(), len(receiver.got)) == (0, 1)


def test_webhook_that_is_off_gets_nothing_queued(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    fail(owner, receiver, 410)
    match = running_match("pyramid_poker", owner, new_account())
    play_on(match, 2)
    assert notices.queue_new_notices() == 0


def test_a_webhook_is_switched_off_by_404_at_the_fifth_failure_in_a_row(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 2)
    fail(owner, receiver, 404, times=4)
    assert webhook_of(owner).off_at is None
    fail(owner, receiver, 404)
    assert webhook_of(owner).off_at is not None


def test_a_success_ends_the_failures_in_a_row(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 3)
    fail(owner, receiver, 404, times=4)
    make_due()
    receiver.statuses = [204, 404]
    assert notices.send_pending() == 1
    assert (webhook_of(owner).failures, webhook_of(owner).off_at) == (1, None)


def test_webhook_is_switched_off_after_about_three_days_of_failures(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    Webhook.objects.filter(account=owner).update(failures=78)
    fail(owner, receiver, 500)
    assert webhook_of(owner).off_at is None
    fail(owner, receiver, 500)
    assert webhook_of(owner).off_reason == "The receiver answered 500."


def test_attempts_count_per_receiver_and_not_per_match(owner: Account, receiver: Receiver) -> None:
    for place in range(6):
        notices.queue(
            owner.webhook, uuid4(), 1, [notices.News(None, "your_turn", str(place), "Your turn.")], notices.now()
        )
    Webhook.objects.filter(account=owner).update(failures=1)
    receiver.statuses = [500] * 6
    assert (notices.send_pending(), len(receiver.got)) == (0, 1)
    assert webhook_of(owner).failures == 2
    make_due()
    receiver.statuses = []
    assert notices.send_pending(seconds=5) >= 1


def test_concurrent_failures_count_once(owner: Account) -> None:
    webhook, began_at = webhook_of(owner), notices.now()
    for _ in range(3):
        receivers.note_failure(webhook, webhooks.Sent("No.", 500), began_at)
    assert webhook_of(owner).failures == 1


def test_a_webhook_removed_during_a_failed_call_leaves_others_settled(owner: Account, receiver: Receiver) -> None:
    with receiving() as second:
        other = new_account()
        notices.set_webhook(other, second.url)
        queue_several(owner, 1)
        queue_several(other, 1)
        receiver.before = lambda: at_once([Webhook.objects.filter(account=owner).delete])
        receiver.statuses = [500]
        make_due()
        assert notices.send_pending() == 1
    assert Notice.objects.get(webhook__account=other).sent_at is not None


@pytest.mark.parametrize("status", [429, 503])
def test_retry_after_in_seconds_extends_the_pause(owner: Account, receiver: Receiver, status: int) -> None:
    queue_several(owner, 1)
    receiver.retry_after = "25"
    fail(owner, receiver, status)
    assert timedelta(seconds=25) <= pause_of(owner) < timedelta(seconds=26)


def test_retry_after_as_a_date_extends_the_pause(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    receiver.retry_after = format_datetime(notices.now() + timedelta(minutes=10), usegmt=True)
    fail(owner, receiver, 503)
    assert timedelta(minutes=9) < pause_of(owner) <= timedelta(minutes=10)


@pytest.mark.parametrize("value", ["999999999999999999999", "Fri, 31 Dec 9999 23:59:59 GMT"])
def test_retry_after_extends_the_pause_by_an_hour_at_most(owner: Account, receiver: Receiver, value: str) -> None:
    queue_several(owner, 1)
    receiver.retry_after = value
    fail(owner, receiver, 429)
    assert pause_of(owner) == timedelta(hours=1)


@pytest.mark.parametrize(
    "value", ["soon", "-5", "\N{SUPERSCRIPT TWO}", "Fri, 31 Dec 1999 23:59:59 GMT", "1e9", FAR_AWAY]
)
def test_invalid_or_past_retry_after_is_ignored(owner: Account, receiver: Receiver, value: str) -> None:
    queue_several(owner, 1)
    receiver.retry_after = value
    fail(owner, receiver, 429)
    assert pause_of(owner) <= timedelta(seconds=5)


def test_setting_a_webhook_again_switches_it_on(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    fail(owner, receiver, 410)
    notices.set_webhook(owner, receiver.url)
    webhook = webhook_of(owner)
    assert (webhook.off_at, webhook.off_reason, webhook.failures) == (None, "", 0)
    queue_several(owner, 1)
    notices.queue_test(webhook)
    assert notices.send_pending() == 1


def test_a_test_switches_a_webhook_on_and_a_410_off_again(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    fail(owner, receiver, 410)
    receiver.statuses = [410]
    notices.queue_test(webhook_of(owner))
    assert (notices.send_pending(), webhook_of(owner).off_at is None) == (0, False)
    notices.queue_test(webhook_of(owner))
    assert (notices.send_pending(), webhook_of(owner).off_at) == (1, None)


def test_call_of_a_failing_receiver_is_reserved_once(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    fail(owner, receiver, 500)
    make_due()
    assert receivers.reserve_call(webhook_of(owner))
    assert not receivers.reserve_call(webhook_of(owner))


def test_a_notice_is_given_back_when_another_worker_calls_its_receiver(
    owner: Account, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue_several(owner, 1)
    monkeypatch.setattr(receivers, "reserve_call", lambda webhook: False)
    make_due()
    assert notices.send_pending() == 0
    assert Notice.objects.get(webhook=webhook_of(owner)).attempts == 0
    monkeypatch.undo()
    assert notices.send_pending() == 1


def calls_of(account: UUID) -> list[str]:
    return list(Call.objects.filter(account=account, kind="webhook", way="page").values_list("kind", flat=True))


def test_the_owner_gets_one_call_when_a_webhook_is_switched_off(owner: Account, receiver: Receiver) -> None:
    queue_several(owner, 1)
    tasks.call()
    assert calls_of(owner.id) == []
    fail(owner, receiver, 410)
    for _ in range(2):
        tasks.call()
    assert calls_of(owner.id) == ["webhook"]


def test_the_organisers_get_a_call_when_a_seasons_webhook_is_switched_off(receiver: Receiver) -> None:
    cup = Cup(4)
    notices.set_season_webhook(UUID(cup.id), receiver.url)
    webhook = Webhook.objects.get(season_id=cup.id)
    receivers.switch_off(webhook, "The receiver answered 410.", notices.now())
    tasks.call()
    assert calls_of(UUID(cup.organiser.id)) == ["webhook"]
    assert calls_of(UUID(cup.players[0].id)) == []


@pytest.mark.parametrize(
    "url", ["http://127.1/", "http://0/", "http://localhost/x", "http://2130706433/", "http://[::1]/"]
)
def test_url_with_a_private_address_is_refused_when_it_is_set(url: str) -> None:
    account = new_account()
    with override_settings(WEBHOOK_PRIVATE=False), pytest.raises(webhooks.AddressRefused, match="public"):
        notices.set_webhook(account, url)


def test_url_with_an_unknown_host_is_refused_when_it_is_set() -> None:
    account = new_account()
    with override_settings(WEBHOOK_PRIVATE=False), pytest.raises(webhooks.AddressRefused, match="leads nowhere"):
        notices.set_webhook(account, "https://hooks.invalid/x")


def test_url_is_refused_while_all_name_lookups_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "_looking_up", BoundedSemaphore(1))
    connections = []

    def slow(host: str, port: int) -> str:
        connections.append(connection.connection)
        with pytest.raises(webhooks.AddressRefused, match="Try again"):
            webhooks.check_receiver("https://two.example/")
        return "192.0.2.1"

    monkeypatch.setattr(webhooks, "_address_of", slow)
    connection.ensure_connection()
    with override_settings(WEBHOOK_PRIVATE=False):
        assert webhooks.check_receiver("https://one.example/") == "https://one.example/"
    assert connections == [None], "The connection to the database is free for others."
