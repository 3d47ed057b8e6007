"""The tables of a main match: set by hand, or drawn from the season's chance so that anybody can check it."""

import json
from itertools import chain

import pytest
from msgspec.structs import replace

from games.kernel import Event, to_json
from games.kernel.messages import type_name
from matches.seasons.archive import Bad, replay
from matches.seasons.domain import chance, episodes, tables
from matches.seasons.domain.events import MainMatchScheduled, SeatingDrawn
from tests.seasons.staged import HOST, ROOT, Paper, kinds, match_settings

PEOPLE = [f"p{number:02}" for number in range(13)]
IDS = ["m1", "m2", "m3"]


def opened(**options: int) -> Paper:
    paper = Paper(*PEOPLE, **options)
    paper.act(episodes.open_episode, "First")
    return paper


def draw(paper: Paper, seated: list[list[str]], sizes: list[int], game: str = "pentagram") -> list:
    return paper.act(
        tables.request_seating, match_settings("", game), IDS[: len(sizes)], seated, sizes, by=HOST.account
    )


def test_thirteen_players_are_drawn_to_three_tables_and_the_draw_is_verifiable() -> None:
    paper = opened()
    before = paper.season
    events = draw(paper, [[], [], []], [5, 4, 4])
    assert kinds(events) == ["SeatingAsked", "SeatingDrawn", *["MainMatchScheduled"] * 3]
    seating = events[1]
    assert isinstance(seating, SeatingDrawn)
    assert sorted(chain(*seating.seating)) == PEOPLE and [len(it) for it in seating.seating] == [5, 4, 4]
    assert [it.players for it in paper.season.matches.values()] == list(seating.seating)
    assert chance.follows(seating.link, before.timing.link or "")
    assert tables.fault_in(before, seating) == ""
    assert (paper.season.timing.draws, paper.season.timing.link) == (1, seating.link)
    assert paper.rebuilt(len(paper.log)) == paper.season


def test_drawn_tables_keep_the_set_up_time_of_the_request() -> None:
    paper = opened()
    wanted = match_settings("", "pentagram", setup_closes=1800)
    events = paper.act(tables.request_seating, wanted, IDS, [[], [], []], [5, 4, 4])
    assert [it.setup_closes for it in events if isinstance(it, MainMatchScheduled)] == [1800] * 3
    assert {it.setup_closes for it in paper.season.matches.values()} == {1800}


def test_tampered_seating_is_detected() -> None:
    paper = opened()
    before = paper.season
    _, seating, *_ = draw(paper, [[], [], []], [5, 4, 4])
    first, second, third = seating.seating
    for changed, fault in (
        ({"seating": (second, first, third)}, "another seating"),
        ({"players": tuple(reversed(seating.players))}, "another seating"),
        ({"number": 2}, "another seating"),
        ({"link": chance.link(ROOT, 2)}, "not the one"),
        ({"link": "none"}, "none"),
    ):
        assert fault in tables.fault_in(before, replace(seating, **changed)), changed


def test_hand_seated_players_stay_and_the_others_are_drawn() -> None:
    paper = opened()
    _, seating, *_ = draw(paper, [PEOPLE[:4], PEOPLE[4:6], []], [4, 5, 4])
    assert seating.seating[0] == tuple(PEOPLE[:4]) and seating.seating[1][:2] == tuple(PEOPLE[4:6])
    assert sorted(chain(*seating.seating)) == PEOPLE


def test_draw_with_unsuitable_tables_is_refused() -> None:
    paper = opened()
    wish = (match_settings("", "pentagram"), IDS)
    for seated, sizes, code in (
        ([[], [], []], [5, 4, 3], "bad_seating"),
        ([[], [], []], [5, 4, 5], "bad_seating"),
        ([[], [], []], [13, 0, 0], "bad_seating"),
        ([[], [], []], [5, 8], "bad_seating"),
        ([PEOPLE[:5], [], []], [4, 5, 4], "bad_seating"),
        ([[], []], [7, 6], "bad_seating"),
        ([["nobody"], [], []], [5, 5, 4], "not_enrolled"),
        ([[PEOPLE[0]], [PEOPLE[0]], []], [5, 5, 4], "already_seated"),
    ):
        assert paper.refusal(tables.request_seating, *wish, seated, sizes) == code, (seated, sizes)
    assert paper.refusal(tables.request_seating, *wish, [[], [], []], [5, 4, 4], by="p00") == "forbidden"
    paper.season = replace(paper.season, timing=replace(paper.season.timing, link=None))
    assert paper.refusal(tables.request_seating, *wish, [[], [], []], [5, 4, 4]) == "no_chance"


def test_tables_are_set_by_hand_all_at_once_or_not_at_all() -> None:
    paper = opened()
    seating = [PEOPLE[:5], PEOPLE[5:9], PEOPLE[9:]]
    assert (
        paper.refusal(tables.set_tables, match_settings("", "pentagram"), IDS, [*seating[:2], PEOPLE[8:]])
        == "already_seated"
    )
    assert paper.refusal(tables.set_tables, match_settings("", "pentagram"), IDS, seating[:2]) == "bad_seating"
    assert paper.season.matches == {}
    assert (
        kinds(paper.act(tables.set_tables, match_settings("", "pentagram"), IDS, seating, by=HOST.account))
        == ["MainMatchScheduled"] * 3
    )
    assert tables.even_sizes(((), (), ()), 13) == (5, 4, 4)
    assert tables.even_sizes((("a", "b", "c"), ()), 3) == (3, 3)


def test_replay_of_a_record_checks_the_seating_against_the_seasons_seed() -> None:
    paper = opened()
    draw(paper, [[], [], []], [5, 4, 4])

    def lines(log: list[Event]) -> list[str]:
        lines = [json.dumps({"type": type_name(type(event)), "public": to_json(event)}) for event in log]
        return [json.dumps({"version": len(log), "champion": None}), *lines]

    replay(lines(paper.log))
    at = next(version for version, event in enumerate(paper.log) if isinstance(event, SeatingDrawn))
    drawn = paper.log[at]
    assert isinstance(drawn, SeatingDrawn)
    forged = [*paper.log[:at], replace(drawn, seating=tuple(reversed(drawn.seating))), *paper.log[at + 1 :]]
    with pytest.raises(Bad, match="another seating"):
        replay(lines(forged))
