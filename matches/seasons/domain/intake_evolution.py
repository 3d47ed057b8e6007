"""Pure reducer of a season's joining links and applications: the state after each event."""

from typing import Any

from msgspec.structs import replace

from games.kernel import Event, from_json, to_json
from matches.seasons.domain import events as season_events
from matches.seasons.domain.intake_state import Application, Intake, JoiningLink
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Player, Season


def taken_in(season: Season, event: Event) -> Season:
    """Return the season after the event's changes of its players, applications, options and draws."""
    intake = _taken_in(season.intake, event)
    if intake is not season.intake:
        season = replace(season, intake=intake)
    match event:
        case season_events.PlayerJoinedLate(player=player):
            late = {**season.players, player: Player(id=player, since=season.episode_number)}
            return moved_down(replace(season, players=late), 0)
        case season_events.PlayerReturned(player=player):
            freed = season.players[player].place
            back = replace(season.players[player], status="living", place=None, left=None)
            season = replace(season, players={**season.players, player: back})
            return season if freed is None else moved_down(season, freed)
        case season_events.PlayerRenamed(player=player, name=name):
            return replace(
                season, players={**season.players, player: replace(season.players[player], display_name_id=name)}
            )
        case season_events.SeatingDrawn(link=link):
            return replace(season, timing=replace(season.timing, link=link, draws=season.timing.draws + 1))
        case season_events.OptionsChanged(changes=changes):
            return replace(season, options=changed(season.options, changes))
        case _:
            return season


def changed(options: SeasonOptions, changes: dict[str, Any]) -> SeasonOptions:
    """Return the options with these changes; raise ValueError."""
    return from_json({**to_json(options), **changes}, SeasonOptions)


def moved_down(season: Season, freed: int) -> Season:
    """Return the season with one more player: those whose place is better than `freed`, or all who have a place if it
    is 0, are moved down by one."""
    players = {
        it.id: replace(it, place=it.place + 1) if it.place and (it.place < freed or not freed) else it
        for it in season.players.values()
    }
    return replace(season, players=players)


def _taken_in(intake: Intake, event: Event) -> Intake:
    match event:
        case season_events.JoiningOpened(link=link, approval=approval, most=most, closes_at=closes_at):
            made = JoiningLink(number=link, approval=approval, most=most, closes_at=closes_at)
            return replace(intake, links={**intake.links, link: made})
        case season_events.JoiningRevoked(link=link):
            return _link(intake, link, revoked=True)
        case season_events.PlayerApplied(player=player, link=link):
            applied = replace(intake, applications={**intake.applications, player: Application(player, link)})
            return _link(applied, link, came=(*intake.links[link].came, player))
        case season_events.ApplicationWithdrawn(player=player):
            left = _without(_gone(intake, player), player)
            return replace(left, withdrawals={**left.withdrawals, player: left.withdrawals.get(player, 0) + 1})
        case season_events.ApplicationDeclined(player=player, reason=reason):
            declined = replace(intake.applications[player], status="declined", reason=reason)
            return replace(_gone(intake, player), applications={**intake.applications, player: declined})
        case season_events.PlayerEnrolled(player=player) | season_events.PlayerJoinedLate(player=player):
            return _without(intake, player)
        case season_events.PlayerSubstituted(newcomer=player):
            return _without(intake, player)
        case _:
            return intake


def _link(intake: Intake, link: int, **changes: Any) -> Intake:
    return replace(intake, links={**intake.links, link: replace(intake.links[link], **changes)})


def _gone(intake: Intake, player: str) -> Intake:
    """Return the enrolment with one player less at the link through which this player came."""
    link = intake.links[intake.applications[player].link]
    return _link(intake, link.number, came=tuple(it for it in link.came if it != player))


def _without(intake: Intake, player: str) -> Intake:
    if player not in intake.applications:
        return intake
    return replace(intake, applications={it: held for it, held in intake.applications.items() if it != player})
