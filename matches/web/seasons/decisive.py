"""The decisive moment of a season's match, as spectators may see it once the season has its result."""

from contextlib import suppress
from uuid import UUID

from django.utils.translation import gettext as _
from msgspec import Struct

from games.drawing.glyphs import drawable
from games.drawing.themes import SEAT_LETTERS
from games.kernel import SPECTATOR
from matches.domain.match_state import MatchState
from matches.html import ending, record
from matches.models import Match
from matches.reads import feed, selectors
from matches.reads.sentences import short_names_of
from matches.seasons.reads.documents import SeasonMatchDocument
from matches.storage.repository import BrokenRecord
from matches.web.play import film

_MOST_MOMENTS = 6


class Moment(Struct, frozen=True):
    """A key moment of a match, in a sentence, and the version at which the replay shows it."""

    version: int
    text: str


class Decided(Struct, frozen=True):
    """The decisive moment of a match: `sentence` in words, `drawn` as an `<svg>`, at `version` in the replay."""

    code: str
    sentence: str
    drawn: str
    version: int
    moments: list[Moment]


def decided(match: SeasonMatchDocument) -> Decided | None:
    """Return the decisive moment of a duel. Return None before its end, if an official's decision or a player's leaving
    ended it, and if its result was corrected, as the board then shows another winner."""
    ended = _ended(match)
    if ended is None:
        return None
    row, state = ended
    names = short_names_of(row)
    events = record.witnessed_events(row.id, SPECTATOR, 0, state.version)
    shown = ending.scene(state, SPECTATOR, names, ())
    if shown is None:
        return None
    version = film.decided_at(state.game, events)
    moments = film.key_events(state.game, events, record.lines(state, row.id, events, names), version)
    played = [Moment(it.version, it.text) for it in moments if it.kind != "ruling"]
    return Decided(row.code, shown.sentence, shown.drawn, version, played[-_MOST_MOMENTS:])


def drawn_for_chats(match: SeasonMatchDocument) -> tuple[str, str] | None:
    """Return a duel's decisive moment as a sentence and a drawing, for a picture, whose fonts lack some letters."""
    ended = _ended(match)
    if ended is None:
        return None
    row, state = ended
    names = [
        it if drawable(it) else _("Seat %(seat)s") % {"seat": SEAT_LETTERS[seat]}
        for seat, it in enumerate(short_names_of(row))
    ]
    shown = ending.scene(state, SPECTATOR, names, ())
    return (shown.sentence, shown.drawn) if shown else None


def points(match: SeasonMatchDocument) -> dict[UUID, int]:
    """Return the points of a table that was played to its end, by player; empty if there are none."""
    ended = _ended(match)
    end = ended[1].lifecycle.outcome if ended else None
    if end is None or end.reason != "played":
        return {}
    return {match.players[seat]: score for seat, score in end.score.items()}


def _ended(match: SeasonMatchDocument) -> tuple[Match, MatchState] | None:
    """Return the match and its end as spectators may see it. Return None if it isn't over, if it didn't end at the
    board, or if the season counts another result."""
    if match.status not in ("finished", "effective"):
        return None
    with suppress(BrokenRecord):
        row = selectors.match_by(str(match.id))
        state = feed.visible_state(match.id, SPECTATOR) if row else None
        if row is None or state is None or state.lifecycle.outcome is None:
            return None
        if state.lifecycle.outcome.reason == "adjudicated":
            return None
        won = {match.players[seat] for seat in state.lifecycle.outcome.winners}
        counts = {match.winner} if match.winner else set(match.ranking[0]) if match.ranking else set()
        return (row, state) if won == counts else None
    return None
