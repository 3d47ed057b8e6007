"""The browsers in which an account is notified by push."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.http import Http404, HttpResponse
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.http.body_texts import VERBATIM
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.notifications import pushes


class PushKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The browser's keys, in base64url, as in its subscription."""

    p256dh: Annotated[str, Meta(min_length=1, max_length=100), VERBATIM]
    auth: Annotated[str, Meta(min_length=1, max_length=30), VERBATIM]


class PushAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A browser's subscription: its address at its push service and its keys. `label` is for you, to tell browsers
    apart."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=500), VERBATIM]
    keys: PushKeys
    label: Annotated[str, Meta(max_length=80)] = "A browser"


class PushTold(Struct, frozen=True):
    """A browser in which you are notified."""

    id: UUID
    label: str
    made_at: datetime


class PushList(Struct, frozen=True):
    """Your browsers, and the key (`applicationServerKey`) for subscribing a new one."""

    key: str
    results: list[PushTold]
    next: str | None = None


class PushesView(APIView):
    scopes = {"GET": "match:read", "POST": "match:play"}

    @operation("listPushes", tag="Account", answers={200: PushList})
    def get(self, request: Request) -> HttpResponse:
        """List the browsers in which you are notified by push."""
        mine = request.user.pushes.order_by("made_at")
        return answer(PushList(pushes.application_key(), [PushTold(it.id, it.label, it.made_at) for it in mine]))

    @operation(
        "addPush", tag="Account", body=PushAsked, answers={201: PushTold}, problems=("bad_push", "not_for_guests")
    )
    def post(self, request: Request, body: PushAsked) -> HttpResponse:
        """Subscribe a browser to your notifications; another account is no longer notified there."""
        subscription = pushes.Subscription(body.endpoint, body.keys.p256dh, body.keys.auth)
        try:
            browser = pushes.subscribe(request.user, subscription, body.label)
        except pushes.SubscriptionRefused as refused:
            raise Problem("bad_push", str(refused)) from None
        browser.refresh_from_db()
        return answer(PushTold(browser.id, browser.label, browser.made_at), 201)


class PushView(APIView):
    scopes = {"DELETE": "match:play"}

    @operation("removePush", tag="Account", answers={204: None})
    def delete(self, request: Request, push_id: UUID) -> HttpResponse:
        """Remove a browser from your notifications."""
        if not pushes.unsubscribe(request.user, push_id):
            raise Http404
        return nothing()
