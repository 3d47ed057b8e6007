"""A host's view of a running match: a spectator's, until a look is recorded, and only as far as the look reaches."""

import html
import re

import pytest

from events import store
from games import catalogue
from games.kernel import HOST
from matches.html.seats import names_of
from matches.publishing import presence
from matches.reads import feed
from tests.panel.office import Desk, hosted_match, room, types_of, version_of
from tests.table_setting import new_account, play_on, play_to_the_end, running_match, waiting_match


def truth_of(match) -> str:
    """The bricks in characters, as only the truth has them."""
    match_state = feed.visible_state(match.id, HOST)
    return match_state.game.text_board(match_state.state, HOST)


def boards(page: str) -> str:
    return re.search(r'<pre class="characters[^>]*>(.*?)</pre>', page, re.DOTALL)[1]


def test_host_sees_the_truth_only_after_a_recorded_look() -> None:
    match, host = hosted_match()
    desk = Desk(host)
    truth, before = truth_of(match), version_of(match)
    assert boards(desk.read(room(match))) != truth
    assert desk.get(room(match), **{"as": "host"}).status_code == 302, "No look is on record."
    assert desk.get(room(match, "live/"), **{"as": "host"}).status_code == 404
    assert types_of(match.id, before) == []

    answer = desk.post(room(match, "look/"))

    assert answer.status_code == 302
    assert types_of(match.id, before) == ["truth_viewed"]
    assert boards(desk.read(answer.headers["Location"])) == truth
    assert boards(desk.read(room(match))) != truth, "The room itself stays public."


def test_look_covers_earlier_events_only() -> None:
    match, host = hosted_match()
    desk = Desk(host)
    desk.post(room(match, "look/"))
    then = truth_of(match)
    play_on(match, 2)
    assert truth_of(match) != then

    assert boards(desk.read(room(match), **{"as": "host"})) == then
    assert boards(desk.read(room(match, "live/"), **{"as": "host"})) == then
    desk.post(room(match, "look/"))
    assert boards(desk.read(room(match), **{"as": "host"})) == truth_of(match)


def test_look_of_one_host_reveals_nothing_to_another() -> None:
    match, host = hosted_match()
    Desk(host).post(room(match, "look/"))
    organiser = Desk(new_account(is_organiser=True))
    assert organiser.get(room(match), **{"as": "host"}).status_code == 302


def test_host_who_plays_sees_their_seats_view_with_the_reason() -> None:
    host = new_account()
    match = running_match("pyramid_poker", host, new_account(), opener=host)
    play_on(match, 4)
    desk, before = Desk(host), version_of(match)

    page = desk.read(room(match), **{"as": "seat:0"})
    refused = desk.post(room(match, "look/"))

    assert "You hold seat A at this match, so you see no more than that seat does." in page
    assert "control/look/" not in page
    assert refused.status_code == 302 and types_of(match.id, before) == []
    assert desk.get(room(match), **{"as": "host"}).status_code == 404


def test_everything_is_open_after_the_end_and_no_look_is_recorded() -> None:
    match, host = hosted_match()
    play_to_the_end(match)
    before = version_of(match)
    for eyes in ("host", "seat:0", "seat:1", "spectator"):
        assert Desk(host).get(room(match), **{"as": eyes}).status_code == 200
    Desk(host).post(room(match, "look/"))
    assert version_of(match) == before


def test_the_heads_of_rooms_are_read_from_the_newest_version() -> None:
    match, host = hosted_match()
    desk, head = Desk(host), store.head(match.id)
    query = {"after": str(head.version), "status": "running"}
    assert desk.get(room(match, "live/"), **query).status_code == 204
    play_on(match, 1)
    assert desk.get(room(match, "live/"), **query).status_code == 200


def test_text_for_a_chat_has_the_spectators_view_even_for_a_playing_host() -> None:
    host = new_account()
    match = running_match("pyramid_poker", host, new_account(), opener=host)
    play_on(match, 4)
    page = Desk(host).read(room(match), **{"as": "seat:0"})
    text = re.search(r'<textarea id="share-text"[^>]*>(.*?)</textarea>', page, re.DOTALL)[1]
    assert text.startswith(f"Pyramid Poker ({match.code}): {host.username}, ")
    assert text.endswith(f"http://localhost/m/{match.code}/")
    assert not re.search(r"\b(10|[A2-9])[SHDC]\b", text)
    picture = Desk(host).get(f"/api/v1/matches/{match.id}/board.png", **{"as": "spectator"})
    stranger = Desk(new_account()).get(f"/api/v1/matches/{match.id}/board.png")
    assert picture.status_code == 200 and picture.content == stranger.content


@pytest.mark.parametrize("game", sorted(catalogue))
def test_every_game_has_its_room_its_preview_and_its_truth(game: str) -> None:
    match, host = hosted_match(game, moves=3)
    desk = Desk(host)
    assert "<svg" in desk.read(room(match))
    assert "<svg" in desk.read(room(match, "rewind/"))
    look = desk.post(room(match, "look/"))
    if game == "contest":
        assert look.status_code == 403, "The round's submissions are sealed from hosts."
        return
    assert boards(desk.read(room(match), **{"as": "host"})) == html.escape(truth_of(match))


def test_match_before_its_start_has_nothing_to_look_at() -> None:
    host = new_account()
    match = waiting_match("pyramid_poker", new_account(), None, opener=host)
    desk, before = Desk(host), version_of(match)
    assert desk.post(room(match, "look/")).status_code == 302
    page = desk.read(room(match))
    assert "nothing to look at yet" in html.unescape(page) and "control/look/" not in page
    assert version_of(match) == before


def test_host_sees_who_is_connected() -> None:
    match, host = hosted_match()
    presence.note({match.id: [presence.seat(1), presence.watcher("a")]})
    text = " ".join(re.sub(r"<[^>]+>", " ", Desk(host).read(room(match, "presence/"))).split())
    one, other = names_of(match)
    assert text == f"{one}: away {other}: connected 1 watching"
