"""Pure rules of a season's players and staff: opening, staff, enrolment, withdrawals, substitutes."""

from collections.abc import Sequence
from typing import Literal

from games.kernel import Event, Illegal
from matches.seasons.domain.deciding import (
    Batch,
    Caller,
    match_of,
    refuse_not_living,
    refuse_over,
    refuse_unless_organiser,
    refuse_unless_running_it,
)
from matches.seasons.domain.effects import crown_the_last, forfeit
from matches.seasons.domain.events import (
    GarnetsMoved,
    MatchAnnulled,
    PlayerEnrolled,
    PlayerSubstituted,
    PlayerWithdrew,
    Role,
    RulingPosted,
    SeasonOpened,
    StaffAppointed,
    StaffDismissed,
)
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Season

Outcome = Literal["forfeit", "annul"]
"""Outcome of a duel whose player leaves: the other one has won it, or it doesn't count."""


def open_season(
    by: Caller, title: str, options: SeasonOptions, template: str | None = None, chance: str | None = None
) -> SeasonOpened:
    """Open a season with its options and the first link of its chance; raise forbidden."""
    refuse_unless_organiser(by)
    return SeasonOpened(title=title, options=options, opened_by=by.account, template=template, chance=chance)


def appoint(season: Season, by: Caller, account: str, role: Role) -> Sequence[Event]:
    """Give an account a role instead of its present one; raise forbidden, plays_here, has_role, last_organiser."""
    refuse_unless_organiser(by)
    if account in season.players:
        raise Illegal("plays_here", "A player of the season, or a former one, can't be of its staff.")
    if season.staff.get(account) == role:
        raise Illegal("has_role", f"That account is {role} already.")
    if role != "organiser":
        _refuse_last_organiser(season, account)
    return [StaffAppointed(account=account, role=role)]


def dismiss(season: Season, by: Caller, account: str, reason: str) -> Sequence[Event]:
    """Take an account's role away; raise forbidden, not_on_staff, last_organiser."""
    refuse_unless_organiser(by)
    if account not in season.staff:
        raise Illegal("not_on_staff", "That account has no role in this season.")
    _refuse_last_organiser(season, account)
    return [StaffDismissed(account=account, reason=reason)]


def enrol(season: Season, by: Caller, player: str) -> Sequence[Event]:
    """Enrol a player before the first episode; raise forbidden, enrolment_closed, season_full, already_enrolled,
    runs_the_season."""
    refuse_unless_organiser(by)
    if season.status != "enrolling":
        raise Illegal("enrolment_closed", "The season has begun; a newcomer can only substitute for a player.")
    refuse_strange_newcomer(season, by, player)
    if len(season.living) >= season.options.most_players:
        raise Illegal("season_full", f"The season takes {season.options.most_players} players.")
    batch = Batch(season)
    enter(batch, player)
    return batch.events


def enter(batch: Batch, player: str) -> None:
    """Enrol a player with the garnets of the start."""
    batch.add(PlayerEnrolled(player=player))
    if amount := batch.season.options.starting_garnets:
        batch.add(GarnetsMoved(source=None, target=player, amount=amount, cause="start", reason="Enrolment."))


def withdraw(season: Season, by: Caller, player: str, reason: str, outcome: Outcome = "forfeit") -> Sequence[Event]:
    """Remove a player from the season, by their own wish or as an organiser. A death match or match of the final that
    they haven't finished is lost at once with all effects; an organiser may annul it instead.

    The last player left is the champion. Raise forbidden, season_over, not_enrolled, not_living, match_open.
    """
    if by.account != player or outcome != "forfeit":
        refuse_unless_organiser(by)
    refuse_over(season)
    refuse_not_living(season, player)
    duels = [it for it in season.matches.values() if it.open and it.kind != "main" and player in it.players]
    if any(match.status == "finished" for match in duels):
        raise Illegal(
            "match_open",
            "The result of the player's match awaits approval: an organiser approves or corrects it, or annuls the "
            "match, first.",
        )
    batch = Batch(season)
    for match in duels:
        if outcome == "annul":
            batch.add(MatchAnnulled(match=match.id, reason="A player withdrew."))
        else:
            forfeit(batch, match, player, by.account if by.is_organiser else None, reason)
    if not batch.season.players[player].living:
        return batch.events
    batch.add(PlayerWithdrew(player=player, reason=reason))
    if held := season.players[player].garnets:
        batch.add(GarnetsMoved(source=player, target=None, amount=held, cause="confiscation", reason="Withdrawal."))
    crown_the_last(batch)
    return batch.events


def substitute(season: Season, by: Caller, leaver: str, newcomer: str, reason: str) -> Sequence[Event]:
    """Replace a living player by a newcomer, with garnets, tokens and roles; raise forbidden, season_over,
    not_enrolled, not_living, already_enrolled, runs_the_season."""
    refuse_unless_organiser(by)
    refuse_over(season)
    refuse_not_living(season, leaver)
    refuse_strange_newcomer(season, by, newcomer)
    batch = Batch(season)
    batch.add(PlayerSubstituted(leaver=leaver, newcomer=newcomer, reason=reason))
    if held := season.players[leaver].garnets:
        batch.add(
            GarnetsMoved(source=leaver, target=newcomer, amount=held, cause="inheritance", reason="Substitution.")
        )
    return batch.events


def rule(season: Season, by: Caller, text: str, match: str | None = None) -> Sequence[Event]:
    """Post a host's interpretation of a rule, at any time; raise forbidden, not_in_season."""
    refuse_unless_running_it(by)
    if match is not None:
        match_of(season, match)
    return [RulingPosted(text=text, match=match)]


def refuse_strange_newcomer(season: Season, by: Caller, player: str) -> None:
    """Raise already_enrolled, runs_the_season."""
    if player in season.players:
        raise Illegal("already_enrolled", "That account is, or was, a player of this season.")
    if player in season.staff:
        raise Illegal(
            "runs_the_season",
            "That account has a role in this season, so it can't play in it. Once dismissed it may; as a player, or a "
            "former one, it never runs this season again.",
        )
    if player == by.account:
        # So whoever lets somebody in is always left to run the season.
        raise Illegal(
            "runs_the_season",
            "You run this season, so you don't let yourself in: ask another organiser. As a player, or a former one, "
            "you never run it again.",
        )


def _refuse_last_organiser(season: Season, account: str) -> None:
    organisers = [it for it, role in season.staff.items() if role == "organiser"]
    if organisers == [account]:
        raise Illegal("last_organiser", "A season keeps at least one organiser; appoint another one first.")
