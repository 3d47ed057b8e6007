"""The pages, as Django knows them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.apps import AppConfig

from games.kernel import Witness

if TYPE_CHECKING:
    from matches.models.talk import Remark


class WebConfig(AppConfig):
    """Templates, stylesheet, scripts, and the little that only pages keep."""

    name = "matches.web"
    label = "web"
    verbose_name = "Pages"

    def ready(self) -> None:
        """Offer the match page's frames and what is said there to its sockets."""
        from matches.http import renderers

        renderers.register("page", _rendered)
        renderers.register_talk("page", _said)


def _rendered(match_id: UUID, witness: Witness, version: int) -> str:
    """A frame; what renders it is imported with the first, as workers and commands show no pages."""
    from matches.web.play.pages import rendered

    return rendered(match_id, witness, version)


def _said(match_id: UUID, thread: str, remarks: "Sequence[Remark]") -> str:
    """Remarks, as a match page shows them."""
    from matches.web.play.talking import rendered

    return rendered(match_id, thread, remarks)
