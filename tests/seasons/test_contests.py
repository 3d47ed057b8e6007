"""Contests as main matches on paper: which content a table plays, and how the record names it."""

import pytest
from msgspec.structs import replace

from games.contest.presets import PRESETS, load
from games.kernel import Illegal, from_json, to_json
from matches.seasons import codec
from matches.seasons.domain import episodes, scheduling, tables
from matches.seasons.domain.contests import PlayedContest
from matches.seasons.domain.events import MainMatchScheduled, SeatingAsked
from matches.seasons.domain.features import EVENTS
from matches.seasons.domain.scheduling import MatchSettings
from matches.seasons.reads.sentences import sentence
from tests.seasons.staged import HOST, Paper, kinds

PEOPLE = [f"p{number:02}" for number in range(13)]


def contest(reference: str, match: str = "m1") -> MatchSettings:
    """A table of a contest as a host wants it."""
    content = load(reference)
    played = PlayedContest(title=content.title, preset=reference)
    return MatchSettings(match=match, game="contest", options={"content": to_json(content)}, contest=played)


def opened() -> Paper:
    paper = Paper(*PEOPLE)
    paper.act(episodes.open_episode, "First")
    return paper


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_set_for_all_players_it_seats_and_named_in_the_record(preset: str) -> None:
    paper, content = opened(), load(preset)
    (event,) = paper.act(scheduling.schedule_table, contest(preset), PEOPLE[: content.least_seats], by=HOST.account)
    assert isinstance(event, MainMatchScheduled)
    assert event.contest == PlayedContest(title=content.title, preset=preset)
    assert paper.season.matches["m1"].title == content.title
    assert sentence(event, str).startswith(f"A table of {content.title} was set for p00")
    assert from_json(to_json(event), EVENTS[codec.pack(event).type]) == event


def test_contest_given_with_the_match_is_named_by_its_title_alone() -> None:
    paper = opened()
    given = replace(contest("quiet_shore"), contest=None)
    (event,) = paper.act(scheduling.schedule_table, given, PEOPLE[:6])
    assert event.contest == PlayedContest(title="The Quiet Shore")


def test_tables_of_earlier_records_and_of_other_games_name_no_contest() -> None:
    paper = opened()
    (event,) = paper.act(scheduling.schedule_table, MatchSettings(match="m1", game="pentagram", options={}), PEOPLE[:3])
    assert "contest" not in to_json(event)
    assert paper.season.matches["m1"].title == "Pentagram 2"


def test_a_contest_is_drawn_to_several_tables_with_the_same_content() -> None:
    paper = opened()
    events = paper.act(tables.request_seating, contest("quiet_shore", ""), ["m1", "m2"], [[], []])
    assert kinds(events) == ["SeatingAsked", "SeatingDrawn", "MainMatchScheduled", "MainMatchScheduled"]
    asked, _, *scheduled = events
    assert isinstance(asked, SeatingAsked)
    assert {it.contest for it in (asked, *scheduled)} == {PlayedContest(title="The Quiet Shore", preset="quiet_shore")}
    assert [len(it.players) for it in scheduled] == [7, 6]
    assert scheduled[0].options == scheduled[1].options == asked.options
    assert "drawn to tables of 7 and 6 for The Quiet Shore." in sentence(asked, str)


@pytest.mark.parametrize(("tables_of", "fault"), [((4, 9), "not for 4"), ((3, 3), "not for 3")])
def test_tables_outside_the_seats_of_a_contest_are_refused_with_its_seats(
    tables_of: tuple[int, int], fault: str
) -> None:
    first, second = tables_of
    seating = (PEOPLE[:first], PEOPLE[first : first + second])
    with pytest.raises(Illegal) as refused:
        opened().act(tables.set_tables, contest("council_of_seals", ""), ["m1", "m2"], seating)
    assert refused.value.code == "bad_options"
    assert fault in refused.value.message and "5 to 13 players" in refused.value.message


def test_contest_is_no_game_of_a_death_match() -> None:
    paper = Paper("ann", "ben", "cat", "dan").main_match("ann", "dan", giving_to="ben")
    paper.act(episodes.name_opponent, "cat", by="dan")
    assert paper.refusal(scheduling.schedule_death_match, contest("quiet_shore")) == "game_not_in_pool"
