"""The acts that change a season's players and staff, each declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.domain.declared import Ask, Body, Dialog, Reason, Rest, gettext_noop
from matches.seasons.domain import roster
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import (
    NOBODY,
    PLAYER,
    SOME_TEXT,
    WHY,
    AccountId,
    DeskForm,
    NewcomerId,
    PlayerId,
    SeasonAct,
)
from matches.seasons.domain.events import Role
from matches.seasons.domain.roster import Outcome
from matches.seasons.domain.state import Season


class Enrol(SeasonAct, frozen=True):
    """Enrol a player, until the first episode is opened: for the season's organisers."""

    name = "enrol"
    section = "players"
    rest = Rest(
        "enrolPlayer", "players", PLAYER,
        (
            "no_such_player", "enrolment_closed", "season_full", "already_enrolled", "runs_the_season",
            "not_for_guests",
        ),
    )  # fmt: skip
    dialog = Dialog("Enrol a player", "person_add")

    player: NewcomerId

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.enrol(season, by, self.player)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(NOBODY)


class Withdraw(SeasonAct, frozen=True):
    """Leave the season, or remove a player from it as its organiser. A player who still has a death match or a match of
    the final to play loses it, with all consequences; with `outcome` an organiser may annul that match instead."""

    name = "withdraw"
    section = "players"
    settles = True
    rest = Rest(
        "withdrawPlayer", "players/<uuid:player>/withdraw",
        Body(
            "WithdrawalBody",
            "Why a player leaves. Who has a death match or a match of the final still to play loses it (`forfeit`); an "
            "organiser may decide that it doesn't count (`annul`).",
        ),
        ("not_enrolled", "not_living", "match_open"),
        is_for_players=True,
    )  # fmt: skip
    dialog = Dialog(
        "Withdraw a player", "person_remove",
        "The player is out of the season, and loses a death match or match of the final that they have yet to play, "
        "unless you annul it. At a table of the main match their seat stays: its host seats a stand-in, or declares it "
        "void.",
        {
            "player": Ask(),
            "reason": Ask(),
            "outcome": Ask(
                "A death match, or a match of the final, that they have yet to play",
                words={"forfeit": "The player loses it, with all that follows", "annul": "It doesn't count"},
            ),
        },
    )  # fmt: skip
    desk = DeskForm(
        gettext_noop("Leave the season"), gettext_noop("Leave the season"),
        gettext_noop("You can't come back. The consequences are shown before you send this."),
        {"reason": Ask(gettext_noop("Why"))},
        omits=("outcome",),
        confirm=gettext_noop("I leave for good"),
    )  # fmt: skip
    own = "player"
    example = {"reason": "A long journey.", "outcome": "forfeit"}

    player: PlayerId
    reason: Reason
    outcome: Outcome = "forfeit"

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.withdraw(season, by, self.player, self.reason, self.outcome)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, SOME_TEXT) for player in season.players)


class Appoint(SeasonAct, frozen=True):
    """Give an account a role in the season: for its organisers."""

    name = "appoint"
    section = "staff"
    rest = Rest(
        "appointStaff", "staff",
        Body("StaffBody", "An account's role in the season, in place of one it may have."),
        ("no_such_player", "has_role", "last_organiser", "not_for_guests"),
    )  # fmt: skip
    dialog = Dialog(
        "Appoint staff", "badge",
        asks={
            "account": Ask(help="The account's name. A player of the season can't be of its staff."),
            "role": Ask(initial="host"),
        },
    )  # fmt: skip
    example = {"role": "host"}

    account: NewcomerId
    role: Role

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.appoint(season, by, self.account, self.role)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(NOBODY, "host")


class Dismiss(SeasonAct, frozen=True):
    """Take an account's role away: for the season's organisers."""

    name = "dismiss"
    section = "staff"
    rest = Rest("dismissStaff", "staff/<uuid:account>/dismiss", WHY, ("not_on_staff", "last_organiser"))
    dialog = Dialog("Dismiss staff", "person_off")
    example = {"reason": "The job is done."}

    account: AccountId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.dismiss(season, by, self.account, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(account, SOME_TEXT) for account in season.staff)


class Substitute(SeasonAct, frozen=True):
    """Replace a player by a newcomer, who takes over garnets, tokens and seats: for the season's organisers."""

    name = "substitute"
    section = "players"
    settles = True
    rest = Rest(
        "replacePlayer", "players/<uuid:player>/substitute",
        Body("NewcomerBody", "Who takes the player's place, and why."),
        (
            "no_such_player", "not_enrolled", "not_living", "already_enrolled", "runs_the_season", "knows_secrets",
            "already_seated", "not_for_guests",
        ),
    )  # fmt: skip
    dialog = Dialog(
        "Substitute a player", "swap_horiz",
        asks={
            "player": Ask("Who leaves"),
            "newcomer": Ask(
                "Who comes", "The account's name. The newcomer has garnets, tokens and seats from now on."
            ),
        },
    )  # fmt: skip
    example = {"reason": "A long journey."}

    player: PlayerId
    newcomer: NewcomerId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.substitute(season, by, self.player, self.newcomer, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, NOBODY, SOME_TEXT) for player in season.players)
