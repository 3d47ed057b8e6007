"""End of guests: guests who haven't come back for days are erased like accounts; their matches stay."""

from datetime import timedelta
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import Now

from games.kernel import Illegal
from matches.accounts import erasure
from matches.domain.events import HOUSE
from matches.models import Account, Match, Seat
from matches.services import hosting
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

_MAX_PER_RUN = 100
_LATER = timedelta(days=1)
_NOT_OVER = (Match.Status.WAITING, Match.Status.RUNNING, Match.Status.PAUSED)
_VOID_REASON = "Its guest hasn't come back."


def erase_gone() -> int:
    """Erase guests whose time is over, declare their unfinished matches against bots void, and return the number of
    erased guests.

    A guest at a running match or against another person is checked again a day later. May run concurrently.
    """
    gone = Account.objects.filter(guest_until__lt=Now()).order_by("guest_until")
    return sum(_end(account_id) for account_id in gone.values_list("id", flat=True)[:_MAX_PER_RUN])


def _end(account_id: UUID) -> bool:
    for match_id in _abandoned(account_id):
        try:
            hosting.void(match_id=match_id, by=HOUSE, reason=_VOID_REASON)
        except Illegal:
            # It has finished meanwhile.
            log.info("guest_match_over", match=str(match_id))
        except BrokenRecord:
            break
    return _erase(account_id)


def _abandoned(account_id: UUID) -> list[UUID]:
    """Return the guest's matches with only bots in the other seats, without any event for all of the guest's days."""
    others = Seat.objects.filter(match_id=OuterRef("id"), account__isnull=False).exclude(account=account_id)
    abandoned = Match.objects.filter(
        ~Exists(others),
        opened_by=account_id,
        opened_by__guest_until__lt=Now(),
        season=None,
        status__in=_NOT_OVER,
        changed_at__lt=Now() - timedelta(days=settings.GUEST_DAYS),
    )
    return list(abandoned.values_list("id", flat=True))


def _erase(account_id: UUID) -> bool:
    """Erase the guest unless it has come back or signed up meanwhile; True if it was erased."""
    with transaction.atomic():
        gone = Account.objects.select_for_update(skip_locked=True).filter(id=account_id, guest_until__lt=Now())
        if not gone.exists():
            return False
        try:
            erasure.erase(account_id)
        except (erasure.StillSeated, BrokenRecord):
            gone.update(guest_until=Now() + _LATER)
            return False
    return True
