"""Sentences, in English, on what falls due for players by an act that sets a match's time, and when."""

from collections.abc import Sequence
from datetime import datetime

from events import chain
from games.kernel import Event
from matches.domain.clocks import share_ends
from matches.domain.openings import setup_shares
from matches.seasons.domain import attendance
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.events import MatchTimeSet
from matches.seasons.domain.scheduling import SCHEDULED
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.reads.timing_sentences import in_utc

_ABSENCE = {
    "organiser": "An organiser decides on a match that somebody hasn't checked in for by then.",
    "loss": "Who alone hasn't checked in by then has lost a duel.",
    "stand_in": "A bot plays for who hasn't checked in by then.",
}


def falling_due(season: Season, events: Sequence[Event], now: datetime) -> list[str]:
    """Return the sentences that these events announce on matches' times, each once."""
    batch = Batch(season)
    batch.add(*events)
    after = batch.season
    timed = [after.matches[it.match] for it in events if isinstance(it, (*SCHEDULED, MatchTimeSet)) and it.opens_at]
    return list(dict.fromkeys(line for match in timed for line in _of(after, match, now)))


def _of(season: Season, match: SeasonMatch, now: datetime) -> list[str]:
    lines = [f"Play opens on {in_utc(datetime.fromisoformat(str(match.opens_at)))}."]
    if match.begins_at and match.setup_closes_at:
        begins = in_utc(max(now, match.begins_at))
        first = _share_ends(match, max(now, match.begins_at), match.setup_closes_at)
        chosen = f" Its first choice is due on {in_utc(first)}." if first else ""
        lines.insert(0, f"The set-up begins on {begins} and closes on {in_utc(match.setup_closes_at)}.{chosen}")
    opens, closes = attendance.opens(season, match), attendance.closes_at(season, match)
    if opens and closes:
        absence = _ABSENCE[season.options.absence]
        lines.append(f"The check-in is open from {in_utc(max(now, opens))} until {in_utc(closes)}. {absence}")
    return lines


def _share_ends(match: SeasonMatch, begins: datetime, closes: datetime) -> datetime | None:
    """Return when the first choice of the set-up is due; None if there is none."""
    opens = datetime.fromisoformat(str(match.opens_at))
    instants = [chain.microseconds(it) for it in (opens, closes, begins)]
    shares = setup_shares(match.game, {}).values()  # A season keeps no options of its matches.
    return next((chain.instant(share_ends(it, *instants)) for it in shares), None)
