"""The pages, as Django knows them."""

from uuid import UUID

from django.apps import AppConfig

from games.kernel import Witness


class WebConfig(AppConfig):
    """Templates, stylesheet, scripts, and the little that only pages keep."""

    name = "matches.web"
    label = "web"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Offer the match page's frames to its sockets."""
        from matches.http import renderers

        renderers.register("page", _rendered)


def _rendered(match_id: UUID, witness: Witness, version: int) -> str:
    """A frame; what renders it is imported with the first, as workers and commands show no pages."""
    from matches.web.play.pages import rendered

    return rendered(match_id, witness, version)
