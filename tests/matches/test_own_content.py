"""A match of Peeling the Banana with an organiser's own deck: recorded, played by bots, verified and shown."""

import json

from django.test import Client

from matches.audit import export, replay
from matches.audit.croupier_verify import verify
from matches.models import Match
from matches.reads import entitlements
from tests.games.peeling_the_banana.test_options import ORIGINAL
from tests.matches.test_audit import exported
from tests.pages import as_read
from tests.table_setting import api, new_account, play_on, play_to_the_end, running_match


def test_match_with_a_custom_deck_is_played_and_its_record_verified() -> None:
    match = running_match("peeling_the_banana", options={"content": ORIGINAL})
    play_to_the_end(match)
    lines = exported(match.id)
    summary = verify(lines)
    assert (summary["seed"], summary["draws"] > 0) == (True, True)
    export.replay(lines)
    judged = replay.judged(lines)
    assert (judged.programmed > 2, judged.unprogrammed) == (True, 0)
    assert "long_snake#4" in judged.draws[0]["steps"][0][2]


def test_page_draws_and_offers_custom_content() -> None:
    one = new_account()
    match = running_match(
        "peeling_the_banana", one, new_account(), options={"content": {**ORIGINAL, "deck": {"plus": 9}}}
    )
    play_on(match, 1)
    client = Client(headers={"host": "localhost"})
    client.force_login(one)
    page = as_read(client.get(f"/m/{match.code}/"))
    assert "Plus" in page and "fills 5" in page


def test_faults_of_custom_content_are_named_over_rest_and_in_the_form() -> None:
    me = new_account()
    wrong = {"shapes": {"snake": ["#.", ".#"]}, "deck": {"snake": 99}}
    seats = [{"player": str(me.id)}, {"player": "bot"}]
    refused = api(me).post("/matches", {"game": "peeling_the_banana", "seats": seats, "options": {"content": wrong}})
    problem = json.loads(refused.content)
    assert (refused.status_code, problem["code"]) == (422, "bad_options")
    assert "shapes.snake falls apart" in problem["detail"] and "deck.snake is a whole number" in problem["detail"]
    client = Client(headers={"host": "localhost"})
    client.force_login(me)
    sent = {"seat-0": "me", "seat-1": "bot", "option-content": json.dumps(wrong)}
    assert "shapes.snake falls apart" in as_read(client.post("/open/peeling_the_banana", sent))
    assert not Match.objects.filter(opened_by=me).exists()
    sent["option-content"] = json.dumps(ORIGINAL)
    client.post("/open/peeling_the_banana", sent)
    assert (
        entitlements.lifecycle_for(Match.objects.get(opened_by=me).id, None).opened.options["shapes"]
        == ORIGINAL["shapes"]
    )
