"""Django app of the seasons."""

from django.apps import AppConfig


class SeasonsConfig(AppConfig):
    """Configuration of the app."""

    name = "matches.seasons"
    label = "seasons"
    verbose_name = "Seasons"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the outbox consumers, the check for calls that are still awaited, and the functions for erasing an
        account."""
        from events import outbox
        from matches.accounts import erasure
        from matches.notifications import call_delivery
        from matches.seasons import availability, calendars, rooms
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
        erasure.retellings.append(rooms.forget)
