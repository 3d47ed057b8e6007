"""Encoding of a season's events for the store. A season has no secrets: whoever may read it may read every field."""

from functools import cache
from typing import Any

import msgspec

from events.records import NewEvent, Recorded
from events.upcasting import Upcasters
from games.kernel import Event, canonical, from_json, secrecy_of, to_json
from games.kernel.messages import type_name
from matches.domain import earlier_options
from matches.seasons.domain.events import SeasonOpened
from matches.seasons.domain.features import EVENTS
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.scheduling import SCHEDULED

upcasters = Upcasters()
"""Steps for events whose shape has changed since they were stored."""

for _schema, _complete in earlier_options.steps():
    for _kind in SCHEDULED:
        upcasters.step(type_name(_kind), _schema)(_complete)

_OPENED = type_name(SeasonOpened)
_FIRST = frozenset({
    "public", "most_players", "starting_garnets", "reward", "loser_garnets", "transfers", "approval", "priority",
    "pool", "bans_each", "best_of", "spectator_delay",
})  # fmt: skip
_LATER = tuple(name for name in SeasonOptions.__struct_fields__ if name not in _FIRST | {"aids"})
_IF_CHOSEN = {
    name: getattr(SeasonOptions(), name)
    for name in ("private_rooms", "rooms_each", "room_size", "hosts_read_rooms", "rooms_at_end")
}
"""Options that are stored only with another value than their default, which is how every season was before them."""

if _secret := [name for name, kind in EVENTS.items() if secrecy_of(kind).fields]:
    raise TypeError(f"A season keeps no secrets, so {_secret[0]} can't have any.")


def pack(event: Event) -> NewEvent:
    """Return an event as the store appends it."""
    name = type_name(type(event))
    payload = canonical(_apart(to_json(event))) if name == _OPENED else canonical(event)
    return NewEvent(name, payload, schema=upcasters.current(name))


def unpack(row: Recorded) -> Event:
    """Return the event of a stored row, with its shape brought up to date."""
    if row.type == _OPENED:
        return from_json(
            _together(upcasters.upcast(row.type, row.schema, msgspec.json.decode(row.public))), SeasonOpened
        )
    if upcasters.is_current(row.type, row.schema):
        event: Event = _decoder(row.type).decode(row.public)
        return event
    fields = upcasters.upcast(row.type, row.schema, msgspec.json.decode(row.public))
    return from_json(fields, EVENTS[row.type])


def _apart(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a season's opening as they are stored. Options that an earlier release doesn't have are
    outside `options`, where that release ignores them; inside it would refuse to read the event."""
    options = dict(fields["options"])
    later = {name: options.pop(name) for name in _LATER}
    later = {name: value for name, value in later.items() if name not in _IF_CHOSEN or value != _IF_CHOSEN[name]}
    return {**fields, "aids": options.pop("aids"), "options": options, "later_options": later}


def _together(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a season's opening as they are read. Events older than the option `aids` have all aids."""
    options = {"aids": fields.pop("aids", "all"), **fields["options"], **fields.pop("later_options", {})}
    return {**fields, "options": options}


@cache
def _decoder(type: str) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(EVENTS[type], strict=False)
