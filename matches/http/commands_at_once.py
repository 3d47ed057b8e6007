"""A seat's usual command on the event loop: rate-limited, then submitted to the fast path, which checks the sender."""

from typing import Any
from uuid import UUID

from events.records import Point
from matches.http import commands, limits, metrics
from matches.http.authentication import Credential
from matches.http.scopes import reaches
from matches.models import AccessToken, Account
from matches.services import Accepted, fast_way
from matches.services.playing import Submission
from matches.storage import repository
from matches.storage.batch import Sender, password_fingerprint

NOT_PLAIN = "not_plain"
"""The reason for not trying the fast path: the match isn't in memory, the command is notation, or the token's scope."""


async def send_at_once(
    account: Account, token: AccessToken | None, credential: Credential, match_id: UUID, seat: int,
    body: dict[str, Any], *, key: str, expected: Point | None,
) -> Accepted | None:  # fmt: skip
    """Play a command that has been counted, from memory; None if `commands.send` must do it, and nothing has happened.

    A command without a version is decided on the cached version, and stored only if that is the newest.
    """
    match_state = repository.last_seen(match_id)
    if match_state is None or "text" in body or (token and not reaches(token, "match:play")):
        metrics.left(NOT_PLAIN)
        return None
    opened = match_state.lifecycle.opened
    on = expected or Point(match_state.version, b"")
    submission = Submission(
        match_id, seat, str(account.id), body, key, commands.fingerprint_of(body), on.version, on.hash,
    )  # fmt: skip
    outcome = await fast_way.submit_at_once(submission, _sender(account, credential, opened.season))
    if isinstance(outcome, fast_way.FellBack):
        metrics.left(outcome.why)
        return None
    metrics.accepted(opened.game)
    return outcome


async def may_go_on(account: UUID, address: str) -> bool:
    """Count one more command of an account; False at the limit, for which the Django path gives the response."""
    return await limits.spend_at_once("commands", account, address) is not None


def _sender(account: Account, credential: Credential, season: str | None) -> Sender:
    by_session = credential.token is None
    return Sender(
        account.id, credential.token, credential.session if by_session else None,
        password_fingerprint(account.password) if by_session else None, UUID(season) if season else None,
    )  # fmt: skip
