"""An episode's recap and the pictures of a season: what they tell, to whom, and how they stand."""

import re
from collections.abc import Iterator
from uuid import UUID, uuid4
from xml.etree.ElementTree import Element, fromstring

import pytest
from django.test import Client
from msgspec.structs import replace
from PIL.ImageFont import truetype

from games.drawing.glyphs import FONTS, drawable
from matches.models import Account, Match
from matches.seasons.models import Season
from matches.seasons.reads import event_documents, feed, recap
from matches.seasons.reads.documents import SeasonDocument, SeasonMatchDocument
from matches.seasons.reads.recap import Recap
from matches.web.seasons import career, episode_players, pictures
from matches.web.seasons.decisive import decided
from matches.web.seasons.episode_players import main_tables, people
from tests.api.guests import guest
from tests.api.seasons import Cup, deliver
from tests.pages import as_read
from tests.table_setting import new_account, play_to_the_end

LONG = "W" * 40
HEBREW = "\u05de\u05e9\u05d4"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures are answered as they were drawn, and no PNG is made."""
    monkeypatch.setattr(pictures, "photographed", str.encode)
    yield


def read(path: str, reader: Account | None = None) -> tuple[int, str]:
    client = Client(SERVER_NAME="localhost")
    if reader is not None:
        client.force_login(reader)
    answer = client.get(path)
    return answer.status_code, as_read(answer) if answer.headers["Content-Type"].startswith("text/html") else (
        answer.content.decode(errors="replace")
    )


def document(cup: Cup) -> SeasonDocument:
    return feed.season(Season.objects.get(id=cup.id), None)


def recap_of(cup: Cup, season: SeasonDocument | None = None, number: int = 1) -> Recap:
    season = season or document(cup)
    events = event_documents.events(season.id, 0, 10_000).results
    found = recap.recap(season, number, events, feed.ledger(season.id).results)
    assert found is not None
    return found


def lines(picture: str) -> list[Element]:
    """Each line of a picture; drawings within are left out."""
    root = fromstring(picture)  # noqa: S314 (our own picture)
    return [it for it in root if it.tag.endswith("}text")]


def sticks_out(picture: str) -> list[str]:
    """The lines that reach over the inlay, as the font's own reader measures them."""
    over = []
    for line in lines(picture):
        words, size = line.text or "", float(line.attrib["font-size"])
        font = "Inter-Bold.ttf" if line.attrib["font-weight"] == "700" else "Inter-Medium.ttf"
        loose = truetype(str(FONTS / font), 1000).getlength(words) * size / 1000
        wide = loose + float(line.get("letter-spacing", "0")) * len(words)
        left = float(line.attrib["x"]) - {"start": 0, "middle": wide / 2, "end": wide}[line.attrib["text-anchor"]]
        if left < 20 or left + wide > 1180:
            over.append(words)
    return over


def test_a_chat_finds_the_picture_of_an_episode_by_its_page_and_needs_no_account() -> None:
    cup = Cup(4)
    cup.episode()
    path, stranger = f"/seasons/{cup.id}/episodes/1", Client(SERVER_NAME="localhost")
    page = stranger.get(path).content.decode()
    meta = dict(re.findall(r'<meta\s+(?:property|name)="([a-z:_]+)"\s+content="([^"]*)"', page))
    assert meta["twitter:card"] == "summary_large_image" and meta["og:title"] == "A cup, Dice"
    assert meta["og:url"] == f"http://localhost{path}" and meta["og:image"] == f"http://localhost{path}/recap.png"
    assert meta["og:description"].endswith("leaves in 4th place.")
    picture = stranger.get(meta["og:image"])
    assert picture.headers["Content-Type"] == "image/png"
    assert [int.from_bytes(picture.content[at : at + 4]) for at in (16, 20)] == [1200, 630]
    again = stranger.get(meta["og:image"], headers={"if-none-match": picture.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert f"{meta['og:url']}</textarea>" in as_read(page)


def test_a_private_season_has_neither_recap_nor_picture_for_strangers(drawn: None) -> None:
    cup = Cup(3, public=False)
    cup.did("/episodes", {"title": "First"})
    member = Account.objects.get(id=cup.players[0].id)
    for path in ("episodes/1", "episodes/1/recap.png", "poster.png", "champion", "champion.png"):
        address = f"/seasons/{cup.id}/{path}"
        assert read(address)[0] == read(address, new_account())[0] == 404
        assert read(address, member)[0] == (404 if "champion" in path else 200)
    assert read(f"/seasons/{cup.id}/episodes/2/recap.png", member)[0] == 404
    assert read(f"/seasons/{uuid4()}/poster.png")[0] == 404


def test_recap_hides_the_end_from_delayed_readers(drawn: None) -> None:
    cup = Cup(4, spectator_delay=600)
    match = cup.death_match()
    addresses = [f"/seasons/{cup.id}/{it}" for it in ("episodes/1", "episodes/1/recap.png", "poster.png")]
    before = [read(it) for it in addresses]
    cup.loses(match, cup.player(str(cup.read("/episodes")["results"][0]["candidate"])))
    assert Match.objects.get(id=match).status == "finished"
    assert [read(it) for it in addresses] == before
    seated = Account.objects.get(id=cup.read("/episodes")["results"][0]["candidate"])
    assert read(addresses[1], seated) == before[1], "The picture is the same for everybody."
    as_if_told = replace(document(cup).episodes[0].matches[0], status="finished", winner=UUID(cup.players[-2].id))
    assert decided(as_if_told) is None, "The board itself waits too."


def test_recap_of_a_played_match_shows_its_deciding_moment() -> None:
    cup = Cup(4)
    match = cup.death_match("reality_benders")
    assert "The moment of the match" not in read(f"/seasons/{cup.id}/episodes/1")[1]
    play_to_the_end(Match.objects.get(id=match))
    deliver()
    page = read(f"/seasons/{cup.id}/episodes/1")[1]
    assert "awaits approval" in page and "leaves" not in page.partition('id="main-match"')[0]
    cup.did(f"/matches/{match}/approve")
    season = document(cup)
    recapped = recap_of(cup, season)
    names = {it.player.id: it.player.username for it in season.standings}
    page = read(f"/seasons/{cup.id}/episodes/1")[1]
    assert "The moment of the match" in page and f"{names[recapped.winner]} wins, " in page
    assert "Approved by" in page
    way = re.search(r'href="(/m/\w+/replay/\d+/\?play=1)"', page)
    assert way and read(way[1])[0] == 200
    for moment in re.findall(r'href="(/m/\w+/replay/\d+/)"', page)[:1]:
        assert read(moment)[0] == 200
    picture = pictures.recap_card(season, recapped)
    assert f"{names[recapped.winner]} stays." in picture and f"{names[recapped.out]} leaves." in picture
    within = [it for it in fromstring(picture) if it.tag.endswith("}svg")]  # noqa: S314 (our own picture)
    assert len(within) == 1, "What decided it is drawn within."


def test_garnets_add_up() -> None:
    cup = Cup(5)
    cup.episode()
    giver, taker = (it.id for it in cup.living()[:2])
    cup.did("/episodes", {"title": "Second"})
    cup.did("/garnets", {"from": giver, "to": taker, "amount": 1, "reason": "A debt."})
    cup.did("/garnets", {"to": taker, "amount": 30, "reason": "A find."})
    season = document(cup)
    first, second = recap_of(cup, season, 1).garnets, recap_of(cup, season, 2).garnets
    for it in (first, second):
        assert it.after - it.before == sum(moved.change for moved in it.moved)
    assert (first.before, first.after, second.after) == (5, second.before, season.garnets)
    held = {it.player.id: it.garnets for it in season.standings}
    assert {it.player: it.after for it in second.moved} == {UUID(it): held[UUID(it)] for it in (giver, taker)}
    page = read(f"/seasons/{cup.id}/episodes/2")[1]
    assert f"{second.before} before, {second.after} after" in page and "A debt; A find" in page


def test_recap_names_the_former_actor_after_a_substitution() -> None:
    cup, newcomer = Cup(5), guest()
    candidate = cup.main_match()
    leaver = cup.living()[-2]
    cup.did("/opponents", {"player": leaver.id}, by=candidate)
    cup.did(f"/players/{leaver.id}/substitute", {"newcomer": newcomer.id, "reason": "A journey."})
    cup.loses(match := cup.set("/death-matches", "pyramid_poker"), candidate)
    cup.did(f"/matches/{match}/approve")
    page = read(f"/seasons/{cup.id}/episodes/1")[1]
    sentence = (
        f"{candidate.name} chooses {leaver.name}; {newcomer.name} goes on for {leaver.name} and wins Pyramid Poker."
    )
    assert f"{sentence} {candidate.name} leaves in 5th place." in page
    assert f"{newcomer.name} stays. {candidate.name} leaves." in page


def test_episode_without_a_death_match_gives_the_reason() -> None:
    cup = Cup(4)
    cup.main_match()
    cup.did("/episodes/close", {"reason": "The house burns."})
    page = read(f"/seasons/{cup.id}/episodes/1")[1]
    assert "It ended without an elimination: The house burns." in page and "Nobody leaves." in page
    assert "Nobody leaves." in pictures.recap_card(document(cup), recap_of(cup))


def test_recap_says_that_a_player_withdrew_before_the_end() -> None:
    cup = Cup(5)
    cup.death_match()
    episode = cup.read("/episodes")["results"][0]
    leaver, other = cup.player(episode["candidate"]), cup.player(episode["opponent"])
    cup.did(f"/players/{leaver.id}/withdraw", {"reason": "Ill."})
    page = read(f"/seasons/{cup.id}/episodes/1")[1]
    sentence = (
        f"{leaver.name} chooses {other.name}. {leaver.name} left the season before the end of Pyramid Poker, in 5th"
    )
    assert sentence in page and "The moment of the match" not in page and f"{other.name} won" in page


def test_recap_shows_annulled_and_corrected_results_as_they_are_now() -> None:
    cup = Cup(5)
    match = cup.death_match()
    candidate = cup.player(cup.read("/episodes")["results"][0]["candidate"])
    cup.loses(match, candidate)
    path = f"/seasons/{cup.id}/episodes/1"
    assert "The moment of the match" in read(path)[1]
    cup.did(f"/matches/{match}/correct", {"winner": candidate.id, "reason": "The clock was wrong."})
    page = read(path)[1]
    assert "The clock was wrong." in page and f"{candidate.name} has won the death match" in page
    assert "The moment of the match" not in page, "The board tells of another winner."
    cup.did(f"/matches/{match}/annul", {"reason": "A wrong table."})
    page = read(path)[1]
    assert "A wrong table." in page and "has won the death match" not in page
    assert "is under way" in page and recap_of(cup).duel is None


def test_the_champion_has_a_page_and_a_card(drawn: None) -> None:
    cup = Cup(3, best_of=1)
    cup.episode()
    assert read(f"/seasons/{cup.id}/champion")[0] == read(f"/seasons/{cup.id}/champion.png")[0] == 404
    cup.did("/final")
    match = cup.set("/final/matches", "pyramid_poker")
    winner, loser = cup.living()
    cup.loses(match, loser)
    cup.did(f"/matches/{match}/approve")
    status, page = read(f"/seasons/{cup.id}/champion")
    assert status == 200 and f"Beat {loser.name} 1 to 0 in the final." in page
    assert f'content="http://localhost/seasons/{cup.id}/champion.png"' in page
    status, picture = read(f"/seasons/{cup.id}/champion.png")
    assert status == 200 and winner.name in picture and "3 players, 1 episode, " in picture
    assert sticks_out(picture) == []
    assert f"{winner.name} has won" in read(f"/seasons/{cup.id}/poster.png")[1]


@pytest.fixture(scope="module")
def crowded() -> tuple[Cup, SeasonDocument]:
    """A season of thirty with the longest names there are, as if it had had as many episodes; its first is over."""
    cup = Cup(4)
    cup.episode()
    season = document(cup)
    four = [replace(it, called=f"{LONG[:-2]}Щ{place}")
            for place, it in enumerate(season.standings)]  # fmt: skip
    others = [replace(four[0], player=replace(four[0].player, id=uuid4())) for _ in range(26)]
    return cup, replace(season, title="—" * 100, standings=[*four, *others], headline=f"{LONG} has won, {LONG} lost")


def test_the_longest_names_and_thirty_players_stay_within_their_pictures(crowded: tuple[Cup, SeasonDocument]) -> None:
    cup, season = crowded
    champion = season.standings[0].player.id
    won = replace(season, champion=champion, episodes=season.episodes * 30)
    way = career.career(won, lambda account: LONG, "24 November 2026")
    assert way is not None
    drawn = [
        pictures.recap_card(season, recap_of(cup, season)), pictures.poster(season), pictures.champion(won, way),
        *(pictures.poster(replace(season, standings=season.standings[:count])) for count in (0, 3)),
    ]  # fmt: skip
    for picture in drawn:
        assert sticks_out(picture) == []
    assert pictures.photographed(drawn[2]).startswith(b"\x89PNG")


def test_pictures_contain_no_letter_without_a_glyph(crowded: tuple[Cup, SeasonDocument]) -> None:
    cup, season = crowded
    hidden = [replace(it, called=f"{HEBREW}{place}")
              for place, it in enumerate(season.standings)]  # fmt: skip
    named = replace(season, title=HEBREW, standings=hidden, headline=f"\u2068{HEBREW}\u2069 has won")
    for picture in (pictures.recap_card(named, recap_of(cup, named)), pictures.poster(named)):
        texts = [it.text or "" for it in lines(picture)]
        assert texts and all(drawable(it) for it in texts)
    assert "The winner stays." in pictures.recap_card(named, recap_of(cup, named))


def test_uploaded_portrait_is_in_no_link_preview(crowded: tuple[Cup, SeasonDocument]) -> None:
    cup, season = crowded
    ids = [it.player.id for it in season.standings]
    before = pictures.recap_card(season, recap_of(cup, season)), pictures.poster(season)
    Account.objects.filter(id__in=ids).update(portrait_picture="0" * 32)
    try:
        assert (pictures.recap_card(season, recap_of(cup, season)), pictures.poster(season)) == before
        assert not any("<image" in it for it in before)
    finally:
        Account.objects.filter(id__in=ids).update(portrait_picture="")


def test_points_are_bars_from_least_to_most_and_ties_share_a_place(
    monkeypatch: pytest.MonkeyPatch, crowded: tuple[Cup, SeasonDocument]
) -> None:
    season = crowded[1]
    one, two, three, four = ids = [it.player.id for it in season.standings[:4]]
    table: SeasonMatchDocument = replace(season.episodes[0].matches[0], ranking=[[one], [two, three], [four]])
    monkeypatch.setattr(episode_players, "points", lambda match: dict(zip(ids, (6, 1, 1, -4), strict=True)))
    (rows,) = main_tables([table], people(season))
    assert [(it.place, it.points, it.part, it.is_first, it.is_last) for it in rows] == [
        (1, 6, 100, True, False), (2, 1, 50, False, False), (2, 1, 50, False, False), (4, -4, 0, False, True),
    ]  # fmt: skip
    monkeypatch.setattr(episode_players, "points", lambda match: {})
    (rows,) = main_tables([table, replace(table, ranking=[])], people(season))
    assert {(it.points, it.part) for it in rows} == {(None, 0)}
    (rows,) = main_tables([replace(table, ranking=[[one, two]])], people(season))
    assert [(it.is_first, it.is_last) for it in rows] == [(True, False)] * 2, "All equal, so nobody is last."
