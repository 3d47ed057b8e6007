"""Pure rules of reversals when a result changes: garnets return from their present owners, death matches are undone."""

from collections import Counter

from games.kernel import Illegal
from matches.seasons.domain.deciding import Batch
from matches.seasons.domain.events import (
    EliminationReversed,
    EpisodeReopened,
    GarnetsMoved,
    GarnetsShort,
    MatchAnnulled,
)
from matches.seasons.domain.state import Season, SeasonMatch


def unwind(batch: Batch, match: str, reason: str) -> None:
    """Annul a death match with its effects: garnets go back, its loser is in the season again.

    The latest episode goes on if none of its players has left since. Raise too_late if the final is open or the season
    over.
    """
    ended = batch.season.matches[match]
    if ended.status != "effective":
        batch.add(MatchAnnulled(match=match, reason=reason))
        return
    if batch.season.final or batch.season.champion:
        raise Illegal(
            "too_late",
            "That would bring an eliminated player back, and the final has begun, or the season is over: who is in it "
            "can't change any more. Post a ruling that tells what was wrong.",
        )
    batch.add(EliminationReversed(player=str(ended.loser), episode=ended.episode, reason=reason))
    short = give_back(batch, match, reason)
    batch.add(MatchAnnulled(match=match, reason=reason), *short)
    if _goes_on(batch.season, ended.episode):
        batch.add(EpisodeReopened(number=ended.episode, reason=reason))


def give_back(batch: Batch, match: str, reason: str) -> list[GarnetsShort]:
    """Move back the garnets that a result moved, the last first, as far as they are there; return what is short."""
    short = []
    for source, target, amount in _net(batch.season.matches[match]):
        there = amount if target is None else _pull(batch, target, amount, reason)
        if there:
            batch.add(
                GarnetsMoved(source=target, target=source, amount=there, cause="reversal", reason=reason, match=match)
            )
        if target is not None and there < amount:
            short.append(GarnetsShort(player=target, amount=amount - there, reason=reason, match=match))
    return short


def put_right(batch: Batch, player: str, amount: int, reason: str) -> None:
    """Give a player so many garnets, or take them if the amount is negative, as if this had happened earlier: they
    follow the player's other garnets to their present owner, or come back from there as far as they haven't been
    spent."""
    if amount > 0:
        batch.add(GarnetsMoved(source=None, target=player, amount=amount, cause="reversal", reason=reason))
        _push(batch, player, amount)
        return
    there = _pull(batch, player, -amount, reason)
    if there:
        batch.add(GarnetsMoved(source=player, target=None, amount=there, cause="reversal", reason=reason))
    withdrawn = batch.season.players[_last_tenure(batch.season, player)].status == "withdrawn"
    if there < -amount and not withdrawn:
        batch.add(GarnetsShort(player=player, amount=-amount - there, reason=reason))


def post_stakes(batch: Batch, match: str, name: str) -> None:
    """Pay each player's gain or loss of the garnets at stake in a contest whose result counts now. Those of a player
    who has left the season follow their other garnets to the present owner."""
    table, reason = batch.season.matches[match], f"At stake in the main match: {name}."
    for player, score in zip(table.players, table.scores, strict=False):
        change, who = score.garnets or 0, batch.season.players[player]
        if change and not who.living:
            put_right(batch, player, change, reason)
            continue
        paid = min(abs(change), who.garnets) if change < 0 else change
        if paid:
            source, target = (player, None) if change < 0 else (None, player)
            batch.add(
                GarnetsMoved(source=source, target=target, amount=paid, cause="contest", reason=reason, match=match)
            )
        if paid < abs(change):
            batch.add(GarnetsShort(player=player, amount=abs(change) - paid, reason=reason, match=match))


def _push(batch: Batch, player: str, amount: int) -> None:
    """Move garnets of a player who is out to the present owner of their other garnets."""
    who = batch.season.players[player]
    if _keeps(batch.season, player):
        return
    if who.status == "substituted" and who.succeeded_by:
        batch.add(
            GarnetsMoved(
                source=player, target=who.succeeded_by, amount=amount, cause="inheritance", reason="Substitution."
            )
        )
        _push(batch, who.succeeded_by, amount)
        return
    lost = _lost_by(batch.season, player)
    heir = _heir(batch.season, lost)
    reason = "Elimination." if lost else "Withdrawal."
    batch.add(
        GarnetsMoved(
            source=player,
            target=heir,
            amount=amount,
            cause="confiscation",
            reason=reason,
            match=lost.id if lost else None,
        )
    )
    if heir:
        _push(batch, heir, amount)


def _pull(batch: Batch, player: str, amount: int, reason: str) -> int:
    """Move up to so many garnets back to a player from the present owner of theirs; return their number."""
    who = batch.season.players[player]
    if _keeps(batch.season, player):
        return min(amount, batch.season.free(player))
    source, lost = who.succeeded_by, None
    if who.status != "substituted":
        lost = _lost_by(batch.season, player)
        if lost is None:
            # What a withdrawn player had has gone back to the season already, and they hold nothing.
            return 0
        source = _heir(batch.season, lost)
        amount = min(amount, sum(it for giver, _, it in _net(lost) if giver == player))
    there = amount if source is None else _pull(batch, source, amount, reason)
    if there:
        batch.add(
            GarnetsMoved(
                source=source,
                target=player,
                amount=there,
                cause="reversal",
                reason=reason,
                match=lost.id if lost else None,
            )
        )
    return there


def _keeps(season: Season, player: str) -> bool:
    """True if the player has their own garnets: everyone who is in the season, or has lost its final."""
    who, final = season.players[player], season.final
    return who.living or (who.status == "eliminated" and final is not None and player in final.players)


def _net(match: SeasonMatch) -> list[tuple[str | None, str | None, int]]:
    """Return the net movements of garnets by a match's result as (source, target, amount), the last first."""
    moved: Counter[tuple[str | None, str | None]] = Counter()
    for move in match.settled:
        if (move.target, move.source) in moved:
            moved[move.target, move.source] -= move.amount
        else:
            moved[move.source, move.target] += move.amount
    return [(source, target, amount) for (source, target), amount in reversed(moved.items()) if amount > 0]


def _lost_by(season: Season, player: str) -> SeasonMatch | None:
    """Return the death match that eliminated the player."""
    duels = (it for it in season.matches.values() if it.kind == "death" and it.status == "effective")
    return next((it for it in duels if it.loser == player), None)


def _heir(season: Season, lost: SeasonMatch | None) -> str | None:
    return lost.winner if lost and season.options.loser_garnets == "winner" else None


def _last_tenure(season: Season, player: str) -> str:
    while (following := season.players[player].succeeded_by) is not None:
        player = following
    return player


def _goes_on(season: Season, number: int) -> bool:
    """True if the episode is the latest and is closed, and everyone named in it is still in the season."""
    episode = season.episodes[-1]
    named = [*episode.winners, *episode.candidates, *episode.tokens, episode.candidate, episode.opponent]
    return (
        episode.number == number
        and episode.closed
        and not season.final
        and all(season.players[it].living for it in named if it is not None)
    )
