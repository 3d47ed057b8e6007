"""Run a benchmark: python -m benchmarks NAME [args]. Each benchmark is a module of this package with a `main(argv)`."""

import sys
from importlib import import_module
from pathlib import Path


def names() -> list[str]:
    """Return the names of the benchmarks; helper modules have no `main`."""
    modules = Path(__file__).parent.glob("[!_]*.py")
    return sorted(path.stem for path in modules if "\ndef main(" in path.read_text(encoding="utf-8"))


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in names():
        print(f"usage: python -m benchmarks NAME [args], where NAME is one of {', '.join(names())}")
        return 2
    return int(import_module(f"benchmarks.{argv[0]}").main(argv[1:]) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
