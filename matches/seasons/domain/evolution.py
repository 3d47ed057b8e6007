"""Pure reducer of a season: the state after each event."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from games.kernel import Event
from matches.domain.openings import setup_seconds
from matches.seasons.domain import events as season_events
from matches.seasons.domain.contests import stakes_in
from matches.seasons.domain.deeds import handed_over, kept
from matches.seasons.domain.features import evolved
from matches.seasons.domain.intake_evolution import taken_in
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.state import Episode, Final, Kind, Player, PlayerStatus, Season, SeasonMatch, Settled
from matches.seasons.domain.timing import Timing
from matches.seasons.domain.timing_evolution import timed


def opening(event: season_events.SeasonOpened) -> Season:
    staff: dict[str, season_events.Role] = {event.opened_by: "organiser"}
    return Season(
        version=1,
        title=event.title,
        options=event.options,
        opened_by=event.opened_by,
        staff=staff,
        timing=Timing(link=event.chance),
    )


def evolve(season: Season, event: Event) -> Season:
    after = _remembering(season, _evolved(season, event), event)
    states = evolved(season.feature_states, event)
    return replace(taken_in(timed(after, event), event), feature_states=states, version=season.version + 1)


def _remembering(before: Season, after: Season, event: Event) -> Season:
    """Return the season with the deeds of each episode that the event has changed."""
    if after.episodes is before.episodes:
        return after
    previous = {it.number: it for it in before.episodes}
    episodes = (it if it is previous.get(it.number) else _with_deeds(it, event) for it in after.episodes)
    return replace(after, episodes=tuple(episodes))


def _with_deeds(episode: Episode, event: Event) -> Episode:
    deeds, by = episode.deeds, None
    match event:
        case season_events.PlayerSubstituted(leaver=leaver, newcomer=newcomer):
            deeds = handed_over(deeds, leaver, newcomer)
        case season_events.TokenGranted() | season_events.CandidateNamed() | season_events.OpponentNamed():
            by = event.by
        case season_events.GameBanned():
            by = event.player
    return replace(episode, deeds=kept(deeds, episode.held, by))


def _evolved(season: Season, event: Event) -> Season:
    match event:
        case season_events.StaffAppointed(account=account, role=role):
            return replace(season, staff={**season.staff, account: role})
        case season_events.StaffDismissed(account=account):
            return replace(season, staff={it: role for it, role in season.staff.items() if it != account})
        case season_events.PlayerEnrolled(player=player):
            return replace(season, players={**season.players, player: Player(id=player)})
        case season_events.PlayerWithdrew(player=player):
            return _end_tenure(season, player, "withdrawn", season.episode_number)
        case season_events.PlayerSubstituted(leaver=leaver, newcomer=newcomer):
            return _substituted(season, leaver, newcomer)
        case season_events.EpisodeOpened(number=number, title=title):
            return replace(season, episodes=(*season.episodes, Episode(number=number, title=title)))
        case season_events.EpisodeClosed():
            return _episode(season, closed=True)
        case (
            season_events.MainMatchScheduled()
            | season_events.DeathMatchScheduled()
            | season_events.FinalMatchScheduled()
        ):
            return _scheduled(season, event)
        case season_events.MainMatchFinished(match=match, ranking=ranking, scores=scores):
            return _finished(season, match, ranking=ranking, scores=scores)
        case season_events.DeathMatchFinished() | season_events.FinalMatchFinished():
            return _finished(season, event.match, winner=event.winner, loser=event.loser)
        case season_events.MatchAnnulled(match=match):
            counted = season.matches[match].status == "effective"
            taken = _counted(season, match, -1) if counted else season
            return _match(taken, match, status="annulled", settled=())
        case season_events.MatchReopened(match=match):
            times = season.matches[match].reopened + 1
            return _match(
                season, match, status="scheduled", winner=None, loser=None, ranking=(), scores=(), reopened=times,
                played_by=(),
            )  # fmt: skip
        case season_events.ResultApproved(match=match):
            return _counted(_match(season, match, status="effective"), match, 1)
        case season_events.ResultCorrected(match=match, winner=winner, loser=loser):
            counted = season.matches[match].status == "effective"
            taken = _counted(season, match, -1) if counted else season
            # What the first result moved has been given back by now, as far as it could be.
            put = _match(taken, match, winner=winner, loser=loser, settled=())
            return _counted(put, match, 1) if counted else put
        case season_events.MainMatchRecorded():
            return _recorded(season, event)
        case season_events.TokenGranted(player=player, by=by):
            return _granted(season, player, by)
        case season_events.CandidateNamed(player=player):
            return _episode(season, candidate=player)
        case season_events.OpponentNamed(player=player):
            return _episode(season, opponent=player)
        case season_events.GameBanned(player=player, game=game):
            return _episode(season, bans=(*season.episodes[-1].bans, (player, game)))
        case season_events.GarnetsMoved():
            return _moved(season, event)
        case season_events.PlayerEliminated(player=player, episode=number):
            left = _end_tenure(season, player, "eliminated", number or season.episode_number)
            return _numbered(left, number, eliminated=player) if number else left
        case season_events.PlayerReinstated(player=player):
            return _returned(season, player)
        case season_events.EliminationReversed(player=player):
            return _moved_down(_returned(season, player), season.players[player].place)
        case season_events.EpisodeReopened(number=number):
            return _numbered(season, number, closed=False)
        case season_events.MainMatchCorrected():
            return _main_match_corrected(season, event)
        case season_events.TokensCorrected(episode=number, tokens=tokens, given=given, giving=giving):
            return _numbered(season, number, tokens=tokens, given=given, giving=giving)
        case season_events.PairCorrected(episode=number, candidate=candidate, opponent=opponent, bans=bans):
            return _numbered(season, number, candidate=candidate, opponent=opponent, bans=bans)
        case season_events.FinalOpened(players=players, best_of=best_of):
            return replace(season, final=Final(players=players, best_of=best_of))
        case season_events.SeasonFinished(champion=champion):
            return replace(_player(season, champion, place=1), champion=champion)
        case season_events.SeasonReopened():
            return replace(_player(season, str(season.champion), place=None), champion=None)
        case _:
            return season


def _player(season: Season, player: str, **changes: Any) -> Season:
    return replace(season, players={**season.players, player: replace(season.players[player], **changes)})


def _episode(season: Season, **changes: Any) -> Season:
    """Change the latest episode, be it open or closed."""
    *before, latest = season.episodes
    return replace(season, episodes=(*before, replace(latest, **changes)))


def _numbered(season: Season, number: int, **changes: Any) -> Season:
    changed = (replace(it, **changes) if it.number == number else it for it in season.episodes)
    return replace(season, episodes=tuple(changed))


def _match(season: Season, match: str, **changes: Any) -> Season:
    return replace(season, matches={**season.matches, match: replace(season.matches[match], **changes)})


def _finished(season: Season, match: str, **result: Any) -> Season:
    return _match(season, match, status="finished", played_by=season.matches[match].players, **result)


def _end_tenure(season: Season, player: str, status: PlayerStatus, number: int) -> Season:
    place = _last_free_place(season) if season.episodes else None
    gone = _player(season, player, status=status, place=place, left=number)
    episode = gone.episode
    if episode is None or (status == "eliminated" and number == episode.number):
        return gone
    # The last two without a token meet in the death match: neither of them can be given one any more.
    gives = episode.giving != player and len(gone.exposed) > DUEL
    return _episode(
        gone,
        candidates=tuple(it for it in episode.candidates if it != player),
        giving=episode.giving if gives else None,
        candidate=None if episode.candidate == player else episode.candidate,
        opponent=None if player in (episode.candidate, episode.opponent) else episode.opponent,
        bans=() if player in (episode.candidate, episode.opponent) else episode.bans,
    )


def _last_free_place(season: Season) -> int:
    """Return the place of whoever leaves now: the last one, or one that a reinstated player gave back."""
    taken = {player.place for player in season.players.values() if player.place}
    return max(set(range(1, len(season.living) + len(taken) + 1)) - taken)


def _substituted(season: Season, leaver: str, newcomer: str) -> Season:
    """Put the newcomer in the leaver's place in whatever isn't over yet."""
    players = {**season.players, newcomer: Player(id=newcomer, succeeds=leaver, since=season.episode_number)}
    players[leaver] = replace(players[leaver], status="substituted", succeeded_by=newcomer, left=season.episode_number)
    renamed = replace(season, players=players)
    matches = {it.id: _reseated(it, leaver, newcomer) if it.open else it for it in season.matches.values()}
    renamed = replace(renamed, matches=matches)
    if season.final:
        first, second = _renamed(season.final.players, leaver, newcomer)
        return replace(renamed, final=replace(season.final, players=(first, second)))
    episode = season.episode
    if episode is None:
        return renamed
    return _episode(
        renamed,
        winners=_renamed(episode.winners, leaver, newcomer),
        candidates=_renamed(episode.candidates, leaver, newcomer),
        tokens={newcomer if it == leaver else it: count for it, count in episode.tokens.items()},
        giving=_one(episode.giving, leaver, newcomer),
        given=_pair(episode.given, leaver, newcomer),
        candidate=_one(episode.candidate, leaver, newcomer),
        opponent=_one(episode.opponent, leaver, newcomer),
        bans=tuple((newcomer if it == leaver else it, game) for it, game in episode.bans),
    )


def _reseated(match: SeasonMatch, leaver: str, newcomer: str) -> SeasonMatch:
    return replace(
        match,
        players=_renamed(match.players, leaver, newcomer),
        winner=_one(match.winner, leaver, newcomer),
        loser=_one(match.loser, leaver, newcomer),
        ranking=tuple(_renamed(group, leaver, newcomer) for group in match.ranking),
    )


def _renamed(players: tuple[str, ...], leaver: str, newcomer: str) -> tuple[str, ...]:
    return tuple(newcomer if it == leaver else it for it in players)


def _pair(pair: tuple[str, str] | None, leaver: str, newcomer: str) -> tuple[str, str] | None:
    if pair is None:
        return None
    first, second = _renamed(pair, leaver, newcomer)
    return first, second


def _one(player: str | None, leaver: str, newcomer: str) -> str | None:
    return newcomer if player == leaver else player


def _scheduled(season: Season, event: season_events.Scheduled) -> Season:
    kinds: dict[type, Kind] = {
        season_events.MainMatchScheduled: "main",
        season_events.DeathMatchScheduled: "death",
        season_events.FinalMatchScheduled: "final",
    }
    match = SeasonMatch(
        id=event.match,
        kind=kinds[type(event)],
        episode=event.episode,
        game=event.game,
        players=event.players,
        priority=event.priority,
        opens_at=event.opens_at,
        setup=setup_seconds(event.game, event.options, event.clocks, event.setup_closes),
        setup_closes=event.setup_closes,
        check_in=event.check_in,
    )
    if isinstance(event, season_events.MainMatchScheduled):
        stakes = stakes_in(event.options) if event.contest else ()
        match = replace(match, contest=event.contest, results=event.results, stakes=stakes)
    return replace(season, matches={**season.matches, match.id: match})


def _recorded(season: Season, event: season_events.MainMatchRecorded) -> Season:
    field = tuple(season.living)
    tables = [season.matches[it] for it in event.matches]
    scores = [it for table in tables for it in zip(table.players, table.scores, strict=False)]
    season = _credited(season, event.winners, 1)
    for table in event.matches:
        season = _match(season, table, status="effective")
    return _episode(
        season,
        recorded=True,
        name=event.name,
        winners=event.winners,
        candidates=event.candidates,
        field=field,
        credited=event.winners,
        places=event.places,
        changes={player: score.garnets for player, score in scores if score.garnets},
    )


def _main_match_corrected(season: Season, event: season_events.MainMatchCorrected) -> Season:
    """Credit the wins to the players who were in the season when the main match was recorded."""
    episode = season.episodes[event.episode - 1]
    credited = tuple(dict.fromkeys(season.origin(it, episode.field) or it for it in event.winners))
    season = _credited(_credited(season, episode.credited, -1), credited, 1)
    stands = (event.winners, event.candidates) == (episode.winners, episode.candidates)
    return _numbered(
        season,
        event.episode,
        winners=event.winners,
        candidates=event.candidates,
        rewards=event.rewards,
        credited=credited,
        changes=episode.changes if event.changes is None else event.changes,
        places=episode.places if stands else (),
    )


def _credited(season: Season, winners: Iterable[str], by: int) -> Season:
    """Add a main match won to these players' records, or subtract it."""
    for winner in winners:
        season = _player(season, winner, main_wins=season.players[winner].main_wins + by)
    return season


def _returned(season: Season, player: str) -> Season:
    """Bring an eliminated player back, and clear the elimination in the episode that they lost."""
    back = _player(season, player, status="living", place=None, left=None)
    episodes = (replace(it, eliminated=None) if it.eliminated == player else it for it in back.episodes)
    return replace(back, episodes=tuple(episodes))


def _moved_down(season: Season, freed: int | None) -> Season:
    """Move the players who left after the one with the freed place a place down."""
    for it in season.players.values():
        if freed and it.place and it.place < freed:
            season = _player(season, it.id, place=it.place + 1)
    return season


def _granted(season: Season, player: str, by: str | None) -> Season:
    episode = season.episodes[-1]
    tokens = {**episode.tokens, player: episode.tokens.get(player, 0) + 1}
    if by is not None:
        tokens[by] -= 1
        return _episode(season, tokens=tokens, giving=None, given=(by, player))
    return _episode(season, tokens=tokens, giving=player if tokens[player] > 1 else episode.giving)


def _counted(season: Season, match: str, by: int) -> Season:
    """Add a duel's result to both records, or subtract it."""
    played = season.matches[match]
    counts: dict[str | None, Callable[[Player], dict[str, int]]] = {
        played.winner: lambda player: {"duels_won": player.duels_won + by},
        played.loser: lambda player: {"duels_lost": player.duels_lost + by},
    }
    for player, change in counts.items():
        if player is not None:
            season = _player(season, player, **change(season.players[player]))
    return season


def _moved(season: Season, event: season_events.GarnetsMoved) -> Season:
    source, target, amount = event.source, event.target, event.amount
    issued = season.issued + amount * ((source is None) - (target is None))
    for player, change in ((source, -amount), (target, amount)):
        if player is not None:
            season = _player(season, player, garnets=season.players[player].garnets + change)
    season = replace(season, issued=issued)
    if event.match is not None:
        settled = season.matches[event.match].settled
        return _match(season, event.match, settled=(*settled, Settled(source, target, amount)))
    if event.cause == "reward" and target is not None:
        rewards = season.episodes[-1].rewards
        return _episode(season, rewards={**rewards, target: rewards.get(target, 0) + amount})
    return season
