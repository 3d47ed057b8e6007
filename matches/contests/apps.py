"""The Django app of the library of contests."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ContestsConfig(AppConfig):
    """The library of contests."""

    name = "matches.contests"
    label = "contests"
    verbose_name = "Contests"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Store the presets after migrations, and forget what an erased account has made."""
        from matches.accounts import erasure
        from matches.contests.erasure import forget
        from matches.contests.services.presets import store_presets

        post_migrate.connect(store_presets, sender=self)
        erasure.retellings.append(forget)
