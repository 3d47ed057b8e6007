"""The e-mail address of an account, and a new password by it."""

from datetime import datetime
from typing import Annotated

from django.http import HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.accounts.access_log import Door
from matches.api.account_views import Password, Typed
from matches.http import mailing
from matches.http.body_texts import VERBATIM
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.models import Account, MailAddress
from matches.notifications import mail_addresses

Token = Annotated[
    str, Meta(min_length=1, max_length=400, description="What stands at the end of the letter's link"), VERBATIM
]


class EmailAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Where to send letters, and your password: a new one can be had by the address from then on."""

    address: Annotated[str, Meta(min_length=3, max_length=254), VERBATIM]
    password: Password


class EmailChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether calls come by mail."""

    subscribed: bool | UnsetType = UNSET


class EmailTold(Struct, frozen=True):
    """Your address. Until it is verified nothing but the letter that does so is sent; `unsubscribed_at` says since when
    no calls go there."""

    address: str
    verified_at: datetime | None
    unsubscribed_at: datetime | None


class VerificationAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The token in the letter."""

    token: Token


class ResetAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A name, or an address."""

    name: Typed


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """The token in the letter, and the password from now on."""

    token: Token
    password: Password


class EmailView(APIView):
    """Your e-mail address."""

    scopes = {"GET": "match:read", "PUT": "match:play", "PATCH": "match:play", "DELETE": "match:play"}

    @operation("readEmail", tag="Account", answers={200: EmailTold}, problems=("no_email",))
    def get(self, request: Request) -> HttpResponse:
        """Read where letters go."""
        return answer(_told(request.user))

    @operation(
        "setEmail", tag="Account", body=EmailAsked, answers={200: EmailTold},
        problems=("bad_email", "no_mail", "bad_credentials", "too_many_requests", "limits_unavailable",
                  "not_for_guests"),
    )  # fmt: skip
    def put(self, request: Request, body: EmailAsked) -> HttpResponse:
        """Have a letter sent to an address; by its token you verify it."""
        mailing.set_address(request, body.address, body.password, Door.REST)
        return answer(_told(request.user))

    @operation("changeEmail", tag="Account", body=EmailChanged, answers={200: EmailTold}, problems=("no_email",))
    def patch(self, request: Request, body: EmailChanged) -> HttpResponse:
        """Have calls come by mail, or none."""
        _told(request.user)
        if body.subscribed is not UNSET:
            mail_addresses.subscribe(request.user, body.subscribed)
        return answer(_told(request.user))

    @operation("removeEmail", tag="Account", answers={204: None}, problems=("no_email",))
    def delete(self, request: Request) -> HttpResponse:
        """Have the house forget your address."""
        mailing.remove(request.user, Door.REST)
        return nothing()


class VerificationView(APIView):
    """Whose the address is."""

    scopes = {"POST": "match:play"}

    @operation("verifyEmail", tag="Account", body=VerificationAsked, answers={204: None}, problems=("bad_link",))
    def post(self, request: Request, body: VerificationAsked) -> HttpResponse:
        """Verify your address by the token in the letter."""
        mailing.verify(request.user, body.token, Door.REST)
        return nothing()


class ResetsView(APIView):
    """Links for new passwords."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []

    @operation(
        "askForPassword", tag="Account", body=ResetAsked, answers={204: None},
        problems=("no_mail", "too_many_requests", "limits_unavailable"),
    )  # fmt: skip
    def post(self, request: Request, body: ResetAsked) -> HttpResponse:
        """Have a link for a new password sent to the verified address of an account. The answer is the same whether
        there is one or not."""
        mailing.ask_for_reset(request, body.name)
        return nothing()


class ResetView(APIView):
    """A new password."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []

    @operation(
        "resetPassword", tag="Account", body=NewPassword, answers={204: None}, problems=("bad_link", "weak_password")
    )
    def post(self, request: Request, body: NewPassword) -> HttpResponse:
        """Choose a new password by the token in the letter; every session and token of the account ends."""
        mailing.reset(request, body.token, body.password)
        return nothing()


def _told(me: Account) -> EmailTold:
    kept = MailAddress.objects.filter(account=me).first()
    if kept is None:
        raise Problem("no_email")
    return EmailTold(mail_addresses.address_of(me), kept.verified_at, kept.unsubscribed_at)
