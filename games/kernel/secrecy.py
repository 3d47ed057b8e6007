"""The audience of an event's fields, declared on each field; an undeclared field is an error at import."""

from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec

from games.kernel.messages import Event
from games.kernel.witnesses import EVERYONE, HOST, KnownTo, Watcher, Witness

E = TypeVar("E", bound=Event)

_NAMES_SEATS = (int, tuple[int, ...])
"""The types of a public field that can name an audience."""


class UndeclaredSecrecy(TypeError):
    """An event class declares no audience for a field, or an impossible one."""


@dataclass(frozen=True)
class Secrecy:
    """The secret fields of an event class and their audience."""

    fields: tuple[str, ...]
    wire_names: tuple[str, ...]
    audience: str | Watcher | None
    blank: dict[str, None]

    def hides_from(self, event: Event, witness: Witness) -> bool:
        """True if this witness must not see the secret fields of this event."""
        return bool(self.fields) and witness is not HOST and witness not in self.seats(event)

    def seats(self, event: Event) -> tuple[int, ...]:
        """Return the seats that may see the secret fields of this event."""
        if self.audience is HOST:
            return ()
        named: int | tuple[int, ...] = getattr(event, str(self.audience))
        return (named,) if isinstance(named, int) else named


@cache
def secrecy_of(event_class: type[Event]) -> Secrecy:
    """Return the declared secrecy of an event class; raise UndeclaredSecrecy."""
    types = get_type_hints(event_class)
    marks = {
        name: _mark(event_class, name, hint)
        for name, hint in get_type_hints(event_class, include_extras=True).items()
        if name in event_class.__struct_fields__
    }
    secret = tuple(name for name in event_class.__struct_fields__ if marks[name] is not EVERYONE)
    for name in secret:
        _refuse_unblankable(event_class, name)
    audiences = {marks[name].whom for name in secret}
    if len(audiences) > 1:
        raise UndeclaredSecrecy(f"{event_class.__name__}: all secret fields of an event share one audience.")
    audience = audiences.pop() if audiences else None
    if isinstance(audience, str) and (marks.get(audience) is not EVERYONE or types[audience] not in _NAMES_SEATS):
        raise UndeclaredSecrecy(f"{event_class.__name__}: {audience!r} is no public field that names seats.")
    wire = dict(zip(event_class.__struct_fields__, event_class.__struct_encode_fields__, strict=True))
    return Secrecy(secret, tuple(wire[name] for name in secret), audience, dict.fromkeys(secret))


def _mark(event_class: type[Event], name: str, hint: Any) -> KnownTo:
    marks = [mark for mark in getattr(hint, "__metadata__", ()) if isinstance(mark, KnownTo)]
    if len(marks) != 1:
        raise UndeclaredSecrecy(
            f"{event_class.__name__}.{name} must say who may see it: Public[...] or Annotated[..., known_to(...)]."
        )
    return marks[0]


def _refuse_unblankable(event_class: type[Event], name: str) -> None:
    """Raise UndeclaredSecrecy unless the field allows None and has no default: blanked, it is null in the JSON."""
    field = next(field for field in msgspec.structs.fields(event_class) if field.name == name)
    try:
        msgspec.convert(None, field.type)
    except msgspec.ValidationError:
        raise UndeclaredSecrecy(f"{event_class.__name__}.{name} is secret, so it must allow None.") from None
    if not field.required:
        raise UndeclaredSecrecy(f"{event_class.__name__}.{name} is secret, so it can't have a default.")


def redact(event: E, witness: Witness) -> E:
    """Return the event with None in the secret fields that this witness may not see."""
    secrecy = secrecy_of(type(event))
    if not secrecy.hides_from(event, witness):
        return event
    return msgspec.structs.replace(event, **secrecy.blank)


def audience_of(event: Event) -> int | tuple[int, ...] | Watcher | None:
    """Return the seat or seats that may see the event's secret, HOST for nobody at the table, None without a secret."""
    secrecy = secrecy_of(type(event))
    if not secrecy.fields or isinstance(secrecy.audience, Watcher):
        return secrecy.audience if secrecy.fields else None  # type: ignore[return-value]
    seats: int | tuple[int, ...] = getattr(event, str(secrecy.audience))
    return seats
