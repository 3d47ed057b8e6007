"""The pages of seasons: who sees them, what they tell, and any past version."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from games import catalogue
from matches.models import Account, Match
from matches.seasons.models import Member
from tests.api.guests import Guest, guest
from tests.api.seasons import Cup
from tests.events.staging import tamper
from tests.pages import as_read
from tests.table_setting import new_account

TABS = ("/episodes", "/matches", "/ledger", "/rulings", "/rules", "/events")


def page(path: str, reader: Account | None = None) -> tuple[int, str]:
    client = Client(headers={"host": "localhost"})
    if reader is not None:
        client.force_login(reader)
    answer = client.get(path)
    return answer.status_code, as_read(answer)


def test_a_season_shows_its_ladder_its_ledger_and_its_schedule() -> None:
    cup = Cup(4)
    match = cup.episode()
    season = cup.read()
    status, html = page(f"/seasons/{cup.id}")
    assert status == 200
    for standing in season["standings"]:
        assert standing["player"]["username"] in html
    assert "lost the death match and is out" in html
    assert "won the death match as" in html
    for tab in TABS:
        assert f'href="/seasons/{cup.id}{tab}"' in html
    assert f"/m/{match}/" in page(f"/seasons/{cup.id}/matches")[1]
    assert "Confiscation" in page(f"/seasons/{cup.id}/ledger")[1]


def test_spent_garnets_are_not_shown_as_a_fine() -> None:
    cup = Cup(3, starting_garnets=5)
    cup.did("/episodes", {"title": "The auction"})
    one, two, three = (it.id for it in cup.players)
    rows = [{"player": one, "place": 1}, {"player": two, "place": 2, "garnets": -3}, {"player": three, "place": 3}]
    cup.did("/main-matches/results", {"name": "The auction", "rows": rows})
    cup.did("/garnets", {"from": two, "amount": 1, "reason": "Late."})
    organiser = Account.objects.get(id=cup.organiser.id)
    for path in (f"/seasons/{cup.id}/ledger", f"/seasons/{cup.id}/players/{two}", f"/admin/seasons/{cup.id}/"):
        html = page(path, organiser)[1]
        assert "Spent in the main match: The auction." in html and html.count("Fine:") == 1, path
        assert "Fine: <bdi>Late.</bdi>" in html, path


def test_public_season_is_shown_to_everybody_and_a_private_one_to_members() -> None:
    public, private = Cup(3), Cup(3, public=False)
    assert page(f"/seasons/{public.id}")[0] == 200
    assert page(f"/seasons/{private.id}")[0] == page(f"/seasons/{uuid4()}")[0] == 404
    assert page(f"/seasons/{private.id}", new_account())[0] == 404
    player = Account.objects.get(id=private.players[0].id)
    assert page(f"/seasons/{private.id}", player)[0] == 200
    listed = page("/seasons", player)[1]
    assert f"/seasons/{private.id}" in listed
    assert f"/seasons/{private.id}" not in page("/seasons")[1]


def test_season_is_shown_at_any_version() -> None:
    cup = Cup(4)
    before = cup.read()["version"]
    cup.episode()
    html = page(f"/seasons/{cup.id}?at={before}")[1]
    assert f"This is version {before}" in html
    assert "is out" not in html
    newest = cup.read()["version"]
    assert "As it stood" not in page(f"/seasons/{cup.id}?at={newest}")[1]


def test_invalid_version_is_refused() -> None:
    cup = Cup(3)
    for at, status in (("0", 400), ("x", 400), ("9" * 30, 400), ("-1", 400), ("²", 400)):
        assert page(f"/seasons/{cup.id}?at={at}")[0] == status


def test_season_without_players_says_so() -> None:
    cup = Cup(0)
    empty = {
        "": "Nobody is enrolled yet", "/episodes": "No episodes yet", "/matches": "No matches are scheduled yet",
        "/ledger": "No garnets have moved yet", "/rulings": "No rulings yet",
    }  # fmt: skip
    for path, words in empty.items():
        assert words in page(f"/seasons/{cup.id}{path}")[1]


def test_names_are_escaped() -> None:
    cup = Cup(3)
    cup.did("/episodes", {"title": "<b>Cup</b>"})
    html = page(f"/seasons/{cup.id}")[1]
    assert "<b>Cup</b>" not in html
    assert "&lt;b&gt;Cup&lt;/b&gt;" in html


def test_organiser_who_plays_in_the_season_sees_no_truth_of_its_matches() -> None:
    cup = Cup(4)
    match = Match.objects.get(id=cup.death_match())
    seated = {seat.account_id for seat in match.seats.all()}
    rival = next(Account.objects.get(id=it.id) for it in cup.players if UUID(it.id) not in seated)
    Account.objects.filter(id=rival.id).update(is_organiser=True)
    other = new_account(is_organiser=True)
    path = f"/m/{match.code}/replay/{match.version}/"
    assert page(path, rival)[0] == 200
    assert page(f"{path}?as=host", Account.objects.get(id=rival.id))[0] == 404
    assert page(f"{path}?as=host", other)[0] == 200


def cells(html: str, name: str) -> list[str]:
    """Return the ladder's texts about a player, episode by episode."""
    row = next(row for row in html.split("<tr")[1:] if f">{name}</a>" in row.split("</th>")[0])
    return re.findall(r'<td class="[^"]+" title="([^"]+)"', row)


def test_episode_closed_without_a_main_match_has_nothing_pending() -> None:
    cup = Cup(3)
    cup.did("/episodes", {"title": "First"})
    path, name = f"/seasons/{cup.id}/episodes/1", cup.players[0].name
    assert "To be played." in page(path)[1] and cells(page(f"/seasons/{cup.id}")[1], name) == ["still to come"]
    cup.did("/episodes/close", {"reason": "Nobody came."})
    assert "None was played." in page(path)[1] and "To be played." not in page(path)[1]
    assert cells(page(f"/seasons/{cup.id}")[1], name) == ["safe"]


def test_episode_closed_before_a_nomination_has_nothing_pending() -> None:
    cup = Cup(4)
    winner, _, other, loser = cup.players
    cup.did("/episodes", {"title": "First"})
    cup.did("/main-matches", {"name": "Dice", "winners": [winner.id], "candidates": [other.id, loser.id]})
    path, gives = f"/seasons/{cup.id}/episodes/1", f"{winner.name} must give one away"
    assert gives in page(path)[1]
    assert cells(page(f"/seasons/{cup.id}")[1], loser.name) == ["may be named elimination candidate"]
    cup.did("/episodes/close", {"reason": "The house burns."})
    assert gives not in page(path)[1]
    assert cells(page(f"/seasons/{cup.id}")[1], loser.name) == ["safe"]


def test_rows_of_substitute_and_leaver_meet_at_the_substitution() -> None:
    cup, newcomer = Cup(5), guest()
    cup.episode()
    leaver = cup.living()[1]
    cup.did("/episodes", {"title": "Second"})
    cup.did(f"/players/{leaver.id}/substitute", {"newcomer": newcomer.id, "reason": "A long journey."})
    at_the_substitution = cup.read()["version"]
    first, last = cup.living()[0], cup.living()[-1]
    cup.did("/main-matches", {"name": "Dice", "winners": [first.id], "candidates": [last.id]})
    cup.did("/tokens", {"player": newcomer.id})
    cup.did("/episodes/close", {"reason": "Enough."})
    cup.did("/episodes", {"title": "Third"})
    names = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    html = page(f"/seasons/{cup.id}")[1]
    assert cells(html, names[leaver.id])[1:] == ["handed over to a substitute", "no longer in the season"]
    assert cells(html, names[newcomer.id]) == ["not yet in the season", "holds a token of life", "still to come"]
    assert f"Substituted by {names[newcomer.id]}" in html
    assert f"for {names[leaver.id]}, since episode 2" in html
    before = page(f"/seasons/{cup.id}?at={at_the_substitution - 2}")[1]
    assert names[newcomer.id] not in before
    spans = {it["player"]["id"]: (it["since"], it["left"]) for it in cup.read("/standings")["results"]}
    assert (spans[leaver.id], spans[newcomer.id]) == ((1, 2), (2, None))
    at_their_time = cup.read("/standings", at=at_the_substitution - 2)["results"]
    assert {it["left"] for it in at_their_time if it["status"] == "living"} == {None}
    page_of_leaver = page(f"/seasons/{cup.id}/players/{leaver.id}")[1]
    assert f"{names[newcomer.id]}</a> has replaced this player" in page_of_leaver
    assert "Third" not in page_of_leaver
    page_of_newcomer = page(f"/seasons/{cup.id}/players/{newcomer.id}")[1]
    assert f"{names[leaver.id]}</a>, since episode 2" in page_of_newcomer
    assert "Episode 1:" not in page_of_newcomer
    assert "Inheritance" in page_of_newcomer and "Inheritance" in page_of_leaver


def test_withdrawn_player_is_in_no_later_episode() -> None:
    cup = Cup(5)
    cup.episode()
    between, amid = cup.living()[1:3]
    cup.did(f"/players/{between.id}/withdraw", {"reason": "Work calls."}, by=between)
    cup.did("/episodes", {"title": "Second"})
    cup.did(f"/players/{amid.id}/withdraw", {"reason": "Ill."}, by=amid)
    cup.did("/episodes/close", {"reason": "Two have left."})
    cup.did("/final")
    names = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    html = page(f"/seasons/{cup.id}")[1]
    for leaver in (between, amid):
        assert cells(html, names[leaver.id])[1] == "left the season"
    assert "Left, 4th" in html and "Left, 3rd" in html


def test_steps_of_an_episode_are_shown_at_any_version() -> None:
    cup = Cup(4, bans_each=1)
    cup.did("/episodes", {"title": "Cold start"})
    opened = cup.read()["version"]
    first, *_, last = cup.living()
    cup.did("/main-matches", {"name": "Dice", "winners": [first.id], "candidates": [last.id]})
    cup.did("/tokens", {"player": cup.players[1].id}, by=first)
    cup.did("/opponents", {"player": cup.players[2].id}, by=last)
    cup.did("/bans", {"game": "pentagram"}, by=last)
    match = cup.set("/death-matches", "pyramid_poker")
    cup.loses(match, last)
    cup.did(f"/matches/{match}/approve")
    names = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    status, html = page(f"/seasons/{cup.id}/episodes/1")
    assert status == 200
    struck = f"{catalogue['pentagram'].title} by {names[last.id]}"
    for words in ("Cold start", '<h1 id="title">Dice</h1>', struck, f"/m/{match}/", "The result counts"):
        assert words in html
    sentence = f"{names[last.id]} chooses {cup.players[2].name}, loses Pyramid Poker and leaves in 4th place."
    assert sentence in html and f"<b>{names[last.id]}</b> <span>leaves in 4th place</span>" in html
    earlier = page(f"/seasons/{cup.id}/episodes/1?at={opened}")[1]
    assert "It is under way" in earlier and "Dice" not in earlier
    for path in ("/episodes/2", f"/episodes/1?at={opened - 1}", f"/players/{uuid4()}", f"?at={10**6}", "/episodes/0"):
        assert page(f"/seasons/{cup.id}{path}")[0] == 404


def test_parts_of_a_private_season_are_there_for_its_members_alone() -> None:
    cup = Cup(3, public=False)
    cup.did("/episodes", {"title": "First"})
    member = Account.objects.get(id=cup.players[0].id)
    for path in ("", *TABS, "/episodes/1", f"/players/{member.id}"):
        assert page(f"/seasons/{cup.id}{path}", member)[0] == 200
        assert page(f"/seasons/{cup.id}{path}")[0] == page(f"/seasons/{cup.id}{path}", new_account())[0] == 404


def test_final_shows_the_wins_of_each() -> None:
    cup = Cup(3, best_of=3)
    cup.episode()
    cup.did("/final")
    one, two = (cup.player(it) for it in cup.read("/final")["players"])
    names = {it["player"]["id"]: it["player"]["username"] for it in cup.read("/standings")["results"]}
    for game, loser in (("pentagram", two), ("pyramid_poker", one)):
        match = cup.set("/final/matches", game)
        cup.loses(match, loser)
        cup.did(f"/matches/{match}/approve")
    html = page(f"/seasons/{cup.id}")[1]
    assert re.findall(r"<strong>([^<]+)</strong> <b>(\d)</b>", html) == [(names[it.id], "1") for it in (one, two)]
    assert html.count("won 1 match of the final") == len((one, two))


def test_archive_is_offered_to_those_who_may_download_it() -> None:
    cup = Cup(3)
    path = f"/api/v1/seasons/{cup.id}/archive"
    auditor, player = (Account.objects.get(id=it.id) for it in (cup.auditor, cup.players[0]))
    assert path in page(f"/seasons/{cup.id}/rules", auditor)[1]
    assert path not in page(f"/seasons/{cup.id}/rules", player)[1]
    assert path not in page(f"/seasons/{cup.id}/rules")[1]


def test_schedule_is_in_the_time_zone_of_its_reader() -> None:
    cup, reader = Cup(4), new_account()
    candidate = cup.main_match()
    cup.did("/opponents", {"player": cup.living()[-2].id}, by=candidate)
    at = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0) + timedelta(days=2)
    cup.did("/death-matches", {"game": "pentagram", "clocks": None, "opens_at": at.isoformat()}, by=cup.host)
    for zone, clock_time in (("Asia/Kolkata", "17:30"), ("UTC", "12:00")):
        Account.objects.filter(id=reader.id).update(time_zone=zone)
        reader.refresh_from_db()
        html = page(f"/seasons/{cup.id}/matches", reader)[1]
        assert f"{at.day} {at:%b %Y}, {clock_time}</time>" in html
        assert f"{at:%A}</span>" in html and f"data-time>{clock_time}</time>" in html, "It is the poster's next date."
        assert f'title="{at:%Y-%m-%d %H:%M:%S} UTC"' in html


def item_of(cup: Cup, reader: Account | None = None, path: str = "/seasons") -> str:
    """The season in a list; empty where it isn't there."""
    items = re.findall(r'<li class="(?:card|season-tile).*?</li>', page(path, reader)[1], re.DOTALL)
    return next((it for it in items if f"/seasons/{cup.id}" in it), "")


def listed(player: Guest) -> list[dict[str, Any]]:
    """The seasons in which this one plays, as REST lists them."""
    seasons: list[dict[str, Any]] = player.get("/seasons", {"player": player.id}).json["results"]
    return seasons


def test_season_has_a_headline_in_every_list() -> None:
    cup = Cup(4)
    line = re.compile(r'<p class="headline">([^<]+)</p>')
    player, winner = (Account.objects.get(id=cup.players[place].id) for place in (2, 0))
    assert line.findall(item_of(cup)) == line.findall(item_of(cup, player, "/")) == ["Enrolment, 4 players so far"]
    assert "Enrolment, 4 players so far" in item_of(cup, new_account(), "/"), "Who has no season is shown one."
    cup.did("/episodes", {"title": "First"})
    cup.did("/main-matches", {"name": "Dice", "winners": [str(winner.id)], "candidates": [cup.players[3].id]})
    awaited = f"Episode 1: {winner.username} gives a token of life away"
    assert line.findall(item_of(cup)) == line.findall(item_of(cup, player, "/")) == [awaited]
    front_page = item_of(cup, winner, "/")
    assert f"/seasons/{cup.id}/desk" in front_page and line.findall(front_page) == [], (
        "It is among what is asked of the winner."
    )
    assert f'<span class="headline">{awaited}</span>' in page(f"/seasons/{cup.id}")[1]
    assert f'property="og:description" content="{awaited}"' in page(f"/seasons/{cup.id}")[1]
    assert cup.read()["headline"] == awaited
    assert [it["headline"] for it in listed(cup.players[0])] == [awaited]


def test_season_with_a_broken_record_does_not_break_the_lists() -> None:
    broken, sound = Cup(3), Cup(2)
    broken.did("/episodes", {"title": "First"})
    player = Account.objects.get(id=broken.players[0].id)
    Member.objects.create(season_id=sound.id, account=player, role=Member.Role.HOST)
    forged = "UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2"
    tamper(lambda owner: owner.execute(forged, (broken.id,)))
    for path in ("/", "/seasons"):
        assert "Enrolment, 2 players" in item_of(sound, player, path)
        assert 'class="headline"' not in item_of(broken, player, path) != ""
    headlines = {it["id"]: it["headline"] for it in listed(broken.players[0])}
    assert headlines == {broken.id: ""}


def test_running_match_is_shown_in_the_schedule_with_the_delay() -> None:
    standings = {}
    for delay in (0, 600):
        cup = Cup(4, spectator_delay=delay)
        match = Match.objects.get(id=cup.death_match())
        player = Account.objects.get(id=match.seats.first().account_id)
        pages = [
            f"/seasons/{cup.id}/matches",
            f"/seasons/{cup.id}/episodes/1",
            f"/seasons/{cup.id}/players/{player.id}",
        ]
        for reader in (player, None):
            standings[delay, reader is None] = {standing_of(match, page(path, reader)[1]) for path in pages}
        past = f"/seasons/{cup.id}/matches?at={cup.read()['version'] - 1}"
        assert "Under way." not in page(past, player)[1]
    assert standings == {
        (0, False): {"Under way."}, (0, True): {"Under way."},
        (600, False): {"Under way."}, (600, True): {"Its host starts it."},
    }  # fmt: skip


def test_end_of_a_match_is_shown_to_its_players_before_it_is_reported() -> None:
    cup = Cup(4, spectator_delay=600)
    match = Match.objects.get(id=cup.death_match())
    seated = [Account.objects.get(id=seat.account_id) for seat in match.seats.all()]
    others = [Account.objects.get(id=it.id) for it in (*cup.players, cup.auditor)]
    others = [*(it for it in others if it not in seated), None]
    cup.loses(str(match.id), cup.player(str(seated[0].id)))
    match.refresh_from_db()
    assert match.status == "finished"
    for player in seated:
        assert standing_of(match, page(f"/seasons/{cup.id}/matches", player)[1]).startswith(
            "Over; the season gets the result"
        )
        desk = page(f"/seasons/{cup.id}/desk", player)[1]
        assert "it is over; the season gets the result when spectators do" in desk
    assert {standing_of(match, page(f"/seasons/{cup.id}/matches", it)[1]) for it in others} == {"Its host starts it."}


@pytest.mark.slow
def test_schedule_shows_every_running_table() -> None:
    cup = Cup(44, most_players=44)
    cup.did("/episodes", {"title": "First"})
    for first, second in zip(cup.players[::2], cup.players[1::2], strict=True):
        setting = {"game": "pyramid_poker", "clocks": None, "players": [first.id, second.id]}
        match = cup.did("/main-matches/tables", setting, by=cup.host)[0]["match"]
        assert cup.host.post(f"/matches/{match}/start").status == 200
    tables = list(Match.objects.filter(season_id=cup.id))
    html = page(f"/seasons/{cup.id}/matches")[1].partition('id="schedule"')[2]
    assert len(tables) == 22
    assert {standing_of(match, html) for match in tables} == {"Under way."}


def standing_of(match: Match, html: str) -> str:
    """Return the schedule's text about an unfinished match."""
    words = r"(Under way\.|Over; [^<]+|It opens by itself\.|Its host starts it\.)"
    match_found = re.search(rf'/m/{match.id}/.*?<span class="muted">{words}</span>', html, re.DOTALL)
    assert match_found is not None
    return match_found[1]
