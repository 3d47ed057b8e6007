"""bench mutants: change one place of the code at a time, and see if a test of `bin/test` fails.

python -m benchmarks mutants                                 200 mutants of six packages, two at a time
python -m benchmarks mutants --count 20 --seed 2 --only matches/seasons/domain

mutmut makes the mutants, drawn with a fixed seed. The tests of the folders that belong to a mutant's package run until
the first fails: for each mutant the files whose words are most like the changed code's; then, in two more batches, the
other files for the mutants that are left. In each batch a mutant's tests run for at most `--seconds`. A mutant that no
test fails on survived: it is printed with its change. Exit status 1 says that more than one in ten survived.
"""

import argparse
import json
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from rich.console import Console

from benchmarks.report import write

ROOT = Path(__file__).parents[1]
MUTMUT = "mutmut==3.8.1"
TESTS = {
    "matches/domain": ("matches", "laws", "two_worlds", "api", "live", "panel", "web"),
    "matches/http": ("api", "matches", "live", "web", "panel"),
    "matches/realtime": ("live", "matches", "web"),
    "matches/seasons": ("seasons", "api", "panel", "web"),
    "matches/services": ("matches", "api", "live", "laws"),
    "matches/storage": ("matches", "events", "live", "api"),
}
"""The folders of tests that belong to a package."""
_BATCHES = (slice(4), slice(4, 16), slice(16, None))
"""The test files of a batch, by their rank: pytest orders the tests of one run by other rules."""
_SECONDS_OF_A_TEST = 120
_SECONDS_TO_END = 30
_LINES_AROUND = 10
_WORD = re.compile(r"[^\W_]\w{3,}")
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
    parser.add_argument("--seconds", type=float, default=300, help="of a mutant's tests in each batch")
    args = parser.parse_args(argv)
    # A job in the background of a shell ignores it, and so would pytest.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="croupier-mutants-") as folder:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(args.at_once):
            trees.put(_copy(Path(folder) / str(number)))
        mutants = _drawn(args.count, args.seed, args.only)
        verdicts: dict[Mutant, Verdict] = {}
        with ThreadPoolExecutor(args.at_once) as pool:
            for files in _BATCHES:
                alive = [it for it in mutants if it not in verdicts or not verdicts[it].test]
                print(f"{len(alive)} mutants, test files from number {(files.start or 0) + 1}", flush=True)
                judged = pool.map(lambda it, files=files: _judged(it, trees, files, args.seconds), alive)
                for number, verdict in enumerate(judged, start=1):
                    verdicts[verdict.mutant] = verdict
                    result = f"caught by {verdict.test}" if verdict.test else "survived so far"
                    print(f"{number}/{len(alive)} {verdict.mutant}\n    {result}, {verdict.seconds:.0f} s", flush=True)
        unsound = _failing_without_a_mutant(
            trees.get(), sorted({it.test for it in verdicts.values() if it.test.startswith("tests/")})
        )
    return _report(list(verdicts.values()), unsound)


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


def _judged(mutant: Mutant, trees: "SimpleQueue[Path]", files: slice, seconds: float) -> Verdict:
    """Run these of the mutant's test files in one of the copies."""
    tree, began = trees.get(), time.perf_counter()
    module = tree / mutant.path
    original = module.read_text(encoding="utf-8")
    module.write_text(mutant.code, encoding="utf-8")
    try:
        test = _first_failure(tree, _ranked(mutant)[files], seconds)
    finally:
        module.write_text(original, encoding="utf-8")
        trees.put(tree)
    return Verdict(mutant, test, time.perf_counter() - began)


@cache
def _words_of_tests(package: str) -> dict[str, frozenset[str]]:
    """Return the words of each test file that belongs to a package."""
    files = [it for folder in TESTS[package] for it in sorted((ROOT / "tests" / folder).rglob("test_*.py"))]
    return {str(it.relative_to(ROOT)): _words(f"{it.stem} {it.read_text(encoding='utf-8')}") for it in files}


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text))


def _ranked(mutant: Mutant) -> list[str]:
    """Return the test files of the mutant's package: those first that share the most and rarest words with the module,
    above all with the lines around the change."""
    tests, lines = _words_of_tests(mutant.package), mutant.code.splitlines()
    frequency = Counter(word for words in tests.values() for word in words)
    near = _words(" ".join(lines[max(0, mutant.line - _LINES_AROUND) : mutant.line + _LINES_AROUND]))
    weights = {it: 1 / frequency[it] for it in _words(f"{Path(mutant.path).stem} {mutant.code}") if it in frequency}
    weights |= {it: 5 * weight for it, weight in weights.items() if it in near}

    def score(file: str) -> float:
        return sum(weights.get(word, 0) for word in tests[file]) / len(tests[file]) ** 0.5

    return sorted(tests, key=score, reverse=True)


def _first_failure(tree: Path, files: list[str], seconds: float) -> str:
    """Return the first test that fails, or why none could run; empty if all that ran in time pass."""
    options = ["-n0", "-x", "-q", "--no-header", "-p", "no:cacheprovider", "-rfE", f"--timeout={_SECONDS_OF_A_TEST}"]
    with tempfile.TemporaryFile("w+") as output:
        run = subprocess.Popen(
            [".venv/bin/python", "-m", "pytest", *options, *files], cwd=tree, stdout=output, stderr=subprocess.STDOUT
        )
        is_late = _ended_late(run, seconds)
        output.seek(0)
        text = output.read()
    failed = _FAILED.search(text)
    if failed is None and run.returncode == _TESTS_FAILED:
        raise RuntimeError(f"pytest named no test that failed:\n{text[-2000:]}")
    if failed:
        return failed[1]
    return "" if is_late or run.returncode == 0 else "the start of the tests"


def _ended_late(run: "subprocess.Popen[bytes]", seconds: float) -> bool:
    """Wait for pytest's end, or interrupt it; then it ends its servers and removes their data."""
    try:
        run.wait(seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        try:
            run.wait(_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            run.kill()
            run.wait()
        return True
    return False


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
