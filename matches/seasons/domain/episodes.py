"""An episode's steps in their order: main match, tokens of life, EC, DMO, bans. Pure."""

from collections.abc import Mapping, Sequence

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import (
    Batch,
    Caller,
    end_episode,
    open_episode_of,
    refuse_not_living,
    refuse_open_match,
    refuse_over,
    refuse_unless_organiser,
)
from matches.seasons.domain.events import (
    CandidateNamed,
    EpisodeOpened,
    GameBanned,
    GarnetsMoved,
    MainMatchRecorded,
    OpponentNamed,
    Placed,
    TokenGranted,
)
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.reversals import post_stakes
from matches.seasons.domain.state import Episode, Season

FEWEST = 3


def open_episode(season: Season, by: Caller, title: str) -> Sequence[Event]:
    """Open the next episode; raise forbidden, season_over, final_open, episode_open, final_due, too_few_players."""
    refuse_unless_organiser(by)
    refuse_over(season)
    if season.final:
        raise Illegal("final_open", "The final has begun; there are no more episodes.")
    if season.episode:
        raise Illegal("episode_open", f"Episode {season.episode.number} is still open.")
    if len(season.living) < FEWEST:
        if season.episodes:
            raise Illegal("final_due", "Two players are left: open the final.")
        raise Illegal("too_few_players", f"A season begins with {FEWEST} players or more.")
    return [EpisodeOpened(number=len(season.episodes) + 1, title=title)]


def close_episode(season: Season, by: Caller, reason: str) -> Sequence[Event]:
    """End the episode without an elimination, and annul its tables that haven't ended; raise forbidden,
    season_over, no_episode, match_open."""
    refuse_unless_organiser(by)
    episode = open_episode_of(season)
    refuse_open_match(season)
    batch = Batch(season)
    end_episode(batch, episode.number, reason)
    return batch.events


def record_main_match(
    season: Season,
    by: Caller,
    name: str,
    winners: Sequence[str] | None = None,
    candidates: Sequence[str] | None = None,
    rewards: Mapping[str, int] | None = None,
    places: Sequence[Placed] = (),
) -> Sequence[Event]:
    """Record the main match's result, typed in or taken from its tables, with its effects.

    Every winner gets a token, a sole winner a second one to give away while enough players stay without. `rewards`
    are garnets by player. Raises forbidden, season_over, no_episode, already_recorded, tables_running, bad_result,
    not_enrolled, not_living.
    """
    refuse_unless_organiser(by)
    return recorded(season, name, winners, candidates, rewards, places)


def recorded(
    season: Season,
    name: str,
    winners: Sequence[str] | None = None,
    candidates: Sequence[str] | None = None,
    rewards: Mapping[str, int] | None = None,
    places: Sequence[Placed] = (),
) -> Sequence[Event]:
    """Return the events that `record_main_match` returns, whoever asks."""
    episode = open_episode_of(season)
    if episode.recorded:
        raise Illegal("already_recorded", "The main match of this episode has been recorded.")
    tables = _tables_of(season, episode)
    best = _of_tables(season, tables, 0) if winners is None else tuple(dict.fromkeys(winners))
    last = _of_tables(season, tables, -1) if candidates is None else tuple(dict.fromkeys(candidates))
    if candidates is None:
        last = tuple(it for it in last if it not in best)
    _refuse_bad_result(season, best, last)
    batch = Batch(season)
    batch.add(MainMatchRecorded(name=name, matches=tuple(tables), winners=best, candidates=last, places=tuple(places)))
    batch.add(*(TokenGranted(player=winner, by=None) for winner in best))
    if len(best) == 1 and len(season.living) > len(best) + DUEL:
        batch.add(TokenGranted(player=best[0], by=None))
    for player, amount in (rewards or {}).items():
        refuse_not_living(season, player)
        batch.add(
            GarnetsMoved(source=None, target=player, amount=amount, cause="reward", reason=f"Main match: {name}.")
        )
    for table in tables:
        post_stakes(batch, table, name)
    name_the_only_one(batch)
    return batch.events


def give_token(season: Season, by: Caller, player: str) -> Sequence[Event]:
    """A sole winner gives their second token away; an organiser may do it for them. Raises forbidden, season_over,
    no_episode, no_token_to_give, not_enrolled, not_living, has_token."""
    episode = open_episode_of(season)
    if episode.giving is None:
        raise Illegal("no_token_to_give", "Nobody has a second token of life to give away.")
    if by.account != episode.giving:
        refuse_unless_organiser(by)
    refuse_not_living(season, player)
    if episode.tokens.get(player):
        raise Illegal("has_token", "That player has a token of life already.")
    batch = Batch(season)
    batch.add(TokenGranted(player=player, by=episode.giving))
    name_the_only_one(batch)
    return batch.events


def name_candidate(season: Season, by: Caller, player: str) -> Sequence[Event]:
    """A winner, or an organiser, names the EC among the losers without a token.

    Raises forbidden, season_over, no_episode, not_recorded, token_not_given, candidate_named, nobody_left,
    not_enrolled, not_living, has_token, not_a_candidate.
    """
    episode = open_episode_of(season)
    if by.account not in episode.winners or by.account not in season.living:
        refuse_unless_organiser(by)
    if not episode.recorded:
        raise Illegal("not_recorded", "The main match comes first; record its result.")
    if episode.giving:
        raise Illegal("token_not_given", "The second token of life must be given away first.")
    if episode.candidate:
        raise Illegal("candidate_named", "The EC has been named.")
    _refuse_nobody_left(season)
    refuse_not_living(season, player)
    if episode.tokens.get(player):
        raise Illegal("has_token", "That player's token of life keeps them out of the death match.")
    if player not in candidates_of(season, episode):
        raise Illegal("not_a_candidate", "The EC is one of the main match's losers.")
    return [CandidateNamed(player=player, by=by.account)]


def name_opponent(season: Season, by: Caller, player: str) -> Sequence[Event]:
    """Name the DMO, as the EC or an organiser for them. Raise forbidden, season_over, no_episode, no_candidate,
    opponent_named, nobody_left, not_enrolled, not_living, same_player, has_token."""
    episode = open_episode_of(season)
    if by.account != episode.candidate:
        refuse_unless_organiser(by)
    if episode.candidate is None:
        raise Illegal("no_candidate", "The EC must be named first.")
    if episode.opponent:
        raise Illegal("opponent_named", "The DMO has been named.")
    _refuse_nobody_left(season)
    refuse_not_living(season, player)
    if player == episode.candidate:
        raise Illegal("same_player", "The EC chooses somebody else.")
    if episode.tokens.get(player):
        raise Illegal("has_token", "That player's token of life keeps them out of the death match.")
    return [OpponentNamed(player=player, by=by.account)]


def ban(season: Season, by: Caller, game: str) -> Sequence[Event]:
    """Ban a game from the pool of this death match, as the EC or the DMO. Raise forbidden, season_over, no_episode,
    no_opponent, match_open, no_bans_left, game_not_in_pool, game_banned."""
    episode = open_episode_of(season)
    if by.account not in (episode.candidate, episode.opponent):
        raise Illegal("forbidden", "That is for the EC and the DMO.")
    refuse_unnamed(episode)
    refuse_open_match(season)
    if sum(player == by.account for player, _ in episode.bans) >= season.options.bans_each:
        raise Illegal("no_bans_left", f"Each of the two may strike {season.options.bans_each} games.")
    refuse_outside_pool(season, episode, game)
    return [GameBanned(player=by.account, game=game)]


def refuse_unnamed(episode: Episode) -> None:
    """Raise no_candidate, no_opponent."""
    if episode.candidate is None:
        raise Illegal("no_candidate", "The EC must be named first.")
    if episode.opponent is None:
        raise Illegal("no_opponent", "The DMO must be named first.")


def refuse_outside_pool(season: Season, episode: Episode | None, game: str) -> None:
    """Raise game_not_in_pool, game_banned."""
    if game not in season.options.pool:
        raise Illegal("game_not_in_pool", f"The season's pool is {', '.join(season.options.pool)}.")
    if episode and game in (banned for _, banned in episode.bans):
        raise Illegal("game_banned", "The EC or the DMO has struck that game from the pool.")


def candidates_of(season: Season, episode: Episode) -> list[str]:
    """Return who can be the EC: the losers without a token, or everyone without one if no such loser is left."""
    exposed = [it for it in season.living if not episode.tokens.get(it)]
    return [it for it in exposed if it in episode.candidates] or exposed


def nobody_left(season: Season) -> bool:
    """True if no death match is possible: fewer than two players of the episode are without a token."""
    return len(season.exposed) < DUEL


def name_the_only_one(batch: Batch) -> None:
    """Name the EC if only one player can be it and no token is to be given."""
    episode = batch.season.episodes[-1]
    left = candidates_of(batch.season, episode)
    if episode.giving is None and len(left) == 1:
        batch.add(CandidateNamed(player=left[0], by=None))


def _refuse_nobody_left(season: Season) -> None:
    if nobody_left(season):
        raise Illegal("nobody_left", "Nobody is left to choose; close the episode.")


def _tables_of(season: Season, episode: Episode) -> list[str]:
    tables = [it for it in season.of_episode(episode.number, "main") if it.status != "annulled"]
    if any(table.status == "scheduled" for table in tables):
        raise Illegal("tables_running", "A table of the main match isn't over. Start it, wait for it, or annul it.")
    return [table.id for table in tables]


def _of_tables(season: Season, tables: Sequence[str], group: int) -> tuple[str, ...]:
    """Return the best (`group` 0) or last (-1) players of all tables who are still in the season."""
    rankings = [season.matches[table].ranking for table in tables]
    players = [player for ranking in rankings if group == 0 or len(ranking) > 1 for player in ranking[group]]
    return tuple(player for player in dict.fromkeys(players) if season.players[player].living)


def _refuse_bad_result(season: Season, winners: Sequence[str], candidates: Sequence[str]) -> None:
    refuse_not_living(season, *winners, *candidates)
    if not winners or not candidates:
        raise Illegal("bad_result", "A main match has at least one winner and one loser; type them in.")
    if set(winners) & set(candidates):
        raise Illegal("bad_result", "A winner of the main match can't be a candidate for elimination.")
    if len(season.living) - len(winners) < DUEL:
        raise Illegal("bad_result", "At least two players must stay without a token of life.")
