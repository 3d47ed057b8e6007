"""The declared acts on a season as REST operations: the body, example, method, view and address of each."""

from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import URLPattern, path
from msgspec import NODEFAULT, Meta, Struct
from msgspec.structs import FieldInfo
from rest_framework.request import Request

from matches.api.season_access import ACCEPTED, COMMAND, KEYED, PLAY, SeasonView, carry_out, refusals
from matches.api.season_bodies import Garnets, Instant, Slug, StartBalance, Title, TryQuery
from matches.http.bodies import Reason, RewindBody, Statement, Version
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.seasons.domain import scheduling
from matches.seasons.domain.appointments import MOST_TIMES
from matches.seasons.domain.declared import SOMEBODY, Body, Kind, Rest, SeasonAct, is_optional, kinds_of, read

_SEASON = "seasons/<uuid:season_id>"
_SHARED: Final[dict[str, type[Struct]]] = {RewindBody.__name__: RewindBody}
"""Bodies that other operations have too, as each name in the schema is one body."""


class _Json(NamedTuple):
    """A kind of value in a request: its type, its conversion to the act's value, and its usual example."""

    type: Any
    value: Callable[[Any], Any] = lambda it: it
    example: Any = None


def _accounts(accounts: list[UUID]) -> tuple[str, ...]:
    return tuple(map(str, accounts))


def _rewards(amounts: dict[str, int]) -> dict[str, int]:
    """Return the amounts by account; raise Problem for a key that is no UUID."""
    try:
        return {str(UUID(player)): amount for player, amount in amounts.items()}
    except ValueError:
        raise Problem("malformed", "`rewards`: each name is a player's id.") from None


def _moment(at: datetime) -> str:
    """Return an instant as stored in events; raise Illegal if it is outside of the years of UTC."""
    return scheduling.opening_time(at) or ""


def _moments(times: list[datetime]) -> tuple[str, ...]:
    return tuple(map(_moment, times))


_JSON: Final[dict[Kind, _Json]] = {
    "player": _Json(UUID, str, SOMEBODY),
    "players": _Json(Annotated[list[UUID], Meta(max_length=100)], _accounts),
    "newcomer": _Json(UUID, str, SOMEBODY),
    "account": _Json(UUID, str),
    "match": _Json(UUID, str),
    "game": _Json(Slug, str, "pentagram"),
    "title": _Json(Title),
    "reason": _Json(Reason),
    "statement": _Json(Statement),
    "amount": _Json(StartBalance),
    "garnets": _Json(Garnets),
    "rewards": _Json(Annotated[dict[str, Garnets], Meta(max_length=100)], _rewards),
    "version": _Json(Version),
    "moment": _Json(Instant, _moment, "2030-01-01T18:00:00Z"),
    "moments": _Json(Annotated[list[Instant], Meta(min_length=1, max_length=MOST_TIMES)], _moments),
    "options": _Json(Annotated[dict[str, Any], Meta(min_length=1)]),
}
"""The kinds of values in a request; a kind that isn't listed has the field's own type."""


def body_of(act: type[SeasonAct]) -> type[Struct] | None:
    """Return the struct of the act's body: its fields that aren't in its path; None if there are none."""
    rest = _rest_of(act)
    if rest.body is None:
        return None
    in_body = [it for it in msgspec.structs.fields(act) if f":{it.name}>" not in rest.path]
    return _SHARED.get(rest.body.name) or _body(rest.body, tuple(_in_request(act, it) for it in in_body))


@cache
def _body(body: Body, fields: tuple[tuple[str, Any, tuple[tuple[str, Any], ...]], ...]) -> type[Struct]:
    """Return the struct of a body; acts with equal bodies share it, as each name in the schema is one struct."""
    members = [(name, kind, msgspec.field(**dict(details))) for name, kind, details in fields]
    namespace = {"__doc__": body.description}
    return msgspec.defstruct(body.name, members, frozen=True, forbid_unknown_fields=True, namespace=namespace)


def _in_request(act: type[SeasonAct], field: FieldInfo) -> tuple[str, Any, tuple[tuple[str, Any], ...]]:
    """Return a field's name, its type in a request, and its name and default there."""
    json = _JSON.get(kinds_of(act)[field.name])
    kind = field.type if json is None else json.type | None if is_optional(field.type) else json.type
    details: list[tuple[str, Any]] = [("name", field.encode_name)]
    if field.default is not NODEFAULT:
        details.append(("default", field.default))
    if field.default_factory is not NODEFAULT:
        details.append(("default_factory", field.default_factory))
    return field.name, kind, tuple(details)


def example_of(act: type[SeasonAct]) -> dict[str, Any] | None:
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


def act_in(act: type[SeasonAct], body: Struct | None, of_path: Mapping[str, Any]) -> SeasonAct:
    """Return the act with the values of a request; raise Problem or Illegal for a value that can't be read."""
    sent = {**of_path, **({} if body is None else msgspec.structs.asdict(body))}
    values = {}
    for name, kind in kinds_of(act).items():
        if name in sent:
            json = _JSON.get(kind)
            values[name] = sent[name] if json is None or sent[name] is None else json.value(sent[name])
    return read(act, values)


def method_of(act: type[SeasonAct]) -> Callable[..., HttpResponse]:
    """Return the method `post` of a view that carries the act out."""
    rest = _rest_of(act)
    newcomers = [name for name, kind in kinds_of(act).items() if kind == "newcomer"]

    @operation(
        rest.operation, tag="Season", body=body_of(act), query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*rest.refusals), example=example_of(act),
    )  # fmt: skip
    def post(
        _: SeasonView, request: Request, season_id: UUID, query: TryQuery, body: Struct | None = None, **of_path: Any
    ) -> HttpResponse:
        wanted = act_in(act, body, of_path)
        needs = next((UUID(getattr(wanted, name)) for name in newcomers), None)
        return carry_out(request, season_id, query, wanted, body, needs=needs)

    post.__doc__ = act.__doc__
    return post


def address_of(act: type[SeasonAct]) -> URLPattern:
    """Return the URL pattern, with its view, of an act whose path has no other method."""
    rest = _rest_of(act)
    scopes = {"POST": PLAY if rest.is_for_players else COMMAND}
    view: Any = type(act.__name__, (SeasonView,), {"post": method_of(act), "scopes": scopes})
    return path(f"{_SEASON}/{rest.path}", view.as_view())


def _rest_of(act: type[SeasonAct]) -> Rest:
    if act.rest is None:
        raise TypeError(f"The act `{act.name}` declares no REST operation, so write its view.")
    return act.rest
