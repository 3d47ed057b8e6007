"""A decision as a scene: who can be chosen, what follows, one button that says whom it means, and what came of it."""

from datetime import timedelta
from html import unescape
from pathlib import Path
from uuid import uuid4
from xml.etree import ElementTree

import pytest

import matches.web
from events import store
from games import catalogue
from tests.api.guests import Guest
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.web.test_season_desk import account_of, asked_on, browser, decide, scene, types, version

HTMX = {"hx-request": "true"}


def foretold(guest: Guest, cup: Cup, act: str, headers: dict[str, str] | None = None, **fields: str) -> str:
    answer = browser(account_of(guest)).post(f"/seasons/{cup.id}/desk/{act}/foresee", fields, headers=headers)
    assert answer.status_code == 200
    return unescape(as_read(answer))


def turned(guest: Guest, cup: Cup, act: str, stage: str) -> str:
    """Return the address to which a refreshed scene redirects, or an empty string if it stays."""
    client = browser(account_of(guest))
    return client.get(f"/seasons/{cup.id}/desk/{act}?stage={stage}", headers=HTMX).headers.get("HX-Redirect", "")


def test_choice_is_previewed_before_it_is_confirmed_without_a_script() -> None:
    cup = Cup(5)
    ec, free = cup.main_match(), cup.players[2]
    page, before = scene(ec, cup, "opponent"), version(cup)
    assert "Choose an opponent." in page and "You can't undo this." not in page
    page = foretold(ec, cup, "opponent", player=free.id)
    assert f'value="{free.id}" checked' in page and f">Choose {free.name}</button>" in page
    assert "You can't undo this." in page and f'name="expected" value="{before}"' in page
    part = foretold(ec, cup, "opponent", HTMX, player=free.id)
    assert f">Choose {free.name}</button>" in part and "<html" not in part
    assert version(cup) == before


def test_only_possible_choice_is_preselected() -> None:
    cup = Cup(4)
    ec = cup.main_match()
    assert f">Choose {cup.players[2].name}</button>" in scene(ec, cup, "opponent")


def test_a_button_never_calls_another_one_than_it_says() -> None:
    cup = Cup(5)
    ec, named, chosen = cup.main_match(), cup.players[2], cup.players[3]
    before, client = version(cup), browser(account_of(ec))
    fields = {"key": f"key-{uuid4()}", "player": [chosen.id, named.id]}
    answer = client.post(f"/seasons/{cup.id}/desk/opponent", fields)
    page = unescape(as_read(answer))
    assert answer.status_code == 400 and "You chose another one than the button named." in page
    assert f">Choose {chosen.name}</button>" in page and version(cup) == before


def test_decision_is_shown_and_a_form_sent_twice_decides_once() -> None:
    cup = Cup(4, bans_each=1)
    ec, free = cup.main_match(), cup.players[2]
    before = version(cup)
    for _ in range(2):
        answer = decide(ec, cup, "opponent", player=free.id, key="call-1", expected=str(before))
        assert answer.headers["Location"] == f"/seasons/{cup.id}/desk/opponent"
    assert types(cup, before) == ["opponent_named"]
    page = scene(ec, cup, "opponent")
    assert f"{free.name} is your opponent" in page and f"/seasons/{cup.id}/desk/ban" in page
    assert f"{free.name} is your opponent" not in scene(free, cup, "opponent"), "It was not theirs to decide."
    assert decide(free, cup, "ban", game="pentagram").status_code == 302
    page = scene(ec, cup, "ban")
    assert f"Struck by {free.name}" in page and 'name="game" value="pentagram"' not in page


def test_a_scene_turns_by_itself_when_the_season_has_moved_on() -> None:
    cup = Cup(4)
    first, second, *others = cup.players
    cup.did("/episodes", {"title": "First"})
    cup.did("/main-matches", {"name": "Dice", "winners": [first.id, second.id], "candidates": [it.id for it in others]})
    assert turned(second, cup, "candidate", "open") == ""
    assert decide(first, cup, "candidate", player=others[0].id).status_code == 302
    assert turned(second, cup, "candidate", "open") == f"/seasons/{cup.id}/desk/candidate"
    assert f"{others[0].name} is the elimination candidate" in scene(second, cup, "candidate")
    assert turned(second, cup, "candidate", "made") == ""
    cup.did("/episodes/close", {"reason": "A storm."})
    assert turned(second, cup, "candidate", "made") == f"/seasons/{cup.id}/desk/candidate"
    assert 'id="desk"' in scene(second, cup, "candidate"), "The episode is over."


def test_scene_after_the_deadline_names_the_decider_and_has_no_button(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = Cup(5, opponent_minutes=10, decision_default="random")
    ec = cup.main_match()
    page = scene(ec, cup, "opponent")
    assert "data-falls-at=" in page and "Then chance decides for you." in page
    later = store.clock() + timedelta(minutes=11)
    monkeypatch.setattr("matches.web.seasons.scenes.store.clock", lambda: later)
    page = scene(ec, cup, "opponent")
    assert "Your time ended on" in page and asked_on(page) == [] and "<form" not in page.partition("<main")[2]
    assert cup.players[2].name in page


def test_each_game_has_a_symbol() -> None:
    drawn = ElementTree.parse(Path(matches.web.__file__).parent / "static/web/things.svg").getroot()  # noqa: S314
    assert {it.get("id") for it in drawn} == {*catalogue, "garnet", "token"}
