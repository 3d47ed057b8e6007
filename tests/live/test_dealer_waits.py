"""A command that comes while the dealer is at work: it waits for it a moment, and for nothing else."""

import time
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import httpx

from matches.realtime.dealer_waits import PATIENCE_SECONDS
from tests.api.guests import Guest, guest, house, opened
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.waiting import wait_until


def called() -> tuple[str, list[Guest]]:
    """A match that was started just now; no worker deals."""
    players = [guest(), guest()]
    match = opened(players[0], "pentagram", *players)
    assert players[0].post(f"/matches/{match}/start").json["due"]["dealer"]
    return match, players


def send(web: House, who: Guest, match: str, key: str, query: str = "") -> httpx.Response:
    given = {"Authorization": f"Bearer {who.token}", "Idempotency-Key": key}
    address = f"http://127.0.0.1:{web.port}/api/v1/matches/{match}/commands{query}"
    with httpx.Client(timeout=15, verify=NOBODY) as client:
        return client.post(address, json={"type": "place", "colour": "orange", "space": 0}, headers=given)


def test_a_command_waits_for_the_dealer_and_is_played_once(web: House) -> None:
    match, players = called()
    key = str(uuid4())
    with ThreadPoolExecutor(2) as threads:
        sent = [threads.submit(send, web, players[0], match, key) for _ in range(2)]
        # By then both have found the dealer at work, or find what it has dealt.
        wait_until(lambda: web.connections() >= 2 and not any(unread for _, unread in web.queues()))
        house(match)
        first, second = (it.result() for it in sent)
    assert {first.status_code, second.status_code} == {201} and first.content == second.content
    placed = [it for it in players[0].get(f"/matches/{match}/events").json["results"] if it["type"] == "card_placed"]
    assert len(placed) == 1


def test_where_nobody_deals_it_is_told_so_in_time_and_others_are_answered_meanwhile(web: House) -> None:
    match, players = called()
    begun = time.monotonic()
    with ThreadPoolExecutor(13) as threads:
        waiting = [threads.submit(send, web, players[0], match, str(uuid4())) for _ in range(12)]
        refused = send(web, players[1], "nowhere", str(uuid4()))
        assert refused.status_code == 404 and not all(it.done() for it in waiting)
        answers = [it.result() for it in waiting]
    assert {(it.status_code, it.json()["code"]) for it in answers} == {(409, "dealer_due")}
    assert time.monotonic() - begun >= PATIENCE_SECONDS
    assert send(web, players[0], match, str(uuid4()), "?dry_run=1").json()["code"] == "dealer_due"


def test_what_is_refused_for_another_reason_is_told_at_once(web: House) -> None:
    match, players = called()
    house(match)
    begun = time.monotonic()
    assert send(web, players[1], match, str(uuid4())).json()["code"] == "not_your_turn"
    assert time.monotonic() - begun < PATIENCE_SECONDS
