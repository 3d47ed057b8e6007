"""What reaches an account: the table of what it is told by which way, when that may come, and what it was told."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from django.http import HttpResponse
from msgspec import UNSET, Meta, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.views import APIView

from matches.api.season_access import season_seen
from matches.domain.calls import WAYS, Digest, Kind, SeasonChoice, Way, clock_time
from matches.http.operations import operation
from matches.http.responses import answer, nothing
from matches.models import Account, Call
from matches.notifications import call_delivery, calls, reach

MOST_LISTED = 100

Hour = Annotated[str, Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$", description="Hours and minutes, as 22:00")]


class QuietHours(Struct, frozen=True, forbid_unknown_fields=True):
    """From when until when nothing is sent, by your own clock; over midnight too."""

    begins: Hour
    ends: Hour


class SeasonCallsTold(Struct, frozen=True):
    """A season whose calls you have muted, or want all of."""

    season: UUID
    choice: SeasonChoice


class ReachTold(Struct, frozen=True):
    """What reaches you. `table` says of each kind by which ways you want it told. `details`: whether calls may name
    games and seasons that aren't public. `push` counts your browsers, `email` says whether letters reach you."""

    table: dict[Kind, dict[Way, bool]]
    details: bool
    digest: Digest
    quiet: QuietHours | None
    seasons: list[SeasonCallsTold]
    push: int
    email: bool


class ReachChanged(Struct, frozen=True, forbid_unknown_fields=True):
    """What to change; of the table only what is named."""

    table: dict[Kind, dict[Way, bool]] | UnsetType = UNSET
    details: bool | UnsetType = UNSET
    digest: Digest | UnsetType = UNSET
    quiet: QuietHours | UnsetType | None = UNSET


class SeasonCallsAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """None of a season's calls, all of them by every way, or (null) what your table says."""

    choice: SeasonChoice | None


class CallTold(Struct, frozen=True):
    """A call, and what has become of it: `merged` ones were told by a later one of their kind, what `lapsed` was no
    longer so, or no longer wanted."""

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
    """What reaches you."""

    scopes = {"GET": "match:read", "PATCH": "match:play"}

    @operation("readReach", tag="Account", answers={200: ReachTold}, problems=("not_for_guests",))
    def get(self, request: Request) -> HttpResponse:
        """Read what you are told when, and by which way."""
        return answer(_told(request.user))

    @operation("changeReach", tag="Account", body=ReachChanged, answers={200: ReachTold}, problems=("not_for_guests",))
    def patch(self, request: Request, body: ReachChanged) -> HttpResponse:
        """Change what you are told, and when it may come; what waits to be sent follows."""
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
        return answer(_told(me))


class SeasonReachView(APIView):
    """The calls of one season."""

    scopes = {"PUT": "match:play"}

    @operation(
        "chooseSeasonCalls", tag="Account", body=SeasonCallsAsked, answers={204: None}, problems=("not_for_guests",)
    )
    def put(self, request: Request, season_id: UUID, body: SeasonCallsAsked) -> HttpResponse:
        """Mute a season, have all of its calls told, or go by your table again."""
        season_seen(request, season_id)
        reach.choose_for_season(request.user, season_id, body.choice)
        return nothing()


class CallsView(APIView):
    """What you were told."""

    scopes = {"GET": "match:read"}

    @operation("listCalls", tag="Account", answers={200: CallList})
    def get(self, request: Request) -> HttpResponse:
        """List your last calls by all ways, and what became of them."""
        return answer(CallList([_call(it) for it in newest(request.user)]))


class CallTestView(APIView):
    """A call to try the ways with."""

    scopes = {"POST": "match:play"}

    @operation("testCalls", tag="Account", answers={204: None}, problems=("not_for_guests",))
    def post(self, request: Request) -> HttpResponse:
        """Have something harmless told by every way that is set up; your calls tell how that went."""
        reach.wish_of(request.user)
        calls.test(request.user)
        return nothing()


def newest(account: Account) -> list[Call]:
    """The last calls of an account, newest first."""
    return list(account.calls.filter(way__in=WAYS).order_by("-made_at")[:MOST_LISTED])


def _told(me: Account) -> ReachTold:
    wish = reach.wish_of(me)
    quiet = QuietHours(f"{wish.quiet.begins:%H:%M}", f"{wish.quiet.ends:%H:%M}") if wish.quiet else None
    seasons = [SeasonCallsTold(season, choice) for season, choice in sorted(wish.seasons.items())]
    return ReachTold(reach.table_of(wish), wish.details, wish.digest, quiet, seasons, len(wish.pushes), wish.mail)


def _call(it: Call) -> CallTold:
    return CallTold(
        it.id, it.kind, it.way, call_delivery.message(it, details=True).text, it.season_id, it.match_id, it.made_at,
        it.due_at, it.attempts, it.state, it.done_at, it.last_failure,
    )  # fmt: skip
