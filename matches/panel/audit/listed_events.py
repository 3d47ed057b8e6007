"""Events of the log for reading: where each happened, its actor, and its sentence.

The secret of an event is shown once the secrets of its match are open; until then its sentence is the public one.
"""

import contextlib
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
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads.sentences import lifecycle_sentence, names_of
from matches.seasons import codec as season_codec
from matches.seasons.models import Season
from matches.seasons.reads.event_documents import NOBODY, names_with
from matches.seasons.reads.event_documents import names_of as names_of_accounts
from matches.seasons.reads.sentences import sentence as season_sentence
from matches.storage import codec, repository, texts
from matches.storage.repository import BrokenRecord

OF_THE_HOUSE = {HOUSE: "The house", "clock": "The clock", "dealer": "The dealer", BOT: "A bot"}
"""Actors that are not accounts."""
_UNTOLD = "Something happened that this version can't tell."
_OVER = (Match.Status.FINISHED, Match.Status.VOID)


class ListedEvent(NamedTuple):
    """An event in a list. `where` is a match's code or a season's title, `at_version` links to it as it was then."""

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
    is_open: bool = True
    after: Mapping[int, MatchState] = {}


def listed_events(events: Sequence[LoggedEvent]) -> list[ListedEvent]:
    """Return these events, in their order."""
    versions: dict[UUID, list[int]] = defaultdict(list)
    for event in events:
        versions[event.stream].append(event.version)
    stored = store.read_at(versions)
    rows = {(stream, row.version): row for stream, of_stream in stored.items() for row in of_stream}
    ids = _accounts_in(rows.values())
    people = names_of_accounts(ids) | names_with(ids)
    # Read after the rows: if the secrets of a match are open by now, everything in the rows may be shown.
    places = _places(stored)
    return [
        _listed_event(event, places.get(event.stream), rows[event.stream, event.version], people) for event in events
    ]


def actor_name(actor: str, people: Mapping[str, str]) -> str:
    """Return the name of an actor."""
    if actor.startswith(STAND_IN):
        return f"Stand-in ({actor.removeprefix(STAND_IN)})"
    return OF_THE_HOUSE.get(actor) or apart(people.get(actor, NOBODY))


def states_after(match: Match, rows: Iterable[Recorded]) -> dict[int, MatchState]:
    """Return the match after each of these events, by version, if its sentences need it; none for a broken record."""
    game = catalogue.get(match.game)
    with contextlib.suppress(BrokenRecord):
        if game and game.with_names:
            versions = sorted(row.version for row in rows if row.type not in codec.LIFECYCLE)
            return {it.version: it for it in repository.states_at(match.id, versions, SPECTATOR)}
    return {}


def match_sentence(
    match: Match, row: Recorded, witness: Witness, names: Sequence[str], after: MatchState | None = None
) -> str:
    """Return the sentence of a match's event as this witness saw it; may be empty. `after` is the match after it."""
    game = catalogue[match.game]
    event = codec.unpack(game, row, witness)
    if row.type in codec.LIFECYCLE:
        return lifecycle_sentence(event, names)
    (context,) = game.contexts(after.state, [event]) if after else (None,)
    return game.sentence(texts.readable(game, match.id, event), names, context)


def _listed_event(event: LoggedEvent, place: _Place | None, row: Recorded, people: Mapping[str, str]) -> ListedEvent:
    place = place or _Place(str(event.stream), False, "", "", None)
    return ListedEvent(
        event.stream,
        event.version,
        event.type,
        event.at,
        place.name,
        place.of_season,
        place.way,
        place.at_version.format(version=event.version) if place.at_version else "",
        actor_name(event.actor, people),
        _sentence(place, row, people),
        row.secret is not None and not place.is_open,
    )


def _sentence(place: _Place, row: Recorded, people: Mapping[str, str]) -> str:
    """Return the sentence of an event; _UNTOLD for an unknown type."""
    try:
        if place.of_season:
            return season_sentence(season_codec.unpack(row), lambda account: apart(people.get(account, NOBODY)))
        if place.match is None:
            return _UNTOLD
        witness = HOST if place.is_open else SPECTATOR
        return match_sentence(place.match, row, witness, names_of(place.match), place.after.get(row.version))
    except (KeyError, IndexError, msgspec.ValidationError):
        return _UNTOLD  # Stored by a later or an earlier release.


def _places(stored: Mapping[UUID, Sequence[Recorded]]) -> dict[UUID, _Place]:
    streams = set(stored)
    matches = Match.objects.filter(id__in=streams).prefetch_related("seats__account")
    sealed = _sealed_after_the_end(streams)
    places = {
        match.id: _place_of(
            match, match.status in _OVER and match.id not in sealed, states_after(match, stored[match.id])
        )
        for match in matches
    }
    for season_id, title in Season.objects.filter(id__in=streams).values_list("id", "title"):
        way = reverse("web:season", args=[season_id])
        places[season_id] = _Place(title, True, way, f"{way}?at={{version}}", None)
    return places


def _place_of(match: Match, is_open: bool, after: Mapping[int, MatchState]) -> _Place:
    way = reverse("web:match", args=[match.code])
    eyes = "?as=host" if is_open else ""
    return _Place(match.code, False, way, f"{way}replay/{{version}}/{eyes}", match, is_open, after)


def _sealed_after_the_end(streams: set[UUID]) -> set[UUID]:
    """Return those of these matches whose secrets open with the end of their season, and aren't open."""
    waiting = LoggedEvent.objects.filter(stream__in=streams, version=1, public__secrets_open="season")
    return {match_id for match_id in waiting.values_list("stream", flat=True) if not _is_open(match_id)}


def _is_open(match_id: UUID) -> bool:
    with contextlib.suppress(BrokenRecord):
        return repository.load(match_id, SPECTATOR).lifecycle.is_open
    return False


def _accounts_in(rows: Iterable[Recorded]) -> set[str]:
    """Return the accounts that are actors of these events or named in them."""
    texts: set[str] = set()
    for row in rows:
        texts.add(row.actor)
        texts.update(_texts(msgspec.json.decode(row.public)))
    return {it for it in texts if _is_id(it)}


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
