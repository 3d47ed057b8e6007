"""The acts by which players come into a season, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Self

from msgspec import Meta

from games.kernel import Event
from matches.domain.declared import Ask, Body, Dialog, Reason, Rest
from matches.seasons.domain import intake
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import (
    NOBODY,
    SOME_TEXT,
    WHY,
    Amount,
    LinkNumber,
    Moment,
    NewcomerId,
    PlayerId,
    PlayerIds,
    SeasonAct,
)
from matches.seasons.domain.state import Season

MOST_COMERS = 1000
"""Most people of one link."""
_OF_ENROLMENT = ("enrolment_closed", "season_full", "already_enrolled", "runs_the_season", "not_for_guests")
_OF_LATE = ("not_begun", "final_open", "already_recorded", "season_full")


class EnrolList(SeasonAct, frozen=True):
    """Enrol all of these players, and make an invitation for each of so many others: for the season's organisers."""

    name = "enrol-list"
    section = "coming"
    dialog = Dialog("Paste a list", "playlist_add")

    players: PlayerIds
    invited: int = 0
    closes_at: Moment | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.enrol_all(season, by, self.players, self.invited, self.closes_at)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls((NOBODY,))


class OpenJoining(SeasonAct, frozen=True):
    """Make a joining link, valid until the season begins: for the season's organisers. GET returns its address."""

    name = "open-joining"
    section = "coming"
    rest = Rest(
        "openJoiningLink", "joining-links",
        Body(
            "JoiningBody",
            "A link by which to ask to play: for `most` at most, until `closes_at`. Without `approval` who asks is in "
            "as long as there is room.",
        ),
        ("enrolment_closed", "too_many_links", "bad_closing_time"),
    )  # fmt: skip
    dialog = Dialog(
        "Make a joining link", "add_link",
        asks={
            "approval": Ask("I let each one in myself", "Otherwise who asks is in as long as there is room.", True),
            "most": Ask("For how many", "Empty: for everybody who has it."),
            "closes_at": Ask("Good until", "Empty: until the season begins."),
        },
    )  # fmt: skip
    example = {"approval": True, "most": 20, "closes_at": "2030-01-01T18:00:00Z"}

    approval: bool = True
    most: Annotated[int, Meta(ge=1, le=MOST_COMERS)] | None = None
    closes_at: Moment | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.open_joining(season, by, self.approval, self.most, self.closes_at)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls()


class RevokeJoining(SeasonAct, frozen=True):
    """Revoke a joining link; players who came by it stay: for the season's organisers."""

    name = "revoke-joining"
    section = "coming"
    rest = Rest("revokeJoiningLink", "joining-links/<int:link>/revoke", WHY, ("no_such_link", "link_revoked"))
    dialog = Dialog("Revoke a link", "link_off", "Who came by it stays.")
    example = {"reason": "It was posted in public."}

    link: LinkNumber
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.revoke_joining(season, by, self.link, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(link, SOME_TEXT) for link in season.intake.links)


class Apply(SeasonAct, frozen=True):
    """Apply to play through a joining link: for everybody who has it."""

    name = "apply"

    link: LinkNumber

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.apply(season, by, self.link)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(link) for link in season.intake.links)


class WithdrawApplication(SeasonAct, frozen=True):
    """Withdraw an application: for its applicant."""

    name = "withdraw-application"

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.withdraw_application(season, by)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls()


class Admit(SeasonAct, frozen=True):
    """Admit an applicant: for the season's organisers."""

    name = "admit"
    section = "applications"
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
    """Decline an application with a reason, which is recorded: for the season's organisers."""

    name = "decline"
    section = "applications"
    rest = Rest("declineApplicant", "applications/<uuid:player>/decline", WHY, ("not_applied",))
    dialog = Dialog("Decline somebody", "person_off", "They read why, and so does everybody who may see the season.")
    example = {"reason": "The season is full."}

    player: PlayerId
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return intake.decline(season, by, self.player, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(player, SOME_TEXT) for player in season.intake.applications)


class EnrolLate(SeasonAct, frozen=True):
    """Enrol a player in a running season, with garnets: for the season's organisers. Players who left before are
    moved down by one place."""

    name = "enrol-late"
    section = "coming"
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
        yield cls(NOBODY, 0, SOME_TEXT)


class Reinstate(SeasonAct, frozen=True):
    """Enrol a player again who has withdrawn, with garnets: for the season's organisers. Players who left later are
    moved down by one place."""

    name = "reinstate"
    section = "coming"
    rest = Rest(
        "reinstatePlayer", "players/<uuid:player>/reinstate",
        Body("ReturnBody", "With how many garnets the player comes back, and why."),
        ("no_such_player", "not_enrolled", "not_withdrawn", *_OF_LATE),
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
        return (cls(player, 0, SOME_TEXT) for player in season.players)
