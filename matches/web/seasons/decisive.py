"""What decided a match of a season, as any spectator may see it once the season knows how it ended."""

from contextlib import suppress
from uuid import UUID

from django.utils.translation import gettext as _
from msgspec import Struct

from games.drawing.glyphs import drawable
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
    """How a match was decided: in a sentence, and drawn as a whole `<svg>` for the house lights. `version` is where the
    replay shows it."""

    code: str
    told: str
    drawn: str
    version: int
    moments: list[Moment]


def decided(match: SeasonMatchDocument) -> Decided | None:
    """What decided a duel; None before its end, where an official or somebody's leaving ended it, and where its result
    was corrected: then the board tells of another winner."""
    seen = _ended(match)
    if seen is None:
        return None
    row, state = seen
    names = short_names_of(row)
    events = record.told(row.id, SPECTATOR, 0, state.version)
    shown = ending.scene(state, SPECTATOR, names, ())
    if shown is None:
        return None
    version = film.decided_at(state.game, events)
    told = film.moments(state.game, events, record.lines(state.game, events, names), version)
    played = [Moment(it.version, it.text) for it in told if it.kind != "ruling"]
    return Decided(row.code, shown.sentence, shown.drawn, version, played[-_MOST_MOMENTS:])


def drawn_for_chats(match: SeasonMatchDocument) -> tuple[str, str] | None:
    """Return what decided a duel, in a sentence and drawn, for a picture, whose fonts lack some letters."""
    seen = _ended(match)
    if seen is None:
        return None
    row, state = seen
    names = [
        it if drawable(it) else _("Seat %(seat)s") % {"seat": "ABCDE"[seat]}
        for seat, it in enumerate(short_names_of(row))
    ]
    shown = ending.scene(state, SPECTATOR, names, ())
    return (shown.sentence, shown.drawn) if shown else None


def points(match: SeasonMatchDocument) -> dict[UUID, int]:
    """Return the points of a table that was played to its end, by player; empty if there are none."""
    seen = _ended(match)
    end = seen[1].lifecycle.outcome if seen else None
    if end is None or end.reason != "played":
        return {}
    return {match.players[seat]: score for seat, score in end.score.items()}


def _ended(match: SeasonMatchDocument) -> tuple[Match, MatchState] | None:
    """The match and its end as spectators have been told of it, where it was reached at the board and is the one that
    the season counts."""
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
