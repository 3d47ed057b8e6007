"""Who acted in an episode, in words: where a substitute goes on since, both are named."""

from uuid import UUID

from games import catalogue
from matches.seasons.reads.documents import DeedDocument, EpisodeDocument
from matches.web.seasons.ledger import Names

_CHOSEN = {"token": "given by", "candidate": "named by", "opponent": "chosen by"}
_DONE = {
    "won": "won the main match",
    "lost": "lost the main match",
    "token": "held a token of life",
    "candidate": "was the elimination candidate",
    "opponent": "was the death match opponent",
}


def acting(acted: UUID, now: UUID, call: Names) -> str:
    """Who acted, and who goes on in their place since."""
    return call(acted) if acted == now else f"{call(acted)} (since then {call(now)})"


def parts(episode: EpisodeDocument, call: Names) -> dict[str, list[str]]:
    """Who acted, by part: each with who goes on since, and who chose them."""
    told: dict[str, list[str]] = {}
    for deed in episode.deeds:
        told.setdefault(deed.part, []).append(_told(deed, episode, call))
    return told


def before_handing_over(episode: EpisodeDocument, player: UUID) -> str:
    """What the player did in an episode in which another goes on for them; empty where nothing was done, or no other
    does."""
    done = [_done(it) for it in episode.deeds if it.acted == player != it.player]
    return ", ".join(done)


def _done(deed: DeedDocument) -> str:
    return f"struck {catalogue[deed.game].title}" if deed.game else _DONE[deed.part]


def _told(deed: DeedDocument, episode: EpisodeDocument, call: Names) -> str:
    told = acting(deed.acted, deed.player, call)
    if deed.game:
        return f"{catalogue[deed.game].title} by {told}"
    if deed.part == "token" and (count := episode.tokens.get(str(deed.player), 0)) > 1:
        told = f"{told} ({count})"
    chosen = _CHOSEN.get(deed.part)
    return f"{told}, {chosen} {call(deed.by)}" if chosen and deed.by else told
