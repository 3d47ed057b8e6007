"""Events of the log as people read them: where each happened, who did it, and its sentence.

What of an event is sealed is told once its match is over; until then its sentence is the one that all were told.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.urls import reverse

from events import store
from events.models import LoggedEvent
from events.records import Recorded
from games import catalogue
from games.kernel import HOST, SPECTATOR, Witness
from matches.domain.bidi import apart
from matches.domain.events import BOT, HOUSE, STAND_IN
from matches.models import Match
from matches.reads.sentences import lifecycle_sentence, names_of
from matches.seasons import codec as season_codec
from matches.seasons.models import Season
from matches.seasons.reads.sentences import sentence as season_sentence
from matches.seasons.reads.story import NOBODY, names_with
from matches.seasons.reads.story import names_of as names_of_accounts
from matches.storage import codec

OF_THE_HOUSE = {HOUSE: "The house", "clock": "The clock", "dealer": "The dealer", BOT: "A bot"}
"""Actors that are nobody's account."""
_UNTOLD = "Something happened that this version can't tell."
_OVER = (Match.Status.FINISHED, Match.Status.VOID)


class ToldEvent(NamedTuple):
    """An event in a list. `where` is a match's code or a season's title, `at_version` leads to it as it was then."""

    stream: UUID
    version: int
    type: str
    at: datetime
    where: str
    of_season: bool
    way: str
    at_version: str
    who: str
    text: str
    sealed: bool


class _Place(NamedTuple):
    name: str
    of_season: bool
    way: str
    at_version: str
    match: Match | None


def told(events: Sequence[LoggedEvent]) -> list[ToldEvent]:
    """These events, in their order."""
    versions: dict[UUID, list[int]] = defaultdict(list)
    for event in events:
        versions[event.stream].append(event.version)
    rows = {(stream, row.version): row for stream, found in store.read_at(versions).items() for row in found}
    ids = _accounts_in(rows.values())
    people = names_of_accounts(ids) | names_with(ids)
    # After the rows: whatever of a match has been read by the time that it is over may be told.
    places = _places(set(versions))
    return [_told(event, places.get(event.stream), rows[event.stream, event.version], people) for event in events]


def called(actor: str, people: Mapping[str, str]) -> str:
    """Who did something, as a person reads it."""
    if actor.startswith(STAND_IN):
        return f"Stand-in ({actor.removeprefix(STAND_IN)})"
    return OF_THE_HOUSE.get(actor) or apart(people.get(actor, NOBODY))


def match_sentence(match: Match, row: Recorded, witness: Witness, names: Sequence[str]) -> str:
    """A match's event as this witness was told it; its type's name where the game has nothing to say of it."""
    game = catalogue[match.game]
    event = codec.unpack(game, row, witness)
    if row.type in codec.LIFECYCLE:
        return lifecycle_sentence(event, names)
    return game.notation.sentence(event, names)


def _told(event: LoggedEvent, place: _Place | None, row: Recorded, people: Mapping[str, str]) -> ToldEvent:
    place = place or _Place(str(event.stream), False, "", "", None)
    return ToldEvent(
        event.stream,
        event.version,
        event.type,
        event.at,
        place.name,
        place.of_season,
        place.way,
        place.at_version.format(version=event.version) if place.at_version else "",
        called(event.actor, people),
        _sentence(place, row, people),
        row.secret is not None and not (place.match and place.match.status in _OVER),
    )


def _sentence(place: _Place, row: Recorded, people: Mapping[str, str]) -> str:
    """Nothing for an event of which neither a game nor a season tells."""
    try:
        if place.of_season:
            return season_sentence(season_codec.unpack(row), lambda account: apart(people.get(account, NOBODY)))
        if place.match is None:
            return _UNTOLD
        witness = HOST if place.match.status in _OVER else SPECTATOR
        return match_sentence(place.match, row, witness, names_of(place.match))
    except (KeyError, IndexError, msgspec.ValidationError):
        return _UNTOLD  # By a release to come, or one that has gone.


def _places(streams: set[UUID]) -> dict[UUID, _Place]:
    matches = Match.objects.filter(id__in=streams).prefetch_related("seats__account")
    found = {match.id: _place_of(match) for match in matches}
    for season_id, title in Season.objects.filter(id__in=streams).values_list("id", "title"):
        way = reverse("web:season", args=[season_id])
        found[season_id] = _Place(title, True, way, f"{way}?at={{version}}", None)
    return found


def _place_of(match: Match) -> _Place:
    way = reverse("web:match", args=[match.code])
    eyes = "?as=host" if match.status in _OVER else ""
    return _Place(match.code, False, way, f"{way}replay/{{version}}/{eyes}", match)


def _accounts_in(rows: Iterable[Recorded]) -> set[str]:
    """The accounts that act in these events, or of which a season's speak."""
    found: set[str] = set()
    for row in rows:
        found.add(row.actor)
        found.update(_texts(msgspec.json.decode(row.public)))
    return {it for it in found if _is_id(it)}


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for it in value.values():
            yield from _texts(it)
    elif isinstance(value, list):
        for it in value:
            yield from _texts(it)


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
