"""The rules of docs/contributing-style.md that a program can check, for the packages that already follow them."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "benchmarks",
    "config",
    "events",
    "games",
    "matches/accounts",
    "matches/api",
    "matches/audit",
    "matches/domain",
    "matches/html",
    "matches/http",
    "matches/management",
    "matches/models",
    "matches/notifications",
    "matches/panel",
    "matches/publishing",
    "matches/reads",
    "matches/realtime",
    "matches/seasons",
    "matches/services",
    "matches/storage",
    "matches/talk",
    "matches/terminal",
    "matches/web",
    "matches/workers",
    "tests/golden",
    "tests/kernel",
    "tests/two_worlds",
)
"""Packages that follow the rules. Add one here when it follows the rules."""
PUBLISHED = {"matches/seasons/reads/availability.py": {"asked"}, "matches/seasons/reads/documents.py": {"known"}}
"""Fields of documents by their module: the REST interface has these names."""
TESTS = ("tests",)
QUESTIONS = {"What", "Whether", "Who", "Whom", "Whose", "Where", "Which", "That", "How", "Why", "So", "As"}
VAGUE = {"told", "found", "known", "asked", "seen"}
VAGUE_IN_TESTS = {"given", "gone", "got", "heard", "kept", "made", "said", "shown", "stands"}
"""Further names that are vague, and that only tests no longer have."""
VAGUE_FUNCTIONS = VAGUE | VAGUE_IN_TESTS | {"look"}
"""Names that no function at the top of a test module has."""
LONGEST_TEST_NAME = 80


def trees(package: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield the path and syntax tree of each module of a package."""
    for module in sorted(ROOT.glob(f"{package}/**/*.py")):
        name = module.relative_to(ROOT)
        if "migrations" not in name.parts:
            yield name, ast.parse(module.read_text(encoding="utf-8"))


def docstrings(tree: ast.Module) -> Iterator[ast.Constant]:
    """Yield every docstring, those below attributes and constants included."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()) as text):
                yield text


def is_question(docstring: str) -> bool:
    first, *others = docstring.split(maxsplit=2)
    return first.rstrip(",") in QUESTIONS or (first == "The" and others[:1] == ["same"])


def variables(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and name of every variable and argument."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                yield node.lineno, name


def module_functions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and name of every function at the top of a module, fixtures included."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name


@pytest.mark.parametrize("package", PACKAGES)
def test_docstring_does_not_begin_with_a_question_word(package: str) -> None:
    faults = [
        f"{module}:{docstring.lineno}: {docstring.value}"
        for module, tree in trees(package)
        for docstring in docstrings(tree)
        if is_question(str(docstring.value))
    ]
    assert faults == [], "Begin with a verb (Return, Raise, True if) or a noun."


@pytest.mark.parametrize("package", PACKAGES)
def test_variable_is_named_for_what_it_holds(package: str) -> None:
    vague = VAGUE | (VAGUE_IN_TESTS if package.startswith("tests") else set())
    faults = [
        f"{module}:{line}: {name}"
        for module, tree in trees(package)
        for line, name in variables(tree)
        if name in vague - PUBLISHED.get(str(module), set())
    ]
    assert faults == [], "Name it for what it holds: response, rows, document."


@pytest.mark.parametrize("folder", TESTS)
def test_function_of_a_test_module_is_named_for_what_it_does(folder: str) -> None:
    faults = [
        f"{module}:{line}: {name}"
        for module, tree in trees(folder)
        for line, name in module_functions(tree)
        if name in VAGUE_FUNCTIONS
    ]
    assert faults == [], "Name it for what it returns or does: notice_texts, read_hints."


@pytest.mark.parametrize("folder", TESTS)
def test_test_name_has_at_most_80_letters(folder: str) -> None:
    faults = [
        f"{module}:{node.lineno}: {node.name}"
        for module, tree in trees(folder)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
        if len(node.name) > LONGEST_TEST_NAME
    ]
    assert faults == [], "Name the subject, its behaviour and the condition."


@pytest.mark.parametrize(
    "docstring", ["Whether it is empty.", "So, it is empty.", "The same for a stream.", "What", "Where\nit is."]
)
def test_question_is_recognised(docstring: str) -> None:
    assert is_question(docstring)


@pytest.mark.parametrize("docstring", ["True if it is empty.", "Assets.", "The samovar.", "The"])
def test_statement_is_not_taken_for_a_question(docstring: str) -> None:
    assert not is_question(docstring)


def test_docstrings_and_variables_of_every_kind_are_read() -> None:
    tree = ast.parse('"""M."""\na = 1\n"""A."""\nclass C:\n    """C."""\n    async def f(b, *c):\n        """F."""\n')
    assert sorted(str(it.value) for it in docstrings(tree)) == ["A.", "C.", "F.", "M."]
    assert {name for _, name in variables(tree)} == {"a", "b", "c"}


def test_functions_at_the_top_of_a_module_are_read() -> None:
    tree = ast.parse(
        "async def a(): ...\n@fixture\ndef b():\n    def inner(): ...\nclass C:\n    def method(self): ...\n"
    )
    assert list(module_functions(tree)) == [(1, "a"), (3, "b")]
