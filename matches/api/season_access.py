"""What every season view does: find the season if the caller may see it, act under a key, read at a version."""

from collections.abc import Mapping
from uuid import UUID

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_bodies import AtQuery, TryQuery
from matches.http.command_headers import KEY_HEADER, VERSION_HEADER, idempotency_key
from matches.http.etags import etag, expected_version, not_modified, unchanged
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import refuse_strangers
from matches.seasons import process_manager, repository, services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.state import Season as State
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.seasons.reads.documents import Foresight, SeasonAccepted
from matches.services import Accepted

COMMAND = "season:admin"
"""The scope of the acts of who runs a season."""
PLAY = "match:play"
"""The scope of a player's acts."""
READ = "match:read"
KEYED = (KEY_HEADER, VERSION_HEADER)
_OF_EVERY_ACT = (
    "forbidden", "plays_here", "season_over", "version_behind", "conflict", "idempotency_key_missing",
    "idempotency_key_reused", "record_broken",
)  # fmt: skip


class Preview(Struct, frozen=True):
    """The answer to a dry run: the act would be accepted at this version, what it would bring, and what to consider."""

    version: int
    text: list[str]


ACCEPTED = {201: SeasonAccepted, 200: Preview}


def refusals(*codes: str) -> tuple[str, ...]:
    """What an act on a season may be refused with."""
    return (*_OF_EVERY_ACT, *codes)


class SeasonView(APIView):
    """Something of a season."""

    scopes: Mapping[str, str] = {"GET": READ, "POST": COMMAND}


def season_seen(request: Request, season_id: UUID) -> Season:
    """The season, if the caller may see it, who without an account sees those that are over; raises Problem."""
    found = selectors.season_for(request.user, season_id)
    if found is None:
        raise Problem("not_found", "There is no season with this id.")
    if found.status != Season.Status.FINISHED:
        refuse_strangers(request)
    return found


def season_at(request: Request, season_id: UUID, query: AtQuery) -> State:
    """The season as it stood at the version asked for."""
    return repository.load(season_seen(request, season_id).id, upto=query.at)


def told(request: Request, document: Struct, version: int) -> HttpResponse:
    """A document with the season's version as its ETag, or 304."""
    if unchanged(request, version):
        return not_modified(etag(version))
    return answer(document, headers={"ETag": etag(version)})


def carry_out(
    request: Request,
    season_id: UUID,
    query: TryQuery,
    act: SeasonAct,
    body: Struct | None = None,
) -> HttpResponse:
    """Carry an act out, or only try it. `body` is what distinguishes it from another act under the same key."""
    season_seen(request, season_id)
    expected = expected_version(request)
    if query.dry_run:
        told = services.preview(season_id=season_id, by=request.user, decide=act.decide, expected=expected)
        return foreseen(told)
    accepted = services.act(
        season_id=season_id,
        by=request.user,
        decide=act.decide,
        key=idempotency_key(request),
        fingerprint=services.fingerprint_of(request.path, *(() if body is None else (body,))),
        expected=expected,
    )
    if act.settles:
        process_manager.settle_soon(season_id)
    return under_key(accepted)


def foreseen(told: Foresight) -> HttpResponse:
    """The answer to a dry run."""
    return answer(Preview(told.version, [*(event.text for event in told.events), *told.due, *told.known, *told.advice]))


def under_key(accepted: Accepted, **headers: str) -> HttpResponse:
    """201 with the stored answer."""
    given = {"ETag": etag(accepted.version), **headers}
    if accepted.replayed:
        given["Idempotent-Replayed"] = "true"
    return HttpResponse(accepted.response, status=201, content_type="application/json", headers=given)
