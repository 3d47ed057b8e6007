"""bench rooms: the rooms of the source tree, their imports, and the length of modules; or a picture of that.

A room is a package one or two levels deep, with everything below it. Modules directly in a package belong to that
package, and so does a folder without an arrow, which only Django imports, by its name. But if an exhaustive import
contract lists the layers of a package, a module directly in it that others of the package import is a room of its own;
modules without imports are entrances, imported by name like Django's apps and Celery's tasks, and belong to the
package. The games are one room, beside the kernel and the drawing kit, so that a further game does not change the
picture.
"""

import argparse
import ast
import statistics
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import grimp

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- bin/bench rooms --write -->\n", "<!-- the end of what bin/bench rooms writes -->\n"
LONG = 400
_UNSEEN = ("migrations",)
_OF_A_KIND = {"games": ("kernel", "drawing")}
"""Packages with many folders of one kind, except these."""


class House(NamedTuple):
    """The structure of the tree: lines of each module, the number of imports from one room to another, and the
    description of each room."""

    lines: dict[str, int]
    rooms: list[str]
    arrows: Counter[tuple[str, str]]
    said: dict[str, str]

    def floors(self) -> list[list[str]]:
        """Return rooms by the longest chain of imports below them, lowest first; rooms in an import cycle share a
        floor."""
        below = {room: {to for from_, to in self.arrows if from_ == room} for room in self.rooms}
        circles = {room: frozenset(it for it in _reached(room, below) if room in _reached(it, below)) for room in below}
        height: dict[frozenset[str], int] = {}

        def climb(circle: frozenset[str]) -> int:
            if circle not in height:
                under = {circles[to] for room in circle for to in below[room]} - {circle}
                height[circle] = 1 + max(map(climb, under), default=-1)
            return height[circle]

        floors: list[list[str]] = [[] for _ in range(1 + max(climb(circle) for circle in circles.values()))]
        for room in self.rooms:
            floors[height[circles[room]]].append(room)
        return floors


def read(root: Path) -> House:
    """Read the house of this checkout."""
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    apart = {
        container
        for contract in contracts["contracts"]
        if contract.get("exhaustive")
        for container in contract["containers"]
    }
    imports_of = graph(root, contracts["root_packages"])
    paths = dict(_modules(root, contracts))
    lines = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in paths.items()}
    imports = [
        (module, target)
        for module in lines
        for target in imports_of.find_modules_directly_imported_by(module)
        if target in lines
    ]
    wanted = {target for module, target in imports if _package(module) == _package(target)}
    room_of = {module: _room(module, root, apart, wanted) for module in lines}
    arrows = Counter((room_of[a], room_of[b]) for a, b in imports if room_of[a] != room_of[b])
    rooms = sorted({room if _tied(room, arrows) else _package(room) for room in room_of.values()})
    return House(lines, rooms, arrows, {room: _description(paths[room]) for room in rooms})


def figures(house: House) -> list[tuple[str, int]]:
    """Return the counts."""
    sizes = [size for size in house.lines.values() if size]
    return [
        *_structure(house),
        ("imports behind the arrows", sum(house.arrows.values())),
        ("modules with anything in them", len(sizes)),
        ("their lines, median", int(statistics.median(sizes))),
        (f"modules of over {LONG} lines", sum(size > LONG for size in sizes)),
    ]


def picture(house: House) -> str:
    """Return a Mermaid picture of rooms on their floors, with an arrow for each import between them that no longer path
    implies."""
    lines = ["```mermaid", "flowchart TD"]
    for number, floor in reversed(list(enumerate(house.floors()))):
        lines += [f"  subgraph f{number}[floor {number}]", *(f"    {_id(room)}[{room}]" for room in floor), "  end"]
    lines += [f"  {_id(from_)} --> {_id(to)}" for from_, to in _needed(house)]
    return "\n".join([*lines, "```", ""])


def table(house: House) -> str:
    """Return a table of each room, its description and its imports; from the top floor down."""
    rows = ["| floor | room | what it is | imports |", "|---|---|---|---|"]
    for number, floor in reversed(list(enumerate(house.floors()))):
        for room in floor:
            targets = ", ".join(f"`{to}`" for from_, to in sorted(house.arrows) if from_ == room)
            rows.append(f"| {number} | `{room}` | {house.said.get(room, '')} | {targets} |")
    return "\n".join([*rows, ""])


def generated(house: House) -> str:
    """Return the generated part of docs/architecture.md: nothing that every change of a module would change."""
    counted = ", ".join(f"{count} {name}" for name, count in _structure(house))
    return f"{counted}.\n\n{picture(house)}\n{table(house)}"


def written(text: str, house: House) -> str:
    """Return the text of docs/architecture.md with its generated part up to date."""
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{generated(house)}\n{END}{rest.partition(END)[2]}"


def main(argv: list[str]) -> int:
    """Print the structure, or write it into docs/architecture.md."""
    parser = argparse.ArgumentParser(prog="bench rooms", description=__doc__)
    parser.add_argument("--tree", type=Path, default=ROOT, help="the checkout to read (this one)")
    parser.add_argument("--picture", action="store_true", help="the rooms and their arrows, as Mermaid text")
    parser.add_argument("--write", action="store_true", help="bring docs/architecture.md up to date")
    arguments = parser.parse_args(argv)
    house = read(arguments.tree.resolve())
    if arguments.write:
        PICTURE.write_text(written(PICTURE.read_text(encoding="utf-8"), house), encoding="utf-8")
    elif arguments.picture:
        print(picture(house), end="")
    else:
        for name, count in figures(house):
            print(f"{count:6} {name}")
    return 0


def graph(root: Path, packages: list[str]) -> grimp.ImportGraph:
    """Return the imports, those in functions too, of the packages in this folder, also if it is another checkout."""
    sys.path.insert(0, str(root))
    try:
        return grimp.build_graph(packages[0], *packages[1:], cache_dir=None)
    finally:
        sys.path.remove(str(root))


def _modules(root: Path, contracts: dict[str, Any]) -> Iterator[tuple[str, Path]]:
    for package in contracts["root_packages"]:
        for path in sorted((root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if not set(parts) & set(_UNSEEN):
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _room(module: str, root: Path, apart: set[str], wanted: set[str]) -> str:
    """Return the room that a module belongs to; `wanted` are modules that another module of their package imports."""
    package, *rest = module.split(".")
    if not rest:
        return package
    if (root / package / rest[0] / "__init__.py").exists():
        is_one_of_many = package in _OF_A_KIND and rest[0] not in _OF_A_KIND[package]
        return package if is_one_of_many else f"{package}.{rest[0]}"
    return module if package in apart and module in wanted else package


def _tied(room: str, arrows: Counter[tuple[str, str]]) -> bool:
    return any(room in arrow for arrow in arrows)


def _package(module: str) -> str:
    return module.partition(".")[0]


def _structure(house: House) -> list[tuple[str, int]]:
    return [("rooms", len(house.rooms)), ("floors", len(house.floors())), ("arrows", len(house.arrows))]


def _description(path: Path) -> str:
    """Return the first line of the docstring in this file."""
    return (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").partition("\n")[0]


def _reached(room: str, below: dict[str, set[str]]) -> set[str]:
    rooms, todo = {room}, [room]
    while todo:
        for to in below[todo.pop()] - rooms:
            rooms.add(to)
            todo.append(to)
    return rooms


def _needed(house: House) -> list[tuple[str, str]]:
    """Return the arrows that do not follow from others; a picture with all of them is unreadable."""
    below = {room: {to for from_, to in house.arrows if from_ == room} for room in house.rooms}
    reached = {room: _reached(room, below) - {room} for room in house.rooms}
    return [
        (from_, to)
        for from_, to in sorted(house.arrows)
        if not any(to in reached[over] and from_ not in reached[over] for over in below[from_] - {to})
    ]


def _id(room: str) -> str:
    return room.replace(".", "_")
