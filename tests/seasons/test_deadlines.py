"""Deadlines of decisions, on paper: given, reminded of, passed; and the chance that decides then."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from msgspec.structs import replace

from games.kernel import Chance, Event, Illegal
from matches.domain.clocks import instant
from matches.seasons.domain import chance, deadlines, episodes, fairness, intake, results, roster, scheduling
from matches.seasons.domain.acts import offer
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.episode_acts import GiveToken
from matches.seasons.domain.events import ChanceDrawn, DecisionExtended, DecisionLapsed
from matches.seasons.domain.steps import pending_decision
from matches.seasons.domain.timing_acts import ExtendDecision
from matches.seasons.reads.sentences import sentence
from tests.seasons.staged import HOST, ORGANISER, ROOT, Paper, kinds, match_settings

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
ALL = ("ann", "bob", "cat", "dan", "eve")
DAY = {"token_minutes": 1440, "candidate_minutes": 1440, "opponent_minutes": 1440, "ban_minutes": 1440}


class Timed(Paper):
    """A season whose decisions have a day each; what happens, happens at `now`."""

    def __init__(self, **options: object) -> None:
        self.now = NOON
        super().__init__(*ALL, **(DAY | options))

    def happen(self, events: Sequence[Event]) -> list[Event]:
        """These events follow, and the deadline of what they lead to."""
        recorded = super().happen(events)
        return recorded + super().happen(deadlines.armed(self.season, self.now))

    def later(self, by: timedelta) -> list[str]:
        """Let time pass, and return the kinds of the events that it brings."""
        self.now += by
        return kinds(self.goes_on(self.now))


def late(season: Timed, act: SeasonAct, by: str) -> str:
    """The code that a player's decision is refused with now; empty where it isn't."""
    caller = season.by(by)
    try:
        deadlines.refuse_late(season.season, caller, act.decide(season.season, caller), season.now)
    except Illegal as refused:
        return refused.code
    return ""


def test_no_decision_has_a_deadline_without_the_option() -> None:
    season = Timed(**dict.fromkeys(DAY, 0)).main_match("ann", "eve")
    assert (step := pending_decision(season.season)) and (step.kind, step.players) == ("token", ("ann",))
    assert season.season.timing.awaited is None
    assert season.later(365 * 24 * HOUR) == []


def test_each_decision_has_its_time_from_the_act_that_leads_to_it() -> None:
    season = Timed(bans_each=1)
    decision = season.main_match("ann", "eve").log[-1]
    assert decision == deadlines.DecisionAwaited("token", 1, ("ann",), instant(NOON), instant(NOON + 24 * HOUR))
    season.now += HOUR
    named = season.act(episodes.give_token, "bob", by="ann")
    assert kinds(named) == ["TokenGranted", "CandidateNamed", "DecisionAwaited"]
    assert deadlines.awaited(season.season).until == instant(NOON + 25 * HOUR)  # type: ignore[union-attr]
    season.act(episodes.name_opponent, "cat", by="eve")
    assert deadlines.awaited(season.season).players == ("eve", "cat")  # type: ignore[union-attr]
    season.act(episodes.ban, "pentagram", by="eve")
    season.act(episodes.ban, "pyramid_poker", by="cat")
    assert deadlines.awaited(season.season) is None


def test_players_are_reminded_at_half_of_their_time_and_an_hour_before_its_end() -> None:
    season = Timed().main_match("ann", "eve")
    assert season.later(12 * HOUR - timedelta(seconds=1)) == []
    assert season.later(timedelta(seconds=1)) == ["DecisionReminded"]
    assert season.later(11 * HOUR) == ["DecisionReminded"]
    assert season.later(HOUR)[0] == "DecisionLapsed"
    assert season.later(1000 * HOUR) == [], "each of it happens once"


def test_worker_that_was_away_records_the_lapse_without_past_reminders() -> None:
    season = Timed().main_match("ann", "eve")
    assert season.later(1000 * HOUR) == ["DecisionLapsed"]


def test_decision_after_its_deadline_is_refused_before_a_worker_records_the_lapse() -> None:
    season = Timed().main_match("ann", "eve")
    season.now += 24 * HOUR
    assert late(season, GiveToken("bob"), "ann") == ""
    season.now += timedelta(microseconds=1)
    assert late(season, GiveToken("bob"), "ann") == "deadline_passed"
    assert late(season, GiveToken("bob"), "ona") == "", "an organiser has no deadline"


def test_lapsed_decision_is_made_by_an_organiser_and_no_longer_offered() -> None:
    season = Timed().main_match("ann", "eve")
    assert offer(season.season, season.by("ann"), "token").is_available
    assert season.later(24 * HOUR) == ["DecisionLapsed"]
    assert not offer(season.season, season.by("ann"), "token").is_available
    assert late(season, GiveToken("bob"), "ann") == "deadline_passed"
    assert kinds(season.act(episodes.give_token, "bob"))[0] == "TokenGranted"


def test_organiser_extends_a_lapsed_deadline_once() -> None:
    season = Timed().main_match("ann", "eve")
    season.later(24 * HOUR)
    assert season.refusal(deadlines.extend, instant(NOON + 30 * HOUR), "Ill.", by=HOST.account) == "forbidden"
    extended, *_ = season.act(ExtendDecision(instant(NOON + 30 * HOUR), "Was ill.").decide)
    assert isinstance(extended, DecisionExtended) and extended.reason == "Was ill."
    assert late(season, GiveToken("bob"), "ann") == ""
    assert season.refusal(deadlines.extend, instant(NOON + 30 * HOUR), "Again.") == "bad_deadline"
    assert season.later(6 * HOUR)[-1] == "DecisionLapsed"


@pytest.mark.parametrize("away", [timedelta(0), timedelta(days=-1), timedelta(days=400)])
def test_deadline_must_be_within_the_coming_year(away: timedelta) -> None:
    season = Timed().main_match("ann", "eve")
    asked_for = deadlines.extend(season.season, ORGANISER, instant(NOON + away), "Why not.")
    with pytest.raises(Illegal) as refused:
        deadlines.refuse_untimely_deadline(asked_for, NOON)
    assert refused.value.code == "bad_deadline"


def test_deadline_without_a_pending_decision_is_refused() -> None:
    assert Timed().refusal(deadlines.extend, instant(NOON), "Why not.") == "no_episode"
    season = Timed()
    season.act(episodes.open_episode, "First")
    assert season.refusal(deadlines.extend, instant(NOON), "Why not.") == "no_decision"


def test_the_seasons_chance_decides_and_anybody_can_compute_it_again() -> None:
    season = Timed(decision_default="random").main_match("ann", "eve")
    link = chance.commitment(ROOT)
    for number, choices in ((1, ("bob", "cat", "dan", "eve")), (2, None)):
        season.later(24 * HOUR)
        drawn = next(it for it in reversed(season.log) if type(it).__name__ == "ChanceDrawn")
        assert sha256(bytes.fromhex(drawn.link)).hexdigest() == link
        assert drawn.number == number and (choices is None or drawn.choices == choices)
        words = Chance(bytes.fromhex(drawn.link), number)
        assert drawn.chosen == drawn.choices[words.below(len(drawn.choices), "season draw")]
        link = drawn.link
    assert season.season.episode is not None
    assert season.season.episode.opponent or season.season.episode.candidate


def test_organiser_decides_a_random_default_without_a_seed() -> None:
    season = Timed(decision_default="random").main_match("ann", "eve")
    assert kinds(deadlines.lapse(season.season, None)) == ["DecisionLapsed"]
    (lapsed,) = deadlines.lapse(season.season, None)
    assert isinstance(lapsed, DecisionLapsed) and lapsed.default == "organiser"
    assert sentence(lapsed, str).startswith("The time to decide who gets")


def test_the_longest_serving_rule_counts_tenures_then_enrolment() -> None:
    season = Timed(decision_default="longest").main_match("ann", "eve")
    season.act(roster.substitute, "bob", "fay", "Ill.")
    season.later(24 * HOUR)
    assert season.season.episode.tokens == {"ann": 1, "cat": 1}  # type: ignore[union-attr]
    season.later(24 * HOUR)
    assert season.season.episode.opponent == "dan"  # type: ignore[union-attr]


def test_players_are_ordered_by_the_beginning_of_their_tenures() -> None:
    season = Timed(decision_default="longest")
    season.act(episodes.open_episode, "First")
    season.act(roster.withdraw, "bob", "Ill.")
    season.act(roster.substitute, "cat", "fay", "Ill.")
    season.act(intake.reinstate, "bob", 0, "Well again.")
    season.act(episodes.record_main_match, "First", ["ann"], ["eve"])
    assert list(season.season.players) == ["ann", "bob", "cat", "dan", "eve", "fay"]
    season.later(24 * HOUR)
    assert season.season.episode.tokens == {"ann": 1, "bob": 1}  # type: ignore[union-attr]


def test_games_not_banned_in_time_stay_in_the_pool() -> None:
    season = Timed(bans_each=1, decision_default="random").main_match("ann", "eve", "bob")
    season.act(episodes.name_opponent, "cat", by="eve")
    season.act(episodes.ban, "pentagram", by="eve")
    assert season.later(24 * HOUR) == ["DecisionReminded", "DecisionLapsed"][-1:]
    assert offer(season.season, season.by("cat"), "ban").code == "deadline_passed"
    season.act(scheduling.schedule_death_match, match_settings("m"))
    season.act(results.annul, "m", "A power cut.")
    assert offer(season.season, season.by("cat"), "ban").is_available, "another death match, another time"


def test_a_substitute_has_their_own_time() -> None:
    season = Timed().main_match("ann", "eve", "bob")
    season.now += 20 * HOUR
    season.act(roster.substitute, "eve", "fay", "Ill.")
    assert deadlines.awaited(season.season).until == instant(NOON + 44 * HOUR)  # type: ignore[union-attr]


def test_closed_episode_has_no_deadline() -> None:
    season = Timed().main_match("ann", "eve")
    season.act(episodes.close_episode, "Enough.")
    assert season.later(1000 * HOUR) == []


def test_draw_that_differs_from_the_commitment_is_detected() -> None:
    season = Timed(decision_default="random").main_match("ann", "eve")
    season.later(24 * HOUR)
    number = next(it for it, event in enumerate(season.log) if isinstance(event, ChanceDrawn))
    before, drawn = season.rebuilt(number), season.log[number]
    assert isinstance(drawn, ChanceDrawn)
    assert fairness.fault_in(before, drawn) == ""
    other = next(it for it in drawn.choices if it != drawn.chosen)
    for forged, fault in (
        ({"chosen": other}, "another choice"),
        ({"number": 2}, "another choice"),
        ({"link": "00" * 32}, "promised"),
        ({"link": "no"}, "is none"),
        ({"choices": (other,), "chosen": other}, "out of others"),
    ):
        assert fault in fairness.fault_in(before, replace(drawn, **forged)), forged
    assert "promised" in fairness.fault_in(replace(before, timing=replace(before.timing, link=None)), drawn)
