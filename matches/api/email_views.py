"""The e-mail address of an account, and a new password by a letter."""

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
    """An address for letters, and your password: the address can reset it from then on."""

    address: Annotated[str, Meta(min_length=3, max_length=254), VERBATIM]
    password: Password


class EmailChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """`subscribed` turns calls by mail on or off."""

    subscribed: bool | UnsetType = UNSET


class EmailTold(Struct, frozen=True):
    """Your address. Until it is verified only the letter that does so is sent; `unsubscribed_at` is set while no calls
    go there."""

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
    """The token in the letter, and the new password."""

    token: Token
    password: Password


class EmailView(APIView):
    scopes = {"GET": "match:read", "PUT": "match:play", "PATCH": "match:play", "DELETE": "match:play"}

    @operation("readEmail", tag="Account", answers={200: EmailTold}, problems=("no_email",))
    def get(self, request: Request) -> HttpResponse:
        """Read your address for letters."""
        return answer(_email_document(request.user))

    @operation(
        "setEmail", tag="Account", body=EmailAsked, answers={200: EmailTold},
        problems=("bad_email", "no_mail", "bad_credentials", "too_many_requests", "limits_unavailable",
                  "not_for_guests"),
    )  # fmt: skip
    def put(self, request: Request, body: EmailAsked) -> HttpResponse:
        """Send a letter to an address; its token verifies the address."""
        mailing.set_address(request, body.address, body.password, Door.REST)
        return answer(_email_document(request.user))

    @operation("changeEmail", tag="Account", body=EmailChanged, answers={200: EmailTold}, problems=("no_email",))
    def patch(self, request: Request, body: EmailChanged) -> HttpResponse:
        """Turn calls by mail on or off."""
        _email_document(request.user)
        if body.subscribed is not UNSET:
            mail_addresses.subscribe(request.user, body.subscribed)
        return answer(_email_document(request.user))

    @operation("removeEmail", tag="Account", answers={204: None}, problems=("no_email",))
    def delete(self, request: Request) -> HttpResponse:
        """Delete your address."""
        mailing.remove(request.user, Door.REST)
        return nothing()


class VerificationView(APIView):
    scopes = {"POST": "match:play"}

    @operation("verifyEmail", tag="Account", body=VerificationAsked, answers={204: None}, problems=("bad_link",))
    def post(self, request: Request, body: VerificationAsked) -> HttpResponse:
        """Verify your address by the token in the letter."""
        mailing.verify(request.user, body.token, Door.REST)
        return nothing()


class ResetsView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []

    @operation(
        "askForPassword", tag="Account", body=ResetAsked, answers={204: None},
        problems=("no_mail", "too_many_requests", "limits_unavailable"),
    )  # fmt: skip
    def post(self, request: Request, body: ResetAsked) -> HttpResponse:
        """Send a link for a new password to the verified address of an account. The response is the same whether there
        is one or not."""
        mailing.request_reset(request, body.name)
        return nothing()


class ResetView(APIView):
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []

    @operation(
        "resetPassword", tag="Account", body=NewPassword, answers={204: None}, problems=("bad_link", "weak_password")
    )
    def post(self, request: Request, body: NewPassword) -> HttpResponse:
        """Set a new password by the token in the letter; every session and token of the account ends."""
        mailing.reset(request, body.token, body.password)
        return nothing()


def _email_document(me: Account) -> EmailTold:
    address = MailAddress.objects.filter(account=me).first()
    if address is None:
        raise Problem("no_email")
    return EmailTold(mail_addresses.address_of(me), address.verified_at, address.unsubscribed_at)
