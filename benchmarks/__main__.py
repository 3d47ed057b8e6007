"""Measures it: python -m benchmarks NAME [args]; each module of this package has a `main(argv)`."""

import sys
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    """The benchmarks that there are."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def main(argv: list[str]) -> int:
    """Run one benchmark with its arguments."""
    if not argv or argv[0] not in names():
        print(f"usage: python -m benchmarks NAME [args], where NAME is one of {', '.join(names())}")
        return 2
    return int(import_module(f"benchmarks.{argv[0]}").main(argv[1:]) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
