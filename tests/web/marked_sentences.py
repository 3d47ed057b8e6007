"""Reads a Python module as its translator will: which sentences aren't marked, and which are built before they are."""

import ast
import re
from collections.abc import Iterator

MARKS = {"_", "gettext", "gettext_lazy", "ngettext", "pgettext", "pgettext_lazy", "npgettext"}
_WORD = re.compile(r"[A-Za-z]{2,}")


def faults_of(source: str) -> Iterator[str]:
    """Each by its line: a message that is no literal, and a sentence outside of all messages."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node) in MARKS:
            yield from (f"{node.lineno}: no literal" for it in node.args if _is_built(it))
        elif _is_sentence(node) and not _is_marked_or_unseen(node, parents):
            yield f"{node.lineno}: isn't marked: {ast.unparse(node)}"


def _is_built(message: ast.AST) -> bool:
    """True if the message is built here, so that no catalogue contains it."""
    return isinstance(message, ast.JoinedStr) or (
        isinstance(message, ast.BinOp) and isinstance(message.op, ast.Mod | ast.Add)
    )


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _is_sentence(node: ast.AST) -> bool:
    """Words with a space or a value between them, beginning or ending as people write: so no address, key or format."""
    match node:
        case ast.Constant(value=str(text)):
            pass
        case ast.JoinedStr(values=parts):
            text = "".join(it.value if isinstance(it, ast.Constant) else "0" for it in parts)
        case _:
            return False
    return len(_WORD.findall(text)) > 1 and re.fullmatch(r"[A-Z0][^<>=/_]* [^<>=/_]*", text) is not None


def _is_marked_or_unseen(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Docstrings, f-strings' own pieces, and what a mark holds already, by name where it is too long for one line."""
    parent = parents.get(node)
    if isinstance(parent, ast.Expr | ast.JoinedStr | ast.FormattedValue):
        return True
    if isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Name) and parent.targets[0].id == "one":
        return True
    while parent is not None:
        if isinstance(parent, ast.Call) and _called(parent) in MARKS:
            return True
        parent = parents.get(parent)
    return False
