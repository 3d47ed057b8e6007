"""The share of statements and branches of each package that bin/test --coverage measured as executed."""

import json
import tempfile
from collections import Counter
from pathlib import Path

from coverage import Coverage

DEPTH = 2
COUNTED = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def package_of(file: str) -> str:
    """The package of a file by its first two folders, as in `matches/services`."""
    return "/".join(Path(file).parent.parts[:DEPTH])


def by_package(files: dict[str, dict[str, dict[str, int]]]) -> dict[str, Counter[str]]:
    """The sums of coverage's counts by package, of what its JSON report says of each file."""
    sums: dict[str, Counter[str]] = {}
    for file, coverage in files.items():
        counted = {name: coverage["summary"][name] for name in COUNTED}
        sums.setdefault(package_of(file), Counter()).update(counted)
    return dict(sorted(sums.items()))


def table_of(sums: dict[str, Counter[str]]) -> str:
    """A line a package and one for all, with the share of statements and of branches that were gone through."""
    lines = [f"{'package':<28}{'statements':>11}{'covered':>9}{'branches':>10}{'covered':>9}"]
    for name, it in [*sums.items(), ("all", sum(sums.values(), Counter()))]:
        lines.append(
            f"{name:<28}{it['num_statements']:>11}{_share(it['covered_lines'], it['num_statements']):>9}"
            f"{it['num_branches']:>10}{_share(it['covered_branches'], it['num_branches']):>9}"
        )
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "-"


if __name__ == "__main__":
    measured = Coverage()
    measured.load()
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        measured.json_report(outfile=report.name)
        print(table_of(by_package(json.loads(Path(report.name).read_text())["files"])))
