"""Open seats that an account may take without an invitation."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from events import store
from games.kernel import to_json
from matches.domain.events import MatchOpened
from matches.domain.openings import title_in
from matches.models import Account, Match, Seat
from matches.reads import permissions, selectors
from matches.reads.documents.seeks import SeekDocument
from matches.storage import codec


def seeks_for(account: Account, game: str = "") -> QuerySet[Seat]:
    """Return the open seats that this account may take, of one game or of all: of waiting friendlies with an active
    opener, at which the account doesn't sit. Seasons have none."""
    at_the_table = Seat.objects.filter(match=OuterRef("id"), account=account)
    waiting = Q(status=Match.Status.WAITING, season=None, opened_by__is_active=True) & ~Exists(at_the_table)
    if game:
        waiting &= Q(game=game)
    matches = Match.objects.filter(waiting & permissions.visibility_filter(account.id))
    offered = Q(open_to=[]) | Q(open_to__contains=[account.id])
    seats = Seat.objects.filter(offered, account=None, is_bot=False, match__in=matches)
    return seats.select_related("match__opened_by").prefetch_related("match__seats__account")


def documents(open_seats: Iterable[Seat]) -> list[SeekDocument]:
    """Return the documents of these seats."""
    seats = list(open_seats)
    openings = _openings({seat.match_id for seat in seats})
    return [_document(seat, seat.match, openings[seat.match_id]) for seat in seats]


def _openings(match_ids: Iterable[UUID]) -> dict[UUID, MatchOpened]:
    """Return the opening of each of these matches, an event without secrets."""
    first_rows = store.read_at(dict.fromkeys(match_ids, (1,)))
    return {match_id: codec.unpack_opening(row) for match_id, (row,) in first_rows.items()}


def _document(seat: Seat, match: Match, opened: MatchOpened) -> SeekDocument:
    return SeekDocument(
        match=match.id,
        code=match.code,
        game=match.game,
        title=title_in(match.game, opened.options),
        seat=seat.number,
        role=seat.role,
        open_to="named" if seat.open_to else "anybody",
        opened_by=selectors.person(match.opened_by),
        seats=selectors.seats_of(match),
        priority=opened.priority,
        options=opened.options,
        aids=opened.aids,
        clocks=None if opened.clocks is None else to_json(opened.clocks),
        approval=opened.approval,
        spectator_delay=opened.spectator_delay,
        opened_at=match.opened_at,
        opens_at=match.opens_at,
    )
