"""Markdown as HTML: without HTML of its own, pictures, or links that run scripts."""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_KEPT = 256
_MOST_CELLS = 20_000
"""A parser fills each row of a table up to the width of its head: few letters make many cells."""
_BELOW = 2
"""Headings of people's texts begin at this level, below the page's own."""


def reader() -> MarkdownIt:
    """Return a parser of CommonMark with tables. HTML is shown as text; wide blocks scroll by themselves."""
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("table_open", _table_open)
    made.add_render_rule("table_close", lambda *_: "</table></div>\n")
    made.add_render_rule("fence", _code_block)
    made.add_render_rule("code_block", _code_block)
    return made


def rendered(text: str) -> SafeString:
    """Return a text that people wrote as HTML; its tables stay text if they could have more than _MOST_CELLS.

    Nothing is cached, as the text may be deleted.
    """
    if not text:
        return SafeString()
    made = reader().disable(["image", "table"] if _most_cells(text) > _MOST_CELLS else "image")
    env: dict[str, int] = {}
    tokens = made.parse(text, env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, max(_BELOW, int(token.tag[1])))}"
        for child in token.children or ():
            if child.type == "link_open":
                child.attrSet("rel", "nofollow noopener ugc")
    # The parser escapes all text, writes no HTML but its own, and refuses addresses such as javascript:.
    return mark_safe(made.renderer.render(tokens, made.options, env))  # noqa: S308


@lru_cache(maxsize=_KEPT)
def rendered_for_good(text: str) -> SafeString:
    """Return what `rendered` does, from a cache: only for texts that stay, as those in a match's options do."""
    return rendered(text)


def _most_cells(text: str) -> int:
    """Return a number of cells that the tables of a text can't exceed."""
    lines = text.splitlines()
    return len(lines) * max((line.count("|") + 1 for line in lines), default=0)


def _table_open(renderer: Any, tokens: Sequence[Any], place: int, options: Any, env: dict[str, int]) -> str:
    return f"<div {_scrolling('Table', env)}><table>\n"


def _code_block(renderer: Any, tokens: Sequence[Any], place: int, options: Any, env: dict[str, int]) -> str:
    return f"<div {_scrolling('Example', env)}><pre><code>{escape(tokens[place].content)}</code></pre></div>\n"


def _scrolling(kind: str, env: dict[str, int]) -> str:
    env[kind] = env.get(kind, 0) + 1
    return f'class="scroll" tabindex="0" role="region" aria-label="{kind} {env[kind]}"'
