"""Lists of matches: filters, pages, and what needs me."""

import pytest

from tests.api.guests import Guest, guest, opened, started

GAMES = ("pentagram", "pyramid_poker")


@pytest.fixture(scope="module")
def players() -> list[Guest]:
    return [guest(), guest()]


@pytest.fixture(scope="module")
def house_of_matches(players: list[Guest]) -> dict[str, str]:
    """Matches of these two alone, oldest first."""
    ada, ben = players
    matches = {
        "waiting": opened(ada, "pyramid_poker", ada, ben),
        "running": started("pyramid_poker", ada, ben),
        "mine": started("pyramid_poker", ada, "bot"),
        "watched": opened(ada, "pentagram", ben, "bot"),
        "over": started("pentagram", ada, ben),
        "moved": started("pyramid_poker", ada, ben),
    }
    assert ben.send(matches["over"], {"type": "resign"}).status == 201
    assert ada.send(matches["moved"], "first 1").status == 201
    return matches


def names(guest: Guest, matches: dict[str, str], path: str = "/matches", **query: object) -> list[str]:
    """Return the names of the fixture's listed matches, in the order of the list."""
    names_by_id = {id: name for name, id in matches.items()}
    listed = guest.get(path, {"limit": 200, **query}).json["results"]
    return [names_by_id[card["id"]] for card in listed if card["id"] in names_by_id]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({}, ["moved", "over", "watched", "mine", "running", "waiting"]),
        ({"status": "waiting"}, ["watched", "waiting"]),
        ({"status": "running"}, ["moved", "mine", "running"]),
        ({"status": "finished"}, ["over"]),
        ({"status": "void"}, []),
        ({"game": "pentagram"}, ["over", "watched"]),
        ({"game": "chess"}, []),
        ({"needs_me": 1}, ["mine", "running"]),
        ({"needs_me": "false", "status": "waiting"}, ["watched", "waiting"]),
        ({"needs_me": "true", "game": "pentagram"}, []),
    ],
)
def test_list_contains_the_matching_matches_newest_first(
    players: list[Guest], house_of_matches: dict[str, str], query: dict[str, object], expected: list[str]
) -> None:
    assert names(players[0], house_of_matches, **query) == expected


def test_a_list_of_a_players_matches_is_anyones_to_read(players: list[Guest], house_of_matches: dict[str, str]) -> None:
    ada, ben = players
    for reader in (ada, ben, guest()):
        listed = reader.get("/matches", {"player": ben.id, "limit": 200}).json["results"]
        assert [card["id"] for card in listed] == [
            house_of_matches[name] for name in ("moved", "over", "watched", "running", "waiting")
        ]
    assert names(ben, house_of_matches, player=ada.id, status="running") == ["moved", "mine", "running"]


def test_my_matches_are_those_i_sit_at(players: list[Guest], house_of_matches: dict[str, str]) -> None:
    ada, ben = players
    assert names(ada, house_of_matches, "/me/matches") == ["moved", "over", "mine", "running", "waiting"]
    assert names(ben, house_of_matches, "/me/matches") == ["moved", "over", "watched", "running", "waiting"]
    assert names(ben, house_of_matches, "/me/matches", needs_me=1) == ["moved", "watched", "waiting"]
    assert names(ben, house_of_matches, "/me/matches", player=ada.id, status="finished") == ["over"]
    assert guest().get("/me/matches").json == {"results": [], "next": None}


def test_card_equals_the_state_of_its_match(players: list[Guest], house_of_matches: dict[str, str]) -> None:
    ada = players[0]
    cards = {card["id"]: card for card in ada.get("/me/matches", {"limit": 200}).json["results"]}
    for name, match in house_of_matches.items():
        if name == "watched":
            continue
        document = ada.get(f"/matches/{match}").json
        card = cards[match]
        shared = ("id", "code", "game", "title", "status", "version", "seats", "opened_at")
        assert {it: card[it] for it in shared} == {it: document[it] for it in shared}
        assert card["needs_me"] == (name in ("running", "mine"))
        assert (card["finished_at"] is not None) == (name == "over")


@pytest.mark.parametrize("limit", [1, 2, 5, 6])
def test_pages_contain_each_match_once_while_others_are_opened(limit: int) -> None:
    ada = guest()
    matches = [opened(ada, game, ada, "bot") for game in GAMES for _ in range(3)]
    cards, cursor = [], None
    while True:
        page = ada.get("/me/matches", {"limit": limit} | ({"cursor": cursor} if cursor else {})).json
        assert len(page["results"]) <= limit
        cards += [card["id"] for card in page["results"]]
        cursor = page["next"]
        if cursor is None:
            break
        opened(ada, "pentagram", ada, "bot")
    assert cards == matches[::-1]


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0}, {"limit": 201}, {"limit": "1_0"}, {"limit": "१"}, {"status": "lost"}, {"player": "ada"},
        {"needs_me": "yes"}, {"cursor": ""}, {"cursor": "x:y:z"}, {"order": "id"}, {"opened_by__id": 1},
    ],
)  # fmt: skip
def test_invalid_query_is_refused(players: list[Guest], query: dict[str, object]) -> None:
    for path in ("/matches", "/me/matches"):
        assert players[0].get(path, query).refusal == (400, "malformed")
