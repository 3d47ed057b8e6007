"""What an act on a season would bring, shown before it is sent."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from games.kernel import Event
from matches.http.problems import problem_of
from matches.models import Account
from matches.seasons import services
from matches.seasons.domain.acts import ACTS
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season
from matches.seasons.reads.documents import Foresight

Foresee = Callable[..., dict[str, Any]]
"""Given an act's name and its values: what it would bring as things stand."""


def shown(foresee: Callable[[], Foresight]) -> dict[str, Any]:
    """Return the context of the previews' templates: `told`, or the reason as `refused`."""
    try:
        return {"told": foresee()}
    except Exception as refusal:
        problem = problem_of(refusal)
        if problem is None or problem.status >= 500:
            raise
        return {"refused": problem.detail}


def deciding(name: str, values: dict[str, Any]) -> services.Decide:
    def decide(season: Season, by: Caller) -> list[Event]:
        return list(ACTS[name].decide(season, by, values))

    return decide


def foreseer(season_id: UUID, season: Season, account: Account) -> Foresee:
    """Return a function that foresees an account's acts without a form, in the season as it was read."""

    def foresee(name: str, **values: Any) -> dict[str, Any]:
        decide = deciding(name, values)
        return shown(lambda: services.foresee(season_id=season_id, season=season, by=account, decide=decide))

    return foresee
