"""The board as a picture over REST: whole, as the caller may see it, at any version, and cheap to ask for again."""

from uuid import uuid4
from xml.etree import ElementTree

import pytest
from django.test import Client

from games import catalogue
from games.drawing.png import png
from games.drawing.themes import DARK, LIGHT
from games.kernel import SPECTATOR, Table
from matches.models import Account
from matches.reads import entitlements, feed, pictures
from matches.reads.sentences import names_of
from tests.api.guests import Guest, guest, house, opened, started
from tests.games.pixels import size_of
from tests.table_setting import new_token


def cells(picture: bytes) -> dict[str, str]:
    parts = ElementTree.fromstring(picture).iter()  # noqa: S314
    return {part.attrib["data-cell"]: part.attrib["aria-label"] for part in parts if "data-cell" in part.attrib}


def refused(reader: Guest, path: str) -> tuple[int, str, bool]:
    """Status, code, and whether it is said when to ask again; not held against the document, which allows no 5xx."""
    headers = {"host": "localhost", "Authorization": f"Bearer {reader.token}"}
    answer = Client(headers=headers).get(f"/api/v1{path}")
    return answer.status_code, answer.json()["code"], "Retry-After" in answer.headers


@pytest.fixture
def players() -> tuple[Guest, Guest]:
    return guest(), guest()


@pytest.fixture
def match(players: tuple[Guest, Guest]) -> str:
    """A pyramid with one brick of seat 0 and one of seat 1."""
    match = started("pyramid_poker", *players)
    for seat, text in ((0, "first 0"), (0, "place A1"), (1, "place A2")):
        assert players[seat].send(match, text).status == 201
    return match


@pytest.mark.parametrize("game", catalogue)
@pytest.mark.parametrize("waiting", [True, False])
def test_every_game_has_its_board_in_both_forms_and_themes(game: str, waiting: bool) -> None:
    player = guest()
    match = opened(player, game, player, None) if waiting else started(game, player, "bot")
    for theme, colours in (("light", LIGHT), ("dark", DARK)):
        drawn = player.get(f"/matches/{match}/board.svg", {"theme": theme})
        assert (drawn.status, drawn.headers["Content-Type"]) == (200, "image/svg+xml")
        assert ElementTree.fromstring(drawn.body).tag.endswith("svg")  # noqa: S314
        assert colours.stage in drawn.body.decode() and b"var(" not in drawn.body
        photograph = player.get(f"/matches/{match}/board.png", {"theme": theme, "width": 240})
        assert (photograph.status, photograph.headers["Content-Type"]) == (200, "image/png")
        assert size_of(photograph.body)[0] == 240
        assert len(photograph.body) > 3000


def test_each_seat_sees_its_own_bricks_and_a_spectator_none(players: tuple[Guest, Guest], match: str) -> None:
    boards = [cells(it.get(f"/matches/{match}/board.svg").body) for it in (*players, guest())]
    hidden = [["hidden" in picture[name] for name in ("A1", "A2")] for picture in boards]
    assert hidden == [[False, True], [True, False], [True, True]]
    assert f"placed by {players[0].name}" in boards[2]["A1"]


def test_picture_of_a_version_shows_that_version(players: tuple[Guest, Guest], match: str) -> None:
    newest = players[0].get(f"/matches/{match}").json["version"]
    path = f"/matches/{match}/board.svg"
    boards = [cells(players[0].get(path, {"at": at}).body) for at in range(1, newest + 1)]
    counts = [sum("placed" in label for label in board.values()) for board in boards]
    assert counts == sorted(counts)
    assert (counts[0], counts[-1]) == (0, 2)
    assert players[0].get(f"/matches/{match}/board.svg", {"at": newest + 99}).status == 200


def test_picture_for_spectators_has_the_delay_of_the_match(players: tuple[Guest, Guest]) -> None:
    match = started("pyramid_poker", *players, spectator_delay=3600)
    for text in ("first 0", "place A1"):
        assert players[0].send(match, text).status == 201
    path, watcher = f"/matches/{match}/board.svg", guest()
    standing = {who: cells(who.get(path).body)["A1"] for who in (players[1], watcher)}
    assert "placed by" in standing[players[1]]
    assert standing[watcher] == "A1, empty"
    assert "placed" not in cells(watcher.get(path, {"at": 99}).body)["A1"]
    assert "placed" not in cells(players[1].get(path, {"as": "spectator"}).body)["A1"]


def test_picture_for_another_witness_gets_404(players: tuple[Guest, Guest], match: str) -> None:
    for form in ("svg", "png"):
        path = f"/matches/{match}/board.{form}"
        assert players[0].get(path, {"as": "seat:1"}).refusal == (404, "not_found")
        assert players[0].get(path, {"as": "host"}).refusal == (404, "not_found")
        assert guest().get(path, {"as": "seat:0"}).refusal == (404, "not_found")
        assert Guest().get(path).refusal == (401, "not_authenticated")
        assert players[0].get(f"/matches/{uuid4()}/board.{form}").refusal == (404, "not_found")
    assert players[0].send(match, "resign").status == 201
    picture = cells(guest().get(f"/matches/{match}/board.svg", {"as": "host"}).body)
    assert "hidden" not in picture["A1"] + picture["A2"]


def test_picture_of_the_truth_records_a_look() -> None:
    host, one, other = guest(), guest(), guest()
    match = started("pyramid_poker", one, other, opener=host)
    before = one.get(f"/matches/{match}").json["version"]
    assert host.get(f"/matches/{match}/board.png", {"as": "host", "width": 200}).status == 200
    looked = one.get(f"/matches/{match}/events", {"after": before}).json["results"]
    assert [event["type"] for event in looked] == ["truth_viewed"]


@pytest.mark.parametrize("form", ["board.svg", "board.png"])
def test_a_picture_is_not_sent_twice_and_changes_its_tag_when_it_changes(
    players: tuple[Guest, Guest], match: str, form: str
) -> None:
    path = f"/matches/{match}/{form}"
    first = players[0].get(path)
    assert first.headers["Cache-Control"] == "private, no-store"
    assert first.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    again = players[0].get(path, If_None_Match=f'"other", W/{first.headers["ETag"]}')
    assert (again.status, again.body, again.headers["ETag"]) == (304, b"", first.headers["ETag"])
    assert players[1].get(path, If_None_Match=first.headers["ETag"]).status == 200
    assert players[0].get(path, {"theme": "dark"}).headers["ETag"] != first.headers["ETag"]
    assert players[0].send(match, "place A3").status == 201
    assert players[0].get(path, If_None_Match=first.headers["ETag"]).status == 200


@pytest.mark.parametrize("query", ["width=199", "width=1601", "width=-1", "width=1e3", "width=", "width=400&width=500"])
def test_a_width_out_of_bounds_is_refused(players: tuple[Guest, Guest], match: str, query: str) -> None:
    answer = players[0].get(f"/matches/{match}/board.png?{query}")
    assert answer.refusal == (400, "malformed")
    assert "width" in answer.json["detail"]


@pytest.mark.parametrize("query", ["theme=pink", "at=0", "as=seat:9", "size=4", "width=300"])
def test_invalid_picture_query_is_refused(players: tuple[Guest, Guest], match: str, query: str) -> None:
    assert players[0].get(f"/matches/{match}/board.svg?{query}").status in (400, 404)


def test_name_without_glyphs_is_the_seats_letter_in_png_only() -> None:
    account = Account.objects.create_user(f"漢字{uuid4().hex[:8]}", "seven blue lanterns")
    player = Guest(new_token(account), account)
    match = started("pentagram", player, "bot")
    assert account.username in player.get(f"/matches/{match}/board.svg").body.decode()
    row = pictures.Match.objects.get(id=match)
    witness = entitlements.witness_of(entitlements.lifecycle_for(row.id, str(account.id)), str(account.id))
    drawn = pictures.png_of(row, witness, "light", 400)
    bot = [name if name == "Bot" else "Seat A" for name in names_of(row)]
    visible = feed.visible_state(row.id, witness)
    plain = visible.game.board.draw(visible.state, viewer=witness, theme=LIGHT, names=bot)
    assert drawn == png(plain, 400)


def test_same_picture_is_rendered_as_png_once(monkeypatch: pytest.MonkeyPatch, match: str) -> None:
    widths: list[int] = []
    monkeypatch.setattr(pictures, "photographed", lambda svg, width: widths.append(width) or b"drawn")
    row = pictures.Match.objects.get(id=match)
    for width in (201, 203, 201, 203):
        assert pictures.png_of(row, SPECTATOR, "dark", width) == b"drawn"
    assert widths == [201, 203]


def test_picture_process_renders_the_same_png_as_the_library() -> None:
    svg = catalogue["pyramid_poker"].board.draw(
        Table(catalogue["pyramid_poker"]).state, viewer=SPECTATOR, theme=DARK, names=("Zoë", "<b>&")
    )
    assert pictures.photographed(svg, 333) == png(svg, 333)


def test_png_cache_drops_the_oldest_beyond_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pictures, "photographed", lambda svg, width: svg.encode())
    store = pictures._Pngs(2)
    assert [store.of(svg, 200) for svg in ("a", "b", "a", "c")] == [b"a", b"b", b"a", b"c"]
    assert [svg for svg, _ in store._made] == [pictures.sha256(svg).digest() for svg in (b"a", b"c")]


def test_second_picture_waits_for_the_first_and_gets_503_after_a_while(
    monkeypatch: pytest.MonkeyPatch, players: tuple[Guest, Guest], match: str
) -> None:
    monkeypatch.setattr(pictures, "_LONGEST_WAIT_SECONDS", 0.05)
    path = f"/matches/{match}/board.png"
    with pictures._pngs._making:
        assert refused(players[0], path) == (503, "pictures_busy", True)
        assert players[0].get(f"/matches/{match}/board.svg").status == 200
    assert players[0].get(path).status == 200


def test_picture_that_takes_too_long_gets_503(
    monkeypatch: pytest.MonkeyPatch, players: tuple[Guest, Guest], match: str
) -> None:
    monkeypatch.setattr(pictures, "_LONGEST_SECONDS", 0.001)
    assert refused(players[0], f"/matches/{match}/board.png?width=1597") == (503, "pictures_busy", True)


def test_the_end_of_a_match_can_be_drawn(players: tuple[Guest, Guest]) -> None:
    match = started("higher_or_lower", *players)
    house(match)
    assert players[0].send(match, "resign").status == 201
    for form in ("svg", "png"):
        assert players[1].get(f"/matches/{match}/board.{form}", {"as": "host"}).status == 200
