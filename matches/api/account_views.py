"""Accounts, their tokens, and the caller."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from django.contrib.auth import authenticate
from django.http import Http404, HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType, field
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.accounts import access_log, credentials, erasure
from matches.accounts.access_log import Actor, Door
from matches.domain.names import is_time_zone
from matches.http import limits, signing_up, tokens
from matches.http.body_texts import VERBATIM
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer, nothing
from matches.http.scopes import ANY, SCOPES, Scope, scopes_of
from matches.models import AccessToken, Account

Password = Annotated[str, Meta(min_length=1, max_length=128), VERBATIM]
Theme = Literal["system", "light", "dark"]
Typed = Annotated[str, Meta(min_length=1, max_length=160, description="A name as it is typed"), VERBATIM]


class SignUp(Struct, frozen=True, forbid_unknown_fields=True):
    """A new account."""

    username: Typed
    password: Password


class NewAccount(Struct, frozen=True):
    """The new account."""

    id: UUID
    username: str


class TokenAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A request for a token. Without `scopes` it may do all that its account may."""

    username: Typed
    password: Password
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=len(SCOPES))] = field(
        default_factory=lambda: list(SCOPES)
    )
    name: Annotated[str, Meta(max_length=80, description="To tell your tokens apart")] = ""


class NewToken(Struct, frozen=True):
    """The token itself, shown this once."""

    id: UUID
    token: str
    scopes: list[Scope]
    expires_at: datetime


class TokenTold(Struct, frozen=True):
    """A token of yours, without its secret; `prefix` is its beginning."""

    id: UUID
    name: str
    prefix: str
    scopes: list[Scope]
    made_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class TokenList(Struct, frozen=True):
    """Your valid tokens, newest first."""

    results: list[TokenTold]
    next: str | None = None


class Me(Struct, frozen=True):
    """Your account, its settings for pages, and the scopes of the token you use. `access_log_unseen` counts others'
    changes of your account that you haven't seen. `guest_until` is null except for a guest: the instant from which it
    may be erased, unless it comes back before."""

    id: UUID
    username: str
    is_organiser: bool
    scopes: list[Scope]
    time_zone: str
    theme: Theme
    access_log_unseen: int
    guest_until: datetime | None


class MeChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """New settings: `time_zone` is a name of the IANA time zone database."""

    time_zone: Annotated[str, Meta(max_length=64)] | UnsetType = UNSET
    theme: Theme | UnsetType = UNSET


class Farewell(Struct, frozen=True, forbid_unknown_fields=True):
    """Your password, as a confirmation."""

    password: Password


class Accounts(APIView):
    # An invalid token or cookie must not prevent a sign-up.
    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = []

    @operation(
        "signUp", tag="Account", body=SignUp, answers={201: NewAccount},
        problems=("signup_closed", "name_taken", "bad_name", "weak_password", "too_many_requests",
                  "limits_unavailable"),
    )  # fmt: skip
    def post(self, request: Request, body: SignUp) -> HttpResponse:
        """Sign up."""
        signing_up.refuse_closed()
        limits.spend_signup(request, body.username)
        account = signing_up.sign_up(body.username, body.password)
        return answer(NewAccount(account.id, account.username), 201)


class Tokens(APIView):
    scopes = {"GET": ANY}

    def get_authenticators(self) -> list[Any]:
        """Return none for making a token, which needs only the password."""
        return [] if self._makes_token else super().get_authenticators()

    def get_permissions(self) -> list[Any]:
        """Return none for making a token, which needs only the password."""
        return [] if self._makes_token else super().get_permissions()

    def get_throttles(self) -> list[Any]:
        """Return none for making a token, which is limited by address and name."""
        return [] if self._makes_token else super().get_throttles()

    @property
    def _makes_token(self) -> bool:
        # There is no request while the schema is generated.
        return self.request is not None and self.request.method == "POST"

    @operation("listTokens", tag="Account", answers={200: TokenList})
    def get(self, request: Request) -> HttpResponse:
        """List your tokens that are neither revoked nor expired."""
        return answer(TokenList(list(map(_token_document, tokens.good_ones(request.user)))))

    @operation(
        "createToken", tag="Account", body=TokenAsked, answers={201: NewToken},
        problems=("bad_credentials", "too_many_requests", "limits_unavailable"),
    )  # fmt: skip
    def post(self, request: Request, body: TokenAsked) -> HttpResponse:
        """Make a token for 90 days from a name and a password. Beyond a hundred tokens the oldest is revoked.

        After too many wrong passwords for a name, from any address, further attempts must wait, except from a caller
        who sends a valid token of the account, or the cookie of a browser that has signed in to it.
        """
        with limits.guessing(request, body.username):
            # An unknown name takes as long as a wrong password: both are hashed.
            account = authenticate(request._request, username=body.username, password=body.password)
            if account is None:
                raise Problem("bad_credentials")
        made, secret = tokens.make(account, name=body.name, scopes=body.scopes)
        return answer(NewToken(made.id, secret, made.scopes, made.expires_at), 201)


class Token(APIView):
    scopes = {"DELETE": ANY}

    @operation("revokeToken", tag="Account", answers={204: None})
    def delete(self, request: Request, token_id: UUID) -> HttpResponse:
        """Revoke a token; it is refused from now on. A token that may only read can only revoke itself."""
        own = request.auth
        if own is not None and own.pk != token_id and "match:play" not in own.scopes:
            raise Problem("forbidden", "This token may only read, so it revokes no other one.")
        if not tokens.revoke(request.user, token_id):
            raise Http404
        return nothing()


class WhoAmI(APIView):
    scopes = {"GET": ANY, "PATCH": "match:play", "DELETE": "match:play"}

    @operation("whoAmI", tag="Account", answers={200: Me})
    def get(self, request: Request) -> HttpResponse:
        """Return your own account."""
        return answer(_me(request))

    @operation("changeMe", tag="Account", body=MeChanged, answers={200: Me}, problems=("no_such_time_zone",))
    def patch(self, request: Request, body: MeChanged) -> HttpResponse:
        """Change your time zone or theme."""
        me: Account = request.user
        if body.time_zone is not UNSET:
            if not is_time_zone(body.time_zone):
                raise Problem("no_such_time_zone")
            me.time_zone = body.time_zone
        if body.theme is not UNSET:
            me.theme = body.theme
        me.save(update_fields=["time_zone", "theme"])
        return answer(_me(request))

    @operation(
        "eraseMe", tag="Account", body=Farewell, answers={204: None},
        problems=("bad_credentials", "still_seated", "record_broken", "too_many_requests", "limits_unavailable"),
    )  # fmt: skip
    def delete(self, request: Request, body: Farewell) -> HttpResponse:
        """Erase your account for good: its name, password, tokens and settings. Your matches stay,
        without your name."""
        me: Account = request.user
        with limits.guessing(request, me.username):
            if not me.check_password(body.password):
                raise Problem("bad_credentials")
        try:
            erasure.erase(me.id, Actor(me.id, Door.REST))
            credentials.end_soon(me.id)
        except erasure.StillSeated as seated:
            raise Problem("still_seated", f"{seated} Leave it, or ask its host to substitute you, first.") from None
        return nothing()


def _me(request: Request) -> Me:
    me: Account = request.user
    unseen = access_log.count_unseen(me.id)
    return Me(me.id, me.username, me.is_organiser, scopes_of(request), me.time_zone, me.theme, unseen, me.guest_until)


def _token_document(token: AccessToken) -> TokenTold:
    return TokenTold(
        token.id, token.name, token.prefix, token.scopes, token.made_at, token.expires_at, token.last_used_at
    )
