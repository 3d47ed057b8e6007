"""Keep a show match running while somebody watches: one after the other, each with the next game."""

from contextlib import suppress
from datetime import timedelta
from uuid import UUID, uuid4, uuid5

from django.conf import settings
from django.db import IntegrityError
from django.db.models.functions import Now

from events.records import StreamConflict
from games import catalogue
from games.kernel import Illegal
from matches.domain import show
from matches.domain.events import BOT
from matches.models import Account, Match
from matches.services import opening
from matches.workers import pace

_REASON = "A demonstration between bots."
_END_IS_SHOWN = timedelta(seconds=12)
_OVER = (Match.Status.FINISHED, Match.Status.VOID)
_SEATS = 2


def keep() -> None:
    """Open and start the next show match if none is running and somebody watches. May run concurrently."""
    if not settings.SHOW_REST_SECONDS or not pace.has_audience():
        return
    last = Match.objects.filter(opened_by=show.OPENER).order_by("-opened_at").first()
    if last is None or _is_past(last):
        with suppress(StreamConflict):
            _start(_open_after(last))
    elif last.status == Match.Status.WAITING:
        _start(last.id)


def next_game(last: str | None) -> str:
    """Return the game to show after this one, in alphabetical order."""
    slugs = sorted(catalogue)
    return slugs[(slugs.index(last) + 1) % len(slugs)] if last in slugs else slugs[0]


def _is_past(match: Match) -> bool:
    """True if the match is over, and its end has been shown long enough."""
    return Match.objects.filter(id=match.id, status__in=_OVER, changed_at__lt=Now() - _END_IS_SHOWN).exists()


def _open_after(last: Match | None) -> UUID:
    """Open the next match, with an id derived from the last one, so that two workers open it once."""
    game = next_game(last.game if last else None)
    seats = [opening.SeatRequest(BOT)] * max(_SEATS, catalogue[game].seats.min)
    match_id = uuid5(last.id if last else show.OPENER, "next")
    return opening.open_match(opener=_opener(), game=game, options={}, seats=seats, match_id=match_id).match_id


def _start(match_id: UUID) -> None:
    # Another worker may have started it.
    with suppress(Illegal):
        opening.start(match_id=match_id, by=show.OPENER, reason=_REASON)


def _opener() -> UUID:
    """Return the house's account for show matches; it is created when the first one is opened, and nobody can sign in
    to it."""
    for name in (show.NAME, f"{show.NAME}-{uuid4().hex[:8]}"):
        if Account.objects.filter(id=show.OPENER).exists():
            break
        # The name is taken, or another worker has created the account.
        with suppress(IntegrityError):
            Account.objects.create_user(name, None, id=show.OPENER, is_active=False)
    return show.OPENER
