"""The claims of a season, as the doors tell them."""

from datetime import datetime
from uuid import UUID

from msgspec import Struct

from matches.reads.documents import PlayerDocument
from matches.seasons import repository
from matches.seasons.domain.claim_events import ClaimKind, ClaimMade
from matches.seasons.domain.claims import ANSWER_WITHIN, ClaimStatus
from matches.seasons.reads.feed import person
from matches.seasons.reads.story import players_of


class ClaimDocument(Struct, frozen=True):
    """A claim; `answer_by` is until when an answer is due, `overdue` whether it waits longer."""

    number: int
    player: PlayerDocument
    kind: ClaimKind
    text: str
    match: UUID | None
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


def claims(season_id: UUID, now: datetime, upto: int | None = None) -> ClaimList:
    """All claims at a version, with their answers."""
    revisions = list(repository.revisions(season_id, upto=upto))
    if not revisions:
        raise repository.NoSuchSeason(str(season_id))
    made = {it.event.number: it.row.at for it in revisions if isinstance(it.event, ClaimMade)}
    found = revisions[-1].season.claims
    known = players_of({who for it in found for who in (it.player, it.answered_by) if who})
    told = [
        ClaimDocument(
            number=it.number,
            player=person(it.player, known),
            kind=it.kind,
            text=it.text,
            match=UUID(it.match) if it.match else None,
            at=made[it.number],
            answer_by=made[it.number] + ANSWER_WITHIN,
            overdue=it.status == "open" and now > made[it.number] + ANSWER_WITHIN,
            status=it.status,
            reason=it.reason,
            answered_by=person(it.answered_by, known) if it.answered_by else None,
        )
        for it in found
    ]
    return ClaimList(len(revisions), told)
