"""The page of a contest: who has submitted, the scoreboard, the rounds, what was published, the replay, the rules."""

import re
from random import Random
from typing import Any

import pytest

from games.contest.example import worked_round
from games.contest.presets import PRESETS, load
from games.kernel import to_json
from matches.html.markdown import rendered, rendered_for_good
from matches.models import Account, Match
from tests.pages import as_read
from tests.table_setting import new_account, play_on, play_to_the_end, waiting_match
from tests.web.contest_setting import content_of, contest
from tests.web.match_setting import building, client_of
from tests.web.test_contest_tray import post


def seated(count: int, *names: str, **round_of: Any) -> tuple[Match, list[Account]]:
    """A contest of so many whose open round has these fields."""
    players = [new_account() for _ in range(count)]
    return contest(content_of(*names, **round_of), *players), players


def read(match: Match, player: Account | None = None, address: str = "") -> str:
    """The page as a reader sees it."""
    response = client_of(player).get(f"/m/{match.code}/{address}", follow=True)
    assert response.status_code == 200
    return as_read(response)


def test_page_marks_who_has_submitted_but_not_what() -> None:
    match, players = seated(13, "camp")
    for player in players[:9]:
        post(match, player, {"choice.camp": "the far, far bank"})
    page = read(match)
    assert "9 of 13 have submitted" in page
    assert page.count('class="mark in ') == 9 and page.count('class="mark due ') == 4
    assert f'title="{players[0].username}: has submitted"' in page
    assert "the far, far bank" not in page


def test_row_of_thirty_seats_names_each_of_them() -> None:
    match, players = seated(30, "camp")
    page = read(match)
    assert "0 of 30 have submitted" in page
    assert all(f'title="{player.username}: hasn\'t submitted"'.replace("'", "&#x27;") in page for player in players)


def test_scoreboard_shows_places_points_balances_and_who_has_left() -> None:
    match, players = seated(5, "camp", scheme={"kind": "minority", "field": "camp", "points": 2, "out": "winners"})
    for seat, camp in enumerate(("east", "west", "west", "west", "west")):
        post(match, players[seat], {"choice.camp": camp})
    play_on(match, 0)
    scores = re.findall(r'<li id="score-\d+" class="score ([^"]*)">(.*?)</li>', read(match), re.DOTALL)
    words = [" ".join(re.sub(r"<[^>]+>", " ", score).split()) for _, score in scores]
    assert words[0].startswith("1 Place 1") and "2 points" in words[0] and "12 Gold" in words[0]
    assert "out" in scores[0][0] and players[0].username in words[0]
    assert all(word.startswith("2 Place 2") for word in words[1:])


def test_secret_points_are_no_part_of_the_page() -> None:
    content = content_of("camp", scheme={"kind": "plurality", "field": "camp", "points": 7})
    content["score"] = {"show": "end"}
    players = [new_account() for _ in range(3)]
    match = contest(content, *players)
    for player in players:
        post(match, player, {"choice.camp": "west"})
    play_on(match, 0)
    page = read(match)
    assert page.count("The points are secret.") == 3 and "7 points" not in re.sub(r"<details.*?</details>", "", page)


@pytest.mark.parametrize(
    ("reveal", "shown"),
    [("everything", 3), ("choices", 0), ("totals", 0), ("nothing", 0)],
)
def test_reveal_shows_what_the_round_publishes_and_no_more(reveal: str, shown: int) -> None:
    match, players = seated(3, "camp", "bid", reveal=reveal)
    for seat, bid in enumerate((7, 11, 11)):
        post(match, players[seat], {"choice.camp": "west", "number.bid": str(bid)})
    play_on(match, 0)
    page = read(match)
    assert "Round 1 of 4 is over: The first" in page
    assert page.count("Camp: west, Bid: 7") == (1 if reveal in ("everything", "choices") else 0)
    assert page.count('<span class="hint">not published') == 3 - shown
    assert ("Nothing is published of the submissions." in page) == (reveal == "nothing")
    bars = re.findall(r'class="bar-label"><bdi>([^<]*)</bdi></span>.*?class="bar-count">(\d+)<', page, re.DOTALL)
    counts = [("east", "0"), ("west", "3"), ("the far, far bank", "0"), ("7", "1"), ("11", "2")]
    assert bars == ([] if reveal == "nothing" else counts)


def test_numbers_of_a_round_are_bars_of_the_players() -> None:
    match, players = seated(3, "guess", scheme={"kind": "unique_highest", "field": "guess", "points": 3})
    for seat, guess in enumerate((-5, 4, 4)):
        post(match, players[seat], {"number.guess": str(guess)})
    play_on(match, 0)
    page = read(match)
    assert re.findall(r'<rect width="(\d+)"', page) == ["100", "80", "80"]
    assert 'class="envelope s0 won"' in page and "+3" in page


def test_chapters_lead_to_the_result_of_each_round_in_the_replay() -> None:
    match, players = seated(3, "camp")
    for number, camp in enumerate(("east", "west"), 1):
        for player in players:
            post(match, player, {"choice.camp": camp, "round": str(number)})
        play_on(match, 0)
    page = read(match)
    assert re.findall(r'href="/m/\w+/replay/\?round=(\d)"', page) == ["1", "2"]
    assert "3 open" in page and page.count("to come") == 1
    replay = read(match, address="replay/?round=2")
    assert "Round 2 of 4 is over: The second" in replay and "Round 2 of 3" in replay
    assert "Round 3" in replay and 'aria-label="A round back"' in replay


def test_replay_of_a_round_that_is_not_over_shows_the_newest_event() -> None:
    match, _ = seated(3, "camp")
    newest = client_of().get(f"/m/{match.code}/replay/").url
    assert client_of().get(f"/m/{match.code}/replay/?round=9").url == newest


def test_film_has_a_chapter_for_each_round() -> None:
    match, _ = seated(3, "camp")
    play_to_the_end(match, Random(1))
    replay = read(match, address="replay/?play=1")
    assert re.findall(r'<title>(Set-up|Round \d|Result)</title>', replay) == [
        "Set-up", "Round 1", "Round 2", "Round 3", "Round 4", "Result",
    ]  # fmt: skip


def test_end_shows_the_winner_with_the_scoreboard() -> None:
    match, _ = seated(3, "camp")
    play_to_the_end(match, Random(1))
    page = read(match)
    assert 'id="result"' in page and 'class="scores"' in page and page.count("?round=") == 4


def test_match_that_waits_shows_its_rounds_as_to_come() -> None:
    match = waiting_match("contest", new_account(), new_account(), options={"content": content_of("camp")})
    page = read(match)
    assert page.count("to come") == 4 and "not played" not in page


def test_rules_page_explains_the_content_with_a_worked_round() -> None:
    match, _ = seated(5, "bid", scheme={"kind": "first_price", "field": "bid", "prizes": [4]})
    assert f'href="/m/{match.code}/rules"' in read(match)
    page = read(match, address="rules")
    for text in (
        "Play <strong>well</strong>.", "A number from 0 to 20.", "The greatest bid gains 4 points.",
        "If you submit nothing in time, nothing counts for you.", "All submissions are published, with the names.",
        "Most points win.", "The contest ends after its last round.", "One worked round", "10 minutes to submit",
    ):  # fmt: skip
        assert text in page, text
    rows = re.findall(r'<tr><th scope="row">(\w+)</th><td>(\d+)</td><td class="end">(\+?\d)</td>', page)
    bids = [int(bid) for _, bid, _ in rows]
    winner = bids.index(max(bids))
    assert [name for name, *_ in rows] == ["Ada", "Ben", "Cleo", "Dan", "Eve"]
    assert [points for _, _, points in rows] == ["+4" if seat == winner else "0" for seat in range(5)]


def test_rules_of_other_games_lead_to_their_page() -> None:
    match, _, _ = building()
    assert client_of().get(f"/m/{match.code}/rules").url == f"/games/pyramid_poker?match={match.code}"


def test_rules_page_keeps_a_secret_round_secret() -> None:
    content = content_of("camp")
    content["rounds"][1] |= {"secret": True, "title": "The ambush"}
    match = contest(content, new_account(), new_account())
    for address in ("", "rules"):
        page = read(match, address=address)
        assert "A secret round" in page and "ambush" not in page
    play_on(match, 2)
    assert "The ambush" in read(match, address="rules")


@pytest.mark.parametrize("name", PRESETS)
def test_rules_page_of_a_preset_is_complete(name: str) -> None:
    content = load(name)
    match = contest(to_json(content), *["bot"] * content.least_seats)
    page = read(match, address="rules")
    assert content.title in page and page.count("to submit") == len(content.rounds)
    assert ("One worked round" in page) == (name != "sealed_almanac")


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>", '<img src=x onerror="alert(1)">', "[a](javascript:alert(1))", "[a](JaVaScRiPt:x)",
        "<javascript:alert(1)>", "![a](https://example.org/a.png)", "[a](data:text/html,x)", "[a](vbscript:x)",
        '<a href="https://example.org" onclick="x">a</a>', "[a]: javascript:x\n\n[a]", "<style>*{}</style>",
    ],
)  # fmt: skip
def test_markdown_of_people_has_no_html_script_or_picture(text: str) -> None:
    html = rendered(text)
    assert not re.search(r"<(script|img|style)|\son\w+=\"|href=\"(?!https:)", str(html).replace("&quot;", ""))


def test_markdown_marks_links_and_keeps_headings_below_the_title() -> None:
    html = rendered("# One\n\n[a](https://example.org)\n\n| x |\n|---|\n| y |")
    assert "<h2>One</h2>" in html and 'rel="nofollow noopener ugc"' in html
    assert '<div class="scroll" tabindex="0" role="region" aria-label="Table 1"><table>' in html


def test_markdown_makes_no_cells_without_end() -> None:
    wide = "|a" * 800 + "|\n" + "|-" * 800 + "|\n" + "b\n" * 1_000 + "\n"
    assert len(rendered(wide * 3)) < 6 * len(wide)
    assert rendered("|a|b|\n|-|-|\n" + "|c|\n" * 1_000).count("<td>") == 2_000


def test_text_that_can_be_deleted_is_kept_by_no_cache() -> None:
    assert rendered("A *judgement*.") is not rendered("A *judgement*.")
    assert rendered_for_good("A *rule*.") is rendered_for_good("A *rule*.") == rendered("A *rule*.")


def test_worked_round_is_played_once_for_equal_contents() -> None:
    assert worked_round(load("salt_road")) is worked_round(load("salt_road"))
    assert worked_round(load("salt_road")) != worked_round(load("rope_bridge"))
