"""Where a season stands, in one line; `name` gives what an account is called. Pure."""

from games import catalogue
from matches.seasons.domain.episodes import nobody_left
from matches.seasons.domain.state import Episode, Final, Season, SeasonMatch
from matches.seasons.reads.sentences import Name


def headline(season: Season, name: Name) -> str:
    """What is due in the season, or what has become of it."""
    if season.champion:
        return f"{name(season.champion)} has won"
    if season.final:
        return _of_final(season, season.final, name)
    if not season.episodes:
        return f"Enrolment, {_players(season)} so far"
    episode = season.episodes[-1]
    if not episode.closed:
        return f"Episode {episode.number}: {_due(season, episode, name)}"
    end = f": {name(episode.eliminated)} is out" if episode.eliminated else " is over"
    return f"Episode {episode.number}{end}, {_players(season)} left"


def _due(season: Season, episode: Episode, name: Name) -> str:
    if not episode.recorded:
        return "main match"
    if episode.giving:
        return f"{name(episode.giving)} gives a token of life away"
    if not episode.opponent and nobody_left(season):
        return "nobody is left to choose; close the episode"
    if not episode.candidate:
        return "the elimination candidate is to be named"
    if not episode.opponent:
        return f"{name(episode.candidate)} chooses an opponent"
    duel = _last(season.of_episode(episode.number, "death"))
    if duel and duel.winner:
        return f"{name(duel.who_played(duel.winner))} has won the death match, to be approved"
    pair = f"{name(episode.candidate)} against {name(episode.opponent)}"
    return f"{pair}, {catalogue[duel.game].title}" if duel else f"{pair}, the death match is to be set"


def _of_final(season: Season, final: Final, name: Name) -> str:
    matches = season.of_episode(0, "final")
    standing = ", ".join(f"{name(it)} {won}" for it, won in zip(final.players, season.final_wins, strict=True))
    playing = _last([match for match in matches if match.status == "scheduled"])
    game = f", {catalogue[playing.game].title}" if playing else ""
    return f"Final, best of {final.best_of}: {standing}{game}"


def _last(matches: list[SeasonMatch]) -> SeasonMatch | None:
    """The newest that counts."""
    return next((match for match in reversed(matches) if match.status != "annulled"), None)


def _players(season: Season) -> str:
    count = len(season.living)
    return f"{count} player{'' if count == 1 else 's'}"
