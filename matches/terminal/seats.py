"""Programs that play seats of a match: REST clients that send the commands of the game's bot for their seat's view."""

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
"""Refusals of a command because the match has moved; load the match again."""


class Stuck(Exception):
    """Nothing happens in a match that waits for the dealer or a worker."""


def patient(ask: Callable[[], T]) -> T:
    """Return the result of the request; repeat it every two seconds while it is rate-limited or the service
    unavailable."""
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
    moved: Callable[[], None] = lambda: None,
) -> Mapping[str, Any]:
    """Play `acts` commands of a match, or to its end; return the match as seat 0 then sees it.

    Call `moved` after each command. Raise Stuck, ProblemAnswer, Unreachable.
    """
    made = 0
    while True:
        document = _wait_for_a_turn(match, players[0])
        if document["outcome"] or document["status"] == "void" or made == acts:
            return document
        seat = rng.choice(document["due"]["prompts"])["seat"]
        mine = document if seat == 0 else patient(lambda seat=seat: players[seat].get(f"/matches/{match}"))
        if _move(mine, players[seat], seat, rng):
            made += 1
            moved()


def _wait_for_a_turn(match: str, player: Client) -> Mapping[str, Any]:
    """Return the match once it is over or waits for a seat; raise Stuck after a minute."""
    deadline, wait = time.monotonic() + _PATIENCE_SECONDS, _FIRST_WAIT_SECONDS
    while True:
        document: Mapping[str, Any] = patient(lambda: player.get(f"/matches/{match}"))
        if document["outcome"] or document["status"] == "void" or document["due"]["prompts"]:
            return document
        if time.monotonic() > deadline:
            raise Stuck(f"Match {document['code']} has waited a minute for its dealer. Is a worker running?")
        time.sleep(wait)
        wait = min(_LONGEST_WAIT_SECONDS, wait * 1.5)


def _move(document: Mapping[str, Any], player: Client, seat: int, rng: Random) -> bool:
    """Send the bot's command for this seat; return False if the match has moved meanwhile."""
    if all(prompt["seat"] != seat for prompt in document["due"]["prompts"]):
        return False
    game = catalogue[document["game"]]
    command, key = to_json(game.bot(game.read_state(document["view"]), seat, rng)), str(uuid4())
    try:
        patient(lambda: player.post(f"/matches/{document['id']}/commands", command, key))
    except ProblemAnswer as refused:
        if refused.problem.get("code") in _OVERTAKEN:
            return False
        raise
    return True
