"""Acts of a host on a match. Each has a reason and is an event. Each raises plays_here if the host plays at the match
(`matches.domain.impartiality`) or in its season.

`by` is an account, or HOUSE for a decision of the match's season.
"""

from collections.abc import Sequence
from itertools import pairwise
from uuid import UUID

from events import store
from events.pipeline import Statement
from events.records import Recorded
from games.kernel import Illegal
from matches.domain import host_acts
from matches.domain.events import BOT, Decision, RulingPosted, StandIn, TextWithdrawn, TruthViewed
from matches.domain.impartiality import refuse_player
from matches.domain.match_state import MatchState
from matches.reads import permissions
from matches.reads.entitlements import NotEntitled, refuse_sealed
from matches.services import caps, guests
from matches.services.appending import append, match_at_head, open_transaction, under_key
from matches.services.playing import VersionMoved
from matches.services.season_players import not_by_players, refuse_official, refuse_season_player
from matches.services.timing import catch_up_clock
from matches.storage import repository, seeds, texts

_CHANGE_SEAT = """
UPDATE matches_seat SET account_id = $3, is_bot = $4, invitation = NULL, open_to = NULL
WHERE match_id = $1 AND number = $2
"""


class SeatsMoved(VersionMoved):
    """The seats' holders or the match's status have changed since the caller's last view."""

    def __str__(self) -> str:
        return "Who holds which seat, or the match's status, has changed."


@not_by_players
def pause(*, match_id: UUID, by: UUID | str, reason: str) -> None:
    """Stop all clocks; no seat may move until `resume`."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "pause")
        append(transaction, match_state, [host_acts.pause(match_state.lifecycle, reason)])


@not_by_players
def resume(*, match_id: UUID, by: UUID | str, reason: str) -> None:
    """Continue a paused match."""
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "resume")
        append(transaction, match_state, [host_acts.resume(match_state.lifecycle, reason)])


@not_by_players
def extend(*, match_id: UUID, by: UUID, seat: int, seconds: int, reason: str, key: str | None = None) -> None:
    """Give a seat's running turn more time; only once per `key`."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "extend")
        append(
            transaction,
            match_state,
            [host_acts.give_time(match_state.lifecycle, seat, seconds, match_state.clocks, reason)],
            **under_key(key),
        )


@not_by_players
def void(*, match_id: UUID, by: UUID | str, reason: str, expected: str | None = None) -> None:
    """Declare that the match doesn't count. Raises SeatsMoved if `host_acts.seats_and_status`
    isn't `expected`."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "void")
        seed = seeds.seed_of(match_id, match_state.lifecycle.seed_number)
        events = host_acts.void(match_state.lifecycle, reason, seed)
        _refuse_moved(match_state, expected)
        append(transaction, match_state, events)


@not_by_players
def adjudicate(
    *, match_id: UUID, by: UUID | str, winners: Sequence[int], reason: str, expected: str | None = None
) -> None:
    """Name the winners and end the match. Raises SeatsMoved as `void` does."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "adjudicate")
        seed = seeds.seed_of(match_id, match_state.lifecycle.seed_number)
        events = host_acts.adjudicate(match_state.lifecycle, winners, reason, seed)
        _refuse_moved(match_state, expected)
        append(transaction, match_state, events)


@not_by_players
def substitute(
    *, match_id: UUID, by: UUID | str, seat: int, player: UUID | str, reason: str, expected: str | None = None
) -> None:
    """Give a seat to another account, or to `bot`.

    Raises not_enrolled if the account may not see the match, runs_the_season if it runs the match's season,
    not_for_guests, too_many_bot_matches if only bots would play, and SeatsMoved as `void` does.
    """
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "substitute", seat)
        refuse_official(match_id, player)
        guests.refuse_in_season(match_id, player)
        guests.refuse_seating(by, player)
        event = host_acts.substitute(match_state.lifecycle, seat, str(player), reason)
        if match_state.lifecycle.opened.season:
            _refuse_outsider(match_id, player)
        _refuse_moved(match_state, expected)
        if player == BOT:
            caps.refuse_leaving_to_bots(transaction, by, match_state.lifecycle, seat)
        append(transaction, match_state, [event], also=[_change_seat(match_id, seat, player)])


@not_by_players
def seat_stand_in(*, match_id: UUID, by: UUID, seat: int, player: StandIn, reason: str) -> None:
    """Let a bot, or the dealer at random, play for an absent player. Raises too_many_bot_matches as `substitute`
    does."""
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "seat_stand_in", seat)
        event = host_acts.seat_stand_in(match_state.lifecycle, seat, player, reason)
        caps.refuse_leaving_to_bots(transaction, by, match_state.lifecycle, seat)
        append(transaction, match_state, [event])


def end_stand_in(*, match_id: UUID, by: UUID, seat: int, reason: str) -> None:
    """Let a seat's player play again, at the request of that player or of a host."""
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "end_stand_in", seat)
        event = host_acts.end_stand_in(match_state.lifecycle, seat, reason)
        if match_state.lifecycle.players[seat] != str(by):
            refuse_season_player(match_id, by)
        append(transaction, match_state, [event])


@not_by_players
def rewind(*, match_id: UUID, by: UUID, to_version: int, reason: str, expected: int | None = None) -> None:
    """Continue from the state and clocks of an earlier version; later events stay in the record.

    `expected` is the newest version that the caller has loaded; raises VersionMoved if there is a later one.
    """
    catch_up_clock(match_id=match_id)
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "rewind")
        event = host_acts.rewind(match_state.lifecycle, match_state.version, to_version, reason)
        if expected is not None and match_state.version != expected:
            raise VersionMoved(match_state.version)
        earlier = repository.load(match_id, upto=to_version)
        host_acts.refuse_rewinding(match_state, earlier, amid_an_act=is_amid_an_act(match_id, to_version))
        append(transaction, match_state, [event], earlier=earlier)


def rewindable(match_id: UUID, after: int = 0) -> list[int]:
    """Return the versions above `after` that `rewind` accepts now for a running match, in order."""
    now, rows = repository.load(match_id), store.read(match_id, after=after)
    ends = [row.version for row, following in pairwise(rows) if not _is_of_one_act(row, following)]
    return [it.version for it in repository.states_at(match_id, ends) if host_acts.is_rewindable_into(now, it)]


@not_by_players
def rule(*, match_id: UUID, by: UUID, text: str, key: str | None = None) -> None:
    """Publish a ruling, at any time; only once per `key`."""
    with open_transaction(match_id, actor=str(by), key=key) as transaction:
        if transaction.stored_outcome is not None:
            return
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "rule")
        append(transaction, match_state, [RulingPosted(text=text)], **under_key(key))


@not_by_players
def answer_appeal(*, match_id: UUID, by: UUID, number: int, decision: Decision, reason: str) -> None:
    """Answer a seat's appeal, at any time."""
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "answer_appeal")
        append(transaction, match_state, [host_acts.answer_appeal(match_state.lifecycle, number, decision, reason)])


@not_by_players
def withdraw_text(*, match_id: UUID, by: UUID, commitment: str, reason: str) -> None:
    """Delete a text that the match names, at any time; raises no_such_text."""
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "withdraw_text")
        (stored,) = transaction.run(texts.finding(match_id, commitment))
        if not stored:
            raise Illegal("no_such_text", "The match names no text with this commitment, or it is withdrawn already.")
        event = TextWithdrawn(commitment=commitment, reason=reason)
        append(transaction, match_state, [event], also=[texts.deleting(match_id, commitment)])


@not_by_players
def approve(*, match_id: UUID, by: UUID, reason: str) -> None:
    """Approve the result of a finished match, so that it counts."""
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        refuse_player(match_state.lifecycle, str(by), "approve")
        append(transaction, match_state, [host_acts.approve(match_state.lifecycle, reason)])


@not_by_players
def view_truth(*, match_id: UUID, by: UUID) -> int:
    """Record that a host looks at the truth of a match before its secrets are open, and return the version up to which
    they may look. One record covers all events until now.

    Raises NotEntitled for a seat's holder, plays_here for a former one, and sealed.
    """
    current = repository.load(match_id)
    if current.lifecycle.seat_of(str(by)) is None:
        refuse_player(current.lifecycle, str(by), "look")
        refuse_sealed(current)
    if _is_onlooker(current, by):
        return current.version
    with open_transaction(match_id, actor=str(by)) as transaction:
        match_state = match_at_head(transaction)
        if match_state.lifecycle.seat_of(str(by)) is not None:
            raise NotEntitled("host")
        refuse_player(match_state.lifecycle, str(by), "look")
        refuse_sealed(match_state)
        if match_state.lifecycle.is_open or _is_onlooker(match_state, by):
            return match_state.version
        rows, _ = append(transaction, match_state, [TruthViewed(by=str(by))])
        return rows[-1].version


def _refuse_moved(match_state: MatchState, expected: str | None) -> None:
    if expected is not None and host_acts.seats_and_status(match_state.lifecycle) != expected:
        raise SeatsMoved(match_state.version)


def _refuse_outsider(match_id: UUID, player: UUID | str) -> None:
    if player != BOT and not permissions.may_see(match_id, player):
        raise Illegal(
            "not_enrolled",
            "That account may not see this match of a private season. Seat a member of the season, or a bot.",
        )


def _is_onlooker(match_state: MatchState, by: UUID) -> bool:
    return str(by) in match_state.onlookers


def _change_seat(match_id: UUID, seat: int, player: UUID | str) -> Statement:
    account = None if player == BOT else player
    return _CHANGE_SEAT, (match_id, seat, account, player == BOT)


def is_amid_an_act(match_id: UUID, version: int) -> bool:
    """True if the events at this version and the next belong to one act."""
    return _is_of_one_act(*store.read(match_id, after=version - 1, upto=version + 1))


def _is_of_one_act(row: Recorded, following: Recorded) -> bool:
    """True if both events have the same actor and instant."""
    return (row.actor, row.at) == (following.actor, following.at)
