"""Pure rules of corrections: the right main match, tokens of life, EC, DMO or banned games of an episode.

A correction states the right facts. Further events of the same act undo what contradicts them: in an open episode the
players decide again; in a closed one a death match between the wrong players no longer counts.
"""

from collections.abc import Mapping, Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import Batch, Caller, refuse_unless_organiser
from matches.seasons.domain.episodes import candidates_of, name_the_only_one, refuse_outside_pool
from matches.seasons.domain.events import MainMatchCorrected, PairCorrected, TokensCorrected
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.reversals import put_right, unwind
from matches.seasons.domain.state import Episode, Season


def correct_main_match(
    season: Season,
    by: Caller,
    number: int,
    reason: str,
    winners: Sequence[str] | None = None,
    candidates: Sequence[str] | None = None,
    rewards: Mapping[str, int] | None = None,
    changes: Mapping[str, int] | None = None,
) -> Sequence[Event]:
    """An organiser finds that a main match had another result; what isn't named stays as it was.

    Without `rewards` a false winner's go to the right ones, where all false ones had as many. `changes` are what each
    player should have gained or lost of the garnets at stake. Raises forbidden, no_such_episode, not_recorded,
    not_enrolled, not_living, bad_result, too_late.
    """
    episode = _recorded(season, by, number)
    best = episode.winners if winners is None else tuple(dict.fromkeys(winners))
    last = episode.candidates if candidates is None else tuple(dict.fromkeys(candidates))
    if candidates is None:
        last = tuple(it for it in last if it not in best)
    paid = _rewards_of(episode, best) if rewards is None else {it: amount for it, amount in rewards.items() if amount}
    moved = episode.changes if changes is None else {it: amount for it, amount in changes.items() if amount}
    _refuse_bad_result(season, episode, best, last, paid, moved)
    batch = Batch(season)
    batch.add(
        MainMatchCorrected(
            episode=number, winners=best, candidates=last, rewards=paid, reason=reason,
            changes=None if changes is None else moved,
        )
    )  # fmt: skip
    for player, amount in _differences(_sum(episode.rewards, episode.changes), _sum(paid, moved)):
        put_right(batch, player, amount, reason)
    _correct_tokens(batch, number, episode.given, reason)
    _follow(batch, number, reason)
    return batch.events


def correct_token(season: Season, by: Caller, number: int, player: str, reason: str) -> Sequence[Event]:
    """An organiser finds that the sole winner's second token went, or should have gone, to this player. Raises
    forbidden, no_such_episode, not_recorded, no_token_to_give, not_enrolled, not_living, has_token,
    too_late."""
    episode = _recorded(season, by, number)
    giver = episode.winners[0] if len(episode.winners) == 1 else None
    second = episode.given is not None or (episode.closed and max(episode.tokens.values(), default=0) > 1)
    if giver is None or not second:
        raise Illegal("no_token_to_give", "No second token of life was given away in that episode.")
    _refuse_absent(season, episode, player)
    if episode.tokens.get(player):
        raise Illegal("has_token", "That player has a token of life already.")
    batch = Batch(season)
    _correct_tokens(batch, number, (giver, player), reason)
    _follow(batch, number, reason)
    return batch.events


def correct_candidate(season: Season, by: Caller, number: int, player: str, reason: str) -> Sequence[Event]:
    """An organiser finds that another player is, or was, the EC; the DMO whom the false one chose falls with it. Raises
    forbidden, no_such_episode, not_recorded, no_candidate, not_enrolled, not_living, has_token,
    not_a_candidate, bad_result, too_late."""
    episode = _recorded(season, by, number)
    if episode.candidate is None and not episode.closed:
        raise Illegal("no_candidate", "The EC hasn't been named yet.")
    _refuse_exposed(season, episode, player)
    if player not in _possible(season, episode):
        raise Illegal("not_a_candidate", "The EC is one of the main match's losers.")
    if player == episode.candidate:
        raise Illegal("bad_result", "That player is the EC already.")
    batch = Batch(season)
    _correct_pair(batch, episode, player, None, (), reason)
    return batch.events


def correct_opponent(season: Season, by: Caller, number: int, player: str, reason: str) -> Sequence[Event]:
    """An organiser finds that the EC has chosen another player; what the false DMO struck falls with it. Raises
    forbidden, no_such_episode, not_recorded, no_candidate, no_opponent, not_enrolled, not_living,
    has_token, same_player, bad_result, too_late."""
    episode = _recorded(season, by, number)
    if episode.candidate is None:
        raise Illegal("no_candidate", "The EC must be named first.")
    if episode.opponent is None and not episode.closed:
        raise Illegal("no_opponent", "The DMO hasn't been named yet.")
    _refuse_exposed(season, episode, player)
    if player == episode.candidate:
        raise Illegal("same_player", "The EC chooses somebody else.")
    if player == episode.opponent:
        raise Illegal("bad_result", "That player is the DMO already.")
    batch = Batch(season)
    _correct_pair(batch, episode, episode.candidate, player, _bans_of(episode, episode.candidate), reason)
    return batch.events


def correct_ban(
    season: Season, by: Caller, number: int, player: str, game: str, instead: str | None, reason: str
) -> Sequence[Event]:
    """An organiser finds that EC or DMO has struck another game, or none (`instead` is None). A death match of a game
    that was struck no longer counts. Raises forbidden, no_such_episode, not_recorded, no_such_ban,
    game_not_in_pool, game_banned, too_late."""
    episode = _recorded(season, by, number)
    if (player, game) not in episode.bans:
        raise Illegal("no_such_ban", "That player hasn't struck that game in that episode.")
    if instead is not None:
        refuse_outside_pool(season, episode, instead)
    bans = tuple((who, instead if (who, it) == (player, game) else it) for who, it in episode.bans)
    remaining = tuple((who, it) for who, it in bans if it is not None)
    batch = Batch(season)
    _correct_pair(batch, episode, episode.candidate, episode.opponent, remaining, reason)
    return batch.events


def _recorded(season: Season, by: Caller, number: int) -> Episode:
    refuse_unless_organiser(by)
    if not 1 <= number <= len(season.episodes):
        raise Illegal("no_such_episode", f"The season has had {len(season.episodes)} episodes; name one of them.")
    episode = season.episodes[number - 1]
    if not episode.recorded:
        raise Illegal("not_recorded", "The main match of that episode hasn't been recorded: nothing is wrong.")
    return episode


def _refuse_bad_result(
    season: Season,
    episode: Episode,
    winners: Sequence[str],
    candidates: Sequence[str],
    rewards: Mapping[str, int],
    changes: Mapping[str, int],
) -> None:
    for player in (*winners, *candidates, *rewards, *changes):
        if player not in (*episode.winners, *episode.candidates, *episode.rewards, *episode.changes):
            _refuse_absent(season, episode, player)
    before = (episode.winners, episode.candidates, episode.rewards, episode.changes)
    if (winners, candidates, rewards, changes) == before:
        raise Illegal("bad_result", "That is the result as it stands; name what was wrong.")
    if not winners or (not candidates and candidates != episode.candidates):
        raise Illegal("bad_result", "A main match has at least one winner and one loser; name them.")
    if set(winners) & set(candidates):
        raise Illegal("bad_result", "A winner of the main match can't be a candidate for elimination.")
    if len(episode.field) - len(winners) < DUEL:
        raise Illegal("bad_result", "At least two players must stay without a token of life.")


def _rewards_of(episode: Episode, winners: Sequence[str]) -> dict[str, int]:
    """Return the rewards after a correction of the winners: the right winners get those of the wrong ones. Raise
    bad_result."""
    false = [it for it in episode.winners if it not in winners]
    right = [it for it in winners if it not in episode.winners]
    amounts = {episode.rewards.get(it, 0) for it in (false if right else ())}
    if len(amounts) > 1:
        raise Illegal("bad_result", "The winners had different rewards; name the right ones in `rewards`.")
    kept = {it: amount for it, amount in episode.rewards.items() if it not in false}
    (amount,) = amounts or {0}
    return kept | {it: kept.get(it, 0) + amount for it in right if amount}


def _sum(rewards: Mapping[str, int], changes: Mapping[str, int]) -> dict[str, int]:
    return {it: rewards.get(it, 0) + changes.get(it, 0) for it in (*rewards, *changes)}


def _differences(before: Mapping[str, int], after: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the change of each player's amount, losses first; unchanged amounts are left out."""
    players = dict.fromkeys((*before, *after))
    changes = [(it, after.get(it, 0) - before.get(it, 0)) for it in players]
    return sorted(((it, change) for it, change in changes if change), key=lambda it: it[1] > 0)


def _refuse_absent(season: Season, episode: Episode, player: str) -> None:
    """Raise not_enrolled, not_living for who was out when the main match was recorded, or is out of an episode that is
    open."""
    if player not in season.players:
        raise Illegal("not_enrolled", "No such player is in this season.")
    who = season.players[player]
    there = who.since <= episode.number and (who.left is None or who.left >= episode.number)
    if season.origin(player, episode.field) is None or not (there if episode.closed else who.living):
        raise Illegal("not_living", "That player is out of the season, or was out of it then.")


def _refuse_exposed(season: Season, episode: Episode, player: str) -> None:
    """Raise what `_refuse_absent` does, has_token, and token_not_given while a second token is to be given away."""
    _refuse_absent(season, episode, player)
    if episode.giving:
        raise Illegal("token_not_given", "The second token of life must be given away first.")
    if episode.tokens.get(player):
        raise Illegal("has_token", "That player's token of life keeps them out of the death match.")


def _correct_tokens(batch: Batch, number: int, given: tuple[str, str] | None, reason: str) -> None:
    """Correct the tokens of life: one for each winner; a sole winner's second one is given as in `given`, or theirs."""
    season, episode = batch.season, batch.season.episodes[number - 1]
    tokens, giving = dict.fromkeys(episode.winners, 1), None
    stands = given is not None and episode.winners == given[:1] and given[1] not in episode.winners
    if given is not None and stands:
        tokens[given[1]] = 1
    elif len(episode.winners) == 1 and len(episode.field) > 1 + DUEL:
        (sole,) = episode.winners
        tokens[sole] = 2
        exposed = [it for it in season.living if it != sole]
        if not episode.closed and season.players[sole].living and len(exposed) > DUEL:
            giving = sole
    after = (tokens, given if stands else None, giving)
    if after != (episode.tokens, episode.given, episode.giving):
        batch.add(TokensCorrected(episode=number, tokens=after[0], given=after[1], giving=after[2], reason=reason))


def _follow(batch: Batch, number: int, reason: str) -> None:
    """Keep the EC and the DMO if they are still possible; name the EC if only one player can be it."""
    episode = batch.season.episodes[number - 1]
    candidate, opponent = episode.candidate, episode.opponent
    if episode.giving or candidate not in _possible(batch.season, episode):
        candidate = None
    if candidate is None or (opponent is not None and episode.tokens.get(opponent)):
        opponent = None
    _correct_pair(batch, episode, candidate, opponent, _bans_of(episode, *filter(None, (candidate, opponent))), reason)


def _correct_pair(
    batch: Batch,
    episode: Episode,
    candidate: str | None,
    opponent: str | None,
    bans: tuple[tuple[str, str], ...],
    reason: str,
) -> None:
    """Set the EC, the DMO and the banned games, and undo death matches that contradict them."""
    number = episode.number
    if opponent is None:
        bans = ()
    if (candidate, opponent, bans) != (episode.candidate, episode.opponent, episode.bans):
        batch.add(PairCorrected(episode=number, candidate=candidate, opponent=opponent, bans=bans, reason=reason))
        same_pair = (candidate, opponent) == (episode.candidate, episode.opponent)
        struck = {game for _, game in bans}
        for match in batch.season.of_episode(number, "death"):
            if match.status != "annulled" and not (same_pair and match.game not in struck):
                unwind(batch, match.id, reason)
    reopened = batch.season.episodes[number - 1]
    if episode.closed and not reopened.closed:
        # Open again, it asks for what an open episode asks for.
        _correct_tokens(batch, number, reopened.given, reason)
        _follow(batch, number, reason)
    elif batch.season.episode and batch.season.episode.number == number and candidate is None:
        name_the_only_one(batch)


def _possible(season: Season, episode: Episode) -> list[str]:
    """Return the players who can be, or could have been, the EC."""
    if not episode.closed:
        return candidates_of(season, episode)
    named = [it for it in episode.candidates if not episode.tokens.get(it)]
    there = (it for it in season.players.values() if it.since <= episode.number <= (it.left or episode.number))
    return named or [it.id for it in there if not episode.tokens.get(it.id)]


def _bans_of(episode: Episode, *players: str) -> tuple[tuple[str, str], ...]:
    return tuple((player, game) for player, game in episode.bans if player in players)
