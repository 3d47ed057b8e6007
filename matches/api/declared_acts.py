"""The declared acts as REST requests: the body and example of each, and the act in a request."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any, Final, NamedTuple, TypeVar
from uuid import UUID

import msgspec
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo

from games.kernel.texts import Commitment
from matches.api.season_bodies import Change, Garnets, Instant, Slug, StartBalance, Title
from matches.domain.clocks import instant
from matches.domain.declared import SOMEBODY, Act, Body, Kind, Rest, is_optional, kinds_of, read
from matches.http.bodies import HostBody, Reason, Statement, Text, Version
from matches.http.problems import Problem
from matches.seasons.domain.appointments import MOST_TIMES

A = TypeVar("A", bound=Act)
_SHARED: Final[dict[str, type[Struct]]] = {HostBody.__name__: HostBody}
"""Bodies that other operations have too, as a name stands for one body in the schema."""


class _Json(NamedTuple):
    """A kind of value in a request: its type there, how the act has it, and its usual example."""

    type: Any
    value: Callable[[Any], Any] = lambda it: it
    example: Any = None


def _accounts(accounts: list[UUID]) -> tuple[str, ...]:
    return tuple(map(str, accounts))


def _by_player(amounts: dict[str, int]) -> dict[str, int]:
    """Return the amounts by account; raise Problem for a name that is no account's id, or a player named twice."""
    try:
        by_player = {str(UUID(player)): amount for player, amount in amounts.items()}
    except ValueError:
        raise Problem("malformed", "Garnets by player: each name is a player's id.") from None
    if len(by_player) < len(amounts):
        raise Problem("malformed", "Garnets by player: a player is named twice, in two spellings of the id.")
    return by_player


def moment(at: datetime) -> str:
    """Return an instant as the record writes it. If no year of UTC holds it, its offset is ignored: each act refuses it
    with its own code, because it isn't in the coming year."""
    try:
        return instant(at)
    except OverflowError:
        return instant(at.replace(tzinfo=UTC))


def _moments(times: list[datetime]) -> tuple[str, ...]:
    return tuple(map(moment, times))


_JSON: Final[dict[Kind, _Json]] = {
    "player": _Json(UUID, str, SOMEBODY),
    "players": _Json(Annotated[list[UUID], Meta(max_length=100)], _accounts),
    "newcomer": _Json(UUID, str, SOMEBODY),
    "account": _Json(UUID, str),
    "match": _Json(UUID, str),
    "game": _Json(Slug, str, "pentagram"),
    "title": _Json(Title),
    "reason": _Json(Reason),
    "remark": _Json(Text),
    "statement": _Json(Statement),
    "seat_player": _Json(Annotated[str, Meta(max_length=40)]),
    "text": _Json(Commitment),
    "amount": _Json(StartBalance),
    "garnets": _Json(Garnets),
    "rewards": _Json(Annotated[dict[str, Garnets], Meta(max_length=100)], _by_player),
    "changes": _Json(Annotated[dict[str, Change], Meta(max_length=100)], _by_player),
    "version": _Json(Version),
    "moment": _Json(Instant, moment, "2030-01-01T18:00:00Z"),
    "moments": _Json(Annotated[list[Instant], Meta(min_length=1, max_length=MOST_TIMES)], _moments),
    "options": _Json(Annotated[dict[str, Any], Meta(min_length=1)]),
}
"""Each kind in a request; a value of another kind has its own type."""


def body_of(act: type[Act]) -> type[Struct] | None:
    """Return the struct of the act's body: its fields that aren't in its path; None if there are none."""
    rest = rest_of(act)
    if rest.body is None:
        return None
    in_body = [it for it in msgspec.structs.fields(act) if f":{it.name}>" not in rest.path]
    return _SHARED.get(rest.body.name) or _body(rest.body, tuple(_in_request(act, it) for it in in_body))


@cache
def _body(body: Body, fields: tuple[tuple[str, Any, tuple[tuple[str, Any], ...]], ...]) -> type[Struct]:
    """Return the struct of a body; acts with equal bodies share it, as it has one name in the schema."""
    given = [(name, kind, msgspec.field(**dict(details))) for name, kind, details in fields]
    namespace = {"__doc__": body.description}
    return msgspec.defstruct(body.name, given, frozen=True, forbid_unknown_fields=True, namespace=namespace)


def _in_request(act: type[Act], field: FieldInfo) -> tuple[str, Any, tuple[tuple[str, Any], ...]]:
    """Return a field's name, its type in a request, and its name and default there."""
    json = _JSON.get(kinds_of(act)[field.name])
    kind = field.type if json is None else json.type | None if is_optional(field.type) else json.type
    details: list[tuple[str, Any]] = [("name", field.encode_name)]
    if field.default is not NODEFAULT:
        details.append(("default", field.default))
    if field.default_factory is not NODEFAULT:
        details.append(("default_factory", field.default_factory))
    return field.name, kind, tuple(details)


def example_of(act: type[Act]) -> dict[str, Any] | None:
    """Return the example of the act's body, None without a body. Raise TypeError if it doesn't fit the body."""
    body = body_of(act)
    if body is None:
        return None
    if stray := next((it for it in act.example if it not in body.__struct_fields__), None):
        raise TypeError(f"The act `{act.name}`: its example has `{stray}`, which its body doesn't.")
    kinds = kinds_of(act)
    usual = {name: _JSON[kind].example for name, kind in kinds.items() if kind in _JSON}
    example: dict[str, Any] = {}
    for field in msgspec.structs.fields(body):
        if field.name in act.example:
            example[field.encode_name] = act.example[field.name]
        elif field.required and usual.get(field.name) is not None:
            example[field.encode_name] = usual[field.name]
    try:
        msgspec.convert(example, body)
    except msgspec.ValidationError as fault:
        raise TypeError(f"The act `{act.name}`: its example doesn't fit its body: {fault}") from None
    return example


def act_in(act: type[A], body: Struct | None, of_path: Mapping[str, Any]) -> A:
    """Return the act with the values of a request; raise Problem for one that can't be read."""
    given = {**of_path, **({} if body is None else msgspec.structs.asdict(body))}
    values = {}
    for name, kind in kinds_of(act).items():
        if name in given:
            json = _JSON.get(kind)
            values[name] = given[name] if json is None or given[name] is None else json.value(given[name])
    return read(act, values)


def rest_of(act: type[Act]) -> Rest:
    """Return the act's operation; raise TypeError without one."""
    if act.rest is None:
        raise TypeError(f"The act `{act.name}` declares no REST operation, so write its view.")
    return act.rest
