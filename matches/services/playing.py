"""Play: a seat's command, the dealer's duties, the bots' moves."""

import random
from typing import Any, NamedTuple
from uuid import UUID

from events import chain, store
from events.records import Outcome, StreamConflict
from games.kernel import Command, Event, Illegal, judge
from games.kernel.messages import type_name
from matches import lifecycle, seeds, table
from matches.folded import Folded
from matches.happenings import ASIDES, BOT, STAND_IN
from matches.services.appending import (
    Draft,
    append,
    at_door,
    bot_to_move,
    draft_ahead,
    open_door,
    overdue,
    waits_for_the_house,
)
from matches.services.timing import let_flag_fall

DEALER = "dealer"
"""The actor of the dealer's duties."""


_ASIDES = frozenset(type_name(kind) for kind in ASIDES)
_MOST_ASIDES = 100


class VersionMoved(Exception):
    """The match is no longer at the version that the caller expected."""

    def __init__(self, current: int) -> None:
        super().__init__(f"The match is at version {current}.")
        self.current = current


class KeyReused(Exception):
    """The idempotency key was used for another command."""


class NotAllowed(Exception):
    """The caller can see the match but may not do this to it."""


class Typed(NamedTuple):
    """A command in the game's notation."""

    text: str


class Accepted(NamedTuple):
    """What a command brought: the answer's bytes, `replayed` where they were stored by an earlier try."""

    version: int
    response: bytes
    replayed: bool


def submit(
    *,
    match_id: UUID,
    seat: int,
    player: str,
    command: Command | dict[str, Any] | Typed,
    key: str,
    fingerprint: bytes,
    expected: int | None = None,
    attended: bool = False,
) -> Accepted:
    """A seat's command. Raises Illegal, VersionMoved, KeyReused, NotAllowed; then nothing has changed.

    The same key and fingerprint again give the first answer; `expected` is the version the player saw.
    """
    arrived_at: int | None = None
    while True:
        with open_door(match_id, actor=player, key=key) as door:
            ahead = _decide_ahead(match_id, seat, player, command, expected)
            if door.known is not None:
                return _replayed(door.known, fingerprint)
            folded = at_door(door)
            arrived_at = arrived_at or chain.microseconds(door.arrived_at)
            late = overdue(folded, arrived_at)
            if late is None:
                _refuse_early(folded, seat, arrived_at)
                # The truth is a value: where the door shows the one that was thought about, the thought stands.
                act = ahead if ahead and ahead.before is folded else (
                    _decide(match_id, folded, seat, player, command, expected)
                )
                rows, response = append(door, folded, act, fingerprint=fingerprint, answer_to=seat, attended=attended)
                return Accepted(rows[-1].version, response or b"", replayed=False)
        let_flag_fall(match_id=match_id, by=arrived_at)
        if late.seat == seat:
            raise Illegal("flag_fallen", "Your time ran out before this command arrived.")


def try_out(
    *, match_id: UUID, seat: int, player: str, command: dict[str, Any] | Typed, expected: int | None = None
) -> tuple[int, Command]:
    """Whether a command would be accepted now; gives the version and the command as it was read.

    What it would bring is not told: a drawn card may be in it.
    """
    folded = table.load(match_id)
    asked = _read(match_id, folded, seat, command)
    _decide(match_id, folded, seat, player, asked, expected)
    return folded.version, asked


def deal(*, match_id: UUID, expected: int) -> None:
    """The dealer's duty that is due at version `expected`; raises VersionMoved, Illegal("nothing_due")."""
    with open_door(match_id, actor=DEALER) as door:
        folded = at_door(door)
        _refuse_moved(folded, expected)
        lifecycle.refuse_unless_running(folded.lifecycle)
        chance = seeds.chance_of(match_id, folded.lifecycle, folded.game_version)
        append(door, folded, judge.deal(folded.game, folded.state, chance), attended=True)


def attend(*, match_id: UUID, most: int = 1000) -> int:
    """Deal and play the bots until the match waits for a person; gives how many acts that took."""
    acts = 0
    while acts < most:
        folded = table.load(match_id)
        if not waits_for_the_house(folded):
            return acts
        bot = bot_to_move(folded)
        try:
            if folded.due.dealer or bot is None:
                deal(match_id=match_id, expected=folded.version)
            else:
                play_bot(match_id=match_id, seat=bot, expected=folded.version)
        except (VersionMoved, StreamConflict):
            continue
        except Illegal as illegal:
            # A bot that comes too late finds its flag fallen, and the match goes on from there.
            if illegal.code == "not_open_yet":
                return acts
            if illegal.code != "flag_fallen":
                raise
        acts += 1
    return acts


def play_bot(*, match_id: UUID, seat: int, expected: int) -> None:
    """A bot's move, or the dealer's who stands in: a legal one at random. Both know what the seat knows.

    Raises VersionMoved where somebody was faster.
    """
    known = table.load(match_id, seat)
    _refuse_moved(known, expected)
    mover = known.lifecycle.movers[seat] or BOT
    choose = known.game.sample if mover == f"{STAND_IN}dealer" else known.game.bot
    command = choose(known.state, seat, random.SystemRandom())
    submit(
        match_id=match_id,
        seat=seat,
        player=mover,
        command=command,
        key=f"bot:{seat}:{expected}",
        fingerprint=b"",
        expected=expected,
        attended=True,
    )


def _replayed(known: Outcome, fingerprint: bytes) -> Accepted:
    if known.fingerprint != fingerprint:
        raise KeyReused
    return Accepted(known.version, known.response, replayed=True)


def _decide_ahead(
    match_id: UUID,
    seat: int,
    player: str,
    command: Command | dict[str, Any] | Typed,
    expected: int | None,
) -> Draft | None:
    """The act on the truth as last seen here, drafted while the database opens the door.

    None where nothing was seen or the command would be refused: then the door's own truth decides.
    """
    likely = table.last_seen(match_id)
    if likely is None:
        return None
    try:
        return draft_ahead(match_id, likely, _decide(match_id, likely, seat, player, command, expected))
    except (Illegal, VersionMoved, NotAllowed):
        return None


def _decide(
    match_id: UUID,
    folded: Folded,
    seat: int,
    player: str,
    command: Command | dict[str, Any] | Typed,
    expected: int | None,
) -> tuple[Event, ...]:
    if folded.lifecycle.movers[seat] != player:
        if folded.lifecycle.players[seat] == player:
            raise Illegal("stand_in_seated", "Somebody stands in for you; say that you are back, then play.")
        raise NotAllowed("That seat is not yours.")
    _refuse_outdated(match_id, folded, expected)
    lifecycle.refuse_unless_running(folded.lifecycle)
    chance = seeds.chance_of(match_id, folded.lifecycle, folded.game_version)
    asked = _read(match_id, folded, seat, command)
    return judge.act(folded.game, folded.state, seat, asked, chance)


def _refuse_early(folded: Folded, seat: int, at: int) -> None:
    """Before a scheduled match opens its set-up is played and nothing else."""
    opens_at = folded.clocks.opens_at
    prompt = folded.due.prompt_of(seat)
    if opens_at is not None and at < opens_at and prompt is not None and not folded.game.clocks[prompt.clock].setup:
        raise Illegal("not_open_yet", f"The match opens at {chain.instant(opens_at):%Y-%m-%d %H:%M:%S} UTC.")


def _read(
    match_id: UUID, folded: Folded, seat: int, command: Command | dict[str, Any] | Typed
) -> Command:
    """A command as the game reads it; notation is read against what the seat knows."""
    if isinstance(command, Typed):
        return folded.game.notation.parse(table.load(match_id, seat).state, seat, command.text)
    return folded.game.read_command(command)


def _refuse_moved(folded: Folded, expected: int) -> None:
    if folded.version != expected:
        raise VersionMoved(folded.version)


def _refuse_outdated(match_id: UUID, folded: Folded, expected: int | None) -> None:
    """Raise VersionMoved where a player decided on another position than this one; asides leave it as it is."""
    if expected is None or expected == folded.version:
        return
    if not folded.version - _MOST_ASIDES <= expected < folded.version:
        raise VersionMoved(folded.version)
    unseen = store.read(match_id, after=expected, upto=folded.version)
    if any(row.type not in _ASIDES for row in unseen):
        raise VersionMoved(folded.version)
