"""A seat that somebody is given in a friendly is theirs once they accept it; until then nothing counts for anybody."""

from typing import Any
from uuid import UUID

import pytest

from events import projections, store
from matches.models import Match, PlayerResult, Seat
from matches.services import opening
from matches.storage import repository
from matches.storage.projections import RESULTS
from tests.api.guests import Guest, guest, house, opened, started
from tests.api.seasons import Cup
from tests.matches.hosted_match import holds


@pytest.fixture
def ann() -> Guest:
    return guest()


@pytest.fixture
def ben() -> Guest:
    return guest()


def accepted(reader: Guest, match: str) -> list[Any]:
    """Return False for each seat that has still to be accepted; checks that lists contain the same."""
    accepting = [seat.get("accepted", True) for seat in reader.get(f"/matches/{match}").json["seats"]]
    cards = reader.get("/matches", {"limit": 200, "player": reader.id}).json["results"]
    assert [[seat.get("accepted", True) for seat in it["seats"]] for it in cards if it["id"] == match] == [accepting]
    return accepting


def results(match: str, reader: Guest) -> list[bool]:
    """Return for each row of the match's results whether it counts; checks that the players' lists agree."""
    projections.project(RESULTS.name, UUID(match))
    rows = PlayerResult.objects.filter(match_id=match, generation=projections.generation(RESULTS.name))
    for row in rows:
        listed = reader.get(f"/players/{row.account_id}/results").json["results"]
        assert (match in {it["match"] for it in listed}) == row.counts
    return [row.counts for row in rows.order_by("seat")]


def types(match: str) -> list[str]:
    return [row.type for row in store.read(UUID(match))]


# Accepting


def test_opener_has_accepted_and_the_other_player_accepts_once(ann: Guest, ben: Guest) -> None:
    match = opened(ann, "pyramid_poker", ann, ben)
    assert accepted(ann, match) == [True, False]
    first = ben.post(f"/matches/{match}/accept", {})
    again = ben.post(f"/matches/{match}/accept")
    assert (first.status, again.status) == (200, 200)
    assert "accepted" not in first.json["seats"][1] and first.json["version"] == again.json["version"]
    assert types(match).count("seat_accepted") == 1
    assert accepted(ben, match) == [True, True]


def test_a_move_a_nonce_and_an_invitation_accept_too(ann: Guest, ben: Guest) -> None:
    moved = started("pyramid_poker", ben, ann, opener=ann)
    assert accepted(ann, moved) == [False, True]
    assert ben.send(moved, "first 0").status == 201
    assert accepted(ann, moved) == [True, True]
    match_with_nonce = opened(ann, "pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{match_with_nonce}/nonce", {"nonce": "mine"}).status == 200
    assert accepted(ann, match_with_nonce) == [True, True]
    document = ann.post("/matches", {"game": "pyramid_poker", "seats": [{"player": ann.id}, {"player": None}]}).json
    joined = ben.post(f"/matches/{document['id']}/join", {"invitation": document["seats"][1]["invitation"]})
    assert joined.status == 200 and accepted(ann, document["id"]) == [True, True]
    for match in (moved, match_with_nonce, document["id"]):
        assert "seat_accepted" not in types(match)
        repository._cache.clear()
        assert repository.load(UUID(match)).lifecycle.awaited == ()


def test_refused_move_and_stand_in_do_not_accept(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ben, ann, opener=ann)
    assert ben.send(match, "place A1").status >= 400
    assert ben.send(match, "first 0", dry_run=True).status == 200
    official = guest(is_organiser=True)
    stand_in = {"seat": 0, "player": "bot", "reason": "Away."}
    assert official.post(f"/matches/{match}/stand-in", stand_in).status == 200
    house(match)
    assert accepted(ann, match) == [False, True]


def test_matches_against_bots_and_of_seasons_need_no_acceptance(ann: Guest) -> None:
    assert accepted(ann, started("pyramid_poker", ann, "bot")) == [True, True]
    cup = Cup(3)
    match = cup.death_match()
    assert accepted(cup.living()[-1], match) == [True, True]
    assert cup.living()[-1].post(f"/matches/{match}/accept").status == 200
    assert cup.living()[-1].post(f"/matches/{match}/decline").refusal == (409, "already_accepted")


def test_a_substitute_has_to_accept_for_themselves(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{match}/accept").status == 200
    cara, official = guest(), guest(is_organiser=True)
    substitution = {"seat": 1, "player": cara.id, "reason": "Ben is ill."}
    assert official.post(f"/matches/{match}/substitute", substitution).status == 200
    assert accepted(ann, match) == [True, False]
    assert official.post(f"/matches/{match}/substitute", substitution | {"player": "bot"}).status == 200
    assert accepted(ann, match) == [True, True]


def test_an_invited_player_is_called(ann: Guest, ben: Guest) -> None:
    match = opened(ann, "pyramid_poker", ann, ben)
    assert match in {card["id"] for card in ben.get("/me/matches", {"needs_me": 1}).json["results"]}
    assert ben.post(f"/matches/{match}/accept").status == 200
    assert ben.get("/me/matches", {"needs_me": 1}).json["results"] == []


def test_a_late_spectator_doesnt_learn_of_a_move_by_its_acceptance(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ben, ann, opener=ann, spectator_delay=3600)
    watcher = guest()

    def read_acceptance() -> list[Any]:
        card = next(it for it in watcher.get("/matches", {"player": ben.id}).json["results"] if it["id"] == match)
        seats = watcher.get(f"/matches/{match}").json["seats"]
        assert [it.get("accepted") for it in card["seats"]] == [it.get("accepted") for it in seats]
        return [it.get("accepted") for it in seats]

    before = read_acceptance()
    assert ben.send(match, "first 0").status == 201
    assert read_acceptance() == before


# Declining


def test_decline_before_the_start_leaves_an_open_seat(ann: Guest, ben: Guest) -> None:
    match = opened(ann, "pyramid_poker", ann, ben)
    response = ben.post(f"/matches/{match}/decline", {"reason": "No time."})
    assert (response.status, response.json["status"], response.json["seats"][1]["player"]) == (200, "waiting", None)
    assert Seat.objects.get(match_id=match, number=1).account_id is None
    assert ann.post(f"/matches/{match}/start").refusal == (409, "seats_open")
    assert ben.post(f"/matches/{match}/accept").refusal == (403, "forbidden")
    filled = {"seat": 1, "player": "bot", "reason": "Then the bot."}
    assert ann.post(f"/matches/{match}/substitute", filled).status == 200
    assert ann.post(f"/matches/{match}/start").status == 200
    assert ann.post(f"/matches/{match}/pause", {"reason": "Alone again."}).status == 200


def test_decline_after_the_start_voids_the_match(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    response = ben.post(f"/matches/{match}/decline")
    assert (response.status, response.json["status"]) == (200, "void")
    assert str(Seat.objects.get(match_id=match, number=1).account_id) == ben.id, "It stays among their matches."
    assert ben.post(f"/matches/{match}/decline").refusal == (409, "match_over")
    assert ben.post(f"/matches/{match}/accept").refusal == (409, "match_over")
    assert holds(Match.objects.get(id=match))["seed"]


def test_decline_after_a_move_is_refused(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ben, ann, opener=ann)
    assert ben.send(match, "first 0").status == 201
    for player in (ann, ben):
        assert player.post(f"/matches/{match}/decline").refusal == (409, "already_accepted")
    assert guest().post(f"/matches/{match}/decline").refusal == (403, "forbidden")
    assert guest().post(f"/matches/{match}/accept").refusal == (403, "forbidden")


# Until then


def test_opener_may_only_start_or_cancel_until_everybody_has_accepted(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    for act in ("pause", "rule", "approve"):
        assert ann.post(f"/matches/{match}/{act}", {"reason": "So it is."}).refusal == (403, "plays_here")
    assert ann.post(f"/matches/{match}/void", {"reason": "Nobody came."}).status == 200
    other = started("pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{other}/accept").status == 200
    assert ann.post(f"/matches/{other}/void", {"reason": "It goes badly."}).refusal == (403, "plays_here")


# What counts


def test_no_result_counts_before_everybody_has_accepted(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    assert ann.send(match, {"type": "resign"}).status == 201
    assert results(match, ann) == [False, False]
    assert ann.get(f"/matches/{match}").json["outcome"]["counts"] is False
    played = started("pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{played}/accept").status == 200
    assert ann.send(played, {"type": "resign"}).status == 201
    assert results(played, ann) == [True, True]
    assert "counts" not in ann.get(f"/matches/{played}").json["outcome"]


def test_approved_result_does_not_count_without_acceptance(ann: Guest, ben: Guest) -> None:
    official = guest(is_organiser=True)
    for accepts, counts in ((False, [False, False]), (True, [True, True])):
        match = started("pyramid_poker", ann, ben, approval=True)
        if accepts:
            assert ben.post(f"/matches/{match}/accept").status == 200
        assert ann.send(match, {"type": "resign"}).status == 201
        assert results(match, ann) == [False, False]
        assert official.post(f"/matches/{match}/approve", {"reason": "Well played."}).status == 200
        assert results(match, ann) == counts


def test_friendly_decided_by_a_host_does_not_count(ann: Guest, ben: Guest) -> None:
    host = guest()
    match = started("pyramid_poker", ann, ben, opener=host)
    for player in (ann, ben):
        assert player.post(f"/matches/{match}/accept").status == 200
    assert host.post(f"/matches/{match}/adjudicate", {"winners": [0], "reason": "Mine."}).status == 200
    assert results(match, ann) == [False, False]


# Old matches


def test_a_match_from_before_needs_no_acceptance_and_its_result_counts(
    ann: Guest, ben: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:

    def as_before(**fields: Any) -> Any:
        return event_type(**{**fields, "acceptance": False})

    event_type = opening.MatchOpened
    with monkeypatch.context() as earlier:
        earlier.setattr(opening, "MatchOpened", as_before)
        match = opening.open_match(
            opener=UUID(ann.id), game="pyramid_poker", options={},
            seats=[opening.SeatRequest(UUID(ann.id)), opening.SeatRequest(UUID(ben.id))],
        )  # fmt: skip
    match = str(match.match_id)
    assert accepted(ann, match) == [True, True]
    assert ben.post(f"/matches/{match}/accept").status == 200
    assert ben.post(f"/matches/{match}/decline").refusal == (409, "already_accepted")
    assert ann.post(f"/matches/{match}/start").status == 200
    assert ann.send(match, {"type": "resign"}).status == 201
    assert results(match, ann) == [True, True]


# Playing again


def test_rematch_is_offered_read_and_accepted_by_its_players(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{match}/accept").status == 200
    address = f"/matches/{match}/rematch"
    assert ann.post(address).refusal == (409, "not_finished")
    assert ann.send(match, "resign").status == 201
    assert ben.get(address).refusal == (404, "no_rematch")
    first, again = ann.post(address), ann.post(address)
    assert (first.status, again.status, first.headers["Location"]) == (201, 201, f"/api/v1/matches/{first.json['id']}")
    assert first.json["id"] == again.json["id"] and first.json["status"] == "waiting"
    assert accepted(ben, first.json["id"]) == [True, False]
    assert ben.get(address).json["id"] == first.json["id"]
    assert first.json["id"] in {card["id"] for card in ben.get("/me/matches", {"needs_me": 1}).json["results"]}
    stranger = guest()
    assert stranger.get(address).refusal == stranger.post(address).refusal == (403, "forbidden")
    assert ben.post(address).json["status"] == "running"


def test_declined_rematch_is_void(ann: Guest, ben: Guest) -> None:
    match = started("pyramid_poker", ann, ben)
    assert ben.post(f"/matches/{match}/accept").status == 200
    assert ann.send(match, "resign").status == 201
    rematch = ann.post(f"/matches/{match}/rematch").json["id"]
    assert ben.post(f"/matches/{rematch}/decline", {"reason": "No time."}).json["status"] == "void"
    assert ann.get(f"/matches/{match}/rematch").json["status"] == "void"
    assert ann.post(f"/matches/{match}/rematch").refusal == (409, "rematch_off")
