"""The Django app of the seasons."""

from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    """The seasons."""

    name = "matches.seasons"
    label = "seasons"
    verbose_name = "Seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the consumers known, so that every append marks its stream for them, what ties an account, and
        what has told its name."""
        from events import outbox
        from matches.accounts import erasure
        from matches.notifications import call_delivery
        from matches.seasons import availability, calendars
        from matches.seasons.calls import is_awaited
        from matches.seasons.erasure import rewrite_answers
        from matches.seasons.process_manager import MATCH_ENDS, SEASON_TABLES
        from matches.seasons.reads.selectors import awaited_in

        outbox.register(MATCH_ENDS)
        outbox.register(SEASON_TABLES)
        call_delivery.season_asks.append(is_awaited)
        erasure.ties.append(awaited_in)
        erasure.retellings.append(rewrite_answers)
        erasure.retellings.append(calendars.forget)
        erasure.retellings.append(availability.forget)
