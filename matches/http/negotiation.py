"""Content negotiation: each route has one form, whatever the Accept header prefers."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request


class OwnForm(BaseContentNegotiation):
    """Chooses the view's first parser that fits the body, and its first renderer."""

    def select_parser(self, request: Request, parsers: list[Any]) -> Any:
        """Return the parser for the body; None causes a 415."""
        sent = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == sent), None)

    def select_renderer(self, request: Request, renderers: list[Any], format_suffix: Any = None) -> Any:
        """Return the only renderer."""
        return renderers[0], renderers[0].media_type
