"""The contests that come with the game, over REST."""

import tomllib

import pytest

from games import catalogue
from games.contest.presets import PRESETS, load
from games.contest.reading import read_content
from games.kernel import to_json
from tests.table_setting import api, new_account

PATH = "/games/contest/presets"


def test_presets_are_listed_with_what_an_organiser_chooses_by() -> None:
    response = api().get(PATH)
    assert response.status_code == 200 and response.headers["Cache-Control"] == "private, no-store"
    cards = response.json()["results"]
    assert [card["name"] for card in cards] == list(PRESETS)
    for card in cards:
        content = load(card["name"])
        assert (card["title"], card["author"]) == (content.title, content.author)
        assert card["players"] == {"min": content.least_seats, "max": content.most_seats}
        assert card["rounds"] == sum(it.repeat for it in content.rounds)
        assert card["summary"].endswith(".") and len(card["summary"]) <= 160
        assert content.rules.strip().replace("\n", " ").startswith(card["summary"])


@pytest.mark.parametrize("name", PRESETS)
def test_preset_can_be_sent_as_the_content_of_a_match(name: str) -> None:
    content = api().get(f"{PATH}/{name}").json()
    assert content == to_json(load(name))
    catalogue["contest"].refuse_unplayable({"content": content}, load(name).least_seats, 0)


def test_preset_is_read_as_a_file_too() -> None:
    response = api().get(f"{PATH}/harbour_watch?format=toml")
    assert response.headers["Content-Type"] == "application/toml"
    assert read_content(tomllib.loads(response.content.decode())) == load("harbour_watch")


@pytest.mark.parametrize(("path", "code"), [("/no_such", "not_found"), ("/salt_road?format=yaml", "malformed")])
def test_unknown_preset_and_format_are_refused(path: str, code: str) -> None:
    response = api(new_account()).get(PATH + path)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == code
