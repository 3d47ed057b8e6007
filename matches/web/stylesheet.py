"""The colours of all pages as a stylesheet, generated from those of the boards."""

from hashlib import sha256

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from games.drawing.css import css
from games.drawing.themes import DARK, HOUSE, HOUSE_TABLE, LIGHT

_DARK = f"{{\n  color-scheme: dark;\n{css(DARK)}\n}}"
COLOURS = (
    f":root {{\n  color-scheme: light;\n{css(LIGHT)}\n}}\n"
    f'@media (prefers-color-scheme: dark) {{\n:root:not([data-theme="light"]) {_DARK}\n}}\n'
    f':root[data-theme="dark"] {_DARK}\n'
    f".house-lights, :root:has(main.house) {{\n  color-scheme: dark;\n{css(HOUSE)}\n}}\n"
    f".film :is(.board, .part) {{\n{css(HOUSE_TABLE, besides=HOUSE)}\n}}\n"
    f"@keyframes house-lights {{\nfrom, to {{\n{css(HOUSE_TABLE)}\n}}\n}}\n"
)
DIGEST = sha256(COLOURS.encode()).hexdigest()[:16]
"""Part of the URL, so that browsers cache the colours until they change."""


@require_safe
def colours(request: HttpRequest, digest: str) -> HttpResponse:
    """Return the colours: light, dark, by the browser's preference, and the house lights of a page, of a film's table,
    and fading."""
    keep = "public, max-age=31536000, immutable" if digest == DIGEST else "no-cache"
    return HttpResponse(COLOURS, content_type="text/css", headers={"Cache-Control": keep})
