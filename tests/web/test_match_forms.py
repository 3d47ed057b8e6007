"""The match page without a browser: its forms and what they refuse, appeals, talk, and what costs no frame."""

import json
import re
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.html import escape

from events import store
from matches.domain import host_acts
from matches.models import Account
from matches.reads import feed
from matches.services import hosting, opening
from matches.storage import repository
from matches.web.models import Note, Remark
from tests.pages import as_read
from tests.table_setting import api, new_account, play_on, play_to_the_end, running_match, waiting_match
from tests.web.match_setting import building, client_of

SCRIPT = {"Accept": "application/json"}


def test_a_player_appeals_on_the_page_and_reads_the_answer_there() -> None:
    match, one, _ = building()
    page = f"/m/{match.code}/"
    asked = client_of(one).post(f"{page}appeal", {"kind": "clock", "text": "It ran while I was <away>."}, follow=True)
    assert "Your appeal is number 1 in the record" in asked.content.decode()
    hosting.answer_appeal(
        match_id=match.id, by=match.opened_by_id, number=1, decision="rejected", reason="The clock was right."
    )
    text = client_of(one).get(page).content.decode()
    assert "It ran while I was &lt;away&gt;." in text and "The clock was right." in text


@pytest.mark.parametrize(
    "form",
    [
        {},
        {"kind": "clock", "text": "  "},
        {"kind": "fate", "text": "Why?"},
        {"kind": "clock", "text": "x" * 2_001},
        {"kind": "clock", "text": "a\0b"},
    ],
)
def test_empty_appeal_changes_nothing(form: dict[str, str]) -> None:
    match, one, _ = building()
    version = repository.version_of(match.id)
    response = client_of(one).post(f"/m/{match.code}/appeal", form, follow=True)
    assert "Nothing was sent." in response.content.decode() and repository.version_of(match.id) == version


def test_line_breaks_are_counted_as_in_the_browser() -> None:
    match, one, _ = building()
    typed = "y\r\n" * 1_000
    client_of(one).post(f"/m/{match.code}/appeal", {"kind": "move", "text": f"{typed[:-3]}z"})
    assert repository.load(match.id, 0).lifecycle.appeals[0].text == "y\n" * 999 + "z"
    note = client_of(one).post(f"/m/{match.code}/note", {"text": typed * 10}, headers=SCRIPT)
    assert note.status_code == 200 and Note.objects.get(match_id=match.id).text == "y\n" * 10_000


def test_a_refused_appeal_is_still_there_to_be_mended() -> None:
    match, one, _ = building()
    for _ in range(host_acts.MOST_OPEN_APPEALS):
        client_of(one).post(f"/m/{match.code}/appeal", {"kind": "clock", "text": "Please look."})
    for kind, text in (("conduct", "<x>" * 700), ("clock", "Once more.")):
        response = client_of(one).post(f"/m/{match.code}/appeal", {"kind": kind, "text": text})
        page = response.content.decode()
        assert response.status_code in (409, 422) and "Nothing was sent." in page
        assert '<details class="panel appeal" data-tab="more" open>' in page and f'value="{kind}" selected' in page
        assert f">{escape(text)}</textarea>" in page


def test_appeals_are_the_players() -> None:
    match, one, _ = building()
    for _ in range(host_acts.MOST_OPEN_APPEALS):
        client_of(one).post(f"/m/{match.code}/appeal", {"kind": "other", "text": "Please look."})
    version = repository.version_of(match.id)
    response = client_of(one).post(f"/m/{match.code}/appeal", {"kind": "other", "text": "Once more."}, follow=True)
    assert "appeals of yours must be answered first" in response.content.decode()
    watcher = client_of(new_account())
    assert watcher.post(f"/m/{match.code}/appeal", {"kind": "other", "text": "Me too."}).status_code == 403
    assert "Ask the hosts" not in watcher.get(f"/m/{match.code}/").content.decode()
    assert repository.version_of(match.id) == version


def test_players_read_the_spectators_talk_after_the_end() -> None:
    match, one, _ = building()
    watcher = new_account()
    response = client_of(watcher).post(f"/m/{match.code}/talk", {"text": "<b>what a wall</b>"}, headers=SCRIPT)
    assert "&lt;b&gt;what a wall&lt;/b&gt;" in response.content.decode()
    assert "what a wall" in client_of(watcher).get(f"/m/{match.code}/").content.decode()
    assert "what a wall" not in client_of(one).get(f"/m/{match.code}/").content.decode()
    assert "what a wall" not in client_of().get(f"/m/{match.code}/").content.decode()
    assert "what a wall" not in client_of(one).get(f"/m/{match.code}/talk").content.decode()
    assert client_of().get(f"/m/{match.code}/talk").status_code == 302
    assert client_of(one).post(f"/m/{match.code}/talk", {"text": "hello"}, headers=SCRIPT).status_code == 403
    behind = "read below this line until the match is over"
    assert behind in client_of(watcher).get(f"/m/{match.code}/").content.decode()
    play_to_the_end(match)
    assert "what a wall" in client_of(one).get(f"/m/{match.code}/").content.decode()
    for reader in (one, watcher):
        text = client_of(reader).get(f"/m/{match.code}/").content.decode()
        assert "The match is over: the wall is down." in text and behind not in text
    assert Remark.objects.filter(match_id=match.id).count() == 1


def test_remark_of_a_delayed_spectator_does_not_reveal_the_version() -> None:
    one = new_account()
    match = running_match("pyramid_poker", one, new_account(), spectator_delay=600)
    play_on(match, 4)
    client_of(new_account()).post(f"/m/{match.code}/talk", {"text": "Hello."}, headers=SCRIPT)
    remark = Remark.objects.get(match_id=match.id)
    assert remark.at_version == feed.visible_state(match.id, feed.SPECTATOR).version < repository.version_of(match.id)


def test_the_form_and_the_api_bring_the_same_events() -> None:
    matches = []
    for _ in range(2):
        match, one, _two = building()
        matches.append((match, one))
    (by_form, writer), (by_api, program) = matches
    sent = {"text": "place A4"}
    form = client_of(writer).post(f"/m/{by_form.code}/commands", sent | {"key": "k1"}, headers=SCRIPT)
    body = api(program).post(f"matches/{by_api.id}/commands", sent, idempotency_key="k1")
    assert (form.status_code, body.status_code) == (201, 201)
    by_way = [feed.events(it.id, feed.SPECTATOR, 5, 50).results for it in (by_form, by_api)]
    names = ("type", "seat", "cell", "text", "secret")
    comparable = [[{name: event.get(name) for name in names} for event in events] for events in by_way]
    assert comparable[0] == comparable[1]
    assert [event["type"] for event in comparable[0]][-2:] == ["brick_placed", "brick_dealt"]


def test_retried_form_moves_once() -> None:
    match, one, _ = building()
    sent = {"text": "A1", "key": "page-once"}
    answers = [client_of(one).post(f"/m/{match.code}/commands", sent, headers=SCRIPT) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 201]
    assert list(repository.load(match.id).state.spaces) == ["A1"]


@pytest.mark.parametrize(
    ("form", "status", "code"),
    [
        ({}, 400, "malformed"),
        ({"text": "A1"}, 428, "idempotency_key_missing"),
        ({"text": "A1", "key": "white space"}, 428, "idempotency_key_missing"),
        ({"text": "x" * 2001, "key": "k"}, 400, "malformed"),
        ({"text": "jump", "key": "k"}, 400, "malformed"),
        ({"text": "A1", "key": "k", "expected": "1"}, 412, "version_behind"),
        ({"text": "A1", "key": "k", "expected": "-1"}, 400, "malformed"),
        ({"text": "B1", "key": "k"}, 422, "unsupported"),
        ({"text": "A\x00", "key": "k"}, 400, "malformed"),
    ],
)
def test_a_bad_form_is_refused_with_its_reason(form: dict[str, str], status: int, code: str) -> None:
    match, one, _ = building()
    before = repository.version_of(match.id)
    answer = client_of(one).post(f"/m/{match.code}/commands", form, headers=SCRIPT)
    assert (answer.status_code, json.loads(answer.content)["code"]) == (status, code)
    assert client_of(one).post(f"/m/{match.code}/commands", form).status_code == 302
    assert repository.version_of(match.id) == before


def test_account_without_a_seat_cannot_move() -> None:
    match, _, _ = building()
    form = {"text": "A1", "key": "k"}
    assert client_of(new_account()).post(f"/m/{match.code}/commands", form, headers=SCRIPT).status_code == 403
    assert client_of().post(f"/m/{match.code}/commands", form, headers=SCRIPT).status_code == 401
    assert client_of().post(f"/m/{match.code}/commands", form).headers["Location"].startswith("/sign-in")
    assert client_of().get("/m/NOSUCH/").status_code == 404
    assert client_of().get(f"/m/{match.code}/commands").headers["Location"] == f"/m/{match.code}/"


def test_the_host_finds_the_start_and_the_invitations_on_the_page() -> None:
    host, other = new_account(), new_account()
    match = waiting_match("pyramid_poker", host, other, opener=host)
    page = client_of(host).get(f"/m/{match.code}/").content.decode()
    assert "Waiting for the start" in page
    assert f'action="/m/{match.code}/seats/start"' in page
    assert "You host this match" not in client_of(other).get(f"/m/{match.code}/").content.decode()
    client_of(host).post(f"/m/{match.code}/seats/start")
    assert "You host this match" not in client_of(host).get(f"/m/{match.code}/").content.decode()


def test_frame_is_sent_only_if_there_is_news() -> None:
    match, one, _ = building()
    version = repository.version_of(match.id)
    assert client_of(one).get(f"/m/{match.code}/frame?after={version}").status_code == 204
    frame = client_of(one).get(f"/m/{match.code}/frame?after={version - 1}").json()
    assert frame["version"] == version
    words = as_read(client_of(one).get(f"/m/{match.code}/words")).strip()
    content = as_read(frame["content"]).strip().replace('<div id="words" data-keep="old"></div>', words)
    page = as_read(client_of(one).get(f"/m/{match.code}/"))
    assert content in page
    assert len(frame["content"].encode()) < 64 * 1024


def test_delayed_spectator_is_told_of_the_delay() -> None:
    one, two = new_account(), new_account()
    seats = [opening.SeatRequest(one.id), opening.SeatRequest(two.id)]
    opened_ = opening.open_match(opener=one.id, game="pyramid_poker", options={}, seats=seats, spectator_delay=120)
    pages = {account: client_of(account).get(f"/m/{opened_.code}/").content.decode() for account in (one, None)}
    assert "you see everything 2 minutes after it has happened" in pages[None]
    assert "after it has happened" not in pages[one]


def test_reading_a_match_changes_nothing() -> None:
    host, one = new_account(), new_account()
    match = running_match("pyramid_poker", one, new_account(), opener=host)
    version, table_ = repository.version_of(match.id), f"/m/{match.code}"
    looks = ("/", "/frame", "/words", "/talk", "/seats", "/replay/", f"/replay/{version}/", "/replay/?as=host")
    page, replay, seats = f"{table_}/", f"{table_}/replay/", f"{table_}/seats"
    acts = {"/commands": page, "/note": page, "/appeal": page, "/look": replay, "/seats/start": seats}
    for account in (host, one, new_account(), None):
        client = client_of(account)
        for path in looks:
            assert client.get(f"{table_}{path}").status_code in (200, 302, 403, 404), path
        for path, place in acts.items():
            assert client.get(f"{table_}{path}").headers["Location"] == place, path
        assert client.get(f"{table_}/trial").status_code == 405
    assert repository.version_of(match.id) == version
    assert not Note.objects.filter(match_id=match.id).exists()


def test_a_page_counts_by_the_databases_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    match, one, _ = building()
    ahead = timezone.now() + timedelta(hours=7)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    before = store.clock()
    for address in (f"/m/{match.code}/", f"/admin/matches/{match.code}/control/"):
        account = one if address.startswith("/m/") else Account.objects.get(id=match.opened_by_id)
        (server_time,) = re.findall(r'data-now="(\d+)"', client_of(account).get(address).content.decode())
        assert abs(int(server_time) / 1000 - before.timestamp()) < 60
