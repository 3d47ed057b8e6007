"""The poster of a season: who hosts it, who plays and who is out, and the next date in the reader's zone."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from django.contrib.humanize.templatetags.humanize import ordinal
from msgspec import Struct

from events import store
from games import catalogue
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument, StandingDocument
from matches.seasons.reads.timing_sentences import listed
from matches.web.seasons.ladder import names_in
from matches.web.seasons.reading import Reading
from matches.web.seasons.schedule import matches_in
from matches.web.seasons.steps import Step

_KINDS = {"main": "Main match", "death": "Death match", "final": "Match of the final"}
_SIZES = ((8, "large"), (14, "medium"), (22, "small"))
_MOST_PLACES = 14


class Portrayed(Struct, frozen=True):
    """A player on the poster; `due` is what the season waits for from them, empty where it waits for others."""

    standing: StandingDocument
    due: str

    @property
    def place(self) -> str:
        """The place of somebody who is out, or how else they left."""
        if self.standing.place:
            return str(ordinal(self.standing.place))
        return "replaced" if self.standing.status == "substituted" else "left"


class NextDate(Struct, frozen=True):
    """The next match that has a time: what it is, whose, when, and how far that is, all by the reader's clock."""

    what: str
    who: str
    mine: bool
    at: datetime
    day: int
    month: str
    weekday: str
    time: str
    zone: str
    away: str


class Poster(Struct, frozen=True):
    """`living` and `out` are the cast, `size` how large the living are drawn; `places` are the empty ones of a season
    that enrols, `more_places` how many aren't drawn. `left` says how many are left, with what."""

    hosts: str
    left: str
    champion: StandingDocument | None
    living: list[Portrayed]
    out: list[Portrayed]
    size: str
    places: range
    more_places: int
    next_date: NextDate | None


def poster_of(reading: Reading, at_hand: Sequence[Step]) -> Poster:
    """The poster for its reader; `at_hand` are the steps of the open episode."""
    document = reading.document
    due = {player: _due(step) for step in at_hand for player in step.awaits}
    call = names_in(document)
    cast = [Portrayed(it, due.get(it.player.id, "")) for it in document.standings]
    champion = next((it for it in document.standings if it.place == 1), None)
    living = [it for it in cast if it.standing.status == "living" and it.standing is not champion]
    enrolling = document.status == "enrolling"
    free = max(0, document.options.most_players - len(living)) if enrolling else 0
    drawn = min(free, max(0, _MOST_PLACES - len(living)))
    return Poster(
        hosts=listed([call(it.account.id) for it in document.staff if it.role != "auditor"], "and"),
        left=_left(document, len(living)),
        champion=champion,
        living=living,
        out=[it for it in cast if it.standing.status != "living" and it.standing is not champion],
        size=next((name for most, name in _SIZES if len(living) + drawn <= most), "tiny"),
        places=range(drawn),
        more_places=free - drawn,
        next_date=None if reading.is_past else _next_date(reading),
    )


def span_told(span: timedelta) -> str:
    """How far away something is, in its two largest units."""
    minutes = max(0, int(span.total_seconds())) // 60
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [(days, "day"), (hours, "hour")] if days else [(hours, "hour"), (rest, "minute")]
    told = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return ", ".join(told) or "less than a minute"


def _due(step: Step) -> str:
    return "plays" if step.kind == "duel" else "to decide"


def _left(document: SeasonDocument, living: int) -> str:
    if document.status == "finished":
        return f"Played by {len(document.standings)} in {_counted(len(document.episodes), 'episode')}."
    if document.status == "enrolling":
        return f"{living} of at most {document.options.most_players} are in."
    if document.status == "running" and document.episodes[-1].closed:
        return f"{_counted(document.garnets, 'garnet')} {'is' if document.garnets == 1 else 'are'} in play."
    verb = "is" if living == 1 else "are"
    return f"{living} {verb} left, with {_counted(document.garnets, 'garnet')} in play."


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}".replace(",", "\u202f")


def _next_date(reading: Reading) -> NextDate | None:
    """The reader's own next match where they play one, else the season's."""
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
    against = " against ".join(who) if match.kind != "main" else listed(who, "and")
    return NextDate(
        what=_KINDS[match.kind],
        who=f"{against}, {catalogue[match.game].title}",
        mine=me in match.players,
        at=at,
        day=local.day,
        month=f"{local:%b}",
        weekday=f"{local:%A}",
        time=f"{local:%H:%M}",
        zone=zone.replace("_", " "),
        away=span_told(span),
    )
