"""A season's matches and deadlines as documents tell them."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple
from uuid import UUID

from matches.seasons.domain import attendance, deadlines
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.reads import documents as shapes
from matches.seasons.reads.timing_sentences import DECISIONS


def match_document(state: Season, it: SeasonMatch) -> shapes.SeasonMatchDocument:
    """A match of the season, with what is proposed for it and who is there."""
    timing = state.timing
    return shapes.SeasonMatchDocument(
        id=UUID(it.id),
        kind=it.kind,
        episode=it.episode,
        game=it.game,
        players=_ids(it.players),
        priority=it.priority,
        opens_at=it.opens_at,
        begins_at=it.begins_at,
        setup_closes_at=it.setup_closes_at,
        status=it.status,
        winner=_id(it.winner),
        loser=_id(it.loser),
        ranking=[_ids(group) for group in it.ranking],
        proposals=[
            shapes.ProposalDocument(UUID(made.by), list(made.times)) for made in timing.proposals.get(it.id, ())
        ],
        accepted=[shapes.TimeAcceptedDocument(UUID(who), time) for who, time in timing.accepted.get(it.id, ())],
        check_in=_check_in(state, it),
        played_by=_ids(it.played_by),
    )


def awaited_document(state: Season) -> shapes.AwaitedDocument | None:
    """The decision that has a deadline."""
    asked = deadlines.awaited(state)
    if asked is None:
        return None
    return shapes.AwaitedDocument(
        asked.decision, asked.episode, _ids(asked.players), asked.since, asked.until, asked.lapsed
    )


class Reminder(NamedTuple):
    """A decision with a deadline, for a page: `what` is decided, until when; `players` are who may."""

    what: str
    until: datetime
    lapsed: bool
    players: tuple[str, ...]


def reminder_of(state: Season) -> Reminder | None:
    """The decision that has a deadline."""
    asked = deadlines.awaited(state)
    if asked is None:
        return None
    return Reminder(DECISIONS[asked.decision], datetime.fromisoformat(asked.until), asked.lapsed, asked.players)


def _check_in(state: Season, it: SeasonMatch) -> shapes.CheckInDocument | None:
    opens, closes = attendance.opens(state, it), attendance.closes_at(state, it)
    if opens is None or closes is None:
        return None
    there = attendance.check_in_of(state, it.id)
    return shapes.CheckInDocument(
        opens.astimezone(UTC), closes.astimezone(UTC), _ids(there.present), there.closed, _ids(there.absent),
        there.ruling,
    )  # fmt: skip


def _id(account: str | None) -> UUID | None:
    return UUID(account) if account else None


def _ids(accounts: Iterable[str]) -> list[UUID]:
    return [UUID(account) for account in accounts]
