"""The bot: it submits what a sensible player might, by the round's scheme, from its seat's witness state."""

from random import Random

from games.contest import forms
from games.contest.commands import Submit
from games.contest.state import State
from games.kernel import Command


def bot(state: State, seat: int, rng: Random) -> Command:
    """Return the submission of a seat that is asked."""
    return Submit(state.number, forms.sample(state, seat, rng))
