"""Authentication: a token for programs, the session cookie for pages."""

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
from matches.http import token_cache
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
# `matches.storage.batch` has the same conditions: change them together.
_VALID_BY_ID = """
SELECT 1 FROM matches_accesstoken t JOIN matches_account a ON a.id = t.account_id
WHERE t.id = $1 AND a.id = $2 AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp() AND a.is_active
"""
_VALID_BY_SESSION = """
SELECT a.password FROM django_session s JOIN matches_account a ON a.id = $2
WHERE s.session_key = $1 AND s.expire_date > clock_timestamp() AND a.is_active
"""


class Credential(NamedTuple):
    """The proof of an account's identity: a token's id, or a session's key and the hash of the password that it began
    with."""

    token: UUID | None = None
    session: str = ""
    proof: str = ""


class SignedOut(Problem):
    """The credential is no longer valid."""


def refuse_signed_out(account: UUID, credential: Credential) -> None:
    """Raise SignedOut if the credential is no longer valid.

    Connections that outlive their request call it before every act and message. It makes one query by a primary key.
    """
    if _is_valid(account, credential):
        return
    if credential.token is not None:
        raise SignedOut("bad_token")
    raise SignedOut("not_authenticated", "You are signed out; sign in again.")


def _is_valid(account: UUID, credential: Credential) -> bool:
    if credential.token is not None:
        ((*rows,),) = roundtrip(raw_connection(), [(_VALID_BY_ID, (credential.token, account))])
        return bool(rows)
    ((*rows,),) = roundtrip(raw_connection(), [(_VALID_BY_SESSION, (credential.session, account))])
    return bool(rows) and Account(password=rows[0][0]).get_session_auth_hash() == credential.proof


def session_credential(account: Account, key: str) -> Credential:
    """Return the credential of a session that has begun with the account's current password."""
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
    if isinstance(request.auth, AccessToken):
        return Credential(token=request.auth.id)
    return session_credential(request.user, request._request.session.session_key or "")


class TokenAuthentication(BaseAuthentication):
    """`Authorization: Bearer crp_...`; `request.auth` is the AccessToken."""

    def authenticate(self, request: Request) -> tuple[Account, AccessToken] | None:
        """Return the token's account; None without a bearer token. Raise Problem for an invalid one."""
        token = bearer(request)
        if token is None:
            return None
        token_row = load_token(token)
        if token_row is None:
            raise Problem("bad_token", headers={"WWW-Authenticate": 'Bearer error="invalid_token"'})
        return token_row.account, token_row

    def authenticate_header(self, request: Request) -> str:
        """Return the WWW-Authenticate header of a 401."""
        return "Bearer"


class CookieAuthentication(SessionAuthentication):
    """Authentication by a page's session, with CSRF check."""

    def enforce_csrf(self, request: Request) -> None:
        """Raise Problem for a write without CSRF token."""
        _refuse_without_csrf_token(request)

    def authenticate_header(self, request: Request) -> str:
        """Return the WWW-Authenticate header; without it an anonymous caller would get 403 instead of 401."""
        return "Bearer"


def refuse_cross_site(request: Request) -> None:
    """Raise Problem for a request by cookie without the CSRF token of a write: for reads that are recorded.

    A browser follows a link, or another site's redirect, with the session's cookie, though nobody intended the read.
    """
    if not isinstance(request.auth, AccessToken):
        as_written = copy(request._request)
        as_written.method = "PUT"
        _refuse_without_csrf_token(as_written)


def _refuse_without_csrf_token(request: Request | HttpRequest) -> None:
    # The token is in a header. For a POST Django would also search the body, which could not be read again.
    as_written = copy(getattr(request, "_request", request))
    if as_written.method == "POST":
        as_written.method = "PUT"
    check = CSRFCheck(lambda _: None)
    check.process_request(as_written)
    if check.process_view(as_written, None, (), {}):
        raise Problem("csrf_failed")


def bearer(request: Request | HttpRequest) -> str | None:
    """Return the bearer token of the request, valid or not; None without one."""
    return bearer_in(request.META.get("HTTP_AUTHORIZATION", ""))


def bearer_in(header: str) -> str | None:
    """Return the bearer token in an Authorization header, valid or not; None without one."""
    scheme, _, token = header.partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def load_token(token: str) -> AccessToken | None:
    """Return the access token with this text if it is valid: not expired, not revoked, its account active."""
    return load_tokens([token]).get(token)


def load_tokens(tokens: Iterable[str]) -> dict[str, AccessToken]:
    """Return the valid access tokens among these texts, each by its text. Cache them, and store that they were used."""
    texts = {digest_of(text): text for text in tokens if 0 < len(text) <= _LONGEST and "\0" not in text}
    if not texts:
        return {}
    now, tokens_found = timezone.now(), {}
    (rows,) = roundtrip(raw_connection(), [(_FIND, (array(texts), now))])
    for row in rows:
        token = model_of_row(AccessToken, row)
        token.account = model_of_row(Account, row, after=AccessToken)
        tokens_found[texts[bytes(token.digest)]] = token
    outdated = now - token_cache.KEPT_FOR
    _note_use([it for it in tokens_found.values() if it.last_used_at is None or it.last_used_at < outdated])
    for token in tokens_found.values():
        token_cache.remember(token)
    return tokens_found


def _note_use(tokens: Iterable[AccessToken]) -> None:
    """Store the time of use, at most once in `known_tokens.KEPT_FOR`. A failure is only logged."""
    now, statements = timezone.now(), []
    # Ordered, since another process may update the same rows.
    for token in sorted(tokens, key=attrgetter("id")):
        token.last_used_at = now
        statements.append((_NOTE_USE, (token.id, now, now - token_cache.KEPT_FOR)))
    try:
        if statements:
            roundtrip(raw_connection(), statements)
    except (DatabaseError, psycopg.Error):
        logger.warning("use not noted", tokens=len(statements), exc_info=True)
