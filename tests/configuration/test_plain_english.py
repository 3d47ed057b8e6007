"""The style of docs/contributing-style.md, as far as a machine can check it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config/server",)
"""Packages and modules that are written in this style; the others follow."""
QUESTIONS = {"What", "Whether", "Who", "Whom", "Whose", "Where", "Which", "That", "How", "Why", "So", "As"}
"""First words of a docstring that names a question instead of what a function does or a value is."""
VAGUE = {"told", "found", "known", "asked", "seen"}
"""Names that don't say what a value holds."""
LONGEST_TEST_NAME = 80


def trees(path: Path) -> Iterator[tuple[Path, ast.Module]]:
    for module in [path] if path.is_file() else sorted(path.rglob("*.py")):
        if "migrations" not in module.parts:
            yield module.relative_to(ROOT), ast.parse(module.read_text(encoding="utf-8"))


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring, those of attributes and constants among them."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for statement in body:
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                text = statement.value.value
                if isinstance(text, str) and text.strip():
                    yield statement.lineno, text


def vague_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and name of each variable and argument with a vague name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in VAGUE:
            yield node.lineno, node.id
        elif isinstance(node, ast.arg) and node.arg in VAGUE:
            yield node.lineno, node.arg


@pytest.mark.parametrize("package", PACKAGES)
def test_docstring_does_not_begin_with_a_question_word(package: str) -> None:
    faults = [
        f"{module}:{line}: {text.splitlines()[0]}"
        for module, tree in trees(ROOT / package)
        for line, text in docstrings(tree)
        if text.split()[0].rstrip(",") in QUESTIONS
    ]
    assert faults == [], "Begin with a verb (Return, Raise, True if) or a noun."


@pytest.mark.parametrize("package", PACKAGES)
def test_variable_is_named_for_what_it_holds(package: str) -> None:
    faults = [f"{module}:{line}: {name}" for module, tree in trees(ROOT / package) for line, name in vague_names(tree)]
    assert faults == [], "Name it for what it holds: response, rows, document."
