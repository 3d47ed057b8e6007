"""Nothing falls due for players sooner than the least notice after it was announced."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from games import catalogue
from games.kernel import Event, Illegal
from matches.domain.calls import after
from matches.domain.clocks import ClockTimes, instant
from matches.domain.openings import setup_seconds
from matches.seasons.domain import (
    announcing,
    appointments,
    attendance,
    chance,
    changes,
    deadlines,
    episodes,
    notice,
    occasions,
    results,
    roster,
    scheduling,
    tables,
)
from matches.seasons.domain import events as season_events
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.options import POOL, SeasonOptions
from matches.seasons.domain.timing_acts import CheckIn
from matches.seasons.reads.falling_due import falling_due
from tests.seasons.staged import ROOT, Paper, kinds, match_settings
from tests.seasons.test_laws import likely_act

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ALL = ("ann", "bob", "cat", "dan", "eve")
DURATIONS = [MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR, 7 * HOUR, 25 * HOUR]
JUDGED = ("absent", "lost", "lapsed", "extended", "refused", "quiet hours", *POOL)


def clocks_of(game: str) -> dict[str, ClockTimes]:
    return {
        name: ClockTimes(base=spec.base, reserve=spec.reserve, increment=spec.increment)
        for name, spec in catalogue[game].clocks.items()
    }


def duel(game: str, opens_at: datetime | None, **options: Any) -> Paper:
    """An episode up to its death match with the game's own clocks: eve (EC) against cat."""
    paper = Paper(*ALL, **{"check_in_minutes": 10, "absence": "loss", "approval": False} | options)
    paper.main_match("ann", "eve", giving_to="bob")
    paper.act(episodes.name_opponent, "cat", by="eve")
    settings = match_settings(
        "m", game, clocks=clocks_of(game), opens_at=instant(opens_at) if opens_at else None, untimed=True
    )
    paper.act(scheduling.schedule_death_match, settings)
    return paper


# The check-in counts from play


@pytest.mark.parametrize("game", POOL)
def test_check_in_closes_when_play_opens_not_when_the_set_up_begins(game: str) -> None:
    opens_at = NOON + timedelta(hours=25, minutes=2)
    paper = duel(game, opens_at)
    assert paper.goes_on(NOON + 3 * MINUTE) == []
    paper.act(attendance.check_in, "m", "eve", by="eve")
    assert paper.goes_on(opens_at - MINUTE) == []
    assert kinds(paper.goes_on(opens_at))[:3] == ["CheckInClosed", "AbsenceDecided", "DeathMatchFinished"]
    assert not paper.season.players["cat"].living


@pytest.mark.parametrize("game", POOL)
def test_nobody_is_absent_from_a_match_set_for_the_next_morning(game: str) -> None:
    opens_at = NOON + 23 * HOUR
    paper = duel(game, opens_at)
    assert paper.goes_on(NOON + timedelta(seconds=1)) == []
    match = paper.season.matches["m"]
    assert (attendance.opens(paper.season, match), attendance.closes_at(paper.season, match)) == (
        opens_at - 10 * MINUTE,
        opens_at,
    )


def test_players_agree_on_a_time_within_a_day_for_a_game_with_a_set_up() -> None:
    paper = duel("pyramid_poker", None)
    time = instant(NOON + 3 * HOUR)
    for player in ("eve", "cat"):
        events = appointments.propose_times(paper.season, paper.by(player), "m", [time])
        announcing.refuse_untimely(paper.season, events, NOON)
        paper.happen(events)
    assert paper.season.matches["m"].opens_at == time


def test_set_up_begins_before_the_check_in_and_play_waits_for_it() -> None:
    paper = duel("higher_or_lower", NOON + 30 * HOUR, absence="organiser")
    assert not attendance.holds(paper.season, paper.season.matches["m"])
    paper.goes_on(NOON + 30 * HOUR)
    assert attendance.holds(paper.season, paper.season.matches["m"])
    paper.act(attendance.decide_absence, "m", "play", None, "They come.")
    assert not attendance.holds(paper.season, paper.season.matches["m"])


@pytest.mark.parametrize(("minutes_left", "ends_after"), [(9, 1), (10, 0), (60, 0)])
def test_check_in_introduced_shortly_before_play_ends_after_the_least_notice(
    minutes_left: int, ends_after: int
) -> None:
    opens_at = NOON + HOUR
    paper = duel("pentagram", opens_at, check_in_minutes=0)
    before, events = paper.season, paper.act(changes.change_options, {"check_in_minutes": 60}, "From now on.")
    paper.happen(announcing.announced(before, events, opens_at - minutes_left * MINUTE))
    assert attendance.closes_at(paper.season, paper.season.matches["m"]) == opens_at + ends_after * MINUTE


def test_player_is_offered_to_check_in_themselves_and_an_organiser_both() -> None:
    season = duel("pentagram", NOON + HOUR).season
    players = {
        by: [it.player for it in CheckIn.tries(season, Caller(by, season.staff.get(by)))]
        for by in ("eve", "cat", "ona")
    }
    assert players == {"eve": ["eve"], "cat": ["cat"], "ona": ["eve", "cat"]}


def test_reopened_match_has_no_check_in() -> None:
    paper = duel("pentagram", NOON + HOUR, approval=True)
    paper.ends("m", 0)
    paper.act(results.reopen, "m", 5, "A rule was misread.")
    assert paper.goes_on(NOON + 2 * HOUR) == []


# Short notice


@pytest.mark.parametrize(
    ("game", "notice_minutes", "earliest"),
    [
        pytest.param("pentagram", 30, "12:30", id="play"),
        pytest.param("pyramid_poker", 30, "13:30", id="the closing of a set-up"),
    ],
)
def test_time_with_too_little_notice_is_refused_with_the_earliest(
    game: str, notice_minutes: int, earliest: str
) -> None:
    paper = duel(game, None, least_notice_minutes=notice_minutes)
    first = NOON.replace(hour=int(earliest[:2]), minute=int(earliest[3:]))
    for at in (first, first - MINUTE):
        events = appointments.set_time(paper.season, paper.by("ona"), "m", instant(at), "Soon.")
        if at == first:
            announcing.refuse_untimely(paper.season, events, NOON)
            continue
        with pytest.raises(Illegal, match=rf"at least 30 minutes in .* is 2030-01-01 {earliest} UTC") as refused:
            announcing.refuse_untimely(paper.season, events, NOON)
        assert refused.value.code == "bad_opening_time"


def test_drawn_tables_get_no_time_with_too_little_notice() -> None:
    paper = Paper(*ALL)
    paper.act(episodes.open_episode, "First")
    settings = match_settings("", "pentagram", clocks=None, opens_at=instant(NOON + 5 * MINUTE))
    events = tables.request_seating(paper.season, paper.by("ona"), settings, ["m"], [[]])
    with pytest.raises(Illegal, match="12:10 UTC"):
        announcing.refuse_untimely(paper.season, events, NOON)


def test_deadline_of_a_decision_is_never_shorter_than_the_least_notice() -> None:
    paper = Paper(*ALL, opponent_minutes=5, least_notice_minutes=60).main_match("ann", "eve", giving_to="bob")
    (awaited,) = deadlines.armed(paper.season, NOON)
    assert awaited.until == instant(NOON + HOUR)  # type: ignore[attr-defined]


def test_new_deadline_with_too_little_notice_is_refused_with_the_earliest() -> None:
    paper = Paper(*ALL, opponent_minutes=600, least_notice_minutes=60).main_match("ann", "eve", giving_to="bob")
    paper.happen(deadlines.armed(paper.season, NOON))
    for minutes in (59, 60):
        events = deadlines.extend(paper.season, paper.by("ona"), instant(NOON + minutes * MINUTE), "Hurry.")
        if minutes == 60:
            notice.refuse_short_notice(paper.season, events, NOON)
            continue
        with pytest.raises(Illegal, match="The earliest deadline is 2030-01-01 13:00 UTC") as refused:
            notice.refuse_short_notice(paper.season, events, NOON)
        assert refused.value.code == "bad_deadline"


# Quiet hours


@pytest.mark.parametrize(
    ("zone", "minutes", "until"),
    [
        pytest.param("UTC", 600, "2030-01-02T09:00", id="exactly at the beginning"),
        pytest.param("UTC", 599, "2030-01-01T21:59", id="a minute before it"),
        pytest.param("UTC", 1229, "2030-01-02T09:00", id="half an hour after the end"),
        pytest.param("UTC", 1261, "2030-01-02T09:01", id="an hour after the end"),
        pytest.param("Europe/Vienna", 599, "2030-01-02T08:00", id="in another time zone"),
        pytest.param("America/New_York", 600, "2030-01-01T22:00", id="where it is still day"),
    ],
)
def test_deadline_in_quiet_hours_ends_an_hour_after_them(zone: str, minutes: int, until: str) -> None:
    paper = Paper(*ALL, opponent_minutes=minutes, quiet_hours="22:00-08:00", time_zone=zone)
    paper.main_match("ann", "eve", giving_to="bob")
    (awaited,) = deadlines.armed(paper.season, NOON)
    assert awaited.until == instant(datetime.fromisoformat(f"{until}:00+00:00"))  # type: ignore[attr-defined]
    paper.happen([awaited])
    assert all(after(paper.season.options.quiet, at) == at for at, _ in deadlines.reminders(paper.season))


def test_short_decision_at_night_has_all_of_its_time_in_the_morning() -> None:
    paper = Paper(*ALL, opponent_minutes=30, quiet_hours="22:00-08:00").main_match("ann", "eve", giving_to="bob")
    (awaited,) = deadlines.armed(paper.season, NOON + 11 * HOUR)
    assert awaited.until == instant(NOON + 20 * HOUR + 30 * MINUTE)  # type: ignore[attr-defined]
    paper.happen([awaited])
    assert all(at < NOON + 20 * HOUR + 30 * MINUTE for at, _ in deadlines.reminders(paper.season))


@pytest.mark.parametrize(
    ("game", "at", "what"),
    [
        pytest.param("pentagram", "23:00", "A match opens in them, at 23:00", id="play"),
        pytest.param("pentagram", "08:05", "Its check-in begins in them, at 07:55", id="the check-in"),
        pytest.param("pyramid_poker", "08:30", "Its set-up closes in them, at 07:30", id="the set-up"),
        pytest.param("pentagram", "08:10", "", id="nothing in them"),
    ],
)
def test_match_with_anything_in_quiet_hours_is_refused(game: str, at: str, what: str) -> None:
    paper = duel(game, None, quiet_hours="22:00-08:00")
    opens_at = instant(datetime.fromisoformat(f"2030-01-03T{at}:00+00:00"))
    events = appointments.set_time(paper.season, paper.by("ona"), "m", opens_at, "Then.")
    if not what:
        return announcing.refuse_untimely(paper.season, events, NOON)
    with pytest.raises(Illegal, match=rf"quiet hours, 22:00 to 08:00 \(UTC\). {what}: choose another") as refused:
        announcing.refuse_untimely(paper.season, events, NOON)
    assert refused.value.code == "bad_opening_time"


def test_organisers_deadline_in_quiet_hours_is_refused() -> None:
    paper = Paper(*ALL, opponent_minutes=60, quiet_hours="22:00-08:00").main_match("ann", "eve", giving_to="bob")
    paper.happen(deadlines.armed(paper.season, NOON))
    events = deadlines.extend(paper.season, paper.by("ona"), instant(NOON + 11 * HOUR), "Later.")
    with pytest.raises(Illegal, match="quiet hours, 22:00 to 08:00") as refused:
        announcing.refuse_untimely(paper.season, events, NOON)
    assert refused.value.code == "bad_deadline"


@pytest.mark.parametrize("hours", ["8-22", "22:00-22:00", "24:00-08:00", "22:00-08:60", "22:00-08:00\n", "٢٢:٠٠-08:00"])
def test_season_refuses_malformed_quiet_hours(hours: str) -> None:
    with pytest.raises(ValueError, match="quiet_hours is empty, or two different times of day such as 22:00-08:00"):
        SeasonOptions(quiet_hours=hours)


def test_season_refuses_an_unknown_time_zone() -> None:
    with pytest.raises(ValueError, match="time_zone is a zone of the IANA database"):
        SeasonOptions(time_zone="Europe/Atlantis")


# Substitutes


@pytest.mark.parametrize(("before", "ends"), [(20, 10), (30, None), (-2, 32)])
def test_check_in_is_prolonged_for_a_late_substitute(before: int, ends: int | None) -> None:
    """Both in minutes: when the substitute comes before play opens, and when the check-in ends after it."""
    opens_at = NOON + HOUR
    paper = duel("pentagram", opens_at, least_notice_minutes=30, check_in_minutes=60, absence="organiser")
    paper.act(attendance.check_in, "m", "eve", by="eve")
    at = opens_at - before * MINUTE
    paper.goes_on(at)
    substituted(paper, "cat", "fay", at)
    match = paper.season.matches["m"]
    assert attendance.closes_at(paper.season, match) == opens_at + (ends or 0) * MINUTE
    assert attendance.holds(paper.season, match)
    assert kinds(paper.goes_on(opens_at + 2 * HOUR)) == ["CheckInClosed"]
    assert paper.season.timing.check_ins["m"].absent == ("fay",)


def test_substitute_before_play_can_check_in_for_a_match_with_a_set_up() -> None:
    opens_at = NOON + 30 * HOUR
    paper = duel("pyramid_poker", opens_at)
    substituted(paper, "cat", "fay", opens_at - MINUTE)
    for player in ("eve", "fay"):
        assert attendance.holds(paper.season, paper.season.matches["m"])
        paper.act(attendance.check_in, "m", player, by=player)
    assert not attendance.holds(paper.season, paper.season.matches["m"])
    assert paper.goes_on(opens_at + HOUR) == []


def substituted(paper: Paper, leaver: str, newcomer: str, at: datetime) -> None:
    before, events = paper.season, paper.act(roster.substitute, leaver, newcomer, "Ill.")
    paper.happen(announcing.announced(before, events, at))


# What a preview says


def test_preview_of_a_match_names_due_events_and_their_times() -> None:
    paper = duel("pyramid_poker", None)
    events = appointments.set_time(paper.season, paper.by("ona"), "m", instant(NOON + 25 * HOUR + 2 * MINUTE), "Then.")
    assert falling_due(paper.season, events, NOON) == [
        "The set-up begins on 2030-01-01 12:02 UTC and closes on 2030-01-02 12:02 UTC.",
        "Play opens on 2030-01-02 13:02 UTC.",
        "The check-in is open from 2030-01-02 12:52 UTC until 2030-01-02 13:02 UTC. Who alone hasn't checked in by "
        "then has lost a duel.",
    ]


def test_preview_names_when_the_colour_is_due() -> None:
    paper = duel("higher_or_lower", None)
    events = appointments.set_time(paper.season, paper.by("ona"), "m", instant(NOON + 13 * HOUR), "Then.")
    assert falling_due(paper.season, events, NOON)[0] == (
        "The set-up begins on 2030-01-01 12:00 UTC and closes on 2030-01-02 00:00 UTC. Its first choice is due on "
        "2030-01-01 12:30 UTC."
    )


# Every order of acts


class Dated(Paper):
    """A season on paper in which everything happens at an instant, and what falls due is compared with the instant at
    which its players could know of it."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.now = rng, NOON
        self.reached: Counter[str] = Counter()
        self.since: dict[object, tuple[datetime, int]] = {}
        wait = lambda: rng.choice([0, 1, 45])  # noqa: E731
        super().__init__(
            *ALL,
            bans_each=1,
            approval=rng.random() < 0.3,
            absence=rng.choice(["organiser", "loss", "loss", "stand_in"]),
            decision_default=rng.choice(["organiser", "random", "longest"]),
            least_notice_minutes=rng.choice([1, 10, 60, 240]),
            check_in_minutes=rng.choice([1, 10, 60, 1440]),
            token_minutes=wait(),
            candidate_minutes=wait(),
            opponent_minutes=wait(),
            ban_minutes=wait(),
            quiet_hours=rng.choice(["", "22:00-08:00", "12:30-13:00"]),
            time_zone=rng.choice(["UTC", "Europe/Vienna", "America/St_Johns"]),
        )

    def happen(self, events: Any) -> list[Event]:
        for event in events:
            least = self.season.options.least_notice_minutes if self.log else 0
            self.judge(event, self.now)
            match event:
                case (
                    season_events.MainMatchScheduled(match=it)
                    | season_events.DeathMatchScheduled(match=it)
                    | season_events.FinalMatchScheduled(match=it)
                    | season_events.MatchTimeSet(match=it)
                ):
                    self.since[it] = (self.now, least)
                    if event.opens_at:
                        self.assert_noticed(it, self.opening(event))
                        self.assert_awake(self.opening(event))
                        self.assert_awake(datetime.fromisoformat(event.opens_at))
                case season_events.OptionsChanged(changes=it) if "check_in_minutes" in it and not self.has_check_in:
                    self.since["option"] = (self.now, least)
                case season_events.PlayerSubstituted(newcomer=it):
                    self.since[it] = (self.now, least)
                case season_events.DecisionAwaited(until=until) | season_events.DecisionExtended(until=until):
                    self.since["decision"] = (self.now, least)
                    self.assert_noticed("decision", datetime.fromisoformat(until))
                    self.assert_awake(datetime.fromisoformat(until))
            super().happen([event])
        return list(events)

    @property
    def has_check_in(self) -> bool:
        return self.season.options.check_in_minutes > 0

    def judge(self, event: Event, at: datetime) -> None:
        match event:
            case season_events.CheckInClosed(match=it, absent=absent):
                for player in absent:
                    self.reached.update(["absent", self.season.matches[it].game])
                    self.assert_noticed(it, at)
                    self.assert_noticed(player, at)
                    self.assert_noticed("option", at)
            case season_events.AbsenceDecided(by=None, loser=str()):
                self.reached["lost"] += 1
            case season_events.DecisionLapsed():
                self.reached["lapsed"] += 1
                self.assert_noticed("decision", at)
            case season_events.CheckInExtended(until=until):
                self.reached["extended"] += 1
                self.assert_awake(datetime.fromisoformat(until))
            case season_events.DecisionReminded():
                self.assert_awake(at)

    def assert_noticed(self, what: object, at: datetime) -> None:
        since, least = self.since.get(what, (NOON, 0))
        assert at >= since + least * MINUTE, (what, since, least, at)

    def assert_awake(self, at: datetime) -> None:
        if quiet := self.season.options.quiet:
            self.reached["quiet hours"] += 1
            assert after(quiet, at) == at, (quiet, at)

    def opening(self, event: Any) -> datetime:
        """Return the time at which the set-up closes, or else at which play opens."""
        opens_at = datetime.fromisoformat(event.opens_at)
        match = self.season.matches.get(event.match)
        clocks = event.clocks if isinstance(event, scheduling.SCHEDULED) else None
        has_setup = setup_seconds(event.game, event.options, clocks) if clocks else bool(match and match.setup)
        return opens_at - HOUR if has_setup else opens_at

    def passes(self, duration: timedelta) -> None:
        """Let time pass, and record each event that it brings at its own instant."""
        end = self.now + duration
        while (at := occasions.next_at(self.season)) and at <= end:
            self.now = max(self.now, at)
            occasion = occasions.due(self.season, self.now)
            assert occasion
            link = chance.link(ROOT, self.season.timing.draws + 1)
            before, brought = self.season, occasions.happening(self.season, occasion, link, False)
            self.happen(brought)
            self.happen(announcing.announced(before, brought, self.now))
        self.now = end

    def live(self) -> None:
        """An act that is refused or happens, after some time."""
        self.passes(self.rng.choice(DURATIONS))
        directed = self.rng.random() < 0.6 and self.toward_a_duel()
        decide, details, by = directed or likely_act(self, self.rng, self.now, self.setting)
        if self.rng.random() < 0.05:
            decide, by = changes.change_options, "ona"
            changed = {"least_notice_minutes": self.rng.choice([2, 30, 300])}
            details = [self.rng.choice([changed, {"check_in_minutes": self.rng.choice([0, 20])}]), "As all wished."]
        caller = self.by(by)
        try:
            events = list(decide(self.season, caller, *details))
            deadlines.refuse_late(self.season, caller, events, self.now)
            announcing.refuse_untimely(self.season, events, self.now)
        except Illegal as refused:
            self.reached["refused"] += refused.code in ("bad_opening_time", "bad_deadline")
            return
        before = self.season
        self.happen(events)
        if isinstance(events[-1], season_events.SeatingAsked):
            link = chance.link(ROOT, self.season.timing.draws + 1)
            self.happen(tables.draw(self.season, caller, events[-1], link))
        self.happen(announcing.announced(before, self.log[len(self.log) - len(events) :], self.now))

    def toward_a_duel(self) -> tuple[Any, list[object], str]:
        """The next act on the way to a death match that somebody may miss."""
        season, rng, living = self.season, self.rng, self.season.living
        episode, waiting = season.episode, [it for it in season.matches.values() if it.status == "scheduled"]
        if episode is None:
            return episodes.open_episode, ["Another"], "ona"
        if not episode.recorded:
            return episodes.record_main_match, ["Dice", living[:1], living[-1:]], "ona"
        if waiting:
            match = rng.choice(waiting)
            if rng.random() < 0.3:
                return roster.substitute, [rng.choice(match.players), f"s{len(self.log)}", "Ill."], "ona"
            return attendance.check_in, [match.id, rng.choice(match.players)], "ona"
        if episode.opponent is None:
            choices = season.exposed or living
            return episodes.name_opponent, [rng.choice(choices)], episode.candidate or "ona"
        game = rng.choice(scheduling.games_left(season, episode))
        return scheduling.schedule_death_match, [self.setting(f"m{len(self.log)}", game)], "ona"

    def setting(self, match: str, game: str, opens_at: str | None = None) -> scheduling.MatchSettings:
        notices = [None, 5 * MINUTE, 20 * MINUTE, 75 * MINUTE, 6 * HOUR, 24 * HOUR, 27 * HOUR]
        notice = self.rng.choice(notices)
        at = instant(self.now + notice) if notice else None
        return match_settings(match, game, clocks=clocks_of(game), opens_at=at, untimed=at is None)


def test_nobody_is_judged_absent_without_the_least_notice() -> None:
    reached: Counter[str] = Counter()
    for seed in range(60):
        season = Dated(Random(seed))
        for _ in range(100):
            season.live()
        reached += season.reached
    assert all(reached[it] for it in JUDGED), reached


def test_default_notice_is_ten_minutes_and_has_bounds() -> None:
    assert SeasonOptions().least_notice_minutes == 10
    for minutes in (0, 10_081):
        with pytest.raises(ValueError, match="least_notice_minutes is 1 to 10080"):
            SeasonOptions(least_notice_minutes=minutes)
