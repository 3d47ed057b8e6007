"""A match in a few lines for a chat: what any spectator may read."""

from django.conf import settings
from django.http import HttpRequest

from games.kernel import SPECTATOR
from matches.html.context import turn_bar
from matches.html.seats import names_of
from matches.models import Match
from matches.reads import feed


def text_of(request: HttpRequest, match: Match) -> str:
    """Return game, players, what the match waits for, and the link."""
    match_state = feed.visible_state(match.id, SPECTATOR)
    names = names_of(match)
    waits, _ = turn_bar(match_state, names, SPECTATOR, None)
    house = settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")
    lines = [f"{match_state.title} ({match.code}): {', '.join(names)}", f"{waits}.".replace("..", ".")]
    return "\n".join([*lines, f"{house}/m/{match.code}/"])
