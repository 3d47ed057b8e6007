"""How the parts of a portrait are written: short SVG, without ids, scripts or styles."""

VIEW = "0 0 96 120"


def whole(*parts: str) -> str:
    """The document of these parts, from the ground up."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{VIEW}">{"".join(parts)}</svg>'


def area(d: str, fill: str, opacity: str = "") -> str:
    """A filled path."""
    return f'<path fill="{fill}"{_opacity(opacity)} d="{d}"/>'


def line(d: str, stroke: str, width: str, opacity: str = "", *, cap: str = "round", dashes: str = "") -> str:
    """A stroked path."""
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<path fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="{cap}" stroke-linejoin="round"'
        f'{dashed}{_opacity(opacity)} d="{d}"/>'
    )


def disc(x: str, y: str, r: str, fill: str) -> str:
    """A filled circle."""
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}"/>'


def discs(fill: str, *places: tuple[str, str, str]) -> str:
    """Circles of one colour, each by x, y and radius."""
    return f'<g fill="{fill}">{"".join(f"<circle cx={x!r} cy={y!r} r={r!r}/>" for x, y, r in places)}</g>'.replace(
        "'", '"'
    )


def moved(parts: str, matrix: str) -> str:
    """Parts under a transform."""
    return f'<g transform="{matrix}">{parts}</g>' if parts else ""


def _opacity(opacity: str) -> str:
    return f' opacity="{opacity}"' if opacity else ""
