"""The acts on times of matches, on check-ins and on deadlines of decisions, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.domain.declared import Ask, Body, Dialog, Reason, Rest, gettext_noop
from matches.seasons.domain import appointments, attendance, deadlines
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import (
    PLAYER,
    SOME_TEXT,
    SOME_TIME,
    DeskForm,
    MatchId,
    Moment,
    Moments,
    PlayerId,
    SeasonAct,
)
from matches.seasons.domain.state import Season
from matches.seasons.domain.timing_events import Absence

_OF_MATCH = ("not_in_season", "not_scheduled")
_SOME_DAY = "2030-01-01T18:00:00Z"


class ProposeTimes(SeasonAct, frozen=True):
    """Propose when a match could be played: for its players, and organisers and hosts of the season. A time that
    all its players have proposed or accepted is set."""

    name = "propose-times"
    section = "matches"
    settles = True
    rest = Rest(
        "proposeTimes", "matches/<uuid:match>/times",
        Body("TimesBody", "When the match could be played; takes the place of what one has proposed before."),
        (*_OF_MATCH, "not_living", "no_such_time", "too_many_proposals", "bad_opening_time", "already_started"),
        is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Propose times", "event_available")
    desk = DeskForm(
        gettext_noop("Propose other times"), gettext_noop("Propose"),
        gettext_noop("The times replace those that you proposed before. A time that all players accept is set."),
        beside="match",
    )  # fmt: skip
    example = {"times": [_SOME_DAY]}

    match: MatchId
    times: Moments

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return appointments.propose_times(season, by, self.match, self.times)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match, (SOME_TIME,)) for match in season.matches)


class AcceptTime(SeasonAct, frozen=True):
    """Accept one of the proposed times: for the match's players. The last of them sets it."""

    name = "accept-time"
    settles = True
    rest = Rest(
        "acceptTime", "matches/<uuid:match>/times/accept",
        Body("AcceptedTimeBody", "One of the times that are proposed."),
        (*_OF_MATCH, "not_living", "no_such_time", "already_accepted", "bad_opening_time", "already_started"),
        is_for_players=True,
    )  # fmt: skip

    match: MatchId
    opens_at: Moment

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return appointments.accept_time(season, by, self.match, self.opens_at)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match, time) for match in season.matches for time in appointments.times_of(season, match))


class SetTime(SeasonAct, frozen=True):
    """Give a match that hasn't begun another time: for organisers and hosts. Proposals for it are dropped."""

    name = "set-time"
    section = "matches"
    settles = True
    rest = Rest(
        "setMatchTime", "matches/<uuid:match>/time",
        Body("MatchTimeBody", "When the match opens by itself; null: when its host starts it."),
        (*_OF_MATCH, "same_time", "bad_opening_time", "already_started"),
    )  # fmt: skip
    dialog = Dialog("Set a match's time", "schedule")
    example = {"reason": "The hall is free then."}

    match: MatchId
    opens_at: Moment | None
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return appointments.set_time(season, by, self.match, self.opens_at, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        return (cls(match, SOME_TIME, SOME_TEXT) for match in season.matches)


class CheckIn(SeasonAct, frozen=True):
    """Check a player in for a match: for the player, or organisers and hosts of the season."""

    name = "check-in"
    section = "matches"
    settles = True
    rest = Rest(
        "checkIn", "matches/<uuid:match>/check-in", PLAYER,
        (
            "not_in_season", "not_scheduled", "not_at_table", "no_check_in", "check_in_not_open",
            "check_in_closed", "already_checked_in",
        ), is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Check a player in", "how_to_reg")
    own = "player"

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


class DecideAbsence(SeasonAct, frozen=True):
    """Decide a match for which a player hasn't checked in: for the season's organisers."""

    name = "absence"
    section = "matches"
    settles = True
    rest = Rest(
        "decideAbsence", "matches/<uuid:match>/absence",
        Body(
            "AbsenceBody",
            "What becomes of a match with somebody absent. `loser` is needed for a `loss` where more than one is.",
        ),
        (*_OF_MATCH, "nobody_missing", "no_loser"),
    )  # fmt: skip
    dialog = Dialog(
        "Decide an absence", "person_off",
        "A match that is lost by not coming is void at its table; its result awaits approval as any.",
        {
            "match": Ask(),
            "ruling": Ask(
                "What becomes of it",
                words={
                    "play": "It is played all the same",
                    "stand_in": "A bot plays for who isn't there, until they are",
                    "loss": "Who isn't there has lost it",
                },
            ),
            "loser": Ask(
                "Who has lost it", "Only for a loss where more than one isn't there.",
                words={"": "The one who isn't there"},
            ),
        },
    )  # fmt: skip
    example = {"ruling": "play", "reason": "They are on their way."}

    match: MatchId
    ruling: Absence
    reason: Reason
    loser: PlayerId | None = None

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return attendance.decide_absence(season, by, self.match, self.ruling, self.loser, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        for match in season.matches.values():
            yield cls(match.id, "play", SOME_TEXT)
            yield cls(match.id, "stand_in", SOME_TEXT)
            yield from (cls(match.id, "loss", SOME_TEXT, loser) for loser in match.players)


class ExtendDecision(SeasonAct, frozen=True):
    """Give the players longer to decide, or time once more: for the season's organisers."""

    name = "extend-decision"
    section = "deadline"
    rest = Rest(
        "extendDecision", "decision/extend",
        Body("DeadlineBody", "Until when the players may decide, and why they have longer."),
        ("no_episode", "no_decision", "bad_deadline"),
    )  # fmt: skip
    dialog = Dialog("Give longer to decide", "more_time")
    example = {"reason": "Was ill."}

    until: Moment
    reason: Reason

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return deadlines.extend(season, by, self.until, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls(SOME_TIME, SOME_TEXT)
