"""The legal commands of a seat, or of HOST, from its witness state: some of them, or one at random."""

from collections.abc import Iterator
from itertools import islice
from random import Random

from games.contest import forms
from games.contest.commands import Close, Resolve, Submit, Transfer, Withdraw
from games.contest.evaluations import Host
from games.contest.rules import due
from games.contest.state import State, amounts_held
from games.kernel import HOST, Chance, Command, Generator, Witness

_SUBMISSIONS = 24
"""The most submissions that are listed."""


def legal(state: State, seat: Witness) -> Iterator[Command]:
    """Yield legal commands: of submissions, gifts and judgements, of which there are too many, only some."""
    names = due(state).commands_of(seat)
    rng = Generator(Chance(seed=b"listed").draws("listed"))
    if isinstance(seat, int):
        if "submit" in names:
            yield from _submissions(state, seat, rng)
        if "withdraw" in names:
            yield Withdraw(state.number)
        if "transfer" in names:
            yield from _transfers(state, seat)
    if "close" in names:
        yield Close(state.number)
    if "resolve" in names:
        yield _judgement(state, rng)


def examples(state: State, seat: int) -> Iterator[Command]:
    """Yield an example of each kind of command that the seat may give, made of the first values of the form."""
    names = due(state).commands_of(seat)
    if "submit" in names:
        yield Submit(state.number, forms.first_values(state, seat))
    if "withdraw" in names:
        yield Withdraw(state.number)
    if "transfer" in names:
        yield from islice(_transfers(state, seat), 1)


def _submissions(state: State, seat: int, rng: Random) -> Iterator[Submit]:
    listed: list[Submit] = []
    for _ in range(2 * _SUBMISSIONS):
        command = Submit(state.number, forms.sample(state, seat, rng))
        if command not in listed:
            listed.append(command)
            yield command
        if len(listed) == _SUBMISSIONS:
            return


def _transfers(state: State, seat: int) -> Iterator[Transfer]:
    if state.gifts[seat] >= state.round.gifts:
        return
    for balance in state.options.content.balances:
        free = (state.balances[balance.name][seat] or 0) - amounts_held(state, seat, balance.name)
        if balance.gives != "never" and free > 0:
            for other in state.playing:
                if other != seat:
                    yield from (Transfer(other, balance.name, amount) for amount in sorted({1, free}))


def _judgement(state: State, rng: Random) -> Resolve:
    scheme = state.round.scheme
    least, most = (scheme.least, scheme.most) if isinstance(scheme, Host) else (0, 0)
    points: dict[str | int, int] = {
        str(entry.seat): least + int(rng.random() * (most - least + 1)) for entry in state.played[-1].entries
    }
    return Resolve(len(state.played), points)


def sample(state: State, seat: Witness, rng: Random) -> Command:
    """Return a random legal command that is awaited, or sometimes a gift."""
    if seat is HOST or not isinstance(seat, int):
        return _judgement(state, rng)
    if rng.random() < 0.1:
        transfers = list(_transfers(state, seat)) if "transfer" in due(state).commands_of(seat) else []
        if transfers:
            return rng.choice(transfers)
    return Submit(state.number, forms.sample(state, seat, rng))
