"""Pure rules of enrolment: several players at once, by joining links, late, or after they have left."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from games.kernel import Event, Illegal
from matches.seasons.domain import roster
from matches.seasons.domain.deciding import Batch, Caller, refuse_over, refuse_unless_organiser
from matches.seasons.domain.events import (
    ApplicationDeclined,
    ApplicationWithdrawn,
    Cause,
    GarnetsMoved,
    JoiningOpened,
    JoiningRevoked,
    PlayerApplied,
    PlayerJoinedLate,
    PlayerReturned,
)
from matches.seasons.domain.intake_state import Application, JoiningLink
from matches.seasons.domain.state import Season

MOST_LINKS = 200
"""Most valid links of a season."""
MOST_WITHDRAWALS = 5
"""Most withdrawals of one account's applications: each is stored in the season's record for ever."""
_FARTHEST = timedelta(days=366)


def enrol_all(
    season: Season, by: Caller, players: Sequence[str], invited: int = 0, closes_at: str | None = None
) -> Sequence[Event]:
    """Enrol all of these players, and make invitations for so many others: links for one person each, who is enrolled
    by following it. Raise what `roster.enrol` and `open_joining` raise, and empty_list."""
    refuse_unless_organiser(by)
    if not players and not invited:
        raise Illegal("empty_list", "The list names nobody.")
    batch = Batch(season)
    for player in players:
        batch.add(*roster.enrol(batch.season, by, player))
    for _ in range(invited):
        batch.add(*open_joining(batch.season, by, False, 1, closes_at))
    return batch.events


def open_joining(
    season: Season, by: Caller, approval: bool, most: int | None = None, closes_at: str | None = None
) -> Sequence[Event]:
    """Make a joining link; raise forbidden, plays_here, season_over, enrolment_closed, too_many_links."""
    refuse_unless_organiser(by)
    _refuse_begun(season)
    if sum(not link.revoked and not link.used_up for link in season.intake.links.values()) >= MOST_LINKS:
        raise Illegal("too_many_links", f"A season has at most {MOST_LINKS} links that are good; revoke some first.")
    number = len(season.intake.links) + 1
    return [JoiningOpened(link=number, approval=approval, most=most, closes_at=closes_at)]


def revoke_joining(season: Season, by: Caller, link: int, reason: str) -> Sequence[Event]:
    """Revoke a link; players who came by it stay. Raise forbidden, plays_here, no_such_link, link_revoked."""
    refuse_unless_organiser(by)
    if link_of(season, link).revoked:
        raise Illegal("link_revoked", "That link has been revoked.")
    return [JoiningRevoked(link=link, reason=reason)]


def apply(season: Season, by: Caller, link: int) -> Sequence[Event]:
    """Apply to play through a link. Enrol the caller if it needs no approval and there is room; otherwise they wait.

    Raises season_over, enrolment_closed, no_such_link, link_revoked, already_enrolled, runs_the_season,
    already_applied, application_declined, already_withdrawn, link_used_up.
    """
    joining_link = link_of(season, link)
    _refuse_begun(season)
    if joining_link.revoked:
        raise Illegal("link_revoked", "That link has been revoked: ask whoever gave it to you for another one.")
    if by.account in season.players:
        raise Illegal("already_enrolled", "You are, or were, a player of this season.")
    if by.role or by.plays or by.account in season.staff:
        raise Illegal(
            "runs_the_season", "Who runs a season, or sits at one of its tables already, can't ask to play in it."
        )
    _refuse_asked(season, by.account)
    if joining_link.used_up:
        raise Illegal("link_used_up", "As many have come by this link as may: ask for another one.")
    batch = Batch(season)
    batch.add(PlayerApplied(player=by.account, link=link))
    if not joining_link.approval and len(season.living) < season.options.most_players:
        roster.enter(batch, by.account)
    return batch.events


def withdraw_application(season: Season, by: Caller) -> Sequence[Event]:
    """Withdraw the caller's application; raise season_over, not_applied."""
    refuse_over(season)
    return [ApplicationWithdrawn(player=_waiting(season, by.account).player)]


def admit(season: Season, by: Caller, player: str) -> Sequence[Event]:
    """Admit an applicant, as an organiser; raise not_applied, and what `roster.enrol` raises."""
    refuse_unless_organiser(by)
    _waiting(season, player)
    return roster.enrol(season, by, player)


def decline(season: Season, by: Caller, player: str, reason: str) -> Sequence[Event]:
    """Decline an application with a reason, as an organiser; raise forbidden, plays_here, season_over, not_applied."""
    refuse_unless_organiser(by)
    refuse_over(season)
    _waiting(season, player)
    return [ApplicationDeclined(player=player, reason=reason)]


def enrol_late(season: Season, by: Caller, player: str, amount: int, reason: str) -> Sequence[Event]:
    """Enrol a player in a running season, with garnets. Raise forbidden, plays_here, season_over,
    not_begun, final_open, already_recorded, already_enrolled, runs_the_season, season_full."""
    refuse_unless_organiser(by)
    _refuse_no_room_now(season)
    roster.refuse_strange_newcomer(season, by, player)
    batch = Batch(season)
    batch.add(PlayerJoinedLate(player=player, reason=reason))
    _grant(batch, player, amount, "start", reason)
    return batch.events


def reinstate(season: Season, by: Caller, player: str, amount: int, reason: str) -> Sequence[Event]:
    """Enrol a player again who has withdrawn, with garnets. Raise forbidden, plays_here, season_over, not_begun,
    final_open, already_recorded, not_enrolled, not_withdrawn, season_full."""
    refuse_unless_organiser(by)
    if player not in season.players:
        raise Illegal("not_enrolled", "No such player is in this season.")
    if season.players[player].status != "withdrawn":
        raise Illegal("not_withdrawn", "Only who has withdrawn can come back: a lost death match is corrected instead.")
    if season.episodes:
        _refuse_no_room_now(season)
    else:
        refuse_over(season)
        _refuse_full(season)
    batch = Batch(season)
    batch.add(PlayerReturned(player=player, reason=reason))
    _grant(batch, player, amount, "reversal", reason)
    return batch.events


def link_of(season: Season, link: int) -> JoiningLink:
    """Return a link of the season; raise no_such_link."""
    if link not in season.intake.links:
        raise Illegal("no_such_link", "The season has no such link.")
    return season.intake.links[link]


def refuse_untimely_joining(season: Season, events: Sequence[Event], now: datetime) -> None:
    """Raise link_expired for who comes too late, bad_closing_time for a link that would close in the past, or more than
    a year away."""
    for event in events:
        if isinstance(event, PlayerApplied) and (closes_at := season.intake.links[event.link].closes_at):
            at = datetime.fromisoformat(closes_at)
            if now >= at:
                raise Illegal("link_expired", f"The link was good until {at:%Y-%m-%d %H:%M} UTC: ask for another one.")
        if isinstance(event, JoiningOpened) and event.closes_at:
            at = datetime.fromisoformat(event.closes_at)
            if not now < at < now + _FARTHEST:
                raise Illegal("bad_closing_time", "A link closes at an instant within the coming year.")


def _refuse_begun(season: Season) -> None:
    refuse_over(season)
    if season.status != "enrolling":
        raise Illegal("enrolment_closed", "The season has begun; an organiser may still let somebody in late.")


def _refuse_asked(season: Season, player: str) -> None:
    application = season.intake.applications.get(player)
    if application and application.status == "waiting":
        raise Illegal("already_applied", "You have asked to play already: an organiser will answer.")
    if application:
        raise Illegal("application_declined", "You asked to play, and were declined: only an organiser can enrol you.")
    if season.intake.withdrawals.get(player, 0) >= MOST_WITHDRAWALS:
        raise Illegal("already_withdrawn", "You have asked and thought better of it often: an organiser can enrol you.")


def _waiting(season: Season, player: str) -> Application:
    application = season.intake.applications.get(player)
    if application is None or application.status != "waiting":
        raise Illegal("not_applied", "That account doesn't ask to play in this season.")
    return application


def _refuse_no_room_now(season: Season) -> None:
    """Raise season_over, not_begun, final_open, already_recorded, season_full: nobody comes into what is decided."""
    refuse_over(season)
    if not season.episodes:
        raise Illegal("not_begun", "The season hasn't begun: enrol the player as all the others.")
    if season.final:
        raise Illegal("final_open", "The final has begun; nobody comes in any more.")
    if season.episode and season.episode.recorded:
        raise Illegal(
            "already_recorded", "The main match of this episode has been recorded: wait until the episode is over."
        )
    _refuse_full(season)


def _refuse_full(season: Season) -> None:
    if len(season.living) >= season.options.most_players:
        raise Illegal("season_full", f"The season takes {season.options.most_players} players.")


def _grant(batch: Batch, player: str, amount: int, cause: Cause, reason: str) -> None:
    if amount:
        batch.add(GarnetsMoved(source=None, target=player, amount=amount, cause=cause, reason=reason))
