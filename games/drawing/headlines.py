"""What is told of a match in one line, whatever the game."""

from collections.abc import Sequence
from typing import Final

from games.kernel import Outcome

_HOW: Final = {"played": "the match", "flag": "on time", "resigned": "by resignation"}


def ended(outcome: Outcome, names: Sequence[str]) -> str:
    """Who has won, and how: `Ada has won on time`."""
    winners = [names[seat] for seat in outcome.winners]
    return f"{' and '.join(winners)} {'has' if len(winners) == 1 else 'have'} won {_HOW[outcome.reason]}"
