"""Two truths that a witness can't tell apart, laid one after the other into the database."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

from events.store import StreamTransaction
from games import catalogue
from games.kernel import (
    HOST,
    Chance,
    Event,
    Game,
    Illegal,
    Table,
    Witness,
    canonical,
    judge,
    redact,
    secrecy_of,
    to_json,
)
from matches.models import Match
from matches.services import hosting, opening, playing
from matches.services.appending import append, match_at_head
from tests.api.guests import Answer, Guest, guest
from tests.laws.hostile import hostile_commands
from tests.laws.resampling import resampler_of

REQUEST_ID = "the-same-for-both"
"""A request that names itself is answered with that name, and not with one that chance has made."""
SEATS = 2
LONGEST = 100
"""Up to this many acts of a match are laid."""


class Batch(NamedTuple):
    """The events of one act; `actor` is a seat, HOST, or None for the dealer."""

    actor: Witness | None
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Truth:
    """A match up to a version: all that has happened, act by act. The opener looked at it before the batch with the
    index `looked_before`."""

    game: Game
    batches: tuple[Batch, ...]
    options: dict[str, Any] = field(default_factory=dict)
    seats: int = SEATS
    looked_before: int | None = None

    @property
    def log(self) -> list[Event]:
        """Every event in order."""
        return [event for batch in self.batches for event in batch.events]

    @property
    def table(self) -> Table:
        """A table that stands at its end."""
        return Table.replay(self.game, self.options, self.seats, 0, self.log)

    def retold(self, log: Sequence[Event]) -> "Truth":
        """Return the same acts with the events of another log."""
        events = iter(log)
        batches = (Batch(batch.actor, tuple(islice(events, len(batch.events)))) for batch in self.batches)
        return replace(self, batches=tuple(batches))


@cache
def played(slug: str) -> tuple[Batch, ...]:
    """A match of the bots, who sometimes move out of the order of the prompts, as far as it may be laid."""
    game, rng, batches = catalogue[slug], Random(f"worlds of {slug}"), []
    table = Table(game, {}, SEATS, 0, Chance(seed=slug.encode()))
    while table.outcome is None and len(batches) < LONGEST:
        if table.due.dealer:
            batches.append(Batch(None, table.deal()))
            continue
        seat = rng.choice(table.due.prompts).seat
        batches.append(Batch(seat, table.act(seat, game.bot(table.witness(seat), seat, rng))))
    return tuple(batches)


def pairs(slug: str, witness: Witness) -> Iterator[tuple[Truth, Truth]]:
    """Truths that are alike to the witness, at moments spread over a match; the same one where nothing is secret."""
    game, whole, rng = catalogue[slug], played(slug), Random(f"{slug} {witness}")
    cuts = range(1, min(len(whole), LONGEST))
    for cut in rng.sample(cuts, len(cuts)):
        truth = Truth(game, whole[:cut])
        log = resampler_of(game)(truth.table, witness, rng)
        if log != truth.log and not (log is None and has_secrets(game)):
            yield truth, truth.retold(log or truth.log)


@cache
def richest_pair(slug: str, witness: Witness, considered: int = 10) -> tuple[Truth, Truth]:
    """Of the first moments the one at which the witness may do most."""
    return max(islice(pairs(slug, witness), considered), key=lambda pair: len(commands(*pair, witness).quiet))


def has_secrets(game: Game) -> bool:
    """True if the game hides anything besides the seed."""
    return any(secrecy_of(kind).fields for kind in game.events)


class Asked(NamedTuple):
    """Commands for a seat: legal in both worlds, refused in both, and accepted with nothing revealed."""

    legal: list[Any]
    refused: list[Any]
    quiet: list[Any]


@dataclass(frozen=True)
class House:
    """The people in both worlds: the players, the opener, who has no seat, and a spectator."""

    players: tuple[Guest, ...]
    opener: Guest
    watcher: Guest

    @classmethod
    def new(cls, seats: int = SEATS) -> "House":
        """Accounts of its own."""
        return cls(tuple(guest() for _ in range(seats)), guest(), guest())

    def as_whom(self, viewer: Witness) -> Guest:
        """Return the account that looks as this viewer; HOST is the opener."""
        return self.opener if viewer is HOST else self.players[viewer] if isinstance(viewer, int) else self.watcher


@dataclass(frozen=True)
class World:
    """A truth in the database, and who looks at it as which witness."""

    truth: Truth
    house: House
    reader: Guest
    commands: Asked
    match: str
    code: str

    @classmethod
    def lay(cls, truth: Truth, house: House, reader: Guest, sendable: Asked) -> "World":
        """Open a match and append the truth, act by act, as the services do."""
        seats = [opening.SeatRequest(UUID(player.id)) for player in house.players]
        opener = UUID(house.opener.id)
        opened = opening.open_match(opener=opener, game=truth.game.slug, options=truth.options, seats=seats)
        opening.start(match_id=opened.match_id, by=opener, reason="")
        for place, (actor, events) in enumerate(truth.batches):
            if place == truth.looked_before:
                hosting.view_truth(match_id=opened.match_id, by=opener)
            who = playing.DEALER if actor is None else house.as_whom(actor).id
            with StreamTransaction(opened.match_id, actor=who) as transaction:
                append(transaction, match_at_head(transaction), events)
        return cls(truth, house, reader, sendable, str(opened.match_id), opened.code)

    @property
    def version(self) -> int:
        """The version up to which the truth was laid."""
        return 2 + self.truth.seats + len(self.truth.log) + (self.truth.looked_before is not None)

    def clear(self) -> None:
        """Take the match off the lists, so that the other world finds them as this one did."""
        Match.objects.filter(id=UUID(self.match)).delete()

    def masked(self, answer: Answer) -> tuple[int, list[tuple[str, str]], bytes]:
        """An answer with ids, instants and hashes blanked out in their own lengths."""
        headers = [(name, self._mask(value)) for name, value in answer.headers.items()]
        return answer.status, headers, self._mask(answer.body.decode("latin-1")).encode("latin-1")

    def _mask(self, text: str) -> str:
        text = text.replace(self.match, "m" * len(self.match)).replace(self.code, "c" * len(self.code))
        return _BLANK.sub(lambda match: re.sub("[0-9a-f]", "0", match.group()), text)


_BLANK = re.compile(r"\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?Z")


def commands(truth: Truth, other: Truth, seat: Witness) -> Asked:
    """Commands whose answers must be the same in both worlds; a spectator has none."""
    if not isinstance(seat, int):
        return Asked([], [], [])
    tables, rng = (truth.table, other.table), Random(len(truth.log))
    legal = list(islice(tables[0].legal(seat), 300))
    tried = [to_json(command) for command in rng.sample(legal, min(3, len(legal)))]
    spoilt = hostile_commands(truth.game, tried[0] if tried else {"type": "resign"}, rng, 40)
    refused = (it for it in spoilt if _may_be_sent(it) and not any(_told(table, seat, it) for table in tables))
    quiet = (it for it in tried if len({_told(*how) for how in product(tables, (seat,), (it,), (b"a", b"b"))}) == 1)
    return Asked(tried, list(islice(refused, 8)), list(islice(quiet, 1)))


def _may_be_sent(command: object) -> bool:
    try:
        return isinstance(command, dict) and "text" not in command and bool(json.dumps(command, allow_nan=False))
    except (TypeError, ValueError):
        return False


def _told(table: Table, seat: int, command: object, seed: bytes = b"a") -> bytes:
    """Return the seat's view of the command's events with this seed, or nothing if it is refused."""
    chance = Chance(seed=seed, version=table.version)
    try:
        events = judge.act(table.game, table.state, seat, command, chance)
    except Illegal:
        return b""
    return b"".join(canonical(redact(event, seat)) for event in events)


Asks = Callable[[World], Iterator[Answer]]
"""Asks a world for something; gives the answers in an order of its own."""
