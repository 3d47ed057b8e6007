"""The acts on who plays in a season and who runs it, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.seasons.domain import intake, roster
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import (
    PLAYER,
    WHY,
    AccountId,
    Amount,
    Body,
    Dialog,
    NewcomerId,
    PlayerId,
    Reason,
    Rest,
    SeasonAct,
)  # fmt: skip
from matches.seasons.domain.events import Role
from matches.seasons.domain.roster import Outcome
from matches.seasons.domain.state import Season

_NOBODY = "00000000-0000-0000-0000-000000000000"
_WHY = "-"
_OF_ENROLMENT = ("enrolment_closed", "season_full", "already_enrolled", "runs_the_season", "not_for_guests")
_OF_LATE = ("not_begun", "final_open", "already_recorded", "season_full")


class Enrol(SeasonAct, frozen=True):
    """Enrol a player, until the first episode is opened: for the season's organisers."""

    name = "enrol"
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
        yield cls(_NOBODY)


class Withdraw(SeasonAct, frozen=True):
    """Leave the season, or take a player out of it as its organiser. Who has a death match or a match of the final
    still to play loses it, with all that follows; an organiser may decide with `outcome` that it is annulled."""

    name = "withdraw"
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
    )  # fmt: skip
    example = {"reason": "A long journey.", "outcome": "forfeit"}

    player: PlayerId
    reason: Reason
    outcome: Outcome = "forfeit"

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.withdraw(season, by, self.player, self.reason, self.outcome)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, _WHY) for player in season.players)


class Appoint(SeasonAct, frozen=True):
    """Give an account a role in the season: for its organisers."""

    name = "appoint"
    rest = Rest(
        "appointStaff", "staff",
        Body("StaffBody", "An account's role in the season, in place of one it may have."),
        ("no_such_player", "has_role", "last_organiser", "not_for_guests"),
    )  # fmt: skip
    dialog = Dialog("Appoint staff", "badge")
    example = {"role": "host"}

    account: NewcomerId
    role: Role

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.appoint(season, by, self.account, self.role)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(_NOBODY, "host")


class Dismiss(SeasonAct, frozen=True):
    """Take an account's role away: for the season's organisers."""

    name = "dismiss"
    rest = Rest("dismissStaff", "staff/<uuid:account>/dismiss", WHY, ("not_on_staff", "last_organiser"))
    dialog = Dialog("Dismiss staff", "person_off")
    example = {"reason": "The job is done."}

    account: AccountId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return roster.dismiss(season, by, self.account, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(account, _WHY) for account in season.staff)


class RevokeJoining(SeasonAct, frozen=True):
    """Let a link be good no more; who came by it stays: for the season's organisers."""

    name = "revoke-joining"
    rest = Rest("revokeJoiningLink", "joining-links/<int:link>/revoke", WHY, ("no_such_link", "link_revoked"))
    dialog = Dialog("Revoke a link", "link_off", "Who came by it stays.")
    example = {"reason": "It was posted in public."}

    link: int
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.revoke_joining(season, by, self.link, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(link, _WHY) for link in season.intake.links)


class Admit(SeasonAct, frozen=True):
    """Let in who asks to play: for the season's organisers."""

    name = "admit"
    rest = Rest(
        "admitApplicant", "applications/<uuid:player>/admit", None, ("not_applied", "no_such_player", *_OF_ENROLMENT)
    )
    dialog = Dialog("Let somebody in", "how_to_reg")

    player: NewcomerId

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.admit(season, by, self.player)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player) for player in season.intake.applications)


class Decline(SeasonAct, frozen=True):
    """Don't let in who asks to play, and tell them why; it stands in the record: for the season's organisers."""

    name = "decline"
    rest = Rest("declineApplicant", "applications/<uuid:player>/decline", WHY, ("not_applied",))
    dialog = Dialog("Decline somebody", "person_off", "They read why, and so does everybody who may see the season.")
    example = {"reason": "The season is full."}

    player: PlayerId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.decline(season, by, self.player, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, _WHY) for player in season.intake.applications)


class EnrolLate(SeasonAct, frozen=True):
    """Enrol a player in a season under way, with garnets to begin with: for the season's organisers. Whoever left
    before is a place further down."""

    name = "enrol-late"
    rest = Rest(
        "enrolLate", "players/late",
        Body("LateBody", "Who comes into the season under way, with how many garnets, and why."),
        ("no_such_player", "already_enrolled", "runs_the_season", "not_for_guests", *_OF_LATE),
    )  # fmt: skip
    dialog = Dialog("Enrol a player late", "person_add", "Whoever left before is a place further down.")
    example = {"amount": 2, "reason": "A guest star."}

    player: NewcomerId
    amount: Amount
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.enrol_late(season, by, self.player, self.amount, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(_NOBODY, 0, _WHY)


class Reinstate(SeasonAct, frozen=True):
    """Take a player back who has withdrawn, with garnets: for the season's organisers. Whoever left later is a
    place further down."""

    name = "reinstate"
    rest = Rest(
        "reinstatePlayer", "players/<uuid:player>/reinstate",
        Body("ReturnBody", "With how many garnets the player comes back, and why."),
        ("not_enrolled", "not_withdrawn", *_OF_LATE),
    )  # fmt: skip
    dialog = Dialog("Take a player back", "undo", "For who has withdrawn. Whoever left later is a place further down.")
    example = {"amount": 1, "reason": "The journey was called off."}

    player: PlayerId
    amount: Amount
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.reinstate(season, by, self.player, self.amount, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, 0, _WHY) for player in season.players)
