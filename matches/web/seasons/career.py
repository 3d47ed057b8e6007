"""The champion's career in the season: a mark for each episode, and a sentence. Pure."""

from collections.abc import Callable
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, StandingDocument

_TIMES = (gettext_lazy("never"), gettext_lazy("once"), gettext_lazy("twice"))
_COUNTS = (
    gettext_lazy("no"), gettext_lazy("one"), gettext_lazy("two"), gettext_lazy("three"), gettext_lazy("four"),
    gettext_lazy("five"), gettext_lazy("six"), gettext_lazy("seven"), gettext_lazy("eight"), gettext_lazy("nine"),
    gettext_lazy("ten"), gettext_lazy("eleven"), gettext_lazy("twelve"),
)  # fmt: skip


class CareerMark(Struct, frozen=True):
    """The champion's result in an episode or the final. `kind` is `won` (a duel), `token` (held), `safe`, `away` (not
    yet in the season) or `title`."""

    label: str
    kind: str
    words: str


class Career(Struct, frozen=True):
    """The champion's standing and steps; `plainly` is the sentence without a name."""

    standing: StandingDocument
    marks: list[CareerMark]
    sentence: str
    plainly: str
    foot: str


def career(season: SeasonDocument, call: Callable[[UUID | None], str], day: str) -> Career | None:
    """Return the champion's career, None if there is no champion. `day` is the day on which the season ended, in
    words."""
    standing = next((it for it in season.standings if it.player.id == season.champion), None)
    if standing is None:
        return None
    me = standing.player.id
    steps = [_mark(it, me, standing.since) for it in season.episodes]
    title = CareerMark(_("Final"), "title", _("won the final"))
    count, number = places(season), len(season.episodes)
    episodes = ngettext("%(count)s episode", "%(count)s episodes", number) % {"count": number}
    players = ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
    foot = f"{players}, {episodes}, {day}"
    served = _served(season, me)
    other = next((it for it in season.final.players or [] if it != me), None)
    return Career(
        standing,
        [*steps, title],
        f"{_final(season, me, call(other) if other else '')} {served}",
        f"{_final(season, me, _('the other finalist'))} {served}",
        foot,
    )


def places(season: SeasonDocument) -> int:
    """Return the number of players, a substitute and their predecessor counted once."""
    return sum(it.succeeds is None for it in season.standings)


def _mark(episode: EpisodeDocument, me: UUID, since: int) -> CareerMark:
    label = str(episode.number)
    if episode.number < since:
        return CareerMark(label, "away", _("not yet in the season"))
    if me in (episode.candidate, episode.opponent) and episode.eliminated not in (None, me):
        if me == episode.candidate:
            return CareerMark(label, "won", _("won the death match as elimination candidate"))
        return CareerMark(label, "won", _("won the death match as chosen opponent"))
    if episode.tokens.get(str(me)):
        return CareerMark(label, "token", _("held a token of life"))
    return CareerMark(label, "safe", _("safe"))


def _final(season: SeasonDocument, me: UUID, other: str) -> str:
    won = [it.winner == me for it in season.final.matches if it.status == "effective"]
    if not won or not other:
        return _("The last player in the season.")
    return _("Beat %(name)s %(won)s to %(lost)s in the final.") % {
        "name": other,
        "won": won.count(True),
        "lost": won.count(False),
    }


def _served(season: SeasonDocument, me: UUID) -> str:
    named = sum(it.candidate == me for it in season.episodes)
    chosen = sum(it.opponent == me for it in season.episodes)
    if not named and not chosen:
        return _("Never named a candidate, never chosen to fight.")
    values = {"named": _times(named).capitalize(), "chosen": _times(chosen)}
    return _("%(named)s named a candidate, %(chosen)s chosen to fight.") % values


def _times(count: int) -> str:
    if count < len(_TIMES):
        return str(_TIMES[count])
    return ngettext("%(count)s time", "%(count)s times", count) % {
        "count": _COUNTS[count] if count < len(_COUNTS) else count
    }
