"""Authentication and authorisation of sockets and streams: session cookies with their Origin, and tokens."""

from collections.abc import Collection, Mapping
from typing import NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.expressions import RawSQL
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain

from events.pipeline import array, roundtrip
from events.store import raw_connection
from matches.http import authentication
from matches.http.authentication import Credential, session_credential
from matches.models import AccessToken, Account, Match
from matches.reads.permissions import visibility_filter

# The writer's statement has the same conditions: see `storage.batch`, and change them together.
_TOKENS_REFUSED = """
SELECT k.account, k.token FROM unnest($1::uuid[], $2::uuid[]) AS k (account, token) WHERE NOT EXISTS (
    SELECT FROM matches_accesstoken t JOIN matches_account a ON a.id = t.account_id
    WHERE t.id = k.token AND a.id = k.account
        AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp() AND a.is_active
)
"""
_VALID_SESSIONS = """
SELECT a.id, s.session_key, a.password FROM unnest($1::uuid[], $2::text[]) AS k (account, session)
JOIN django_session s ON s.session_key = k.session JOIN matches_account a ON a.id = k.account
WHERE s.expire_date > clock_timestamp() AND a.is_active
"""


class Identity(NamedTuple):
    """The account of a connection, with its token; `token` is None for a session. A stranger has no account."""

    account: Account | None
    token: AccessToken | None
    credential: Credential


STRANGER = Identity(None, None, Credential())
"""A visitor of this site's pages without a login; they see what is public."""


def origin_may(headers: Mapping[str, str]) -> bool | None:
    """True if the page that opens the socket may do so; None if the headers name no page."""
    origin = headers.get("origin")
    if origin is None:
        return None
    try:
        parts = urlsplit(origin)
        name = (parts.hostname or "").lower()
    except ValueError:
        return False
    if not name or parts.scheme not in ("http", "https"):
        return False
    if _trusted(parts.scheme, parts.netloc.lower()):
        return True
    # A proxy may terminate TLS, so the scheme may differ; name and port may not.
    host, _ = split_domain_port(headers.get("host", ""))
    return parts.netloc.lower() == headers.get("host", "").lower() and validate_host(host, settings.ALLOWED_HOSTS)


def host_may(headers: Mapping[str, str]) -> bool:
    """True if the service responds to this Host header."""
    host, _ = split_domain_port(headers.get("host", ""))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS)


def _trusted(scheme: str, netloc: str) -> bool:
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        if scheme == trusted.scheme and is_same_domain(netloc, trusted.netloc.lstrip("*")):
            return True
    return False


def session_key(headers: Mapping[str, str]) -> str:
    """Return the session cookie's value; empty without one."""
    return str(parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME, ""))


def by_session(key: str) -> Identity | None:
    """Return the identity of the account that is logged in under this session key; None if there is none."""
    account = authentication.account_of_session(key)
    return Identity(account, None, session_credential(account, key)) if account else None


def refuse_signed_out(identity: Identity) -> None:
    """Raise SignedOut if the credential is no longer valid; checked before each message of a client."""
    if identity.account is not None:
        authentication.refuse_signed_out(identity.account.id, identity.credential)


def refused(held: Collection[tuple[UUID, Credential]]) -> set[tuple[UUID, Credential]]:
    """Return those of these accounts and credentials that are no longer valid, with one query."""
    by_token = [(account, it) for account, it in held if it.token is not None]
    by_session = [(account, it) for account, it in held if it.token is None]
    tokens, sessions = roundtrip(
        raw_connection(),
        [
            (_TOKENS_REFUSED, (_ids(by_token), array(str(it.token) for _, it in by_token))),
            (_VALID_SESSIONS, (_ids(by_session), array(it.session for _, it in by_session))),
        ],
    )
    account_stub, valid = Account(), set()
    for account, session, password in sessions:
        account_stub.password = password
        valid.add((account, Credential(session=session, proof=account_stub.get_session_auth_hash())))
    return set(by_session) - valid | {(account, Credential(token=token)) for account, token in tokens}


def _ids(held: Collection[tuple[UUID, Credential]]) -> str:
    return array(str(account) for account, _ in held)


def unseen(watched: Collection[tuple[UUID | None, UUID]]) -> set[tuple[UUID | None, UUID]]:
    """Return those of these accounts (None for a stranger) and matches where the account may no longer see the
    match."""
    wanted = array({str(match_id) for _, match_id in watched})
    among = RawSQL("SELECT unnest(%s::uuid[])", [wanted])
    private = set(Match.objects.filter(id__in=among).exclude(visibility_filter(None)).values_list("id", flat=True))
    if not private:
        return set()
    unchecked = {(account, match_id) for account, match_id in watched if match_id in private}
    accounts = {account for account, _ in unchecked if account is not None}
    if accounts:
        # OuterRef twice: the query of matches is nested in a query of accounts.
        matches = Match.objects.filter(visibility_filter(OuterRef(OuterRef("id"))), id__in=private)
        visible = Account.objects.filter(id__in=accounts).annotate(seen=ArraySubquery(matches.values("id")))
        for account, match_ids in visible.values_list("id", "seen"):
            unchecked -= {(account, match_id) for match_id in match_ids}
    return unchecked
