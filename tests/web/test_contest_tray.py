"""The contest's form: every kind of field is submitted by plain controls."""

import re
from random import Random
from typing import Any

import pytest
from django.http import QueryDict
from django.template.loader import render_to_string
from django.test import Client

from games import catalogue
from games.contest.commands import Submit
from games.contest.presets import PRESETS, load
from games.kernel import HOST, Chance, Table, judge, to_json
from matches.html.trays import filled, tray_of
from matches.html.trays.tray import Form
from matches.http.problems import Problem
from matches.models import Match
from matches.services import playing
from matches.storage import repository
from tests.table_setting import new_account, running_match
from tests.web.test_play_trays import asked_of

GAME = catalogue["contest"]
FIELDS: list[dict[str, Any]] = [
    {"kind": "choice", "name": "one", "options": ["left", "north of <here>"]},
    {"kind": "choice", "name": "some", "options": ["a", "b, c", "d"], "least": 0, "most": 2},
    {"kind": "number", "name": "bid", "least": -3, "most": 7},
    {"kind": "player", "name": "who"},
    {"kind": "player", "name": "many", "least": 1, "most": 2},
    {"kind": "split", "name": "shares", "budget": 10, "options": ["x", "y"]},
    {"kind": "split", "name": "gifts", "budget": 10},
    {"kind": "ranking", "name": "order", "options": ["first", "second", "third"]},
    {"kind": "text", "name": "words"},
]
CONTENT: dict[str, Any] = {
    "title": "All kinds",
    "rounds": [{"name": "first", "text": "Fill in.", "fields": FIELDS[1:]}, {"name": "second", "fields": FIELDS[:1]}],
}


def typed(form: Form, values: dict[str, Any]) -> QueryDict:
    """Return what a browser sends when somebody fills in these values."""
    data = QueryDict(mutable=True)
    data["number"] = str(form.number)
    for control in form.controls:
        value = values[control.name]
        if control.kind == "numbers":
            for item, _ in control.items:
                amount = value.get(item, 0) if isinstance(value, dict) else value.index(item) + 1
                data[f"{control.input}-{item}"] = str(amount)
        else:
            data.setlist(control.input, [str(it) for it in (value if isinstance(value, tuple) else (value,))])
    return data


def judged(table: Table, seat: int, command: Submit) -> Any:
    """Return the events of a command, read as JSON."""
    return judge.act(GAME, table.state, seat, to_json(command), Chance(seed=b"any", version=table.version))


def form_of(table: Table, seat: int) -> Form:
    form = tray_of("contest", asked_of_all(table, seat)).form
    assert form is not None
    return form


def asked_of_all(table: Table, seat: int) -> Any:
    context = asked_of(GAME, table, seat)
    return type(context)(**{**vars(context), "names": [f"Seat {it}" for it in range(table.seats)]})


@pytest.mark.parametrize("name", [*PRESETS, "all kinds"])
def test_form_submits_what_was_filled_in(name: str) -> None:
    content = CONTENT if name == "all kinds" else to_json(load(name))
    seats, rng = max(4, content.get("least_seats", 0)), Random(name)
    table = Table(GAME, {"content": content}, seats, 0, Chance(seed=name.encode()))
    submitted = 0
    while table.outcome is None and submitted < 60:
        if table.due.dealer:
            table.deal()
            continue
        seat = rng.choice(table.due.prompts).seat
        command = GAME.sample(table.witness(seat), seat, rng)
        if seat is not HOST and isinstance(command, Submit):
            state = table.witness(seat)
            read = filled("contest", state, seat, typed(form_of(table, seat), command.values))
            assert judged(table, seat, read) == judged(table, seat, command)
            submitted += 1
        table.act(seat, command)
    assert submitted > 3


def test_form_shows_what_was_submitted_before() -> None:
    table = Table(GAME, {"content": CONTENT}, 4, 0, Chance(seed=b"shown"))
    while table.due.dealer:
        table.deal()
    values = GAME.sample(table.witness(1), 1, Random(1)).values
    table.act(1, {"type": "submit", "round": 1, "values": to_json(values)})
    form = form_of(table, 1)
    shown = {control.name: control.values for control in form.controls}
    assert shown["bid"] == (str(values["bid"]),) and shown["words"] == (values["words"],)
    assert form.button == "Replace what you submitted"
    page = render_to_string("web/match/form.html", {"form": form})
    assert page.count("<label") == page.count("<input") - 1


def test_form_escapes_the_words_of_the_content() -> None:
    table = Table(GAME, {"content": CONTENT | {"rounds": CONTENT["rounds"][1:]}}, 4, 0, Chance(seed=b"escaped"))
    while table.due.dealer:
        table.deal()
    assert 'value="north of &lt;here&gt;"' in render_to_string("web/match/form.html", {"form": form_of(table, 0)})


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"fill-bid": ["x"]}, "bid: give a whole number."),
        ({"fill-bid": ["9" * 5000]}, "bid: give a whole number."),
        ({"fill-who": ["Ada"]}, "who: give a whole number."),
        ({"fill-gifts-0": []}, "gifts, 0: give a whole number."),
        ({"fill-order-first": ["2"], "fill-order-second": ["2"]}, "order: give each a place of its own, from 1 to 3."),
        ({"number": ["²"]}, "The round: give a whole number."),
    ],
)
def test_value_that_cannot_be_read_is_named(changes: dict[str, list[str]], words: str) -> None:
    table = Table(GAME, {"content": CONTENT}, 4, 0, Chance(seed=b"named"))
    while table.due.dealer:
        table.deal()
    data = typed(form_of(table, 2), GAME.sample(table.witness(2), 2, Random(2)).values)
    for name, sent in changes.items():
        data.setlist(name, sent)
    with pytest.raises(Problem, match=re.escape(words)):
        filled("contest", table.witness(2), 2, data)


@pytest.fixture
def seated() -> tuple[Match, Client]:
    ada = new_account()
    client = Client(headers={"host": "localhost"})
    client.force_login(ada)
    match = running_match("contest", ada, new_account())
    while (match_state := repository.load(match.id)).due.dealer:
        playing.deal(match_id=match.id, expected=match_state.version)
    return match, client


def sent(client: Client, match: Match, **fields: str) -> Any:
    return client.post(f"/m/{match.code}/commands", {"key": f"k{fields}".replace(" ", ""), **fields}, follow=True)


def test_page_takes_the_form_without_scripts(seated: tuple[Match, Client]) -> None:
    match, client = seated
    page = client.get(f"/m/{match.code}/").content.decode()
    assert '<form id="fill"' in page and 'name="fill-choice"' in page
    done = sent(client, match, number="1", **{"fill-choice": "keep"}).content.decode()
    assert re.search(r'value="keep"\s+type="radio"\s+required\s+checked', done)
    assert "Withdraw what you submitted" in done


def test_form_of_another_round_is_refused(seated: tuple[Match, Client]) -> None:
    match, client = seated
    page = sent(client, match, number="2", **{"fill-choice": "keep"}).content.decode()
    assert '<button form="fill" class="button">Submit</button>' in page
    assert "Round 1 is open, not round 2." in page


def test_form_of_a_game_without_one_is_refused() -> None:
    ada = new_account()
    client = Client(headers={"host": "localhost"})
    client.force_login(ada)
    match = running_match("pyramid_poker", ada, new_account())
    assert "There is no form at this game." in sent(client, match, number="1").content.decode()


def test_form_does_what_a_step_of_the_lesson_asks() -> None:
    client = Client(headers={"host": "localhost"})
    address = "/learn/contest/3/"
    assert '<form id="fill"' in client.get(address).content.decode()
    answer = client.post(f"{address}commands", {"number": "1", "fill-number": "2"})
    assert answer.headers["Location"] == "/learn/contest/4/"
