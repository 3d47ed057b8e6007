"""The ladder of a season: how each player stood in each episode. Pure, over what the gate has told."""

from collections.abc import Callable
from uuid import UUID

from msgspec import Struct

from matches.domain.bidi import apart
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, StandingDocument


class LadderCell(Struct, frozen=True):
    """What a cell of the ladder shows: a letter, its kind for the style, and the words for it."""

    letter: str
    kind: str
    words: str


class LadderRow(Struct, frozen=True):
    """A player and their marks, one an episode."""

    standing: StandingDocument
    marks: list[LadderCell]
    ending: str
    follows: str


COMING = LadderCell("-", "coming", "still to come")
SAFE = LadderCell("·", "safe", "safe")
GONE = LadderCell("", "gone", "no longer in the season")
NOT_YET = LadderCell("", "gone", "not yet in the season")
WITHDREW = LadderCell("L", "left", "left the season")
SUBSTITUTED = LadderCell("S", "left", "handed over to a substitute")


def ladder(season: SeasonDocument) -> list[LadderRow]:
    """A row a player: the living by garnets first, then those who have left."""
    call = names_in(season)
    return [
        LadderRow(it, [mark(episode, it) for episode in season.episodes], ending(it, call), follows(it, call))
        for it in season.standings
    ]


def follows(standing: StandingDocument, call: Callable[[UUID | None], str]) -> str:
    """Whose place it is, for a substitute; empty for others."""
    return f"for {call(standing.succeeds)}, since episode {standing.since}" if standing.succeeds else ""


def mark(episode: EpisodeDocument, standing: StandingDocument) -> LadderCell:
    """How a tenure stood in an episode; before its first and after its last there is nothing to tell."""
    if episode.number < standing.since:
        return NOT_YET
    if standing.left is None or episode.number < standing.left:
        return _mark(episode, standing.player.id)
    if episode.number > standing.left:
        return GONE
    if standing.status == "substituted":
        return SUBSTITUTED
    return WITHDREW if standing.status == "withdrawn" else _mark(episode, standing.player.id)


def _mark(episode: EpisodeDocument, player: UUID) -> LadderCell:
    tokens = episode.tokens.get(str(player), 0)
    if episode.eliminated == player:
        return LadderCell("x", "out", "lost the death match and is out")
    if player in (episode.candidate, episode.opponent):
        return _duellist(episode, player)
    if tokens:
        return LadderCell("T", "token", "holds a token of life" if tokens == 1 else f"holds {tokens} tokens of life")
    if player in episode.candidates and episode.candidate is None and not episode.closed:
        return LadderCell("?", "named", "may be named elimination candidate")
    return SAFE if episode.recorded or episode.closed else COMING


def _duellist(episode: EpisodeDocument, player: UUID) -> LadderCell:
    part = "elimination candidate" if player == episode.candidate else "death match opponent"
    if episode.eliminated:
        return LadderCell("W", "survived", f"won the death match as {part}")
    return LadderCell("E" if player == episode.candidate else "D", "named", f"is the {part}")


def ending(standing: StandingDocument, call: Callable[[UUID | None], str]) -> str:
    """How the tenure stands, or ended."""
    if standing.place == 1:
        return "Champion"
    if standing.status == "substituted":
        return f"Substituted by {call(standing.succeeded_by)}"
    how = {"living": "In", "eliminated": "Out", "withdrawn": "Left"}[standing.status]
    return f"{how}, place {standing.place}" if standing.place else how


def names_in(season: SeasonDocument) -> Callable[[UUID | None], str]:
    """What to call an account in this season."""
    known = {it.player.id: it.called for it in season.standings}
    known |= {it.account.id: it.account.username for it in season.staff}
    return lambda account: apart(known.get(account, "somebody")) if account else "the season"
