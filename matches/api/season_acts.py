"""The declared acts on a season as REST operations: the body, example, method, view and address of each."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.urls import URLPattern, path
from msgspec import Struct
from rest_framework.request import Request

from matches.api.examples import ACCOUNT
from matches.api.season_access import ACCEPTED, COMMAND, KEYED, PLAY, SeasonView, carry_out, refusals
from matches.api.season_bodies import Slug, StartBalance, Title, TryQuery
from matches.http.bodies import Reason
from matches.http.operations import operation
from matches.seasons.domain.declared import Body, Kind, SeasonAct, kinds_of, read

_JSON: Final[dict[Kind, Any]] = {
    "player": UUID, "newcomer": UUID, "account": UUID, "match": UUID, "game": Slug, "title": Title, "reason": Reason,
    "amount": StartBalance,
}  # fmt: skip
"""The type of each kind of value in a request; a plain one has its own."""
_EXAMPLES: Final[dict[Kind, Any]] = {"player": ACCOUNT, "newcomer": ACCOUNT, "game": "pentagram"}
_SEASON = "seasons/<uuid:season_id>"


def body_of(act: type[SeasonAct]) -> type[Struct] | None:
    """Return the struct of the act's body: its fields that aren't in its path; None if there are none."""
    if act.rest.body is None:
        return None
    kinds = kinds_of(act)
    in_body = [it for it in msgspec.structs.fields(act) if f":{it.name}>" not in act.rest.path]
    return _body(act.rest.body, tuple((it.name, _JSON.get(kinds[it.name], it.type), it.default) for it in in_body))


@cache
def _body(body: Body, fields: tuple[tuple[str, Any, Any], ...]) -> type[Struct]:
    """Return the struct of a body; acts with equal bodies share it, as it has one name in the schema."""
    namespace = {"__doc__": body.description}
    given = [it[:2] if it[2] is msgspec.NODEFAULT else it for it in fields]
    return msgspec.defstruct(body.name, given, frozen=True, forbid_unknown_fields=True, namespace=namespace)


def example_of(act: type[SeasonAct]) -> dict[str, Any] | None:
    """Return the example of the act's body, None without a body. Raise TypeError if it doesn't fit the body."""
    body = body_of(act)
    if body is None:
        return None
    kinds = kinds_of(act)
    try:
        example = {name: act.example[name] if name in act.example else _EXAMPLES[kinds[name]]
                   for name in body.__struct_fields__}  # fmt: skip
        msgspec.convert(example, body)
    except (KeyError, msgspec.ValidationError) as fault:
        raise TypeError(f"The act `{act.name}`: its example doesn't fit its body: {fault}") from None
    return example


def method_of(act: type[SeasonAct]) -> Callable[..., HttpResponse]:
    """Return the method `post` of a view that carries the act out."""
    newcomers = [name for name, kind in kinds_of(act).items() if kind == "newcomer"]

    @operation(
        act.rest.operation, tag="Season", body=body_of(act), query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*act.rest.refusals), example=example_of(act),
    )  # fmt: skip
    def post(
        _: SeasonView, request: Request, season_id: UUID, query: TryQuery, body: Struct | None = None, **of_path: Any
    ) -> HttpResponse:
        values = of_path | ({} if body is None else msgspec.structs.asdict(body))
        accounts = [values[name] for name in newcomers]
        decided = read(act, {name: str(it) if isinstance(it, UUID) else it for name, it in values.items()})
        return carry_out(
            request, season_id, query, decided.decide, body, settles=act.settles, needs=next(iter(accounts), None)
        )

    post.__doc__ = act.__doc__
    return post


def address_of(act: type[SeasonAct]) -> URLPattern:
    """Return the URL of an act whose path has no other method, with its view."""
    scopes = {"POST": PLAY if act.rest.is_for_players else COMMAND}
    view = type(act.__name__, (SeasonView,), {"post": method_of(act), "scopes": scopes})
    return path(f"{_SEASON}/{act.rest.path}", view.as_view())
