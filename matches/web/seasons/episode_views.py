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
from matches.html.name_lists import told_together
from matches.http.problems import Problem
from matches.seasons.reads import feed, recap
from matches.seasons.reads.documents import EpisodeDocument, RulingDocument
from matches.seasons.reads.recap import Recap
from matches.seasons.reads.sentences import places_told
from matches.web.seasons import pictures
from matches.web.seasons.claiming import claims_told
from matches.web.seasons.decisive import decided
from matches.web.seasons.picture_answers import answered
from matches.web.seasons.reading import Reading, opened
from matches.web.seasons.schedule import fixtures
from matches.web.seasons.told_people import Person, Who, main_tables, people, shown_moves


@require_safe
@counted
def episode(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    reading = opened(request, season_id)
    return render(request, "web/season_episode.html", _context(reading, _recap(reading, number)))


@require_safe
@counted
def picture(request: HttpRequest, season_id: UUID, number: int) -> HttpResponse:
    """Return the episode as a PNG of 1200 by 630, for whoever may see the season, also signed out."""
    reading = opened(request, season_id)
    return answered(request, pictures.recap_card(reading.document, _recap(reading, number)))


def _recap(reading: Reading, number: int) -> Recap:
    season = reading.document
    told = recap.recap(season, number, reading.events(), feed.ledger(season.id, season.version).results)
    if told is None:
        raise Problem("not_found", _("The season has no such episode, or hadn't at that version."))
    return told


def _context(reading: Reading, told: Recap) -> dict[str, Any]:
    document, call, found = reading.document, reading.call, told.episode
    who = people(document)
    duels = fixtures(reading, [it for it in found.matches if it.kind == "death"])
    tables = [it for it in found.matches if it.kind == "main" and it.status != "annulled"]
    gone = told.out or next(iter(told.left), None)
    number = found.number
    acted = _actors(found, who)
    return reading.told(
        episode=found,
        recap=told,
        day=_day(reading, told.ended_at or told.began_at),
        said=recap.sentence(told, call),
        heading=_("episode %(number)s") % {"number": number},
        words=" ".join(recap.headline(told, call)),
        stays=_stays(told, who),
        leaves=_leaves(told, gone, who),
        decided=decided(told.duel) if told.duel else None,
        duel=next((it for it in reversed(duels) if told.duel and it.address == f"/m/{told.duel.id}/"), None),
        duels=duels,
        tables=fixtures(reading, [it for it in found.matches if it.kind == "main"]),
        results=main_tables(tables, who),
        winners=[acted("won", it) for it in found.winners],
        candidates=[acted("lost", it) for it in found.candidates],
        places=places_told(found.places, call),
        result_told=_result(reading, told),
        tokens=[
            _token(told, UUID(it), count, who) | {"person": acted("token", UUID(it))}
            for it, count in found.tokens.items()
            if count
        ],
        giving=call(found.giving) if found.giving else "",
        candidate=acted("candidate", found.candidate) if found.candidate else None,
        named_by=_named_by(told, reading),
        chosen=call(told.chosen) if told.chosen and told.chosen != found.opponent else "",
        opponent=acted("opponent", found.opponent) if found.opponent else None,
        passed_over=[who(it) for it in told.passed_over],
        bans=[(acted("ban", it.player).name, catalogue[it.game].title) for it in found.bans],
        games=[catalogue[slug].title for slug in found.games],
        eliminated=call(found.eliminated) if found.eliminated else "",
        moves=shown_moves(told.garnets, who),
        approved_by=call(told.approved_by) if told.approved_by else "",
        claims=claims_told(document.id, document.version, number) if reading.reads_claims else [],
        rulings=_rulings(reading, told),
        events=told.events,
        earlier=number - 1 if number > 1 else None,
        later=number + 1 if number < len(document.episodes) else None,
    )


def _actors(episode: EpisodeDocument, who: Who) -> Callable[[str, UUID], Person]:
    """Return a function that gives who acted in a part of the episode, with the name of a substitute since."""
    acted = {(it.part, it.player): it.acted for it in episode.deeds}

    def actor(part: str, player: UUID) -> Person:
        now, then = who(player), who(acted.get((part, player), player))
        if then == now:
            return then
        told = {"name": then.name, "successor": now.name}
        return replace(then, name=_("%(name)s (since then %(successor)s)") % told)

    return actor


def _stays(told: Recap, who: Who) -> tuple[Person, str] | None:
    """Return the player on the left, and the words below."""
    found = told.episode
    if told.winner:
        return who(told.winner), _("stays") if found.closed else _("has won the death match")
    if not found.closed and found.candidate:
        return who(found.candidate), _("elimination candidate")
    return (who(found.winners[0]), _("won the main match")) if found.winners else None


def _leaves(told: Recap, gone: UUID | None, who: Who) -> tuple[Person, str, bool] | None:
    """Return the player on the right, the words below, and whether they are out."""
    if told.out:
        return who(told.out), _left(told), True
    if told.episode.closed:
        return (who(gone), _("left the season"), True) if gone else None
    if told.loser:
        return who(told.loser), _("has lost it"), False
    return (who(told.episode.opponent), _("chosen to fight"), False) if told.episode.opponent else None


def _left(told: recap.Recap) -> str:
    return _("leaves %(place)s") % {"place": recap.in_place(told.place)} if told.place else _("leaves")


def _token(told: Recap, player: UUID, count: int, who: Who) -> dict[str, Any]:
    giver = told.givers.get(player)
    why = _("from %(name)s") % {"name": who(giver).name} if giver else ""
    why = _("won the main match") if player in told.episode.winners else why
    return {"person": who(player), "count": count, "why": why}


def _result(reading: Reading, told: Recap) -> str:
    won, lost = (
        told_together([reading.call(it) for it in ids]) for ids in (told.episode.winners, told.episode.candidates)
    )
    told_of = {"winners": won, "losers": lost}
    return (_("Won by %(winners)s; lost by %(losers)s.") if lost else _("Won by %(winners)s.")) % told_of


def _named_by(told: Recap, reading: Reading) -> str:
    return _("named by %(name)s") % {"name": reading.call(told.chooser)} if told.chooser else ""


def _rulings(reading: Reading, told: Recap) -> list[RulingDocument]:
    """Return the rulings on the episode's matches, the newest first."""
    matches = {it.id for it in told.episode.matches}
    document = reading.document
    return [it for it in reversed(feed.rulings(document.id, document.version).results) if it.match in matches]


def _day(reading: Reading, at: str) -> tuple[str, str]:
    """Return the day in the reader's zone (`Thursday 26 November 2026`), and the instant."""
    zone = ZoneInfo(reading.reader.time_zone if reading.reader else "UTC")
    local = datetime.fromisoformat(at).astimezone(zone)
    return f"{local:%A} {local.day} {local:%B %Y}", at
