"""Calls of seasons to accounts: for what concerns them, and for the steps that wait for them."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from uuid import UUID

import structlog

from events import store
from matches.domain.calls import Kind
from matches.models import Call
from matches.notifications import calls, receivers
from matches.notifications.calls import Cause
from matches.seasons import repository, talk_calls
from matches.seasons.domain import events as season_events
from matches.seasons.domain.concerns import Concern, Concerned, staff
from matches.seasons.domain.options import LONGEST_CHECK_IN
from matches.seasons.domain.state import Season
from matches.seasons.domain.steps import pending_decision, pending_steps
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import officials, personal
from matches.seasons.repository import SeasonRevision
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_AGAIN = (
    season_events.MainMatchCorrected, season_events.TokensCorrected, season_events.PairCorrected,
    season_events.EpisodeReopened, season_events.DecisionLapsed, season_events.MatchAnnulled,
)  # fmt: skip
"""Events after which a decision that was taken may be awaited once more."""
_KINDS: Mapping[Concern, Kind] = {
    "decision_made": "decided", "correction": "correction", "appointment": "appointment", "claim": "claim",
    "invitation": "invitation", "application": "answer",
}  # fmt: skip
"""The kind of call for each concern."""
_lookout = calls.Lookout(2)


def queue_new_calls() -> int:
    """Queue what is new in seasons; return the number of new calls."""
    at, moved, causes, failed = store.clock(), _lookout.moved(), [], []
    for row in SeasonRow.objects.filter(id__in=moved.streams).order_by("changed_at"):
        try:
            revisions = list(repository.revisions(row.id))
        except BrokenRecord as error:
            # A season that is frozen must not keep the news of all others back.
            log.error("season_not_looked_at", season=str(row.id), broken=str(error))
            failed.append(row.id)
            continue
        causes += [cause for act in personal.acts(revisions) if act.at > moved.since for cause in _news(row.id, act)]
        causes += _of_players(row.id, revisions)
        causes += _of_officials(row.id, revisions[-1])
        causes += _check_ins(row.id, revisions[-1].season, at)
    made = calls.queue(causes)
    _lookout.done(moved, failed, at)
    return made


def queue_webhook_calls() -> int:
    """Queue calls to the organisers of seasons whose webhook was switched off; return the number of new calls."""
    causes: list[Cause] = []
    webhooks = {webhook.season_id: webhook for webhook in receivers.switched_off() if webhook.season_id}
    for season, head in store.heads(webhooks).items():
        try:
            organisers = staff(repository.at(season, head.version, head.hash), "organiser")
        except BrokenRecord as error:
            log.error("season_not_looked_at", season=str(season), broken=str(error))
            continue
        causes += [receivers.cause_of(webhooks[season], UUID(account)) for account in organisers]
    return calls.queue(causes)


def remind() -> int:
    """Queue the check-ins that have opened; return the number of new calls."""
    at = store.clock()
    causes: list[Cause] = []
    # A check-in's end is an occasion of its season, which wakes no later.
    for row in SeasonRow.objects.filter(wakes_at__lte=at + timedelta(minutes=LONGEST_CHECK_IN)):
        try:
            causes += _check_ins(row.id, repository.load(row.id), at)
        except BrokenRecord as error:
            log.error("season_not_looked_at", season=str(row.id), broken=str(error))
    return calls.queue(causes)


def is_awaited(call: Call) -> bool:
    """True if the season still waits for the account that it called."""
    if call.season_id is None:
        return True
    if call.kind in ("room", "report"):
        return talk_calls.is_awaited(call)
    try:
        season, player = repository.load(call.season_id), str(call.account_id)
    except (BrokenRecord, repository.NoSuchSeason):
        # Better told once too often: whoever comes is told what is wrong.
        return True
    match call.kind:
        case "official":
            head = repository.heads_of([call.season_id])[call.season_id]
            tasks = officials.open_tasks(call.season_id, season.version, head)
            return call.cause in {it.notice for it in tasks}
        case "decision":
            return call.cause.split(" ")[0] in {kind for kind, _, who in _decisions(season) if who == player}
        case "check_in":
            steps = (it for it in pending_steps(season) if (it.kind, it.match) == ("check_in", str(call.match_id)))
            return any(player in it.awaited_of for it in steps)
        case "reminder":
            awaited = season.timing.awaited
            return awaited is not None and not awaited.lapsed and player in awaited.players
    return True


def _of_players(season_id: UUID, revisions: list[SeasonRevision]) -> list[Cause]:
    again = sum(isinstance(it.event, _AGAIN) for it in revisions)
    return [
        Cause(UUID(player), "decision", f"{act} of episode {number}, {again}", None, season_id)
        for act, number, player in _waiting(season_id, revisions[-1].row.version, revisions[-1].row.hash)
    ]


@lru_cache(maxsize=512)
def _waiting(season_id: UUID, version: int, head: bytes) -> list[tuple[str, int, str]]:
    return _decisions(repository.at(season_id, version, head))


def _decisions(season: Season) -> list[tuple[str, int, str]]:
    """Return the kind of the decision that is awaited, its episode and each player who can take it."""
    step = pending_decision(season)
    return [(step.kind, season.episode_number, player) for player in step.awaited_of] if step else []


def _of_officials(season_id: UUID, newest: SeasonRevision) -> Iterator[Cause]:
    """Yield the calls to the staff for the tasks that wait for them. Claims have a kind of call of their own, and the
    account of the newest act isn't called for what it left to the officials."""
    for task in officials.open_tasks(season_id, newest.row.version, newest.row.hash):
        if task.kind == "claim":
            continue
        for account in staff(newest.season, *task.roles):
            if account != newest.row.actor:
                match = UUID(task.match) if task.match else None
                yield Cause(UUID(account), "official", task.notice, match, season_id)


def _check_ins(season_id: UUID, season: Season, at: datetime) -> Iterator[Cause]:
    for step in pending_steps(season):
        if step.kind == "check_in" and step.since and step.until and step.match and step.since <= at < step.until:
            cause = f"at {season.matches[step.match].opens_at}"
            for player in step.awaited_of:
                yield Cause(UUID(player), "check_in", cause, UUID(step.match), season_id)


def _news(season_id: UUID, act: personal.Act) -> Iterator[Cause]:
    """Yield the calls to those whom an act concerns; calls of one kind about one match are one."""
    newest: dict[tuple[str, str, str | None], str] = {}
    for it in act.concerns:
        if kind := _kind_of(it):
            match = getattr(it.event, "match", None) if kind == "appointment" else None
            cause = f"act of {act.at.isoformat()}" if kind == "correction" else f"v{act.version_of(it)}"
            newest |= dict.fromkeys(((account, kind, match) for account in it.accounts - {act.actor}), cause)
    for (account, kind, match), cause in newest.items():
        yield Cause(UUID(account), kind, cause, UUID(match) if match else None, season_id)


def _kind_of(it: Concerned) -> str:
    """Return the kind of call; empty for a step that is called for as long as it waits."""
    match it.concern, it.event:
        case "decision_awaited", season_events.DecisionReminded():
            return "reminder"
        case (("decision_awaited" | "official"), _):
            return ""
        case "claim", season_events.ClaimAnswered():
            return "answer"
        case concern, _:
            return _KINDS[concern]
