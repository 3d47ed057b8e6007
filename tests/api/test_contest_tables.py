"""Contests as tables of a main match over REST: by a preset's name, or written with the match."""

from typing import Any

import pytest

from games.contest.presets import load
from games.kernel import to_json
from tests.api.seasons import Cup, deliver

NAME, TITLE = "quiet_shore", "The Quiet Shore"


@pytest.fixture(scope="module")
def cup() -> Cup:
    """A season with an open episode."""
    cup = Cup(10)
    cup.did("/episodes", {"title": "First"})
    return cup


def ids(cup: Cup, count: int) -> list[str]:
    return [it.id for it in cup.players[:count]]


def tables(cup: Cup) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = cup.read("/main-matches/tables")["results"]
    return listed


def test_preset_is_set_by_its_name_and_opened_with_its_content(cup: Cup) -> None:
    (event,) = cup.did(
        "/main-matches/tables", {"game": "contest", "contest": NAME, "players": ids(cup, 10)}, by=cup.host
    )
    assert event["contest"] == {"title": TITLE, "preset": NAME}
    assert event["options"]["content"] == to_json(load(NAME))
    assert tables(cup)[-1]["contest"] == event["contest"]
    deliver()
    assert cup.host.get(f"/matches/{event['match']}").json["game"] == "contest"
    cup.did(f"/matches/{event['match']}/annul", {"reason": "A test."})


def test_contest_written_with_the_match_has_its_title_alone(cup: Cup) -> None:
    body = {"game": "contest", "options": {"content": to_json(load(NAME))}, "players": ids(cup, 6)}
    (event,) = cup.did("/main-matches/tables", body)
    assert event["contest"] == {"title": TITLE}
    cup.did(f"/matches/{event['match']}/annul", {"reason": "A test."})


def test_contest_is_drawn_to_several_tables_at_once(cup: Cup) -> None:
    body = {"game": "contest", "contest": NAME, "tables": [[], []], "draw": True}
    events = cup.did("/main-matches/seatings", body)
    assert [it["contest"]["preset"] for it in events if "match" in it] == [NAME, NAME]
    for it in events:
        if "match" in it:
            cup.did(f"/matches/{it['match']}/annul", {"reason": "A test."})


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"contest": "loud_shore"}, "The presets are quiet_shore"),
        ({"contest": NAME, "options": {"content": {"title": "Both", "rounds": []}}}, "without a content"),
        ({"contest": NAME, "game": "pentagram"}, "for the game contest only"),
        ({"contest": "council_of_seals"}, "This contest is for 5 to 13 players, not for 4."),
        ({"options": {"content": {"title": "No rounds", "rounds": []}}}, "rounds"),
    ],
)
def test_table_without_a_playable_contest_is_refused_with_the_reason(
    cup: Cup, more: dict[str, Any], named: str
) -> None:
    before = cup.read()["version"]
    answer = cup.ask("/main-matches/tables", {"game": "contest", "players": ids(cup, 4), **more})
    assert (answer.status, answer.json["code"]) == (422, "bad_options"), answer.body
    assert named in answer.json["detail"]
    assert cup.read()["version"] == before


def test_tables_of_other_games_have_no_contest_in_their_documents(cup: Cup) -> None:
    (event,) = cup.did("/main-matches/tables", {"game": "pentagram", "clocks": None, "players": ids(cup, 3)})
    assert "contest" not in event and "contest" not in tables(cup)[-1]
    cup.did(f"/matches/{event['match']}/annul", {"reason": "A test."})
