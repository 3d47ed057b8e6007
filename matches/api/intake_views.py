"""The ways into a season: lists, joining links and applications, late enrolment and returns."""

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
    season_seen,
    told,
    under_key,
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
    """A list of those who are to play."""

    scopes = {"POST": COMMAND}

    @operation(
        "enrolList", tag="Season", body=ListBody, query=TryQuery, headers=KEYED,
        answers={201: SeasonAccepted, 200: ListRead},
        problems=refusals(
            "enrolment_closed", "bad_list", "list_faulty", "empty_list", "too_many_links", "bad_closing_time"
        ),
    )  # fmt: skip
    def post(self, request: Request, season_id: UUID, query: TryQuery, body: ListBody) -> HttpResponse:
        """Enrol everybody whom a list names, one a line, and make an invitation for each who stands there with an
        address, all at once or not at all: for the season's organisers. `dry_run=1` tells what each line would do, and
        names the fault of each that can't be read."""
        season_seen(request, season_id)
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
    """The season's joining links."""

    scopes = {"GET": COMMAND, "POST": COMMAND}

    @operation("listJoiningLinks", tag="Season", answers={200: JoiningLinks}, problems=("forbidden", "plays_here"))
    def get(self, request: Request, season_id: UUID) -> HttpResponse:
        """The links by which one asks to play, with their addresses: for the season's organisers."""
        season = repository.load(season_seen(request, season_id).id)
        refuse_unless_organiser(services.caller(season_id, season, request.user))
        root = request.build_absolute_uri("/").rstrip("/")
        found = arrivals.links(
            season, store.clock(), joining.labels_of(season_id), lambda it: joining.address_of(season_id, it, root)
        )
        return answer(found)

    post = method_of(OpenJoining)


class ApplicationsView(SeasonView):
    """Who asks to play."""

    @operation("listApplications", tag="Season", query=AtQuery, answers={200: ApplicationList, 304: None})
    def get(self, request: Request, season_id: UUID, query: AtQuery) -> HttpResponse:
        """Who asks to play and isn't in, in the order of asking."""
        document = arrivals.applications(season_at(request, season_id, query))
        return told(request, document, document.version)


class JoiningView(SeasonView):
    """A link, for who has it."""

    scopes = {"GET": READ, "POST": PLAY}

    @operation("readJoiningLink", tag="Season", answers={200: JoiningDocument}, problems=("no_such_link",))
    def get(self, request: Request, secret: str) -> HttpResponse:
        """What the link with this secret leads to, and where you stand: whether you have asked, wait, are in, or were
        declined."""
        return answer(arriving.told(request.user, _behind(secret)))

    @operation(
        "joinSeason", tag="Season", query=TryQuery, headers=KEYED[:1], answers=ACCEPTED,
        problems=(
            "season_over", "enrolment_closed", "no_such_link", "link_revoked", "link_used_up", "link_expired",
            "already_enrolled", "runs_the_season", "already_applied", "application_declined", "already_withdrawn",
            "not_for_guests", "conflict", "idempotency_key_missing", "idempotency_key_reused", "record_broken",
        ),
    )  # fmt: skip
    def post(self, request: Request, secret: str, query: TryQuery) -> HttpResponse:
        """Ask to play; in at once where the link needs no approval and there is room, else an organiser answers."""
        found = _behind(secret)
        return _of_applicant(request, query, found, Apply(found.link.number))


class WithdrawApplicationView(SeasonView):
    """Second thoughts."""

    scopes = {"POST": PLAY}

    @operation(
        "withdrawApplication", tag="Season", query=TryQuery, headers=KEYED[:1], answers=ACCEPTED,
        problems=(
            "season_over", "no_such_link", "not_applied", "conflict", "idempotency_key_missing",
            "idempotency_key_reused", "record_broken",
        ),
    )  # fmt: skip
    def post(self, request: Request, secret: str, query: TryQuery) -> HttpResponse:
        """Don't ask to play any more."""
        return _of_applicant(request, query, _behind(secret), WithdrawApplication())


def _behind(secret: str) -> joining.Joining:
    found = joining.behind(secret)
    if found is None:
        raise Problem("no_such_link", "There is no such link: it was cut off, or is not from here.")
    return found


def _of_applicant(request: Request, query: TryQuery, found: joining.Joining, act: SeasonAct) -> HttpResponse:
    """An act of who follows the link, who need not see the season otherwise."""
    if query.dry_run:
        return foreseen(services.preview(season_id=found.row.id, by=request.user, decide=act.decide))
    accepted = services.act(
        season_id=found.row.id,
        by=request.user,
        decide=act.decide,
        key=idempotency_key(request),
        fingerprint=services.fingerprint_of(request.path),
    )
    return under_key(accepted)
