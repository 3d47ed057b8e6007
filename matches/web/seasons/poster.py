"""The poster of a season: its hosts, its players, and the next date in the reader's zone."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from msgspec import Struct

from events import store
from matches.html.name_lists import joined_by_and, opposed
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument, StandingDocument
from matches.web.seasons.career import places
from matches.web.seasons.ladder import names_in
from matches.web.seasons.reading import Reading
from matches.web.seasons.schedule import matches_in
from matches.web.seasons.steps import WordedStep

_KINDS = {
    "main": gettext_lazy("Main match"),
    "death": gettext_lazy("Death match"),
    "final": gettext_lazy("Match of the final"),
}
_OWN_KINDS = {
    "main": gettext_lazy("Your main match"),
    "death": gettext_lazy("Your death match"),
    "final": gettext_lazy("Your match of the final"),
}
_SIZES = ((8, "large"), (14, "medium"), (22, "small"))
_MOST_PLACES = 14


class Portrayed(Struct, frozen=True):
    """A player on the poster; `due` is what the season waits for from them, in words, or empty."""

    standing: StandingDocument
    due: str

    @property
    def place(self) -> str:
        """Return the place of a player who is out, else the way in which they left."""
        if self.standing.place:
            return str(ordinal(self.standing.place))
        return _("replaced") if self.standing.status == "substituted" else pgettext("the season", "left")


class NextDate(Struct, frozen=True):
    """The next match that has a time, in the reader's zone."""

    what: str
    who: str

    at: datetime
    day: int
    month: str
    weekday: str
    time: str
    zone: str
    away: str


class Poster(Struct, frozen=True):
    """The content of a poster. `size` is the size of the living players' faces. `places` are the free places of a
    season that enrols, `more_places` the number of further ones. `left` is a sentence about the remaining players and
    garnets."""

    hosts: str
    left: str
    champion: StandingDocument | None
    living: list[Portrayed]
    out: list[Portrayed]
    size: str
    places: range
    more_places: int
    next_date: NextDate | None


def poster_of(reading: Reading, episode_steps: Sequence[WordedStep]) -> Poster:
    """Return the poster for the reader; `episode_steps` are those of the newest episode."""
    document = reading.document
    due = {player: _due(step) for step in episode_steps for player in step.awaits}
    call = names_in(document)
    cast = [Portrayed(it, due.get(it.player.id, "")) for it in document.standings]
    champion = next((it for it in document.standings if it.place == 1), None)
    living = [it for it in cast if it.standing.status == "living" and it.standing is not champion]
    enrolling = document.status == "enrolling"
    free = max(0, document.options.most_players - len(living)) if enrolling else 0
    drawn = min(free, max(0, _MOST_PLACES - len(living)))
    return Poster(
        hosts=joined_by_and([call(it.account.id) for it in document.staff if it.role != "auditor"]),
        left=_left(document, len(living)),
        champion=champion,
        living=living,
        out=[it for it in cast if it.standing.status != "living" and it.standing is not champion],
        size=next((name for most, name in _SIZES if len(living) + drawn <= most), "tiny"),
        places=range(drawn),
        more_places=free - drawn,
        next_date=None if reading.is_past else _next_date(reading),
    )


def span_in_words(span: timedelta) -> str:
    """Return a span in words, in days and hours, or in hours and minutes below a day."""
    minutes = max(0, int(span.total_seconds())) // 60
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        (days, ngettext("%(count)s day", "%(count)s days", days)),
        (hours, ngettext("%(count)s hour", "%(count)s hours", hours)),
        (0 if days else rest, ngettext("%(count)s minute", "%(count)s minutes", rest)),
    ]
    words_used = [words % {"count": count} for count, words in parts if count]
    return ", ".join(words_used) or _("less than a minute")


def _due(step: WordedStep) -> str:
    return _("plays") if step.kind == "duel" else _("to decide")


def _left(document: SeasonDocument, living: int) -> str:
    episodes, garnets = len(document.episodes), document.garnets
    if document.status == "finished":
        values = {"players": places(document), "episodes": _thousands(episodes)}
        one = "Played by %(players)s in %(episodes)s episode."
        return ngettext(one, "Played by %(players)s in %(episodes)s episodes.", episodes) % values
    if document.status == "enrolling":
        return _("%(players)s of at most %(most)s are in.") % {"players": living, "most": document.options.most_players}
    if document.status == "running" and document.episodes[-1].closed:
        one = "%(garnets)s garnet is in play."
        return ngettext(one, "%(garnets)s garnets are in play.", garnets) % {"garnets": _thousands(garnets)}
    held = ngettext("%(garnets)s garnet", "%(garnets)s garnets", garnets) % {"garnets": _thousands(garnets)}
    one = "%(players)s is left, with %(held)s in play."
    return ngettext(one, "%(players)s are left, with %(held)s in play.", living) % {"players": living, "held": held}


def _thousands(count: int) -> str:
    return f"{count:,}".replace(",", "\u202f")


def _next_date(reading: Reading) -> NextDate | None:
    """Return the reader's own next match, else the season's."""
    now, me = store.clock(), reading.reader.id if reading.reader else None
    dated = [(datetime.fromisoformat(it.opens_at), it) for it in _to_come(reading.document) if it.opens_at]
    coming = [(at, it) for at, it in dated if at > now]
    if not coming:
        return None
    at, match = min(coming, key=lambda it: (me not in it[1].players, it[0]))
    return _dated(reading, match, at, at - now, me)


def _to_come(document: SeasonDocument) -> list[SeasonMatchDocument]:
    return [it for it in matches_in(document) if it.status == "scheduled"]


def _dated(reading: Reading, match: SeasonMatchDocument, at: datetime, span: timedelta, me: UUID | None) -> NextDate:
    zone = getattr(reading.reader, "time_zone", "")
    local = at.astimezone(ZoneInfo(zone or "UTC"))
    who = [reading.call(it) for it in match.players]
    against = opposed(who, match.kind) if match.kind != "main" else joined_by_and(who)
    return NextDate(
        what=str((_OWN_KINDS if me in match.players else _KINDS)[match.kind]),
        who=f"{against}, {match.title}",
        at=at,
        day=local.day,
        month=f"{local:%b}",
        weekday=f"{local:%A}",
        time=f"{local:%H:%M}",
        zone=zone.replace("_", " "),
        away=span_in_words(span),
    )
