"""The declared acts on a season as REST operations: the method, view and address of each."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import URLPattern, path
from msgspec import Struct
from rest_framework.request import Request

from matches.api.declared_acts import act_in, body_of, example_of, rest_of
from matches.api.season_access import ACCEPTED, COMMAND, KEYED, PLAY, SeasonView, carry_out, refusals
from matches.api.season_bodies import TryQuery
from matches.http.operations import operation
from matches.seasons.domain.declared import SeasonAct

_SEASON = "seasons/<uuid:season_id>"


def method_of(act: type[SeasonAct]) -> Callable[..., HttpResponse]:
    """Return the method `post` of a view that carries the act out."""
    rest = rest_of(act)

    @operation(
        rest.operation, tag="Season", body=body_of(act), query=TryQuery, headers=KEYED, answers=ACCEPTED,
        problems=refusals(*rest.refusals), example=example_of(act),
    )  # fmt: skip
    def post(
        _: SeasonView, request: Request, season_id: UUID, query: TryQuery, body: Struct | None = None, **of_path: Any
    ) -> HttpResponse:
        return carry_out(request, season_id, query, act_in(act, body, of_path), body)

    post.__doc__ = act.__doc__
    return post


def address_of(act: type[SeasonAct]) -> URLPattern:
    """Return the URL of an act whose path has no other method, with its view."""
    rest = rest_of(act)
    scopes = {"POST": PLAY if rest.is_for_players else COMMAND}
    view: Any = type(act.__name__, (SeasonView,), {"post": method_of(act), "scopes": scopes})
    return path(f"{_SEASON}/{rest.path}", view.as_view())
