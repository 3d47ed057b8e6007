"""Conflicts of interest: players of a season don't host its matches, and its staff don't play in them."""

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
    """Wrap a host's act with arguments `match_id` and `by`, so that it raises plays_here for players of the match's
    season."""

    @wraps(act)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        refuse_season_player(UUID(str(kwargs["match_id"])), str(kwargs["by"]))
        return act(*args, **kwargs)

    return guarded


def refuse_season_player(match_id: UUID, by: UUID | str) -> None:
    """Raise plays_here for a present or former player of the match's season. Even without a seat they compete with
    those who have one."""
    season = _season_of(match_id)
    if season is not None and by != HOUSE and permissions.plays_in(season, by):
        raise Illegal(
            "plays_here",
            "You play in this match's season, or did, so you don't host its matches: ask one of its hosts who doesn't.",
        )


def refuse_official(match_id: UUID, player: UUID | str) -> None:
    """Raise runs_the_season if an account that runs or audits the season is to have a seat at its match."""
    season = _season_of(match_id)
    if season is not None and player != BOT and permissions.runs(season, player):
        raise Illegal(
            "runs_the_season",
            "That account has a part in running this season, so it doesn't play in it. Seat somebody else, or a bot.",
        )


def _season_of(match_id: UUID) -> UUID | None:
    return Match.objects.filter(id=match_id).values_list("season_id", flat=True).first()
