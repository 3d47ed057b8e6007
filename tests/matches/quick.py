"""Commands that take the fast way, each test's on an event loop of its own."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from django.utils import timezone

from events import estimated_clock, store
from games.kernel import to_json
from matches.http import tokens
from matches.models import AccessToken, Account, Match
from matches.services import fast_way, playing
from matches.services.fast_way import FellBack, submit_at_once
from matches.services.playing import Submission
from matches.storage import outages, repository
from matches.storage.batch import Sender

T = TypeVar("T")


def on_a_loop(acts: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run it as a web process does, with a writer that is closed in the end."""

    act = acts()

    async def run() -> T:
        try:
            return await act
        finally:
            if writer := fast_way._writers.pop(asyncio.get_running_loop(), None):
                await writer.close()

    outages.load_silence()
    estimated_clock.record_reading(store.clock())
    return asyncio.run(run())


def sender_of(account: Account, season: UUID | None = None) -> Sender:
    """An account that comes in with a token of its own."""
    made = tokens.new_token()
    token = AccessToken.objects.create(
        account=account, prefix=made.prefix, digest=made.digest, scopes=["match:play"],
        expires_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    return Sender(account.id, token.id, None, None, season)


def usual(match: Match, **other: Any) -> Submission:
    """The bot's choice for the first seat that is waited for, on the version that this process has seen last."""
    seen = repository.cached_state(match.id)
    assert seen is not None
    seat = seen.due.prompts[0].seat
    known = repository.load(match.id, seat, upto=seen.version)
    command = to_json(known.game.bot(known.state, seat, Random(seen.version)))
    given = Submission(
        match.id, seat, str(seen.lifecycle.players[seat]), command, f"at {seen.version}", b"f", seen.version
    )
    return given._replace(**other)


def send(match: Match, **other: Any) -> playing.Accepted | FellBack:
    """One command by the fast way, by whoever is waited for."""
    submission = usual(match, **other)
    sender = sender_of(Account.objects.get(id=submission.player))
    return on_a_loop(lambda: submit_at_once(submission, sender))
