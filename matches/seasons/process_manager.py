"""What matches tell their season, and a season asks of its matches, through the outbox: each thing happens once."""

import contextlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import structlog

from events import outbox, store
from events.records import StreamConflict
from games.contest.state import State as Contest
from games.kernel import SPECTATOR, Event, Illegal
from matches.domain.events import HOUSE
from matches.domain.match_state import MatchState
from matches.models import Match
from matches.reads import feed
from matches.seasons import repository as season_repository
from matches.seasons.domain import attendance, results
from matches.seasons.domain.events import MatchReopened, Scheduled
from matches.seasons.domain.result_rules import Score
from matches.seasons.domain.scheduling import SCHEDULED
from matches.seasons.domain.state import Season, SeasonMatch
from matches.seasons.services import record_system_event
from matches.services import hosting, opening, reopening
from matches.services.opening import SeatRequest
from matches.storage import repository

log = structlog.get_logger(__name__)

_ROLES = ("ec", "dmo")


class MatchEndConsumer:
    """A match's end goes to its season."""

    name = "season_results"
    types = frozenset({"match_finished", "match_voided"})

    def deliver(self, stream: UUID) -> None:
        """Report the match, if it is one of a season; the key names the match and the number of its end, so that each
        counts once. One that is played on reports its next end.

        Raises outbox.NotYet until spectators know of the end: who reads the season must not learn of it before them.
        """
        season_id = Match.objects.filter(id=stream).values_list("season_id", flat=True).first()
        if season_id is None:
            return
        match = repository.load(stream, SPECTATOR)
        lifecycle = match.lifecycle
        if not lifecycle.over:
            return
        known = feed.visible_state(stream, SPECTATOR).lifecycle
        if not known.over or known.reopened != lifecycle.reopened:
            raise outbox.NotYet
        key = f"end {lifecycle.reopened + 1} of {stream}" if lifecycle.reopened else f"end of {stream}"
        record_system_event(season_id=season_id, key=key, decide=lambda season: _end(season, str(stream), match))


class SeasonTableConsumer:
    """What a season schedules is set up, what it annuls is declared void, what was forfeited is decided, its
    substitutes take their seats."""

    name = "season_tables"
    types = frozenset(
        {"main_match_scheduled", "death_match_scheduled", "final_match_scheduled", "match_annulled",
         "match_forfeited", "player_substituted", "match_time_set", "player_checked_in", "check_in_closed",
         "check_in_extended", "absence_decided", "match_reopened"}
    )  # fmt: skip

    def deliver(self, stream: UUID) -> None:
        """Bring the season's tables to where the season says they should be."""
        settle_tables(stream)


MATCH_ENDS = MatchEndConsumer()
SEASON_TABLES = SeasonTableConsumer()


def settle_soon(season_id: UUID) -> None:
    """Settle at once what the outbox would settle in a moment; what fails here is left to it."""
    try:
        settle_tables(season_id)
    except Exception:
        log.exception("season_not_settled", season=str(season_id))


def settle_tables(season_id: UUID) -> None:
    """Open, void and reseat the season's matches as its events ask for; what is done already is passed over."""
    # Before the record: what it then says of them is at least as new.
    there = {str(match.id): match for match in Match.objects.filter(season_id=season_id)}
    revisions = list(season_repository.revisions(season_id))
    if not revisions:
        return
    season = revisions[-1].season
    scheduled = {
        revision.event.match: (revision.event, revision.row.actor)
        for revision in revisions
        if isinstance(revision.event, SCHEDULED)
    }
    for match_id, (event, actor) in scheduled.items():
        match = season.matches[match_id]
        if match_id not in there:
            _open(season_id, season, match, event, actor)
        elif there[match_id].status not in (Match.Status.FINISHED, Match.Status.VOID):
            _keep_up(season, match, there[match_id])
        elif match.status == "scheduled" and match.reopened:
            _play_on(
                match,
                [it.event for it in revisions if isinstance(it.event, MatchReopened) and it.event.match == match_id],
            )


def _end(season: Season, match_id: str, match: MatchState) -> list[Event]:
    """What the match's end means for the season."""
    ending = match.lifecycle.outcome
    if match.lifecycle.voided:
        return list(results.report_void(season, match_id))
    if ending is None:
        return []
    return list(results.report(season, match_id, ending.winners, ending.ranking, _scores(match, ending.score)))


def _scores(match: MatchState, points: Mapping[int, int]) -> list[Score]:
    """Return what each seat has got in a match that is over."""
    state = match.state
    teams, left = (state.teams, state.left) if isinstance(state, Contest) else ((), ())
    out: dict[int, Literal["left", "resigned"]] = dict.fromkeys(left, "left")
    out |= dict.fromkeys(state.resigned, "resigned")
    return [Score(points.get(seat), teams[seat] if teams else None, out.get(seat)) for seat in range(state.seats)]


def _play_on(match: SeasonMatch, reopenings: Sequence[MatchReopened]) -> None:
    """Have the finished match played on, where that was decided and hasn't been done."""
    match_id = UUID(match.id)
    done = repository.load(match_id, SPECTATOR).lifecycle.reopened
    try:
        for number, asked in enumerate(reopenings[done:], start=done + 1):
            reopening.reopen(match_id=match_id, number=number, to_version=asked.to_version, reason=asked.reason)
    except Illegal as refused:
        log.warning("season_match_not_moved", match=match.id, code=refused.code)


def _open(season_id: UUID, season: Season, match: SeasonMatch, event: Scheduled, actor: str) -> None:
    """Set the table of a match that still counts; somebody else may be faster."""
    if match.status != "scheduled":
        return
    roles = _ROLES if match.kind == "death" else ("",) * len(match.players)
    with contextlib.suppress(StreamConflict):
        opening.open_match(
            opener=UUID(actor),
            game=event.game,
            options=event.options,
            seats=[SeatRequest(UUID(player), role) for player, role in zip(match.players, roles, strict=True)],
            priority=event.priority,
            clocks=event.clocks,
            opens_at=_still_to_come(match.opens_at),
            setup_closes=event.setup_closes,
            spectator_delay=season.options.spectator_delay,
            aids=season.options.aids,
            season=season_id,
            match_id=UUID(match.id),
            awaits_check_in=attendance.holds(season, match),
        )


def _still_to_come(opens_at: str | None) -> datetime | None:
    """When the match opens by itself; None where its host starts it, as one whose table is set too late for that."""
    at = datetime.fromisoformat(opens_at) if opens_at else None
    return at if at and at > store.clock() else None


def _keep_up(season: Season, match: SeasonMatch, table: Match) -> None:
    """A match under way: void if it is annulled, or lost by who didn't come; decided if its result counts already; its
    seats held by the successors of those who have been substituted; at its time, once nobody is missed any more.

    Whom a host has put into a seat stays there. The house does it: who decided stands in the season's record, and may
    be a player, as for a withdrawal.
    """
    match_id = UUID(match.id)
    try:
        if match.status == "annulled":
            hosting.void(match_id=match_id, by=HOUSE, reason="The season annulled the match.")
            return
        if attendance.check_in_of(season, match.id).ruling == "loss":
            hosting.void(match_id=match_id, by=HOUSE, reason="A player didn't come, and has lost the match.")
            return
        lifecycle = repository.load(match_id, SPECTATOR).lifecycle
        if match.status == "effective" and match.winning_seat is not None:
            _decide(match_id, match.winning_seat, started=lifecycle.started)
            return
        seated = lifecycle.players
        for seat, player in enumerate(match.players):
            if season.has_succeeded(player, seated[seat]):
                hosting.substitute(match_id=match_id, by=HOUSE, seat=seat, player=UUID(player), reason="A substitute.")
        if table.status == Match.Status.WAITING:
            _keep_time(season, match, table)
        elif attendance.precedes_play(match):
            _hold_play(season, match, table)
    except Illegal as refused:
        # For a person to see to: the match is over meanwhile, or the newcomer has seen its secrets.
        log.warning("season_match_not_moved", match=match.id, code=refused.code)


def _decide(match_id: UUID, winner: int, *, started: bool) -> None:
    """End a match as its season has; one that hasn't begun has nothing to decide."""
    if started:
        hosting.adjudicate(match_id=match_id, by=HOUSE, winners=[winner], reason="The other player left the season.")
    else:
        hosting.void(match_id=match_id, by=HOUSE, reason="A player left the season before the match began.")


def _keep_time(season: Season, match: SeasonMatch, table: Match) -> None:
    """A match that hasn't begun: it opens when the season says, and waits for who isn't there. Raises Illegal."""
    told, seen = _still_to_come(match.opens_at), table.opens_at
    if told != seen and (told or match.opens_at is None):
        opening.reschedule_if_unchanged(
            match_id=table.id, by=HOUSE, previous=seen, opens_at=told, reason="The season set the time."
        )
    held = attendance.holds(season, match)
    if table.awaits_check_in and not held and attendance.check_in_of(season, match.id).ruling == "stand_in":
        _seat_stand_ins(season, match)
    if held != table.awaits_check_in:
        Match.objects.filter(id=table.id, status=Match.Status.WAITING).update(awaits_check_in=held)


def _hold_play(season: Season, match: SeasonMatch, table: Match) -> None:
    """Pause a match after its set-up while somebody is missed, and let it go on afterwards: both at most once, so that
    what a host does by hand meanwhile stands. A match that a host has started early isn't held. Raises Illegal."""
    if table.opens_at is None:
        return
    held = attendance.holds(season, match)
    if attendance.check_in_of(season, match.id).ruling == "stand_in" and not _has_stand_in(table):
        _seat_stand_ins(season, match)
    if held == table.awaits_check_in or (held and table.status == Match.Status.PAUSED):
        return
    if held:
        hosting.pause(match_id=table.id, by=HOUSE, reason="Somebody hasn't checked in.")
    else:
        with contextlib.suppress(Illegal):
            hosting.resume(match_id=table.id, by=HOUSE, reason="Nobody is waited for any more.")
    Match.objects.filter(id=table.id).update(awaits_check_in=held)


def _has_stand_in(table: Match) -> bool:
    """True if the house has let a bot play in this match for somebody who didn't come, even if they play again."""
    return any(row.type == "stand_in_seated" and row.actor == HOUSE for row in store.read(table.id))


def _seat_stand_ins(season: Season, match: SeasonMatch) -> None:
    """A bot plays for each who isn't there, until they are; before the match may start, so that it happens once."""
    present = attendance.check_in_of(season, match.id).present
    for seat, player in enumerate(match.players):
        if player not in present:
            with contextlib.suppress(Illegal):
                hosting.seat_stand_in(
                    match_id=UUID(match.id), by=HOUSE, seat=seat, player="bot", reason="The player hasn't come."
                )
