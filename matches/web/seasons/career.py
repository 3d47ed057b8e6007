"""The champion's way through the season: each episode in a mark, the whole in a sentence. Pure."""

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, StandingDocument

_TIMES = ("never", "once", "twice")
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


class Step(Struct, frozen=True):
    """How an episode, or the final, went: `won` a duel, held a `token`, was `safe`, not there yet (`away`), the
    `title`."""

    label: str
    kind: str
    words: str


class Career(Struct, frozen=True):
    """The champion, and how they came there; `plainly` is the sentence without a name in it."""

    standing: StandingDocument
    steps: list[Step]
    sentence: str
    plainly: str
    foot: str


def career(season: SeasonDocument, call: Callable[[UUID | None], str], day: str) -> Career | None:
    """The champion's way; None before there is one. `day` is when the season ended, for people to read."""
    standing = next((it for it in season.standings if it.player.id == season.champion), None)
    if standing is None:
        return None
    me = standing.player.id
    steps = [_step(it, me, standing.since) for it in season.episodes]
    title = Step("Final", "title", "won the final")
    count, number = places(season), len(season.episodes)
    foot = f"{count} players, {number} episode{'' if number == 1 else 's'}, {day}"
    served = _served(season, me)
    other = next((it for it in season.final.players or [] if it != me), None)
    return Career(
        standing,
        [*steps, title],
        f"{_final(season, me, call(other) if other else '')} {served}",
        f"{_final(season, me, 'the other finalist')} {served}",
        foot,
    )


def places(season: SeasonDocument) -> int:
    """How many play for the season; a substitute plays in the place of another."""
    return sum(it.succeeds is None for it in season.standings)


def _step(episode: EpisodeDocument, me: UUID, since: int) -> Step:
    label = str(episode.number)
    if episode.number < since:
        return Step(label, "away", "not yet in the season")
    if me in (episode.candidate, episode.opponent) and episode.eliminated not in (None, me):
        part = "elimination candidate" if me == episode.candidate else "chosen opponent"
        return Step(label, "won", f"won the death match as {part}")
    if episode.tokens.get(str(me)):
        return Step(label, "token", "held a token of life")
    return Step(label, "safe", "safe")


def _final(season: SeasonDocument, me: UUID, other: str) -> str:
    won = [it.winner == me for it in season.final.matches if it.status == "effective"]
    if not won or not other:
        return "Last of all in the season."
    return f"Beat {other} {won.count(True)} to {won.count(False)} in the final."


def _served(season: SeasonDocument, me: UUID) -> str:
    named = sum(it.candidate == me for it in season.episodes)
    chosen = sum(it.opponent == me for it in season.episodes)
    if not named and not chosen:
        return "Never named a candidate, never chosen to fight."
    return f"{_times(named).capitalize()} named a candidate, {_times(chosen)} chosen to fight."


def _times(count: int) -> str:
    if count < len(_TIMES):
        return _TIMES[count]
    return f"{_COUNTS[count] if count < len(_COUNTS) else count} times"
