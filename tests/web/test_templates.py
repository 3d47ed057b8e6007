"""Layout rules of the templates that their formatter doesn't check."""

import re
from pathlib import Path

MATCHES = Path(__file__).parents[2] / "matches"
TEMPLATES = {str(path.relative_to(MATCHES)): path.read_text() for path in MATCHES.glob("**/templates/**/*.html")}
MOST_CHARACTERS = 119

_ELEMENT = re.compile(r'<(\w+)((?:\{%.*?%\}|\{\{.*?\}\}|"(?:\{%.*?%\}|[^"])*"|[^">])*)>', re.DOTALL)


def _names(attributes: str) -> set[str]:
    """An element's classes and its id, as a style sheet writes them."""
    classes = re.search(r'\bclass="([^"]*)', attributes)
    id_ = re.search(r'\bid="([\w-]+)"', attributes)
    return {f".{it}" for it in (classes[1].split() if classes else [])} | ({f"#{id_[1]}"} if id_ else set())


def _sheets() -> dict[str, str]:
    """Of the web and of the panel."""
    sheets: dict[str, str] = {}
    for path in MATCHES.glob("*/static/**/*.css"):
        part = path.relative_to(MATCHES).parts[0]
        sheets[part] = sheets.get(part, "") + path.read_text()
    return sheets


def test_no_line_of_a_template_has_120_characters() -> None:
    long_lines = [
        f"{name}:{number}"
        for name, text in TEMPLATES.items()
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > MOST_CHARACTERS
    ]
    assert len(TEMPLATES) > 60 and long_lines == []


def test_element_hidden_while_empty_contains_no_blank_space() -> None:
    """A browser takes a line break for content, and would show an empty box."""
    hidden = {part: set(re.findall(r"([.#][\w-]+):empty", sheets)) for part, sheets in _sheets().items()}
    elements = [
        f"{name}: {element[0]}"
        for name, text in TEMPLATES.items()
        for element in _ELEMENT.finditer(text)
        if hidden.get(name.partition("/")[0], set()) & _names(element[2])
        and re.match(rf"\s+(\{{[{{%#][^\n]*\s+)*</{element[1]}>", text[element.end() :])
    ]
    assert hidden["panel"] and hidden["web"] and elements == []
