"""The lobby, the lists and the player's page: who is shown what."""

import re
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from psycopg import Connection

from events import projections
from matches.models import Account, Deadline, Match
from matches.publishing import presence
from matches.reads import selectors
from matches.services import accepting, hosting, opening, playing
from matches.storage import repository
from matches.storage.projections import RESULTS
from matches.web.lobby import player_views
from tests.events.staging import tamper
from tests.pages import as_read
from tests.table_setting import BOT, api, new_account, play_on, play_to_the_end, running_match, waiting_match

STATUSES = ("", *(f"&status={it}" for it in ("waiting", "running", "paused", "finished", "void")))
CSRF = re.compile(r'(?<=name="csrfmiddlewaretoken" value=")\w+')


def at_home(account: Account | None = None) -> Client:
    client = Client(headers={"host": "localhost"})
    if account is not None:
        client.force_login(account)
    return client


def section(client: Client, name: str, path: str = "/") -> str:
    """The part of a page below the heading with this id; empty where there is none."""
    section_found = re.search(rf'<h2 id="{name}"[^>]*>.*?</section>', as_read(client.get(path)), re.DOTALL)
    return section_found[0] if section_found else ""


def test_anonymous_front_page_explains_the_site_and_lists_matches() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    page = as_read(at_home().get("/"))
    assert "Outplay the table" in page and 'href="/sign-up"' in page
    assert match.code in page
    assert page.count('class="game-tile"') == 6


def test_lobby_refreshed_after_a_sign_out_redirects_to_the_front_page() -> None:
    headers = {"hx-request": "true"}
    assert at_home().get("/", headers=headers).headers["HX-Redirect"] == "/"
    assert "HX-Redirect" not in at_home(new_account()).get("/", headers=headers).headers


def test_anonymous_player_is_sent_to_sign_in() -> None:
    answer = at_home().post("/open/pyramid_poker/friendly")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in?next=/")


def test_pending_turns_are_listed_first_by_the_earliest_flag() -> None:
    me, other = new_account(), new_account()
    calm, urgent, theirs = (running_match("pyramid_poker", me, other) for _ in range(3))
    Match.objects.filter(id__in=[calm.id, urgent.id]).update(needs=[me.id])
    Match.objects.filter(id=theirs.id).update(needs=[other.id])
    Deadline.objects.update_or_create(match=urgent, defaults={"falls_at": timezone.now() + timedelta(hours=1)})
    Deadline.objects.update_or_create(match=calm, defaults={"falls_at": timezone.now() + timedelta(days=1)})
    client = at_home(me)
    needs = section(client, "needs")
    assert 0 < needs.index(urgent.code) < needs.index(calm.code)
    assert theirs.code not in needs and theirs.code in section(client, "mine")
    assert "data-falls-at" in needs
    live = section(client, "live")
    assert not any(match.code in live for match in (calm, urgent, theirs))


def test_long_lobby_lists_the_most_urgent_and_those_awaiting_others() -> None:
    me, other = new_account(), new_account()
    calm, urgent = (running_match("pyramid_poker", me, other) for _ in range(2))
    newer = [running_match("pyramid_poker", me, other) for _ in range(30)]
    Match.objects.filter(id__in=[urgent.id, *(it.id for it in newer)]).update(needs=[me.id])
    Match.objects.filter(id=calm.id).update(needs=[other.id])
    Deadline.objects.update_or_create(match=urgent, defaults={"falls_at": timezone.now() + timedelta(hours=1)})
    client = at_home(me)
    needs = section(client, "needs")
    assert needs.count("<li ") == 30
    assert 0 < needs.index(urgent.code) < needs.index(newer[-1].code)
    assert calm.code in section(client, "mine")


def test_list_of_live_matches_links_to_all_of_them() -> None:
    running_match("pyramid_poker", new_account(), new_account())
    client = at_home(new_account())
    assert '<a href="/matches?status=running">' in section(client, "live")
    assert client.get("/matches?status=running").status_code == 200


def test_deadline_is_not_shown_to_spectators() -> None:
    player = new_account()
    match = running_match("pyramid_poker", player, new_account())
    Match.objects.filter(id=match.id).update(needs=[player.id])
    Deadline.objects.update_or_create(match=match, defaults={"falls_at": timezone.now() + timedelta(hours=1)})
    assert "data-falls-at" not in section(at_home(new_account()), "live")


def test_host_without_a_seat_has_a_link_to_the_match() -> None:
    host = new_account()
    match = waiting_match("pyramid_poker", new_account(), None, opener=host)
    assert f'href="/m/{match.code}/seats"' in section(at_home(host), "mine")


def test_results_are_shown_once_they_are_projected() -> None:
    me, other = new_account(), new_account()
    match = running_match("pyramid_poker", me, other)
    play_to_the_end(match)
    projections.project(RESULTS.name, match.id)
    finished = section(at_home(me), "finished")
    assert match.code in finished and re.search(r'class="outcome (won|lost)">(Won|Lost)<', finished)
    pages = [as_read(at_home(me).get(f"/players/{account.username}")) for account in (me, other)]
    assert sorted("<strong>1</strong> won of 1" in page for page in pages) == [False, True]
    assert all(match.code in page for page in pages)


def test_a_players_page_counts_all_results_and_lists_them_in_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_views, "_RESULTS", 2)
    me, other = new_account(), new_account()
    matches = [running_match("pyramid_poker", me, other) for _ in range(3)]
    for place, match in enumerate(matches):
        winner, loser = (other, me) if place == 0 else (me, other)
        accepting.accept(match_id=match.id, player=winner.id)
        playing.submit(
            match_id=match.id, seat=int(place > 0), player=str(loser.id), command={"type": "resign"}, key="it",
            fingerprint=b"",
        )  # fmt: skip
        projections.project(RESULTS.name, match.id)
    first, second, third = (match.code for match in matches)
    newest = as_read(at_home(me).get(f"/players/{me.username}"))
    assert "<strong>2</strong> won of 3" in newest
    assert newest.index(third) < newest.index(second) and first not in newest
    (older,) = re.findall(r'href="([^"]+)">Older results', newest)
    rest = as_read(at_home(other).get(older))
    assert "<strong>2</strong> won of 3" in rest and first in rest and second not in rest and third not in rest
    assert "Newest" in rest and "Older results" not in rest


def test_streaks_and_rivals_are_shown_with_their_counts() -> None:
    me, other = new_account(), new_account()
    for winner, loser in ((me, other), (other, me), (me, other), (me, other)):
        match = running_match("pyramid_poker", me, other)
        accepting.accept(match_id=match.id, player=winner.id)
        playing.submit(
            match_id=match.id, seat=int(loser == other), player=str(loser.id), command={"type": "resign"}, key="it",
            fingerprint=b"",
        )  # fmt: skip
        projections.project(RESULTS.name, match.id)
    page = as_read(at_home(other).get(f"/players/{me.username}"))
    assert "<strong>2</strong> won in a row, now" in page and "<strong>2</strong> longest run" in page
    assert re.findall(r'aria-label="(\d+ won, \d+ lost)"', page) == ["3 won, 1 lost"]
    assert "3:1" in page and "3, you 1" in page
    assert re.findall(r'<li class="(won|lost)">', page) == ["won", "lost", "won", "won"]
    theirs = as_read(at_home(me).get(f"/players/{other.username}"))
    assert "1:3" in theirs and "<strong>0</strong> won in a row, now" in theirs


def test_lists_hide_the_end_from_delayed_spectators() -> None:
    me, other, watcher = new_account(), new_account(), new_account()
    opened = opening.open_match(
        opener=me.id,
        game="pyramid_poker",
        options={},
        seats=[opening.SeatRequest(me.id), opening.SeatRequest(other.id)],
        spectator_delay=600,
    )
    opening.start(match_id=opened.match_id, by=me.id, reason="A test.")
    match = Match.objects.get(id=opened.match_id)
    play_to_the_end(match)
    projections.project(RESULTS.name, match.id)
    both = [at_home(reader).get("/matches", {"player": me.username}) for reader in (me, watcher)]
    mine, theirs = (as_read(page) for page in both)
    assert "(won)" in mine and "Ended" in mine
    assert match.code in theirs and "(won)" not in theirs and "Ended" not in theirs and ">Running<" in theirs
    for path in (f"/matches?status=finished&player={me.username}", f"/players/{me.username}"):
        text = as_read(at_home(watcher).get(path))
        assert match.code not in text and "won of" not in text and other.username not in text
        assert match.code in as_read(at_home(me).get(path))


def test_finished_matches_leave_the_running_list_after_the_delay() -> None:
    me, other, watcher = new_account(), new_account(), new_account()
    match = running_match("pyramid_poker", me, other, spectator_delay=60)
    play_to_the_end(match)
    under_way = partial(selectors.matches_for, watcher, status="running", player=me.id)
    assert [it.id for it in under_way()] == [match.id], "Who watches is told yet that it runs."
    Match.objects.filter(id=match.id).update(changed_at=timezone.now() - timedelta(minutes=10))
    assert not under_way()
    assert not selectors.matches_on_show().filter(id=match.id)


def card_of(match: Match, reader: Account | None = None, path: str = "/") -> str:
    """The match's card on a page; empty where there is none."""
    page = at_home(reader).get(path)
    assert page.status_code == 200
    cards = [it for it in re.findall(r'<li class="card.*?</li>', as_read(page), re.DOTALL) if match.code in it]
    return cards[0] if cards else ""


def test_card_shows_the_state_of_a_match() -> None:
    me, other = new_account(), new_account()
    match = waiting_match("pyramid_poker", me, other)
    assert 'class="headline"' not in card_of(match, me)
    opening.start(match_id=match.id, by=match.opened_by_id, reason="A test.")
    choosing = re.search(r'class="headline">([^<]+) chooses who starts<', card_of(match, me))
    assert choosing and choosing[1] in (me.username, other.username)
    play_on(match, 4)
    headline = re.search(r'class="headline">(Construction, brick [2-5] of 30: \S+ builds)<', card_of(match))
    assert headline and all(headline[1] in card_of(match, reader) for reader in (me, other, new_account()))
    play_to_the_end(match)
    assert 'class="headline"' not in card_of(match, me)


def test_broken_record_does_not_break_the_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    me, other = new_account(), new_account()
    late = running_match("pyramid_poker", me, other, spectator_delay=600)
    prompt, sound = (running_match("pyramid_poker", me, other) for _ in range(2))
    monkeypatch.setattr(repository, "_cache", repository.FoldCache(2**24))
    for match in (late, prompt):
        tamper(partial(another_hand_in, match))
    for path in ("/", f"/matches?player={me.username}"):
        for reader in (me, new_account()):
            assert 'class="headline"' in card_of(sound, reader, path)
            assert 'class="headline"' not in card_of(prompt, reader, path) != ""
            assert bool(card_of(late, reader, path)) == (reader is me)
    assert 'class="headline"' in card_of(sound)


def another_hand_in(match: Match, hand: Connection[Any]) -> None:
    """The second event is made somebody else's."""
    hand.execute("UPDATE events_event SET actor = 'mallory' WHERE stream = %s AND version = 2", (match.id,))


def test_card_shows_the_number_of_watchers() -> None:
    match = running_match("pyramid_poker", new_account(), new_account())
    presence.note({match.id: [presence.seat(0), presence.watcher("a"), presence.watcher("b")]})
    assert "2 watching" in card_of(match)


def test_delayed_facts_change_no_list_for_spectators() -> None:
    me, other, watcher, official = new_account(), new_account(), new_account(), new_account()
    opened = opening.open_match(
        opener=me.id,
        game="pyramid_poker",
        options={},
        seats=[opening.SeatRequest(me.id), opening.SeatRequest(other.id)],
        spectator_delay=600,
    )
    match = Match.objects.get(id=opened.match_id)

    def looks_of(reader: Account | None) -> list[str]:
        front = as_read(at_home(reader).get("/"))
        looks = [it for it in re.findall(r'<li class="card.*?</li>', front, re.DOTALL) if match.code in it]
        for status in STATUSES if reader else ():
            page = as_read(at_home(reader).get(f"/matches?player={me.username}{status}"))
            rest = as_read(api(reader).get(f"/matches?player={me.id}{status}"))
            looks += [CSRF.sub("", page), rest]
        return looks

    lists: list[list[str]] = []
    mine: list[list[str]] = []
    acts = [
        lambda: opening.start(match_id=match.id, by=me.id, reason="A test."),
        lambda: play_on(match, 3),
        lambda: hosting.pause(match_id=match.id, by=official.id, reason="A test."),
        lambda: hosting.resume(match_id=match.id, by=official.id, reason="A test."),
        lambda: play_to_the_end(match),
    ]
    for act in acts:
        act()
        lists.append(looks_of(watcher) + looks_of(None))
        mine.append(looks_of(me))
    assert match.code in "".join(lists[0])
    assert all(looks == lists[0] for looks in lists)
    assert len(set(map(tuple, mine))) == len(acts)


def test_active_player_is_found_by_name_in_any_case() -> None:
    player = new_account()
    client = at_home(new_account())
    assert player.username in as_read(client.get(f"/players/{player.username.upper()}"))
    Account.objects.filter(id=player.id).update(is_active=False)
    assert client.get(f"/players/{player.username}").status_code == 404


def test_a_list_is_narrowed_by_game_state_player_and_seat() -> None:
    me, other = new_account(), new_account()
    mine = running_match("pentagram", me, BOT)
    theirs = running_match("pentagram", other, BOT)
    waits = waiting_match("pyramid_poker", other, None)
    client = at_home(me)

    def listed_for(query: str) -> set[str]:
        page = as_read(client.get(f"/matches?{query}"))
        return {match.code for match in (mine, theirs, waits) if match.code in page}

    assert listed_for("mine=1") == {mine.code}
    assert listed_for(f"player={other.username}") == {theirs.code, waits.code}
    assert listed_for(f"player={other.username}&game=pentagram") == {theirs.code}
    assert listed_for(f"player={other.username}&status=waiting") == {waits.code}


def test_list_for_an_unknown_name_says_so_beside_the_field() -> None:
    answer = at_home(new_account()).get("/matches?player=nobody-at-all")
    assert answer.status_code == 404
    page = as_read(answer)
    assert "Nobody of this name has an account here." in page and 'value="nobody-at-all"' in page


def test_pages_of_a_list_contain_every_match_once() -> None:
    me = new_account()
    codes = {waiting_match("pyramid_poker", me, None).code for _ in range(23)}
    client = at_home(me)
    first = as_read(client.get("/matches?mine=1"))
    following = re.search(r'href="(/matches\?[^"]*cursor=[^"]*)"', first)
    assert following
    second = as_read(client.get(following[1].replace("&amp;", "&")))
    codes_by_page = [re.findall(r"/m/(\w{8})/seats", page) for page in (first, second)]
    assert [len(page) for page in codes_by_page] == [20, 3]
    assert {*codes_by_page[0], *codes_by_page[1]} == codes
    assert "Newest" in second and "Older" not in second


@pytest.mark.parametrize("path", ["/matches", "/players/someone", "/account"])
def test_lists_are_for_accounts(path: str) -> None:
    assert at_home().get(path).headers["Location"].startswith("/sign-in?next=/")


def test_name_is_escaped() -> None:
    me = new_account()
    Account.objects.filter(id=me.id).update(username="<b>&\"'x", name_key=f"odd {me.id}")
    running_match("pyramid_poker", me, new_account())
    for path in ("/", "/matches?mine=1", "/account"):
        page = as_read(at_home(me).get(path))
        assert "<b>" not in page
        assert "&lt;b&gt;&amp;&quot;&#x27;x" in page


def test_pending_turns_have_their_own_list() -> None:
    me, other = new_account(), new_account()
    mine, theirs = (running_match("pyramid_poker", me, other) for _ in range(2))
    newer = [running_match("pyramid_poker", me, other) for _ in range(6)]
    Match.objects.filter(id__in=[mine.id, *(it.id for it in newer)]).update(needs=[me.id])
    Match.objects.filter(id=theirs.id).update(needs=[other.id])
    client = at_home(me)
    assert 'href="/matches?needs=1"' in section(client, "needs")
    page = as_read(client.get("/matches?needs=1"))
    assert mine.code in page and theirs.code not in page
    assert 'name="needs" value="1" checked' in page
