"""The acts on the matches of a season and its final, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.seasons.domain import attendance, results, scheduling
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import PLAYER, WHY, Dialog, MatchId, PlayerId, Reason, Rest, SeasonAct
from matches.seasons.domain.state import Season


class OpenFinal(SeasonAct, frozen=True):
    """Open the final of the last two: for the season's organisers."""

    name = "final"
    rest = Rest("openFinal", "final", None, ("final_open", "episode_open", "not_two_left"))
    dialog = Dialog("Open the final", "trophy")

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.open_final(season, by)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls()


class Approve(SeasonAct, frozen=True):
    """Let a match's result take effect: for the season's organisers."""

    name = "approve"
    rest = Rest(
        "approveSeasonResult", "matches/<uuid:match>/approve", None,
        ("not_in_season", "nothing_to_approve", "already_approved", "not_finished"),
    )  # fmt: skip
    dialog = Dialog("Approve a result", "verified", "What follows from the result happens at once.")

    match: MatchId

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.approve(season, by, self.match)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match) for match in season.matches)


class Annul(SeasonAct, frozen=True):
    """Declare that an open match of the season doesn't count: for organisers and hosts. Another may be set. A
    death match or a match of the final that has counted is annulled by an organiser: what followed is undone."""

    name = "annul"
    settles = True
    rest = Rest("annulMatch", "matches/<uuid:match>/annul", WHY, ("not_in_season", "already_approved", "too_late"))
    dialog = Dialog(
        "Annul a match", "block",
        "The match doesn't count; if it is still played, it is declared void. If it has counted, its loser is back in "
        "the season, and what it moved goes back.",
    )  # fmt: skip
    example = {"reason": "A power cut."}

    match: MatchId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return results.annul(season, by, self.match, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match, "-") for match in season.matches)


class CheckIn(SeasonAct, frozen=True):
    """Say that a player of a match is there: for the player, or who runs the season."""

    name = "check-in"
    settles = True
    rest = Rest(
        "checkIn", "matches/<uuid:match>/check-in", PLAYER,
        (
            "not_in_season", "not_scheduled", "not_at_table", "no_check_in", "check_in_not_open",
            "check_in_closed", "already_checked_in",
        ), is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Check a player in", "how_to_reg")

    match: MatchId
    player: PlayerId

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return attendance.check_in(season, by, self.match, self.player)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return a player's own seats only; to who runs the season, all of them."""
        for match in season.matches.values():
            is_own = by.account in match.players
            yield from (cls(match.id, it) for it in match.players if not is_own or it == by.account)
