"""Convert events to and from their stored form: public bytes for all, secret bytes for one audience."""

from functools import cache
from typing import Any

import msgspec

from events.records import NewEvent, Recorded
from events.upcasting import Upcasters
from games import catalogue
from games.kernel import (
    HOST,
    SPECTATOR,
    Event,
    Game,
    Watcher,
    Witness,
    audience_of,
    canonical,
    from_json,
    redact,
    secrecy_of,
    to_json,
)
from games.kernel.messages import type_name
from matches.domain import earlier_options, events
from matches.domain.events import MatchOpened, MatchRewound

upcasters = Upcasters()
"""Upcasting steps for events whose shape has changed since they were stored."""

for _schema, _complete in earlier_options.steps():
    upcasters.step(type_name(MatchOpened), _schema)(_complete)

LIFECYCLE = {type_name(kind): kind for kind in events.EVENTS}


_REWOUND = type_name(MatchRewound)
_SEAT, _SEATS = "seat:", "seats:"


def pack(event: Event) -> NewEvent:
    """Return the event in its stored form. The public part has None for each secret field."""
    name = type_name(type(event))
    public = canonical(redact(event, SPECTATOR))
    audience = audience_name(event)
    if audience is None:
        return NewEvent(name, public, schema=upcasters.current(name))
    fields = to_json(event)
    secret = canonical({field: fields[field] for field in secrecy_of(type(event)).wire_names})
    return NewEvent(name, public, secret, audience, upcasters.current(name))


def audience_name(event: Event) -> str | None:
    """Return the audience of the event's secret; None without a secret.

    `seat:0` is one seat, `seats:3,7` are several, and `host` means that no seat may see it.
    """
    audience = audience_of(event)
    if audience is None or isinstance(audience, Watcher):
        return audience and audience.value
    if isinstance(audience, int):
        return f"{_SEAT}{audience}"
    return f"{_SEATS}{','.join(map(str, audience))}" if audience else HOST.value


def seats_of(audience: str | None) -> tuple[int, ...]:
    """Return the seats that a stored audience names."""
    if audience is None or audience == HOST.value:
        return ()
    return tuple(int(seat) for seat in audience.partition(":")[2].split(","))


def sees_secret(row: Recorded, witness: Witness) -> bool:
    """True if a stored event has a secret and this witness is its audience."""
    return row.secret is not None and (witness is HOST or witness in seats_of(row.audience))


def unpack(game: Game, row: Recorded, witness: Witness) -> Event:
    """Return a stored event as this witness sees it, with its secret only if the witness is its audience."""
    is_audience = sees_secret(row, witness)
    if not is_audience and upcasters.is_current(row.type, row.schema):
        event: Event = _decoder(game.slug, row.type).decode(row.public)
        return event
    fields = msgspec.json.decode(row.public)
    if is_audience and row.secret is not None:
        fields.update(msgspec.json.decode(row.secret))
    return from_json(upcasters.upcast(row.type, row.schema, fields), kind_of(game, row.type))


def unpack_opening(row: Recorded) -> MatchOpened:
    """Return the first event of a match; it names the game whose types decode the others."""
    fields = upcasters.upcast(row.type, row.schema, msgspec.json.decode(row.public))
    return from_json(fields, MatchOpened)


def rewinds_to(row: Recorded) -> int | None:
    """Return the version to which a stored `match_rewound` leads; None for any other event."""
    if row.type != _REWOUND:
        return None
    return from_json(upcasters.upcast(row.type, row.schema, msgspec.json.decode(row.public)), MatchRewound).to_version


def kind_of(game: Game, type: str) -> type[Event]:
    """Return the class of a stored event type, from the lifecycle or the game."""
    return LIFECYCLE.get(type) or game.event_types[type]


@cache
def _decoder(slug: str, type: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind_of(catalogue[slug], type), strict=False)
