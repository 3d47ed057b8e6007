"""Draw mutants of this project's modules with mutmut, and print them as JSON: run by `bench mutants`.

A script of its own, because mutmut isn't among the project's packages.
"""

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import libcst
from mutmut.configuration import config
from mutmut.mutation.file_mutation import Mutation, create_mutations, deep_replace


def modules(only: str) -> list[Path]:
    """Return the modules that may be changed, without migrations."""
    paths = (path for source in config().source_paths for path in Path(source).rglob("*.py"))
    return sorted(it for it in paths if "migrations" not in it.parts and str(it).startswith(only))


@cache
def candidates(path: Path) -> tuple[libcst.Module, list[Mutation]]:
    """Return the mutations inside functions, but for other words in a text for people and other letters in SQL."""
    module, mutations, _, _ = create_mutations(str(path), path.read_text())

    def is_text(node: libcst.CSTNode) -> bool:
        return isinstance(node, libcst.BaseString) and " " in module.code_for_node(node)

    return module, [
        it
        for it in mutations
        if isinstance(it.contained_by_top_level_function, libcst.FunctionDef) and not is_text(it.original_node)
    ]


def drawn(count: int, seed: int, only: str) -> Iterator[dict[str, Any]]:
    """Yield `count` mutants, each line of code with the same chance."""
    rng, paths = Random(seed), modules(only)
    sizes = [len(path.read_text().splitlines()) for path in paths]
    taken: set[tuple[str, str]] = set()
    for path in rng.choices(paths, sizes, k=20 * count):
        module, choices = candidates(path)
        if not choices:
            continue
        mutant = rng.choice(choices)
        changed = deep_replace(module, mutant.original_node, mutant.mutated_node)
        assert isinstance(changed, libcst.Module)
        if (str(path), changed.code) in taken or changed.code == module.code:
            continue
        taken.add((str(path), changed.code))
        yield {
            "path": str(path),
            "line": line_of(module, changed),
            "function": mutant.contained_by_top_level_function.name.value,
            "before": short(module.code_for_node(mutant.original_node)),
            "after": short(module.code_for_node(mutant.mutated_node)),
            "code": changed.code,
        }
        if len(taken) == count:
            return


def line_of(module: libcst.Module, changed: libcst.Module) -> int:
    """Return the first line that differs."""
    pairs = zip(module.code.splitlines(), changed.code.splitlines(), strict=False)
    return next((number for number, (one, other) in enumerate(pairs, start=1) if one != other), 0)


def short(code: str) -> str:
    """Return code on one line of at most 100 characters."""
    return re.sub(r"\s+", " ", code).strip()[:100]


if __name__ == "__main__":
    count, seed, only = sys.argv[1:]
    json.dump(list(drawn(int(count), int(seed), only)), sys.stdout)
