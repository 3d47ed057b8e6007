"""A season's events <-> what the store keeps of them. A season has no secrets: who may see it sees all of it."""

from functools import cache
from typing import Any

import msgspec

from events.records import NewEvent, Recorded
from events.upcasting import Upcasters
from games.kernel import Event, canonical, from_json, secrecy_of
from games.kernel.messages import type_name
from matches.seasons.domain.events import EVENTS

upcasters = Upcasters()
"""Steps for events whose shape has changed since they were stored."""

if _secret := [name for name, kind in EVENTS.items() if secrecy_of(kind).fields]:
    raise TypeError(f"A season keeps no secrets, so {_secret[0]} can't have any.")


def pack(event: Event) -> NewEvent:
    """An event as the store takes it."""
    name = type_name(type(event))
    return NewEvent(name, canonical(event), schema=upcasters.current(name))


def unpack(row: Recorded) -> Event:
    """A stored event."""
    if upcasters.is_current(row.type, row.schema):
        event: Event = _decoder(row.type).decode(row.public)
        return event
    fields = upcasters.upcast(row.type, row.schema, msgspec.json.decode(row.public))
    return from_json(fields, EVENTS[row.type])


@cache
def _decoder(type: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(EVENTS[type], strict=False)
