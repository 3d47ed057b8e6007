"""The headline of a season; `name` returns the name of an account. Pure."""

from matches.seasons.domain.state import Final, Season, SeasonMatch
from matches.seasons.domain.steps import PendingStep, pending_steps
from matches.seasons.reads.sentences import Name

_BETWEEN_EPISODES = "{past}, {left} left"
_TO_BE_SET = "{pair}, the death match is to be set"
WORDS = {
    "enrolment": "Enrolment, {left} so far",
    "episode": _BETWEEN_EPISODES,
    **dict.fromkeys(("table", "main_match", "ranking"), "main match"),
    "token": "{player} gives a token of life away",
    "candidate": "the elimination candidate is to be named",
    "opponent": "{player} chooses an opponent",
    "ban": _TO_BE_SET,
    "death_match": _TO_BE_SET,
    "close": "nobody is left to choose; close the episode",
    "final": _BETWEEN_EPISODES,
    "final_match": "",
    "duel": "{pair}, {game}",
    "result": "{winner} has won the death match, to be approved",
}
"""The words for each kind of step in a season's course. A final match has none: `_of_final` writes that line."""
_ENDING = PendingStep(kind="episode")
"""The step at a version inside the act that ends the season, where nothing is pending and nobody has won yet."""


def headline(season: Season, name: Name) -> str:
    """Return the step that the season waits for, with its episode; once there is a champion, who has won."""
    if season.champion:
        return f"{name(season.champion)} has won"
    step = next((it for it in pending_steps(season) if it.kind in WORDS), _ENDING)
    match = season.matches[step.match] if step.match else None
    if season.final:
        return _of_final(season, season.final, match, name)
    count = len(season.living)
    left = f"{count} player{'' if count == 1 else 's'}"
    if not season.episodes:
        return WORDS["enrolment"].format(left=left)
    episode = season.episodes[-1]
    end = f": {name(episode.eliminated)} is out" if episode.eliminated else " is over"
    # `close` says that nobody is left to choose. A close for another reason has the words of the step that it replaces.
    kind = step.course_kind if step.course_kind in ("main_match", "death_match") else step.kind
    words = WORDS[kind].format(
        left=left,
        past=f"Episode {episode.number}{end}",
        player=name(next(iter(step.players), "")),
        pair=f"{name(str(episode.candidate))} against {name(str(episode.opponent))}",
        game=match.title if match else "",
        winner=name(match.who_played(str(match.winner))) if match else "",
    )
    return words if episode.closed else f"Episode {episode.number}: {words}"


def _of_final(season: Season, final: Final, match: SeasonMatch | None, name: Name) -> str:
    wins = ", ".join(f"{name(it)} {won}" for it, won in zip(final.players, season.final_wins, strict=True))
    game = f", {match.title}" if match and match.status == "scheduled" else ""
    return f"Final, best of {final.best_of}: {wins}{game}"
