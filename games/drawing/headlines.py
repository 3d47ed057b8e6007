"""Headlines that are the same for all games."""

from collections.abc import Sequence
from typing import Final

from games.kernel import Outcome

_HOW: Final = {"played": "the match", "flag": "on time", "resigned": "by resignation"}


def ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Return the winners and the reason: `Ada has won on time`."""
    winners = [names[seat] for seat in outcome.winners]
    return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won {_HOW[outcome.reason]}"
