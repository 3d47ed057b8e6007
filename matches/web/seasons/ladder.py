"""The ladder of a season: each player's result in each episode. Pure; reads only the season's document."""

from collections.abc import Callable
from uuid import UUID

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from msgspec import Struct

from matches.domain.bidi import apart
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, StandingDocument


class LadderCell(Struct, frozen=True):
    """A cell of the ladder: a letter, its kind for the style, and its meaning in words."""

    letter: str
    kind: str
    words: str


class LadderRow(Struct, frozen=True):
    """A player and their marks, one per episode; `final` is their mark in the final, None if they don't play it."""

    standing: StandingDocument
    marks: list[LadderCell]
    final: LadderCell | None
    ending: str
    follows: str

    @property
    def is_former(self) -> bool:
        return is_former(self.standing)


FINALISTS = 2
COMING = LadderCell("-", "coming", gettext_lazy("still to come"))
SAFE = LadderCell("·", gettext_lazy("safe"), gettext_lazy("safe"))
GONE = LadderCell("", "gone", gettext_lazy("no longer in the season"))
NOT_YET = LadderCell("", "gone", gettext_lazy("not yet in the season"))
WITHDREW = LadderCell("L", "left", gettext_lazy("left the season"))
SUBSTITUTED = LadderCell("S", "left", gettext_lazy("handed over to a substitute"))


def ladder(season: SeasonDocument) -> list[LadderRow]:
    """Return a row for each player: the living by garnets first, then those who have left."""
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
    """Return the numbers of the episodes until two players are left, if each eliminates one."""
    if season.status in ("final", "finished"):
        return range(0)
    living = sum(it.status == "living" for it in season.standings)
    under_way = bool(season.episodes) and not season.episodes[-1].closed
    begun = len(season.episodes)
    return range(begun + 1, begun + 1 + max(0, living - FINALISTS - under_way))


def follows(standing: StandingDocument, call: Callable[[UUID | None], str]) -> str:
    """Return in words the predecessor of a substitute; empty for other players."""
    if not standing.succeeds:
        return ""
    values = {"name": call(standing.succeeds), "number": standing.since}
    return _("for %(name)s, since episode %(number)s") % values


def mark(episode: EpisodeDocument, standing: StandingDocument) -> LadderCell:
    """Return the mark of a tenure in an episode; an empty cell outside of the tenure."""
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
        return LadderCell("\u2715", "out", _("lost the death match and is out"))
    if player in (episode.candidate, episode.opponent):
        return _duellist(episode, player)
    if tokens:
        words = ngettext("holds a token of life", "holds %(tokens)s tokens of life", tokens) % {"tokens": tokens}
        return LadderCell("T", "token", words)
    if episode.candidate and player in episode.eligible:
        return LadderCell("?", "named", _("may be chosen as death match opponent"))
    if player in episode.candidates and episode.candidate is None and not episode.closed:
        return LadderCell("?", "named", _("may be named elimination candidate"))
    return SAFE if episode.recorded or episode.closed else COMING


def _duellist(episode: EpisodeDocument, player: UUID) -> LadderCell:
    if player == episode.candidate:
        if episode.eliminated:
            return LadderCell("W", "survived", _("won the death match as elimination candidate"))
        return LadderCell("EC", "pair", _("is the elimination candidate"))
    if episode.eliminated:
        return LadderCell("W", "survived", _("won the death match as death match opponent"))
    return LadderCell("DMO", "pair", _("is the death match opponent"))


def _finalist(season: SeasonDocument, standing: StandingDocument) -> LadderCell | None:
    player = standing.player.id
    if not season.final.players or player not in season.final.players:
        return None
    won = sum(it.status == "effective" and it.winner == player for it in season.final.matches)
    if player == season.champion:
        one = "won %(won)s match of the final and is the champion"
        words = ngettext(one, "won %(won)s matches of the final and is the champion", won)
        return LadderCell(str(won), "champion", words % {"won": won})
    words = ngettext("won %(won)s match of the final", "won %(won)s matches of the final", won)
    return LadderCell(str(won), "final", words % {"won": won})


def ending(standing: StandingDocument, call: Callable[[UUID | None], str]) -> str:
    if standing.place == 1:
        return _("Champion")
    if standing.status == "substituted":
        return _("Substituted by %(name)s") % {"name": call(standing.succeeded_by)}
    place = ordinal(standing.place) if standing.place else ""
    match standing.status:
        case "living":
            return _("In, %(place)s") % {"place": place} if place else pgettext("a player's standing", "In")
        case "eliminated":
            return _("Out, %(place)s") % {"place": place} if place else pgettext("a player's standing", "Out")
    return _("Left, %(place)s") % {"place": place} if place else pgettext("a player's standing", "Left")


def is_former(standing: StandingDocument) -> bool:
    """True if the player has left the season; its champion hasn't."""
    return standing.status != "living" and standing.place != 1


def names_in(season: SeasonDocument) -> Callable[[UUID | None], str]:
    """Return a function that returns the name of a player or official, or `the season` for None."""
    names = {it.player.id: it.called for it in season.standings}
    names |= {it.account.id: it.account.username for it in season.staff}
    return lambda account: apart(names.get(account, _("somebody"))) if account else _("the season")
