"""Previews of acts on a season, shown before they are sent."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from matches.http.problems import problem_of
from matches.models import Account
from matches.seasons import services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.state import Season
from matches.seasons.reads.documents import Foresight

Foresee = Callable[[SeasonAct], dict[str, Any]]
"""Takes an act, and returns its preview as a template's context."""


def shown(foresee: Callable[[], Foresight]) -> dict[str, Any]:
    """Return the context of the previews' templates: `preview`, or the reason as `refusal`."""
    try:
        return {"preview": foresee()}
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500:
            raise
        return {"refusal": problem.detail}


def foreseer(season_id: UUID, season: Season, account: Account) -> Foresee:
    """Return a function that previews an account's acts that need no form, in the season as it was read."""

    def foresee(act: SeasonAct) -> dict[str, Any]:
        return shown(lambda: services.foresee(season_id=season_id, season=season, by=account, decide=act.decide))

    return foresee
