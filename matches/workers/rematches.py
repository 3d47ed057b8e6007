"""Cancel rematches that nobody accepts, because they would count against their opener's limit for ever."""

from datetime import timedelta

import structlog
from django.db.models.functions import Now

from games.kernel import Illegal
from matches.models import Match
from matches.services import accepting
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

PATIENCE = timedelta(days=1)
_MAX_PER_RUN = 100


def let_lapse() -> None:
    """Cancel the rematches that were offered a day ago and haven't started. May run concurrently."""
    stale = Match.objects.filter(
        status=Match.Status.WAITING, rematch_of__isnull=False, opened_at__lt=Now() - PATIENCE
    ).order_by("opened_at")
    for match_id in stale.values_list("id", flat=True)[:_MAX_PER_RUN]:
        try:
            accepting.let_lapse(match_id=match_id)
        except (Illegal, BrokenRecord) as error:
            log.info("rematch_stays", match=str(match_id), error=type(error).__name__)
