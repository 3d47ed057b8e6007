"""The workers' sign of life, for the readiness page."""

import redis
import structlog
from django.conf import settings

from events.complaints import Complaints

KEY = "croupier:heartbeat:worker"
_SECONDS = 30
_complaints = Complaints(seconds=60)
log = structlog.get_logger(__name__)


def beat(now: float) -> None:
    """Write down that a worker is alive at unix time `now`; it is forgotten after half a minute."""
    try:
        with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1) as client:
            client.set(KEY, f"{now:.3f}", ex=_SECONDS)
    except redis.RedisError as error:
        if _complaints.is_due():
            log.warning("heartbeat_lost", error=type(error).__name__)
