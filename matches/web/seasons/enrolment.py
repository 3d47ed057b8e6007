"""The enrolment of a season on its page: joining links, applications, and the reader's own application."""

from uuid import UUID

from django.http import HttpRequest
from msgspec import Struct

from events import store
from matches.reads.documents.match import PlayerDocument
from matches.seasons import joining, repository, services
from matches.seasons.domain.state import Season
from matches.seasons.reads import arrivals
from matches.seasons.reads.arrivals import JoiningLinkDocument
from matches.web.seasons.reading import Reading


class Enrolment(Struct, frozen=True):
    """The valid `links` are only for the season's organisers; `has_links` is true if there are any, `approval` if all
    of them need an organiser's approval. `waiting` are the applicants; `mine` is the state of the reader's application,
    `reason` why it was declined, and `ahead` how many applied before them."""

    links: list[JoiningLinkDocument]
    has_links: bool
    approval: bool
    waiting: list[PlayerDocument]
    mine: str
    reason: str
    ahead: int


def enrolment(request: HttpRequest, reading: Reading) -> Enrolment | None:
    """Return None for a season that has begun, and for an earlier version."""
    document = reading.document
    if document.status != "enrolling" or reading.is_past:
        return None
    state = repository.load(document.id)
    now = store.clock()
    good = [it for it in state.intake.links.values() if arrivals.status_of(state, it, now) == "good"]
    applications = [it for it in arrivals.applications(state).results if it.status == "waiting"]
    mine = state.intake.applications.get(str(reading.reader.id)) if reading.reader else None
    waiting = [it.player.id for it in applications]
    reader = reading.reader
    gives_links = reader is not None and services.caller(document.id, state, reader).is_organiser
    return Enrolment(
        links=_links(request, document.id, state) if gives_links else [],
        has_links=bool(good),
        approval=all(it.approval for it in good),
        waiting=[it.player for it in applications],
        mine=mine.status if mine else "",
        reason=mine.reason if mine else "",
        ahead=waiting.index(reading.reader.id) if reading.reader and reading.reader.id in waiting else 0,
    )


def _links(request: HttpRequest, season_id: UUID, state: Season) -> list[JoiningLinkDocument]:
    root = request.build_absolute_uri("/").rstrip("/")
    links = arrivals.links(
        state, store.clock(), joining.labels_of(season_id), lambda it: joining.address_of(season_id, it, root)
    )
    return [it for it in links.results if it.status == "good"]
