"""Garnets that change hands by an act of their own: gifts, awards, fines, corrections. Pure."""

from collections.abc import Sequence

from games.kernel import Event, Illegal, quantity
from matches.seasons.domain.deciding import Caller, refuse_not_living, refuse_over, refuse_unless_organiser
from matches.seasons.domain.events import Cause, GarnetsMoved
from matches.seasons.domain.state import Season


def move_garnets(
    season: Season, by: Caller, source: str | None, target: str | None, amount: int, reason: str
) -> Sequence[Event]:
    """A player gives own garnets to another one, unless they are at stake in a death match; an organiser awards (no
    source), fines (no target) or corrects.

    Raises forbidden, season_over, no_transfers, match_open, not_enrolled, not_living, same_player, too_few_garnets,
    garnets_held.
    """
    own = source is not None and source == by.account
    if not own:
        refuse_unless_organiser(by)
    refuse_over(season)
    if own:
        _refuse_gift(season, by.account)
    refuse_not_living(season, *(it for it in (source, target) if it is not None))
    if source == target or (own and target is None):
        raise Illegal("same_player", "Garnets move from one player to another one.")
    refuse_poor(season, source, amount)
    cause: Cause = "transfer" if own else "award" if source is None else "fine" if target is None else "reversal"
    return [GarnetsMoved(source=source, target=target, amount=amount, cause=cause, reason=reason)]


def _refuse_gift(season: Season, giver: str) -> None:
    if not season.options.transfers:
        raise Illegal("no_transfers", "Players of this season can't give garnets away.")
    if any(match.open and match.kind == "death" and giver in match.players for match in season.matches.values()):
        raise Illegal(
            "match_open",
            "Who is in a death match gives no garnets away: its loser's are at stake. Wait until its result counts, or "
            "ask an organiser to move them.",
        )


def refuse_poor(season: Season, source: str | None, amount: int) -> None:
    """Raise too_few_garnets, garnets_held."""
    if source is None or season.free(source) >= amount:
        return
    owned = season.players[source].garnets
    if owned < amount:
        raise Illegal("too_few_garnets", f"At most {quantity(owned, 'garnet')} can be moved, not {amount:,}.")
    raise Illegal(
        "garnets_held",
        f"At most {quantity(season.free(source), 'garnet')} can be moved now: {season.held(source):,} of {owned:,} "
        "are at stake in a contest until its result counts.",
    )
