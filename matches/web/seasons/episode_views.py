"""The page of an episode, and its picture for chats."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from msgspec.structs import replace

from games import catalogue
from matches.html.entry import counted
from matches.html.name_lists import joined_by_and
from matches.http.problems import Problem
from matches.seasons.reads import feed, recap
from matches.seasons.reads.documents import EpisodeDocument, RulingDocument
from matches.seasons.reads.recap import Recap
from matches.seasons.reads.sentences import places_in_words
from matches.web.seasons import pictures
from matches.web.seasons.claiming import shown_claims
from matches.web.seasons.decisive import decided
from matches.web.seasons.episode_players import Person, Who, main_tables, people, shown_moves
from matches.web.seasons.picture_answers import answered
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import fixtures


@require_safe
@counted
def episode(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    reading = opened(request, season_id)
    return render(request, "web/season_episode.html", _context(reading, _recap(reading, number)))


@require_safe
@counted
def picture(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    """Return the episode as a PNG of 1200 by 630. All who may see the season may have it, also signed out."""
    reading = opened(request, season_id)
    return answered(request, pictures.recap_card(reading.document, _recap(reading, number)))


def _recap(reading: Reading, number: int) -> Recap:
    season = reading.document
    episode_recap = recap.recap(season, number, reading.events(), feed.ledger(season.id, season.version).results)
    if episode_recap is None:
        raise Problem("not_found", _("The season has no such episode, or hadn't at that version."))
    return episode_recap


def _context(reading: Reading, episode_recap: Recap) -> dict[str, Any]:
    document, call, episode = reading.document, reading.call, episode_recap.episode
    who = people(document)
    duels = fixtures(reading, [it for it in episode.matches if it.kind == "death"])
    tables = [it for it in episode.matches if it.kind == "main" and it.status != "annulled"]
    gone = episode_recap.out or next(iter(episode_recap.left), None)
    number = episode.number
    acted = _actors(episode, who)
    return reading.context(
        episode=episode,
        recap=episode_recap,
        day=_day(reading, episode_recap.ended_at or episode_recap.began_at),
        said=recap.sentence(episode_recap, call),
        heading=_("episode %(number)s") % {"number": number},
        words=" ".join(recap.headline(episode_recap, call)),
        stays=_stays(episode_recap, who),
        leaves=_leaves(episode_recap, gone, who),
        decided=decided(episode_recap.duel) if episode_recap.duel else None,
        duel=next(
            (it for it in reversed(duels) if episode_recap.duel and it.address == f"/m/{episode_recap.duel.id}/"), None
        ),
        duels=duels,
        tables=fixtures(reading, [it for it in episode.matches if it.kind == "main"]),
        results=main_tables(tables, who),
        winners=[acted("won", it) for it in episode.winners],
        candidates=[acted("lost", it) for it in episode.candidates],
        places=places_in_words(episode.places, call),
        result_told=_result(reading, episode_recap),
        tokens=[
            _token(episode_recap, UUID(it), count, who) | {"person": acted("token", UUID(it))}
            for it, count in episode.tokens.items()
            if count
        ],
        giving=call(episode.giving) if episode.giving else "",
        candidate=acted("candidate", episode.candidate) if episode.candidate else None,
        named_by=_named_by(episode_recap, reading),
        chosen=call(episode_recap.chosen) if episode_recap.chosen and episode_recap.chosen != episode.opponent else "",
        opponent=acted("opponent", episode.opponent) if episode.opponent else None,
        passed_over=[who(it) for it in episode_recap.passed_over],
        bans=[(acted("ban", it.player).name, catalogue[it.game].title) for it in episode.bans],
        games=[catalogue[slug].title for slug in episode.games],
        eliminated=call(episode.eliminated) if episode.eliminated else "",
        moves=shown_moves(episode_recap.garnets, who),
        approved_by=call(episode_recap.approved_by) if episode_recap.approved_by else "",
        claims=shown_claims(document.id, document.version, number) if reading.reads_claims else [],
        rulings=_rulings(reading, episode_recap),
        events=episode_recap.events,
        earlier=number - 1 if number > 1 else None,
        later=number + 1 if number < len(document.episodes) else None,
    )


def _actors(episode: EpisodeDocument, who: Who) -> Callable[[str, UUID], Person]:
    """Return a function that returns the actor of a part of the episode, with the name of their substitute since."""
    acted = {(it.part, it.player): it.acted for it in episode.deeds}

    def actor(part: str, player: UUID) -> Person:
        now, then = who(player), who(acted.get((part, player), player))
        if then == now:
            return then
        names = {"name": then.name, "successor": now.name}
        return replace(then, name=_("%(name)s (since then %(successor)s)") % names)

    return actor


def _stays(episode_recap: Recap, who: Who) -> tuple[Person, str] | None:
    """Return the player on the left and the caption."""
    episode = episode_recap.episode
    if episode_recap.winner:
        return who(episode_recap.winner), _("stays") if episode.closed else _("has won the death match")
    if not episode.closed and episode.candidate:
        return who(episode.candidate), _("elimination candidate")
    return (who(episode.winners[0]), _("won the main match")) if episode.winners else None


def _leaves(episode_recap: Recap, gone: UUID | None, who: Who) -> tuple[Person, str, bool] | None:
    """Return the player on the right, the caption, and True if they are out."""
    if episode_recap.out:
        return who(episode_recap.out), _left(episode_recap), True
    if episode_recap.episode.closed:
        return (who(gone), _("left the season"), True) if gone else None
    if episode_recap.loser:
        return who(episode_recap.loser), _("has lost it"), False
    return (
        (who(episode_recap.episode.opponent), _("chosen to fight"), False) if episode_recap.episode.opponent else None
    )


def _left(episode_recap: recap.Recap) -> str:
    return (
        _("leaves %(place)s") % {"place": recap.in_place(episode_recap.place)} if episode_recap.place else _("leaves")
    )


def _token(episode_recap: Recap, player: UUID, count: int, who: Who) -> dict[str, Any]:
    giver = episode_recap.givers.get(player)
    why = _("from %(name)s") % {"name": who(giver).name} if giver else ""
    why = _("won the main match") if player in episode_recap.episode.winners else why
    return {"person": who(player), "count": count, "why": why}


def _result(reading: Reading, episode_recap: Recap) -> str:
    won, lost = (
        joined_by_and([reading.call(it) for it in ids])
        for ids in (episode_recap.episode.winners, episode_recap.episode.candidates)
    )
    names = {"winners": won, "losers": lost}
    return (_("Won by %(winners)s; lost by %(losers)s.") if lost else _("Won by %(winners)s.")) % names


def _named_by(episode_recap: Recap, reading: Reading) -> str:
    return _("named by %(name)s") % {"name": reading.call(episode_recap.chooser)} if episode_recap.chooser else ""


def _rulings(reading: Reading, episode_recap: Recap) -> list[RulingDocument]:
    """Return the rulings on the episode's matches, the newest first."""
    matches = {it.id for it in episode_recap.episode.matches}
    document = reading.document
    return [it for it in reversed(feed.rulings(document.id, document.version).results) if it.match in matches]


def _day(reading: Reading, at: str) -> tuple[str, str]:
    """Return the day in the reader's zone (`Thursday 26 November 2026`), and the instant."""
    zone = ZoneInfo(reading.reader.time_zone if reading.reader else "UTC")
    local = datetime.fromisoformat(at).astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y}", at
