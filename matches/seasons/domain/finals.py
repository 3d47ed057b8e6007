"""A match of the final that counted, put right or taken out again: who has won the final follows. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.events import (
    MatchAnnulled,
    PlayerEliminated,
    PlayerReinstated,
    ResultCorrected,
    SeasonFinished,
    SeasonReopened,
)
from matches.seasons.domain.state import Final, Season, SeasonMatch


class Verdict(Struct, frozen=True):
    """State of the final by its matches that count. `seat` has won more than half of them, with the match `deciding`;
    both are None before that. `needless` are the matches after it."""

    seat: int | None = None
    deciding: str | None = None
    needless: tuple[str, ...] = ()


def verdict(season: Season, final: Final) -> Verdict:
    """Return the winner of the final, if it is decided, and the match that decided it."""
    wins = [0, 0]
    matches = [it for it in season.of_episode(0, "final") if it.status != "annulled"]
    for number, match in enumerate(matches, start=1):
        seat = match.winning_seat
        if match.status != "effective" or seat is None:
            continue
        wins[seat] += 1
        if 2 * wins[seat] > final.best_of:
            return Verdict(seat, match.id, tuple(it.id for it in matches[number:]))
    return Verdict()


def counted(season: Season, match: str) -> bool:
    """True if it is a match of the final whose result counts."""
    season_match = season.matches.get(match)
    return season_match is not None and season_match.kind == "final" and season_match.status == "effective"


def correct_counted(season: Season, ended: SeasonMatch, winner: str, reason: str) -> Sequence[Event]:
    """Correct the winner of a match of the final that counts; raise too_late."""
    return _judged_again(
        season, ResultCorrected(match=ended.id, winner=winner, loser=str(ended.winner), reason=reason), reason
    )


def annul_counted(season: Season, match: str, reason: str) -> Sequence[Event]:
    """Annul a match of the final that counted; raise too_late."""
    return _judged_again(season, MatchAnnulled(match=match, reason=reason), reason)


def _judged_again(season: Season, correction: Event, reason: str) -> Sequence[Event]:
    """Return the correction and its effects on the final: it goes on, has the other winner, or was decided by an
    earlier match."""
    final, trial = season.final, Batch(season)
    if final is None:
        raise AssertionError("A match of the final was set before the final was opened.")
    trial.add(correction)
    standing = verdict(trial.season, final)
    champion = None if standing.seat is None else final.players[standing.seat]
    batch = Batch(season)
    if season.champion and season.champion != champion:
        _undo_the_end(batch, final, champion, reason)
    batch.add(correction)
    for match in standing.needless:
        batch.add(MatchAnnulled(match=match, reason="The final was decided before."))
    if standing.seat is not None and not batch.season.champion:
        batch.add(
            PlayerEliminated(player=final.players[1 - standing.seat], episode=0, match=str(standing.deciding)),
            SeasonFinished(champion=final.players[standing.seat]),
        )
    return batch.events


def _undo_the_end(batch: Batch, final: Final, champion: str | None, reason: str) -> None:
    """Reopen the season, and reinstate the loser of the final. A player who has withdrawn stays out: the other one is
    the champion as the last player left, so raise too_late if the matches make the withdrawn player champion."""
    gone = next(it for it in final.players if not batch.season.players[it].living)
    if batch.season.players[gone].status == "eliminated":
        batch.add(SeasonReopened(reason=reason), PlayerReinstated(player=gone, reason=reason))
    elif champion == gone:
        raise Illegal(
            "too_late",
            "By that result the player who withdrew from the final had won it before. The other one is the champion, "
            "as the last one left, and nobody comes back into a final: post a ruling that tells what was wrong.",
        )
