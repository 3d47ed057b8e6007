"""Who asks: a token for programs, the session cookie for pages."""

from collections.abc import Iterable
from copy import copy
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import structlog
from django.conf import settings
from django.contrib import auth
from django.db import DatabaseError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.module_loading import import_string
from rest_framework.authentication import BaseAuthentication, CSRFCheck, SessionAuthentication
from rest_framework.request import Request

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.http import known_tokens
from matches.http.problems import Problem
from matches.http.tokens import digest_of
from matches.models import AccessToken, Account
from matches.storage.raw_models import columns, model_of_row

logger = structlog.get_logger(__name__)

_LONGEST = 200
_LONGEST_SESSION_KEY = 100


_FIND = f"""
SELECT {columns(AccessToken)}, {columns(Account)}
FROM matches_accesstoken JOIN matches_account ON matches_account.id = matches_accesstoken.account_id
WHERE digest = ANY($1) AND expires_at > $2 AND revoked_at IS NULL AND is_active
"""  # noqa: S608  made of the models' own names

_NOTE_USE = """
UPDATE matches_accesstoken SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)
"""
_STANDS_BY_KEY = """
SELECT 1 FROM matches_accesstoken t JOIN matches_account a ON a.id = t.account_id
WHERE t.id = $1 AND a.id = $2 AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp() AND a.is_active
"""
_STANDS_BY_SESSION = """
SELECT a.password FROM django_session s JOIN matches_account a ON a.id = $2
WHERE s.session_key = $1 AND s.expire_date > clock_timestamp() AND a.is_active
"""


class Credential(NamedTuple):
    """What somebody came in with: a token by its id, or a session by its key and the password it was made under."""

    token: UUID | None = None
    session: str = ""
    proof: str = ""


class SignedOut(Problem):
    """What somebody came in with is no longer good."""


def refuse_signed_out(account: UUID, credential: Credential) -> None:
    """Raise SignedOut where what this account came in with is no longer good: for what stays open after its request,
    asked before anything more is done or told. One look by a key."""
    if _stands(account, credential):
        return
    if credential.token is not None:
        raise SignedOut("bad_token")
    raise SignedOut("not_authenticated", "You are signed out; sign in again.")


def _stands(account: UUID, credential: Credential) -> bool:
    if credential.token is not None:
        ((*rows,),) = roundtrip(raw_connection(), [(_STANDS_BY_KEY, (credential.token, account))])
        return bool(rows)
    ((*rows,),) = roundtrip(raw_connection(), [(_STANDS_BY_SESSION, (credential.session, account))])
    return bool(rows) and Account(password=rows[0][0]).get_session_auth_hash() == credential.proof


def session_credential(account: Account, key: str) -> Credential:
    """How a session's standing is checked later on."""
    return Credential(session=key, proof=account.get_session_auth_hash())


def account_of_session(key: str) -> Account | None:
    """Return the account that is logged in under this session key."""
    if not key or "\0" in key or len(key) > _LONGEST_SESSION_KEY:
        return None
    request = HttpRequest()
    request.session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(key)
    account: Any = auth.get_user(request)
    return account if account.is_authenticated else None


def credential_of(request: Request) -> Credential:
    """What the caller of this request came in with."""
    if isinstance(request.auth, AccessToken):
        return Credential(token=request.auth.id)
    return session_credential(request.user, request._request.session.session_key or "")


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer crp_...`; `request.auth` is the AccessToken."""

    def authenticate(self, request: Request) -> tuple[Account, AccessToken] | None:
        """The token's account; None where no bearer token is sent. Raises Problem for one that isn't good."""
        token = bearer(request)
        if token is None:
            return None
        found = find(token)
        if found is None:
            raise Problem("bad_token", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        return found.account, found

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for."""
        return "Bearer"


class CookieAuthentication(SessionAuthentication):
    """The session of a logged-in page, with its cross-site check."""

    def enforce_csrf(self, request: Request) -> None:
        """Refuse a write that doesn't prove which page it comes from."""
        _refuse_unproven(request)

    def authenticate_header(self, request: Request) -> str:
        """What a 401 asks for; without it a caller who isn't logged in would get 403."""
        return "Bearer"


def refuse_unmeant(request: Request) -> None:
    """Refuse a read that leaves something in the record unless its caller meant it: a browser follows any link, or any
    site's lead, with the session's cookie. Raises Problem for a cookie without the cross-site proof of a write."""
    if not isinstance(request.auth, AccessToken):
        as_written = copy(request._request)
        as_written.method = "PUT"
        _refuse_unproven(as_written)


def _refuse_unproven(request: Request | HttpRequest) -> None:
    # The proof stands in a header. Of a POST it would be sought in the body too, which nobody could read any more then.
    as_written = copy(getattr(request, "_request", request))
    if as_written.method == "POST":
        as_written.method = "PUT"
    check = CSRFCheck(lambda _: None)
    check.process_request(as_written)
    if check.process_view(as_written, None, (), {}):
        raise Problem("csrf_failed")


def bearer(request: Request | HttpRequest) -> str | None:
    """The bearer token that is sent, good or not; None where none is."""
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def find(token: str) -> AccessToken | None:
    """The access token behind this text if it is good now: not expired, not revoked, its account active."""
    return find_all([token]).get(token)


def find_all(tokens: Iterable[str]) -> dict[str, AccessToken]:
    """The access tokens behind these texts, those that are good now."""
    digests = {digest_of(token): token for token in tokens if 0 < len(token) <= _LONGEST and "\0" not in token}
    if not digests:
        return {}
    now, found = timezone.now(), {}
    (rows,) = roundtrip(raw_connection(), [(_FIND, (array(digests), now))])
    for row in rows:
        token = model_of_row(AccessToken, row)
        token.account = model_of_row(Account, row, after=AccessToken)
        found[digests[bytes(token.digest)]] = token
    long_ago = now - known_tokens.KEPT_FOR
    _note_use([it for it in found.values() if it.last_used_at is None or it.last_used_at < long_ago])
    for token in found.values():
        known_tokens.remember(token)
    return found


def _note_use(tokens: Iterable[AccessToken]) -> None:
    """Best effort: a request doesn't fail because this can't be written."""
    now, noted = timezone.now(), []
    # In an order: another process may note the same ones.
    for token in sorted(tokens, key=attrgetter("id")):
        token.last_used_at = now
        noted.append((_NOTE_USE, (token.id, now, now - known_tokens.KEPT_FOR)))
    try:
        if noted:
            roundtrip(raw_connection(), noted)
    except (DatabaseError, psycopg.Error):
        logger.warning("use not noted", tokens=len(noted), exc_info=True)
