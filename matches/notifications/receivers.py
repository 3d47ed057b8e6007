"""When a receiver is called again after a failure, and when a webhook is switched off.

Failures in a row are counted for each webhook, not for each notice: however many notices wait, a receiver that is away
gets one call at a time, ever later.
"""

from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.db.models import F, Q

from events import store
from matches.models import Notice, Webhook
from matches.notifications import calls
from matches.notifications.calls import Cause
from matches.notifications.webhooks import Sent

LEASE: Final = timedelta(seconds=30)
MOST_PAUSE: Final = timedelta(hours=1)
_FIRST_PAUSE: Final = timedelta(seconds=5)
_MOST_FAILURES: Final = 80
"""In a row, before a webhook is switched off: about three days with an hour between them."""
_MOST_FAILURES_BY_STATUS: Final = {410: 1, 404: 5}
_TOLD_FOR: Final = timedelta(days=1)


def pause_after(failures: int, spread: UUID, retry_after: int = 0) -> timedelta:
    """Return the time to wait after so many failures in a row: 5 s, 10 s, 20 s and so on, at most an hour.

    Up to a quarter of it is taken off, by a fixed share for each `spread` and count, so that receivers that failed
    together are not called again together. A receiver's `retry_after`, in seconds, extends the pause up to an hour.
    """
    pause = min(MOST_PAUSE, _FIRST_PAUSE * 2 ** min(failures - 1, 20))
    share = sha256(b"%d" % failures + spread.bytes).digest()[0] / 255
    return max(pause * (1 - share / 4), min(timedelta(seconds=retry_after), MOST_PAUSE))


def reserve_call(webhook: Webhook) -> bool:
    """Send no other notice to a receiver that failed last time until this call or its lease has ended.

    Return False if another worker has reserved a call meanwhile.
    """
    at = store.clock()
    failing = Webhook.objects.filter(id=webhook.id, failures__gt=0)
    is_reserved = failing.filter(Q(next_try_at=None) | Q(next_try_at__lte=at)).update(next_try_at=at + LEASE)
    return bool(is_reserved) or not failing.exists()


def note_success(webhook: Webhook) -> None:
    """Reset the count of failures in a row."""
    Webhook.objects.filter(id=webhook.id).exclude(failures=0).update(failures=0, failed_at=None, next_try_at=None)


def note_failure(webhook: Webhook, sent: Sent, began_at: datetime) -> None:
    """Count a failed call that began at an instant, and switch the webhook off if it was one too many.

    Calls that were under way together count once.
    """
    at = store.clock()
    counted = Webhook.objects.filter(Q(failed_at=None) | Q(failed_at__lt=began_at), id=webhook.id, off_at=None)
    counted.update(failures=F("failures") + 1, failed_at=at)
    # It may have been removed or switched off during the call.
    failures = Webhook.objects.filter(id=webhook.id, off_at=None).values_list("failures", flat=True).first()
    if failures is None:
        return
    if failures >= _MOST_FAILURES_BY_STATUS.get(sent.status, _MOST_FAILURES):
        switch_off(webhook, sent.failure, at)
    else:
        again = at + pause_after(failures, webhook.id, sent.retry_after)
        Webhook.objects.filter(id=webhook.id).update(next_try_at=again)


def switch_off(webhook: Webhook, reason: str, at: datetime) -> None:
    """Send nothing to a webhook any more, and give up what waits."""
    Webhook.objects.filter(id=webhook.id, off_at=None).update(off_at=at, off_reason=reason[:200])
    waiting = Notice.objects.filter(webhook=webhook, sent_at=None, given_up_at=None)
    waiting.update(given_up_at=at, last_failure=reason[:200])


def switch_on(webhook: Webhook) -> None:
    """Send to a webhook again that was switched off, what is new from now on; change nothing on any other."""
    at = store.clock()
    was_off = Webhook.objects.filter(id=webhook.id).exclude(off_at=None)
    was_off.update(off_at=None, off_reason="", failures=0, failed_at=None, next_try_at=None, made_at=at, looked_at=at)


def switched_off() -> list[Webhook]:
    """Return the webhooks that were switched off within a day: their owners are to be notified of it."""
    return list(Webhook.objects.filter(off_at__gt=store.clock() - _TOLD_FOR))


def cause_of(webhook: Webhook, account: UUID) -> Cause:
    """Return the call by which an account is notified that a webhook is off."""
    return Cause(account, "webhook", f"{webhook.id} off {webhook.off_at}", season=webhook.season_id)


def queue_webhook_calls() -> int:
    """Queue calls to the owners of accounts' webhooks that were switched off; return the number of new calls."""
    return calls.queue(cause_of(it, it.account_id) for it in switched_off() if it.account_id)
