"""The season's matches once they have ended: reported, approved, corrected, annulled, and what follows. Pure."""

from collections.abc import Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import (
    Batch,
    Caller,
    match_of,
    refuse_not_living,
    refuse_over,
    refuse_unless_organiser,
    refuse_unless_running_it,
)
from matches.seasons.domain.events import (
    DeathMatchFinished,
    EpisodeClosed,
    FinalMatchFinished,
    GarnetsMoved,
    MainMatchFinished,
    MatchAnnulled,
    PlayerEliminated,
    PlayerReinstated,
    ResultApproved,
    ResultCorrected,
    SeasonFinished,
)
from matches.seasons.domain.roster import crown_the_last
from matches.seasons.domain.state import Season, SeasonMatch

_NO_WINNER = "It ended without a single winner."


def report(season: Season, match: str, winners: Sequence[int], ranking: Sequence[Sequence[int]]) -> Sequence[Event]:
    """A match's end as the house tells it, by seats; nothing where the season doesn't wait for it any more."""
    ended = season.matches.get(match)
    if ended is None or ended.status != "scheduled" or season.champion:
        return []
    if ended.kind == "main":
        groups = tuple(tuple(ended.players[seat] for seat in group) for group in ranking)
        return [MainMatchFinished(match=match, ranking=groups)]
    if len(winners) != 1:
        return [MatchAnnulled(match=match, reason=_NO_WINNER)]
    winner, loser = ended.players[winners[0]], ended.players[1 - winners[0]]
    kind = DeathMatchFinished if ended.kind == "death" else FinalMatchFinished
    batch = Batch(season)
    batch.add(kind(match=match, winner=winner, loser=loser))
    if not season.options.approval:
        _take_effect(batch, match, None)
    return batch.events


def report_void(season: Season, match: str) -> Sequence[Event]:
    """A match that its host has declared void; nothing where the season doesn't wait for it any more."""
    ended = season.matches.get(match)
    if ended is None or ended.status != "scheduled":
        return []
    return [MatchAnnulled(match=match, reason="Its host declared it void.")]


def approve(season: Season, by: Caller, match: str) -> Sequence[Event]:
    """An organiser lets a result take effect; raises forbidden, season_over, not_in_season, nothing_to_approve,
    already_approved, not_finished."""
    refuse_unless_organiser(by)
    refuse_over(season)
    ended = _duel(season, match)
    if ended.status == "effective":
        raise Illegal("already_approved", "The result counts already.")
    if ended.status != "finished":
        raise Illegal("not_finished", "The match has no result yet.")
    batch = Batch(season)
    _take_effect(batch, match, by.account)
    return batch.events


def correct(season: Season, by: Caller, match: str, winner: str, reason: str) -> Sequence[Event]:
    """An organiser finds that the other player has won, before the result is approved or, for a death match, until
    the season has moved on. Raises forbidden, season_over, not_in_season, nothing_to_approve, not_finished,
    not_enrolled, bad_result, too_late."""
    refuse_unless_organiser(by)
    refuse_over(season)
    ended = _duel(season, match)
    if ended.winner is None or ended.loser is None or ended.status == "annulled":
        raise Illegal("not_finished", "The match has no result yet.")
    if winner not in ended.players:
        raise Illegal("bad_result", "The winner is one of the two who played.")
    if winner == ended.winner:
        raise Illegal("bad_result", "That player is the winner already.")
    batch = Batch(season)
    correction = ResultCorrected(match=match, winner=winner, loser=ended.winner, reason=reason)
    if ended.status == "finished":
        return [correction]
    _refuse_late(season, ended)
    batch.add(PlayerReinstated(player=ended.loser, reason=reason))
    _give_back(batch, match, reason)
    batch.add(correction)
    _settle(batch, match)
    batch.add(PlayerEliminated(player=ended.winner, episode=ended.episode, match=match))
    return batch.events


def annul(season: Season, by: Caller, match: str, reason: str) -> Sequence[Event]:
    """A host declares that an open match doesn't count: another may be scheduled. Raises forbidden, season_over,
    not_in_season, already_approved."""
    refuse_unless_running_it(by)
    refuse_over(season)
    if not match_of(season, match).open:
        raise Illegal("already_approved", "The match counts, or has been annulled; it can't be annulled any more.")
    return [MatchAnnulled(match=match, reason=reason)]


def _duel(season: Season, match: str) -> SeasonMatch:
    """A death match or a match of the final; raises not_in_season, nothing_to_approve."""
    found = match_of(season, match)
    if found.kind == "main":
        raise Illegal("nothing_to_approve", "A main match takes effect when its result is recorded.")
    return found


def _take_effect(batch: Batch, match: str, by: str | None) -> None:
    """The result counts: garnets move, the loser of a death match is out, a final may be decided."""
    batch.add(ResultApproved(match=match, by=by))
    ended = batch.season.matches[match]
    if ended.kind == "final":
        _decide_the_final(batch, ended)
        return
    _settle(batch, match)
    batch.add(PlayerEliminated(player=str(ended.loser), episode=ended.episode, match=match))
    batch.add(EpisodeClosed(number=ended.episode, reason="The death match is decided."))
    crown_the_last(batch)


def _settle(batch: Batch, match: str) -> None:
    """What a duel's result moves: the loser's garnets, then the winner's reward."""
    season, ended = batch.season, batch.season.matches[match]
    winner, loser = str(ended.winner), str(ended.loser)
    if held := season.players[loser].garnets:
        heir = winner if season.options.loser_garnets == "winner" else None
        batch.add(
            GarnetsMoved(
                source=loser, target=heir, amount=held, cause="confiscation", reason="Elimination.", match=match
            )
        )
    if season.options.reward:
        batch.add(
            GarnetsMoved(
                source=None, target=winner, amount=season.options.reward, cause="reward",
                reason="A death match won.", match=match,
            )
        )  # fmt: skip


def _give_back(batch: Batch, match: str, reason: str) -> None:
    """Move what a result moved back again, the last first, as far as it is still there."""
    for move in reversed(batch.season.matches[match].settled):
        held = move.amount if move.target is None else batch.season.players[move.target].garnets
        if amount := min(move.amount, held):
            batch.add(
                GarnetsMoved(
                    source=move.target, target=move.source, amount=amount, cause="reversal", reason=reason, match=match
                )
            )


def _decide_the_final(batch: Batch, ended: SeasonMatch) -> None:
    """Whoever has won more than half of the final's matches is the champion."""
    season, seat = batch.season, ended.winning_seat
    if season.final is None or seat is None:
        return
    if 2 * season.final_wins[seat] > season.final.best_of:
        batch.add(PlayerEliminated(player=str(ended.loser), episode=0, match=ended.id))
        batch.add(SeasonFinished(champion=str(ended.winner)))


def _refuse_late(season: Season, ended: SeasonMatch) -> None:
    """Raise too_late where other things have followed from the result."""
    latest = ended.kind == "death" and ended.episode == len(season.episodes) and season.final is None
    if not latest:
        raise Illegal("too_late", "The season has moved on since; the result stands.")
    refuse_not_living(season, str(ended.winner))
