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
from matches import services
from matches.http import tokens
from matches.models import AccessToken, Account, Match
from matches.services import fast_way
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

    outages.look()
    estimated_clock.read_off(store.clock())
    return asyncio.run(run())


def sender_of(account: Account, season: UUID | None = None) -> Sender:
    """An account that comes in with a token of its own."""
    access_token = tokens.new_token()
    token = AccessToken.objects.create(
        account=account, prefix=access_token.prefix, digest=access_token.digest, scopes=["match:play"],
        expires_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip
    return Sender(account.id, token.id, None, None, season)


def usual(match: Match, **other: Any) -> Submission:
    """The bot's choice for the first seat that is waited for, on the version that this process has seen last."""
    state = repository.last_seen(match.id)
    assert state is not None
    seat = state.due.prompts[0].seat
    view = repository.load(match.id, seat, upto=state.version)
    command = to_json(view.game.bot(view.state, seat, Random(state.version)))
    submission = Submission(
        match.id, seat, str(state.lifecycle.players[seat]), command, f"at {state.version}", b"f", state.version
    )
    return submission._replace(**other)


def send(match: Match, **other: Any) -> services.Accepted | FellBack:
    """One command by the fast way, by whoever is waited for."""
    submission = usual(match, **other)
    sender = sender_of(Account.objects.get(id=submission.player))
    return on_a_loop(lambda: submit_at_once(submission, sender))
