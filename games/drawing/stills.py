"""A board's picture as a figure of a text: nothing to press, one name for the whole, numbers at what is told of."""

import re
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, SubElement, fromstring, register_namespace, tostring

from games.drawing.elements import FONT, tidy
from games.drawing.themes import Theme
from games.kernel.guide import Window

_SVG = "http://www.w3.org/2000/svg"
_MOVED = re.compile(r"(translate|scale)\(([^)]*)\)")
_OF_USE = ("data-cell", "data-place", "aria-label", "aria-hidden", "role", "tabindex")
_BADGE = 0.024
"""The radius of a number by the width of the picture."""
_ON_TURN = "#ffffff"

Box = tuple[float, float, float, float]

register_namespace("", _SVG)


def figure_of(
    drawn: str,
    *,
    alt: str,
    own: str,
    theme: Theme,
    window: Window | None = None,
    named: Sequence[str] = (),
    beside: Sequence[str] = (),
) -> str:
    """The picture under the name `alt`, or a `window` of it, with 1, 2, 3... at the corners of the `named` places.

    `own` stands before the ids within, for other pictures share the page. Without `alt` it is an ornament. What it uses
    of the pictures `beside` it is taken from there. Raises KeyError where a place or a stamp isn't in them.
    """
    root = fromstring(drawn)  # noqa: S314 (our own picture)
    shown = window or _window(root)
    boxes = places_in(root) if named else {}
    _take_along(root, beside)
    _strip(root, own)
    for number, name in enumerate(named, 1):
        _badge(root, number, boxes[name], shown, theme)
    left, top, wide, high = map(tidy, shown)
    root.attrib |= {"viewBox": f"{left} {top} {wide} {high}", "font-family": FONT}
    root.attrib |= {"role": "img", "aria-label": alt} if alt else {"aria-hidden": "true"}
    # The room that the picture takes is known before its style is.
    root.attrib |= {"width": str(wide), "height": str(high)}
    return tostring(root, encoding="unicode")


def shown_in(drawn: str, window: Window | None = None) -> dict[str, bool]:
    """The cells and places of a picture by their names, and whether the middle of each lies in the window."""
    root = fromstring(drawn)  # noqa: S314 (our own picture)
    left, top, wide, high = window or _window(root)
    return {
        name: left <= (x1 + x2) / 2 <= left + wide and top <= (y1 + y2) / 2 <= top + high
        for name, (x1, y1, x2, y2) in places_in(root).items()
    }


def places_in(root: Element) -> dict[str, Box]:
    """Where the cells and places of a picture lie: left, top, right, bottom."""
    found: dict[str, Box] = {}
    _look(root, 0, 0, 1, found)
    return found


def _look(element: Element, x: float, y: float, scale: float, found: dict[str, Box]) -> list[Box]:
    """What an element covers; on the way the named ones within are noted."""
    for kind, values in _MOVED.findall(element.get("transform", "")):
        numbers = [float(value) for value in re.split(r"[\s,]+", values.strip())]
        if kind == "scale":
            scale *= numbers[0]
        else:
            x, y = x + scale * numbers[0], y + scale * (numbers[1] if len(numbers) > 1 else 0)
    covered = [(x + scale * a, y + scale * b, x + scale * c, y + scale * d) for a, b, c, d in _covers(element)]
    for child in element:
        covered += _look(child, x, y, scale, found)
    if covered:
        whole = _around(covered)
        for attribute in ("data-cell", "data-place"):
            if attribute in element.attrib:
                found[element.attrib[attribute]] = whole
        return [whole]
    return []


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _covers(element: Element) -> Iterator[Box]:
    """What a shape covers by itself; letters and free paths count for nothing beside the ground that they stand on."""

    def number(name: str) -> float:
        return float(element.get(name, "0"))

    kind = element.tag.rpartition("}")[2]
    if kind == "rect":
        yield number("x"), number("y"), number("x") + number("width"), number("y") + number("height")
    elif kind == "circle":
        x, y, radius = number("cx"), number("cy"), number("r")
        yield x - radius, y - radius, x + radius, y + radius
    elif kind == "line":
        xs, ys = sorted((number("x1"), number("x2"))), sorted((number("y1"), number("y2")))
        yield xs[0], ys[0], xs[1], ys[1]


def _window(root: Element) -> Window:
    left, top, wide, high = map(float, root.attrib["viewBox"].split())
    return left, top, wide, high


def _take_along(root: Element, beside: Sequence[str]) -> None:
    """The stamps that the picture uses and another one holds, and those that they use."""
    used = _used_in(root) - _stamps_in(root).keys()
    if not used:
        return
    held: dict[str, Element] = {}
    for other in beside:
        held |= _stamps_in(fromstring(other))  # noqa: S314 (our own picture)
    defs = SubElement(root, f"{{{_SVG}}}defs")
    taken: set[str] = set()
    while missing := used - taken:
        for name in sorted(missing):
            defs.append(held[name])
            taken.add(name)
            used |= _used_in(held[name])


def _stamps_in(root: Element) -> dict[str, Element]:
    return {element.attrib["id"]: element for defs in root.iter(f"{{{_SVG}}}defs") for element in defs}


def _used_in(root: Element) -> set[str]:
    return {element.attrib["href"][1:] for element in root.iter(f"{{{_SVG}}}use")}


def _strip(root: Element, own: str) -> None:
    """Without what is for hands and for those who listen cell by cell; its ids are its own, never twice on a page."""
    for element in root.iter():
        for name in _OF_USE:
            element.attrib.pop(name, None)
        if element.get("class") in ("cell", "cell target"):
            del element.attrib["class"]
        if element.get("id", "").startswith("cell-"):
            del element.attrib["id"]
        elif "id" in element.attrib:
            element.attrib["id"] = own + element.attrib["id"]
        if "href" in element.attrib:
            element.attrib["href"] = f"#{own}{element.attrib['href'][1:]}"
        for title in element.findall(f"{{{_SVG}}}title"):
            element.remove(title)


def _badge(root: Element, number: int, box: Box, window: Window, theme: Theme) -> None:
    radius = window[2] * _BADGE
    left, top = window[0] + radius + 2, window[1] + radius + 2
    is_small = max(box[2] - box[0], box[3] - box[1]) < 3 * radius
    corner = (box[0] - radius * 1.25, (box[1] + box[3]) / 2) if is_small else box[:2]
    x = min(max(corner[0], left), window[0] + window[2] - radius - 2)
    y = min(max(corner[1], top), window[1] + window[3] - radius - 2)
    # In a colour of no game's: a golden disc with a number is a coin.
    ring = {"fill": theme.turn, "stroke": _ON_TURN, "stroke-width": str(tidy(radius * 0.16))}
    middle = {"cx": str(tidy(x)), "cy": str(tidy(y)), "r": str(tidy(radius))}
    SubElement(root, f"{{{_SVG}}}circle", ring | middle)
    size = {"font-size": str(tidy(radius * 1.25)), "font-weight": "700", "text-anchor": "middle", "fill": _ON_TURN}
    at = {"x": str(tidy(x)), "y": str(tidy(y + radius * 0.45))}
    SubElement(root, f"{{{_SVG}}}text", size | at).text = str(number)
