"""The blocks and controls of an editor, made from a content that may have faults."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import Struct

from games.contest.content import Content
from games.contest.parts import Part
from games.contest.places import place_in_words
from games.contest.words import UNITS
from games.kernel import Fault
from matches.contests.domain.drafts import TooLong
from matches.web.contests import value_texts
from matches.web.contests.posted import PREFIX, names_for
from matches.web.contests.shapes import Kind, Shape, shapes_of

_MOST_ROWS: Final = 18
_GREAT: Final = 1_000_000
_BROAD: Final = 40
_MOST_NODES: Final = 20_000
"""Parts and controls of an editor; a form with more of them can't be sent."""
_MOST_OPEN: Final = 2
"""Lists with more parts show them folded."""


class Node(Struct):
    """A part of the editor at a place of the content; `faults` are those of this place, or of places below it that have
    no control."""

    place: str
    label: str
    hint: str
    faults: list[str]

    @property
    def input(self) -> str:
        """The name of the control in the form."""
        return f"{PREFIX}.{self.place}" if self.place else PREFIX

    @property
    def anchor(self) -> str:
        return anchor_of(self.place)


class Condition(Struct, frozen=True):
    """The name of a control, those of its values with which another control matters, and a sentence about it."""

    input: str
    values: str
    sentence: str


class Control(Node, kw_only=True):
    """A value's control. `choices` are values with their labels; `unit` is that of a time. `when` says on which control
    it depends whether the value matters.
    """

    kind: Kind
    value: str
    choices: list[tuple[str, str]] = []
    least: int | None = None
    most: int | None = None
    longest: int | None = None
    is_required: bool = False
    is_name: bool = False
    has_markdown: bool = False
    unit: str = ""
    when: Condition | None = None
    shape: Literal["control"] = "control"

    @property
    def rows(self) -> int:
        """The lines of a text's control."""
        return min(max(self.value.count("\n") + 2, 4 if self.kind == "passage" else 3), _MOST_ROWS)

    @property
    def is_bounded(self) -> bool:
        """True if the bounds are worth being told."""
        return self.least is not None and self.most is not None and self.most < _GREAT

    @property
    def is_broad(self) -> bool:
        """True for a line that may be long."""
        return self.kind == "line" and (self.longest or 0) >= _BROAD

    @property
    def units(self) -> list[tuple[str, str]]:
        """The units of a time with their names."""
        names = {"seconds": _("seconds"), "minutes": _("minutes"), "hours": _("hours"), "days": _("days")}
        return [(unit, names[unit]) for unit in UNITS] if self.unit else []


class Block(Node, kw_only=True):
    """A part with its controls and the parts in it; one of several kinds has `kinds` to choose from.

    One of a list has a `number` from 0 and the list's length `among`. `name` is what its author calls it.
    """

    parts: list[Any]
    kind: str = ""
    kinds: list[tuple[str, str]] = []
    number: int | None = None
    among: int = 0
    name: str = ""
    is_open: bool = False
    data: Mapping[str, Any] = {}
    preview: Any = None
    shape: Literal["block"] = "block"

    @property
    def all_faults(self) -> int:
        """The number of faults in the block."""
        return sum(len(node.faults) for node in nodes_of(self))


class BlockList(Node, kw_only=True):
    """A list of parts; `kinds` are those that can be added, `singular` is what one of them is called."""

    blocks: list[Block]
    singular: str
    longest: int | None
    kinds: list[tuple[str, str]] = []
    shape: Literal["list"] = "list"

    @property
    def is_full(self) -> bool:
        return self.longest is not None and len(self.blocks) >= self.longest


class ShownFault(Struct, frozen=True):
    """A fault in the list at the top: the anchor of its place, the place in words, and the sentence."""

    anchor: str
    where: str
    sentence: str


def editor_of(data: Mapping[str, Any], faults: Sequence[Fault], shown: str = "") -> tuple[Block, list[ShownFault]]:
    """Return the editor of a content with its faults, and the list of them; the part at the place `shown` is open.
    Raise TooLong for a content with more than _MOST_NODES parts and controls."""
    if next(islice(_count(Content, data), _MOST_NODES, None), None):
        raise TooLong(_("This contest has too many parts for the editor. Export it, and change the file."))
    whole = _block(Content, "", _("The contest"), data, ())
    in_list = _spread(faults, whole)
    for node in nodes_of(whole):
        if isinstance(node, Block):
            is_around = f"{shown}.".startswith(f"{node.place}.")
            node.is_open = is_around or 0 < node.among <= _MOST_OPEN or bool(node.all_faults)
    return whole, in_list


def anchor_of(place: str) -> str:
    """Return the id of the control or part at a place."""
    return "-".join((PREFIX, *place.split("."))) if place else PREFIX


def nodes_of(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes in it."""
    yield node
    for inner in getattr(node, "parts", ()) or getattr(node, "blocks", ()):
        yield from nodes_of(inner)


def _spread(faults: Sequence[Fault], whole: Block) -> list[ShownFault]:
    """Put each fault at the innermost part of the editor that has its place."""
    nodes = {node.place: node for node in nodes_of(whole) if not (isinstance(node, Control) and node.kind == "kept")}
    shown = []
    for fault in faults:
        place = re.sub(r"\[(\d+)\]", r".\1", fault.place).partition("[")[0]
        while place and place not in nodes:
            place = place.rpartition(".")[0]
        nodes[place].faults.append(fault.sentence)
        where = place_in_words(fault.place, whole.data) or whole.label
        shown.append(ShownFault(nodes[place].anchor, where, fault.sentence))
    return shown


def _block(
    struct: type[Part], place: str, label: str, data: Mapping[str, Any], around: Sequence[Mapping[str, Any]]
) -> Block:
    inner = (*around, data)
    parts = [
        _node(shape, f"{place}.{shape.name}".lstrip("."), data.get(shape.name, shape.default), inner)
        for shape in shapes_of(struct)
        # A value that changes nothing has a control only if it is set, so that it can be removed.
    ]
    controls = {node.place.rpartition(".")[2]: node for node in parts if isinstance(node, Control)}
    for shape in shapes_of(struct):
        if shape.words.when:
            controls[shape.name].when = _condition(controls[shape.words.when[0]], shape.words.when[1:])
    tag = struct.__struct_config__.tag
    title = next((it for it in (data.get("title"), data.get("name")) if isinstance(it, str) and it), "")
    hint = " ".join((struct.__doc__ or "").split()) if tag else ""
    return Block(place, label, hint, [], parts=parts, kind=str(tag or ""), name=title, data=data)


def _node(shape: Shape, place: str, value: Any, around: Sequence[Mapping[str, Any]]) -> Node:
    label = shape.words.label
    if shape.kind == "part":
        block = _of_kind(shape, place, label, value, around)
        block.hint = block.hint or shape.words.help
        return block
    if shape.kind == "parts":
        one = shape.words.one.capitalize()
        items = [it for it in value if isinstance(it, Mapping)] if isinstance(value, list) else []
        blocks = []
        for number, item in enumerate(items):
            block = _of_kind(shape, f"{place}.{number}", f"{one} {number + 1}", item, around)
            block.number, block.among = number, len(items)
            blocks.append(block)
        return BlockList(
            place, label, shape.words.help, [], blocks=blocks, singular=shape.words.one, longest=shape.longest,
            kinds=_kinds(shape),
        )  # fmt: skip
    return Control(
        place,
        label,
        shape.words.help,
        [],
        kind=shape.kind,
        value=value_texts.write_time(value)[0] if shape.kind == "duration" else _text(shape, value),
        unit=value_texts.write_time(value)[1] if shape.kind == "duration" else "",
        choices=_choices(shape, value, around),
        least=shape.least,
        most=shape.most,
        longest=shape.longest,
        is_required=shape.required,
        is_name=shape.name == "name",
        has_markdown=shape.words.has_markdown,
    )


def _condition(on: Control, values: Sequence[str]) -> Condition:
    """Return the condition that a control has one of these values; without any, that it isn't empty."""
    names = {value: name for value, name in on.choices if value in values or (not values and value)}
    others = [name for value, name in on.choices if value not in names]
    shown = list(names.values())
    if len(others) == 1 < len(shown):
        sentence, shown = _("Not with “%(label)s”: %(names)s."), others
    elif names:
        sentence = _("Only with “%(label)s”: %(names)s.")
    else:
        sentence = _("Only if “%(label)s” is empty.") if values else _("Only if “%(label)s” names one.")
    listed = " / ".join(f"“{name}”" for name in shown)
    return Condition(on.input, " ".join(names or values or "*"), sentence % {"label": on.label, "names": listed})


def _of_kind(shape: Shape, place: str, label: str, value: Any, around: Sequence[Mapping[str, Any]]) -> Block:
    data = value if isinstance(value, Mapping) else {}
    block = _block(_struct_of(shape, data), place, label, data, around)
    block.kinds = _kinds(shape)
    return block


def _struct_of(shape: Shape, data: Mapping[str, Any]) -> type[Part]:
    tag = data.get("kind") if shape.is_union else ""
    return shape.structs[tag] if isinstance(tag, str) and tag in shape.structs else next(iter(shape.structs.values()))


def _count(struct: type[Part], data: Mapping[str, Any]) -> Iterator[bool]:
    """Yield True for each part and control of a part."""
    yield True
    for shape in shapes_of(struct):
        value = data.get(shape.name, shape.default)
        if shape.kind not in ("part", "parts"):
            yield True
            continue
        for item in value if isinstance(value, list) else [value] if shape.kind == "part" else ():
            if isinstance(item, Mapping):
                yield from _count(_struct_of(shape, item), item)


def _kinds(shape: Shape) -> list[tuple[str, str]]:
    return [(tag, struct.label) for tag, struct in shape.structs.items()] if shape.is_union else []


def _text(shape: Shape, value: Any) -> str:
    """Return a value as its control shows it, whatever it is."""
    if shape.kind == "tick":
        return "on" if value is True else ""
    if shape.kind == "lines" and isinstance(value, list | tuple):
        return value_texts.write_lines(value, numbers=shape.numbers)
    if shape.kind == "kept":
        return "" if value == shape.default else msgspec.json.encode(value).decode()
    if shape.kind == "pairs" and isinstance(value, Mapping):
        return value_texts.write_pairs(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _choices(shape: Shape, value: Any, around: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    """Return what a value can be; what it is although it can't be that is among them, so that nothing is lost."""
    if shape.kind == "choice":
        choices = [(it, shape.words.choices[it]) for it in shape.choices]
    elif shape.kind == "name":
        choices = [
            *([] if shape.required or shape.default else [("", shape.words.choices.get("", "-"))]),
            *names_for(shape, around),
        ]
    else:
        return []
    text = _text(shape, value)
    return choices if any(text == it for it, _ in choices) else [(text, text or "-"), *choices]


class Section(Struct, frozen=True):
    """Neighbouring controls of the content under a heading, or a part or list of it, which has its own."""

    title: str
    anchor: str
    controls: list[Control]
    node: Node | None


def sections_of(whole: Block) -> list[Section]:
    """Return the parts of the whole editor in order."""
    sections: list[Section] = []
    for node in whole.parts:
        if not isinstance(node, Control):
            sections.append(Section(node.label, node.anchor, [], node))
        elif sections and sections[-1].controls:
            sections[-1].controls.append(node)
        else:
            title = node.label if sections else _("What it is")
            sections.append(Section(title, f"part-{node.anchor}", [node], None))
    return sections


class Form(dict[str, list[str]]):
    """The fields of an editor's form, as a browser sends them."""

    def getlist(self, key: str) -> list[str]:
        return self.get(key, [])


def form_of(whole: Block) -> Form:
    """Return what a browser sends of an editor in which nothing was changed."""
    form = Form()
    for node in nodes_of(whole):
        if isinstance(node, BlockList):
            form[node.input] = ["", *(str(block.number) for block in node.blocks)]
        elif isinstance(node, Block):
            form |= {f"{node.input}.kind": [node.kind]} if node.kinds else {}
        elif node.kind == "tick":
            form[node.input] = ["", "on"] if node.value else [""]
        elif node.kind != "kept" or node.value:
            form[node.input] = [node.value]
            form |= {f"{node.input}.unit": [node.unit]} if node.unit else {}
    return form
