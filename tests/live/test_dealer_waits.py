"""A command that comes while the dealer is at work: it waits for it a moment, and for nothing else."""

import re
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from uuid import uuid4

import httpx
import pytest

from matches.models import Account, Match
from matches.realtime.dealer_waits import PATIENCE_SECONDS
from tests.api.guests import Guest, guest, house, opened
from tests.live.conftest import served
from tests.live.test_access import cookie
from tests.live.watching import House
from tests.plain_http import NOBODY
from tests.table_setting import then_closed
from tests.waiting import PATIENCE, wait_until
from tests.web.match_setting import client_of

T = TypeVar("T")
PLACE = {"type": "place", "colour": "orange", "space": 0}


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house that takes three commands a minute of each account."""
    with served(tmp_path_factory.mktemp("strict"), CROUPIER_LIMIT_COMMANDS="3/minute") as it:
        yield it


def called() -> tuple[str, list[Guest]]:
    """A match that was started just now; no worker deals."""
    players = [guest(), guest()]
    match = opened(players[0], "pentagram", *players)
    assert players[0].post(f"/matches/{match}/start").json["due"]["dealer"]
    return match, players


def send(web: House, who: Guest, match: str, key: str, query: str = "") -> httpx.Response:
    sent_headers = {"Authorization": f"Bearer {who.token}", "Idempotency-Key": key}
    address = f"http://127.0.0.1:{web.port}/api/v1/matches/{match}/commands{query}"
    with httpx.Client(timeout=PATIENCE, verify=NOBODY) as client:
        return client.post(address, json=PLACE, headers=sent_headers)


def send_form(web: House, who: Guest, match: str, **headers: str) -> httpx.Response:
    """The form of the match's page, as a browser sends it."""
    page = f"{web.origin}/m/{Match.objects.get(id=match).code}/"
    session = cookie(client_of(Account.objects.get(id=who.id)))
    with httpx.Client(timeout=PATIENCE, verify=NOBODY) as client:
        form_page = client.get(page, headers=session)
        token = form_page.cookies["csrftoken"]
        sent_headers = {"Cookie": f"{session['Cookie']}; csrftoken={token}", "Origin": web.origin, **headers}
        form = {"text": "orange 0", "key": str(uuid4()), "csrfmiddlewaretoken": token}
        return client.post(f"{page}commands", data=form, headers=sent_headers)


def turned_away(web: House) -> float:
    """Return the number of commands that the web process has refused because the dealer was due."""
    exposition = httpx.get(f"{web.origin}/metrics", timeout=PATIENCE).text
    sample = re.search(r'croupier_commands_total\{game="pentagram",result="dealer_due"\} (\S+)', exposition)
    return float(sample[1]) if sample else 0.0


def dealt_meanwhile(web: House, match: str, act: Callable[[], T]) -> T:
    """Act while the dealer is due, deal once the act was refused for that, and return the act's result."""
    before = turned_away(web)
    with ThreadPoolExecutor(1) as threads:
        sent = threads.submit(then_closed(act))
        wait_until(lambda: turned_away(web) > before)
        house(match)
        return sent.result()


def test_command_waits_for_the_dealer_and_is_played_once(web: House) -> None:
    match, players = called()
    key = str(uuid4())
    with ThreadPoolExecutor(2) as threads:
        sent = [threads.submit(then_closed(send), web, players[0], match, key) for _ in range(2)]
        # By then both have found the dealer at work, or find what it has dealt.
        wait_until(lambda: web.connections() >= 2 and not any(unread for _, unread in web.queues()))
        house(match)
        first, second = (it.result() for it in sent)
    assert {first.status_code, second.status_code} == {201} and first.content == second.content
    placed = [it for it in players[0].get(f"/matches/{match}/events").json["results"] if it["type"] == "card_placed"]
    assert len(placed) == 1


def test_command_without_a_dealer_is_refused_in_time_and_blocks_no_others(web: House) -> None:
    match, players = called()
    begun = time.monotonic()
    with ThreadPoolExecutor(13) as threads:
        waiting = [threads.submit(then_closed(send), web, players[0], match, str(uuid4())) for _ in range(12)]
        refused = send(web, players[1], "nowhere", str(uuid4()))
        assert refused.status_code == 404 and not all(it.done() for it in waiting)
        answers = [it.result() for it in waiting]
    assert {(it.status_code, it.json()["code"]) for it in answers} == {(409, "dealer_due")}
    assert time.monotonic() - begun >= PATIENCE_SECONDS
    assert send(web, players[0], match, str(uuid4()), "?dry_run=1").json()["code"] == "dealer_due"


def test_other_refusals_do_not_wait_for_the_dealer(web: House) -> None:
    match, players = called()
    house(match)
    begun = time.monotonic()
    assert send(web, players[1], match, str(uuid4())).json()["code"] == "not_your_turn"
    assert time.monotonic() - begun < PATIENCE_SECONDS


@pytest.mark.slow
def test_waiting_command_counts_once_against_the_limit(strict: House) -> None:
    match, players = called()
    answer = dealt_meanwhile(strict, match, lambda: send(strict, players[0], match, str(uuid4())))
    assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (201, "2")


@pytest.mark.slow
def test_form_waits_for_the_dealer_as_a_program_does(strict: House) -> None:
    match, players = called()
    answer = dealt_meanwhile(strict, match, lambda: send_form(strict, players[0], match, Accept="application/json"))
    assert (answer.status_code, answer.headers["RateLimit-Remaining"]) == (201, "2")
    assert '"content"' in answer.text


def test_form_without_a_script_gets_no_dealer_refusal(strict: House) -> None:
    match, players = called()
    answer = dealt_meanwhile(strict, match, lambda: send_form(strict, players[0], match))
    assert (answer.status_code, "messages" in answer.cookies) == (302, False)
    assert "card_placed" in [it["type"] for it in players[0].get(f"/matches/{match}/events").json["results"]]


def test_command_over_a_socket_waits_for_the_dealer_and_counts_once(strict: House) -> None:
    match, players = called()
    with strict.watch(players[0], match) as watcher:
        answer = dealt_meanwhile(strict, match, lambda: watcher.command(PLACE))
        assert answer["kind"] == "accepted"
        codes = [watcher.command(PLACE)["problem"]["code"] for _ in range(3)]
    assert codes == ["not_your_turn", "not_your_turn", "too_many_requests"]


def test_command_over_a_socket_is_refused_in_time_without_a_dealer(web: House) -> None:
    match, players = called()
    with web.watch(players[0], match) as watcher:
        begun = time.monotonic()
        assert watcher.command(PLACE)["problem"]["code"] == "dealer_due"
        assert time.monotonic() - begun >= PATIENCE_SECONDS
