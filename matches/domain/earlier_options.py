"""Options that are newer than some matches: those matches are read with what applied at their time. Pure.

The default of an option is what new matches use. If matches from before the option were played differently, the entry
of their schema holds the old behaviour.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final

Fields = dict[str, Any]

_EARLIER: Final[tuple[dict[str, Fields], ...]] = (
    {"reality_benders": {"rules_each": 2}},
    {"peeling_the_banana": {"reshuffle": "empty"}},
)
"""By schema, from 1: the options by game that an event of that schema doesn't have."""


def steps() -> Iterator[tuple[int, Callable[[Fields], Fields]]]:
    """Yield the upcasting steps, by schema, of an event that has a `game` and its `options`."""
    for schema, options in enumerate(_EARLIER, start=1):
        yield schema, _completing(options)


def _completing(earlier: dict[str, Fields]) -> Callable[[Fields], Fields]:
    def complete(fields: Fields) -> Fields:
        return {**fields, "options": {**earlier.get(fields["game"], {}), **fields["options"]}}

    return complete
