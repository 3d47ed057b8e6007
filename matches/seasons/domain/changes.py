"""Pure rules for changes of options in an open season: each can be changed until something depends on it."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.kernel import Event, Illegal, to_json
from matches.seasons.domain.deciding import Caller, refuse_over, refuse_unless_organiser
from matches.seasons.domain.events import OptionsChanged
from matches.seasons.domain.intake_evolution import changed
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Season

_STANDS = {
    "enrolled": "somebody has enrolled, relying on it",
    "final": "the final has been opened",
    "duel": "a death match or match of the final is being prepared or played: wait until its result counts",
}
_UNTIL = {
    "public": "enrolled", "starting_garnets": "enrolled", "best_of": "final", "pool": "duel", "bans_each": "duel",
    "priority": "duel", "reward": "duel", "loser_garnets": "duel", "approval": "duel",
    "hosts_read_rooms": "enrolled", "rooms_at_end": "enrolled",
}  # fmt: skip
"""The stage from which each option is fixed. Others can be changed until the season is over, for later matches."""


def change_options(season: Season, by: Caller, changes: Mapping[str, Any], reason: str) -> Sequence[Event]:
    """An organiser changes options. Raises forbidden, plays_here, season_over, bad_options, nothing_to_change,
    option_stands."""
    refuse_unless_organiser(by)
    refuse_over(season)
    old, wanted = to_json(season.options), to_json(_read(season, changes))
    differing = {name: wanted[name] for name in changes if wanted[name] != old[name]}
    if not differing:
        raise Illegal("nothing_to_change", "All of these options are so already.")
    for name in differing:
        if stands := _STANDS.get(standing(season, name)):
            raise Illegal("option_stands", f"{name} can't be changed any more: {stands}.")
    if wanted["most_players"] < len(season.living):
        raise Illegal("bad_options", f"most_players: {len(season.living)} players are in already.")
    return [OptionsChanged(changes=differing, reason=reason)]


def standing(season: Season, name: str) -> str:
    """Return the stage that fixes an option now; empty if it can be changed."""
    match _UNTIL.get(name):
        case "enrolled" if season.players:
            return "enrolled"
        case "final" | "duel" if season.final:
            return "final"
        case "duel" if _has_a_duel(season):
            return "duel"
    return ""


def _has_a_duel(season: Season) -> bool:
    """True if a death match of the open episode is due, or the result of a duel hasn't taken effect."""
    named = season.episode is not None and season.episode.recorded
    return named or any(match.open and match.kind != "main" for match in season.matches.values())


def _read(season: Season, changes: Mapping[str, Any]) -> SeasonOptions:
    """Return the options with the changes; raise bad_options."""
    unknown = sorted(set(changes) - set(to_json(season.options)))
    if unknown:
        raise Illegal("bad_options", f"There is no option {unknown[0]}.")
    try:
        return changed(season.options, dict(changes))
    except ValueError as error:
        raise Illegal("bad_options", f"{str(error).rstrip('.')}.") from None
