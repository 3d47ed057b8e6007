"""Seats open to anybody or to those named: who is shown them, who gets one, and what a stranger learns of the match."""

from typing import Any
from uuid import UUID

import pytest

from matches import services
from matches.models import Account, Seat
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup
from tests.table_setting import at_once


def opened(opener: Guest, *seats: Any, **setting: Any) -> str:
    """A match of these seats; a seat is a guest who sits there, or what it is open to."""
    given_seats = [{"player": it.id} if isinstance(it, Guest) else {"player": None, "open_to": it} for it in seats]
    response = opener.post("/matches", {"game": "pyramid_poker", "seats": given_seats} | setting)
    assert response.status == 201, response.json
    return str(response.json["id"])


def listed(reader: Guest, **query: Any) -> list[str]:
    """The matches with a seat for the reader, newest first, from all pages."""
    matches, cursor = [], {}
    while True:
        page = reader.get("/seeks", {"limit": 200} | query | cursor).json
        matches += [it["match"] for it in page["results"]]
        if page["next"] is None:
            return matches
        cursor = {"cursor": page["next"]}


def take(taker: Guest, match: str, seat: int = 1) -> Any:
    return taker.post(f"/matches/{match}/join", {"seat": seat})


def test_open_seat_is_listed_to_others_until_it_is_taken() -> None:
    opener, taker, other = guest(), guest(), guest()
    match = opened(opener, opener, "anybody")
    assert match in listed(taker)
    assert match in listed(other)
    assert match not in listed(opener)
    assert take(taker, match).json["seats"][1]["player"]["id"] == taker.id
    assert take(taker, match).status == 200, "Taking it again changes nothing."
    assert match not in listed(other)
    refused = take(other, match)
    assert (refused.status, refused.json["code"]) == (409, "seat_taken")


def test_a_seat_for_named_accounts_is_neither_listed_to_nor_taken_by_another() -> None:
    opener, named, other = guest(), guest(), guest()
    match = opened(opener, opener, [named.id])
    assert match in listed(named)
    assert match not in listed(other)
    refused = take(other, match)
    assert (refused.status, refused.json["code"]) == (403, "not_open_to_you")
    response = other.get(f"/matches/{match}")
    assert response.json["seats"][1]["open_to"] == "named"
    assert named.id not in response.body.decode(), "Who was named is the opener's business."
    assert take(named, match).status == 200


def test_a_seat_by_link_alone_is_not_listed_and_not_taken_by_its_number() -> None:
    opener, other = guest(), guest()
    match = opened(opener, opener, None)
    assert match not in listed(other)
    assert take(other, match).json["code"] == "not_open_to_you"
    assert take(other, match, 7).json["code"] == "no_such_seat"


def test_one_of_many_concurrent_takers_gets_the_seat() -> None:
    opener, takers = guest(), [guest() for _ in range(5)]
    match = opened(opener, opener, "anybody")
    answers = at_once([lambda taker=taker: take(taker, match) for taker in takers])
    assert sorted(it.status for it in answers) == [200, 409, 409, 409, 409]
    assert {it.json["code"] for it in answers if it.status == 409} == {"seat_taken"}
    (winner,) = [taker.id for taker, it in zip(takers, answers, strict=True) if it.status == 200]
    assert str(Seat.objects.get(match=match, number=1).account_id) == winner


def test_taker_of_two_seats_at_once_gets_one() -> None:
    opener, taker = guest(), guest()
    match = opened(opener, "anybody", "anybody")
    answers = at_once([lambda seat=seat: take(taker, match, seat) for seat in (0, 1)])
    assert sorted(it.status for it in answers) == [200, 409]
    assert {it.json["code"] for it in answers if it.status == 409} == {"already_seated"}


def test_opener_withdraws_a_seat_and_opens_it_to_another_account() -> None:
    opener, taker, named = guest(), guest(), guest()
    match = opened(opener, opener, "anybody")
    path = f"/matches/{match}/seek"
    withdrawn = opener.ask("PUT", path, b'{"seat": 1, "open_to": null}')
    assert "open_to" not in withdrawn.json["seats"][1]
    assert match not in listed(taker)
    assert take(taker, match).json["code"] == "not_open_to_you"
    again = opener.ask("PUT", path, f'{{"seat": 1, "open_to": ["{named.id}"]}}'.encode())
    assert again.json["seats"][1]["open_to"] == "named"
    assert match in listed(named)
    assert match not in listed(taker)
    for body, code in (
        (b'{"seat": 0, "open_to": "anybody"}', "seat_taken"),
        (b'{"seat": 5, "open_to": "anybody"}', "no_such_seat"),
        (b'{"seat": 1, "open_to": ["00000000-0000-4000-8000-000000000000"]}', "no_such_player"),
        (b'{"seat": 1, "open_to": []}', "malformed"),
        (b'{"seat": 1, "open_to": "everybody"}', "malformed"),
    ):
        assert opener.ask("PUT", path, body).json["code"] == code
    assert taker.ask("PUT", path, b'{"seat": 1, "open_to": "anybody"}').json["code"] == "forbidden"
    assert take(named, match).status == 200


def test_a_seat_is_given_or_open_and_never_both() -> None:
    opener = guest()
    for seat in ({"player": opener.id, "open_to": "anybody"}, {"player": "bot", "open_to": [opener.id]}):
        response = opener.post("/matches", {"game": "pyramid_poker", "seats": [{"player": opener.id}, seat]})
        assert response.json["code"] == "malformed"
    nobody = [{"player": None, "open_to": ["00000000-0000-4000-8000-000000000000"]}]
    response = opener.post("/matches", {"game": "pyramid_poker", "seats": [{"player": opener.id}, *nobody]})
    assert response.json["code"] == "no_such_player"


def test_over_ownerless_or_filled_match_is_not_listed() -> None:
    reader = guest()
    openers = [guest() for _ in range(3)]
    void, ownerless, substituted = matches = [opened(it, it, "anybody") for it in openers]
    assert listed(reader)[:3] == [substituted, ownerless, void]
    assert openers[0].post(f"/matches/{void}/void", {"reason": "No time."}).status == 200
    Account.objects.filter(id=openers[1].id).update(is_active=False)
    invited = {"seat": 1, "player": guest().id, "reason": "A friend came by."}
    assert openers[2].post(f"/matches/{substituted}/substitute", invited).status == 200
    assert not set(matches) & set(listed(reader))
    assert Seat.objects.get(match=substituted, number=1).open_to is None, "Declined, it isn't listed again."


def test_a_seasons_match_is_never_listed_nor_opened() -> None:
    cup, reader = Cup(3), guest()
    match = cup.death_match()
    Seat.objects.filter(match=match).update(open_to=[])
    assert match not in listed(reader)
    refused = cup.organiser.ask("PUT", f"/matches/{opened_in(cup)}/seek", b'{"seat": 1, "open_to": "anybody"}')
    assert refused.json["code"] == "no_seek_in_season"


def opened_in(cup: Cup) -> str:
    """A match of the season with a free seat, as a fault might leave one; still listed to nobody."""
    seats = [services.SeatRequest(), services.SeatRequest(open_to=())]
    opened_match = services.open_match(
        opener=UUID(cup.organiser.id), game="pyramid_poker", options={}, seats=seats, season=UUID(cup.id)
    )
    assert str(opened_match.match_id) not in listed(guest())
    assert str(opened_match.match_id) not in listed(cup.organiser)
    return str(opened_match.match_id)


def test_guest_takes_an_open_seat_and_cannot_open_one() -> None:
    opener, passer_by = guest(), guest()
    match = opened(opener, opener, "anybody")
    Account.objects.filter(id=passer_by.id).update(guest_until="2100-01-01T00:00Z")
    assert match in listed(passer_by)
    assert take(passer_by, match).status == 200
    given_seats = [{"player": passer_by.id}, {"player": None, "open_to": "anybody"}]
    assert passer_by.post("/matches", {"game": "pyramid_poker", "seats": given_seats}).json["code"] == "not_for_guests"


def test_pages_of_seeks_are_stable_while_others_are_opened_and_narrowed_to_a_game() -> None:
    opener, reader = guest(), guest()
    first, second = (opened(opener, opener, [reader.id]) for _ in range(2))
    page = reader.get("/seeks", {"limit": 1}).json
    assert [it["match"] for it in page["results"]] == [second]
    opened(opener, opener, [reader.id])
    following = reader.get("/seeks", {"limit": 1, "cursor": page["next"]}).json
    assert [it["match"] for it in following["results"]] == [first]
    assert first not in listed(reader, game="pentagram")
    assert first in listed(reader, game="pyramid_poker")
    assert reader.get("/seeks", {"cursor": "forged"}).json["code"] == "malformed"


@pytest.mark.parametrize("delay", [0, 600])
def test_listed_match_shows_what_its_page_shows_without_a_link(delay: int) -> None:
    opener, reader = guest(), guest()
    match = opened(opener, opener, "anybody", spectator_delay=delay, options={"base": 9})
    (seek,) = [it for it in reader.get("/seeks").json["results"] if it["match"] == match]
    page = reader.get(f"/matches/{match}").json
    assert seek["opened_by"]["id"] == page["opened_by"]
    assert seek["clocks"] == page["clocks"]["times"]
    for name in ("code", "game", "title", "seats", "priority", "options", "aids", "opened_at", "opens_at"):
        assert seek[name] == page[name], name
    assert "invitation" not in str(seek)
