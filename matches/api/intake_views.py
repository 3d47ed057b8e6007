"""Enrolment in a season: lists, joining links and applications."""

from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from events import store
from matches.api.declared_acts import moment
from matches.api.season_access import (
    ACCEPTED,
    COMMAND,
    KEYED,
    PLAY,
    READ,
    SeasonView,
    foreseen,
    refusals,
    season_at,
    under_key,
    versioned,
    visible_season,
)
from matches.api.season_acts import method_of
from matches.api.season_bodies import (
    AtQuery,
    ListBody,
    TryQuery,
)
from matches.http.command_headers import idempotency_key
from matches.http.etags import expected_version
from matches.http.operations import operation
from matches.http.problems import Problem, refusal
from matches.http.responses import answer
from matches.seasons import arrivals as arriving
from matches.seasons import joining, repository, services
from matches.seasons.arrivals import ListRead
from matches.seasons.domain.deciding import refuse_unless_organiser
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.intake_acts import Apply, OpenJoining, WithdrawApplication
from matches.seasons.reads import arrivals
from matches.seasons.reads.arrivals import ApplicationList, JoiningDocument, JoiningLinks
from matches.seasons.reads.documents import SeasonAccepted


class ListView(SeasonView):
    scopes = {"POST": COMMAND}

    @operation(
        "enrolList", tag="Season", body=ListBody, query=TryQuery, headers=KEYED,
        answers={201: SeasonAccepted, 200: ListRead},
        problems=refusals(
            "enrolment_closed", "bad_list", "list_faulty", "empty_list", "too_many_links", "bad_closing_time"
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: ListBody) -> HttpResponse:
        """Enrol the accounts that a list names, one a line, and make a joining link for each e-mail address, all in one
        act: for the season's organisers. `dry_run=1` returns the effect or the fault of each line."""
        visible_season(request, season_id)
        expected, closes_at = expected_version(request), moment(body.closes_at) if body.closes_at else None
        listed = arriving.Listed(season_id, body.text, closes_at, body.skip_faulty)
        if query.dry_run:
            return answer(arriving.try_list(request.user, listed, expected))
        key, fingerprint = idempotency_key(request), services.fingerprint_of(request.path, body)
        try:
            return under_key(arriving.enter_list(request.user, listed, key, fingerprint, expected))
        except arriving.ListFaulty as faulty:
            raise refusal(faulty, lines=faulty.lines) from None


class JoiningLinksView(SeasonView):
    scopes = {"GET": COMMAND, "POST": COMMAND}

    @operation("listJoiningLinks", tag="Season", answers={200: JoiningLinks}, problems=("forbidden", "plays_here"))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """List the joining links with their addresses: for the season's organisers."""
        season = repository.load(visible_season(request, season_id).id)
        refuse_unless_organiser(services.caller(season_id, season, request.user))
        root = request.build_absolute_uri("/").rstrip("/")
        links = arrivals.links(
            season, store.clock(), joining.labels_of(season_id), lambda it: joining.address_of(season_id, it, root)
        )
        return answer(links)

    post = method_of(OpenJoining)


class ApplicationsView(SeasonView):
    @operation("listApplications", tag="Season", query=AtQuery, answers={200: ApplicationList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """List the applications of people who aren't players, in the order in which they applied."""
        document = arrivals.applications(season_at(request, season_id, query))
        return versioned(request, document, document.version)


class JoiningView(SeasonView):
    scopes = {"GET": READ, "POST": PLAY}

    @operation("readJoiningLink", tag="Season", answers={200: JoiningDocument}, problems=("no_such_link",))
    def get(self, request: Request, secret: str) -> HttpResponse:
        """Read the season and the state of the joining link with this secret, and the state of your application."""
        return answer(arriving.joining_document(request.user, _joining_of(secret)))

    @operation(
        "joinSeason", tag="Season", query=TryQuery, headers=KEYED[:1], answers=ACCEPTED,
        problems=(
            "season_over", "enrolment_closed", "no_such_link", "link_revoked", "link_used_up", "link_expired",
            "already_enrolled", "runs_the_season", "already_applied", "application_declined", "already_withdrawn",
            "not_for_guests", "conflict", "idempotency_key_missing", "idempotency_key_reused", "record_broken",
        ),
    )  # fmt: skip
    def post(self, request: Request, secret: str, query: TryQuery) -> HttpResponse:
        """Apply to play. You are enrolled at once if the link needs no approval and a place is free; otherwise an
        organiser decides."""
        link = _joining_of(secret)
        return _of_applicant(request, query, link, Apply(link.link.number))


class WithdrawApplicationView(SeasonView):
    scopes = {"POST": PLAY}

    @operation(
        "withdrawApplication", tag="Season", query=TryQuery, headers=KEYED[:1], answers=ACCEPTED,
        problems=(
            "season_over", "no_such_link", "not_applied", "conflict", "idempotency_key_missing",
            "idempotency_key_reused", "record_broken",
        ),
    )  # fmt: skip
    def post(self, request: Request, secret: str, query: TryQuery) -> HttpResponse:
        """Withdraw your application."""
        return _of_applicant(request, query, _joining_of(secret), WithdrawApplication())


def _joining_of(secret: str) -> joining.Joining:
    link = joining.load_joining(secret)
    if link is None:
        raise Problem("no_such_link", "There is no such joining link. Check that its address is complete.")
    return link


def _of_applicant(request: Request, query: TryQuery, link: joining.Joining, act: SeasonAct) -> HttpResponse:
    """Carry out an act of somebody with a joining link; they need no other right to see the season."""
    if query.dry_run:
        return foreseen(services.preview(season_id=link.row.id, by=request.user, decide=act.decide))
    accepted = services.act(
        season_id=link.row.id,
        by=request.user,
        decide=act.decide,
        key=idempotency_key(request),
        fingerprint=services.fingerprint_of(request.path),
    )
    return under_key(accepted)
