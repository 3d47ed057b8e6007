"""Tables for tests: accounts, a client of the API, matches that run, and people who act at once.

Nothing here is shared between tests: every account and match is new.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from textwrap import dedent
from threading import Barrier, Thread
from typing import Any
from uuid import UUID, uuid4

from django.db import connections
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games import catalogue
from games.kernel import Aids, Illegal
from matches import services
from matches.domain.clocks import ClockTimes
from matches.http import tokens
from matches.http.scopes import SCOPES
from matches.models import AccessToken, Account, Match
from matches.storage import repository
from tests.waiting import PATIENCE
from tests.waiting import wait_until as wait_until

BOT = "bot"
ROOT = Path(__file__).resolve().parent.parent


def new_account(password: str | None = None, **rights: bool) -> Account:
    """An account of its own; without a password it can't log in, which spares the hashing."""
    return Account.objects.create_user(f"p{uuid4().hex[:20]}", password, **rights)


def new_token(account: Account, scopes: Sequence[str] = SCOPES, lives: timedelta = timedelta(hours=1)) -> str:
    """A real access token of this account."""
    token = tokens.new_token()
    AccessToken.objects.create(
        account=account,
        prefix=token.prefix,
        digest=token.digest,
        scopes=list(scopes),
        expires_at=timezone.now() + lives,
    )
    return token.token


class Api:
    """A program that asks the API as one account, or as nobody. Paths are below /api/v1; headers are keywords."""

    def __init__(self, token: str | None = None) -> None:
        self._client = Client(SERVER_NAME="localhost", raise_request_exception=False)
        self._always = {"authorization": f"Bearer {token}"} if token else {}

    def get(self, path: str, **headers: str) -> HttpResponse:
        """GET; `if_none_match='"v1"'` sends If-None-Match."""
        return self._client.get(_address(path), headers=self._headers(headers))

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        """POST of a value as JSON, of bytes as they are, or of nothing."""
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        return self._client.generic(
            "POST", _address(path), data, content_type="application/json", headers=self._headers(headers)
        )

    def delete(self, path: str, **headers: str) -> HttpResponse:
        """DELETE."""
        return self._client.delete(_address(path), headers=self._headers(headers))

    def _headers(self, headers: dict[str, str]) -> dict[str, str]:
        return self._always | {name.replace("_", "-"): value for name, value in headers.items()}


def api(account: Account | None = None, scopes: Sequence[str] = SCOPES) -> Api:
    """The API as this account with a token of its own, or as a stranger."""
    return Api(new_token(account, scopes) if account else None)


def waiting_match(
    game: str,
    *players: Account | str | None,
    opener: Account | None = None,
    options: object = None,
    priority: int = 0,
    clocks: dict[str, ClockTimes] | None = None,
    spectator_delay: int = 0,
    aids: Aids = "all",
) -> Match:
    """A match that hasn't begun. Players are accounts, BOT, or None for an open seat; nobody named means bots."""
    seats = players or (BOT,) * catalogue[game].seats.min
    opened = services.open_match(
        opener=(opener or new_account()).id,
        game=game,
        options={} if options is None else options,
        seats=[services.SeatRequest(seat.id if isinstance(seat, Account) else seat) for seat in seats],
        priority=priority,
        clocks=clocks,
        spectator_delay=spectator_delay,
        aids=aids,
    )
    return Match.objects.get(id=opened.match_id)


def running_match(game: str, *players: Account | str, **setting: Any) -> Match:
    """A match that has begun."""
    match = waiting_match(game, *players, **setting)
    services.start(match_id=match.id, by=match.opened_by_id, reason="A test.")
    match.refresh_from_db()
    return match


def play_on(match: Match, commands: int, rng: Random | None = None) -> None:
    """Deal what is due and play so many commands, or to the end: the house for its bots, the game's bot for people."""
    rng = rng or Random(0)
    while True:
        match_state = repository.load(match.id)
        if match_state.outcome or (commands <= 0 and not match_state.due.dealer):
            break
        if match_state.due.dealer:
            services.deal(match_id=match.id, expected=match_state.version)
            continue
        seat = match_state.due.prompts[0].seat
        if match_state.lifecycle.movers[seat] == BOT:
            services.play_bot(match_id=match.id, seat=seat, expected=match_state.version)
        else:
            send(match.id, seat, rng)
        commands -= 1
    match.refresh_from_db()


def play_to_the_end(match: Match, rng: Random | None = None) -> None:
    """Play the match until it has an outcome."""
    play_on(match, 100_000, rng)


def send(match_id: UUID, seat: int, rng: Random) -> services.Accepted:
    """One command of this seat, chosen by the game's bot."""
    view = repository.load(match_id, seat)
    return services.submit(
        match_id=match_id,
        seat=seat,
        player=str(view.lifecycle.players[seat]),
        command=view.game.bot(view.state, seat, rng),
        key=f"key {view.version}",
        fingerprint=b"",
        expected=view.version,
    )


def refusal_of(act: Callable[[], object]) -> str:
    """The code that the act is refused with."""
    try:
        act()
    except Illegal as illegal:
        return illegal.code
    raise AssertionError("It was accepted.")


def at_once(acts: Sequence[Callable[[], Any]]) -> list[Any]:
    """Every act in a thread of its own, all let go together; gives results, and exceptions where they were raised."""
    results: list[Any] = [None] * len(acts)
    ready = Barrier(len(acts))

    def run(place: int) -> None:
        ready.wait()
        try:
            results[place] = acts[place]()
        except Exception as error:  # the test looks at it
            results[place] = error
        finally:
            connections.close_all()

    threads = [Thread(target=run, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def then_closed(act: Callable[..., Any]) -> Callable[..., Any]:
    """The act, after which its thread's connections go back to the pool: a thread that ends takes them along."""

    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return act(*args, **kwargs)
        finally:
            connections.close_all()

    return run


def _address(path: str) -> str:
    return path if path.startswith("/api/") else f"/api/v1/{path.lstrip('/')}"


def in_another_process(code: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own with Django set up on the same database."""
    prepared = f"import django; django.setup()\n{dedent(code)}"
    return subprocess.run(
        [sys.executable, "-c", prepared],
        cwd=ROOT,
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


def waits_for_seat(match: Match, seat: int) -> bool:
    """True if a match waits for this seat alone."""
    due = repository.load(match.id).due
    return [prompt.seat for prompt in due.prompts] == [seat] and not due.dealer
