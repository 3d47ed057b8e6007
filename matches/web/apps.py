"""The Django app of the pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.apps import AppConfig

from games.kernel import Witness

if TYPE_CHECKING:
    from matches.models.talk import Remark


class WebConfig(AppConfig):
    """Templates, stylesheet, scripts, and the few tables of the pages."""

    name = "matches.web"
    label = "web"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Register the match page's frames and remarks for its sockets."""
        from matches.http import renderers

        renderers.register("page", _rendered)
        renderers.register_talk("page", _rendered_remarks)


def _rendered(match_id: UUID, witness: Witness, version: int) -> str:
    """Return a frame; its renderer is imported at the first use, since workers and commands show no pages."""
    from matches.web.play.pages import rendered

    return rendered(match_id, witness, version)


def _rendered_remarks(match_id: UUID, thread: str, remarks: "Sequence[Remark]") -> str:
    """Return remarks as a match page shows them."""
    from matches.web.play.talking import rendered

    return rendered(match_id, thread, remarks)
