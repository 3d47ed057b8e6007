"""The picture that a chat shows of a match: for whoever may watch, and no more than a spectator sees."""

import re

from django.test import Client

from games.kernel import SPECTATOR
from matches.models import Match
from matches.reads import pictures, selectors
from matches.services import hosting, opening
from tests.api.seasons import Cup
from tests.table_setting import new_account, play_on, running_match, waiting_match


def test_a_chat_finds_the_picture_by_the_match_page_and_needs_no_account() -> None:
    match, stranger = running_match("pyramid_poker", new_account(), new_account()), Client(SERVER_NAME="localhost")
    play_on(match, 3)
    tags = told_to_chats(match, stranger)
    assert tags["og:title"] == f"Pyramid Poker · {match.code}"
    assert re.fullmatch(r"Construction, brick 3 of 30: \S+ builds", tags["og:description"])
    assert tags["og:url"] == f"http://localhost/m/{match.code}/"
    assert tags["og:image"] == f"http://localhost/m/{match.code}/cover.png"
    picture = stranger.get(tags["og:image"])
    assert picture.headers["Content-Type"] == "image/png"
    assert picture.content == pictures.png_of(selectors.match_by(match.code), SPECTATOR, "light", 1200)
    again = stranger.get(tags["og:image"], headers={"if-none-match": picture.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def told_to_chats(match: Match, reader: Client) -> dict[str, str]:
    """Return the match page's meta elements."""
    page = reader.get(f"/m/{match.code}/").content.decode()
    return dict(re.findall(r'<meta (?:property|name)="([a-z:_]+)" content="([^"]*)"', page))


def test_link_preview_says_how_a_match_ended_or_what_it_waits_for() -> None:
    one, two = new_account(), new_account()
    match, stranger = waiting_match("pyramid_poker", one, two), Client(SERVER_NAME="localhost")
    assert told_to_chats(match, stranger)["og:description"] == "Waiting for the start"
    opening.start(match_id=match.id, by=match.opened_by_id, reason="A test.")
    hosting.adjudicate(match_id=match.id, by=match.opened_by_id, winners=[1], reason="A test.")
    assert told_to_chats(match, stranger)["og:description"].startswith(f"{two.username} wins by the host")


def test_seated_player_gets_the_spectators_preview_picture() -> None:
    player = new_account()
    match, seated = running_match("pyramid_poker", player, new_account()), Client(SERVER_NAME="localhost")
    seated.force_login(player)
    play_on(match, 4)
    address = f"/m/{match.code}/cover.png"
    assert seated.get(address).content == Client(SERVER_NAME="localhost").get(address).content


def test_a_private_seasons_match_has_no_picture_for_strangers() -> None:
    code = selectors.match_by(Cup(4, public=False).death_match()).code
    stranger = Client(SERVER_NAME="localhost")
    assert stranger.get(f"/m/{code}/cover.png").status_code == stranger.get(f"/m/{code}/").status_code == 404


def test_no_match_has_no_picture() -> None:
    assert Client(SERVER_NAME="localhost").get("/m/NOMATCH1/cover.png").status_code == 404
