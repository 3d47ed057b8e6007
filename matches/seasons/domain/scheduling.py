"""The season's matches before they are played: tables of a main match, death matches, the final's. Pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from games import catalogue
from games.kernel import Event, Illegal, to_json
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes, instant
from matches.seasons.domain.contests import CONTEST, PlayedContest, with_stakes
from matches.seasons.domain.deciding import (
    Caller,
    open_episode_of,
    refuse_not_living,
    refuse_open_match,
    refuse_over,
    refuse_unless_organiser,
    refuse_unless_running_it,
)
from matches.seasons.domain.episodes import refuse_outside_pool, refuse_unnamed
from matches.seasons.domain.events import (
    DeathMatchScheduled,
    FinalMatchScheduled,
    FinalOpened,
    MainMatchScheduled,
    MatchTimeSet,
    SeatingAsked,
    TimeAccepted,
    TimesProposed,
)
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.result_rules import ResultRules
from matches.seasons.domain.state import Episode, Final, Season

SCHEDULED = (MainMatchScheduled, DeathMatchScheduled, FinalMatchScheduled)
_FARTHEST_OPENING = timedelta(days=365)


class MatchSettings(Struct, frozen=True, kw_only=True):
    """Settings of a match to be scheduled. `match` is its id, `clocks` are by name, None for none. A game whose set-up
    takes hours needs a time to open at unless `untimed`; its set-up closes `setup_closes` seconds before that.
    `contest` names the source of the content in a contest's options; `results` are the rules of the main match's
    result, which contests always have."""

    match: str
    game: str
    options: Mapping[str, Any]
    clocks: dict[str, ClockTimes] | None = None
    opens_at: str | None = None
    untimed: bool = False
    setup_closes: int = SETUP_CLOSES_BEFORE
    contest: PlayedContest | None = None
    results: ResultRules | None = None


def schedule_table(
    season: Season, by: Caller, settings: MatchSettings, players: Sequence[str], priority: int = 0
) -> Sequence[Event]:
    """Schedule a table of the main match. Raise forbidden, season_over, no_episode, already_recorded, not_enrolled,
    not_living, already_seated, other_results, no_such_game, bad_options, no_opening_time."""
    refuse_unless_running_it(by)
    episode = open_episode_of(season)
    if episode.recorded:
        raise Illegal("already_recorded", "The main match of this episode has been recorded.")
    refuse_not_living(season, *players)
    tables = [it for it in season.of_episode(episode.number, "main") if it.status != "annulled"]
    seated = [*players, *(player for table in tables for player in table.players)]
    if len(set(seated)) < len(seated):
        raise Illegal("already_seated", "A player sits at one table of the main match, on one seat.")
    if settings.game == CONTEST:
        garnets = [season.players[it].garnets for it in players]
        settings = replace(settings, options=with_stakes(settings.options, garnets))
    setting = _setting(settings, episode.number, tuple(players), priority)
    results = settings.results or (ResultRules() if settings.game == CONTEST else None)
    if any(table.results != results for table in tables):
        raise Illegal(
            "other_results",
            "The result of a main match follows from all its tables by the same rules: set this one with those of the "
            "others, or annul them first.",
        )
    return [MainMatchScheduled(**setting, contest=_contest(settings, setting["options"]), results=results)]


def schedule_death_match(season: Season, by: Caller, settings: MatchSettings) -> Sequence[Event]:
    """Schedule EC (seat 0) against DMO (seat 1). Raise forbidden, season_over, no_episode, no_candidate, no_opponent,
    match_open, game_not_in_pool, game_banned, bad_options, no_opening_time."""
    refuse_unless_running_it(by)
    episode = open_episode_of(season)
    refuse_unnamed(episode)
    refuse_open_match(season)
    refuse_outside_pool(season, episode, settings.game)
    pair = (episode.candidate or "", episode.opponent or "")
    return [DeathMatchScheduled(**_setting(settings, episode.number, pair, _priority(season, pair)))]


def open_final(season: Season, by: Caller) -> Sequence[Event]:
    """Open the final of the last two players. Raise forbidden, season_over, final_open, episode_open, not_two_left."""
    refuse_unless_organiser(by)
    refuse_over(season)
    if season.final:
        raise Illegal("final_open", "The final has begun.")
    if season.episode:
        raise Illegal("episode_open", f"Episode {season.episode.number} is still open.")
    if len(season.living) != DUEL or not season.episodes:
        raise Illegal("not_two_left", "The final is for the last two players of a season under way.")
    first, second = season.living
    return [FinalOpened(players=(first, second), best_of=season.options.best_of)]


def schedule_final_match(season: Season, by: Caller, settings: MatchSettings) -> Sequence[Event]:
    """Schedule the next match of the final, of a game that wasn't played in it.

    Raise forbidden, season_over, no_final, match_open, game_not_in_pool, game_played, bad_options,
    no_opening_time.
    """
    refuse_unless_running_it(by)
    refuse_over(season)
    if season.final is None:
        raise Illegal("no_final", "The final must be opened first.")
    refuse_open_match(season)
    refuse_outside_pool(season, None, settings.game)
    played = season.played_in_final
    if settings.game in (match.game for match in played):
        raise Illegal("game_played", "Every match of the final is of another game.")
    priority = 1 - (played[-1].winning_seat or 0) if played else _richer(season, season.final)
    return [FinalMatchScheduled(**_setting(settings, 0, season.final.players, priority))]


def opening_time(at: datetime | None) -> str | None:
    """Return an opening time as the record stores it; raise bad_opening_time if UTC has no such year."""
    try:
        return instant(at) if at else None
    except OverflowError:
        raise _untimely() from None


def refuse_untimely(events: Sequence[Event], now: datetime) -> None:
    """Raise bad_opening_time where a match is to open at an instant that isn't in the coming year."""
    for opens_at in (time for event in events for time in times_in(event)):
        refuse_untimely_opening(datetime.fromisoformat(opens_at), now)


def refuse_untimely_opening(at: datetime, now: datetime) -> None:
    """Raise bad_opening_time for an instant that isn't in the coming year."""
    if not now < at < now + _FARTHEST_OPENING:
        raise _untimely()


def games_left(season: Season, episode: Episode | None) -> list[str]:
    """Return the games that may be played next: the pool without banned games and games played in the final."""
    gone = {game for _, game in episode.bans} if episode else set()
    gone |= {it.game for it in season.played_in_final}
    return [game for game in season.options.pool if game not in gone]


def times_in(event: Event) -> tuple[str, ...]:
    """Return the instants at which a match will or could open because of an event."""
    match event:
        case TimesProposed(times=times):
            return times
        case MainMatchScheduled() | DeathMatchScheduled() | FinalMatchScheduled() | SeatingAsked() | MatchTimeSet():
            return (event.opens_at,) if event.opens_at else ()
        case TimeAccepted(opens_at=opens_at):
            return (opens_at,)
    return ()


def _untimely() -> Illegal:
    return Illegal("bad_opening_time", "A match is scheduled for an instant within the coming year.")


def _setting(settings: MatchSettings, episode: int, players: tuple[str, ...], priority: int) -> dict[str, Any]:
    """Return the fields of the event that schedules a match; raise what the game refuses."""
    if settings.game not in catalogue:
        raise Illegal("no_such_game", f"The games are {', '.join(sorted(catalogue))}.")
    rules = catalogue[settings.game]
    options = rules.read_options(settings.options)
    rules.refuse_unplayable(options, len(players), priority)
    if rules.unscheduled and settings.clocks is not None and settings.opens_at is None and not settings.untimed:
        raise Illegal("no_opening_time", f"Say when the match opens, or that it has no such time. {rules.unscheduled}")
    return {
        "match": settings.match,
        "episode": episode,
        "game": settings.game,
        "players": players,
        "priority": priority,
        "options": to_json(options),
        "clocks": settings.clocks,
        "opens_at": settings.opens_at,
        "setup_closes": settings.setup_closes,
        "check_in": "play",
    }


def _contest(settings: MatchSettings, options: Mapping[str, Any]) -> PlayedContest | None:
    """Return which contest is played with these complete options; None for another game."""
    if settings.game != CONTEST:
        return None
    return settings.contest or PlayedContest(title=options["content"]["title"])


def _priority(season: Season, pair: tuple[str, str]) -> int:
    """Return the priority seat by the season's options: EC (0) or DMO (1)."""
    if season.options.priority == "garnets":
        candidate, opponent = (season.players[it].garnets for it in pair)
        return 0 if candidate > opponent else 1
    return 0 if season.options.priority == "ec" else 1


def _richer(season: Season, final: Final) -> int:
    """Return the priority seat of the final's first match: the richer player, or the one who enrolled first if
    equal."""
    first, second = final.players
    return int(season.players[second].garnets > season.players[first].garnets)
