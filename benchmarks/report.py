"""Results of a measurement: a table with medians and spread, and the same as JSON in benchmarks/output."""

import json
import platform
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

OUTPUT = Path(__file__).parent / "output"


@dataclass(frozen=True)
class Row:
    """A figure measured several times, in `unit`; `spread` is from the least to the greatest."""

    what: str
    unit: str
    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle sample."""
        return median(self.samples)

    @property
    def spread(self) -> str:
        """The least and the greatest sample."""
        return f"{number(min(self.samples))} - {number(max(self.samples))}"


def number(value: float) -> str:
    """Format a figure for people: a separator of thousands, decimals for small figures."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:,.2f}"


def print_results(name: str, rows: list[Row], notes: list[str]) -> None:
    """Print the table and the notes, and write both to benchmarks/output/NAME.json."""
    table = Table(title=f"bench {name}", title_justify="left")
    for heading, justify in (("what", "left"), ("median", "right"), ("spread", "right"), ("unit", "left")):
        table.add_column(heading, justify=justify)  # type: ignore[arg-type]
    for row in rows:
        table.add_row(row.what, number(row.median), row.spread, row.unit)
    console = Console(width=110)
    console.print(table)
    for note in notes:
        console.print(f"  {note}", highlight=False)
    write(name, rows=[{**asdict(row), "median": row.median} for row in rows], notes=notes)


def write(name: str, **results: Any) -> None:
    """Write the results of a benchmark as JSON, with a description of the machine."""
    OUTPUT.mkdir(exist_ok=True)
    document = {
        "bench": name,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        **results,
    }
    (OUTPUT / f"{name}.json").write_text(json.dumps(document, indent=2) + "\n")
