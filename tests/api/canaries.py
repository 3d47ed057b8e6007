"""Secrets as canaries: how they could be spelled, who must not hear which, and ears on logs and Redis."""

import base64
import json
import logging
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

import redis
import structlog
from django.conf import settings

from config import logs
from events import store
from events.records import Recorded
from games import catalogue
from games.kernel import HOST, SPECTATOR, Table, Witness, canonical
from matches.storage import codec, seeds
from tests.api.guests import Guest
from tests.waiting import PATIENCE

WITNESSES: tuple[Witness, ...] = (0, 1, SPECTATOR)


def spellings(secret: bytes) -> list[bytes]:
    """The ways in which bytes could stand in a text."""
    return [secret, secret.hex().encode(), base64.b64encode(secret), base64.urlsafe_b64encode(secret)]


def seed_spellings(match: str) -> list[bytes]:
    seed, next_seed = seeds.seed_of(UUID(match)), seeds.seed_of(UUID(match), 1)
    return [*spellings(seed), *spellings(seeds.mixed(seed, (None, None))), *spellings(next_seed)]


def members(secret: bytes) -> Iterator[bytes]:
    """Each field of a secret as it would stand in JSON; what is short could stand there by chance."""
    for name, value in json.loads(secret).items():
        text = canonical({name: value})[1:-1]
        if len(text) >= 10:
            yield text


def audience(witness: Witness) -> str:
    return f"seat:{witness}" if isinstance(witness, int) else str(witness.value)


class Truth:
    """The kernel's state of a stored match, from which follows what each witness may know."""

    def __init__(self, match: str, slug: str, priority: int = 0) -> None:
        self.match, self.game = UUID(match), catalogue[slug]
        self.table = Table(self.game, {}, 2, priority)
        self.rows: list[Recorded] = []

    def catch_up(self) -> None:
        """Read what has been appended."""
        for row in store.read(self.match, after=len(self.rows)):
            self.rows.append(row)
            if row.type not in codec.LIFECYCLE:
                self.table.record(codec.unpack(self.game, row, HOST))

    def canaries(self, witness: Witness) -> set[bytes]:
        """Return the secrets and salts of others that this witness must not receive and isn't told in another way."""
        legal = list(self.table.legal(witness)) if isinstance(witness, int) else []
        readable = canonical([self.table.events(witness), self.table.witness(witness), legal])
        hidden = [row for row in self.rows if row.secret is not None and row.audience != audience(witness)]
        secrets = {text for row in hidden for text in (row.secret, *members(row.secret)) if text not in readable}
        return secrets | {row.salt.hex().encode() for row in hidden}


def received(reader: Guest, match: str, after: int) -> bytes:
    """Everything that a reader may ask for about a match."""
    paths = [
        f"/matches/{match}", f"/matches/{match}/view", f"/matches/{match}/events?after={after}&limit=500",
        f"/matches/{match}/audit", f"/matches/{match}/export", "/me/matches?status=running",
    ]  # fmt: skip
    if reader.get(f"/matches/{match}").json["witness"] != "spectator":
        paths.append(f"/matches/{match}/legal")
    answers = [reader.get(path) for path in paths]
    return b"\n".join(part for it in answers for part in (repr(it.headers).encode(), it.body))


@contextmanager
def monitored() -> Iterator[list[str]]:
    """Every command that Redis receives meanwhile."""
    monitor_lines: list[str] = []
    client = redis.Redis.from_url(settings.REDIS_URL)
    with client.monitor() as monitor:

        def listen() -> None:
            for command in monitor.listen():
                monitor_lines.append(str(command["command"]))
                if "the canaries are counted" in monitor_lines[-1]:
                    return

        listener = threading.Thread(target=listen)
        listener.start()
        try:
            yield monitor_lines
        finally:
            client.echo("the canaries are counted")
            listener.join(PATIENCE)


@contextmanager
def logged() -> Iterator[list[str]]:
    """Every log line down to DEBUG, in both forms."""
    lines: list[str] = []

    class Both(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.extend(form.format(logging.makeLogRecord(record.__dict__)) for form in forms)

    formatters = [logs.configure(form, "DEBUG")["formatters"]["line"] for form in ("json", "console")]
    forms = [structlog.stdlib.ProcessorFormatter(**{k: v for k, v in it.items() if k != "()"}) for it in formatters]
    handler = Both(logging.DEBUG)
    # The tests' own set-up keeps refused requests quiet; a house logs them.
    levels = {logger: logger.level for logger in (logging.getLogger(), logging.getLogger("django.request"))}
    logging.getLogger().addHandler(handler)
    for logger in levels:
        logger.setLevel(logging.DEBUG)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(handler)
        for logger, level in levels.items():
            logger.setLevel(level)


def decoded(command: str) -> str:
    """A Redis command with its quotes, and what Celery packs in base64, as text."""
    plain = command.replace("\\\\", "\\").replace('\\"', '"')
    body = re.search(r'"body": "([A-Za-z0-9+/=]+)"', plain)
    return plain + " body: " + base64.b64decode(body[1]).decode() if body else plain
