"""What the parts of a picture have in common is said once, where they stand together, for a lighter picture.

SVG hands these attributes down to whatever lies within. Only those are moved whose values don't depend on the colours,
so that a picture is built alike in every theme.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

import svg

_OF_TEXT: Final[dict[str, str | None]] = {"font_size": None, "font_weight": "400", "text_anchor": "start"}
_OF_STROKES: Final[dict[str, str | None]] = {"stroke_width": "1", "stroke_linecap": "butt", "stroke_linejoin": "miter"}
_AT_THE_CORNER: Final = ("x", "y", "cx", "cy", "x1", "y1", "x2", "y2")
_INITIAL: Final = _OF_TEXT | _OF_STROKES
"""What holds where nothing is said; a size of letters has always been said."""

_Asked = dict[str, str]
"""Values by attribute; one that isn't named is of no consequence."""


def lightened(elements: Iterable[svg.Element]) -> tuple[list[svg.Element], dict[str, str]]:
    """The same elements with fewer attributes, and what the element that holds them says for them all."""
    built, asked = _together(list(elements), {})
    return built, {name: value for name, value in asked.items() if value != _INITIAL[name]}


def _together(elements: list[svg.Element], above: _Asked) -> tuple[list[svg.Element], _Asked]:
    """Siblings that say only what most of them don't, and what most of them want; `above` is what they are handed."""
    bare = [_bare(element, above) for element in _flat(elements)]
    votes: dict[str, Counter[str]] = {}
    for _, asked in bare:
        for name, value in asked.items():
            votes.setdefault(name, Counter())[value] += 1
    common = {name: counted.most_common(1)[0][0] for name, counted in votes.items()}
    for element, asked in bare:
        for name, value in asked.items():
            if value != common[name]:
                setattr(element, name, value)
    return [element for element, _ in bare], common


def _flat(elements: list[svg.Element]) -> Iterator[svg.Element]:
    """Groups that only hold together what they contain are left out."""
    for element in elements:
        if isinstance(element, svg.G) and not any(value for name, value in vars(element).items() if name != "elements"):
            yield from _flat(element.elements or [])
        else:
            yield element


def _bare(element: svg.Element, above: _Asked) -> tuple[svg.Element, _Asked]:
    """The element without these attributes, and what it wants them to be."""
    # As `copy` would, but without asking each element how it wants to be copied.
    alone: Any = object.__new__(type(element))
    vars(alone).update(vars(element))
    if isinstance(alone, svg.Defs):
        alone.elements = [_whole(stamp) for stamp in alone.elements or []]
        return alone, {}
    if isinstance(alone, svg.G):
        own = {name: value for name in _INITIAL if (value := _taken_from(alone, name)) is not None}
        alone.elements, asked = _together(alone.elements or [], above | own)
        return alone, asked
    for name in _AT_THE_CORNER:
        if getattr(alone, name, None) == 0:
            setattr(alone, name, None)
    asked = {}
    for name in _wanted_by(alone):
        said = _taken_from(alone, name) or above.get(name) or _INITIAL[name]
        if said is not None:
            asked[name] = said
    return alone, asked


def _taken_from(element: svg.Element, name: str) -> str | None:
    """What the element says itself; it no longer does."""
    value = getattr(element, name, None)
    if value is None:
        return None
    setattr(element, name, None)
    return str(value)


def _whole(stamp: svg.Element) -> svg.Element:
    """What is drawn elsewhere by `<use>` takes its attributes from there, so it says all of them itself."""
    built, asked = _bare(stamp, {})
    for name, value in asked.items():
        setattr(built, name, value)
    return built


def _wanted_by(element: Any) -> Iterable[str]:
    if isinstance(element, svg.Title):
        return ()
    stroked = getattr(element, "stroke", None) not in (None, "none")
    return (*(_OF_TEXT if isinstance(element, svg.Text) else ()), *(_OF_STROKES if stroked else ()))
