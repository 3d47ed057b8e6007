"""What a player is called in a season. Pure: the record has a name's id alone, as a name must be able to go."""

from collections.abc import Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import Caller, refuse_over, refuse_unless_organiser
from matches.seasons.domain.events import PlayerRenamed
from matches.seasons.domain.state import Season


def rename(season: Season, by: Caller, player: str, name: str | None, reason: str) -> Sequence[Event]:
    """An organiser has a player called by the name of this id, or by their account's (None). Raises forbidden,
    plays_here, season_over, not_enrolled, nothing_to_change."""
    refuse_unless_organiser(by)
    refuse_over(season)
    if player not in season.players:
        raise Illegal("not_enrolled", "No such player is in this season.")
    if name is None and season.players[player].called is None:
        raise Illegal("nothing_to_change", "The player is called as their account is already.")
    return [PlayerRenamed(player=player, name=name, reason=reason)]
