"""Players of a season may not host its matches, and its staff may not hold seats there."""

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar
from uuid import UUID

from games.kernel import Illegal
from matches.domain.events import BOT, HOUSE
from matches.models import Match
from matches.reads import permissions

P = ParamSpec("P")
R = TypeVar("R")


def not_by_players(act: Callable[P, R]) -> Callable[P, R]:
    """A host's act, given `match_id` and `by`, that raises plays_here for whoever plays in the match's season."""

    @wraps(act)
    def guarded(*args: P.args, **asked: P.kwargs) -> R:
        refuse_season_player(UUID(str(asked["match_id"])), str(asked["by"]))
        return act(*args, **asked)

    return guarded


def refuse_season_player(match_id: UUID, by: UUID | str) -> None:
    """Raise plays_here for who plays in the season of this match, or did: also where they have no seat, they compete
    with those who have."""
    season = _season_of(match_id)
    if season is not None and by != HOUSE and permissions.plays_in(season, by):
        raise Illegal(
            "plays_here",
            "You play in this match's season, or did, so you don't host its matches: ask one of its hosts who doesn't.",
        )


def refuse_official(match_id: UUID, player: UUID | str) -> None:
    """Raise runs_the_season for a seat at a season's match given to one who runs or audits the season."""
    season = _season_of(match_id)
    if season is not None and player != BOT and permissions.runs(season, player):
        raise Illegal(
            "runs_the_season",
            "That account has a part in running this season, so it doesn't play in it. Seat somebody else, or a bot.",
        )


def _season_of(match_id: UUID) -> UUID | None:
    return Match.objects.filter(id=match_id).values_list("season_id", flat=True).first()
