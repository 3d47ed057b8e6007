"""Refusals of an act on a season because of its matches or of the accounts in it."""

from collections.abc import Sequence
from uuid import UUID

from games.kernel import Event, Illegal
from matches.domain import host_acts
from matches.domain.lifecycle import Lifecycle
from matches.models import Account, Match
from matches.reads import permissions
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.events import (
    MatchForfeited,
    MatchReopened,
    MatchTimeSet,
    PlayerApplied,
    PlayerEnrolled,
    PlayerJoinedLate,
    PlayerReturned,
    PlayerSubstituted,
    PlayerWithdrew,
    StaffAppointed,
    TimeAccepted,
    TimesProposed,
)
from matches.seasons.domain.state import Season
from matches.services import reopening
from matches.storage import repository

_OVER = (Match.Status.FINISHED, Match.Status.VOID)


def refuse_seated(season_id: UUID, events: Sequence[Event]) -> None:
    """Raise plays_here if an appointed account holds or held a seat at a match of the season."""
    for event in events:
        if isinstance(event, StaffAppointed) and permissions.plays_in(season_id, event.account):
            raise Illegal("plays_here", "Who holds or held a seat at a match of the season can't be of its staff.")


def refuse_begun(events: Sequence[Event]) -> None:
    """Raise already_started if a match that gets another time has begun."""
    match_ids = [UUID(it.match) for it in events if isinstance(it, TimesProposed | TimeAccepted | MatchTimeSet)]
    if match_ids and Match.objects.filter(id__in=match_ids).exclude(status=Match.Status.WAITING).exists():
        raise Illegal("already_started", "The match has begun, or is over: its time stands.")


def refuse_unplayable(events: Sequence[Event]) -> None:
    """Raise match_over, not_finished, no_such_version, amid_an_act or no_further_seed if a match can't be played on
    from the version of the event."""
    for event in events:
        if isinstance(event, MatchReopened):
            reopening.refuse_reopening(UUID(event.match), event.to_version, event.reason)


def refuse_missing(events: Sequence[Event]) -> None:
    """Raise no_such_player if an account that is to play or to run the season doesn't exist or is inactive."""
    newcomers = {account for event in events if (account := _newcomer(event))}
    if newcomers and Account.objects.filter(id__in=newcomers, is_active=True).count() < len(newcomers):
        raise Illegal("no_such_player", "There is no account with this id.")


def refuse_guests(events: Sequence[Event]) -> None:
    """Raise not_for_guests if a guest is to play or to run the season."""
    newcomers = [account for event in events if (account := _newcomer(event))]
    if newcomers:
        permissions.refuse_guests(newcomers, "Seasons are for accounts, whose names stay.")


def refuse_unseatable(season: Season, events: Sequence[Event]) -> None:
    """Raise knows_secrets or already_seated if a match of the leaver can't seat the substitute."""
    for event in events:
        if isinstance(event, PlayerSubstituted):
            _refuse_at_tables(season, event)


def refuse_played(season: Season, by: Caller, events: Sequence[Event]) -> None:
    """Raise match_open if a player leaves whose duel is finished although the season hasn't recorded the result yet.

    A player whose seat another account has taken sees the end as late as spectators do. Until then their withdrawal is
    refused whether the match is finished or not, so that the refusal doesn't reveal it.
    """
    for event in events:
        if isinstance(event, PlayerWithdrew | MatchForfeited):
            _refuse_leaving(season, by, event.player)


def _newcomer(event: Event) -> str | None:
    match event:
        case PlayerEnrolled(player=account) | PlayerSubstituted(newcomer=account) | StaffAppointed(account=account):
            return account
        case PlayerJoinedLate(player=account) | PlayerApplied(player=account) | PlayerReturned(player=account):
            return account
    return None


def _refuse_leaving(season: Season, by: Caller, player: str) -> None:
    waited_for = [it for it in season.matches.values() if it.status == "scheduled" and it.kind != "main"]
    duels = [UUID(it.id) for it in waited_for if player in it.players]
    for match_id, status in Match.objects.filter(id__in=duels).values_list("id", "status"):
        if _learns_late(repository.load(match_id).lifecycle, by):
            raise Illegal(
                "match_open",
                "Somebody else plays the player's match: its result comes first. Wait until the season has it, or ask "
                "an organiser.",
            )
        if status == Match.Status.FINISHED:
            raise Illegal(
                "match_open",
                "The player's match has been played: its result comes first. Wait until the season has it; then an "
                "organiser approves or corrects it, or annuls the match.",
            )


def _learns_late(lifecycle: Lifecycle, by: Caller) -> bool:
    """True if the caller sees the match with a delay, as spectators do: they neither play it nor run the season."""
    return by.role is None and bool(lifecycle.opened.spectator_delay) and lifecycle.seat_of(by.account) is None


def _refuse_at_tables(season: Season, event: PlayerSubstituted) -> None:
    waiting = [UUID(it.id) for it in season.matches.values() if it.status == "scheduled" and event.leaver in it.players]
    for match_id in Match.objects.filter(id__in=waiting).exclude(status__in=_OVER).values_list("id", flat=True):
        lifecycle = repository.load(match_id).lifecycle
        seat = lifecycle.seat_of(event.leaver)
        if seat is not None and not lifecycle.over:
            host_acts.substitute(lifecycle, seat, event.newcomer, event.reason)
