"""Whatever accounts ask for in whatever order: what is accepted never breaks the season."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.kernel import Event, Illegal, from_json, to_json
from matches.domain.clocks import instant
from matches.seasons import codec
from matches.seasons.domain import (
    appointments,
    attendance,
    changes,
    corrections,
    deadlines,
    episodes,
    garnets,
    intake,
    result_table,
    results,
    roster,
    scheduling,
    tables,
)
from matches.seasons.domain.announcing import announced
from matches.seasons.domain.claim_acts import AnswerClaim, MakeClaim, WithdrawClaim
from matches.seasons.domain.claim_events import ClaimKind
from matches.seasons.domain.events import (
    EliminationReversed,
    GarnetsMoved,
    PlayerReinstated,
    PlayerReturned,
    SeasonFinished,
    SeasonReopened,
)
from matches.seasons.domain.features import EVENTS
from matches.seasons.domain.option_acts import Rename
from matches.seasons.domain.options import POOL
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.state import Season
from matches.seasons.reads.sentences import sentence
from tests.seasons.staged import Paper, match_settings
from tests.seasons.staking import staked

NEWCOMERS = [f"n{number}" for number in range(4)]
ACTS = 120
FOUR = ("ann", "ben", "cat", "dan")
RULES = (None, ResultRules(best=2, by_place=(2, 1)), ResultRules(winners="team", losers="left", points_per_garnet=1))
TIMES = dict.fromkeys(("token_minutes", "candidate_minutes", "opponent_minutes", "ban_minutes", "check_in_minutes"), 45)


def somebody(paper: Paper, rng: Random) -> str:
    return rng.choice([*paper.season.players, *paper.season.staff, *NEWCOMERS])


def likely_act(
    paper: Paper,
    rng: Random,
    at: datetime | None = None,
    setting: Callable[..., scheduling.MatchSettings] = match_settings,
) -> tuple[Callable[..., Sequence[Event]], list[object], str]:
    """An act that somebody may ask for at an instant, likely or not; matches are set as `setting` gives them."""
    season, who, at = paper.season, lambda: somebody(paper, rng), at or now(paper)
    episode = season.episodes[-1] if season.episodes else None
    concerned = [it for it in (episode.candidate, episode.opponent, episode.giving) if it] if episode else []
    by = rng.choice(["ona", "ona", "ona", "hal", who(), *concerned])
    living = season.living or ["nobody"]
    opens_at = rng.choice([None, instant(at + timedelta(minutes=20))])
    fresh, game = f"m{len(paper.log)}", rng.choice(POOL)
    waiting = [it.id for it in season.matches.values() if it.status == "scheduled"]
    match, table, often = rng.choice([*season.matches, "m"]), rng.choice([*waiting, "m"]), 9 if waiting else 1
    then, soon = instant(at + timedelta(hours=3)), instant(at + timedelta(hours=rng.choice([1, 2])))
    times = appointments.times_of(season, table) or [then]
    seat = pick_one(season, table, rng)
    dueling = [it for played in season.matches.values() if played.status == "scheduled" for it in played.players]
    pick = rng.choice
    winners = rng.sample(living, min(len(living), pick([1, 1, 2])))
    options: list[tuple[int, Callable[..., Sequence[Event]], list[object]]] = [
        (4, episodes.open_episode, ["Another"]),
        (1, episodes.close_episode, ["Enough."]),
        (4, episodes.record_main_match, ["Dice", winners, [pick(living)], {pick(winners): 2} if living else None]),
        (
            1,
            scheduling.schedule_table,
            [
                replace(setting(fresh, "pentagram", opens_at=opens_at), results=pick(RULES)),
                rng.sample(living, min(len(living), 3)),
            ],
        ),
        (2, scheduling.schedule_table, [staked(fresh), rng.sample(living, min(len(living), 3))]),
        (1, episodes.record_main_match, ["Tables"]),
        (2, result_table.enter, ["Sheet", rows_of(paper, rng)]),
        (5, episodes.give_token, [who()]),
        (4, episodes.name_candidate, [who()]),
        (5, episodes.name_opponent, [who()]),
        (3, episodes.ban, [game]),
        (5, scheduling.schedule_death_match, [setting(fresh, game, opens_at=opens_at)]),
        (2, scheduling.open_final, []),
        (5, scheduling.schedule_final_match, [setting(fresh, game, opens_at=opens_at)]),
        (4, results.approve, [match]),
        (4, results.correct, [match, pick(season.matches[match].players if match != "m" else ["m"]), "Misread."]),
        (1, results.annul, [match, "A power cut."]),
        (1, results.reopen, [match, 5, "A rule was misread."]),
        (2, garnets.move_garnets, [pick([None, who()]), pick([None, who()]), pick([1, 2, 50]), "A reason."]),
        (1, garnets.move_garnets, [by, who(), 1, "A gift."]),
        (1, roster.withdraw, [pick([by, who(), *concerned]), "Ill.", pick(["forfeit", "forfeit", "annul"])]),
        (1, roster.withdraw, [pick(dueling or [who()]), "Ill."]),
        (2, garnets.move_garnets, [pick(living), None, pick([1, 2]), "A fine."]),
        *corrections_of(paper, rng, winners, who),
        (1, roster.substitute, [who(), pick(NEWCOMERS), "Ill."]),
        (1, roster.substitute, [pick(dueling or [who()]), f"{fresh}s", "Ill."]),
        (1, roster.enrol, [pick(NEWCOMERS)]),
        (1, Rename(who(), pick([None, f"name {len(paper.log)}"]), "As known.").decide, []),
        (1, roster.appoint, [who(), pick(["organiser", "host", "auditor"])]),
        (1, roster.dismiss, [who(), "Enough."]),
        (often, appointments.propose_times, [table, [then, soon]]),
        (often, appointments.accept_time, [table, pick(times)]),
        (2, appointments.set_time, [table, pick([None, then, soon]), "The hall."]),
        (often, attendance.check_in, [table, seat]),
        (often, attendance.decide_absence, [table, pick(["play", "loss", "stand_in"]), pick([None, seat]), "Late."]),
        (1, deadlines.extend, [soon, "Was ill."]),
        (1, tables.request_seating, [setting("", "pentagram", opens_at=opens_at), [f"{fresh}a"], [[]]]),
        (
            1,
            tables.set_tables,
            [match_settings("", "pentagram"), [f"{fresh}c"], [rng.sample(living, min(len(living), 3))]],
        ),
        (1, MakeClaim(pick(get_args(ClaimKind)), "Look.", pick([None, match])).decide, []),
        (1, WithdrawClaim(pick([1, 2, 3])).decide, []),
        (1, AnswerClaim(pick([1, 2, 3]), pick(["upheld", "rejected"]), "Looked.").decide, []),
        (1, intake.enrol_late, [pick(NEWCOMERS), pick([0, 3]), "Late."]),
        (1, intake.reinstate, [who(), pick([0, 1]), "Back."]),
        (1, changes.change_options, [pick([{"reward": 4}, {"pool": ["pentagram"]}, {"approval": False}]), "Why not."]),
    ]
    weights = [weight for weight, _, _ in options]
    _, decide, details = rng.choices(options, weights)[0]
    own = decide in (appointments.accept_time, attendance.check_in) and rng.random() < 0.8
    return decide, details, seat if own else by


def rows_of(paper: Paper, rng: Random) -> list[result_table.ResultRow]:
    """A line for most players, with places that fit or hardly."""
    people = rng.sample(
        paper.season.living, len(paper.season.living) - rng.choice([0, 0, 1]) * bool(paper.season.living)
    )
    return [
        result_table.ResultRow(
            number=number,
            player=it,
            match=rng.choice(["", "", "A"]),
            points=rng.choice([number, number, 3, None]),
            tokens=rng.choice([None] * 9 + [1]),
            garnets=rng.choice([0, 1]),
        )
        for number, it in enumerate(people, start=1)
    ]


def arrival(rng: Random) -> tuple[Callable[..., Sequence[Event]], list[object], str]:
    """An act by which somebody may come before the season begins."""
    pick = rng.choice
    by = NEWCOMERS[0]
    options: list[tuple[Callable[..., Sequence[Event]], list[object], str]] = [
        (intake.enrol_all, [[pick([by, "ann"])], pick([0, 1])], "ona"),
        (intake.open_joining, [pick([True, False]), pick([None, 1])], "ona"),
        (intake.revoke_joining, [1, "Enough."], "ona"),
        (intake.apply, [pick([1, 2])], by),
        (intake.withdraw_application, [], by),
        (intake.admit, [by], pick(["ona", by])),
        (intake.decline, [by, "Full."], "ona"),
    ]
    return pick(options)


def now(paper: Paper) -> datetime:
    """A quarter of an hour passes with each event."""
    return datetime(2030, 1, 1, tzinfo=UTC) + timedelta(minutes=15 * len(paper.log))


def pick_one(season: Season, match: str, rng: Random) -> str:
    """One who plays at the match."""
    return rng.choice(season.matches[match].players) if match in season.matches else "nobody"


def corrections_of(
    paper: Paper, rng: Random, winners: list[str], who: Callable[[], str]
) -> list[tuple[int, Callable[..., Sequence[Event]], list[object]]]:
    """Return possible corrections of an episode with their weights, likely or not."""
    season, pick = paper.season, rng.choice
    number = pick([0, *(it.number for it in season.episodes), len(season.episodes)])
    struck = [(it.number, *ban) for it in season.episodes for ban in it.bans] or [(number, "ann", POOL[0])]
    paid = pick([None, None, {}, {who(): 1, who(): 3}])
    result = [number, "A slip.", pick([winners, None]), pick([None, [who()]]), paid]
    return [
        (2, corrections.correct_main_match, result),
        (1, corrections.correct_token, [number, who(), "A slip."]),
        (1, corrections.correct_candidate, [number, who(), "A slip."]),
        (1, corrections.correct_opponent, [number, who(), "A slip."]),
        (1, corrections.correct_ban, [*pick(struck), pick([None, *POOL]), "A slip."]),
    ]


def live(paper: Paper, rng: Random) -> set[str]:
    """One act, one match's end or what time has brought; gives the refusal's code, if it was refused."""
    before, version, at = paper.season, len(paper.log), now(paper)
    refused = step(paper, rng)
    paper.happen(announced(before, paper.log[version:], at))
    return refused


def step(paper: Paper, rng: Random) -> set[str]:
    """Take a random step like `live`, but without the announcements that it causes."""
    if rng.random() < 0.5 and paper.goes_on(now(paper)):
        return set()
    running = [it for it in paper.season.matches.values() if it.status == "scheduled"]
    if running and rng.random() < 0.12:
        ended = rng.choice(running)
        order = rng.sample(range(len(ended.players)), len(ended.players))
        winners = (order[0],) if rng.random() < 0.9 else tuple(order)
        scores = [
            Score(
                rng.choice([3, 1, None]), seat % 2, rng.choice([None, "resigned"]),
                rng.randint(-ended.stakes[seat], 2) if ended.stakes else None,
            )
            for seat in sorted(order)
        ]  # fmt: skip
        paper.happen(results.report(paper.season, ended.id, winners, tuple((seat,) for seat in order), scores))
        return set()
    early = paper.season.version < 30 and paper.season.status == "enrolling" and rng.random() < 0.6
    decide, details, by = arrival(rng) if early else likely_act(paper, rng)
    try:
        paper.act(decide, *details, by=by)
    except Illegal as illegal:
        return {illegal.code}
    return set()


def assert_sound(season: Season, earlier: Season) -> None:
    players = season.players.values()
    assert all(player.garnets >= 0 for player in players)
    assert sum(player.garnets for player in players) == season.issued
    finalists = season.final.players if season.final else ()
    assert all(player.garnets == 0 for player in players if not player.living and player.id not in finalists)
    assert all(count >= 0 for episode in season.episodes for count in episode.tokens.values())
    assert all(not episode.eliminated or episode.closed or not season.episode for episode in season.episodes)
    assert sum(match.open for match in season.matches.values() if match.kind != "main") <= 1
    assert all(player.main_wins >= 0 and player.duels_won >= 0 and player.duels_lost >= 0 for player in players)
    places = [player.place for player in players if player.place]
    assert len(set(places)) == len(places), "A place is one player's."
    for it in season.episodes:
        duels = [match for match in season.of_episode(it.number, "death") if match.status == "effective"]
        assert [match.loser for match in duels] == ([it.eliminated] if it.eliminated else [])
        if it.candidate or it.opponent:
            assert not it.tokens.get(it.candidate or "") and not it.tokens.get(it.opponent or "")
    won = [it for episode in season.episodes for it in episode.credited]
    assert all(player.main_wins == won.count(player.id) for player in players)
    substituted = {it.id for it in earlier.players.values() if it.status == "substituted"}
    assert substituted.isdisjoint(season.living)
    places = [it.place for it in season.players.values() if it.place]
    assert len(set(places)) == len(places)
    assert not set(season.staff) & set(season.players)
    assert "organiser" in season.staff.values()
    if season.champion:
        assert season.living == [season.champion]
        assert not any(match.status == "scheduled" for match in season.matches.values())
    episode = season.episode
    if episode and episode.opponent:
        assert episode.candidate in season.living and episode.opponent in season.living
        assert episode.candidate != episode.opponent


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32), approval=st.booleans(), heir=st.sampled_from(["confiscate", "winner"]))
def test_no_order_of_acts_breaks_a_season(seed: int, approval: bool, heir: str) -> None:
    rng = Random(seed)
    paper = Paper("ann", "ben", "cat", "dan", "eve", approval=approval, loser_garnets=heir, bans_each=1, **TIMES)
    for _ in range(ACTS):
        before = paper.season
        live(paper, rng)
        assert_sound(paper.season, before)
    ends = [sum(isinstance(event, kind) for event in paper.log) for kind in (SeasonFinished, SeasonReopened)]
    assert ends[0] - ends[1] == bool(paper.season.champion)
    assert paper.rebuilt(len(paper.log)) == paper.season


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_ten_thousand_acts_of_anybody_in_any_order_break_no_season(seed: int) -> None:
    rng, done = Random(seed), 0
    while done < 10_000:
        names = [f"p{number}" for number in range(rng.randint(3, 13))]
        heir = rng.choice(["confiscate", "winner"])
        paper = Paper(*names, approval=rng.random() < 0.5, loser_garnets=heir, bans_each=1)
        for _ in range(10 * ACTS):
            before = paper.season
            live(paper, rng)
            assert_sound(paper.season, before)
            done += 1
            if paper.season.champion and rng.random() < 0.1:
                break
        assert paper.rebuilt(len(paper.log)) == paper.season


def test_no_garnets_at_stake_leave_their_player_before_the_result_counts() -> None:
    posted = 0
    for seed in range(40):
        rng = Random(seed)
        paper = Paper("ann", "ben", "cat", "dan", "eve", approval=seed % 2 == 0, bans_each=1, **TIMES)
        for _ in range(ACTS):
            live(paper, rng)
            # Whoever was out of the season in the meantime comes back without what was at stake.
            back = {
                it.player for it in paper.log if isinstance(it, PlayerReturned | PlayerReinstated | EliminationReversed)
            }
            for player in set(paper.season.living) - back:
                assert paper.season.held(player) <= paper.season.players[player].garnets
        posted += sum(isinstance(it, GarnetsMoved) and it.cause == "contest" for it in paper.log)
    assert posted >= 10


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
@given(seed=st.integers(0, 2**32))
def test_a_season_rebuilt_from_its_stored_events_is_the_live_one_at_every_version(seed: int) -> None:
    rng, paper = Random(seed), Paper(*FOUR, **TIMES)
    seasons: dict[int, Season] = {paper.season.version: paper.season}
    for _ in range(ACTS):
        live(paper, rng)
        seasons[paper.season.version] = paper.season
    stored = [from_json(to_json(event), EVENTS[codec.pack(event).type]) for event in paper.log]
    assert stored == paper.log
    for version, season in seasons.items():
        assert paper.rebuilt(version) == season
    assert not any("can't tell" in sentence(event, str) for event in paper.log)


def test_the_random_acts_reach_every_part_of_a_season() -> None:
    wanted = {kind.__name__ for kind in EVENTS.values()} - {"RulingPosted"}
    kinds, codes, champions = set[str](), set[str](), 0
    # What is reached stays reached: no more seasons than it takes.
    for seed in range(180):
        rng, absence = Random(seed), ("organiser", "loss", "stand_in")[seed % 3]
        default = ("organiser", "random", "longest")[seed // 3 % 3]
        paper = Paper(
            *FOUR,
            approval=seed % 2 == 0,
            bans_each=1,
            absence=absence,
            decision_default=default,
            remind_minutes=10,
            **TIMES,
        )
        for _ in range(7 * ACTS):
            codes |= live(paper, rng)
        kinds |= {type(event).__name__ for event in paper.log}
        champions += paper.season.champion is not None
        if wanted <= kinds and champions >= 10 and len(codes) >= 25:
            return
    missing = sorted(wanted - kinds) or f"{champions} champions, {len(codes)} codes"
    raise AssertionError(f"Not reached: {missing}. Add acts to `likely_act`, or raise the weight of rare ones there.")
