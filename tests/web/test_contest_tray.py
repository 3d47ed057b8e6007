"""The form of a contest's round: what it posts for each kind of field, and what it shows when it is refused."""

import json
import re
from datetime import datetime
from typing import Any

import pytest

from matches.domain.clocks import ClockTimes
from matches.html.trays.contest import body_of
from matches.models import Account, Match
from matches.reads import feed
from matches.storage import repository
from tests.pages import as_read
from tests.table_setting import new_account, play_on
from tests.web.contest_setting import content_of, contest
from tests.web.match_setting import client_of

SCRIPT = {"Accept": "application/json"}

FILLED: dict[str, tuple[dict[str, Any], Any]] = {
    "camp": ({"choice.camp": ["", "west"]}, "west"),
    "days": ({"choice.days": ["", "Friday", "Monday"]}, ("Monday", "Friday")),
    "bid": ({"number.bid": "7"}, 7),
    "guess": ({"number.guess": "-3"}, -3),
    "target": ({"player.target": ["", "2"]}, 2),
    "friends": ({"player.friends": ["", "2", "1"]}, (1, 2)),
    "shares": ({"split.shares:left": "4", "split.shares:right: here": "6"}, {"left": 4, "right: here": 6}),
    "seals": ({"split.seals:1": "", "split.seals:2": "6"}, {"2": 6}),
    "order": (
        {"ranking.order:fish": "3", "ranking.order:bread": "1", "ranking.order:wine": "2"}, ("bread", "wine", "fish"),
    ),
    "word": ({"text.word": " two\r\nlines "}, "two lines"),
}  # fmt: skip
"""Fields as a browser posts them, each with the value that it stands for."""


def seated(*names: str, **round_of: Any) -> tuple[Match, list[Account]]:
    """A contest of three whose open round has these fields."""
    players = [new_account() for _ in range(3)]
    return contest(content_of(*names, **round_of), *players), players


def post(match: Match, player: Account, inputs: dict[str, Any], *, act: str = "fill", **more: Any) -> Any:
    """Press a button of the form."""
    form = {"round": "1", "key": f"key-{repository.version_of(match.id)}", "choice": act, **inputs}
    return client_of(player).post(f"/m/{match.code}/commands", form, **more)


def submitted(match: Match, seat: int) -> Any:
    """Return the submission of a seat in its own view."""
    return feed.visible_state(match.id, seat).state.values_of(seat)


@pytest.mark.parametrize("name", sorted(FILLED))
def test_form_submits_each_kind_of_field(name: str) -> None:
    inputs, value = FILLED[name]
    match, players = seated(name)
    response = post(match, players[0], inputs)
    assert response.status_code == 302
    assert submitted(match, 0) == {name: value}


def test_form_submits_cards_of_the_hand() -> None:
    match, players = seated("card")
    hand = feed.visible_state(match.id, 0).state.cards_of(0, "goods")
    post(match, players[0], {"cards.card": ["", *hand[:2]]})
    assert submitted(match, 0) == {"card": hand[:2]}


@pytest.mark.parametrize("name", sorted(FILLED))
def test_form_shows_what_was_submitted_in_its_inputs(name: str) -> None:
    inputs, value = FILLED[name]
    match, players = seated(name)
    post(match, players[0], inputs)
    page = as_read(client_of(players[0]).get(f"/m/{match.code}/"))
    again: dict[str, list[str]] = {"text.word": re.findall(r'name="text.word"[^>]*>([^<]*)<', page)}
    for tag in re.findall(r'<input [^>]*form="play"[^>]*>', page):
        attributes = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "value" in attributes and (attributes["type"] not in ("radio", "checkbox") or " checked" in tag):
            again.setdefault(attributes["name"], []).append(attributes["value"])
    command = body_of(again)
    assert command is not None
    read = command["values"][name]
    assert (tuple(read) if isinstance(value, tuple) else read) in (value, [value])
    assert "You have submitted:" in page and 'value="withdraw"' in page


def test_refused_form_keeps_what_was_typed_with_a_fault_at_each_field() -> None:
    match, players = seated("camp", "bid", "shares", "word")
    inputs = {"choice.camp": ["", "west"], "number.bid": "13", "split.shares:left": "4", "text.word": "x" * 21}
    response = post(match, players[0], inputs)
    page = as_read(response)
    assert response.status_code == 422 and submitted(match, 0) is None
    for fault in (
        '<p class="fault" id="fault-number.bid">Bid is a number from 0 to 12.</p>',
        '<p class="fault" id="fault-split.shares">Shares splits 10 completely; yours add up to 4.</p>',
        '<p class="fault" id="fault-text.word">Word is a text of 1 to 20 characters.</p>',
        '<p class="fault" id="fault-choice.camp"></p>',
    ):
        assert fault in page, fault
    assert 'value="13"' in page and f">{'x' * 21}</textarea>" in page and re.search(r'value="west" checked', page)


def test_refused_form_gives_a_script_the_faults_by_input() -> None:
    match, players = seated("camp", "bid")
    response = post(match, players[0], {"choice.camp": "", "number.bid": "many"}, headers=SCRIPT)
    assert response.status_code == 422
    assert json.loads(response.content)["faults"] == {
        "choice.camp": "Camp takes 1 of these options: east, west, the far, far bank.",
        "number.bid": "Bid is a number from 0 to 12.",
    }


def test_form_of_a_round_that_is_over_is_refused_and_shows_the_open_one() -> None:
    match, players = seated("camp")
    for player in players:
        post(match, player, {"choice.camp": "west"})
    play_on(match, 0)
    response = post(match, players[0], {"choice.camp": "west"})
    assert response.status_code == 422
    assert "Round 2 is open, not round 1." in as_read(response) and submitted(match, 0) is None


def test_submission_is_replaced_and_withdrawn_by_the_form() -> None:
    match, players = seated("camp")
    post(match, players[0], {"choice.camp": "west"})
    post(match, players[0], {"choice.camp": "east"})
    assert submitted(match, 0) == {"camp": "east"}
    post(match, players[0], {"choice.camp": "east"}, act="withdraw")
    assert submitted(match, 0) is None


def test_form_says_what_it_costs_who_sees_it_and_what_no_answer_means() -> None:
    match, players = seated("bid", default={"kind": "previous", "penalty": 2})
    page = as_read(client_of(players[0]).get(f"/m/{match.code}/"))
    assert "You hold 12 Gold." in page and "What you enter is paid from your Gold." in page
    assert "not even the host" in page
    assert "your submission of the last time counts again. You also lose 2 points." in page


def test_form_of_a_seat_without_the_role_only_confirms() -> None:
    content = content_of("target", who="role:thief")
    content["roles"] = [{"name": "thief", "title": "Thief", "text": "Steal."}]
    players = [new_account() for _ in range(3)]
    match = contest(content, *players)
    roles = [feed.visible_state(match.id, seat).state.roles[seat] for seat in range(3)]
    thief, other = roles.index("thief"), roles.index("")
    pages = [as_read(client_of(players[seat]).get(f"/m/{match.code}/")) for seat in (thief, other)]
    assert "player.target" in pages[0] and "Thief. Steal." in pages[0]
    assert "player.target" not in pages[1] and "Thief" not in pages[1] and ">Confirm</button>" in pages[1]
    post(match, players[other], {})
    assert submitted(match, other) == {}


def test_gift_is_given_by_the_form_and_refused_at_its_place() -> None:
    match, players = seated("camp")
    refused = post(match, players[0], {"give-to": "1", "give-balance": "gold", "give-amount": "13"}, act="give")
    assert refused.status_code == 422
    assert '<p class="fault" id="fault-gift">You have 12 of Gold to give away.</p>' in as_read(refused)
    unnamed = post(match, players[0], {"give-to": "", "give-balance": "gold", "give-amount": "3"}, act="give")
    assert "Choose a player, and enter an amount." in as_read(unnamed)
    post(match, players[0], {"give-to": "1", "give-balance": "gold", "give-amount": "3"}, act="give")
    assert feed.visible_state(match.id, 2).state.balances["gold"] == (9, 15, 12)


def test_typed_command_comes_before_the_form() -> None:
    match, players = seated("camp")
    post(match, players[0], {"choice.camp": "west", "text": "submit camp east"}, act="")
    assert submitted(match, 0) == {"camp": "east"}


def test_form_escapes_the_words_of_the_content() -> None:
    content = content_of("camp")
    content["rounds"][0] |= {"title": "<b>Bold</b>", "text": "<i>Now</i>"}
    content["rounds"][0]["fields"][0] |= {"title": "<u>Camp</u>", "options": ['"><s>east', "west"]}
    player = new_account()
    match = contest(content, player, new_account())
    page = client_of(player).get(f"/m/{match.code}/").content.decode()
    for tag in ("<b>", "<i>", "<u>", "<s>"):
        assert tag not in page
    post(match, player, {"choice.camp": '"><s>east'})
    assert submitted(match, 0) == {"camp": '"><s>east'}


def test_form_does_what_a_step_of_the_lesson_asks() -> None:
    browser = client_of()
    page = as_read(browser.get("/learn/contest/3/"))
    assert 'name="number.number"' in page
    form = {"round": "1", "choice": "fill", "number.number": "2", "key": "a-key"}
    assert browser.post("/learn/contest/3/commands", form).url == "/learn/contest/4/"
    refused = browser.post("/learn/contest/3/commands", form | {"number.number": "3"}, follow=True)
    assert "First submit the number 2." in as_read(refused)


def test_page_says_until_when_the_round_is_open() -> None:
    content = content_of("camp")
    clocks = {name: ClockTimes(600, 0, 1) for name in ("round first", "round second", "host")}
    players = [new_account(), new_account()]
    match = contest(content, *players, clocks=clocks)
    for reader in (players[0], None):
        page = as_read(client_of(reader).get(f"/m/{match.code}/"))
        at = re.search(r'Until <time datetime="([^"]+)" data-local>([^<]+) UTC</time>', page)
        assert at is not None
        opened = repository.load(match.id).at / 1_000_000
        assert datetime.fromisoformat(at[1]).timestamp() == pytest.approx(opened + 600, abs=120)
        assert 'id="face-round"' in page and "The round&#x27;s default counts for whoever is missing." in page
