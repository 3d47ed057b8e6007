"""A contest's content over REST: all its faults at once, and no input that breaks the service."""

import json
from random import Random
from typing import Any

import pytest

from games.contest.presets import load
from games.kernel import to_json
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup
from tests.games.contest.test_options_faults import ODD, changed, places_in

CONTENT = to_json(load("salt_road"))
HUNDRED = {
    "title": "",
    "rounds": [{"name": f"Round {it}", "repeat": 0, "who": "x", "gifts": -1, "fields": [{}]} for it in range(20)],
}
"""A content with 101 faults."""


def opened(me: Guest, content: Any) -> Answer:
    seats = [{"player": me.id}, *[{"player": "bot"}] * 4]
    return me.post("/matches", {"game": "contest", "seats": seats, "options": {"content": content}})


def places(answer: Answer) -> list[str]:
    assert answer.status == 422 and answer.json["code"] == "bad_options", answer.body
    assert set(answer.json) == {"type", "title", "status", "detail", "code", "request_id", "faults"}
    return [fault["place"] for fault in answer.json["faults"] if fault["sentence"].endswith(".")]


def test_hundred_faults_are_answered_at_once_with_their_places() -> None:
    told = places(opened(guest(), HUNDRED))
    assert len(told) == 101
    assert told[0] == "content.title" and told[-1] == "content.rounds.19.fields.0.kind"


@pytest.mark.parametrize("dry", ["", "?dry_run=1"])
def test_season_answers_with_all_faults_of_its_main_match_too(dry: str) -> None:
    cup = Cup(5)
    cup.did("/episodes", {"title": "First"})
    settings = {"game": "contest", "options": {"content": HUNDRED}}
    players = [player.id for player in cup.players]
    assert len(places(cup.ask(f"/main-matches/tables{dry}", settings | {"players": players}))) == 101
    seating = settings | {"tables": [[]], "draw": True}
    assert len(places(cup.ask(f"/main-matches/seatings{dry}", seating))) == 101


def test_content_of_a_preset_opens_a_match() -> None:
    assert opened(guest(), CONTENT).status == 201


def test_refused_options_of_another_game_have_no_faults() -> None:
    me = guest()
    seats = [{"player": me.id}, {"player": "bot"}]
    refused = me.post("/matches", {"game": "pentagram", "seats": seats, "options": {"target": 0}})
    assert refused.json["code"] == "bad_options" and "faults" not in refused.json


@pytest.mark.parametrize(
    ("content", "status", "code", "words"),
    [
        ("[" * 50 + "]" * 50, 400, "malformed", "nested deeper than 8 levels"),
        ('{"title": 1e400}', 400, "malformed", "Numbers are whole"),
        ('{"title": NaN}', 400, "malformed", "NaN is not a JSON value"),
        ('{"title": "\\ud800"}', 400, "malformed", "half of a surrogate pair"),
        ('{"least_seats": ' + "9" * 4000 + "}", 400, "malformed", "An integer lies between"),
        ('{"rules": "' + "x" * 70_000 + '"}', 413, "too_large", ""),
        ('{"rules": "' + "x" * 40_001 + '"}', 422, "bad_options", ""),
    ],
)
def test_content_that_is_too_deep_or_long_is_refused_clearly(content: str, status: int, code: str, words: str) -> None:
    body = f'{{"game": "contest", "seats": [{{"player": "bot"}}], "options": {{"content": {content}}}}}'
    answer = guest().ask("POST", "/matches", body.encode())
    assert (answer.status, answer.json["code"]) == (status, code)
    assert words in answer.json["detail"]


def test_odd_values_at_any_place_never_break_the_service() -> None:
    me, rng = guest(), Random(40)
    paths = [path for path in places_in(CONTENT) if path]
    odd = [value for value in ODD if _is_json(value)]
    for _ in range(40):
        answer = opened(me, changed(CONTENT, rng.choice(paths), rng.choice(odd)))
        assert answer.status in (201, 400, 409, 422), answer.body
        if answer.status == 422:
            assert places(answer)


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value)
    except TypeError:
        return False
    return True


def test_texts_have_lines_where_a_contest_allows_them_and_are_stored_in_normal_form() -> None:
    me = guest()
    match = opened(me, CONTENT | {"title": "Cafe\u0301", "rules": "One.\r\nTwo."}).json["id"]
    content = me.get(f"/matches/{match}").json["options"]["content"]
    assert (content["title"], content["rules"]) == ("Caf\u00e9", "One.\nTwo.")


def test_text_that_breaks_the_rule_of_texts_is_a_fault_beside_the_others() -> None:
    content = CONTENT | {"title": "Two\nlines", "rules": "\u0301" * 10_000, "least_seats": 0}
    assert places(opened(guest(), content)) == ["content.title", "content.rules", "content.least_seats"]
