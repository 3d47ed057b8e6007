"""Web push: the browsers in which accounts are notified while no page is open. Messages are encrypted for the browser;
its push service sees only for whom, when, and how urgent they are."""

import base64
import hmac
import json
from functools import cache, partial
from hashlib import sha256, sha512
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
)
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _
from py_vapid import Vapid02

from events import store
from matches.domain.guests import not_for_guests
from matches.models import Account, Call, PushSubscription
from matches.notifications import webhooks
from matches.notifications.call_delivery import Errand, Message
from matches.notifications.push_encryption import AUTH_BYTES, encrypted, public_bytes

MOST_BROWSERS = 10
_ORDER_OF_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_GONE = (404, 410)
_KEPT_SECONDS = 24 * 3600
_GOOD_FOR_SECONDS = 12 * 3600
_URGENT = ("your_turn", "offer", "reminder", "check_in", "test")
_PADDED_TO = 1024


class SubscriptionRefused(Exception):
    """The browser's subscription can't be used; the message says why."""


class Subscription(NamedTuple):
    """A browser's subscription: an address at its push service, and its keys in base64url."""

    endpoint: str
    p256dh: str
    auth: str


def application_key() -> str:
    """Return the service's public key in base64url, by which push services recognise its messages."""
    return _base64(public_bytes(_key(settings.PUSH_KEY).public_key()))


def subscribe(account: Account, subscription: Subscription, label: str) -> PushSubscription:
    """Notify an account, and no other, in this browser. With more than ten browsers the oldest is removed.

    Raise SubscriptionRefused, not_for_guests.
    """
    if account.is_guest:
        raise not_for_guests(_("Only accounts get notifications, not guests."))
    _refuse_unusable(subscription)
    digest = hmac.digest(settings.SECRET_KEY.encode(), b"croupier-push-v1" + subscription.endpoint.encode(), "sha256")
    with transaction.atomic():
        Account.objects.select_for_update().get(id=account.id)
        PushSubscription.objects.filter(digest=digest).delete()
        kept = list(account.pushes.order_by("-made_at").values_list("id", flat=True)[: MOST_BROWSERS - 1])
        account.pushes.exclude(id__in=kept).delete()
        sealed = webhooks.sealed(json.dumps(subscription))
        return PushSubscription.objects.create(account=account, sealed=sealed, digest=digest, label=label[:80])


def unsubscribe(account: Account, subscription: UUID) -> bool:
    """Remove a browser; return True if it was subscribed."""
    return account.pushes.filter(id=subscription).delete()[0] > 0


def send(claimed: list[Call], due_messages: list[Message]) -> str | Errand:
    """Prepare the POST of a call to its browser; delete a browser that no longer exists."""
    ((call, message),) = zip(claimed, due_messages, strict=True)
    try:
        browser = Subscription(*json.loads(webhooks.unsealed(call.receiver.sealed)))
    except webhooks.Unreadable:
        call.receiver.delete()
        return ""
    body = encrypted(_payload(message), _bytes(browser.p256dh), _bytes(browser.auth), padded_to=_PADDED_TO)
    headers = _headers(browser.endpoint, message)
    return Errand(partial(webhooks.post, browser.endpoint, body, headers), partial(_result_of, call))


def _result_of(call: Call, answer: webhooks.Sent) -> webhooks.Sent:
    if answer.status in _GONE:
        call.receiver.delete()
        return webhooks.Sent("")
    return answer


def _payload(message: Message) -> bytes:
    return json.dumps(
        {"title": message.title, "body": message.text, "page": message.page, "tag": message.about}
    ).encode()


def _headers(endpoint: str, message: Message) -> dict[str, str]:
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": settings.PUBLIC_URL if settings.PUBLIC_URL.startswith("https:") else "mailto:croupier@localhost",
        "exp": int(store.clock().timestamp()) + _GOOD_FOR_SECONDS,
    }
    return {
        **Vapid02(_key(settings.PUSH_KEY)).sign(claims),
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(_KEPT_SECONDS),
        "Urgency": "high" if message.kind in _URGENT else "normal",
        # A newer message replaces one about the same subject that waits at the service; the hash hides the subject from
        # it.
        "Topic": _base64(hmac.digest(settings.PUSH_KEY.encode(), message.about.encode(), sha256))[:32],
    }


def _refuse_unusable(subscription: Subscription) -> None:
    try:
        webhooks.check_receiver(subscription.endpoint)
    except webhooks.AddressRefused as refused:
        raise SubscriptionRefused(str(refused)) from None
    if not subscription.endpoint.startswith("https://") and not settings.WEBHOOK_PRIVATE:
        raise SubscriptionRefused(_("A push service has an https:// address."))
    try:
        EllipticCurvePublicKey.from_encoded_point(SECP256R1(), _bytes(subscription.p256dh))
        good = len(_bytes(subscription.p256dh)) == 65 and len(_bytes(subscription.auth)) == AUTH_BYTES
    except ValueError:
        good = False
    if not good:
        raise SubscriptionRefused(_("Its keys aren't those of a browser: a point of P-256, and 16 bytes."))


@cache
def _key(secret: str) -> EllipticCurvePrivateKey:
    """Derive the key from the secret."""
    number = int.from_bytes(sha512(b"croupier-push-v1" + secret.encode()).digest())
    return derive_private_key(number % (_ORDER_OF_P256 - 1) + 1, SECP256R1())


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
