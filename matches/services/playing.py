"""Play: a seat's command, the host's, the dealer's duties, the bots' moves."""

import time
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from events import arrivals, chain, store
from events.records import Outcome, StreamConflict
from events.store import StreamTransaction
from games.kernel import HOST, Command, Event, Game, Illegal, Parts, Witness, judge
from matches.domain import clocks, impartiality, lifecycle, programs
from matches.domain.events import BOT, TYPES_OF_ASIDES
from matches.domain.lifecycle import Lifecycle
from matches.domain.match_state import MatchState
from matches.domain.texts import refuse_bad_texts
from matches.models import Match
from matches.reads.sentences import names_of
from matches.reads.visible import witness_of_mover
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
from matches.services.season_players import refuse_season_player
from matches.services.timing import let_flag_fall
from matches.storage import repository, seeds, texts

DEALER = "dealer"
"""The actor of the dealer's duties."""

_MAX_ASIDES = 100
_MAX_TRIES, _PAUSE_SECONDS = 40, 0.05
"""A command waits about two seconds for another seat's flag to be decided."""


class VersionMoved(Exception):
    """The match is at another version than the caller expected."""

    def __init__(self, current: int) -> None:
        super().__init__(f"The match is at version {current}.")
        self.current = current


class FlagUndecided(Exception):
    """Another seat's time is over, but its last command may have arrived in time and still be waiting."""


class KeyReused(Exception):
    """The idempotency key was used for another command."""


class NotAllowed(Exception):
    """The caller can see the match but may not do this to it."""


class Typed(NamedTuple):
    """A command in the game's notation."""

    text: str


class Submission(NamedTuple):
    """A command of a seat, or of the host where `seat` is HOST, as sent."""

    match_id: UUID
    seat: Witness
    player: str
    command: Command | dict[str, Any] | Typed
    key: str = ""
    fingerprint: bytes = b""
    expected: int | None = None
    held: bytes = b""
    attended: bool = False


class Accepted(NamedTuple):
    """The result of a command. `replayed` is true if the response was stored by an earlier request with the same
    key."""

    version: int
    response: bytes
    replayed: bool


def submit(
    *,
    match_id: UUID,
    seat: Witness,
    player: str,
    command: Command | dict[str, Any] | Typed,
    key: str,
    fingerprint: bytes,
    expected: int | None = None,
    held: bytes = b"",
    attended: bool = False,
) -> Accepted:
    """Decide and store a command of a seat or of HOST. Raises Illegal, VersionMoved, KeyReused or NotAllowed; then
    nothing has changed. The caller checks that whoever sends a command of HOST hosts the match.

    Repeating the same key and fingerprint returns the first response. `expected` is the version on which the player
    decided, `held` the hash of its event; empty if the client doesn't send it.
    """
    submission = Submission(match_id, seat, player, command, key, fingerprint, expected, held, attended)
    if seat is HOST:
        refuse_season_player(match_id, player)
    return _accept_in_transaction(submission)


def _accept_in_transaction(submission: Submission) -> Accepted:
    """Append the command's events at the locked head. They are drafted while the lock is taken."""
    arrived_at, waited = None, arrivals.waited()
    tries = 0
    while True:
        with open_transaction(submission.match_id, actor=submission.player, key=submission.key) as transaction:
            arrivals.note_locking()
            draft_ahead_of_lock = _decide_ahead(submission)
            if transaction.stored_outcome is not None:
                return _replayed(transaction.stored_outcome, submission.fingerprint)
            match_state = match_at_head(transaction)
            arrived_at = arrived_at or chain.microseconds(transaction.arrived_at) - round(waited * clocks.SECOND)
            fallen_flag = overdue(submission.match_id, match_state, arrived_at)
            if fallen_flag is None:
                _date(transaction, match_state, submission.seat, arrived_at)
                if refusal := too_early(match_state, submission.seat, arrived_at):
                    raise refusal
                # The draft is valid only if it was made on the version that is the locked head.
                is_valid = draft_ahead_of_lock is not None and draft_ahead_of_lock.before is match_state
                act = draft_ahead_of_lock if draft_ahead_of_lock and is_valid else drafted(submission, match_state)
                return _store(submission, transaction, act)
        flag = let_flag_fall(match_id=submission.match_id, by=arrived_at)
        if fallen_flag.seat == clocks.number_of(submission.seat):
            raise Illegal("flag_fallen", "Your time ran out before this command arrived.")
        if flag is None:
            tries += 1
            if tries == _MAX_TRIES:
                raise FlagUndecided
            time.sleep(_PAUSE_SECONDS)


def _date(transaction: StreamTransaction, match_state: MatchState, seat: Witness, arrived_at: int) -> None:
    """Date a delayed command so that its player isn't charged for the delay, and after the event it responds to."""
    now = chain.microseconds(transaction.arrived_at)
    at = clocks.latest_at(match_state.clocks, clocks.number_of(seat), max(arrived_at, match_state.at + 1), now)
    transaction.date_back(chain.instant(at))


def _store(submission: Submission, transaction: StreamTransaction, act: Draft) -> Accepted:
    rows, response = append(
        transaction,
        act.before,
        act,
        fingerprint=submission.fingerprint,
        answer_to=witness_of_mover(submission.seat),
        attended=submission.attended,
    )
    return Accepted(rows[-1].version, response or b"", replayed=False)


def try_out(
    *,
    match_id: UUID,
    seat: Witness,
    player: str,
    command: dict[str, Any] | Typed,
    expected: int | None = None,
    held: bytes = b"",
) -> tuple[int, Command]:
    """Check whether a command would be accepted now; return the version and the parsed command.

    Its events are not returned, because they may contain a drawn card.
    """
    if seat is HOST:
        refuse_season_player(match_id, player)
    match_state = repository.load(match_id)
    parsed = _read(match_id, match_state, seat, command)
    if match_state.clocks.opens_at and (refusal := too_early(match_state, seat, chain.microseconds(store.clock()))):
        raise refusal
    _decide(Submission(match_id, seat, player, parsed, expected=expected, held=held), match_state)
    return match_state.version, parsed


def stored_answer(*, match_id: UUID, player: str, key: str) -> Accepted | None:
    """Return the stored response to a player's command with this key; None if there was no such command."""
    outcome = store.stored_under(match_id, player, key)
    return Accepted(outcome.version, outcome.response, replayed=True) if outcome else None


def deal(*, match_id: UUID, expected: int) -> None:
    """Perform the dealer's duty that is due at version `expected`; raises VersionMoved, Illegal("nothing_due")."""
    with open_transaction(match_id, actor=DEALER) as transaction:
        match_state = match_at_head(transaction)
        _refuse_moved(match_state, expected)
        lifecycle.refuse_unless_running(match_state.lifecycle)
        chance = texts.chance_of(match_id, match_state.lifecycle, match_state.game_version)
        events = judge.deal(match_state.game, match_state.state, chance)
        append(transaction, match_state, events, attended=True, kept=chance.kept)


def attend(*, match_id: UUID, most: int = 1000, rests: Callable[[MatchState], bool] = lambda _: False) -> int:
    """Deal and play the bots until the match waits for a person, or for a bot that `rests`. Return the number of
    acts."""
    acts = 0
    while acts < most:
        match_state = repository.load(match_id)
        if not waits_for_program(match_state):
            return acts
        bot = programs.to_move(match_state)
        is_dealers_turn = match_state.due.dealer or bot is None
        if not is_dealers_turn and rests(match_state):
            return acts
        try:
            if is_dealers_turn or bot is None:
                deal(match_id=match_id, expected=match_state.version)
            else:
                play_bot(match_id=match_id, seat=bot, expected=match_state.version)
        except (VersionMoved, StreamConflict):
            continue
        except NotAllowed:
            # While the bot computed, the player came back or somebody else took the seat.
            if repository.version_of(match_id) == match_state.version:
                raise
            continue
        except Illegal as illegal:
            # The bot's flag has fallen before its move; the match goes on from there.
            if illegal.code == "not_open_yet":
                return acts
            if illegal.code != "flag_fallen":
                raise
        acts += 1
    return acts


def play_bot(*, match_id: UUID, seat: int, expected: int) -> None:
    """Play the move of a bot, or of the dealer as stand-in. It follows from the match's seed and the seat's own view.

    Raises VersionMoved if another act came first.
    """
    match_state = repository.load(match_id, seat)
    _refuse_moved(match_state, expected)
    mover = match_state.lifecycle.movers[seat] or BOT
    command = programs.choice(
        match_state, seat, seeds.chance_of(match_id, match_state.lifecycle, match_state.game_version)
    )
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


def _replayed(outcome: Outcome, fingerprint: bytes) -> Accepted:
    """Return the stored response of an earlier request; raises KeyReused if that was another command."""
    if outcome.fingerprint != fingerprint:
        raise KeyReused
    return Accepted(outcome.version, outcome.response, replayed=True)


def _decide_ahead(submission: Submission) -> Draft | None:
    """Return a draft on the newest version that this process has cached, made while the database takes the lock.

    None if the match isn't cached or the command would be refused: then the match at its locked head decides.
    """
    cached = repository.cached_state(submission.match_id)
    if cached is None:
        return None
    try:
        return drafted(submission, cached)
    except (Illegal, VersionMoved, NotAllowed):
        return None


def drafted(submission: Submission, match_state: MatchState) -> Draft:
    """Return the draft of a command at this version; raises as `submit` does."""
    with pace.measured(match_state.game.slug):
        events, kept = _decide(submission, match_state)
    return draft_ahead(submission.match_id, match_state, events, submission.player, kept)


def _decide(submission: Submission, match_state: MatchState) -> tuple[tuple[Event, ...], Parts]:
    """Return the events of a command, and the parts of the texts that they name."""
    _refuse_other_sender(match_state.lifecycle, submission.seat, submission.player)
    _refuse_outdated(submission.match_id, match_state, submission.expected, submission.held)
    lifecycle.refuse_unless_running(match_state.lifecycle)
    chance = texts.chance_of(submission.match_id, match_state.lifecycle, match_state.game_version)
    command = _read(submission.match_id, match_state, submission.seat, submission.command)
    return judge.act(match_state.game, match_state.state, submission.seat, command, chance), chance.kept


def _refuse_other_sender(story: Lifecycle, mover: Witness, sender: str) -> None:
    """Raise unless the sender moves for this seat; for HOST, if the sender holds a seat, or has held one."""
    if not isinstance(mover, int):
        if story.seat_of(sender) is not None:
            raise NotAllowed("You hold a seat at this match, so its host's commands aren't yours.")
        impartiality.refuse_player(story, sender, "command")
        return
    if story.movers[mover] != sender:
        if story.players[mover] == sender:
            raise Illegal("stand_in_seated", "Somebody stands in for you; say that you are back, then play.")
        raise NotAllowed("That seat is not yours.")


def too_early(match_state: MatchState, seat: Witness, at: int) -> Illegal | None:
    """Return the refusal of a command that isn't part of the set-up, before a scheduled match opens."""
    opens_at = match_state.clocks.opens_at
    prompt = match_state.due.prompt_of(seat)
    if opens_at is None or at >= opens_at or prompt is None or prompt.clock in match_state.clocks.setup:
        return None
    return Illegal("not_open_yet", f"The match opens at {clocks.in_utc(opens_at)}.")


def _read(
    match_id: UUID, match_state: MatchState, mover: Witness, command: Command | dict[str, Any] | Typed
) -> Command:
    """Return the parsed command. Notation is parsed with what the seat, or for HOST a spectator, knows. Raise Illegal,
    also for texts that break the rule of texts."""
    if isinstance(command, Typed):
        known_state = repository.load(match_id, witness_of_mover(mover)).state
        parsed = match_state.game.parse(known_state, mover, command.text, _names(match_id, match_state.game))
    else:
        parsed = match_state.game.read_command(command, mover)
    refuse_bad_texts(parsed)
    return parsed


def _names(match_id: UUID, game: Game) -> list[str]:
    """Return the seats' names if commands of the game can have them."""
    return names_of(Match.objects.prefetch_related("seats__account").get(id=match_id)) if game.with_names else []


def _refuse_moved(match_state: MatchState, expected: int) -> None:
    if match_state.version != expected:
        raise VersionMoved(match_state.version)


def _refuse_outdated(match_id: UUID, match_state: MatchState, expected: int | None, held: bytes) -> None:
    """Raise VersionMoved if a player decided on an outdated version. Asides don't outdate it."""
    if expected is None or (expected == match_state.version and held in (b"", match_state.hash)):
        return
    if not match_state.version - _MAX_ASIDES <= expected < match_state.version:
        raise VersionMoved(match_state.version)
    rows = store.read(match_id, after=max(expected - 1, 0), upto=match_state.version)
    is_same_history = not held or any((row.version, row.hash) == (expected, held) for row in rows)
    if not is_same_history or any(row.version > expected and row.type not in TYPES_OF_ASIDES for row in rows):
        raise VersionMoved(match_state.version)
