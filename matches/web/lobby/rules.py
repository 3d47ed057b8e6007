"""A game's README as a page: markdown without HTML of its own; each part and each numbered rule has an anchor."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from django.utils.safestring import SafeString, mark_safe
from markdown_it.token import Token
from msgspec import Struct

from games import catalogue
from matches.html.markdown import reader

_OF_RULE = re.compile(r"R(\d+)\b")
_NAMED = re.compile(r"\bR(\d+)\b")


class RulesPart(Struct, frozen=True):
    """A part of the rules as HTML, below its heading: `#rules`, `#clocks`."""

    anchor: str
    title: str
    text: SafeString


@cache
def parts_of(slug: str) -> tuple[RulesPart, ...]:
    """Return the rules' parts, without the text before the first of them."""
    tokens = _tokens(slug)
    begins = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == "h2"]
    made, env = reader(), {}
    return tuple(
        RulesPart(
            anchor=str(tokens[start].attrGet("id")),
            title=tokens[start + 1].content,
            # Our own text, rendered without HTML of its own.
            text=mark_safe(made.renderer.render(tokens[start + 3 : end], made.options, env)),  # noqa: S308
        )
        for start, end in zip(begins, [*begins[1:], len(tokens)], strict=True)
    )


def _tokens(slug: str) -> list[Token]:
    tokens = reader().parse(catalogue[slug].readme)
    numbers: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[place + 1].content))
        elif token.type == "paragraph_open" and (number := _number(tokens[place + 1])):
            token.attrs |= {"id": f"r{number}", "class": "rule"}
            numbers.add(number)
    for token in tokens:
        if token.children:
            token.children = list(_linked(token.children, numbers))
    return tokens


def _number(inline: Token) -> str:
    """Return `5` for a paragraph that begins with a bold R5."""
    first = (inline.children or [])[:3]
    match = _OF_RULE.match(first[2].content) if len(first) == 3 and first[1].type == "strong_open" else None
    return match[1] if match else ""


def _linked(children: Sequence[Token], numbers: set[str]) -> Iterator[Token]:
    """Yield the tokens with links from references to rules, except the bold number of a rule itself."""
    bold = False
    for child in children:
        bold = child.type == "strong_open" or (bold and child.type != "strong_close")
        if child.type == "text" and not bold:
            yield from _with_links(child.content, numbers)
        else:
            yield child


def _with_links(words: str, numbers: set[str]) -> Iterator[Token]:
    at = 0
    for match in _NAMED.finditer(words):
        if match[1] in numbers:
            yield from (_text(words[at : match.start()]), Token("link_open", "a", 1, attrs={"href": f"#r{match[1]}"}))
            yield from (_text(match[0]), Token("link_close", "a", -1))
            at = match.end()
    yield _text(words[at:])


def _text(words: str) -> Token:
    return Token("text", "", 0, content=words)


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
