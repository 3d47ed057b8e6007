"""Documents of a season's matches and deadlines."""

from collections.abc import Iterable
from datetime import UTC
from uuid import UUID

from msgspec import UNSET

from matches.seasons.domain import attendance, deadlines
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.domain.steps import PendingStep, pending_decision
from matches.seasons.reads import documents as shapes
from matches.seasons.reads.timing_sentences import DECISIONS


def match_document(state: Season, it: SeasonMatch) -> shapes.SeasonMatchDocument:
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
        contest=it.contest or UNSET,
        results=it.results or UNSET,
        scores=list(it.scores) if it.results else UNSET,
    )


def awaited_document(state: Season) -> shapes.AwaitedDocument | None:
    """Return the decision that has a deadline, lapsed or not; None if there is none."""
    awaited = deadlines.awaited(state)
    if awaited is None:
        return None
    return shapes.AwaitedDocument(
        awaited.decision, awaited.episode, _ids(awaited.players), awaited.since, awaited.until, awaited.lapsed
    )


def deadline_of(state: Season, player: str | None = None) -> dict[str, PendingStep | str]:
    """Return for a template the decision (of a player) that has a `deadline`, and what it `decides`."""
    step = pending_decision(state)
    is_shown = step and step.until and (player is None or player in step.players)
    return {"deadline": step, "decides": DECISIONS[step.kind]} if step and is_shown else {}


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
