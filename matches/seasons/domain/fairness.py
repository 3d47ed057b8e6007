"""The check of a season's draws against the links that its opening promised. Pure."""

from games.kernel import Event
from matches.seasons.domain import chance, deadlines
from matches.seasons.domain.events import ChanceDrawn
from matches.seasons.domain.state import Season
from matches.seasons.domain.steps import choices_for


def fault_in(season: Season, event: Event) -> str:
    """Return the fault of a draw that comes next in the season; empty if there is no fault or no draw."""
    if not isinstance(event, ChanceDrawn):
        return ""
    timing, deadline = season.timing, deadlines.awaited(season)
    try:
        if timing.link is None or not chance.follows(event.link, timing.link):
            return "the draw's link is not the one that the season's opening promised"
        if event.number != timing.draws + 1 or chance.drawn(event.link, event.number, event.choices) != event.chosen:
            return "the draw's link gives another choice"
    except ValueError:
        return "the draw's link is none"
    if deadline and deadline.lapsed and tuple(choices_for(season, deadline.decision)) != event.choices:
        return "the draw is out of others than could be chosen"
    return ""
