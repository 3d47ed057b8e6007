"""Move common attributes of an SVG picture's elements to their parent, for a smaller picture.

Elements inherit these attributes from their parents. Only attributes whose values don't depend on colours are moved, so
that a picture has the same structure in every theme.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import svg

_OF_TEXT: Final[dict[str, str | None]] = {"font_size": None, "font_weight": "400", "text_anchor": "start"}
_OF_STROKES: Final[dict[str, str | None]] = {"stroke_width": "1", "stroke_linecap": "butt", "stroke_linejoin": "miter"}
_AT_THE_CORNER: Final = ("x", "y", "cx", "cy", "x1", "y1", "x2", "y2")
_INITIAL: Final = _OF_TEXT | _OF_STROKES
"""The initial values of the attributes in SVG; the font size is always given."""

_Attributes = dict[str, str]
"""The values by attribute that an element needs; any value is right for the others."""


def lightened(elements: Iterable[svg.Element]) -> tuple[list[svg.Element], dict[str, str]]:
    """Return the elements with fewer attributes, and the attributes for their parent."""
    built, needed = _with_common(list(elements), {})
    return built, {name: value for name, value in needed.items() if value != _INITIAL[name]}


def _with_common(elements: list[svg.Element], inherited: _Attributes) -> tuple[list[svg.Element], _Attributes]:
    """Return siblings that set only the less frequent values, and the most frequent value of each attribute.

    `inherited` are the attributes that they had from their parents.
    """
    bare = [_bare(element, inherited) for element in _flat(elements)]
    counts: dict[str, Counter[str]] = {}
    for _, needed in bare:
        for name, value in needed.items():
            counts.setdefault(name, Counter())[value] += 1
    common = {name: counter.most_common(1)[0][0] for name, counter in counts.items()}
    for element, needed in bare:
        for name, value in needed.items():
            if value != common[name]:
                setattr(element, name, value)
    return [element for element, _ in bare], common


def _flat(elements: list[svg.Element]) -> Iterator[svg.Element]:
    """Yield the elements; replace a group without attributes by its content."""
    for element in elements:
        if isinstance(element, svg.G) and not any(value for name, value in vars(element).items() if name != "elements"):
            yield from _flat(element.elements or [])
        else:
            yield element


def _bare(element: svg.Element, inherited: _Attributes) -> tuple[svg.Element, _Attributes]:
    """Return a copy of the element without these attributes, and the values that it needs."""
    # Like `copy.copy`, but faster: it looks for no hooks of the class.
    copied: Any = object.__new__(type(element))
    vars(copied).update(vars(element))
    if isinstance(copied, svg.Defs):
        copied.elements = [_with_all_attributes(stamp) for stamp in copied.elements or []]
        return copied, {}
    if isinstance(copied, svg.G):
        own = {name: value for name in _INITIAL if (value := _remove(copied, name)) is not None}
        copied.elements, needed = _with_common(copied.elements or [], inherited | own)
        return copied, needed
    for name in _AT_THE_CORNER:
        if getattr(copied, name, None) == 0:
            setattr(copied, name, None)
    needed = {}
    for name in _attributes_of(copied):
        value = _remove(copied, name) or inherited.get(name) or _INITIAL[name]
        if value is not None:
            needed[name] = value
    return copied, needed


def _remove(element: svg.Element, name: str) -> str | None:
    """Remove an attribute from the element and return its value."""
    value = getattr(element, name, None)
    if value is None:
        return None
    setattr(element, name, None)
    return str(value)


def _with_all_attributes(stamp: svg.Element) -> svg.Element:
    """Return the stamp with all its attributes set: drawn by `<use>`, it would inherit from another parent."""
    built, needed = _bare(stamp, {})
    for name, value in needed.items():
        setattr(built, name, value)
    return built


def _attributes_of(element: Any) -> Iterable[str]:
    if isinstance(element, svg.Title):
        return ()
    stroked = getattr(element, "stroke", None) not in (None, "none")
    return (*(_OF_TEXT if isinstance(element, svg.Text) else ()), *(_OF_STROKES if stroked else ()))
