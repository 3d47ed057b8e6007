"""Time until all watchers have the same state, even if hints are lost or reordered: a part of bench live."""

import asyncio
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4

from benchmarks._lines import Line, open_line
from benchmarks.report import Row

_WATCHERS = 10
"""Per match: its two seats, and spectators."""


class Follower:
    """A client at a match: the version and view that it has received."""

    def __init__(self) -> None:
        self.line: Line | None = None
        self.version, self.view = 0, None
        self.witness = ""
        self.gaps = 0

    def take(self, text: bytes) -> None:
        """Handle a frame; if events are missing before it, ask for them."""
        frame = json.loads(text)
        if frame["kind"] == "hello":
            self.version, self.view, self.witness = frame["version"], frame["view"], frame["witness"]
        if frame["kind"] != "events":
            return
        if frame["from"] > self.version + 1:
            self.gaps += 1
            assert self.line is not None
            self.line.say(kind="resync", after=self.version)
        elif frame["to"] > self.version:
            self.version, self.view = frame["to"], frame.get("view", self.view)


async def converge(
    port: int, what: str, matches: list[tuple[str, list[str]]], token: str, moves: int, first: Callable[[], None]
) -> list[Row]:
    """Play moves at these matches in this process after `first`; return how long after the last move all clients have
    received it."""
    at: dict[str, list[Follower]] = {}
    for match, tokens in matches:
        at[match] = [Follower() for _ in range(_WATCHERS)]
        for follower, owner_token in zip(at[match], [*tokens, *[token] * (_WATCHERS - len(tokens))], strict=True):
            follower.line = await open_line(port, match, owner_token, follower.take)
    followers = [it for group in at.values() for it in group]
    await _until(lambda: all(it.version for it in followers), 60)
    first()
    await asyncio.to_thread(_play, list(at), moves)
    begun, newest = perf_counter(), await asyncio.to_thread(_versions, list(at))
    await _until(lambda: all(it.version == newest[match] for match, group in at.items() for it in group), 60)
    took = perf_counter() - begun
    agreed = await asyncio.to_thread(_agree, at)
    gaps = sum(it.gaps for it in followers)
    for it in followers:
        assert it.line is not None
        it.line.transport.abort()
    return [
        Row(f"{what}: {len(followers)} clients at the last version after", "s", (took,)),
        Row(f"{what}: clients whose view is the witness's own", "", (float(agreed),)),
        Row(f"{what}: gaps seen on the way", "", (float(gaps),)),
    ]


@contextmanager
def mangled_hints(rng: Random) -> Iterator[None]:
    """Lose half of the hints that this process publishes, and send the others in another order."""
    from matches.publishing import publisher

    publish, held = publisher.publish, []

    def mangle(group: str, hint: publisher.Hint) -> None:
        if rng.random() < 0.5:
            held.append((group, hint))
        if len(held) >= 8:
            rng.shuffle(held)
            while held:
                publish(*held.pop())

    publisher.publish = mangle
    try:
        yield
    finally:
        publisher.publish = publish


@contextmanager
def mortal_valkey() -> Iterator[Any]:
    """A Valkey that may be killed."""
    from config.runner.embedded.valkey import Valkey

    folder = Path(tempfile.mkdtemp(prefix="croupier-bench-"))
    folder.chmod(0o711)
    valkey = Valkey(folder / "valkey")
    try:
        valkey.start()
        yield valkey
    finally:
        valkey.remove()
        shutil.rmtree(folder, ignore_errors=True)


def _play(matches: list[str], moves: int) -> None:
    """Make so many moves at each match, in turn."""
    from django.db import close_old_connections

    from matches.services import playing
    from matches.storage import repository

    rng = Random(3)
    for _ in range(moves):
        for match in matches:
            match_state = repository.load(UUID(match))
            seat = match_state.due.seats[0]
            playing.submit(
                match_id=UUID(match), seat=seat, player=str(match_state.lifecycle.players[seat]),
                command=match_state.game.bot(repository.load(UUID(match), seat).state, seat, rng),
                key=str(uuid4()), fingerprint=b"",
            )  # fmt: skip
    close_old_connections()


def _versions(matches: list[str]) -> dict[str, int]:
    from matches.storage import repository

    return {match: repository.version_of(UUID(match)) for match in matches}


def _agree(followers_by_match: dict[str, list[Follower]]) -> int:
    """Return how many followers have the view that the kernel computes for their witness."""
    from games.kernel import SPECTATOR
    from matches.reads import entitlements, feed

    count = 0
    for match, group in followers_by_match.items():
        views = {
            entitlements.witness_name(witness): json.loads(json.dumps(feed.view(UUID(match), witness).view))
            for witness in (0, 1, SPECTATOR)
        }
        count += sum(it.view == views[it.witness] for it in group)
    return count


async def _until(holds: Any, seconds: float) -> None:
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.005)
