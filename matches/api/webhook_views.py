"""The webhook of an account, for notices that a match waits for it."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import HttpResponse
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.body_texts import VERBATIM
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.models import Notice, Webhook
from matches.notifications import notices, webhooks
from matches.notifications.webhook_forms import Form

_MOST_LISTED = 100

Kind = Literal[
    "your_turn", "time_running_out", "ten_minutes_left", "match_over", "season_news", "decision_awaited",
    "decision_made", "correction", "appointment", "claim", "invitation", "application", "official", "test",
]  # fmt: skip


class WebhookAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The receiver: a URL, https or http, with a public address. `form` is the house's own or that of Discord, Slack or
    ntfy."""

    url: Annotated[str, Meta(min_length=1, max_length=500), VERBATIM]
    form: Form = "standard"


class WebhookMade(Struct, frozen=True):
    """The webhook. Messages are signed with `secret`, shown this once."""

    url: str
    secret: str


class WebhookTold(Struct, frozen=True):
    """The webhook, without its secret. While `off_at` is set, nothing is sent, for `off_reason`: set it again, or test
    it. `failures` counts failed calls in a row; the next isn't before `next_try_at`."""

    url: str
    form: Form
    made_at: datetime
    off_at: datetime | None = None
    off_reason: str = ""
    failures: int = 0
    next_try_at: datetime | None = None


class NoticeTold(Struct, frozen=True):
    """A notice: sent, given up, or waiting for its next attempt. `season` is set if it is about a season."""

    id: UUID
    kind: Kind
    text: str
    match: UUID | None
    season: UUID | None
    made_at: datetime
    attempts: int
    sent_at: datetime | None
    given_up_at: datetime | None
    last_failure: str


class NoticeList(Struct, frozen=True):
    """The last hundred notices, newest first."""

    results: list[NoticeTold]
    next: str | None = None


class WebhookView(APIView):
    scopes = {"GET": "match:read", "PUT": "match:play", "DELETE": "match:play"}

    @operation("readWebhook", tag="Account", answers={200: WebhookTold}, problems=("no_webhook",))
    def get(self, request: Request) -> HttpResponse:
        """Read your webhook."""
        return answer(webhook_document(webhook_of(account=request.user)))

    @operation(
        "setWebhook", tag="Account", body=WebhookAsked, answers={200: WebhookMade},
        problems=("bad_webhook", "not_for_guests"),
    )  # fmt: skip
    def put(self, request: Request, body: WebhookAsked) -> HttpResponse:
        """Set your webhook, with a new secret; an earlier one is replaced."""
        return answer(new_webhook(body, lambda url: notices.set_webhook(request.user, url, body.form)))

    @operation("removeWebhook", tag="Account", answers={204: None}, problems=("no_webhook",))
    def delete(self, request: Request) -> HttpResponse:
        """Remove your webhook; waiting notices are dropped."""
        webhook_of(account=request.user).delete()
        return nothing()


class TestView(APIView):
    scopes = {"POST": "match:play"}

    @operation("testWebhook", tag="Account", answers={204: None}, problems=("no_webhook",))
    def post(self, request: Request) -> HttpResponse:
        """Send a test notice; your notices show the result. It switches on a webhook that is off."""
        notices.queue_test(webhook_of(account=request.user))
        return nothing()


class NoticesView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listNotices", tag="Account", answers={200: NoticeList})
    def get(self, request: Request) -> HttpResponse:
        """List your latest notices and their states."""
        return answer(listed(webhook__account=request.user))


def webhook_of(**whose: Any) -> Webhook:
    """Return the webhook of an account or a season; raise Problem."""
    webhook = Webhook.objects.filter(**whose).first()
    if webhook is None:
        raise Problem("no_webhook")
    return webhook


def webhook_document(webhook: Webhook) -> WebhookTold:
    """Return the webhook as its owner may see it; raise Problem if it can't be decrypted any more."""
    try:
        url = webhooks.unsealed(webhook.sealed_url)
    except webhooks.Unreadable:
        raise Problem("no_webhook", "The house has another key since the webhook was set; set it anew.") from None
    return WebhookTold(
        url, webhook.form, webhook.made_at, webhook.off_at, webhook.off_reason, webhook.failures, webhook.next_try_at
    )


def new_webhook(body: WebhookAsked, set_it: Callable[[str], str]) -> WebhookMade:
    """Set a webhook, and return it with its new secret; raise Problem."""
    try:
        return WebhookMade(body.url, set_it(body.url))
    except webhooks.AddressRefused as refused:
        raise Problem("bad_webhook", str(refused)) from None


def listed(**whose: Any) -> NoticeList:
    """Return the latest notices to an account's or a season's webhook."""
    newest = Notice.objects.filter(**whose).order_by("-made_at")[:_MOST_LISTED]
    return NoticeList([_notice(notice) for notice in newest])


def _notice(notice: Notice) -> NoticeTold:
    return NoticeTold(
        notice.id, notice.kind, notice.text, notice.match_id, notice.season_id, notice.made_at, notice.attempts,
        notice.sent_at, notice.given_up_at, notice.last_failure,
    )  # fmt: skip
