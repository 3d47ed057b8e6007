"""A season's lists as files over REST: the same as in JSON, for the same readers, and never a formula."""

from datetime import datetime
from typing import Any

import pytest

from matches.domain import tables
from matches.http.table_files import XLSX
from matches.models import Account
from tests.api.guests import Answer, Guest, guest
from tests.api.seasons import Cup
from tests.spreadsheets import csv_records, pasted, xlsx_records, xlsx_rows

LISTS = ("/standings", "/players", "/ledger", "/schedule", "/episodes")
ATTACK = '=HYPERLINK("http://x.example")'
SHEET = "/main-matches/results"


@pytest.fixture(scope="module")
def cup() -> Cup:
    """A season with an episode whose main match has places, points, spent garnets and a spoken name, and a second one
    without places; names begin with signs, and a title and a reason are formulas."""
    season = Cup(6, starting_garnets=5, transfers=True)
    nickname(season, season.players)
    season.did("/episodes", {"title": "First"})
    rows: list[dict[str, Any]] = [
        {"player": it.id, "match": "Hall, north", "place": place, "points": 10 - place}
        for place, it in enumerate(season.players[:5], start=1)
    ]
    rows[0] |= {"garnets": 3}
    rows[3] |= {"garnets": -2}
    season.did(SHEET, {"name": ATTACK, "rows": rows})
    season.did("/tokens", {"player": season.players[1].id}, by=season.players[0])
    gift = {"from": season.players[1].id, "to": season.players[2].id, "amount": 1, "reason": f"{ATTACK},\nreally"}
    season.did("/garnets", gift, by=season.players[1])
    candidate = season.read("/episodes")["results"][0]["candidate"]
    season.did("/opponents", {"player": season.players[3].id}, by=season.player(candidate))
    match = season.set("/death-matches", "pyramid_poker")
    season.loses(match, season.player(candidate))
    season.did(f"/matches/{match}/approve")
    season.main_match()
    season.did(
        f"/players/{season.players[2].id}/substitute",
        {"newcomer": guest().id, "reason": "A journey."},
    )
    return season


def nickname(season: Cup, players: list[Guest]) -> None:
    """Give three of the players names that begin with signs, or are written from right to left."""
    for player, name in zip(players, ("-minus", "+1 plus", "\u05d0\u05d1\u05d2 -x"), strict=False):
        season.did(f"/players/{player.id}/name", {"name": f"{name} {player.id[-4:]}", "reason": "A nickname."})


def names(cup: Cup) -> dict[str | None, str]:
    return {it["player"]["id"]: it["called"] for it in cup.read("/standings")["results"]}


def as_csv(cup: Cup, path: str, by: Guest | None = None, **headers: str) -> Answer:
    return (by or cup.organiser).get(f"{cup.path}{path}", Accept="text/csv", **headers)


def as_xlsx(cup: Cup, path: str, by: Guest | None = None, **headers: str) -> Answer:
    return (by or cup.organiser).get(f"{cup.path}{path}", Accept=XLSX, **headers)


def listed(cup: Cup, path: str) -> list[dict[str, Any]]:
    """Return the rows of the XLSX, after comparing those of the CSV with them."""
    rows, texts = xlsx_records(as_xlsx(cup, path).body), csv_records(as_csv(cup, path).body)
    for row, text in zip(rows, texts, strict=True):
        # Not the columns of times: they are in two zones, and compared with the JSON below.
        same = {name: "" if value is None else str(value) for name, value in row.items() if not is_time(name)}
        assert same == {name: value for name, value in text.items() if not is_time(name)}
    return rows


def naive(at: str) -> datetime:
    return datetime.fromisoformat(at).replace(tzinfo=None, microsecond=0)


def is_time(heading: str) -> bool:
    return heading.endswith(" (UTC)")


def test_standings_as_files_have_what_the_json_has(cup: Cup) -> None:
    called = names(cup)
    expected = [
        {
            "Player": it["called"], "Status": it["status"], "Place": it["place"], "Garnets": it["garnets"],
            "Tokens": it["tokens"], "Main matches won": it["main_wins"], "Duels won": it["duels_won"],
            "Duels lost": it["duels_lost"], "Since episode": it["since"], "Left in episode": it["left"],
            "Substitute for": called.get(it["succeeds"]), "Substituted by": called.get(it["succeeded_by"]),
        }
        for it in cup.read("/standings")["results"]
    ]  # fmt: skip
    assert listed(cup, "/standings") == listed(cup, "/players") == expected
    assert any(it["Substitute for"] for it in expected) and any(it["Place"] for it in expected)


def test_ledger_as_files_has_what_the_json_has(cup: Cup) -> None:
    called = names(cup) | {None: "the season"}
    results = cup.read("/ledger")["results"]
    expected = [
        {
            "Version": it["version"], "Time (UTC)": naive(it["at"]),
            "From": called[it["from"]], "To": called[it["to"]], "Garnets": it["amount"], "Cause": it["cause"],
            "Reason": it["reason"] or None, "Balance of from": it["from_balance"], "Balance of to": it["to_balance"],
            "Match id": it["match"],
        }
        for it in results
    ]  # fmt: skip
    assert listed(cup, "/ledger") == expected
    times = [datetime.fromisoformat(it["Time (UTC)"]) for it in csv_records(as_csv(cup, "/ledger").body)]
    assert times == [datetime.fromisoformat(it["at"]) for it in results]
    assert f"{ATTACK},\nreally" in [it["Reason"] for it in expected]


def test_schedule_as_files_has_what_the_json_has(cup: Cup) -> None:
    called = names(cup)
    (match,) = cup.read("/schedule")["results"]
    assert listed(cup, "/schedule") == [
        {
            "Episode": 1, "Kind": "death", "Game": "Pyramid Poker",
            "Players": ", ".join(called[it] for it in match["players"]), "Opens (UTC)": None,
            "Set-up closes (UTC)": None, "Status": "effective", "Winner": called[match["winner"]],
            "Loser": called[match["loser"]], "Match id": match["id"],
        }
    ]  # fmt: skip


def test_results_as_files_have_what_the_json_and_the_ledger_have(cup: Cup) -> None:
    called, episodes = names(cup), cup.read("/episodes")["results"]
    rows = listed(cup, "/episodes")
    first = [it for it in rows if it["Episode"] == 1]
    places = [(called[it["player"]], it["match"], it["place"], it["points"]) for it in episodes[0]["places"]]
    assert [(it["Player"], it["Match"], it["Place"], it["Points"]) for it in first] == places
    tokens = {called[it]: number for it, number in episodes[0]["tokens"].items()}
    assert {it["Player"]: it["Tokens"] for it in first if it["Tokens"]} == tokens
    moved = {it["Player"]: it["Garnets"] for it in first if it["Garnets"]}
    assert sorted(moved.values()) == [-2, 3] and len(moved) == 2
    assert {it["Main match"] for it in first} == {ATTACK}
    assert [it["Player"] for it in first if it["Result"] == "won"] == [called[it] for it in episodes[0]["winners"]]
    second = {it["Player"]: (it["Place"], it["Result"]) for it in rows if it["Episode"] == 2}
    won, lost = episodes[1]["winners"], episodes[1]["candidates"]
    assert second == {called[it]: (None, "won") for it in won} | {called[it]: (None, "lost") for it in lost}


def test_results_of_one_episode_are_listed_in_json_and_in_files(cup: Cup) -> None:
    assert [it["number"] for it in cup.read("/episodes", episode=2)["results"]] == [2]
    assert {it["Episode"] for it in listed(cup, "/episodes?episode=2")} == {2}
    assert listed(cup, "/episodes?episode=7") == []


@pytest.mark.parametrize("path", LISTS)
def test_file_is_of_the_requested_version_and_has_its_own_tag(cup: Cup, path: str) -> None:
    account = Account.objects.get(id=cup.auditor.id)
    account.time_zone = "Asia/Seoul"
    account.save()
    past = cup.read(path, at=8)
    files = [as_csv(cup, f"{path}?at=8", cup.auditor), as_xlsx(cup, f"{path}?at=8", cup.auditor)]
    assert [it.headers["ETag"] for it in files] == ['"v8.csv"', '"v8.xlsx.Asia/Seoul"'] and past["version"] == 8
    for file, read in zip(files, (as_csv, as_xlsx), strict=True):
        assert read(cup, f"{path}?at=8", cup.auditor, If_None_Match=file.headers["ETag"]).status == 304
        assert read(cup, f"{path}?at=8", cup.auditor, If_None_Match='"v8"').status == 200
    name = {"/players": "standings", "/episodes": "results"}.get(path, path[1:])
    assert [it.headers["Content-Disposition"] for it in files] == [
        f'attachment; filename="season-{cup.id}-{name}.{form}"' for form in ("csv", "xlsx")
    ]


def test_times_in_xlsx_are_those_of_the_readers_zone(cup: Cup) -> None:
    account = Account.objects.get(id=cup.host.id)
    account.time_zone = "Asia/Seoul"
    account.save()
    (utc, *_), (seoul, *_) = (xlsx_records(as_xlsx(cup, "/ledger", it).body) for it in (cup.organiser, cup.host))
    assert (seoul["Time (Asia/Seoul)"] - utc["Time (UTC)"]).total_seconds() == 9 * 3600


@pytest.mark.parametrize("path", LISTS)
def test_file_is_refused_where_the_json_is(path: str) -> None:
    public, private = Cup(3), Cup(3, public=False)
    for cup, reader in ((private, guest()), (private, Guest()), (public, Guest())):
        refused = reader.get(cup.path + path).refusal
        assert refused[0] in (401, 404)
        assert as_csv(cup, path, reader).refusal == as_xlsx(cup, path, reader).refusal == refused
    assert as_csv(private, path, private.players[0]).status == as_csv(public, path, guest()).status == 200


def test_file_with_too_many_rows_is_refused_and_the_json_is_not(cup: Cup, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 5)
    assert as_csv(cup, "/ledger").refusal == as_xlsx(cup, "/ledger").refusal == (422, "too_many_rows")
    assert len(cup.read("/ledger")["results"]) > 5


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_exported_results_are_understood_when_they_are_pasted(form: str) -> None:
    cup, twin = Cup(5, starting_garnets=5), Cup(0, starting_garnets=5)
    for player in cup.players:
        twin.did("/players", {"player": player.id})
    for season in (cup, twin):
        nickname(season, cup.players)
        season.did("/episodes", {"title": "First"})
    rows: list[dict[str, Any]] = [
        {"player": it.id, "match": 'The "Hall", north', "place": place, "points": 10 - place}
        for place, it in enumerate(cup.players, start=1)
    ]
    rows[0] |= {"garnets": 3, "tokens": 1}
    rows[1] |= {"tokens": 1}
    rows[3] |= {"garnets": -2}
    cup.did(SHEET, {"name": "Dice", "rows": rows})
    file = (as_csv if form == "csv" else as_xlsx)(cup, "/episodes?episode=1").body
    text = file.decode() if form == "csv" else pasted(xlsx_rows(file))
    read = twin.ask(f"{SHEET}?dry_run=1", {"name": "Dice", "text": text}).json
    assert (read["cells"], read["missing"]) == ([], [])
    assert read["notes"] == [f"The column {it} isn't read." for it in ("Episode", "Main match", "Result")]
    assert read["text"] == twin.ask(f"{SHEET}?dry_run=1", {"name": "Dice", "rows": rows}).json["text"]


def test_exported_results_of_several_episodes_are_refused_when_they_are_pasted(cup: Cup) -> None:
    season = Cup(3)
    season.did("/episodes", {"title": "First"})
    refused = season.ask(f"{SHEET}?dry_run=1", {"name": "Dice", "text": as_csv(cup, "/episodes").body.decode()})
    assert refused.refusal == (422, "bad_table") and "keep the lines of one" in refused.json["detail"]
