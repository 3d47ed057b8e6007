"""The season's matches once they have ended: reported, approved, corrected, annulled, and what follows. Pure."""

from collections.abc import Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain import finals, prepared_results
from matches.seasons.domain.deciding import (
    Batch,
    Caller,
    match_of,
    refuse_not_living,
    refuse_over,
    refuse_unless_organiser,
    refuse_unless_running_it,
)
from matches.seasons.domain.effects import finish, settle, take_effect
from matches.seasons.domain.events import (
    MainMatchFinished,
    MatchAnnulled,
    MatchReopened,
    PlayerEliminated,
    PlayerReinstated,
    ResultCorrected,
)
from matches.seasons.domain.result_rules import Score
from matches.seasons.domain.reversals import give_back, unwind
from matches.seasons.domain.state import Season, SeasonMatch

_NO_WINNER = "It ended without a single winner."


def report(
    season: Season,
    match: str,
    winners: Sequence[int],
    ranking: Sequence[Sequence[int]],
    scores: Sequence[Score] = (),
) -> Sequence[Event]:
    """Record a match's end by seats; return nothing if the season doesn't wait for it any more. A main match is
    recorded at once if its rules give its result and the season's options require no approval."""
    ended = season.matches.get(match)
    if ended is None or ended.status != "scheduled" or season.champion:
        return []
    batch = Batch(season)
    if ended.kind == "main":
        groups = tuple(tuple(ended.players[seat] for seat in group) for group in ranking)
        batch.add(MainMatchFinished(match=match, ranking=groups, scores=tuple(scores) if ended.results else ()))
        if prepared_results.counts_at_once(batch.season):
            batch.add(*prepared_results.recorded(batch.season))
        return batch.events
    if len(winners) != 1:
        return [MatchAnnulled(match=match, reason=_NO_WINNER)]
    winner, loser = ended.players[winners[0]], ended.players[1 - winners[0]]
    finish(batch, match, winner, loser)
    if not season.options.approval:
        take_effect(batch, match, None)
    return batch.events


def report_void(season: Season, match: str) -> Sequence[Event]:
    """Annul a match that its host has declared void; return nothing if the season doesn't wait for it any more."""
    ended = season.matches.get(match)
    if ended is None or ended.status != "scheduled":
        return []
    return [MatchAnnulled(match=match, reason="Its host declared it void.")]


def approve(season: Season, by: Caller, match: str) -> Sequence[Event]:
    """Let a result take effect, as an organiser; of a table the prepared result of its main match. Raise forbidden,
    season_over, not_in_season, nothing_to_approve, already_approved, not_finished, tables_running, bad_result."""
    refuse_unless_organiser(by)
    refuse_over(season)
    ended = match_of(season, match)
    if ended.results is None:
        ended = _duel(season, match)
    if ended.status == "effective":
        raise Illegal("already_approved", "The result counts already.")
    if ended.status != "finished":
        raise Illegal("not_finished", "The match has no result yet.")
    if ended.kind == "main":
        return prepared_results.recorded(season)
    batch = Batch(season)
    take_effect(batch, match, by.account)
    return batch.events


def correct(season: Season, by: Caller, match: str, winner: str, reason: str) -> Sequence[Event]:
    """Record that the other player has won, as an organiser: before the result is approved, for a death match until the
    final, for a match of the final at any time. Further events reverse the effects, also the season's end. Raise
    forbidden, season_over, not_in_season, nothing_to_approve, not_finished, not_enrolled, not_living, bad_result,
    too_late."""
    refuse_unless_organiser(by)
    in_final = finals.counted(season, match)
    if not in_final:
        refuse_over(season)
    ended = _duel(season, match)
    if ended.winner is None or ended.loser is None or ended.status == "annulled":
        raise Illegal("not_finished", "The match has no result yet.")
    if winner not in ended.players:
        raise Illegal("bad_result", "The winner is one of the two who played.")
    if winner == ended.winner:
        raise Illegal("bad_result", "That player is the winner already.")
    if in_final:
        return finals.correct_counted(season, ended, winner, reason)
    batch = Batch(season)
    correction = ResultCorrected(match=match, winner=winner, loser=ended.winner, reason=reason)
    if ended.status == "finished":
        return [correction]
    _refuse_late(season, ended)
    for duel in _open_duels(season, ended.winner):
        batch.add(MatchAnnulled(match=duel.id, reason=reason))
    batch.add(PlayerReinstated(player=ended.loser, reason=reason))
    short = give_back(batch, match, reason)
    batch.add(correction)
    settle(batch, match)
    batch.add(PlayerEliminated(player=ended.winner, episode=ended.episode, match=match), *short)
    return batch.events


def reopen(season: Season, by: Caller, match: str, to_version: int, reason: str) -> Sequence[Event]:
    """Continue a match whose result doesn't count yet from an earlier version, as an organiser or host; its next end is
    reported again. Raise forbidden, plays_here, season_over, not_in_season,
    already_approved, not_finished."""
    refuse_unless_running_it(by)
    refuse_over(season)
    season_match = match_of(season, match)
    recorded = season_match.kind == "main" and season.episodes[season_match.episode - 1].recorded
    if recorded or season_match.status in ("effective", "annulled"):
        raise Illegal(
            "already_approved",
            "The match counts, has been annulled, or its main match is recorded: it can't be played on any more.",
        )
    if season_match.status != "finished":
        raise Illegal("not_finished", "The match has no result yet.")
    return [MatchReopened(match=match, to_version=to_version, reason=reason)]


def annul(season: Season, by: Caller, match: str, reason: str) -> Sequence[Event]:
    """Annul an open match, as a host: another may be scheduled. An organiser may also annul a death match or a match of
    the final that counted, which reverses its effects. Raise forbidden, season_over,
    not_in_season, already_approved, too_late."""
    refuse_unless_running_it(by)
    if finals.counted(season, match) and by.is_organiser:
        return finals.annul_counted(season, match, reason)
    refuse_over(season)
    season_match = match_of(season, match)
    if season_match.open:
        return [MatchAnnulled(match=match, reason=reason)]
    if season_match.status == "annulled" or season_match.kind != "death" or not by.is_organiser:
        raise Illegal(
            "already_approved",
            "The match counts, or has been annulled; it can't be annulled any more. A death match or a match of the "
            "final that counts is an organiser's to annul.",
        )
    batch = Batch(season)
    unwind(batch, match, reason)
    return batch.events


def _duel(season: Season, match: str) -> SeasonMatch:
    """Return a death match or a match of the final; raise not_in_season, nothing_to_approve."""
    season_match = match_of(season, match)
    if season_match.kind == "main":
        raise Illegal("nothing_to_approve", "A main match takes effect when its result is recorded.")
    return season_match


def _refuse_late(season: Season, ended: SeasonMatch) -> None:
    """Raise too_late where other things have followed from the result, not_living where its winner is out."""
    if season.final:
        raise Illegal(
            "too_late",
            "The final has begun since, and who is in it can't change any more: post a ruling that tells what was "
            "wrong.",
        )
    winner = str(ended.winner)
    refuse_not_living(season, winner)
    for episode in season.episodes[ended.episode :]:
        if winner in episode.winners:
            raise Illegal(
                "too_late",
                f"The player whom that would eliminate has won the main match of episode {episode.number} since: "
                "correct that first.",
            )
    later = (it for it in season.matches.values() if it.kind == "death" and it.episode > ended.episode)
    for match in later:
        if match.status == "effective" and winner in match.players:
            raise Illegal(
                "too_late",
                f"The player whom that would eliminate has played the death match of episode {match.episode} since: "
                "annul or correct that one first.",
            )


def _open_duels(season: Season, player: str) -> list[SeasonMatch]:
    duels = (it for it in season.matches.values() if it.open and it.kind != "main")
    return [it for it in duels if player in it.players]
