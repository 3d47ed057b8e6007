"""The stylesheet with the colours of the panel's framework and of boards in light and dark, and the URLs of the panel's
layout, icon and script."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe
from unfold.sites import UnfoldAdminSite

from games.drawing.css import css
from games.drawing.themes import DARK, LIGHT

_PALETTE = "".join(
    f"  --color-{name}-{weight}: {value};\n"
    for name, weights in UnfoldAdminSite()._get_colors("COLORS").items()
    for weight, value in weights.items()
)
"""The framework's colours. It would write them into each page, which the Content-Security-Policy forbids."""
COLOURS = f":root {{\n{_PALETTE}}}\n.house {{\n{css(LIGHT)}\n}}\nhtml.dark .house {{\n{css(DARK)}\n}}\n"
DIGEST = sha256(COLOURS.encode()).hexdigest()[:16]


@require_safe
def colours(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the stylesheet with the colours. It may be cached for a year if the digest is the current one."""
    cache_control = "public, max-age=31536000, immutable" if digest == DIGEST else "no-cache"
    return HttpResponse(COLOURS, content_type="text/css", headers={"Cache-Control": cache_control})


def colours_address(request: HttpRequest) -> str:
    """Return the URL of the colours."""
    return reverse("admin:colours", args=[DIGEST])


def frame_address(request: HttpRequest) -> str:
    """Return the URL of the script that lets the framework work without eval."""
    return static("panel/frame.js")


def layout_address(request: HttpRequest) -> str:
    """Return the URL of the layout."""
    return static("panel/panel.css")


def icon_address(request: HttpRequest) -> str:
    """Return the URL of the icon for the browser's tab."""
    return static("web/icon.svg")
