"""The deeds of an episode in words, which name the actor and their substitute since."""

from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import catalogue
from matches.seasons.reads.documents import DeedDocument, EpisodeDocument
from matches.web.seasons.ledger import Names

_CHOSEN = {
    "token": gettext_lazy("%(name)s, given by %(chooser)s"),
    "candidate": gettext_lazy("%(name)s, named by %(chooser)s"),
    "opponent": gettext_lazy("%(name)s, chosen by %(chooser)s"),
}
_DONE = {
    "won": gettext_lazy("won the main match"),
    "lost": gettext_lazy("lost the main match"),
    "token": gettext_lazy("held a token of life"),
    "candidate": gettext_lazy("was the elimination candidate"),
    "opponent": gettext_lazy("was the death match opponent"),
}


def acting(acted: UUID, now: UUID, call: Names) -> str:
    if acted == now:
        return call(acted)
    return _("%(name)s (since then %(successor)s)") % {"name": call(acted), "successor": call(now)}


def parts(episode: EpisodeDocument, call: Names) -> dict[str, list[str]]:
    """Return the actors of an episode by part, each with their substitute and the player who chose them."""
    actors: dict[str, list[str]] = {}
    for deed in episode.deeds:
        actors.setdefault(deed.part, []).append(_actor(deed, episode, call))
    return actors


def before_handing_over(episode: EpisodeDocument, player: UUID) -> str:
    """Return what the player did in an episode in which a substitute has replaced them since; empty if nothing."""
    done = [_done(it) for it in episode.deeds if it.acted == player != it.player]
    return ", ".join(done)


def _done(deed: DeedDocument) -> str:
    return _("struck %(game)s") % {"game": catalogue[deed.game].title} if deed.game else str(_DONE[deed.part])


def _actor(deed: DeedDocument, episode: EpisodeDocument, call: Names) -> str:
    actor = acting(deed.acted, deed.player, call)
    if deed.game:
        return _("%(game)s by %(name)s") % {"game": catalogue[deed.game].title, "name": actor}
    if deed.part == "token" and (count := episode.tokens.get(str(deed.player), 0)) > 1:
        actor = f"{actor} ({count})"
    chosen = _CHOSEN.get(deed.part)
    return chosen % {"name": actor, "chooser": call(deed.by)} if chosen and deed.by else actor
