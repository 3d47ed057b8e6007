"""Play: a seat's command, the dealer's duties, the bots' moves."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from events import arrivals, chain, store
from events.records import Outcome, StreamConflict
from events.store import StreamTransaction
from games.kernel import Command, Event, Illegal, judge
from matches.domain import clocks, lifecycle, programs
from matches.domain.events import BOT, TYPES_OF_ASIDES
from matches.domain.match_state import MatchState
from matches.services import pace
from matches.services.appending import (
    Draft,
    append,
    draft_ahead,
    match_at_head,
    open_transaction,
    overdue,
    waits_for_program,
)
from matches.services.timing import let_flag_fall
from matches.storage import repository, seeds

DEALER = "dealer"
"""The actor of the dealer's duties."""

_MOST_ASIDES = 100
_MOST_TRIES, _PAUSE_SECONDS = 40, 0.05
"""For some two seconds a command waits until another seat's flag is decided."""


class VersionMoved(Exception):
    """The match is no longer at the version that the caller expected."""

    def __init__(self, current: int) -> None:
        super().__init__(f"The match is at version {current}.")
        self.current = current


class FlagUndecided(Exception):
    """Another seat's time has run out, and its last command may have arrived before that and still be waiting."""


class KeyReused(Exception):
    """The idempotency key was used for another command."""


class NotAllowed(Exception):
    """The caller can see the match but may not do this to it."""


class Typed(NamedTuple):
    """A command in the game's notation."""

    text: str


class Submission(NamedTuple):
    """A seat's command as it was sent."""

    match_id: UUID
    seat: int
    player: str
    command: Command | dict[str, Any] | Typed
    key: str = ""
    fingerprint: bytes = b""
    expected: int | None = None
    held: bytes = b""
    attended: bool = False


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
    held: bytes = b"",
    attended: bool = False,
) -> Accepted:
    """A seat's command. Raises Illegal, VersionMoved, KeyReused, NotAllowed; then nothing has changed.

    The same key and fingerprint again give the first answer; `expected` is the version the player saw, `held` the hash
    of its event, empty where the player doesn't say.
    """
    submission = Submission(match_id, seat, player, command, key, fingerprint, expected, held, attended)
    return _accept_in_transaction(submission)


def _accept_in_transaction(submission: Submission) -> Accepted:
    """Append the act that the command brings at the locked head. It is drafted while the lock is taken."""
    arrived_at, waited = None, arrivals.waited()
    tries = 0
    while True:
        with open_transaction(submission.match_id, actor=submission.player, key=submission.key) as transaction:
            arrivals.note_locking()
            ahead = _decide_ahead(submission)
            if transaction.known is not None:
                return _replayed(transaction.known, submission.fingerprint)
            match_state = match_at_head(transaction)
            arrived_at = arrived_at or chain.microseconds(transaction.arrived_at) - round(waited * clocks.SECOND)
            late = overdue(submission.match_id, match_state, arrived_at)
            if late is None:
                _date(transaction, match_state, submission.seat, arrived_at)
                if early := too_early(match_state, submission.seat, arrived_at):
                    raise early
                # The draft stands where the locked head is the very match that it was made on.
                stands = ahead is not None and ahead.before is match_state
                act = ahead if ahead and stands else drafted(submission, match_state)
                return _store(submission, transaction, act)
        flag = let_flag_fall(match_id=submission.match_id, by=arrived_at)
        if late.seat == submission.seat:
            raise Illegal("flag_fallen", "Your time ran out before this command arrived.")
        if flag is None:
            tries += 1
            if tries == _MOST_TRIES:
                raise FlagUndecided
            time.sleep(_PAUSE_SECONDS)


def _date(transaction: StreamTransaction, match_state: MatchState, seat: int, arrived_at: int) -> None:
    """Date a command that has waited so that its player isn't charged for that, and after what it answers."""
    now = chain.microseconds(transaction.arrived_at)
    at = clocks.latest_at(match_state.clocks, seat, max(arrived_at, match_state.at + 1), now)
    transaction.date_back(chain.instant(at))


def _store(submission: Submission, transaction: StreamTransaction, act: Draft) -> Accepted:
    rows, response = append(
        transaction,
        act.before,
        act,
        fingerprint=submission.fingerprint,
        answer_to=submission.seat,
        attended=submission.attended,
    )
    return Accepted(rows[-1].version, response or b"", replayed=False)


def try_out(
    *,
    match_id: UUID,
    seat: int,
    player: str,
    command: dict[str, Any] | Typed,
    expected: int | None = None,
    held: bytes = b"",
) -> tuple[int, Command]:
    """Whether a command would be accepted now; gives the version and the command as it was read.

    Its events are not given: a drawn card may be in them.
    """
    match_state = repository.load(match_id)
    read = _read(match_id, match_state, seat, command)
    if match_state.clocks.opens_at and (early := too_early(match_state, seat, chain.microseconds(store.clock()))):
        raise early
    _decide(Submission(match_id, seat, player, read, expected=expected, held=held), match_state)
    return match_state.version, read


def stored_answer(*, match_id: UUID, player: str, key: str) -> Accepted | None:
    """The answer that is stored under the key of a player's command; None where the command has never happened."""
    known = store.stored_under(match_id, player, key)
    return Accepted(known.version, known.response, replayed=True) if known else None


def deal(*, match_id: UUID, expected: int) -> None:
    """The dealer's duty that is due at version `expected`; raises VersionMoved, Illegal("nothing_due")."""
    with open_transaction(match_id, actor=DEALER) as transaction:
        match_state = match_at_head(transaction)
        _refuse_moved(match_state, expected)
        lifecycle.refuse_unless_running(match_state.lifecycle)
        chance = seeds.chance_of(match_id, match_state.lifecycle, match_state.game_version)
        append(transaction, match_state, judge.deal(match_state.game, match_state.state, chance), attended=True)


def attend(*, match_id: UUID, most: int = 1000, rests: Callable[[MatchState], bool] = lambda _: False) -> int:
    """Deal and play the bots until the match waits for a person, or the bot to move `rests`; gives how many acts that
    took."""
    acts = 0
    while acts < most:
        match_state = repository.load(match_id)
        if not waits_for_program(match_state):
            return acts
        bot = programs.to_move(match_state)
        is_dealers = match_state.due.dealer or bot is None
        if not is_dealers and rests(match_state):
            return acts
        try:
            if is_dealers or bot is None:
                deal(match_id=match_id, expected=match_state.version)
            else:
                play_bot(match_id=match_id, seat=bot, expected=match_state.version)
        except (VersionMoved, StreamConflict):
            continue
        except NotAllowed:
            # Whom the bot stood in for came back while it thought, or another took the seat.
            if repository.version_of(match_id) == match_state.version:
                raise
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
    """A bot's move, or the dealer's who stands in: what the match's seed gives. Both know what the seat knows.

    Raises VersionMoved where somebody was faster.
    """
    known = repository.load(match_id, seat)
    _refuse_moved(known, expected)
    mover = known.lifecycle.movers[seat] or BOT
    command = programs.choice(known, seat, seeds.chance_of(match_id, known.lifecycle, known.game_version))
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


def _decide_ahead(submission: Submission) -> Draft | None:
    """A draft on the match as this process last saw it, made before the database is asked or while it takes the lock.

    None where the match isn't known here or the command would be refused: then the match at its locked head decides.
    """
    likely = repository.last_seen(submission.match_id)
    if likely is None:
        return None
    try:
        return drafted(submission, likely)
    except (Illegal, VersionMoved, NotAllowed):
        return None


def drafted(submission: Submission, match_state: MatchState) -> Draft:
    """The draft of what a command brings at this position; raises as `submit` does."""
    with pace.measured(match_state.game.slug):
        events = _decide(submission, match_state)
    return draft_ahead(submission.match_id, match_state, events, submission.player)


def _decide(submission: Submission, match_state: MatchState) -> tuple[Event, ...]:
    if match_state.lifecycle.movers[submission.seat] != submission.player:
        if match_state.lifecycle.players[submission.seat] == submission.player:
            raise Illegal("stand_in_seated", "Somebody stands in for you; say that you are back, then play.")
        raise NotAllowed("That seat is not yours.")
    _refuse_outdated(submission.match_id, match_state, submission.expected, submission.held)
    lifecycle.refuse_unless_running(match_state.lifecycle)
    chance = seeds.chance_of(submission.match_id, match_state.lifecycle, match_state.game_version)
    command = _read(submission.match_id, match_state, submission.seat, submission.command)
    return judge.act(match_state.game, match_state.state, submission.seat, command, chance)


def too_early(match_state: MatchState, seat: int, at: int) -> Illegal | None:
    """Before a scheduled match opens its set-up is played and nothing else."""
    opens_at = match_state.clocks.opens_at
    prompt = match_state.due.prompt_of(seat)
    if opens_at is None or at >= opens_at or prompt is None or match_state.game.clocks[prompt.clock].setup:
        return None
    return Illegal("not_open_yet", f"The match opens at {clocks.in_utc(opens_at)}.")


def _read(match_id: UUID, match_state: MatchState, seat: int, command: Command | dict[str, Any] | Typed) -> Command:
    """A command as the game reads it; notation is read against what the seat knows."""
    if isinstance(command, Typed):
        return match_state.game.notation.parse(repository.load(match_id, seat).state, seat, command.text)
    return match_state.game.read_command(command)


def _refuse_moved(match_state: MatchState, expected: int) -> None:
    if match_state.version != expected:
        raise VersionMoved(match_state.version)


def _refuse_outdated(match_id: UUID, match_state: MatchState, expected: int | None, held: bytes) -> None:
    """Raise VersionMoved where a player decided on another position than this one; asides leave it as it is."""
    if expected is None or (expected == match_state.version and held in (b"", match_state.hash)):
        return
    if not match_state.version - _MOST_ASIDES <= expected < match_state.version:
        raise VersionMoved(match_state.version)
    rows = store.read(match_id, after=max(expected - 1, 0), upto=match_state.version)
    known = not held or any((row.version, row.hash) == (expected, held) for row in rows)
    if not known or any(row.version > expected and row.type not in TYPES_OF_ASIDES for row in rows):
        raise VersionMoved(match_state.version)
