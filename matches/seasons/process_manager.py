"""Consumers of the outbox that connect seasons and matches: a season records the ends of its matches, and its matches
are opened and changed as its events say. Each effect happens once."""

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

import structlog

from events import outbox, store
from events.records import StreamConflict
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
    """Consumer that records the end of a match in its season."""

    name = "season_results"
    types = frozenset({"match_finished", "match_voided"})

    def deliver(self, stream: UUID) -> None:
        """Record the end of the match, if it belongs to a season. The key has the match and the number of its end, so
        that each end is recorded once; a match that is played on ends again. If the season has ended before, the
        match's secrets open.

        Raise outbox.NotYet until spectators may see the end: readers of the season must not learn of it earlier.
        """
        season_id = Match.objects.filter(id=stream).values_list("season_id", flat=True).first()
        if season_id is None:
            return
        lifecycle = repository.load(stream, SPECTATOR).lifecycle
        if not lifecycle.over:
            return
        visible = feed.visible_state(stream, SPECTATOR).lifecycle
        if not visible.over or visible.reopened != lifecycle.reopened:
            raise outbox.NotYet
        key = f"end {lifecycle.reopened + 1} of {stream}" if lifecycle.reopened else f"end of {stream}"
        record_system_event(
            season_id=season_id, key=key, decide=lambda season: _end(season, str(stream), repository.load(stream))
        )
        if season_repository.load(season_id).status == "finished":
            reopening.open_secrets(stream)


class SeasonTableConsumer:
    """Consumer that opens the matches that a season schedules, voids those that it annuls, decides those that a player
    has forfeited, seats substitutes, and opens secrets with the end of the season."""

    name = "season_tables"
    types = frozenset(
        {"main_match_scheduled", "death_match_scheduled", "final_match_scheduled", "match_annulled",
         "match_forfeited", "player_substituted", "match_time_set", "player_checked_in", "check_in_closed",
         "check_in_extended", "absence_decided", "match_reopened", "season_finished"}
    )  # fmt: skip

    def deliver(self, stream: UUID) -> None:
        """Bring the season's matches to the state that the season's events demand."""
        settle_tables(stream)


MATCH_ENDS = MatchEndConsumer()
SEASON_TABLES = SeasonTableConsumer()


def settle_soon(season_id: UUID) -> None:
    """Settle the season's matches before the outbox does; log any error and leave the rest to the outbox."""
    try:
        settle_tables(season_id)
    except Exception:
        log.exception("season_not_settled", season=str(season_id))


def settle_tables(season_id: UUID) -> None:
    """Open, void, reseat and resume the season's matches as its events demand, and open their secrets once it is over.
    Calling it again changes nothing."""
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
    if season.status == "finished" and any(it.season.options.secrets_open == "season" for it in revisions):
        _open_secrets(map(UUID, there))


def _end(season: Season, match_id: str, match: MatchState) -> list[Event]:
    """Return the events that the end of the match brings to the season."""
    ending = match.lifecycle.outcome
    if match.lifecycle.voided:
        return list(results.report_void(season, match_id))
    if ending is None:
        return []
    return list(results.report(season, match_id, ending.winners, ending.ranking, _scores(match, ending.score)))


def _scores(match: MatchState, points: Mapping[int, int]) -> list[Score]:
    """Return what each seat has got in a match that is over."""
    state, progress = match.state, match.game.progress(match.state)
    teams, left, stakes = (progress.teams, progress.left, progress.stakes) if progress else ((), (), ())
    out: dict[int, Literal["left", "resigned"]] = dict.fromkeys(left, "left")
    out |= dict.fromkeys(state.resigned, "resigned")
    return [
        Score(points.get(seat), teams[seat] if teams else None, out.get(seat), stakes[seat] if stakes else None)
        for seat in range(state.seats)
    ]


def _play_on(match: SeasonMatch, reopenings: Sequence[MatchReopened]) -> None:
    """Reopen the finished match for each decision to play on that isn't carried out yet."""
    match_id = UUID(match.id)
    done = repository.load(match_id, SPECTATOR).lifecycle.reopened
    try:
        for number, decision in enumerate(reopenings[done:], start=done + 1):
            reopening.reopen(match_id=match_id, number=number, to_version=decision.to_version, reason=decision.reason)
    except Illegal as refused:
        log.warning("season_match_not_moved", match=match.id, code=refused.code)


def _open(season_id: UUID, season: Season, match: SeasonMatch, event: Scheduled, actor: str) -> None:
    """Open a match that is still scheduled; do nothing if another process has opened it."""
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
            secrets_open=season.options.secrets_open if match.kind == "main" else "match",
        )


def _open_secrets(matches: Iterable[UUID]) -> None:
    """Open the secrets of these matches. Raise BrokenRecord in the end if one has a broken record, so that it is tried
    again."""
    broken = None
    for match_id in matches:
        try:
            reopening.open_secrets(match_id)
        except repository.BrokenRecord as error:
            broken = error
    if broken:
        raise broken


def _still_to_come(opens_at: str | None) -> datetime | None:
    """Return when the match opens by itself, or None if a host has to start it: it has no time, or the time is past."""
    at = datetime.fromisoformat(opens_at) if opens_at else None
    return at if at and at > store.clock() else None


def _keep_up(season: Season, match: SeasonMatch, table: Match) -> None:
    """Bring a match that isn't over to the state that the season demands: void it if it is annulled or lost by an
    absent player, decide it if its result counts already, seat substitutes, and keep its time and check-in.

    An account that a host has seated keeps the seat. The actor is the house: the season's record has the account that
    decided, which may be a player's, as for a withdrawal.
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
    """End a match with the winner that its season has recorded; void it if it hasn't started."""
    if started:
        hosting.adjudicate(match_id=match_id, by=HOUSE, winners=[winner], reason="The other player left the season.")
    else:
        hosting.void(match_id=match_id, by=HOUSE, reason="A player left the season before the match began.")


def _keep_time(season: Season, match: SeasonMatch, table: Match) -> None:
    """Set the time of a match that hasn't begun, and whether it waits for absent players; raise Illegal."""
    wanted, current = _still_to_come(match.opens_at), table.opens_at
    if wanted != current and (wanted or match.opens_at is None):
        opening.reschedule_if_unchanged(
            match_id=table.id, by=HOUSE, previous=current, opens_at=wanted, reason="The season set the time."
        )
    held = attendance.holds(season, match)
    if table.awaits_check_in and not held and attendance.check_in_of(season, match.id).ruling == "stand_in":
        _seat_stand_ins(season, match)
    if held != table.awaits_check_in:
        Match.objects.filter(id=table.id, status=Match.Status.WAITING).update(awaits_check_in=held)


def _hold_play(season: Season, match: SeasonMatch, table: Match) -> None:
    """Pause a match after its set-up while a player is absent, and resume it afterwards. Each happens at most once, so
    that a host's own acts in between stand. A match that a host has started early isn't paused. Raise Illegal."""
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
    """True if the house has ever seated a stand-in for an absent player of this match."""
    return any(row.type == "stand_in_seated" and row.actor == HOUSE for row in store.read(table.id))


def _seat_stand_ins(season: Season, match: SeasonMatch) -> None:
    """Seat a bot for each absent player until they come. Call it before the match may start, so that it happens
    once."""
    present = attendance.check_in_of(season, match.id).present
    for seat, player in enumerate(match.players):
        if player not in present:
            with contextlib.suppress(Illegal):
                hosting.seat_stand_in(
                    match_id=UUID(match.id), by=HOUSE, seat=seat, player="bot", reason="The player hasn't come."
                )
