"""Authentication and authorisation of sockets and streams: session cookies with their Origin, and tokens."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.contrib import auth
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.http.cookie import parse_cookie
from django.http.request import split_domain_port, validate_host
from django.utils import timezone
from django.utils.http import is_same_domain
from django.utils.module_loading import import_string

from matches import services
from matches.http import authentication
from matches.http.authentication import Credential, find, session_credential
from matches.http.match_access import match_named
from matches.http.problems import Problem
from matches.models import AccessToken, Account, Match
from matches.reads import feed, selectors
from matches.reads.permissions import seen_by


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
    if not key or "\0" in key or len(key) > 100:
        return None
    request = HttpRequest()
    request.session = import_string(f"{settings.SESSION_ENGINE}.SessionStore")(key)
    account: Any = auth.get_user(request)
    if not account.is_authenticated:
        return None
    return Identity(account, None, session_credential(account, key))


def by_token(text: str) -> Identity | None:
    """The account of a valid token."""
    token = find(text) if "\0" not in text else None
    return Identity(token.account, token, Credential(token=token.id)) if token else None


def refuse_signed_out(identity: Identity) -> None:
    """Raise SignedOut where the credential is no longer valid; checked before each message of a client."""
    if identity.account is not None:
        authentication.refuse_signed_out(identity.account.id, identity.credential)


def refused(held: Collection[tuple[UUID, Credential]]) -> set[tuple[UUID, Credential]]:
    """Those of these accounts and credentials that are no longer valid: one query for each kind."""
    now = timezone.now()
    accounts = {it.id: it for it in Account.objects.filter(id__in={account for account, _ in held}, is_active=True)}
    tokens = set(
        AccessToken.objects.filter(
            id__in={it.token for _, it in held if it.token}, expires_at__gt=now, revoked_at=None
        ).values_list("id", flat=True)
    )
    sessions = set(
        Session.objects.filter(
            session_key__in={it.session for _, it in held if it.session}, expire_date__gt=now
        ).values_list("session_key", flat=True)
    )
    proofs = {id: account.get_session_auth_hash() for id, account in accounts.items()}
    good = {
        (account, it) for account, it in held
        if account in accounts and (it.token in tokens or (it.session in sessions and it.proof == proofs[account]))
    }  # fmt: skip
    return set(held) - good


def unseen(watched: Collection[tuple[UUID, UUID]]) -> set[tuple[UUID, UUID]]:
    """Those of these accounts and matches where the account may no longer see the match."""
    wanted = {match_id for _, match_id in watched}
    private = set(Match.objects.filter(id__in=wanted).exclude(seen_by(None)).values_list("id", flat=True))
    doubtful = {(account, match_id) for account, match_id in watched if match_id in private}
    for account in {account for account, _ in doubtful}:
        seen = Match.objects.filter(seen_by(account), id__in=private).values_list("id", flat=True)
        doubtful -= {(account, match_id) for match_id in seen}
    return doubtful


def place(account: str | None, name: str) -> tuple[UUID, feed.Witness]:
    """The match with this id or code, and the witness that the account is at it; raises Problem."""
    match_id = _named(name)
    return match_id, feed.witness_of(feed.story(match_id, account), account)


def _named(name: str) -> UUID:
    """The id of the match with this id or code, its overdue flags fallen; raises Problem."""
    try:
        match_id = UUID(name)
    except ValueError:
        return match_named(name).id
    found = selectors.standing_of([match_id])
    if not found:
        raise Problem("not_found")
    if found[0].overdue:
        services.catch_up_for_a_reader(match_id=match_id)
    return match_id
