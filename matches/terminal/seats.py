"""Programs at the seats of a match: each is a REST client that sees what its seat sees and asks its game's bot."""

import time
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar
from uuid import uuid4

from games import catalogue
from games.kernel import to_json
from matches.terminal.client import Client, ProblemAnswer

T = TypeVar("T")

_PATIENCE_SECONDS = 60.0
_FIRST_WAIT_SECONDS, _LONGEST_WAIT_SECONDS = 0.01, 0.2
_OVERTAKEN = ("not_your_turn", "not_now", "dealer_due", "conflict", "flag_fallen", "version_behind", "match_over")
"""Refusals of a command that came when the match had moved: look again."""


class Stuck(Exception):
    """The match waits for the house, and the house doesn't come."""


def patient(ask: Callable[[], T]) -> T:
    """What is asked for, as soon as the service's limits allow it."""
    while True:
        try:
            return ask()
        except ProblemAnswer as refused:
            if refused.problem.get("code") not in ("too_many_requests", "unavailable"):
                raise
            time.sleep(2)


def play(
    match: str,
    players: Sequence[Client],
    rng: Random,
    *,
    acts: int | None = None,
    told: Callable[[], None] = lambda: None,
) -> Mapping[str, Any]:
    """Play so many commands of a match, or to its end; gives the match as seat 0 then sees it.

    `told` is called after each command. Raises Stuck, Refused, Unreachable.
    """
    made = 0
    while True:
        seen = _wait_for_a_turn(match, players[0])
        if seen["outcome"] or seen["status"] == "void" or made == acts:
            return seen
        seat = rng.choice(seen["due"]["prompts"])["seat"]
        mine = seen if seat == 0 else patient(lambda seat=seat: players[seat].get(f"/matches/{match}"))
        if _move(mine, players[seat], seat, rng):
            made += 1
            told()


def _wait_for_a_turn(match: str, player: Client) -> Mapping[str, Any]:
    """The match, once it is over or waits for a seat."""
    deadline, wait = time.monotonic() + _PATIENCE_SECONDS, _FIRST_WAIT_SECONDS
    while True:
        seen: Mapping[str, Any] = patient(lambda: player.get(f"/matches/{match}"))
        if seen["outcome"] or seen["status"] == "void" or seen["due"]["prompts"]:
            return seen
        if time.monotonic() > deadline:
            raise Stuck(f"Match {seen['code']} has waited a minute for its dealer. Is a worker running?")
        time.sleep(wait)
        wait = min(_LONGEST_WAIT_SECONDS, wait * 1.5)


def _move(seen: Mapping[str, Any], player: Client, seat: int, rng: Random) -> bool:
    """One command of this seat, chosen by the bot from its own view; False where the match had moved meanwhile."""
    if all(prompt["seat"] != seat for prompt in seen["due"]["prompts"]):
        return False
    game = catalogue[seen["game"]]
    command, key = to_json(game.bot(game.read_state(seen["view"]), seat, rng)), str(uuid4())
    try:
        patient(lambda: player.post(f"/matches/{seen['id']}/commands", command, key))
    except ProblemAnswer as refused:
        if refused.problem.get("code") in _OVERTAKEN:
            return False
        raise
    return True
