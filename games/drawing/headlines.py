"""Headlines that are the same for all games."""

from collections.abc import Callable, Sequence
from typing import Final

from games.kernel import Outcome

_HOW: Final = {"played": "the match", "flag": "on time", "resigned": "by resignation"}

MOST_NAMED: Final = 5
FIRST_NAMED: Final = 3


def ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Return the winners and the reason: `Ada has won on time`."""
    winners = shortened([names[seat] for seat in outcome.winners])
    return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won {_HOW[outcome.reason]}"


def shortened(names: Sequence[str], others: Callable[[int], str] = "{} others".format) -> list[str]:
    """Return up to five names; of more, the first three and the number of the others."""
    return list(names) if len(names) <= MOST_NAMED else [*names[:FIRST_NAMED], others(len(names) - FIRST_NAMED)]
