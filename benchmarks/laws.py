"""bench laws: thousands of random matches a game, over all seats and many options, checked against every law.

Match number N has the seed N: it draws the options, the moves, the flags, the resignations and the other truths. So the
seed alone reproduces a broken law: bin/bench laws --game SLUG --seed N --matches 1 --pairs 0
"""

import argparse
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from benchmarks.report import write
from games import catalogue
from games.kernel import secrecy_of
from tests.laws.law import LawBroken, Unprepared
from tests.laws.runs import Tally, check_seed

CHUNK = 5
SHOWN = 5


@dataclass
class Violation:
    """A law that a match broke, with the command that plays that match again."""

    seed: int
    law: int
    sentence: str
    again: str


@dataclass
class Result:
    """Counts and violations of one game."""

    game: str
    matches: int = 0
    commands: int = 0
    pairs: int = 0
    comparisons: int = 0
    violations: list[Violation] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, outcome: "Tally | Violation") -> None:
        """Add one match."""
        self.matches += 1
        if isinstance(outcome, Violation):
            self.violations.append(outcome)
            return
        self.commands += outcome.commands
        self.pairs += outcome.pairs
        self.comparisons += outcome.comparisons


def main(argv: list[str]) -> int:
    """Play, check every law and print the results; return 1 if a law is broken."""
    parser = argparse.ArgumentParser(prog="bench laws", description=__doc__.splitlines()[0])
    parser.add_argument("--matches", type=int, default=2000, help="a game")
    parser.add_argument("--pairs", type=int, default=2000, help="of truths a game, where it has secrets")
    parser.add_argument("--game", choices=sorted(catalogue))
    parser.add_argument("--seed", type=int, default=0, help="of the first match; the next ones count up")
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args(argv)
    slugs = [arguments.game] if arguments.game else sorted(catalogue)
    try:
        with ProcessPoolExecutor(arguments.processes) as pool:
            results = [_check(pool, slug, arguments) for slug in slugs]
    except Unprepared as missing:
        print(missing)
        return 1
    _print(results, f"laws-{arguments.game}" if arguments.game else "laws")
    return 1 if any(result.violations for result in results) else 0


def _check(pool: ProcessPoolExecutor, slug: str, arguments: argparse.Namespace) -> Result:
    """Play until there are enough matches and pairs; the result does not depend on the number of processes."""
    result, begun = Result(slug), perf_counter()
    pairs = arguments.pairs if any(secrecy_of(kind).fields for kind in catalogue[slug].events) else 0
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task(slug, total=arguments.matches)
        for outcome in _outcomes(pool, slug, arguments):
            result.add(outcome)
            progress.update(bar, completed=result.matches, total=max(arguments.matches, result.matches))
            if (result.matches >= arguments.matches and result.pairs >= pairs) or len(result.violations) >= SHOWN:
                break
    result.seconds = perf_counter() - begun
    return result


def _outcomes(pool: ProcessPoolExecutor, slug: str, arguments: argparse.Namespace) -> Iterator[Tally | Violation]:
    """Yield the outcome of each match in the order of their seeds; beyond the requested number, a chunk at a time."""
    size = max(1, min(CHUNK, arguments.matches))
    ahead = arguments.seed + arguments.matches
    under_way: deque[Future[list[Tally | Violation]]] = deque()
    seed = arguments.seed
    try:
        while True:
            while not under_way or (seed < ahead and len(under_way) < 2 * arguments.processes):
                under_way.append(pool.submit(_chunk, slug, seed, size))
                seed += size
            yield from under_way.popleft().result()
    finally:
        for future in under_way:
            future.cancel()


def _chunk(slug: str, seed: int, size: int) -> list[Tally | Violation]:
    return [play(slug, number) for number in range(seed, seed + size)]


def play(slug: str, seed: int) -> Tally | Violation:
    """Check the match with this seed against every law."""
    try:
        return check_seed(catalogue[slug], seed)
    except LawBroken as broken:
        again = f"bin/bench laws --game {slug} --seed {seed} --matches 1 --pairs 0"
        return Violation(seed, broken.law, str(broken), again)


def _print(results: list[Result], name: str) -> None:
    grid = Grid(title="bench laws", title_justify="left")
    for heading in ("game", "matches", "commands", "pairs", "comparisons", "violations", "seconds"):
        grid.add_column(heading, justify="left" if heading == "game" else "right")
    for result in results:
        figures = (result.matches, result.commands, result.pairs, result.comparisons, len(result.violations))
        grid.add_row(result.game, *(f"{figure:,}" for figure in figures), f"{result.seconds:.0f}")
    console = Console(width=110)
    console.print(grid)
    for violation in (violation for result in results for violation in result.violations):
        console.print(f"{violation.sentence}\n  again: {violation.again}", highlight=False, markup=False)
    write(name, games=[asdict(result) for result in results])
