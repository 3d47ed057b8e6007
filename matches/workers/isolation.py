"""Isolation of matches in a sweep: a failing match neither blocks the others nor floods the log."""

from collections.abc import Callable
from uuid import UUID

import structlog

from events import database_errors
from events.log_throttle import LogThrottle
from matches.storage.repository import BrokenRecord

log = structlog.get_logger(__name__)

throttle = LogThrottle()


def isolated(act: Callable[[UUID], object], match_id: UUID) -> None:
    """Call the function with the match and log its failure; raises only errors that mean that the database is
    unreachable."""
    try:
        act(match_id)
    except BrokenRecord as error:
        if throttle.is_due(match_id):
            log.error("match_frozen", match=str(match_id), broken=str(error))
    except database_errors.ERRORS as error:
        if database_errors.is_away(error):
            raise
        # Another transaction holds the match's lock for too long; other matches are fine.
        if throttle.is_due("held", match_id):
            log.warning("match_held", match=str(match_id), error=type(error).__name__)
    except Exception as error:
        if throttle.is_due(match_id, type(error).__name__):
            log.exception("match_not_served", match=str(match_id))
