"""An account opens so many matches at once, and fewer among bots alone."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import Client, override_settings

from games.kernel import Illegal
from matches.models import Account, Match
from matches.reads import selectors
from matches.services import hosting, opening
from tests.api.guests import guest
from tests.api.seasons import Cup
from tests.table_setting import BOT, api, at_once, new_account, refusal_of, running_match, waiting_match

GAME = "pyramid_poker"


@pytest.fixture(autouse=True)
def few() -> Iterator[None]:
    """Few enough to reach."""
    with override_settings(LIMITS=True, MATCHES_OF_ACCOUNT=(4, 2), MATCHES_OF_OFFICIAL=(5, 3)):
        yield


def open_one(opener: Account, *seats: Account | str | None) -> UUID:
    asked = [opening.SeatRequest(it.id if isinstance(it, Account) else it) for it in seats]
    return opening.open_match(opener=opener.id, game=GAME, options={}, seats=asked).match_id


def fill(opener: Account, count: int, *seats: Account | str | None) -> list[UUID]:
    return [open_one(opener, *seats) for _ in range(count)]


def test_opener_has_a_limit_of_open_matches(host: Account) -> None:
    mine = fill(host, 4, host, BOT)
    assert refusal_of(lambda: open_one(host, host, None)) == "too_many_matches"
    hosting.void(match_id=mine[0], by=host.id, reason="One too many.")
    open_one(host, host, None)


def test_matches_among_bots_have_a_lower_limit(host: Account) -> None:
    fill(host, 2, BOT, BOT)
    assert refusal_of(lambda: open_one(host, BOT, BOT)) == "too_many_bot_matches"
    open_one(host, host, BOT)
    open_one(host, None, BOT)


@pytest.mark.parametrize(("seats", "most"), [((None, None), 4), ((BOT, BOT), 2)])
def test_concurrent_openings_stay_within_the_limit(host: Account, seats: tuple[Any, ...], most: int) -> None:
    results = at_once([lambda: open_one(host, *seats)] * 12)
    assert sum(isinstance(result, UUID) for result in results) == most
    assert {result.code for result in results if isinstance(result, Illegal)} <= {
        "too_many_matches", "too_many_bot_matches",
    }  # fmt: skip
    assert Match.objects.filter(opened_by=host).count() == most


def test_host_cannot_leave_a_match_to_bots_beyond_the_limit(host: Account) -> None:
    fill(host, 2, BOT, BOT)
    match = running_match(GAME, host, BOT, opener=host)
    before = match.version
    leave = {"match_id": match.id, "seat": 0, "player": BOT, "reason": "I have to go."}
    assert refusal_of(lambda: hosting.substitute(by=host.id, **leave)) == "too_many_bot_matches"
    match.refresh_from_db()
    assert match.version == before
    hosting.substitute(by=new_account(is_organiser=True).id, **leave)


def test_bot_standing_in_for_the_only_person_counts_as_a_match_among_bots(host: Account) -> None:
    """Else four accounts would have two hundred of them, and all in the line of people."""
    left = [running_match(GAME, host, BOT, opener=host) for _ in range(3)]
    alone = {"by": host.id, "seat": 0, "player": "bot", "reason": "I have to go."}
    for match in left[:2]:
        hosting.seat_stand_in(match_id=match.id, **alone)
    assert refusal_of(lambda: hosting.seat_stand_in(match_id=left[2].id, **alone)) == "too_many_bot_matches"
    assert refusal_of(lambda: open_one(host, BOT, BOT)) == "too_many_bot_matches"
    hosting.pause(match_id=left[0].id, by=host.id, reason="A trick.")
    assert refusal_of(lambda: hosting.seat_stand_in(match_id=left[2].id, **alone)) == "too_many_bot_matches"
    assert [it.alone for it in selectors.work_of([left[1].id])] == [True]
    hosting.end_stand_in(match_id=left[0].id, by=host.id, seat=0, reason="Back.")
    hosting.seat_stand_in(match_id=left[2].id, **alone)
    hosting.substitute(match_id=left[1].id, **alone | {"player": BOT})  # It was one of them before.


def test_only_person_may_leave_one_match_to_bots(host: Account) -> None:
    match = running_match(GAME, host, BOT, opener=host)
    hosting.substitute(match_id=match.id, by=host.id, seat=0, player=BOT, reason="I have to go.")


def test_matches_opened_by_others_do_not_count_towards_the_limit(host: Account) -> None:
    for _ in range(4):
        waiting_match(GAME, host, BOT)
    open_one(host, host, BOT)


@pytest.mark.parametrize("right", ["is_organiser", "is_staff"])
def test_officials_have_a_higher_limit(right: str) -> None:
    official = new_account(**{right: True})
    fill(official, 3, BOT, BOT)
    assert refusal_of(lambda: open_one(official, BOT, BOT)) == "too_many_bot_matches"
    fill(official, 2, None, None)
    assert refusal_of(lambda: open_one(official, None, None)) == "too_many_matches"


def test_matches_of_a_season_do_not_count_towards_the_limit() -> None:
    with override_settings(MATCHES_OF_ACCOUNT=(0, 0), MATCHES_OF_OFFICIAL=(0, 0)):
        assert Cup(4).death_match()


def test_refusal_at_the_limit_says_what_to_do_on_every_interface(host: Account) -> None:
    fill(host, 4, host, BOT)
    response = api(host).post("matches", {"game": GAME, "seats": [{"player": str(host.id)}, {"player": "bot"}]})
    assert (response.status_code, response.json()["code"]) == (409, "too_many_matches")
    assert "opened 4 matches" in response.json()["detail"] and "void" in response.json()["detail"]
    client = Client(headers={"host": "localhost"})
    client.force_login(host)
    page = client.post(f"/open/{GAME}/friendly")
    assert page.status_code == 409 and "opened 4 matches" in page.content.decode()
    assert Match.objects.filter(opened_by=host).count() == 4


def test_api_document_lists_the_refusals() -> None:
    who = guest()
    with override_settings(MATCHES_OF_ACCOUNT=(4, 0)):
        refused = who.post("/matches", {"game": GAME, "seats": [{"player": "bot"}, {"player": "bot"}]})
    assert refused.refusal == (409, "too_many_bot_matches")
