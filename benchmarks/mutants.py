"""bench mutants: change one place of the code at a time, and see if a test of `bin/test` fails.

python -m benchmarks mutants                                 200 mutants of six packages, two at a time
python -m benchmarks mutants --count 20 --seed 2 --only matches/seasons/domain

mutmut makes the mutants, drawn with a fixed seed. For each one the tests of the folders that belong to its package run
until the first fails; files that name the changed function or module come first. A mutant that no test fails on
survived: it is printed with its change. Exit status 1 says that more than one in ten survived.
"""

import argparse
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from rich.console import Console

from benchmarks.report import write

ROOT = Path(__file__).parents[1]
MUTMUT = "mutmut==3.8.1"
TESTS = {
    "matches/domain": ("matches", "laws", "two_worlds", "api", "live"),
    "matches/http": ("api", "matches", "live", "web", "panel"),
    "matches/realtime": ("live", "matches", "web"),
    "matches/seasons": ("seasons", "api", "panel", "web"),
    "matches/services": ("matches", "api", "live", "laws"),
    "matches/storage": ("matches", "events", "live", "api"),
}
"""The folders of tests that belong to a package."""
_MOST_SECONDS = 3600
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_TESTS_FAILED = 1


class Mutant(NamedTuple):
    """A changed module: the change in the source, and the whole changed text."""

    path: str
    line: int
    function: str
    before: str
    after: str
    code: str

    @property
    def package(self) -> str:
        return "/".join(self.path.split("/")[:2])

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.before}  ->  {self.after}"


class Verdict(NamedTuple):
    """The result of a mutant: `test` is the first that failed, empty if it survived."""

    mutant: Mutant
    test: str
    seconds: float


def main(argv: list[str]) -> int:
    """Draw the mutants, run their tests, and print what survived."""
    parser = argparse.ArgumentParser(prog="bench mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="the beginning of the paths to change")
    parser.add_argument("--at-once", type=int, default=2)
    args = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="croupier-mutants-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(args.at_once):
            trees.put(_copy(Path(folder) / str(number)))
        mutants = _drawn(args.count, args.seed, args.only)
        verdicts = []
        with ThreadPoolExecutor(args.at_once) as pool:
            for verdict in pool.map(lambda it: _judged(it, trees), mutants):
                verdicts.append(verdict)
                result = f"caught by {verdict.test}" if verdict.test else "SURVIVED"
                print(
                    f"{len(verdicts)}/{len(mutants)} {verdict.mutant}\n    {result}, {verdict.seconds:.0f} s",
                    flush=True,
                )
        unsound = _failing_without_a_mutant(
            trees.get(), sorted({it.test for it in verdicts if it.test.startswith("tests/")})
        )
    return _report(verdicts, unsound)


def _copy(tree: Path) -> Path:
    """Return a copy of the checkout's tracked files that uses its packages."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    return tree


def _drawn(count: int, seed: int, only: str) -> list[Mutant]:
    uv = [str(ROOT / ".venv/bin/uv"), "run", "--quiet", "--no-project", "--isolated", "--with", MUTMUT]
    script = [*uv, "python", "benchmarks/_mutants.py", str(count), str(seed), only]
    drawn = subprocess.run(script, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    return [Mutant(**it) for it in json.loads(drawn)]


def _judged(mutant: Mutant, trees: "SimpleQueue[Path]") -> Verdict:
    """Run the mutant's tests in one of the copies."""
    tree, began = trees.get(), time.perf_counter()
    module = tree / mutant.path
    original = module.read_text(encoding="utf-8")
    module.write_text(mutant.code, encoding="utf-8")
    try:
        test = _first_failure(tree, _ranked(tree, mutant))
    finally:
        module.write_text(original, encoding="utf-8")
        trees.put(tree)
    return Verdict(mutant, test, time.perf_counter() - began)


def _ranked(tree: Path, mutant: Mutant) -> list[str]:
    """Return the test files of the mutant's package, those first that name what was changed."""
    stem = Path(mutant.path).stem
    names = re.compile(rf"\b(?:{re.escape(mutant.function)}|{re.escape(stem)})\b")
    files = [it for folder in TESTS[mutant.package] for it in sorted((tree / "tests" / folder).rglob("test_*.py"))]
    mentions = {it: len(names.findall(it.read_text(encoding="utf-8"))) + 9 * (stem in it.stem) for it in files}
    return [str(it.relative_to(tree)) for it in sorted(files, key=lambda it: -mentions[it])]


def _first_failure(tree: Path, files: list[str]) -> str:
    """Return the first test that fails, or why none could run; empty if all pass."""
    pytest = [".venv/bin/python", "-m", "pytest", "-n0", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-rfE"]
    try:
        run = subprocess.run([*pytest, *files], cwd=tree, capture_output=True, text=True, timeout=_MOST_SECONDS)
    except subprocess.TimeoutExpired:
        return "the time limit"
    if run.returncode == 0:
        return ""
    failed = _FAILED.search(run.stdout)
    if failed is None and run.returncode == _TESTS_FAILED:
        raise RuntimeError(f"pytest named no test that failed:\n{run.stdout[-2000:]}")
    return failed[1] if failed else "the start of the tests"


def _failing_without_a_mutant(tree: Path, tests: list[str]) -> list[str]:
    """Return those of these tests that fail on the unchanged code."""
    if not tests:
        return []
    pytest = [".venv/bin/python", "-m", "pytest", "-n0", "-q", "--no-header", "-p", "no:cacheprovider", "-rfE"]
    run = subprocess.run([*pytest, *tests], cwd=tree, capture_output=True, text=True)
    return _FAILED.findall(run.stdout)


def _report(verdicts: list[Verdict], unsound: list[str]) -> int:
    console = Console(width=160, highlight=False, markup=False)
    drawn = Counter(it.mutant.package for it in verdicts)
    survivors = [it.mutant for it in verdicts if not it.test or it.test in unsound]
    alive = Counter(it.package for it in survivors)
    for package, count in sorted(drawn.items()):
        console.print(f"{package:20} {count - alive[package]:4} of {count} caught")
    console.print(f"{'all':20} {len(verdicts) - len(survivors):4} of {len(verdicts)} caught")
    for it in survivors:
        console.print(f"survived: {it}")
    for test in unsound:
        console.print(f"fails without a mutant: {test}")
    write("mutants", drawn=drawn, survived=alive, survivors=[str(it) for it in survivors], unsound=unsound)
    return int(len(survivors) > len(verdicts) / 10)
