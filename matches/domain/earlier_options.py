"""Options that a game has had since some of its matches were set up: those matches go on as they were meant. Pure.

A new option's default is what is usual now. Where a match without the option was played in another way, that way stands
here, and what tells the match's options (its opening, or its place in a season's schedule) is read with it.
"""

from typing import Any, Final

_BEFORE_SCHEMA_2: Final[dict[str, dict[str, Any]]] = {"reality_benders": {"rules_each": 2}}


def complete(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of an event at schema 1 that has a `game` and its `options`, with those that nobody could set then."""
    options = {**_BEFORE_SCHEMA_2.get(fields["game"], {}), **fields["options"]}
    return {**fields, "options": options}
