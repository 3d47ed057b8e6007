"""Effects of a result that counts: movements of garnets, an elimination, the end of the final or the season. Pure."""

from matches.seasons.domain.deciding import Batch, end_episode
from matches.seasons.domain.events import (
    DeathMatchFinished,
    EpisodeClosed,
    FinalMatchFinished,
    GarnetsMoved,
    MatchForfeited,
    PlayerEliminated,
    ResultApproved,
    SeasonFinished,
)
from matches.seasons.domain.finals import verdict
from matches.seasons.domain.state import SeasonMatch


def finish(batch: Batch, match: str, winner: str, loser: str) -> None:
    """A duel is over; its result takes effect later."""
    kind = DeathMatchFinished if batch.season.matches[match].kind == "death" else FinalMatchFinished
    batch.add(kind(match=match, winner=winner, loser=loser))


def forfeit(batch: Batch, match: SeasonMatch, leaver: str, by: str | None, reason: str) -> None:
    """Record that a player who leaves before a duel's end has lost it, with all effects and without an approval."""
    other = next(it for it in match.players if it != leaver)
    batch.add(MatchForfeited(match=match.id, player=leaver, reason=reason))
    finish(batch, match.id, other, leaver)
    take_effect(batch, match.id, by)


def take_effect(batch: Batch, match: str, by: str | None) -> None:
    """Let a result count: move garnets, and eliminate the loser of a death match or decide the final."""
    batch.add(ResultApproved(match=match, by=by))
    ended = batch.season.matches[match]
    if ended.kind == "final":
        _decide_the_final(batch, ended)
        return
    settle(batch, match)
    batch.add(PlayerEliminated(player=str(ended.loser), episode=ended.episode, match=match))
    batch.add(EpisodeClosed(number=ended.episode, reason="The death match is decided."))
    crown_the_last(batch)


def settle(batch: Batch, match: str) -> None:
    """Move the garnets that a duel's result moves: the loser's, then the winner's reward."""
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


def crown_the_last(batch: Batch) -> None:
    """End the season if one player is left in it: they are its champion, and an open episode ends."""
    season = batch.season
    if len(season.living) == 1 and season.episodes:
        if season.episode:
            end_episode(batch, season.episode.number, "One player is left.")
        batch.add(SeasonFinished(champion=season.living[0]))


def _decide_the_final(batch: Batch, ended: SeasonMatch) -> None:
    """End the season if a player has won more than half of the final's matches."""
    if batch.season.final and verdict(batch.season, batch.season.final).seat is not None:
        batch.add(PlayerEliminated(player=str(ended.loser), episode=0, match=ended.id))
        batch.add(SeasonFinished(champion=str(ended.winner)))
