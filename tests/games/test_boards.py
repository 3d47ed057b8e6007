"""The laws of a board, over every game: whole pictures, cells that can be asked for, and nothing that isn't known."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from xml.etree.ElementTree import Element, fromstring

import pytest

from games.drawing.css import NAMES, WEB
from games.drawing.elements import FEW
from games.drawing.glyphs import drawable
from games.drawing.png import png
from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Chance, Table, Witness, secrecy_of, to_json
from tests.games.every import EVERY
from tests.games.golden_board import HERE
from tests.games.pixels import Pixels
from tests.laws.resampling import resampler_of
from tests.laws.settings import setting_of

PLAYERS = ("Ada", "Benjamin of the very long name, the 3rd", "Cleo", "Dan", "Eve")
STRANGE = ('<b>&"', "]]>'\x00\x0b", "\ud800\ufffe ok", "</text><script>", "漢" * 40)
MATCHES = 2
MOST_MOVES = 320


@cache
def matches(slug: str) -> tuple[tuple[Table, ...], ...]:
    """Some random matches, each as tables along its way: the start, some stops, the end."""
    return tuple(tuple(_stops(slug, seed)) for seed in range(MATCHES))


def _stops(slug: str, seed: int) -> Iterator[Table]:
    game = EVERY[slug]
    options, seats = setting_of(game, seed)
    rng = Random(seed)
    table = Table(game, options, seats, priority=seed % seats, chance=Chance(seed=b"%d" % seed))
    moves, stops = 0, {0, 1, 2, *(rng.randrange(MOST_MOVES) for _ in range(5))}
    yield _copied(table)
    while table.outcome is None and moves < MOST_MOVES:
        if table.due.dealer:
            table.deal()
            continue
        seat = rng.choice(table.due.prompts).seat
        if rng.random() < 0.01:
            table.flag(seat)
        else:
            table.act(seat, table.sample(seat, rng))
        if moves in stops:
            yield _copied(table)
        moves += 1
    yield table


def _copied(table: Table) -> Table:
    return Table.replay(table.game, table.options, table.seats, table.priority, table.log)


def stops(slug: str) -> Iterator[Table]:
    """All of them."""
    return (table for match in matches(slug) for table in match)


def witnesses(table: Table) -> tuple[Witness, ...]:
    return (*range(table.seats), SPECTATOR, HOST)


_drawn: dict[tuple[int, Witness], str] = {}


def plain(table: Table, witness: Witness) -> str:
    """The picture in light colours, nothing aimed at; drawn once for all tests."""
    key = (id(table), witness)
    if key not in _drawn:
        _drawn[key] = drawn(table, witness)
    return _drawn[key]


def drawn(table: Table, witness: Witness, theme: Theme = LIGHT, **more: object) -> str:
    """Any picture."""
    names = more.pop("names", PLAYERS[: table.seats])
    view = table.witness(witness)
    return table.game.board.draw(view, viewer=witness, theme=theme, names=names, **more)  # type: ignore[arg-type]


def cells(picture: str) -> dict[str, Element]:
    """The cells of a picture by name."""
    return {part.attrib["data-cell"]: part for part in fromstring(picture).iter() if "data-cell" in part.attrib}  # noqa: S314


@pytest.mark.parametrize("slug", EVERY)
def test_every_state_is_a_whole_picture_for_every_witness(slug: str) -> None:
    for table in stops(slug):
        for witness in witnesses(table):
            root = fromstring(plain(table, witness))  # noqa: S314
            assert root.tag == "{http://www.w3.org/2000/svg}svg"
            assert (root.attrib["role"], root.attrib["width"]) == ("group", "100%")
            assert root.attrib["aria-label"]
            ids = [part.attrib["id"] for part in root.iter() if "id" in part.attrib]
            assert len(ids) == len(set(ids))


@pytest.mark.parametrize("slug", EVERY)
def test_every_cell_says_its_name_and_what_is_there(slug: str) -> None:
    for table in stops(slug):
        for witness in witnesses(table):
            for name, cell in cells(plain(table, witness)).items():
                assert cell.attrib["id"] == f"cell-{name.replace(' ', '-')}"
                assert re.fullmatch(rf"{re.escape(name)}, \S.*", cell.attrib["aria-label"])
                assert (cell.attrib["role"], cell.attrib["class"]) == ("img", "cell")
                assert "tabindex" not in cell.attrib


@pytest.mark.parametrize("slug", EVERY)
def test_a_target_is_a_button_and_looks_like_one(slug: str) -> None:
    for table in matches(slug)[0]:
        names = list(cells(plain(table, 0)))
        for count in (1, FEW + 1):
            targets = names[:count]
            before, aimed = cells(plain(table, 0)), cells(drawn(table, 0, targets=targets))
            for name in targets:
                assert (aimed[name].attrib["role"], aimed[name].attrib["tabindex"]) == ("button", "0")
                assert aimed[name].attrib["class"] == "cell target"
                assert len(list(aimed[name].iter())) > len(list(before[name].iter()))
            assert all(cell.attrib["role"] == "img" for name, cell in aimed.items() if name not in targets)


@pytest.mark.parametrize("slug", EVERY)
def test_cell_of_the_last_move_is_ringed(slug: str) -> None:
    table = matches(slug)[0][-2]
    before = plain(table, 0)
    ringed = {name: drawn(table, 0, last=[name]) for name in [*cells(before)][::3]}
    assert any(picture.count("<rect") > before.count("<rect") for picture in ringed.values())
    assert all(picture.count('class="cell"') == before.count('class="cell"') for picture in ringed.values())


@pytest.mark.parametrize("slug", EVERY)
def test_cells_that_are_not_there_can_be_asked_for_in_vain(slug: str) -> None:
    for table in matches(slug)[0]:
        assert "<svg" in drawn(table, 0, targets=["Z99", "", "<"], last=["nowhere"])


@pytest.mark.parametrize("slug", EVERY)
def test_a_name_is_never_markup(slug: str) -> None:
    for table in stops(slug):
        names = (STRANGE * 2)[: table.seats]
        for witness in (0, SPECTATOR):
            picture = drawn(table, witness, names=names)
            root = fromstring(picture)  # noqa: S314
            assert not [part for part in root.iter() if part.tag.endswith(("script", "}b"))]
            assert "<b>" in "".join(root.itertext()) or "<b" in picture.replace("&lt;", "<")


@pytest.mark.parametrize("slug", EVERY)
def test_the_web_and_the_themes_differ_in_colours_alone(slug: str) -> None:
    for table in matches(slug)[0]:
        web = drawn(table, SPECTATOR, WEB)
        painted = set(re.findall(r'(?:fill|stroke)="([^"]*)"', web))
        assert painted <= {"none", "transparent", *(getattr(WEB, name) for name in NAMES)}
        for theme in (LIGHT, DARK):
            resolved = re.sub(r"var\(--([a-z-]+)\)", lambda it, to=theme: getattr(to, it[1].replace("-", "_")), web)
            assert resolved == drawn(table, SPECTATOR, theme)


@pytest.mark.parametrize("slug", EVERY)
def test_the_fonts_hold_every_letter_that_a_board_writes(slug: str) -> None:
    for table in stops(slug):
        for witness in witnesses(table):
            for words in fromstring(plain(table, witness)).itertext():  # noqa: S314
                assert drawable(words), words


@pytest.mark.parametrize("slug", EVERY)
def test_nothing_is_drawn_over_the_edge(slug: str) -> None:
    margin = 60
    for match, witness in zip(matches(slug)[:2], (0, HOST), strict=True):
        picture = plain(match[len(match) // 2], witness)
        left, top, width, height = map(float, re.search(r'viewBox="([^"]+)"', picture)[1].split())  # type: ignore[index]
        wide = f'viewBox="{left - margin} {top - margin} {width + 2 * margin} {height + 2 * margin}"'
        opened = re.sub(r'viewBox="[^"]+"', wide, picture, count=1)
        without_stage = re.sub(r"<rect[^>]*/>", "", opened, count=1)
        pixels = Pixels.of(png(without_stage, 200))
        band = int(margin * 200 / (width + 2 * margin)) - 1
        assert len(pixels.edge(band)) == 1, f"{slug} draws beyond its edge"
        assert len(pixels.colours) > 20


@pytest.mark.parametrize("slug", EVERY)
def test_a_headline_tells_every_state_in_a_line_and_is_the_pictures_name(slug: str) -> None:
    lines = set()
    for table in stops(slug):
        names = PLAYERS[: table.seats]
        for witness in witnesses(table):
            line = table.game.board.headline(table.witness(witness), names=names)
            assert 0 < len(line) < 120 and not line.endswith(".") and "\n" not in line
            called = fromstring(plain(table, witness)).attrib["aria-label"]  # noqa: S314
            own = table.game.titled(to_json(table.options)) if table.game.titled else table.game.title
            assert called == f"{own}. {line}."
            lines.add(line)
        if table.outcome is not None:
            assert all(names[winner] in line for winner in table.outcome.winners) and " won " in line
    assert len(lines) > 3


@pytest.mark.parametrize("slug", EVERY)
def test_the_tables_tell_every_state(slug: str) -> None:
    for table in stops(slug):
        for witness in witnesses(table):
            view = table.witness(witness)
            tables = table.game.board.tables(view, viewer=witness, names=PLAYERS[: table.seats])
            captions = [it.caption for it in tables]
            assert tables and len(captions) == len(set(captions))
            assert all(captions) and all(it.header for it in tables) and any(it.rows for it in tables)
            words = " ".join(" ".join((it.caption, *it.header, *(" ".join(row) for row in it.rows))) for it in tables)
            assert all(name in words for name in PLAYERS[: table.seats])


@pytest.mark.parametrize("slug", EVERY)
def test_another_truth_looks_the_same_to_who_can_not_know_it(slug: str) -> None:
    compared = 0
    for table in stops(slug):
        for witness in (*range(table.seats), SPECTATOR):
            log = resampler_of(table.game)(table, witness, Random(7))
            if log is None or tuple(log) == table.log:
                continue
            other = Table.replay(table.game, table.options, table.seats, table.priority, log)
            compared += 1
            assert drawn(other, witness) == plain(table, witness)
            names = PLAYERS[: table.seats]
            tables = [it.game.board.tables(it.witness(witness), viewer=witness, names=names) for it in (table, other)]
            assert tables[0] == tables[1]
            lines = [it.game.board.headline(it.witness(witness), names=names) for it in (table, other)]
            assert lines[0] == lines[1]
    hides = any(resampler_of(EVERY[slug])(table, SPECTATOR, Random(7)) for table in stops(slug))
    assert bool(compared) == hides


@pytest.mark.parametrize("slug", EVERY)
def test_the_host_sees_what_a_spectator_does_not_wherever_something_is_hidden(slug: str) -> None:
    differs = any(plain(table, HOST) != plain(table, SPECTATOR) for table in stops(slug))
    # What Pentagram hides, the order of its deck, is drawn for nobody.
    assert differs == (any(secrecy_of(kind).fields for kind in EVERY[slug].events) and slug != "pentagram")


@pytest.mark.parametrize("slug", EVERY)
def test_every_game_keeps_board_pictures_of_seats_and_watchers_in_both_themes(slug: str) -> None:
    pictures = {path.stem: path.read_text(encoding="utf-8") for path in (HERE / slug / "boards").glob("*.svg")}
    assert any(name.endswith("-spectator") for name in pictures)
    assert any(re.search(r"-[0-4](-|$)", name) for name in pictures)
    assert {DARK.stage in picture for picture in pictures.values()} == {True, False}
    assert all(fromstring(picture).tag.endswith("svg") for picture in pictures.values())  # noqa: S314
