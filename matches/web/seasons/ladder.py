"""The ladder of a season: how each player stood in each episode. Pure, over what the gate has told."""

from collections.abc import Callable
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from msgspec import Struct

from matches.domain.bidi import apart
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, StandingDocument


class LadderCell(Struct, frozen=True):
    """What a cell of the ladder shows: a letter, its kind for the style, and the words for it."""

    letter: str
    kind: str
    words: str


class LadderRow(Struct, frozen=True):
    """A player and their marks, one an episode; `final` is that of the final, None where they don't play it."""

    standing: StandingDocument
    marks: list[LadderCell]
    final: LadderCell | None
    ending: str
    follows: str

    @property
    def is_former(self) -> bool:
        """Whether they are no longer in the season."""
        return is_former(self.standing)


FINALISTS = 2
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
        LadderRow(
            it,
            [mark(episode, it) for episode in season.episodes],
            _finalist(season, it),
            ending(it, call),
            follows(it, call),
        )
        for it in season.standings
    ]


def episodes_to_come(season: SeasonDocument) -> range:
    """The numbers of the episodes that it takes yet until two are left, where each takes one player out."""
    if season.status in ("final", "finished"):
        return range(0)
    living = sum(it.status == "living" for it in season.standings)
    under_way = bool(season.episodes) and not season.episodes[-1].closed
    begun = len(season.episodes)
    return range(begun + 1, begun + 1 + max(0, living - FINALISTS - under_way))


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
        return LadderCell("\u2715", "out", "lost the death match and is out")
    if player in (episode.candidate, episode.opponent):
        return _duellist(episode, player)
    if tokens:
        return LadderCell("T", "token", "holds a token of life" if tokens == 1 else f"holds {tokens} tokens of life")
    if episode.candidate and player in episode.eligible:
        return LadderCell("?", "named", "may be chosen as death match opponent")
    if player in episode.candidates and episode.candidate is None and not episode.closed:
        return LadderCell("?", "named", "may be named elimination candidate")
    return SAFE if episode.recorded or episode.closed else COMING


def _duellist(episode: EpisodeDocument, player: UUID) -> LadderCell:
    part = "elimination candidate" if player == episode.candidate else "death match opponent"
    if episode.eliminated:
        return LadderCell("W", "survived", f"won the death match as {part}")
    return LadderCell("EC" if player == episode.candidate else "DMO", "pair", f"is the {part}")


def _finalist(season: SeasonDocument, standing: StandingDocument) -> LadderCell | None:
    """How many matches of the final a finalist has won."""
    player = standing.player.id
    if not season.final.players or player not in season.final.players:
        return None
    won = sum(it.status == "effective" and it.winner == player for it in season.final.matches)
    told = f"won {won} match{'' if won == 1 else 'es'} of the final"
    if player == season.champion:
        return LadderCell(str(won), "champion", f"{told} and is the champion")
    return LadderCell(str(won), "final", told)


def ending(standing: StandingDocument, call: Callable[[UUID | None], str]) -> str:
    """How the tenure stands, or ended."""
    if standing.place == 1:
        return "Champion"
    if standing.status == "substituted":
        return f"Substituted by {call(standing.succeeded_by)}"
    how = {"living": "In", "eliminated": "Out", "withdrawn": "Left"}[standing.status]
    return f"{how}, {ordinal(standing.place)}" if standing.place else how


def is_former(standing: StandingDocument) -> bool:
    """Whether the player is no longer in the season; its champion is to its end."""
    return standing.status != "living" and standing.place != 1


def names_in(season: SeasonDocument) -> Callable[[UUID | None], str]:
    """What to call an account in this season."""
    known = {it.player.id: it.called for it in season.standings}
    known |= {it.account.id: it.account.username for it in season.staff}
    return lambda account: apart(known.get(account, "somebody")) if account else "the season"
