"""Tasks that a season has for those who run it. Pure."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from matches.seasons.domain import attendance, deadlines
from matches.seasons.domain.state import Season

TaskKind = Literal["result", "application", "claim", "decision", "absence", "time"]


class Task(Struct, frozen=True):
    """Something that is left to the officials: `about` says which one, `match` which match it is about, if any."""

    kind: TaskKind
    about: str
    match: str | None = None


def tasks(season: Season) -> list[Task]:
    """Everything that waits for the season's officials, without those matches' times that have begun meanwhile."""
    return [] if season.status == "finished" else list(_tasks(season))


def roles_for(task: Task) -> tuple[str, ...]:
    """Return the roles for which a task waits: organisers, and hosts for what they may do as well."""
    return ("organiser", "host") if task.kind in ("claim", "time") else ("organiser",)


def _tasks(season: Season) -> Iterator[Task]:
    for match in season.matches.values():
        if match.status == "finished":
            yield Task("result", f"{match.id} played {match.reopened}", match.id)
        elif match.status == "scheduled":
            if match.opens_at is None and not match.reopened:
                yield Task("time", f"{match.id} moved {match.moved}", match.id)
            there = attendance.check_in_of(season, match.id)
            if there.absent and there.ruling is None and season.options.absence == "organiser":
                yield Task("absence", f"{match.id} at {match.opens_at}", match.id)
    for application in season.intake.waiting:
        again = season.intake.withdrawals.get(application.player, 0)
        yield Task("application", f"{application.player} {application.link} {again}")
    for claim in season.claims:
        if claim.status == "open":
            yield Task("claim", str(claim.number), claim.match)
    decision = deadlines.awaited(season)
    if decision and decision.lapsed and decision.decision != "ban":
        yield Task("decision", f"{decision.decision} of episode {decision.episode} until {decision.until}")
