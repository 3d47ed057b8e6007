"""A season's page: the poster, the episode at hand as a story, who comes in, and a page that stays fresh."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit
from uuid import UUID

from matches.models import Account
from matches.seasons.domain.steps import pending_steps
from matches.seasons.models import Season
from matches.seasons.reads import feed
from matches.web.seasons.steps import WordedStep, steps
from tests.api.seasons import Cup
from tests.table_setting import new_account
from tests.web.test_joining import at_home
from tests.web.test_seasons import page


def newest_steps(cup: Cup) -> list[WordedStep]:
    """Return the steps of the newest episode."""
    document, state = feed.season_and_state(Season.objects.get(id=cup.id), None)
    return steps(document, document.episodes[-1], pending_steps(state))


def states(cup: Cup) -> dict[str, str]:
    return {step.kind: step.state for step in newest_steps(cup)}


def at_hand(cup: Cup) -> WordedStep:
    (step,) = [it for it in newest_steps(cup) if it.state == "now"]
    return step


def test_episode_lists_its_steps_with_one_current_until_it_is_over() -> None:
    cup = Cup(5, bans_each=1, opponent_minutes=90, decision_default="random")
    cup.did("/episodes", {"title": "First"})
    assert at_hand(cup).kind == "main" and at_hand(cup).awaits == []
    winner, second, other, last = cup.players[0], cup.players[1], cup.players[2], cup.players[4]
    cup.did("/main-matches", {"name": "Dice", "winners": [winner.id], "candidates": [last.id]})
    assert (at_hand(cup).kind, at_hand(cup).awaits) == ("token", [UUID(winner.id)])
    cup.did("/tokens", {"player": second.id}, by=winner)
    step_now = at_hand(cup)
    assert (step_now.kind, step_now.awaits) == ("opponent", [UUID(last.id)])
    assert {str(it.id) for it in step_now.faces} == {other.id, cup.players[3].id}
    assert step_now.until and step_now.then == "After that the season's chance decides."
    assert states(cup) == {
        "main": "done", "token": "done", "candidate": "done", "opponent": "now", "ban": "coming", "duel": "coming",
        "result": "coming",
    }  # fmt: skip
    cup.did("/opponents", {"player": other.id}, by=last)
    cup.did("/bans", {"game": "pentagram"}, by=last)
    assert at_hand(cup).awaits == [UUID(other.id)], "The other one may strike a game yet."
    match = cup.set("/death-matches", "pyramid_poker")
    assert (at_hand(cup).kind, [str(it.id) for it in at_hand(cup).matches]) == ("duel", [match])
    cup.loses(match, last)
    assert at_hand(cup).text == "An organiser is to approve the result."
    cup.did(f"/matches/{match}/approve")
    assert set(states(cup).values()) == {"done"} and newest_steps(cup)[-1].text.endswith("is out.")


def test_poster_names_the_decider_the_deadline_and_the_eliminated() -> None:
    cup = Cup(5, opponent_minutes=90)
    cup.episode()
    out = next(it for it in cup.read("/standings")["results"] if it["place"] == 5)["player"]["username"]
    candidate = cup.main_match()
    html = page(f"/seasons/{cup.id}")[1]
    name = next(it.name for it in cup.players if it.id == candidate.id)
    (due,) = re.findall(r'<li class="awaited">.*?</li>', html)
    assert name in due and "to decide" in due
    assert 'data-falls-at="' in html and "After that an organiser decides." in html
    eliminated = html.partition('aria-label="No longer in"')[2].partition("</ul>")[0]
    assert out in eliminated and "5th" in eliminated
    past = page(f"/seasons/{cup.id}?at={cup.read()['version'] - 1}")[1]
    assert "data-refresh-seconds" not in past, "What is over doesn't change."


def test_many_garnets_are_a_number_and_few_are_things() -> None:
    cup = Cup(3, starting_garnets=123_456)
    cup.did("/garnets", {"from": cup.players[0].id, "amount": 123_454, "reason": "A fine."})
    rows = page(f"/seasons/{cup.id}")[1].partition("tiles-ladder")[2].split("<tr")
    few = next(it for it in rows if f">{cup.players[0].name}</a>" in it)
    many = next(it for it in rows if f">{cup.players[1].name}</a>" in it)
    assert (few.count('class="garnet"'), "2 garnets" in few) == (2, True)
    assert (many.count('class="garnet"'), many.count("123 456")) == (1, 2)


def test_joining_link_is_shown_to_organisers_and_the_state_to_others() -> None:
    cup = Cup(2)
    cup.did("/joining-links", {"approval": True})
    way = urlsplit(cup.read("/joining-links")["results"][-1]["url"]).path
    pages = {
        name: page(f"/seasons/{cup.id}", reader)[1]
        for name, reader in (
            ("organiser", Account.objects.get(id=cup.organiser.id)),
            ("host", Account.objects.get(id=cup.host.id)),
            ("player", Account.objects.get(id=cup.players[0].id)),
            ("other", new_account()),
            ("nobody", None),
        )
    }
    assert {name for name, html in pages.items() if way in html} == {"organiser"}
    assert "You are enrolled." in pages["player"] and "You are enrolled." not in pages["other"]
    assert "who decide on each application" in pages["nobody"]
    asking = new_account()
    at_home(asking).post(way, {"key": "one"})
    assert "You have applied to play" in page(f"/seasons/{cup.id}", asking)[1]
    assert asking.username in page(f"/seasons/{cup.id}")[1]


def test_page_with_the_current_version_gets_nothing_new() -> None:
    cup = Cup(3)
    ways = re.findall(r'hx-get="([^"]+)"', page(f"/seasons/{cup.id}")[1])
    player = re.findall(r'hx-get="([^"]+)"', page(f"/seasons/{cup.id}/players/{cup.players[0].id}")[1])
    ledger = re.findall(r'hx-get="([^"]+)"', page(f"/seasons/{cup.id}/ledger")[1])
    before = {way: page(way)[0] for way in (*ways, *player, *ledger)}
    cup.did("/episodes", {"title": "First"})
    after = {way: page(way)[0] for way in before}
    assert len(before) == 3 and set(after.values()) == {200}
    assert set(before.values()) <= {204, 200} and 204 in before.values(), "But for the turn of a minute."
    assert page(f"/seasons/{cup.id}?shown=%00&at=1")[0] == 200


def test_the_next_date_is_the_reader_s_own_before_another_s() -> None:
    cup = Cup(6)
    cup.did("/episodes", {"title": "First"})
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=5)
    for players, opens_at in (((0, 1), soon), ((2, 3), soon + timedelta(days=1))):
        seats = [cup.players[it].id for it in players]
        setting = {"game": "pyramid_poker", "clocks": None, "players": seats, "opens_at": opens_at.isoformat()}
        cup.did("/main-matches/tables", setting, by=cup.host)
    later = Account.objects.get(id=cup.players[2].id)
    Account.objects.filter(id=later.id).update(time_zone="Europe/Vienna")
    later.refresh_from_db()
    mine = page(f"/seasons/{cup.id}", later)[1]
    assert "Your main match" in mine
    parts = ("data-time", "Your time (Europe/Vienna)", "<span>In 1 day", "Pyramid Poker", "to-calendar")
    places = [mine.index(it, mine.index("data-next-date")) for it in parts]
    assert places == sorted(places), "The zone and the distance follow the time."
    dated = re.compile(r'data-next-date="([^"]+)"')
    told_to = {who: dated.findall(page(f"/seasons/{cup.id}", who)[1]) for who in (later, None)}
    assert [datetime.fromisoformat(it[0]) for it in told_to.values()] == [soon + timedelta(days=1), soon]


def test_players_page_shows_garnets_decisions_and_the_elimination() -> None:
    cup = Cup(4)
    cup.episode()
    standings = cup.read("/standings")["results"]
    out = next(it for it in standings if it["status"] == "eliminated")
    html = page(f"/seasons/{cup.id}/players/{out['player']['id']}")[1]
    assert "Was in this season until episode 1." in html and "Out, 4th" in html
    bars = re.findall(r"<b>(\d+)</b><svg", html)
    assert bars == ["1", "0"], "One at the start, none after the elimination."
    episode = cup.read("/episodes")["results"][0]
    chose = page(f"/seasons/{cup.id}/players/{episode['candidate']}")[1]
    assert "is the DMO" in chose.partition('id="decisions"')[2].partition("</section>")[0]
