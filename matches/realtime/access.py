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
from matches.reads.permissions import seen_by

_TOKENS_REFUSED = """
SELECT k.account, k.token FROM unnest($1::uuid[], $2::uuid[]) AS k (account, token) WHERE NOT EXISTS (
    SELECT FROM matches_accesstoken t JOIN matches_account a ON a.id = t.account_id
    WHERE t.id = k.token AND a.id = k.account
        AND t.revoked_at IS NULL AND t.expires_at > clock_timestamp() AND a.is_active
)
"""
_SESSIONS_THAT_STAND = """
SELECT a.id, s.session_key, a.password FROM unnest($1::uuid[], $2::text[]) AS k (account, session)
JOIN django_session s ON s.session_key = k.session JOIN matches_account a ON a.id = k.account
WHERE s.expire_date > clock_timestamp() AND a.is_active
"""


class Identity(NamedTuple):
    """Whom a connection is authenticated as; `token` is None for a session. A stranger has no account."""

    account: Account | None
    token: AccessToken | None
    credential: Credential


STRANGER = Identity(None, None, Credential())
"""Somebody who isn't signed in, at a page of this house; they see what is public."""


def origin_may(headers: Mapping[str, str]) -> bool | None:
    """Whether the page that opens the socket may: None where no page is named."""
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
    # A proxy may end the encryption, so the scheme may differ; name and port may not.
    host, _ = split_domain_port(headers.get("host", ""))
    return parts.netloc.lower() == headers.get("host", "").lower() and validate_host(host, settings.ALLOWED_HOSTS)


def host_may(headers: Mapping[str, str]) -> bool:
    """Whether the service answers to this Host header."""
    host, _ = split_domain_port(headers.get("host", ""))
    return bool(host) and validate_host(host, settings.ALLOWED_HOSTS)


def _trusted(scheme: str, netloc: str) -> bool:
    for trusted in map(urlsplit, settings.CSRF_TRUSTED_ORIGINS):
        if scheme == trusted.scheme and is_same_domain(netloc, trusted.netloc.lstrip("*")):
            return True
    return False


def session_key(headers: Mapping[str, str]) -> str:
    """The session cookie's value; empty without one."""
    return str(parse_cookie(headers.get("cookie", "")).get(settings.SESSION_COOKIE_NAME, ""))


def by_session(key: str) -> Identity | None:
    """The account that is logged in under this session key."""
    account = authentication.account_of_session(key)
    return Identity(account, None, session_credential(account, key)) if account else None


def refuse_signed_out(identity: Identity) -> None:
    """Raise SignedOut where the credential is no longer valid; checked before each message of a client."""
    if identity.account is not None:
        authentication.refuse_signed_out(identity.account.id, identity.credential)


def refused(held: Collection[tuple[UUID, Credential]]) -> set[tuple[UUID, Credential]]:
    """Those of these accounts and credentials that are no longer valid, in one question."""
    by_token = [(account, it) for account, it in held if it.token is not None]
    by_session = [(account, it) for account, it in held if it.token is None]
    tokens, sessions = roundtrip(
        raw_connection(),
        [
            (_TOKENS_REFUSED, (_ids(by_token), array(str(it.token) for _, it in by_token))),
            (_SESSIONS_THAT_STAND, (_ids(by_session), array(it.session for _, it in by_session))),
        ],
    )
    anybody, good = Account(), set()
    for account, session, password in sessions:
        anybody.password = password
        good.add((account, Credential(session=session, proof=anybody.get_session_auth_hash())))
    return set(by_session) - good | {(account, Credential(token=token)) for account, token in tokens}


def _ids(held: Collection[tuple[UUID, Credential]]) -> str:
    return array(str(account) for account, _ in held)


def unseen(watched: Collection[tuple[UUID | None, UUID]]) -> set[tuple[UUID | None, UUID]]:
    """Those of these accounts (None for nobody) and matches where the account may no longer see the match."""
    wanted = array({str(match_id) for _, match_id in watched})
    among = RawSQL("SELECT unnest(%s::uuid[])", [wanted])
    private = set(Match.objects.filter(id__in=among).exclude(seen_by(None)).values_list("id", flat=True))
    if not private:
        return set()
    doubtful = {(account, match_id) for account, match_id in watched if match_id in private}
    accounts = {account for account, _ in doubtful if account is not None}
    if accounts:
        # From inside two queries: one of matches, within one of accounts.
        matches = Match.objects.filter(seen_by(OuterRef(OuterRef("id"))), id__in=private)
        seeing = Account.objects.filter(id__in=accounts).annotate(seen=ArraySubquery(matches.values("id")))
        for account, seen in seeing.values_list("id", "seen"):
            doubtful -= {(account, match_id) for match_id in seen}
    return doubtful
