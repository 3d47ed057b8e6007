"""The end of a contest: what is published then, the points, and the places."""

from collections.abc import Iterator
from itertools import groupby

from games.contest.events import ContestFinished, RoundRevealed, TieBroken
from games.contest.rounds import published
from games.contest.state import State
from games.kernel import Chance, Event

Ranking = tuple[tuple[int, ...], ...]


def is_finished(state: State) -> bool:
    """True if a condition of the content ends the contest before its last round. R28"""
    end = state.options.content.end
    if len(state.playing) <= end.survivors:
        return True
    if end.without and all(state.roles[seat] != end.without for seat in state.playing):
        return True
    return end.points is not None and any((points or 0) >= end.points for points in state.points)


def finished(state: State, chance: Chance) -> Iterator[Event]:
    """Yield the last events: a shuffle if chance must rank equal players, or the end. R27, R33"""
    ranking = ranked(state)
    if "chance" in state.options.content.score.ties and not state.tied and any(len(group) > 1 for group in ranking):
        yield TieBroken(chance.shuffled(range(state.seats), "tie"))
        return
    for shown in state.played:
        of_round = state.rounds[shown.index]
        if of_round.later:
            revealed = published(of_round, shown.entries)
            yield RoundRevealed(shown.number, revealed.totals, revealed.choices, revealed.entries)
    yield ContestFinished(final_points(state), ranking)


def final_points(state: State) -> tuple[int, ...]:
    """Return the points by seat, with those for what balances are worth. R26"""
    weights = {it.name: it.weight for it in state.options.content.balances}
    return tuple(
        (state.points[seat] or 0) + sum((state.balances[name][seat] or 0) * weight for name, weight in weights.items())
        for seat in range(state.seats)
    )


def ranked(state: State) -> Ranking:
    """Return the places: players who resigned come last, the earliest at the very end."""
    keys = {seat: _key(state, seat, points) for seat, points in enumerate(final_points(state))}
    seats = sorted((seat for seat in keys if seat not in state.resigned), key=lambda seat: keys[seat], reverse=True)
    groups = tuple(tuple(sorted(group)) for _, group in groupby(seats, key=lambda seat: keys[seat]))
    return (*groups, *((seat,) for seat in reversed(state.resigned)))


def standing(state: State) -> Ranking:
    """Return the places by the points so far, or at the end; nothing for a witness who doesn't know all points."""
    if state.ranking:
        return state.ranking
    if None in state.points:
        return ()
    seats = sorted((seat for seat in range(state.seats) if seat not in state.resigned), key=lambda it: -_of(state, it))
    groups = tuple(tuple(group) for _, group in groupby(seats, key=lambda seat: _of(state, seat)))
    return (*groups, *((seat,) for seat in reversed(state.resigned)))


def _of(state: State, seat: int) -> int:
    return state.points[seat] or 0


def _key(state: State, seat: int, points: int) -> tuple[int, ...]:
    return (points, *(_measure(state, seat, name) for name in state.options.content.score.ties))


def _measure(state: State, seat: int, name: str) -> int:
    if name == "survival":
        return state.left.index(seat) if seat in state.left else len(state.left)
    if name == "chance":
        return -state.tied.index(seat) if state.tied else 0
    return state.balances[name][seat] or 0
