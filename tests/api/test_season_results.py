"""A main match's results as a table over REST: each faulty cell is named, all is entered or nothing."""

from uuid import uuid4

import pytest

from tests.api.guests import Answer
from tests.api.seasons import Cup
from tests.web.test_seasons import page

PATH = "/main-matches/results"


@pytest.fixture(scope="module")
def cup() -> Cup:
    season = Cup(5)
    season.did("/episodes", {"title": "First"})
    return season


def names(cup: Cup) -> list[str]:
    usernames = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    return [usernames[it.id] for it in cup.players]


def tried(cup: Cup, **body: object) -> Answer:
    return cup.ask(f"{PATH}?dry_run=1", {"name": "Dice", **body})


def test_reward_is_refused_for_a_player_in_two_spellings_of_their_id(cup: Cup) -> None:
    first, *_, last = (player.id for player in cup.players)
    body = {"name": "Dice", "winners": [first], "candidates": [last], "rewards": {f"{{{first}}}": 1, first: 5}}
    assert cup.ask("/main-matches?dry_run=1", body).refusal == (400, "malformed")


@pytest.mark.parametrize("comma", ["\t", ",", ";"])
def test_a_dry_run_names_each_cell_s_fault_and_the_table_is_refused_whole(cup: Cup, comma: str) -> None:
    ann, ben, *_ = names(cup)
    lines = [["Name", "Rank", "Garnets"], [ann, "1", "x"], [], ["nobody", "2", ""], [ben, "2.5", "1"]]
    text = "\r\n".join(comma.join(line) for line in lines)
    response = tried(cup, text=text)
    cells = [(it["number"], it["column"], it["code"]) for it in response.json["cells"]]
    assert cells == [(2, "garnets", "not_a_number"), (4, "player", "not_enrolled"), (5, "place", "not_a_number")]
    version = cup.read()["version"]
    refused = cup.ask(PATH, {"name": "Dice", "text": text})
    assert refused.refusal == (422, "table_faulty") and refused.json["cells"] == response.json["cells"]
    assert cup.read()["version"] == version


@pytest.mark.parametrize(
    "text",
    ["", "player,colour\nann,red", "place,points\n1,2", "player,player\na,b", "player\nann,1", "," * 9, "x" * 10],
)
def test_table_without_readable_columns_is_refused_with_the_fault(cup: Cup, text: str) -> None:
    assert tried(cup, text=text).refusal == (422, "bad_table")


def test_a_dry_run_names_living_players_without_a_row(cup: Cup) -> None:
    *named, left_out = names(cup)
    faulty = f"player,place,garnets\n{named[0]},1,x\n" + "\n".join(f"{it},2" for it in named[1:])
    for text in (faulty, faulty.replace(",x", "")):
        preview = tried(cup, text=text).json
        assert preview["missing"] == [cup.players[-1].id]
        assert preview["notes"] == [f"{left_out} has no line: they are recorded as taking no part."]
    rows = [{"player": it.id, "place": place} for place, it in enumerate(cup.players, start=1)]
    assert tried(cup, rows=rows).json["missing"] == []


def test_a_sheet_with_quoted_line_breaks_places_points_and_spent_garnets_is_read(cup: Cup) -> None:
    ann, ben, *others = names(cup)
    rows = [f'"{ann}\n";1;12;-1', f"{ben};2;3;", *(f"{it};3;8;1" for it in others)]
    preview = tried(cup, text="\ufeffSpieler;Platz;Punkte;Granate\r\n" + "\r\n".join(rows)).json
    assert preview["cells"] == [] and preview["winners"] == [cup.players[0].id]
    assert preview["notes"] == ["Line 5: the points don't fit place 3. Both are recorded, and places count."]
    assert any("Spent in the main match: Dice." in it for it in preview["text"])


def test_a_cell_in_no_named_column_names_its_line_and_the_remedy(cup: Cup) -> None:
    ann, *_ = names(cup)
    refused = tried(cup, text=f"player,place,\n{ann},1,late")
    assert refused.refusal == (422, "bad_table")
    assert "Line 2: the cell late" in refused.json["detail"] and "Name the column" in refused.json["detail"]


def test_rows_or_text_are_sent_and_not_both(cup: Cup) -> None:
    for more in ({}, {"rows": [], "text": ""}):
        assert tried(cup, **more).refusal == (400, "malformed")


def test_numbers_of_any_size_are_faults_and_nothing_worse(cup: Cup) -> None:
    rows = [
        {"player": cup.players[0].id, "place": 2**53 - 1, "garnets": -(2**53) + 1},
        {"player": str(uuid4()), "place": 1},
    ]
    response = tried(cup, rows=rows)
    assert response.status == 200, response.body
    assert {it["code"] for it in response.json["cells"]} == {"out_of_range", "not_enrolled", "gap"}


def test_the_table_is_entered_in_one_act_and_shows_on_the_page() -> None:
    cup = Cup(5)
    cup.did("/episodes", {"title": "First"})
    people = [it.id for it in cup.players]
    rows = [{"player": it, "match": "Hall", "place": place} for place, it in enumerate(people, start=1)]
    rows[0] |= {"garnets": 2, "tokens": 1}
    rows[1] |= {"tokens": 1}
    foreseen = tried(cup, rows=rows).json
    assert (foreseen["cells"], foreseen["winners"], foreseen["candidates"]) == ([], people[:1], people[-1:])
    key = str(uuid4())
    responses = [cup.ask(PATH, {"name": "Dice", "rows": rows}, Idempotency_Key=key) for _ in range(2)]
    assert [it.status for it in responses] == [201, 201] and responses[0].body == responses[1].body
    assert [it["text"] for it in responses[0].json["events"]] == foreseen["text"]
    episode = cup.read("/episodes")["results"][0]
    assert episode["tokens"] == {people[0]: 1, people[1]: 1} and episode["candidate"] == people[-1]
    assert [it["player"] for it in episode["places"]] == people
    assert f"Hall: 1. {names(cup)[0]}, 2. " in page(f"/seasons/{cup.id}/episodes/1")[1]
    assert cup.ask(PATH, {"name": "Dice", "rows": rows}).refusal == (409, "already_recorded")
    assert cup.ask(PATH, {"name": "Dice", "rows": rows}, by=cup.players[0]).refusal[1] == "forbidden"
