"""Notices to people's webhooks: signed, in order, repeated after a failure, and never sent to a private address."""

import base64
import hmac
import json
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Barrier, Thread
from typing import Any, NamedTuple
from uuid import uuid4

import pytest
from django.test import override_settings
from standardwebhooks import Webhook as StandardWebhook
from standardwebhooks import WebhookVerificationError

from matches import services
from matches.domain.clocks import ClockTimes
from matches.models import Account, Notice, Webhook
from matches.notifications import notices, receivers, webhooks
from matches.storage import repository
from tests.events.staging import owner
from tests.matches.fault_scenarios import query
from tests.table_setting import at_once, new_account, play_on, running_match
from tests.waiting import PATIENCE


class Got(NamedTuple):
    headers: dict[str, str]
    body: bytes

    @property
    def told(self) -> dict[str, Any]:
        return json.loads(self.body)


class Receiver:
    """A chat service that can be out of order: it answers with the statuses given, then with 204."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/hook"
        self.got: list[Got] = []
        self.statuses: list[int] = []
        self.retry_after = ""
        self.before: Callable[[], object] = lambda: None


@contextmanager
def receiving(tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.before()
            receiver.got.append(Got(dict(self.headers), body))
            status = receiver.statuses.pop(0) if receiver.statuses else 204
            self.send_response(status)
            if status == 302:
                self.send_header("Location", receiver.url)
            if receiver.retry_after:
                self.send_header("Retry-After", receiver.retry_after)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    receiver = Receiver(server.server_port)
    if tls:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()


@contextmanager
def listening() -> Iterator[Receiver]:
    """A receiver of all that is sent: no webhook of another test stands beside this one's."""
    Webhook.objects.all().delete()
    with receiving() as it, override_settings(WEBHOOK_PRIVATE=True):
        yield it
    Webhook.objects.all().delete()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as it:
        yield it


def queue_several(account: Account, count: int) -> None:
    """Queue notices of one line, so that each waits for the one before it."""
    news = [notices.News(None, Notice.Kind.TEST, str(place), f"Number {place}.") for place in range(count)]
    notices.queue(account.webhook, None, 0, news, notices.now())


def two_players() -> list[Account]:
    return [new_account(), new_account()]


def switch(account: Account, is_active: bool) -> None:
    Account.objects.filter(id=account.id).update(is_active=is_active)


def make_due() -> None:
    now = query("SELECT clock_timestamp()")[0][0]
    Notice.objects.filter(sent_at=None).update(next_try_at=now)
    Webhook.objects.exclude(next_try_at=None).update(next_try_at=now)


def kinds(account: Account) -> list[str]:
    return list(Notice.objects.filter(webhook__account=account).order_by("made_at").values_list("kind", flat=True))


def test_player_is_notified_once_of_each_turn_and_of_the_end(receiver: Receiver) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    turns = 0
    while (match_state := repository.load(match.id)).outcome is None and turns < 3:
        for _ in range(2):
            notices.look()
        turns += match_state.due.prompts[0].seat == 0
        play_on(match, 1)
    services.void(match_id=match.id, by=match.opened_by_id, reason="Enough.")
    notices.look()
    assert kinds(players[0]) == ["your_turn"] * turns + ["match_over"]
    assert notices.send_pending() == turns + 1
    assert [request.told["croupier"]["kind"] for request in receiver.got] == ["your_turn"] * turns + ["match_over"]
    first_request = receiver.got[0]
    assert match.code in first_request.told["content"]
    assert first_request.told["content"] == first_request.told["text"]
    assert notices.send_pending() == 0


def told_a_test(account: Account, receiver: Receiver) -> Got:
    notices.queue_test(account.webhook)
    assert notices.send_pending() == 1
    return receiver.got[-1]


def test_notice_is_verified_as_standard_webhooks_specifies(receiver: Receiver) -> None:
    account = new_account()
    secret = notices.set_webhook(account, receiver.url)
    request, verifier = told_a_test(account, receiver), StandardWebhook(secret)
    assert verifier.verify(request.body, request.headers) == request.told
    assert request.headers["webhook-id"] == request.told["croupier"]["id"]
    # By the specification's own words, lest signer and verifier err alike.
    key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    words = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.body
    expected = "v1," + base64.b64encode(hmac.digest(key, words, "sha256")).decode()
    assert (secret[:6], len(key), request.headers["webhook-signature"]) == ("whsec_", 32, expected)


@pytest.mark.parametrize("changed", ["body", "webhook-id", "webhook-timestamp", "secret"])
def test_standard_verifier_rejects_a_changed_notice(receiver: Receiver, changed: str) -> None:
    account = new_account()
    secret = notices.set_webhook(account, receiver.url)
    request = told_a_test(account, receiver)
    body = request.body.replace(b"reach", b"teach") if changed == "body" else request.body
    altered = {"webhook-id": str(uuid4()), "webhook-timestamp": str(int(request.headers["webhook-timestamp"]) - 1)}
    headers = {**request.headers, **{name: value for name, value in altered.items() if name == changed}}
    verifier = StandardWebhook(webhooks.new_secret() if changed == "secret" else secret)
    with pytest.raises(WebhookVerificationError, match="No matching signature"):
        verifier.verify(body, headers)


@pytest.mark.parametrize("earlier", [False, True])
def test_receiver_for_release_0_2_still_verifies_a_notice(receiver: Receiver, earlier: bool) -> None:
    """Verify a notice by the secret of this or an earlier release; an earlier secret also serves for the new form."""
    account = new_account()
    secret = notices.set_webhook(account, receiver.url)
    if earlier:
        secret = "q0-Zb_a1Ykd5lN3hT7uKx2vRw8cE4mG6sJ9oPfLiDyA"
        Webhook.objects.filter(account=account).update(secret=webhooks.sealed(secret))
    request = told_a_test(account, receiver)
    at, signature = request.headers["Croupier-Signature"].removeprefix("t=").split(",v1=")
    assert signature == hmac.new(secret.encode(), at.encode() + b"." + request.body, sha256).hexdigest()
    assert request.headers["Croupier-Notice"] == request.headers["webhook-id"]
    if earlier:
        written = "whsec_" + base64.b64encode(secret.encode()).decode()
        assert StandardWebhook(written).verify(request.body, request.headers) == request.told


def test_turn_committed_after_a_later_scan_is_notified_by_the_next_one(receiver: Receiver) -> None:
    """A transaction may stand open for half a minute, and carries the instant at which it began."""
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    match.refresh_from_db()
    Webhook.objects.update(looked_at=match.changed_at + timedelta(seconds=35))
    notices.look()
    assert kinds(players[0]) == ["your_turn"]


@pytest.mark.parametrize(("seconds", "remembered"), [(9, False), (11, True)])
def test_scan_without_news_is_recorded_at_intervals(receiver: Receiver, seconds: int, remembered: bool) -> None:
    notices.set_webhook(new_account(), receiver.url)
    before = notices.now() - timedelta(seconds=seconds)
    Webhook.objects.update(looked_at=before)
    assert notices.look() == 0
    assert (Webhook.objects.get().looked_at > before) == remembered


def test_end_before_the_webhook_was_set_is_not_notified(receiver: Receiver) -> None:
    players = two_players()
    match = running_match("pyramid_poker", *players)
    services.void(match_id=match.id, by=match.opened_by_id, reason="Enough.")
    notices.set_webhook(players[0], receiver.url)
    assert (notices.look(), kinds(players[0])) == (0, [])


def test_turn_repeated_by_a_rewind_is_notified_again(receiver: Receiver) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    while (match_state := repository.load(match.id)).due.prompts[0].seat != 0:
        play_on(match, 1)
    notices.look()
    play_on(match, 1)
    services.rewind(match_id=match.id, by=match.opened_by_id, to_version=match_state.version, reason="A slip.")
    notices.look()
    assert kinds(players[0]) == ["your_turn", "your_turn"]


def test_turn_in_a_paused_match_is_notified_after_its_resumption(receiver: Receiver) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    services.pause(match_id=match.id, by=match.opened_by_id, reason="A question.")
    assert (notices.look(), kinds(players[0])) == (0, [])
    services.resume(match_id=match.id, by=match.opened_by_id, reason="Answered.")
    assert (notices.look(), kinds(players[0])) == (1, ["your_turn"])


def rows_handled(plan: dict[str, Any]) -> int:
    """Return the number of rows that the nodes of an executed plan returned or removed."""
    rows = sum(plan.get(it, 0) for it in ("Actual Rows", "Rows Removed by Filter", "Rows Removed by Join Filter"))
    return int(rows * plan["Actual Loops"]) + sum(map(rows_handled, plan.get("Plans", ())))


def test_long_queue_of_a_failing_receiver_does_not_delay_others(receiver: Receiver) -> None:
    account, many = new_account(), 600
    notices.set_webhook(account, receiver.url)
    at, match = notices.now(), uuid4()
    waiting = [
        Notice(
            webhook=account.webhook, match_id=match, kind="your_turn", about=str(place), text="Yours.", version=place,
            made_at=at + timedelta(microseconds=place), next_try_at=at + timedelta(hours=not place),
        )
        for place in range(many)
    ]  # fmt: skip
    Notice.objects.bulk_create(waiting)
    # Whether the database has found out yet how many they are, or not.
    for statement in ("SELECT 1", "ANALYZE matches_notice"):
        with owner() as connection:
            connection.execute(statement)
        ((plan,),) = query(f"EXPLAIN (ANALYZE, FORMAT JSON) {notices._CLAIM}", [receivers.LEASE])
        assert rows_handled(plan[0]["Plan"]) < 10 * many
    assert notices.send_pending() == 0
    notices.queue_test(account.webhook)
    assert notices.send_pending() == 1 and receiver.got[0].told["croupier"]["kind"] == "test"


def test_failed_notice_is_retried_before_later_ones_of_its_match(receiver: Receiver) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    notices.look()
    services.void(match_id=match.id, by=match.opened_by_id, reason="Enough.")
    notices.look()
    receiver.statuses = [500, 302, 204]
    assert notices.send_pending() == 0
    first = Notice.objects.get(webhook__account=players[0], kind="your_turn")
    assert (first.attempts, first.last_failure) == (1, "The receiver answered 500.")
    assert first.next_try_at - first.made_at > timedelta(seconds=3.7)
    make_due()
    assert notices.send_pending() == 0
    first.refresh_from_db()
    assert first.last_failure == "The receiver answered 302.", "Nobody is sent elsewhere."
    make_due()
    assert notices.send_pending() == 2
    delivered_kinds = [request.told["croupier"]["kind"] for request in receiver.got]
    assert delivered_kinds == ["your_turn"] * 3 + ["match_over"]
    assert len({request.headers["webhook-id"] for request in receiver.got}) == 2


def test_notice_is_given_up_after_a_day_and_the_next_is_sent(receiver: Receiver) -> None:
    account = new_account()
    notices.set_webhook(account, receiver.url)
    queue_several(account, 2)
    old = Notice.objects.filter(webhook__account=account).order_by("made_at")[:1]
    Notice.objects.filter(id__in=old.values("id")).update(made_at=notices.now() - notices.TRIED_FOR)
    assert notices.send_pending() == 1
    rows = Notice.objects.filter(webhook__account=account).order_by("made_at")
    assert [(it.given_up_at is None, it.sent_at is None) for it in rows] == [(False, True), (True, False)]


def test_inactive_account_has_nothing_queued_or_sent(receiver: Receiver) -> None:
    account, other = two_players()
    notices.set_webhook(account, receiver.url)
    notices.queue_test(account.webhook)
    match = running_match("pyramid_poker", account, other)
    switch(account, is_active=False)
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    assert (notices.look(), notices.send_pending()) == (0, 0)
    assert kinds(account) == ["test"] and Notice.objects.get(webhook__account=account).given_up_at
    switch(account, is_active=True)
    assert (notices.look(), notices.send_pending()) == (1, 1)
    assert [request.told["croupier"]["kind"] for request in receiver.got] == ["your_turn"]


def test_second_test_notice_is_not_queued_while_one_waits(receiver: Receiver) -> None:
    account = new_account()
    notices.set_webhook(account, receiver.url)
    for _ in range(3):
        notices.queue_test(account.webhook)
    assert notices.send_pending() == 1
    notices.queue_test(account.webhook)
    assert notices.send_pending() == 1


def test_notice_claimed_by_a_dead_worker_is_sent_by_another(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = new_account()
    notices.set_webhook(account, receiver.url)
    notices.queue_test(account.webhook)
    assert notices._claim() is not None
    assert notices.send_pending() == 0
    make_due()
    assert notices.send_pending() == 1


@pytest.mark.parametrize(
    ("base", "seconds_gone", "warnings"),
    [(7200, 5700, ["your_turn"]), (7200, 5800, ["your_turn", "time_running_out"]),
     (7200, 6500, ["your_turn", "time_running_out"]),
     (7200, 6700, ["your_turn", "time_running_out", "ten_minutes_left"]),
     (3599, 3400, ["your_turn", "time_running_out"]), (600, 590, ["your_turn", "time_running_out"]),
     (599, 590, ["your_turn"])],
)  # fmt: skip
def test_long_turn_is_warned_of_at_four_fifths_and_ten_minutes_before_its_end(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, base: int, seconds_gone: int, warnings: list[str]
) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    time = ClockTimes(base=base)
    match = running_match("pyramid_poker", *players, clocks={"choice": time, "turn": time})
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    real = notices.now
    monkeypatch.setattr(notices, "now", lambda: real() + timedelta(seconds=seconds_gone))
    notices.look()
    notices.look()
    assert kinds(players[0]) == warnings


def test_url_and_secret_are_encrypted_and_another_key_cannot_send(receiver: Receiver) -> None:
    account = new_account()
    url = f"{receiver.url}?token=hush"
    secret = notices.set_webhook(account, url)
    row = query("SELECT w::text FROM matches_webhook w WHERE account_id = %s", [account.id])[0][0]
    (sealed,) = query("SELECT sealed_url, secret FROM matches_webhook WHERE account_id = %s", [account.id])
    stored = b"".join(map(bytes, sealed))
    for telling in ("hush", "127.0.0.1", secret):
        assert telling not in row
        assert telling.encode() not in stored
    notices.queue_test(account.webhook)
    with override_settings(SECRET_KEY="another key of the house, forty letters long"):
        assert notices.send_pending() == 0
    (notice,) = Notice.objects.filter(webhook__account=account)
    assert (receiver.got, notice.last_failure) == ([], "The house has another key since; set the webhook anew.")


@pytest.mark.parametrize(
    "url",
    ["http://127.0.0.1/x", "http://[::1]/x", "http://10.0.0.7/", "http://169.254.169.254/latest", "http://0.0.0.0/",
     "http://[::ffff:127.0.0.1]/", "http://[64:ff9b::10.0.0.7]/", "http://[::10.0.0.7]/", "http://[fec0::7]/",
     "http://[::ffff:0:10.0.0.7]/", "http://[2002:a00:7::]/", "http://100.64.0.1/",
     "http://239.255.255.250/", "http://[ff0e::1]/",
     "ftp://example.org/", "https://", "http://a b/", "x",
     "https://example.org/\x7f", f"https://example.org/{'x' * 481}",
     "https://user:pass@example.org/", "https://:pass@example.org/",
     "http://example.org:0/", "http://example.org:99999/", "https://exämple.org/"],
)  # fmt: skip
def test_forbidden_url_is_refused_at_once(url: str) -> None:
    with pytest.raises(webhooks.AddressRefused):
        webhooks.check_url(url)


@pytest.mark.parametrize("host", ["93.184.216.34", "[64:ff9b::93.184.216.34]", "[2606:2800:220:1::1]"])
def test_url_with_a_public_address_is_accepted(host: str) -> None:
    with override_settings(WEBHOOK_PRIVATE=False):
        assert webhooks.check_url(f"https://{host}/x") == f"https://{host}/x"


def test_url_has_a_maximum_length() -> None:
    assert webhooks.check_url(url := f"https://example.org/{'x' * 480}") == url and len(url) == 500


@pytest.mark.parametrize("host", ["localhost", "private.example"])
def test_host_name_with_a_private_address_is_not_called(
    receiver: Receiver, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """Also where its other address is a public one."""
    answers = [(0, 0, 0, "", ("93.184.216.34", 80)), (0, 0, 0, "", ("127.0.0.1", 80))]
    monkeypatch.setattr(webhooks.socket, "getaddrinfo", lambda *_, **__: answers)
    url = receiver.url.replace("127.0.0.1", host)
    with override_settings(WEBHOOK_PRIVATE=False):
        sent = webhooks.post(url, b"{}", {})
    assert "public" in sent.failure
    assert receiver.got == []


def test_notice_locked_by_another_worker_delays_no_other(receiver: Receiver) -> None:
    for account in (accounts := two_players()):
        notices.set_webhook(account, receiver.url)
        notices.queue_test(account.webhook)
    with owner() as hand, hand.transaction():
        hand.execute("SELECT FROM matches_notice WHERE webhook_id = %s FOR UPDATE", [accounts[0].webhook.id])
        assert notices.send_pending() == 1
    assert notices.send_pending() == 1


def test_slow_receiver_delays_no_other_one(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "TIMEOUT_SECONDS", PATIENCE)
    together = Barrier(3)
    receiver.before = lambda: together.wait(PATIENCE)
    for account in (new_account(), new_account(), new_account()):
        notices.set_webhook(account, receiver.url)
        notices.queue_test(account.webhook)
    assert notices.send_pending() == 3, "each is answered once all three are there"


def test_concurrent_workers_notify_once(receiver: Receiver) -> None:
    players = two_players()
    notices.set_webhook(players[0], receiver.url)
    match = running_match("pyramid_poker", *players)
    while repository.load(match.id).due.prompts[0].seat != 0:
        play_on(match, 1)
    at_once([notices.look] * 4)
    assert kinds(players[0]) == ["your_turn"]
    at_once([notices.send_pending] * 4)
    assert len(receiver.got) == 1
