"""The SVG of a portrait's parts: short, without ids, scripts or styles."""

VIEW = "0 0 96 120"


def document(*parts: str) -> str:
    """Return an SVG document of these parts; later ones are drawn over earlier ones."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{VIEW}">{"".join(parts)}</svg>'


def area(d: str, fill: str, opacity: str = "") -> str:
    """Return a filled path."""
    return f'<path fill="{fill}"{_opacity(opacity)} d="{d}"/>'


def line(d: str, stroke: str, width: str, opacity: str = "", *, cap: str = "round", dashes: str = "") -> str:
    """Return a stroked path."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="{cap}" stroke-linejoin="round"'
        f'{dashed}{_opacity(opacity)} d="{d}"/>'
    )


def disc(x: str, y: str, r: str, fill: str) -> str:
    """Return a filled circle."""
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def discs(fill: str, *places: tuple[str, str, str]) -> str:
    """Return circles of one colour, each given by x, y and radius."""
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="{r}"/>' for x, y, r in places)
    return f'<g fill="{fill}">{circles}</g>'


def transformed(parts: str, matrix: str) -> str:
    """Return the parts in a group with this value of `transform`; an empty string without parts."""
    return f'<g transform="{matrix}">{parts}</g>' if parts else ""


def _opacity(opacity: str) -> str:
    return f' opacity="{opacity}"' if opacity else ""
