"""The event log as auditors read it: in sentences, narrowed, in pages, and with nothing that is sealed."""

import re
from datetime import timedelta
from html import unescape
from uuid import UUID

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from events import store
from matches.html.seats import names_of
from matches.models import Account, Match
from matches.panel.audit import log_views
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.panel.office import Desk, hosted_match, version_of
from tests.table_setting import BOT, new_account, play_to_the_end, running_match

CARD = r"(?:10|[A2-9])[SHDC]"


@pytest.fixture(scope="module")
def organiser() -> Desk:
    return Desk(new_account(is_organiser=True))


def rows(page: str) -> list[str]:
    """The rows of the table as a person reads them."""
    body = re.search(r"<tbody>(.*?)</tbody>", page, re.DOTALL)
    cells = re.findall(r"<tr>(.*?)</tr>", body[1], re.DOTALL) if body else []
    return [" ".join(unescape(re.sub(r"<[^>]+>", " ", row)).split()) for row in cells]


def read(desk: Desk, **query: object) -> list[str]:
    return rows(desk.read("/admin/log/", **query))


def account_of(guest: object) -> Account:
    return Account.objects.get(id=guest.id)


def test_each_event_is_listed_with_code_name_and_sentence(organiser: Desk) -> None:
    match, host = hosted_match(moves=4)
    listed = read(organiser, match=match.code)
    assert len(listed) == min(50, version_of(match))
    assert all(match.code in row for row in listed)
    (opened,) = (row for row in listed if "match_opened" in row)
    assert host.username in opened and "A match of Pyramid Poker for 2 was opened." in opened
    assert any(names_of(match)[0] in row and "took" not in row for row in listed)
    assert not any(str(match.id) in row or str(host.id) in row for row in listed)


def test_secret_of_a_running_match_is_hidden_until_the_end(organiser: Desk) -> None:
    match, _ = hosted_match(moves=4)
    dealt = {"match": match.code, "type": "brick_dealt"}
    listed = read(organiser, **dealt)
    pages = [organiser.read(f"/admin/log/{match.id}/{row.version}/") for row in store.read(match.id)]
    assert listed and all("gets a brick from the bag" in row and "more is sealed" in row for row in listed)
    secrets = {row.secret.decode() for row in store.read(match.id) if row.secret}
    cards = {card for secret in secrets for card in re.findall(rf"\b{CARD}\b", secret)}
    assert cards
    assert not any(re.search(rf"\b{card}\b", text) for card in cards for text in (*listed, *pages))
    play_to_the_end(match)
    listed = read(organiser, **dealt)
    assert listed and not any("gets a brick" in row or "sealed" in row for row in listed)


def test_the_log_is_narrowed_by_match_person_type_season_and_time(organiser: Desk) -> None:
    match, host = hosted_match(moves=2)
    cup = Cup(1)
    assert {row.split()[-1] for row in read(organiser, match=match.id, type="match_opened")} == {"match_opened"}
    by_host = read(organiser, person=host.username)
    assert by_host and all(host.username in row for row in by_host)
    of_season = read(organiser, season=cup.id)
    assert any("joined the season" in row for row in of_season) and all("A cup" in row for row in of_season)
    first = store.read(match.id, limit=1)[0].at
    around = {"since": first.isoformat(), "until": (first + timedelta(microseconds=1)).isoformat()}
    assert any("match_opened" in row for row in read(organiser, match=match.code, **around))
    assert read(organiser, match=match.code, until=(first - timedelta(seconds=1)).isoformat()) == []


@pytest.mark.parametrize(
    "query",
    [{"match": "NOSUCH"}, {"match": "\0"}, {"season": "x"}, {"person": "nobody at all"}, {"type": "x"},
     {"since": "yesterday"}, {"until": "9999-99-99"}],
)  # fmt: skip
def test_filter_without_a_match_says_so(organiser: Desk, query: dict[str, str]) -> None:
    answer = organiser.get("/admin/log/", **query)
    assert answer.status_code == 422 and 'role="alert"' in as_read(answer)


def test_pages_neither_skip_nor_repeat_while_the_log_grows(organiser: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_views, "_PAGE", 3)
    cup = Cup(3)
    expected = len(store.read(UUID(cup.id)))
    versions, address = [], f"/admin/log/?season={cup.id}"
    while address:
        page = organiser.read(address)
        versions += re.findall(rf"/admin/log/{cup.id}/(\d+)/", page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        address = unescape(following[1]) if following else ""
        if len(versions) == 3:
            cup.did("/rulings", {"text": "It goes on."})
    assert list(map(int, versions)) == list(range(expected, 0, -1))
    assert organiser.get("/admin/log/", cursor="x").status_code == 400


def test_staff_of_a_season_read_only_their_season() -> None:
    cup, (match, _) = Cup(0), hosted_match(moves=0)
    auditor = Desk(account_of(cup.auditor))
    assert read(auditor) and all("A cup" in row for row in read(auditor))
    assert auditor.get("/admin/log/", match=match.code).status_code == 422
    assert auditor.get(f"/admin/log/{match.id}/1/").status_code == 404
    assert auditor.read(f"/admin/log/{cup.id}/1/")


def plan_of(desk: Desk, **query: object) -> str:
    """Return the query plan for the second page of a search, without sequential scans."""
    page = desk.read("/admin/log/", **query)
    following = re.search(r'rel="next" href="([^"]+)"', page)
    assert following, "There is a second page."
    with CaptureQueriesContext(connection) as statements:
        desk.read(unescape(following[1]))
    (sql,) = (it["sql"] for it in statements if "events_public" in it["sql"] and "LIMIT 4" in it["sql"])
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off")
        try:
            cursor.execute(f"EXPLAIN {sql}")
            return "\n".join(line for (line,) in cursor.fetchall())
        finally:
            cursor.execute("RESET enable_seqscan; RESET enable_bitmapscan; RESET enable_sort")


def test_no_question_to_the_log_is_answered_by_reading_it_all(organiser: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_views, "_PAGE", 3)
    (match, host), cup = hosted_match(moves=4), Cup(4)
    queries = {
        "events_event_in_time": {},
        "events_event_of_type": {"type": "season_opened"},
        "events_event_by_actor": {"person": host.username},
    }
    for _ in range(4):
        Cup(0)
        running_match("pentagram", BOT, BOT, opener=host)
    for index, query in queries.items():
        plan = plan_of(organiser, **query)
        assert f"Index Scan Backward using {index}" in plan and "Incremental Sort" in plan, plan
    auditor = Desk(account_of(cup.auditor))
    for desk, query in ((organiser, {"match": match.code}), (organiser, {"season": cup.id}), (auditor, {})):
        plan = plan_of(desk, **query)
        assert "events_event_pkey" in plan and "_in_time" not in plan, plan


def test_log_accepts_no_post(organiser: Desk) -> None:
    match = Match.objects.order_by("?").first()
    for address in ("/admin/log/", f"/admin/log/{match.id}/1/"):
        assert organiser.post(address, type="x").status_code == 405
