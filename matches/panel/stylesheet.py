"""The panel's styles: the colours of its framework and of boards in light and dark, its layout, its icon, and the
script of its frame."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe
from unfold.sites import UnfoldAdminSite

from games.drawing.themes import DARK, LIGHT, css

_PALETTE = "".join(
    f"  --color-{name}-{weight}: {value};\n"
    for name, weights in UnfoldAdminSite()._get_colors("COLORS").items()
    for weight, value in weights.items()
)
"""Styles that the framework would write into each page, which the policy forbids."""
COLOURS = f":root {{\n{_PALETTE}}}\n.house {{\n{css(LIGHT)}\n}}\nhtml.dark .house {{\n{css(DARK)}\n}}\n"
DIGEST = sha256(COLOURS.encode()).hexdigest()[:16]


@require_safe
def colours(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the colours of boards; a class in the panel chooses between them."""
    keep = "public, max-age=31536000, immutable" if digest == DIGEST else "no-cache"
    return HttpResponse(COLOURS, content_type="text/css", headers={"Cache-Control": keep})


def colours_address(request: HttpRequest) -> str:
    """Return the URL of the colours."""
    return reverse("admin:colours", args=[DIGEST])


def frame_address(request: HttpRequest) -> str:
    """Return the address of the script that lets the framework do without eval."""
    return static("panel/frame.js")


def layout_address(request: HttpRequest) -> str:
    """Return the URL of the layout."""
    return static("panel/panel.css")


def icon_address(request: HttpRequest) -> str:
    """Return the URL of the icon for the browser's tab."""
    return static("web/icon.svg")
