"""Shared parts of the season views: finding the season, carrying out an act, responding with a version's document."""

from collections.abc import Callable, Mapping
from uuid import UUID

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_bodies import AtQuery, TryQuery
from matches.domain.tables import Table
from matches.http.command_headers import KEY_HEADER, VERSION_HEADER, idempotency_key
from matches.http.etags import etag, expected_version, names_tag, not_modified, unchanged
from matches.http.operations import Media
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.http.strangers import refuse_strangers
from matches.http.table_files import MEDIA_TYPES, accepted_form, table_file, table_tag, zone_of
from matches.seasons import process_manager, repository, services
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.state import Season as State
from matches.seasons.models import Season
from matches.seasons.reads import selectors
from matches.seasons.reads.documents import Foresight, SeasonAccepted
from matches.services.playing import Accepted

COMMAND = "season:admin"
"""The scope of the acts of organisers and hosts."""
PLAY = "match:play"
"""The scope of a player's acts."""
READ = "match:read"
KEYED = (KEY_HEADER, VERSION_HEADER)
_OF_EVERY_ACT = (
    "forbidden", "plays_here", "season_over", "version_behind", "conflict", "idempotency_key_missing",
    "idempotency_key_reused", "record_broken",
)  # fmt: skip


class Preview(Struct, frozen=True):
    """The response to a dry run: the version at which the act would be accepted, its effects, and advice."""

    version: int
    text: list[str]


ACCEPTED = {201: SeasonAccepted, 200: Preview}


def refusals(*codes: str) -> tuple[str, ...]:
    """Return the codes by which an act on a season may be refused: those of every act, and these."""
    return (*_OF_EVERY_ACT, *codes)


def in_tables(document: type[Struct]) -> Mapping[int, Media | None]:
    """Return the responses of an operation whose document is also there as a table."""
    return {200: Media(tuple(MEDIA_TYPES), json=document), 304: None}


class SeasonView(APIView):
    scopes: Mapping[str, str] = {"GET": READ, "POST": COMMAND}


def visible_season(request: Request, season_id: UUID) -> Season:
    """Return the season; raise Problem if the caller may not see it. Without an account only finished seasons are
    visible."""
    season = selectors.season_for(request.user, season_id)
    if season is None:
        raise Problem("not_found", "There is no season with this id.")
    if season.status != Season.Status.FINISHED:
        refuse_strangers(request)
    return season


def season_at(request: Request, season_id: UUID, query: AtQuery) -> State:
    """Return the season at the requested version; raise Problem if the caller may not see it."""
    return repository.load(visible_season(request, season_id).id, upto=query.at)


def versioned(request: Request, document: Struct, version: int) -> HttpResponse:
    """Return the document with the season's version as its ETag, or 304 if the client has that version."""
    if unchanged(request, version):
        return not_modified(etag(version))
    return answer(document, headers={"ETag": etag(version)})


def tabular(
    request: Request, season_id: UUID, document: Struct, version: int, table_of: Callable[[], Table]
) -> HttpResponse:
    """Return the document as `versioned` does, or its table as a file if the client prefers one; raise Illegal
    `too_many_rows`."""
    form, zone = accepted_form(request), zone_of(request)
    if form is None:
        return versioned(request, document, version)
    tag = table_tag(etag(version), form, zone)
    if names_tag(request, tag):
        return not_modified(tag)
    return table_file(table_of(), form, zone, f"season-{season_id}", {"ETag": tag})


def carry_out(
    request: Request,
    season_id: UUID,
    query: TryQuery,
    act: SeasonAct,
    body: Struct | None = None,
) -> HttpResponse:
    """Carry out an act; with `dry_run` only preview it. The same key with another `body` is refused as reused."""
    visible_season(request, season_id)
    expected = expected_version(request)
    if query.dry_run:
        foresight = services.preview(season_id=season_id, by=request.user, decide=act.decide, expected=expected)
        return foreseen(foresight)
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


def foreseen(foresight: Foresight) -> HttpResponse:
    """Return the response to a dry run."""
    return answer(
        Preview(
            foresight.version,
            [
                *(event.text for event in foresight.events),
                *foresight.due,
                *foresight.known,
                *foresight.advice,
                *foresight.warnings,
            ],
        )
    )


def under_key(accepted: Accepted, **headers: str) -> HttpResponse:
    """Return 201 with the stored response, which a repeated request gets again."""
    all_headers = {"ETag": etag(accepted.version), **headers}
    if accepted.replayed:
        all_headers["Idempotent-Replayed"] = "true"
    return HttpResponse(accepted.response, status=201, content_type="application/json", headers=all_headers)
