"""A board's picture as a figure in a text: without controls, with one accessible name and numbered places."""

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
"""The radius of a number's disc, as a fraction of the picture's width."""
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
    """Return the picture, or a `window` of it, with the numbers 1, 2, 3... at the corners of the `named` places.

    `alt` is its accessible name; without one it is hidden from screen readers. `own` is a prefix of all ids, as other
    pictures share the page. Stamps that the picture uses are copied from the pictures `beside` it. Raise KeyError if a
    place or a stamp doesn't exist.
    """
    root = fromstring(drawn)  # noqa: S314 (our own picture)
    shown = window or _window(root)
    boxes = places_in(root) if named else {}
    _copy_stamps(root, beside)
    _strip(root, own)
    for number, name in enumerate(named, 1):
        _badge(root, number, boxes[name], shown, theme)
    left, top, wide, high = map(tidy, shown)
    root.attrib |= {"viewBox": f"{left} {top} {wide} {high}", "font-family": FONT}
    root.attrib |= {"role": "img", "aria-label": alt} if alt else {"aria-hidden": "true"}
    # The browser reserves the space before it has loaded the styles.
    root.attrib |= {"width": str(wide), "height": str(high)}
    return tostring(root, encoding="unicode")


def shown_in(drawn: str, window: Window | None = None) -> dict[str, bool]:
    """Map each cell and place of a picture to True if its middle lies in the window."""
    root = fromstring(drawn)  # noqa: S314 (our own picture)
    left, top, wide, high = window or _window(root)
    return {
        name: left <= (x1 + x2) / 2 <= left + wide and top <= (y1 + y2) / 2 <= top + high
        for name, (x1, y1, x2, y2) in places_in(root).items()
    }


def places_in(root: Element) -> dict[str, Box]:
    """Return the cells and places of a picture by name, as left, top, right, bottom."""
    boxes: dict[str, Box] = {}
    _collect_boxes(root, 0, 0, 1, boxes)
    return boxes


def _collect_boxes(element: Element, x: float, y: float, scale: float, boxes: dict[str, Box]) -> list[Box]:
    """Return the bounding box of an element, if it has one; add the named elements inside to `boxes`."""
    for kind, values in _MOVED.findall(element.get("transform", "")):
        numbers = [float(value) for value in re.split(r"[\s,]+", values.strip())]
        if kind == "scale":
            scale *= numbers[0]
        else:
            x, y = x + scale * numbers[0], y + scale * (numbers[1] if len(numbers) > 1 else 0)
    covered = [(x + scale * a, y + scale * b, x + scale * c, y + scale * d) for a, b, c, d in _covers(element)]
    for child in element:
        covered += _collect_boxes(child, x, y, scale, boxes)
    if covered:
        whole = _around(covered)
        for attribute in ("data-cell", "data-place"):
            if attribute in element.attrib:
                boxes[element.attrib[attribute]] = whole
        return [whole]
    return []


def _around(boxes: Sequence[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _covers(element: Element) -> Iterator[Box]:
    """Yield the box of a rectangle, circle or line; text and paths are ignored, as they lie on one of these."""

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


def _copy_stamps(root: Element, beside: Sequence[str]) -> None:
    """Copy the stamps that the picture uses, directly or through other stamps, from the other pictures."""
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
    """Remove the attributes for interaction and the labels of cells; prefix the ids with `own`."""
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
    # No game uses this colour; a golden disc with a number would look like a coin.
    ring = {"fill": theme.turn, "stroke": _ON_TURN, "stroke-width": str(tidy(radius * 0.16))}
    middle = {"cx": str(tidy(x)), "cy": str(tidy(y)), "r": str(tidy(radius))}
    SubElement(root, f"{{{_SVG}}}circle", ring | middle)
    size = {"font-size": str(tidy(radius * 1.25)), "font-weight": "700", "text-anchor": "middle", "fill": _ON_TURN}
    at = {"x": str(tidy(x)), "y": str(tidy(y + radius * 0.45))}
    SubElement(root, f"{{{_SVG}}}text", size | at).text = str(number)
