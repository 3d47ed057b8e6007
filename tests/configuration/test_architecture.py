"""docs/architecture.md tells of the house that stands: its picture is the code's, and what it names is there."""

import re
from functools import reduce
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import rooms
from benchmarks.rooms import PICTURE, ROOT, graph, read, written

TEXT = PICTURE.read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`((?:matches|games|events|config)[\w.]*):([\w.]+)`", TEXT)))


def test_the_picture_of_the_rooms_is_the_codes_own() -> None:
    assert written(TEXT, read(ROOT)) == TEXT, "bin/bench rooms --write brings docs/architecture.md up to date."


def test_architecture_is_read_from_the_files_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "_OF_A_KIND", {"toys": ("kernel",)})
    contract = 'layers = ["a | b"]\ncontainers = ["house"]\nexhaustive = true\n'
    (tmp_path / "pyproject.toml").write_text(
        f'[tool.importlinter]\nroot_packages = ["house", "cellar", "toys"]\n[[tool.importlinter.contracts]]\n{contract}'
    )
    files = {
        "house/__init__.py": "", "house/a.py": "from house.rooms import deep\nimport cellar.wine\nimport toys\n",
        "house/rooms/__init__.py": '"""Where one sleeps."""\n', "house/rooms/deep/__init__.py": "import house.b\n",
        "house/b.py": "from house import rooms\n", "cellar/__init__.py": "", "cellar/wine.py": "",
        "cellar/found_by_name/__init__.py": "", "toys/__init__.py": "from toys import chess, go\n",
        "toys/chess/__init__.py": "import toys.kernel\n", "toys/go/__init__.py": "import toys.kernel\n",
        "toys/kernel/__init__.py": "",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    house = read(tmp_path)
    assert house.rooms == ["cellar", "house", "house.b", "house.rooms", "toys", "toys.kernel"]
    assert set(house.arrows) == {
        ("house", "house.rooms"), ("house", "cellar"), ("house", "toys"), ("house.b", "house.rooms"),
        ("house.rooms", "house.b"), ("toys", "toys.kernel"),
    }  # fmt: skip
    assert house.floors() == [["cellar", "house.b", "house.rooms", "toys.kernel"], ["toys"], ["house"]]
    assert house.said["house.rooms"] == "Where one sleeps."


def test_checked_names_are_more_than_a_few() -> None:
    assert len(NAMED) > 50


@pytest.mark.parametrize(("module", "name"), NAMED)
def test_every_function_on_a_way_is_there(module: str, name: str) -> None:
    reduce(getattr, name.split("."), import_module(module))


def test_no_modules_import_each_other_in_a_cycle() -> None:
    # An import inside a function, or for types alone, counts: it often hides a cycle.
    assert cycle(ROOT, ["config", "events", "games", "matches"]) == []


def test_a_cycle_is_found_through_imports_in_functions_and_for_types(tmp_path: Path) -> None:
    files = {
        "yard/__init__.py": "", "yard/a.py": "import yard.b\n", "yard/b.py": "def late():\n    from yard import c\n",
        "yard/c.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from yard.a import A\n",
        "yard/d.py": "from yard import a\n",
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert set(cycle(tmp_path, ["yard"])) == {"yard.a", "yard.b", "yard.c"}


def cycle(root: Path, packages: list[str]) -> list[str]:
    """Modules of which each imports another up to the first one again; empty where there are none."""
    imports = graph(root, packages)
    modules = TopologicalSorter({it: imports.find_modules_directly_imported_by(it) for it in imports.modules})
    try:
        modules.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []
