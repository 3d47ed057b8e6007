"""The pages, as Django knows them."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Templates, stylesheet, scripts, and the little that only pages keep."""

    name = "matches.web"
    label = "web"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Offer the match page's frames to its sockets."""
        from matches.live import renderers
        from matches.web.play.pages import rendered

        renderers.register("page", rendered)
