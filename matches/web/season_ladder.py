"""The ladder of a season: how each player stood in each episode. Pure, over what the gate has told."""

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from matches.seasons.documents import EpisodeDocument, SeasonDocument, StandingDocument


class Mark(Struct, frozen=True):
    """What a cell of the ladder shows: a letter, its kind for the style, and the words for it."""

    letter: str
    kind: str
    words: str


class Row(Struct, frozen=True):
    """A player and their marks, one an episode."""

    standing: StandingDocument
    marks: list[Mark]


COMING = Mark("-", "coming", "still to come")
SAFE = Mark("·", "safe", "safe")
GONE = Mark("", "gone", "no longer in the season")


def ladder(season: SeasonDocument) -> list[Row]:
    """A row a player: the living by garnets first, then those who have left."""
    return [Row(it, _marks(season, it)) for it in season.standings]


def _marks(season: SeasonDocument, standing: StandingDocument) -> list[Mark]:
    marks, out = [], False
    for episode in season.episodes:
        if out:
            marks.append(GONE)
            continue
        marks.append(_mark(episode, standing.player.id))
        out = episode.eliminated == standing.player.id
    return marks


def _mark(episode: EpisodeDocument, player: UUID) -> Mark:
    tokens = episode.tokens.get(str(player), 0)
    if episode.eliminated == player:
        return Mark("x", "out", "lost the death match and is out")
    if player in (episode.candidate, episode.opponent):
        return _duellist(episode, player)
    if tokens:
        return Mark("T", "token", "holds a token of life" if tokens == 1 else f"holds {tokens} tokens of life")
    if player in episode.candidates and episode.candidate is None:
        return Mark("?", "named", "may be named elimination candidate")
    return SAFE if episode.recorded else COMING


def _duellist(episode: EpisodeDocument, player: UUID) -> Mark:
    part = "elimination candidate" if player == episode.candidate else "death match opponent"
    if episode.eliminated:
        return Mark("W", "survived", f"won the death match as {part}")
    return Mark("E" if player == episode.candidate else "D", "named", f"is the {part}")


def names_in(season: SeasonDocument) -> Callable[[UUID | None], str]:
    """What to call an account in this season."""
    known = {it.player.id: it.player.username for it in season.standings}
    known |= {it.account.id: it.account.username for it in season.staff}
    return lambda account: known.get(account, "somebody") if account else "the season"
