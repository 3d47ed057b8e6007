"""The front page and the lobby: a match that goes on, positions of games, tiles of what waits."""

import gzip
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import catalogue
from matches.domain import show
from matches.models import Account, Match
from matches.publishing import presence
from matches.services import playing
from matches.storage import repository
from matches.workers import show as shows
from tests.api.seasons import Cup
from tests.pages import as_read
from tests.table_setting import BOT, new_account, play_on, running_match, waiting_match
from tests.web.test_ground import is_strict
from tests.web.test_lobby import at_home, section

MOST_QUERIES = 40


def table(match: Match, reader: Account | None = None, **asked: str) -> bytes:
    answer = at_home(reader).get(f"/m/{match.code}/table.svg", asked)
    assert answer.status_code == 200
    return answer.content


@pytest.fixture
def show_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    """A show match at which some moves have been made."""
    monkeypatch.setattr("django.conf.settings.SHOW_REST_SECONDS", 1e-6)
    presence.note({show.AUDIENCE: [presence.watcher("front")]})
    Match.objects.filter(opened_by=show.OPENER).exclude(status="void").update(
        status="void", changed_at=timezone.now() - timedelta(hours=1)
    )
    shows.keep()
    match = Match.objects.filter(opened_by=show.OPENER).latest("opened_at")
    playing.attend(match_id=match.id, most=6)
    return match


def test_front_page_shows_a_bot_match_and_fetches_only_news(show_match: Match) -> None:
    welcome = at_home().get("/")
    is_strict(welcome)
    front = as_read(welcome)
    assert f'data-match="{show_match.code}"' in front and f'href="/m/{show_match.code}/"' in front
    version = repository.version_of(show_match.id)
    asked = {"match": show_match.code, "after": str(version)}
    assert at_home().get("/show", asked).status_code == 204
    playing.attend(match_id=show_match.id, most=1)
    fresh = at_home().get("/show", asked)
    assert fresh.status_code == 200 and f'data-version="{version}"' not in fresh.content.decode()
    for odd in ({"match": "\0", "after": "x"}, {}):
        assert at_home().get("/show", odd).status_code == 200


def test_anonymous_reader_of_the_front_page_counts_as_a_watcher() -> None:
    presence.forget(show.AUDIENCE, presence.watcher("front"))
    at_home(new_account()).get("/")
    assert presence.present_at(show.AUDIENCE).watchers == 0
    at_home().get("/")
    assert presence.present_at(show.AUDIENCE).watchers == 1


def test_the_show_is_listed_nowhere_but_in_its_own_place(show_match: Match) -> None:
    assert show_match.code not in section(at_home(new_account()), "live")
    assert show_match.code not in section(at_home(), "live")


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_each_game_has_a_position_picture_in_both_themes(slug: str) -> None:
    light, dark = (at_home().get(f"/games/{slug}/position.svg", {"theme": theme}) for theme in ("light", "dark"))
    assert light.content.startswith(b"<svg") and light.content != dark.content
    assert "public" in light.headers["Cache-Control"]
    packed = at_home().get(f"/games/{slug}/position.svg", headers={"accept-encoding": "gzip"})
    assert gzip.decompress(packed.content) == light.content
    known = at_home().get(f"/games/{slug}/position.svg", headers={"if-none-match": light.headers["ETag"]})
    assert known.status_code == 304
    assert f"/games/{slug}/position.svg" in as_read(at_home().get("/"))


def test_position_of_an_unknown_game_gets_404() -> None:
    assert at_home().get("/games/chess/position.svg").status_code == 404


def test_tile_shows_only_what_its_reader_may_see() -> None:
    """Only its builder sees a brick: the tiles of both seats differ, and all who watch have the same."""
    me, other, watcher = new_account(), new_account(), new_account()
    match = running_match("pyramid_poker", me, other)
    play_on(match, 8)
    mine, theirs, seen, passing = (table(match, reader) for reader in (me, other, watcher, None))
    assert len({mine, theirs, seen}) == 3
    assert seen == passing
    answer = at_home(me).get(f"/m/{match.code}/table.svg")
    assert answer.headers["Cache-Control"] == "private, no-cache", "Another may read in the same browser next."


def test_tile_of_a_delayed_match_has_the_delay_of_its_page() -> None:
    me, other = new_account(), new_account()
    match = running_match("pyramid_poker", me, other, spectator_delay=600)
    before = table(match)
    play_on(match, 8)
    assert table(match) == before == table(match, new_account())
    assert table(match, me) != before


def test_lobby_takes_a_constant_number_of_queries() -> None:
    me, other = new_account(), new_account()
    client: Client = at_home(me)
    running_match("pyramid_poker", me, other)
    client.get("/")
    with CaptureQueriesContext(connection) as few:
        client.get("/")
    for _ in range(6):
        running_match("pyramid_poker", me, other)
    client.get("/")
    with CaptureQueriesContext(connection) as many:
        client.get("/")
    assert len(many) <= len(few) + 2
    assert len(many) <= MOST_QUERIES


def test_lobby_counts_pending_turns_and_shows_the_most_urgent_large() -> None:
    me = new_account()
    assert "Nothing waits for you" in as_read(at_home(me).get("/"))
    matches = [running_match("pyramid_poker", me, BOT) for _ in range(2)]
    Match.objects.filter(id__in=[it.id for it in matches]).update(needs=[me.id])
    page = as_read(at_home(me).get("/"))
    assert "Your turn in 2 matches</h1>" in page and "(2) Lobby" in page
    needs = section(at_home(me), "needs")
    assert needs.count(" first") == 1 and needs.count("/table.svg?v=") >= 2
    waiting_match("pyramid_poker", new_account(), me)
    assert "Your turn in 2 matches and an invitation</h1>" in as_read(at_home(me).get("/"))


def test_officials_have_their_links_in_the_lobby_and_others_do_not() -> None:
    organiser = as_read(at_home(new_account(is_organiser=True)).get("/"))
    assert "Open a season" in organiser and re.search(r'href="/admin/"', organiser)
    assert "Open a season" not in as_read(at_home(new_account()).get("/"))


def test_season_is_on_the_front_page_with_portraits_of_its_players() -> None:
    cup = Cup(4)
    front = section(at_home(), "seasons")
    assert f"/seasons/{cup.id}" in front and front.count("portrait p48") >= 4


def test_lobby_shows_own_seasons_or_one_to_follow() -> None:
    private, public = Cup(4, public=False), Cup(4)
    newcomer = section(at_home(new_account()), "seasons")
    assert "Seasons to follow" in newcomer and f"/seasons/{public.id}" in newcomer
    assert f"/seasons/{private.id}" not in newcomer
    player = section(at_home(Account.objects.get(id=private.players[0].id)), "seasons")
    assert "Your seasons" in player and f"/seasons/{private.id}" in player and f"/seasons/{public.id}" not in player
