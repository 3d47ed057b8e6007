"""An account's notifications: which are sent by which way, when they may come, and the latest ones."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_access import visible_season
from matches.domain.calls import WAYS, Digest, Kind, SeasonChoice, Way, clock_time
from matches.http.operations import operation
from matches.http.responses import answer, nothing
from matches.models import Account, Call
from matches.notifications import call_delivery, calls, reach

MOST_LISTED = 100

Hour = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)", description="Hours and minutes, as 22:00")]


class QuietHours(Struct, frozen=True, forbid_unknown_fields=True):
    """The hours in which nothing is sent, by your own clock; they may include midnight."""

    begins: Hour
    ends: Hour


class SeasonCallsTold(Struct, frozen=True):
    """A season whose calls you have muted, or want all of."""

    season: UUID
    choice: SeasonChoice


class ReachTold(Struct, frozen=True):
    """Your notifications. `table` says for each kind by which ways you want it. `details`: true if calls may name games
    and seasons that aren't public. `push` counts your browsers, `email` is true if letters reach you."""

    table: dict[Kind, dict[Way, bool]]
    details: bool
    digest: Digest
    quiet: QuietHours | None
    seasons: list[SeasonCallsTold]
    push: int
    email: bool


class ReachChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """Changes; of the table only what is named."""

    table: dict[Kind, dict[Way, bool]] | UnsetType = UNSET
    details: bool | UnsetType = UNSET
    digest: Digest | UnsetType = UNSET
    quiet: QuietHours | UnsetType | None = UNSET


class SeasonCallsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """Choose none of a season's calls, all of them by every way, or (null) what your table says."""

    choice: SeasonChoice | None


class CallTold(Struct, frozen=True):
    """A call and its state: `merged` ones were replaced by a later one of their kind, `lapsed` ones were out of date,
    or no longer wanted."""

    id: UUID
    kind: Kind | Literal["test"]
    way: Way
    text: str
    season: UUID | None
    match: UUID | None
    made_at: datetime
    due_at: datetime
    attempts: int
    state: Literal["waiting", "sent", "merged", "lapsed", "given_up"]
    done_at: datetime | None
    last_failure: str


class CallList(Struct, frozen=True):
    """Your last hundred calls, newest first."""

    results: list[CallTold]
    next: str | None = None


class ReachView(APIView):
    scopes = {"GET": "match:read", "PATCH": "match:play"}

    @operation("readReach", tag="Account", answers={200: ReachTold}, problems=("not_for_guests",))
    def get(self, request: Request) -> HttpResponse:
        """Read your choices for notifications."""
        return answer(_reach_document(request.user))

    @operation("changeReach", tag="Account", body=ReachChanged, answers={200: ReachTold}, problems=("not_for_guests",))
    def patch(self, request: Request, body: ReachChanged) -> HttpResponse:
        """Change your choices for notifications; waiting ones are updated."""
        me: Account = request.user
        wish = reach.wish_of(me)
        if body.table is not UNSET:
            reach.choose(me, {(kind, way): it for kind, ways in body.table.items() for way, it in ways.items()})
        quiet = wish.quiet if body.quiet is UNSET else body.quiet
        reach.arrange(
            me,
            details=wish.details if body.details is UNSET else body.details,
            digest=wish.digest if body.digest is UNSET else body.digest,
            quiet_from=clock_time(quiet.begins) if quiet else None,
            quiet_until=clock_time(quiet.ends) if quiet else None,
        )
        return answer(_reach_document(me))


class SeasonReachView(APIView):
    scopes = {"PUT": "match:play"}

    @operation(
        "chooseSeasonCalls", tag="Account", body=SeasonCallsAsked, answers={204: None}, problems=("not_for_guests",)
    )
    def put(self, request: Request, season_id: UUID, body: SeasonCallsAsked) -> HttpResponse:
        """Mute a season, want all of its calls, or go by your table again."""
        visible_season(request, season_id)
        reach.choose_for_season(request.user, season_id, body.choice)
        return nothing()


class CallsView(APIView):
    scopes = {"GET": "match:read"}

    @operation("listCalls", tag="Account", answers={200: CallList})
    def get(self, request: Request) -> HttpResponse:
        """List your latest calls by all ways, with their states."""
        return answer(CallList([_call(it) for it in newest(request.user)]))


class CallTestView(APIView):
    scopes = {"POST": "match:play"}

    @operation("testCalls", tag="Account", answers={204: None}, problems=("not_for_guests",))
    def post(self, request: Request) -> HttpResponse:
        """Send a test by every way that is set up; your calls show the results."""
        reach.wish_of(request.user)
        calls.test(request.user)
        return nothing()


def newest(account: Account) -> list[Call]:
    """Return the latest calls of an account, newest first."""
    return list(account.calls.filter(way__in=WAYS).order_by("-made_at")[:MOST_LISTED])


def _reach_document(me: Account) -> ReachTold:
    wish = reach.wish_of(me)
    quiet = QuietHours(f"{wish.quiet.begins:%H:%M}", f"{wish.quiet.ends:%H:%M}") if wish.quiet else None
    seasons = [SeasonCallsTold(season, choice) for season, choice in sorted(wish.seasons.items())]
    return ReachTold(reach.table_of(wish), wish.details, wish.digest, quiet, seasons, len(wish.pushes), wish.mail)


def _call(it: Call) -> CallTold:
    return CallTold(
        it.id, it.kind, it.way, call_delivery.message(it, details=True).text, it.season_id, it.match_id, it.made_at,
        it.due_at, it.attempts, it.state, it.done_at, it.last_failure,
    )  # fmt: skip
