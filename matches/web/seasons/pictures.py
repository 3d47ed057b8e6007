"""A season's pictures for chats: an episode's recap, the champion's card, the poster. They are equal for all readers.
They show generated faces only, as an uploaded portrait could not be removed from a chat.
"""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connections
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games import catalogue
from games.drawing import cards
from games.drawing.glyphs import drawable
from games.drawing.portraits import NOBODY, draw
from games.drawing.themes import HOUSE
from games.drawing.treasures import COIN, GARNET, placed
from matches.domain.portraits import face
from matches.models import Account
from matches.reads.pictures import Busy as Busy
from matches.reads.pictures import png_of_drawn, tag_of
from matches.seasons.reads.documents import SeasonDocument, StandingDocument
from matches.seasons.reads.recap import Recap, headline
from matches.web.seasons.career import Career, CareerMark, places
from matches.web.seasons.decisive import drawn_for_chats

__all__ = ["Busy", "champion", "faces_of", "photographed", "poster", "recap_card", "tag_of"]

_LEFT: Final = 432
_FACES_IN_A_ROW: Final = 7
_MOST_GEMS: Final = 12
_STEPS_IN_A_ROW: Final = 14
Faces = Callable[[UUID], str]


def photographed(drawn: str) -> bytes:
    """Return the picture as a PNG of 1200 by 630; raise Busy."""
    # Making the PNG may take long, and needs no database connection.
    connections[DEFAULT_DB_ALIAS].close()
    return png_of_drawn(drawn, cards.WIDE)


def faces_of(season: SeasonDocument) -> Faces:
    ids = [it.player.id for it in season.standings]
    chosen = dict(Account.objects.filter(id__in=ids).values_list("id", "portrait_face"))
    return lambda account: draw(face(account, chosen[account]) if account in chosen else NOBODY)


def recap_card(season: SeasonDocument, recap: Recap) -> str:
    faces, call = faces_of(season), _called(season, recap)
    shown = headline(recap, call)
    title = _written(season.title, _("A season"))
    heading = _("%(season)s, episode %(number)s") % {"season": title, "number": recap.episode.number}
    if recap.episode.candidate and recap.episode.opponent and not recap.episode.closed:
        return _awaited(heading, recap, call, faces)
    parts = [cards.words(_LEFT, 72, heading, 25, HOUSE.gold, bold=True, width=720)]
    gone = recap.out or next(iter(recap.left), None) if recap.episode.closed else None
    left, right = _two(recap, gone)
    if not left and not right:
        players = [
            it for it in season.standings if it.since <= recap.episode.number <= (it.left or recap.episode.number)
        ]
        text = _written(season.headline, "") if not recap.episode.closed else _otherwise(recap)
        return _gathering(heading, " ".join(shown), text, players, faces)
    if left:
        parts.append(cards.face(faces(left), 56, 199, 330, ring=recap.episode.closed))
    if right:
        parts.append(cards.face(faces(right), 934, 349.5, 210, is_out=right == gone))
    size = min(cards.fitting(it, 76, 30, 720) for it in shown)
    for row, line in enumerate(shown):
        parts.append(cards.words(_LEFT - 4, 146 + row * size, line, size, bold=True, width=728))
    under = 146 + (len(shown) - 1) * size + 40
    parts += _decisive(recap, under)
    parts += [cards.signed(_LEFT, 588), *_those_left(season, recap, faces)]
    return cards.card(f"{heading}: {' '.join(shown)}", *parts)


def champion(season: SeasonDocument, career: Career) -> str:
    faces, standing = faces_of(season), career.standing
    name = _written(standing.called, _("The champion"))
    heading = _("Champion of %(season)s") % {"season": _written(season.title, _("the season"))}
    size = cards.fitting(name, 164, 30, 600)
    x = 540
    parts = [
        cards.face(faces(standing.player.id), 70, 111.5, 400, ring=True),
        cards.words(x, 98, heading, min(30, cards.fitting(heading, 30, 20, 596)), HOUSE.gold, bold=True, width=596),
        cards.words(x - size * 0.04, 249 - (164 - size) * 0.25, name, size, bold=True, width=620),
    ]
    for row, line in enumerate(cards.lines(_written(career.sentence, career.plainly), 22, 600, 2)):
        parts.append(cards.words(x, 300 + 30 * row, line, 22, HOUSE.muted))
    parts += [*_steps(career.marks, x), *_gems(standing.garnets, x)]
    parts += [cards.signed(x, 586), cards.words(1136, 586, career.foot, 17, HOUSE.muted, anchor="end", width=420)]
    return cards.card(f"{heading}: {name}", *parts)


def poster(season: SeasonDocument) -> str:
    """Return the season's poster: its title, its headline, and everybody's face, grey if they are out."""
    title = _written(season.title, _("A season"))
    text = _written(season.headline, _plain_headline(season))
    foot = ngettext("%(garnets)s garnet in play", "%(garnets)s garnets in play", season.garnets)
    foot %= {"garnets": season.garnets}
    count = places(season)
    kicker = ngettext("%(count)s player", "%(count)s players", count) % {"count": count}
    return _gathering(kicker, title, text, season.standings, faces_of(season), foot)


def _gathering(
    kicker: str, title: str, text: str, standings: Sequence[StandingDocument], faces: Faces, foot: str = ""
) -> str:
    size = cards.fitting(title, 104, 44, 1080)
    under = 96 + size * 0.84
    parts = [
        cards.words(60, 84, kicker, 24, HOUSE.gold, bold=True, width=1080),
        cards.words(60 - size * 0.04, under, title, size, bold=True, width=1085),
        cards.words(60, under + 48, text, 26, HOUSE.muted, width=1080),
        *_crowd(standings, faces, under + 84),
        cards.signed(60, 588),
        cards.words(1140, 588, foot, 18, HOUSE.muted, anchor="end", width=420),
    ]
    return cards.card(f"{title}: {text}" if text else title, *parts)


def _awaited(heading: str, recap: Recap, call: Callable[[UUID | None], str], faces: Faces) -> str:
    one, other = recap.episode.candidate, recap.episode.opponent
    between = [call(one), pgettext("between two names", "against"), call(other)]
    size = min(cards.fitting(it, 72, 30, 420) for it in between)
    parts = [cards.words(600, 120, heading, 25, HOUSE.gold, bold=True, anchor="middle", width=1000)]
    for row, line in enumerate(between):
        is_name = row != 1
        parts.append(
            cards.words(
                600, 270 + (0, 0.72, 1.62)[row] * size, line, size if is_name else size * 0.5,
                HOUSE.ink if is_name else HOUSE.muted, bold=is_name, anchor="middle", width=430,
            )
        )  # fmt: skip
    parts.append(
        cards.words(600, 270 + size * 1.62 + 60, _otherwise(recap), 22, HOUSE.muted, anchor="middle", width=430)
    )
    for player, x in ((one, 60), (other, 840)):
        if player:
            parts.append(cards.face(faces(player), x, cards.FOOT - 375, 300))
    return cards.card(f"{heading}: {' '.join(between)}", *parts, cards.signed(540, 588))


def _called(season: SeasonDocument, recap: Recap) -> Callable[[UUID | None], str]:
    """Return a function that returns a player's name, or their part in the episode if the fonts lack a letter of it."""
    names = {it.player.id: it.called for it in season.standings}
    parts = {recap.winner: _("The winner"), recap.out or recap.loser: _("The loser")}
    return lambda account: _written(names.get(account, "") if account else "", parts.get(account, _("A player")))


def _written(text: str, otherwise: str) -> str:
    """Return the text without isolating characters, or `otherwise` if it is blank or the fonts lack a letter."""
    plain = "".join(letter for letter in text if letter not in "⁨⁩")
    return plain if plain.strip() and drawable(plain) else otherwise


def _two(recap: Recap, gone: UUID | None) -> tuple[UUID | None, UUID | None]:
    if recap.winner:
        return recap.winner, gone or recap.loser
    if not recap.episode.closed and recap.episode.candidate:
        return recap.episode.candidate, recap.episode.opponent
    return next(iter(recap.episode.winners), None), gone


def _decisive(recap: Recap, y: float) -> list[str]:
    shown = drawn_for_chats(recap.duel) if recap.duel else None
    under = f"{catalogue[recap.duel.game].title}: {shown[0]}." if recap.duel and shown else _otherwise(recap)
    words = [
        cards.words(_LEFT, y + row * 29, line, 22, HOUSE.muted)
        for row, line in enumerate(cards.lines(under, 22, 690, 2))
    ]
    top = y + len(words) * 29 - 12
    return [*words, cards.inset(shown[1], _LEFT, top, 476, 550 - top)] if shown else words


def _otherwise(recap: Recap) -> str:
    if recap.duel:
        return _("The death match: %(game)s.") % {"game": catalogue[recap.duel.game].title}
    name = _written(recap.episode.name, "")
    return _("The main match: %(name)s.") % {"name": name} if name else ""


def _those_left(season: SeasonDocument, recap: Recap, faces: Faces) -> list[str]:
    """Draw the players who remain after a closed episode, as many as there is room for; nothing for an open one."""
    number = recap.episode.number
    going_on = [it for it in season.standings if it.since <= number + 1 and (it.left is None or it.left > number)]
    going_on = [it for it in going_on if it.status != "substituted" or it.left != number + 1]
    if not recap.episode.closed or not going_on:
        return []
    shown = going_on[:_FACES_IN_A_ROW] if len(going_on) > _FACES_IN_A_ROW + 1 else going_on
    more = len(going_on) - len(shown)
    x = 900 - len(shown) * 41 - (34 if more else 0)
    drawn = [cards.face(faces(it.player.id), x + 41 * place, 557, 36) for place, it in enumerate(shown)]
    left = ngettext("%(count)s left", "%(count)s left", len(going_on)) % {"count": len(going_on)}
    count_drawn = [cards.words(x - 10, 588, left, 18, HOUSE.muted, anchor="end")] if x > 640 else []
    rest = [cards.words(900, 588, f"+{more}", 18, HOUSE.muted, anchor="end")] if more else []
    return [*count_drawn, *drawn, *rest]


def _steps(steps: Sequence[CareerMark], x: float) -> list[str]:
    """Draw a square for each episode, in two rows if they are many, and a legend."""
    each = len(steps) if len(steps) <= _STEPS_IN_A_ROW else -(-len(steps) // 2)
    room = min(50, 596 / max(1, each))
    is_one_row = each == len(steps)
    side = min(44 if is_one_row else 32, room - 4)
    drawn: list[str] = []
    for place, step in enumerate(steps):
        left, top = x + place % each * room, 363 + place // each * (side + 5)
        drawn += _step(step, left, top, side)
        if is_one_row:
            drawn.append(cards.words(left + side / 2, top + side + 18, step.label, 13, HOUSE.muted, bold=True,
                                     anchor="middle"))  # fmt: skip
    return [
        *drawn, cards.words(x + 9, 455, "W", 14, HOUSE.seat_a, bold=True, anchor="middle"),
        cards.words(x + 24, 455, _("duel won"), 15, HOUSE.muted),
        placed(COIN, x + 106, 439, 18), cards.words(x + 130, 455, _("token of life"), 15, HOUSE.muted),
    ]  # fmt: skip


def _step(step: CareerMark, left: float, top: float, side: float) -> Iterator[str]:
    fill = {"won": HOUSE.seat_a, "title": HOUSE.gold}.get(step.kind, HOUSE.inset)
    yield f'<rect x="{left:g}" y="{top:g}" width="{side:g}" height="{side:g}" rx="5" fill="{fill}"/>'
    middle = left + side / 2
    if step.kind == "won":
        yield cards.words(middle, top + side * 0.68, "W", side * 0.5, HOUSE.on_seat, bold=True, anchor="middle")
    elif step.kind == "token":
        yield placed(COIN, middle - side * 0.36, top + side * 0.14, side * 0.72)
    elif step.kind == "title":
        yield placed(GARNET, middle - side * 0.28, top + side * 0.18, side * 0.64)


def _gems(count: int, x: float) -> list[str]:
    drawn = [placed(GARNET, x + 37 * place, 482, 36) for place in range(min(count, _MOST_GEMS))]
    return [*drawn, cards.words(x + 37 * len(drawn) + (10 if drawn else 0), 509, _of_garnets(count), 24, bold=True)]


def _of_garnets(count: int) -> str:
    return ngettext("%(garnets)s garnet", "%(garnets)s garnets", count) % {"garnets": count}


def _crowd(standings: Sequence[StandingDocument], faces: Faces, top: float) -> list[str]:
    """Draw all faces in the number of rows that makes them largest."""
    high, wide, count = 552 - top, 1080, max(1, len(standings))
    width, rows = max((min(wide / -(-count // n) - 8, (high / n - 8) / 1.25, 220.0), n) for n in range(1, 8))
    each = -(-count // rows)
    step = width + min(32.0, max(8.0, (wide - each * width) / max(1, each - 1)))
    return [
        cards.face(
            faces(it.player.id), 60 + place % each * step, top + place // each * (width * 1.25 + 8), width,
            is_out=it.status != "living" and it.place != 1, ring=it.place == 1,
        )
        for place, it in enumerate(standings)
    ]  # fmt: skip


def _plain_headline(season: SeasonDocument) -> str:
    if season.champion:
        return _("There is a champion")
    return _("Episode %(number)s") % {"number": len(season.episodes)} if season.episodes else _("Enrolment")


def date_of(at: str) -> str:
    """Return a day in UTC, as a picture has no zone: `21 December 2026`."""
    day = datetime.fromisoformat(at)
    return f"{day.day} {day:%B %Y}"
