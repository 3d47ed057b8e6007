"""The show match is kept under way: one after the other, game by game, as long as somebody looks."""

from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.db import IntegrityError
from django.db.models.functions import Now

from events.records import StreamConflict
from games import catalogue
from games.kernel import Illegal
from matches import services
from matches.domain import show
from matches.domain.events import BOT
from matches.models import Account, Match
from matches.workers import pace

_REASON = "A demonstration between bots."
_END_IS_SHOWN = timedelta(seconds=12)
_OVER = (Match.Status.FINISHED, Match.Status.VOID)
_SEATS = 2


def keep() -> None:
    """Open and start the next show match where none is under way and somebody looks. May run twice at once."""
    if not settings.SHOW_REST_SECONDS or not pace.has_audience():
        return
    last = Match.objects.filter(opened_by=show.OPENER).order_by("-opened_at").first()
    if last is None or _is_past(last):
        with suppress(StreamConflict):
            _start(_open_after(last))
    elif last.status == Match.Status.WAITING:
        _start(last.id)


def next_game(last: str | None) -> str:
    """Which game is shown after this one: all take turns, by their names."""
    slugs = sorted(catalogue)
    return slugs[(slugs.index(last) + 1) % len(slugs)] if last in slugs else slugs[0]


def _is_past(match: Match) -> bool:
    """Whether it is over, and its end has been seen."""
    return Match.objects.filter(id=match.id, status__in=_OVER, changed_at__lt=Now() - _END_IS_SHOWN).exists()


def _open_after(last: Match | None) -> UUID:
    """The next one, by an id that follows from the last: two workers open it once."""
    game = next_game(last.game if last else None)
    seats = [services.SeatRequest(BOT)] * max(_SEATS, catalogue[game].seats.min)
    match_id = uuid5(last.id if last else show.OPENER, "next")
    return services.open_match(opener=_opener(), game=game, options={}, seats=seats, match_id=match_id).match_id


def _start(match_id: UUID) -> None:
    # Another worker was faster.
    with suppress(Illegal):
        services.start(match_id=match_id, by=show.OPENER, reason=_REASON)


def _opener() -> UUID:
    """The house's own account, made when the first show is opened; nobody signs in to it."""
    for name in (show.NAME, f"{show.NAME}-{uuid4().hex[:8]}"):
        if Account.objects.filter(id=show.OPENER).exists():
            break
        # The name is taken, or another worker was faster.
        with suppress(IntegrityError):
            Account.objects.create_user(name, None, id=show.OPENER, is_active=False)
    return show.OPENER
