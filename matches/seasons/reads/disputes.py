"""The claims of a season for its interfaces, also by match and by episode.

Readers without an account may read them once the season is over, as they may then read and export its record.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from uuid import UUID

from msgspec import Struct

from events.models import LoggedEvent
from matches.models import Account
from matches.reads.documents.match import PlayerDocument
from matches.seasons import repository
from matches.seasons.domain.claim_events import ClaimKind, ClaimMade
from matches.seasons.domain.claims import ANSWER_WITHIN, ClaimStatus
from matches.seasons.domain.state import Season as State
from matches.seasons.models import Season
from matches.seasons.reads.documents import RulingDocument
from matches.seasons.reads.event_documents import players_of
from matches.seasons.reads.feed import person, rulings
from matches.seasons.repository import SeasonRevision

_OF_MATCHES = ("claim_made", "ruling_posted")
CLAIM_TYPES = frozenset({"claim_made", "claim_withdrawn", "claim_answered"})
"""Types of the events of claims."""


class ClaimDocument(Struct, frozen=True):
    """A claim; `answer_by` is until when an answer is due, `overdue` whether it waits longer. `episode` is that of the
    match, or the one that was open when it was made; null for neither, as in the final."""

    number: int
    player: PlayerDocument
    kind: ClaimKind
    text: str
    match: UUID | None
    episode: int | None
    at: datetime
    answer_by: datetime
    overdue: bool
    status: ClaimStatus
    reason: str
    answered_by: PlayerDocument | None


class ClaimList(Struct, frozen=True):
    """The season's claims, oldest first."""

    version: int
    results: list[ClaimDocument]
    next: None = None


def may_read(account: Account | None, season: Season) -> bool:
    """True if a reader of the season may read its claims."""
    return account is not None or season.status == Season.Status.FINISHED


def of_match(season_id: UUID, match_id: UUID, now: datetime) -> tuple[list[ClaimDocument], list[RulingDocument]]:
    """Return the claims and rulings on a match; raise BrokenRecord."""
    named = LoggedEvent.objects.filter(stream=season_id, type__in=_OF_MATCHES, public__match=str(match_id))
    if not named.exists():
        return [], []
    about = [it for it in rulings(season_id).results if it.match == match_id]
    return claims(season_id, now, match=match_id).results, about


def claims(
    season_id: UUID, now: datetime, upto: int | None = None, *, match: UUID | None = None, episode: int | None = None
) -> ClaimList:
    """Return the claims at a version, with their answers; of one match or episode if given."""
    revisions = list(repository.revisions(season_id, upto=upto))
    if not revisions:
        raise repository.NoSuchSeason(str(season_id))
    made = dict(_made(revisions))
    stored = revisions[-1].season.claims
    accounts = players_of({who for it in stored for who in (it.player, it.answered_by) if who})
    claims_read = [
        ClaimDocument(
            number=it.number,
            player=person(it.player, accounts),
            kind=it.kind,
            text=it.text,
            match=UUID(it.match) if it.match else None,
            episode=made[it.number].episode,
            at=made[it.number].at,
            answer_by=made[it.number].at + ANSWER_WITHIN,
            overdue=it.status == "open" and now > made[it.number].at + ANSWER_WITHIN,
            status=it.status,
            reason=it.reason,
            answered_by=person(it.answered_by, accounts) if it.answered_by else None,
        )
        for it in stored
    ]
    return ClaimList(
        len(revisions), [it for it in claims_read if match in (None, it.match) and episode in (None, it.episode)]
    )


class _Made(Struct, frozen=True):
    """Instant and episode of a claim."""

    at: datetime
    episode: int | None


def _made(revisions: Sequence[SeasonRevision]) -> Iterator[tuple[int, _Made]]:
    for revision in revisions:
        if isinstance(revision.event, ClaimMade):
            yield revision.event.number, _Made(revision.row.at, _episode_of(revision.season, revision.event))


def _episode_of(season: State, claim: ClaimMade) -> int | None:
    if claim.match is not None:
        return season.matches[claim.match].episode or None
    return season.episode.number if season.episode else None
