"""A game's README as a page: markdown without HTML of its own, headings with addresses."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec import Struct

from games import catalogue


class Heading(Struct, frozen=True):
    """A part of the rules."""

    anchor: str
    text: str


@cache
def rules_of(slug: str) -> str:
    """The rules as HTML, without their first heading, which is the page's own."""
    reader = _reader()
    return str(reader.renderer.render(_parts(slug), reader.options, {}))


@cache
def contents_of(slug: str) -> tuple[Heading, ...]:
    """The rules' main parts."""
    parts = _parts(slug)
    return tuple(
        Heading(str(token.attrGet("id")), parts[place + 1].content)
        for place, token in enumerate(parts)
        if token.type == "heading_open" and token.tag == "h2"
    )


def _parts(slug: str) -> list[Token]:
    tokens = _reader().parse(catalogue[slug].readme)
    first = next(place for place, token in enumerate(tokens) if token.type == "heading_close")
    tokens = tokens[first + 1 :]
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[place + 1].content))
    return tokens


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    # A wide table scrolls by itself, by keyboard too.
    reader.add_render_rule("table_open", _table_open)
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return reader


def _table_open(renderer: Any, tokens: Sequence[Token], place: int, options: Any, env: dict[str, int]) -> str:
    env["tables"] = env.get("tables", 0) + 1
    return f'<div class="scroll" tabindex="0" role="region" aria-label="Table {env["tables"]}"><table>\n'
