"""The standalone verifier with its table of games, generated from the games.

    python -m matches.audit.rendering        write the table into matches/audit/croupier_verify.py

The file that the house serves and puts into archives is generated from the catalogue, so a new game needs no line in
it. The table is part of the verifier and not of a record: a purpose is an input of a draw, and whoever writes the
records must not choose it. Anyone can compare the file with that of the release.
"""

from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from pprint import pformat
from textwrap import indent
from typing import Any

from games import catalogue
from games.kernel import Drawn, to_json
from matches.audit import croupier_verify

PATH = Path(croupier_verify.__file__)
_BEGINS, _ENDS = "GAMES = ", "# The end of the table.\n"
_WIDTH = 111


def games() -> dict[str, list[dict[str, Any]]]:
    """Return the draws of each game for the verifier."""
    return {slug: list(map(_entry, game.draws)) for slug, game in sorted(catalogue.items())}


def _entry(drawn: Drawn) -> dict[str, Any]:
    """Return a draw without default values."""
    values = asdict(drawn)
    values |= values.pop("more")
    values["changes"] = [{name: value for name, value in it.items() if value != ()} for it in values["changes"]]
    entry: dict[str, Any] = to_json(
        {name: value for name, value in values.items() if value not in (None, False, {}, [])}
    )
    return entry


def written(source: str) -> str:
    """Return the verifier's text with today's table in place of its own."""
    begins = source.index(f"\n{_BEGINS}") + 1
    ends = source.index(_ENDS)
    table = "".join(f'    "{slug}": [\n{"".join(map(_lines, draws))}    ],\n' for slug, draws in games().items())
    return f"{source[:begins]}{_BEGINS}{{\n{table}}}  # fmt: skip\n{source[ends:]}"


def _lines(entry: dict[str, Any]) -> str:
    return indent(f"{pformat(entry, width=_WIDTH, compact=True, sort_dicts=False)},\n", " " * 8)


@lru_cache(maxsize=1)
def source() -> bytes:
    """Return the verifier as it is served."""
    return written(PATH.read_text(encoding="utf-8")).encode()


if __name__ == "__main__":
    PATH.write_text(written(PATH.read_text(encoding="utf-8")), encoding="utf-8")
