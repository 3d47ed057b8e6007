"""Whether what a season's record says was drawn follows from the links that its opening promised. Pure."""

from games.kernel import Event
from matches.seasons.domain import chance, deadlines
from matches.seasons.domain.events import ChanceDrawn
from matches.seasons.domain.state import Season


def fault_in(season: Season, event: Event) -> str:
    """What is wrong with a draw that comes next in the season; empty where nothing is, or nothing is drawn."""
    if not isinstance(event, ChanceDrawn):
        return ""
    timing, asked = season.timing, deadlines.awaited(season)
    try:
        if timing.link is None or not chance.follows(event.link, timing.link):
            return "the draw's link is not the one that the season's opening promised"
        if event.number != timing.draws + 1 or chance.drawn(event.link, event.number, event.choices) != event.chosen:
            return "the draw's link gives another choice"
    except ValueError:
        return "the draw's link is none"
    if asked and asked.lapsed and tuple(deadlines.choices_of(season, asked)) != event.choices:
        return "the draw is out of others than could be chosen"
    return ""
