"""Offers between seats on the match page, also without a script."""

from random import Random

import pytest

from matches.models import Account, Match
from matches.services import offering
from matches.storage import repository
from tests.pages import as_read
from tests.table_setting import new_account, play_on, running_match
from tests.web.test_lobby import at_home


@pytest.fixture
def players() -> list[Account]:
    return [new_account(), new_account()]


@pytest.fixture
def match(players: list[Account]) -> Match:
    running = running_match("pyramid_poker", *players)
    play_on(running, 5, Random(1))
    return running


def test_a_form_offers_and_another_answers(match: Match, players: list[Account]) -> None:
    address = f"/m/{match.code}/"
    kinds = [as_read(at_home(it).get(address)).count('value="takeback"') for it in players]
    assert kinds == [1, 1]
    response = at_home(players[0]).post(f"{address}offers", {"act": "takeback"})
    assert (response.status_code, response.headers["Location"]) == (302, address)
    own, other = (as_read(at_home(it).get(address)) for it in players)
    assert "You offer to take your last move back." in own and ">Withdraw<" in own and ">Accept<" not in own
    name = players[0].username
    assert f"{name} offers to take their last move back." in other and "It takes back:" in other
    assert "told anything alone since" in other or "can&#x27;t be made unknown" in other
    assert ">Accept<" in other and ">Withdraw<" not in other
    at_home(players[1]).post(f"{address}offers", {"act": "accept-1"})
    assert repository.load(match.id).lifecycle.rewinds == 1
    assert ">Accept<" not in as_read(at_home(players[1]).get(address))


def test_pause_is_offered_accepted_and_ended_on_the_page(match: Match, players: list[Account]) -> None:
    address = f"/m/{match.code}/"
    at_home(players[0]).post(f"{address}offers", {"act": "pause", "minutes": "1440"})
    assert "offers a pause of 1 day." in as_read(at_home(players[1]).get(address))
    at_home(players[1]).post(f"{address}offers", {"act": "accept-1"})
    paused = as_read(at_home(players[0]).get(address))
    assert "Paused, as all agreed; from" in paused and ">Go on<" in paused
    at_home(players[0]).post(f"{address}offers", {"act": "resume"})
    at_home(players[1]).post(f"{address}offers", {"act": "accept-2"})
    assert repository.load(match.id).lifecycle.status == "running"


@pytest.mark.parametrize(
    "sent",
    [{}, {"act": "draw"}, {"act": "accept-0"}, {"act": "accept-99999999999"}, {"act": "accept-١"}, {"act": "pause"},
     {"act": "pause", "minutes": "10081"}, {"act": "pause", "minutes": "-1"}, {"act": "decline-7"}, {"act": "resume"}],
)  # fmt: skip
def test_invalid_offer_is_refused_in_words_and_changes_nothing(
    match: Match, players: list[Account], sent: dict[str, str]
) -> None:
    before = repository.version_of(match.id)
    refused = at_home(players[0]).post(f"/m/{match.code}/offers", sent)
    assert refused.status_code in (302, 400, 409)
    assert repository.version_of(match.id) == before


def test_offers_are_shown_only_to_players_against_people(match: Match, players: list[Account]) -> None:
    watcher = new_account()
    offering.make_offer(match_id=match.id, player=players[0].id, kind="pause")
    page = as_read(at_home(watcher).get(f"/m/{match.code}/"))
    assert 'form="offer"' not in page and "offered a pause of 15 minutes." in page
    assert at_home(watcher).post(f"/m/{match.code}/offers", {"act": "accept-1"}).status_code == 403
    alone = running_match("pyramid_poker", players[0], "bot", opener=players[0])
    play_on(alone, 4, Random(1))
    assert 'form="offer"' not in as_read(at_home(players[0]).get(f"/m/{alone.code}/"))
