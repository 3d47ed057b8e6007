"""The submissions of a contest as files: what the witness's view in JSON has, over REST and from the pages."""

from itertools import product
from typing import Any

import pytest

from matches.http.table_files import XLSX
from matches.models import Account
from tests.api.guests import Answer, Guest, guest, house
from tests.contests.table import LAST, SIDE, SPEECH, VOTE, ContestMatch
from tests.panel.office import Desk, hosted_match, room
from tests.spreadsheets import csv_records, xlsx_records
from tests.web.contest_setting import FIELDS, content_of

FORMULA = '=HYPERLINK("http://x.example"),\n@"\u05d0\u05d1"'
CSV = "text/csv"


def read(match: ContestMatch, by: Guest, media_type: str = CSV, **query: Any) -> Answer:
    return by.get(f"/matches/{match.id}/view", query or None, Accept=media_type)


def listed(match: ContestMatch, by: Guest, **query: Any) -> list[dict[str, Any]]:
    """Return the rows of the XLSX, after comparing the CSV with them."""
    rows = xlsx_records(read(match, by, XLSX, **query).body)
    texts = csv_records(read(match, by, **query).body)
    assert texts == [{name: "" if it is None else str(it) for name, it in row.items()} for row in rows]
    return rows


def played(match: ContestMatch, by: Guest, **query: Any) -> list[dict[str, Any]]:
    """Return the rounds that are over, as the JSON has them for this reader."""
    rounds: list[dict[str, Any]] = by.get(f"/matches/{match.id}/view", query or None).json["view"]["played"]
    return rounds


def page(match: ContestMatch, by: Guest | None, form: str = "csv", **query: str) -> Any:
    desk = Desk(Account.objects.get(id=by.id)) if by else Desk()
    return desk.get(f"/m/{match.row.code}/submissions.{form}", **query)


@pytest.fixture
def vote() -> ContestMatch:
    """A contest of two rounds whose first is over; the submissions are published with the names."""
    match = ContestMatch.begun(VOTE | {"reveal": "everything"}, LAST)
    match.submitted(0, 1, side="left")
    return match.submitted(2, side="right")


def test_rounds_that_are_over_are_listed_as_in_the_json(vote: ContestMatch) -> None:
    assert vote.submit(0, side="right").status == 201
    (over,) = played(vote, vote.host)
    expected = [
        {
            "Round": 1, "Title": "The vote", "Player": vote.players[it["seat"]].name,
            "Submitted": it["values"]["side"], "Points": over["points"][it["seat"]], "Side": it["values"]["side"],
        }
        for it in over["entries"]
    ]  # fmt: skip
    assert listed(vote, vote.host) == listed(vote, guest()) == listed(vote, vote.players[1]) == expected
    assert [it["Submitted"] for it in expected] == ["left", "left", "right"]


@pytest.mark.parametrize("names", [list(FIELDS)[:6], list(FIELDS)[6:]], ids=", ".join)
def test_every_kind_of_field_has_a_cell_of_its_type(names: list[str]) -> None:
    match = ContestMatch.begun(seats=3, content=content_of(*names, reveal="everything"))
    hand = match.players[0].get(f"/matches/{match.id}/view").json["view"]["hands"][0]["cards"]
    one, two = match.players[1].name, match.players[2].name
    cases: dict[str, tuple[Any, Any]] = {
        "camp": ("the far, far bank", "the far, far bank"), "days": (["Monday", "Friday"], "Monday, Friday"),
        "bid": (7, 7), "guess": (-5, -5), "target": (1, one), "friends": ([1, 2], f"{one}, {two}"),
        "shares": ({"left": 3, "right: here": 7}, "left 3, right: here 7"),
        "seals": ({"1": 2, "2": 4}, f"{one} 2, {two} 4"), "order": (["wine", "fish", "bread"], "wine, fish, bread"),
        "card": (hand[:1], hand[0]), "word": ("=1+1", "=1+1"),
    }  # fmt: skip
    answer = match.submit(0, **{name: cases[name][0] for name in names})
    assert answer.status == 201, answer.body
    assert match.command("close", round=1).status == 201
    house(match.id)
    row = listed(match, match.host)[0]
    assert list(row)[5:] == [FIELDS[name]["title"] for name in names]
    assert list(row.values())[5:] == [cases[name][1] for name in names]


def test_text_that_looks_like_a_formula_is_read_back_as_it_was_sent() -> None:
    match = ContestMatch.begun(SPEECH | {"reveal": "everything", "sealed": False}, LAST)
    assert [match.submit(seat, word=FORMULA).status for seat in range(3)] == [201] * 3
    house(match.id)
    (over,) = played(match, match.host)
    assert [it["Your word"] for it in listed(match, match.host)] == [it["values"]["word"] for it in over["entries"]]
    assert FORMULA in over["entries"][0]["values"]["word"]


def test_titles_of_fields_are_headings_and_no_formulas() -> None:
    fields = [SIDE | {"name": "side", "title": "=1+1"}, SIDE | {"name": "other", "title": "Points"}]
    match = ContestMatch.begun(VOTE | {"fields": fields, "reveal": "everything"}, LAST)
    match.submitted(side="left", other="right")
    match.submitted(side="right")
    rows = listed(match, match.host)
    assert list(rows[0])[4:] == ["Points", "=1+1", "Points (other)", "Side"]
    assert [list(it.values())[5:] for it in (rows[0], rows[-1])] == [["left", "right", None], [None, None, "right"]]
    assert b",'=1+1," in read(match, match.host).body.partition(b"\r\n")[0]


def test_submissions_that_are_not_published_are_only_in_their_seats_file() -> None:
    match = ContestMatch.begun(SPEECH, LAST).submitted()
    words = [[it["Your word"] for it in listed(match, by)] for by in (*match.players, guest(), match.host)]
    own = [[f"xylophone {seat}" if seat == it else None for it in range(3)] for seat in range(3)]
    assert words == [*own, [None] * 3, [None] * 3]
    assert {it["Submitted"] for it in listed(match, match.host)} == {"not published"}
    for by, other in product(match.players[:1], ("seat:1", "host")):
        refused = by.get(f"/matches/{match.id}/view", {"as": other}).refusal
        assert read(match, by, **{"as": other}).refusal == refused == (404, "not_found")
        assert page(match, by, **{"as": other}).status_code == 404


def test_hosts_file_of_what_is_secret_needs_a_look_on_record() -> None:
    match = ContestMatch.begun(SPEECH, LAST).submitted()
    before = match.types().count("truth_viewed")
    asked = page(match, match.host, **{"as": "host"})
    assert "text/html" in asked["Content-Type"] and b"xylophone" not in asked.content
    assert match.types().count("truth_viewed") == before
    rows = listed(match, match.host, **{"as": "host"})
    assert [it["Your word"] for it in rows] == [f"xylophone {seat}" for seat in range(3)]
    assert match.types().count("truth_viewed") > before
    assert b"xylophone 2" in page(match, match.host, **{"as": "host"}).content


def test_sealed_submissions_are_in_no_file_while_their_round_is_open() -> None:
    match = ContestMatch.begun(SPEECH, LAST).submitted(0, 1)
    for by in (*match.players, match.host, guest()):
        for media_type in (CSV, XLSX):
            response = read(match, by, media_type)
            assert response.status == 200 and b"xylophone" not in response.body
        assert listed(match, by) == []
    assert read(match, match.host, **{"as": "host"}).refusal == (403, "sealed")
    assert page(match, match.host, **{"as": "host"}).status_code == 403


def test_file_follows_the_spectators_delay() -> None:
    match = ContestMatch.begun(VOTE | {"reveal": "everything"}, LAST, spectator_delay=3600)
    for seat in range(3):
        assert (
            match.players[seat].send(match.id, {"type": "submit", "round": 1, "values": {"side": "left"}}).status == 201
        )
    house(match.id)
    assert [len(listed(match, by)) for by in (match.players[0], match.host)] == [3, 0]
    assert csv_records(page(match, match.host).content) == []
    assert len(csv_records(page(match, match.players[0]).content)) == 3


def test_withdrawn_text_is_withdrawn_in_the_file() -> None:
    match = ContestMatch.begun(SPEECH | {"reveal": "everything"}, LAST).submitted()
    events = match.host.get(f"/matches/{match.id}/events", {"limit": 500}).json["results"]
    commitment = next(it for event in events for it in event.get("texts", {}).values())
    body = {"commitment": commitment, "reason": "It names an address."}
    assert match.host.post(f"/matches/{match.id}/texts/withdraw", body).status == 200
    (over,) = played(match, match.host)
    words = [it["Your word"] for it in listed(match, match.host)]
    assert words == [it["values"]["word"] for it in over["entries"]]
    assert words.count("[withdrawn]") == 1


def test_submissions_published_without_names_have_no_player() -> None:
    match = ContestMatch.begun(VOTE | {"reveal": "choices"}, LAST)
    match.submitted(0, 1, side="left")
    match.submitted(2, side="right")
    unnamed = [it["Submitted"] for it in listed(match, match.host) if it["Player"] is None]
    assert sorted(unnamed) == ["left", "left", "right"]
    named = {it["Player"]: it["Submitted"] for it in listed(match, match.players[2]) if it["Player"]}
    assert named[match.players[2].name] == "right" and named[match.players[0].name] == "not published"


def test_file_is_of_the_requested_version(vote: ContestMatch) -> None:
    assert listed(vote, vote.host, at=3) == []
    assert csv_records(page(vote, vote.host, at="3").content) == []


def test_pages_offer_the_submissions_once_a_round_is_over(vote: ContestMatch) -> None:
    code, fresh = vote.row.code, ContestMatch.begun(VOTE, LAST)
    for form in ("csv", "xlsx"):
        assert f'href="/m/{code}/submissions.{form}" download' in vote.desk.read(f"/m/{code}/")
        assert f'href="/m/{code}/submissions.{form}" download' in vote.desk.read(room(vote.row))
        assert f"submissions.{form}" not in fresh.desk.read(f"/m/{fresh.row.code}/")
        assert f"submissions.{form}" not in fresh.desk.read(room(fresh.row))
    replay = vote.desk.browser.get(f"/m/{code}/replay/", {"as": "spectator"}, follow=True)
    assert f'href="/m/{code}/submissions.csv?as=spectator&amp;at={len(vote.types())}"' in replay.content.decode()
    assert [it["Submitted"] for it in xlsx_records(page(vote, None, "xlsx").content)] == ["left", "left", "right"]
    assert page(vote, vote.host, "pdf").status_code == 404


def test_match_of_another_game_has_no_submissions() -> None:
    match, host = hosted_match()
    assert Desk(host).get(f"/m/{match.code}/submissions.csv").status_code == 404
    spectator = guest()
    read = [spectator.get(f"/matches/{match.id}/view", Accept=it) for it in (CSV, "application/json")]
    assert read[0].json == read[1].json
