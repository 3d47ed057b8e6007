"""The Django app of the host."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """The host."""

    name = "matches"
    verbose_name = "Matches"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the projections known, so that every append marks its stream for them, and what goes with an account,
        and the converter of secrets in paths."""
        from django.urls import register_converter

        from events import projections
        from matches.accounts import erasure
        from matches.http.secret_converter import SecretConverter
        from matches.notifications import call_delivery, calls, letters, mail_addresses, pushes
        from matches.storage import texts
        from matches.storage.projections import RESULTS
        from matches.talk.erasing import forget

        register_converter(SecretConverter, "secret")
        projections.register(RESULTS)
        erasure.forgettings += [calls.erase, texts.forget]
        call_delivery.senders |= {
            "push": pushes.send,
            "email": letters.send_calls,
            mail_addresses.LETTER: letters.send_requested,
        }
        erasure.retellings.append(forget)
