"""Every code that anything refuses with is explained on a page, which like the docs loads nothing from outside."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.test import Client

from games import catalogue
from matches.http.problem_codes import PROBLEMS
from tests.laws.runs import error_codes

ROOT = Path(__file__).resolve().parents[2]
RAISED_WITH_A_CODE = ("Problem", "Illegal", "refusal")
client = Client(headers={"host": "localhost"})


@cache
def codes_raised_in(folder: str) -> set[str]:
    """The literal codes of the refusals in the sources below a folder."""
    texts = (path.read_text() for path in (ROOT / folder).rglob("*.py"))
    refusing = (text for text in texts if any(f"{name}(" in text for name in RAISED_WITH_A_CODE))
    return {code for text in refusing for code in _codes(ast.parse(text))}


def _codes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in RAISED_WITH_A_CODE and node.args:
            constants = (it.value for it in ast.walk(node.args[0]) if isinstance(it, ast.Constant))
            yield from (it for it in constants if isinstance(it, str))


def explained() -> set[str]:
    """The host's codes, and those that any game's README lists."""
    return set(PROBLEMS).union(*(error_codes(game) for game in catalogue.values()))


def outside(text: str) -> list[str]:
    """The addresses that a browser would load from a page or stylesheet and that are not the service's own."""
    links = re.findall(r"""(?:src|href|action|srcset|data)\s*=\s*["']?([^"'\s>]+)""", text)
    links += re.findall(r"""url\(\s*["']?([^"')]+)""", text) + re.findall(r"""@import\s+["']([^"']+)""", text)
    return [it for it in links if re.match(r"[a-z]+:|//", it, re.IGNORECASE) and not it.startswith(("data:", "#"))]


def test_the_hosts_own_codes_are_all_explained() -> None:
    raised = codes_raised_in("matches")
    assert len(raised) > 40
    assert not raised - set(PROBLEMS), "Explain these in `Feature.refusals`, season_codes.py or problem_codes.py."


def test_a_games_codes_are_in_its_readme_or_the_hosts() -> None:
    raised = codes_raised_in("games")
    assert len(raised) > 20
    assert raised <= explained()


# All that is raised is among these, as the tests above see: no process need read the sources to list its tests.
@pytest.mark.parametrize("code", sorted(explained()))
def test_every_code_has_a_page_without_external_resources(code: str) -> None:
    page = client.get(f"/problems/{code}")
    assert page.status_code == 200
    assert f"<code>{code}</code>" in page.content.decode()
    assert outside(page.content.decode()) == []


@pytest.mark.parametrize("path", ["/api/docs", "/problems/", "/nowhere"])
def test_a_page_and_its_stylesheets_load_nothing_from_outside(path: str) -> None:
    text = client.get(path).content.decode()
    assert outside(text) == []
    sheets = re.findall(r'href="(/static/[^"]+\.css)"', text)
    assert sheets
    for sheet in sheets:
        assert outside(b"".join(client.get(sheet).streaming_content).decode()) == []


@pytest.mark.parametrize(
    "text",
    ['<img src="https://x.y/z">', "<script src=//x.y/z>", "a { b: url('http://x.y') }", '@import "https://x.y/z.css";'],
)
def test_external_resources_are_detected(text: str) -> None:
    assert len(outside(text)) == 1
