"""Reads a template as its translator will: which words aren't marked, and which messages are pieces of a sentence.

A message that stands beside a value or another message, in one run of text, has to be a whole sentence: pieces can't
change places. A run ends where a block of HTML begins or ends; what follows an `if` follows each of its branches.
"""

import re
from collections.abc import Iterator

from django.template.base import Node, NodeList, TextNode, TokenType, VariableNode
from django.template.defaulttags import ForNode, IfNode, WithNode
from django.template.library import SimpleNode
from django.template.loader_tags import BlockNode, ExtendsNode
from django.templatetags.i18n import BlockTranslateNode, TranslateNode

SHOWN = ("aria-label", "title", "alt", "placeholder", "label")
"""The attributes that people read or hear."""
NAMES = {"Croupier", "API", "UTC", "Discord", "Slack", "W", "L", "T", "x", "R", "F", "½"}
"""Names that are the same in every language."""

_INLINE = {"a", "b", "strong", "em", "bdi", "time", "code"}
"""Elements that stand in the middle of a sentence."""
_UNREAD = {"script", "style"}
"""Elements whose text nobody reads, as that of an icon: it names the icon's glyph."""
_MARKED, _VALUE = "\ue000", "\ue001"
_WORDS = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)*")
_INSTANTS = ("moment", "instant")
"""Tags that show a value."""


class Reading:
    """The faults of one template, collected while its nodes are read in order."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        self.tag = ""
        self.raw = ""
        self.after_link = False

    def read(self, nodes: NodeList, before: frozenset[str]) -> frozenset[str]:
        """Go through them after what may stand `before`; what may stand last is given back."""
        for node in nodes:
            before = self._node(node, before)
        return before

    def _node(self, node: Node, before: frozenset[str]) -> frozenset[str]:
        match node:
            case TextNode():
                return self._text(node.s, before)
            case TranslateNode() | BlockTranslateNode():
                return self._message(node, before)
            case VariableNode():
                self._filters(node)
                return self._atom(_VALUE, "", before)
            case IfNode():
                ends = [self.read(branch, before) for _, branch in node.conditions_nodelists]
                has_else = any(condition is None for condition, _ in node.conditions_nodelists)
                return frozenset().union(*ends, frozenset() if has_else else before)
            case ForNode():
                return self.read(node.nodelist_loop, before) | self.read(node.nodelist_empty, before)
            case WithNode():
                return self.read(node.nodelist, before)
            case BlockNode(name="main_class"):
                return before
            case BlockNode() | ExtendsNode():
                self.read(node.nodelist, frozenset())
                return frozenset()
            case SimpleNode(target_var=None) if node.func.__name__ in _INSTANTS:
                return self._atom(_VALUE, "", before)
        nodes = getattr(node, "nodelist", None)
        if nodes is not None:
            self.read(nodes, frozenset())
        return frozenset() if type(node).__name__ == "IncludeNode" else before

    def _text(self, text: str, before: frozenset[str]) -> frozenset[str]:
        for part in re.split(r"([<>])", text):
            if part == "<" and not self.tag:
                self.tag = "<"
            elif part == ">" and self.tag and self.tag.count('"') % 2 == 0:
                before = frozenset() if self._ends_a_run() else before
                self.tag = ""
            elif self.tag:
                self.tag += part
            elif not self.raw:
                before = self._words(part, before)
        return before

    def _words(self, text: str, before: frozenset[str]) -> frozenset[str]:
        self.after_link = self.after_link and not text.strip()
        words = [it for it in _WORDS.findall(re.sub(r"&\w+;|https?://", "", text)) if it not in NAMES]
        self.faults += [f"isn't marked: {' '.join(text.split())}"] if words else []
        return before if text.strip() in ("", ",") else frozenset()

    def _ends_a_run(self) -> bool:
        """Look at the tag that ends here. One with a class stands for itself, and so do links side by side."""
        name = re.match(r"</?([\w!-]*)", self.tag)[1].lower()
        if self.raw and self.tag.startswith(f"</{self.raw}"):
            self.raw = ""
        elif name in _UNREAD or "material-symbols" in self.tag:
            self.raw = name
        for attribute, value in re.findall(r'\s([\w-]+)="([^"]*)"', self.tag):
            is_text = attribute in SHOWN
            if is_text and any(it not in NAMES for it in _WORDS.findall(re.sub(f"[{_MARKED}{_VALUE}]", "", value))):
                self.faults.append(f"isn't marked: {attribute} {value}")
            if is_text and _MARKED in value and len(re.sub(r"\s", "", value)) > 1:
                self.faults.append(f"is glued: {attribute} {value}")
        beside, self.after_link = self.after_link and name == "a", self.tag.startswith("</a")
        return name not in _INLINE or "class=" in self.tag or beside

    def _message(self, node: TranslateNode | BlockTranslateNode, before: frozenset[str]) -> frozenset[str]:
        if getattr(node, "asvar", None):
            return before
        for text in _texts(node):
            if re.match(r"[,.;:)]", text) or re.search(r"[,(]$", text):
                self.faults.append(f"is a piece: {text}")
        return self._atom(_MARKED, _texts(node)[-1], before)

    def _atom(self, kind: str, text: str, before: frozenset[str]) -> frozenset[str]:
        """A value or a message, beside what may stand before it."""
        if self.tag or self.raw:
            self.tag += kind if self.tag else ""
            return before
        self.after_link = False
        for it in sorted(before):
            if it != _VALUE and not _ends(it):
                self.faults.append(f"is glued to what follows: {it}")
            elif kind == _MARKED and not (_begins(text) and (it != _VALUE or _ends(text))):
                self.faults.append(f"is glued to what stands before: {text}")
        return frozenset({text if kind == _MARKED else _VALUE})

    def _filters(self, node: VariableNode) -> None:
        expression = node.filter_expression.token
        if self.tag and not re.search(rf'\s({"|".join(SHOWN)})="[^"]*$', self.tag):
            return
        if re.search(r"\|pluralize|\|(?:default|add|yesno):[\"'][^\"']*[^\W\d_]", expression):
            self.faults.append(f"isn't marked: {expression}")


def _texts(node: TranslateNode | BlockTranslateNode) -> list[str]:
    """Return the texts for the translator: one, or singular and plural."""
    if isinstance(node, TranslateNode):
        return [str(node.filter_expression.var.literal or node.filter_expression.var)]
    forms = [node.singular, node.plural] if node.plural else [node.singular]
    return [
        " ".join("".join(it.contents if it.token_type == TokenType.TEXT else "X" for it in form).split())
        for form in forms
    ]


def _plain(message: str) -> str:
    return re.sub(r"<[^>]*>", "", message).strip()


def _begins(message: str) -> bool:
    return _plain(message)[:1].isupper()


def _ends(message: str) -> bool:
    """True if the message is complete: it has its stop, or ends with text that somebody else has written."""
    return re.search(r"[.?!:]$|: \S*X\S*$", _plain(message)) is not None


def faults_of(nodes: NodeList) -> Iterator[str]:
    """Yield each fault that would hinder a translator once."""
    reading = Reading()
    reading.read(nodes, frozenset())
    yield from dict.fromkeys(reading.faults)
