"""The laws of guides: every game has one, its matches keep the rules, what it tells is so, and it speaks to people."""

import re
from collections.abc import Iterator
from math import dist
from xml.etree.ElementTree import fromstring

import pytest

from games import catalogue
from games.drawing.css import WEB
from games.drawing.stills import figure_of, shown_in
from games.kernel import Figure, Guide, Table
from games.kernel.guiding import cover_table, example_tables
from matches.web.lobby.guides import guide_of, pictures
from tests.games.test_lessons import _IDENTIFIER, _SENTENCE, MOST_CHARACTERS

EVERY_GAME = pytest.mark.parametrize("slug", catalogue)


def guide(slug: str) -> Guide:
    """The guide that every game of the catalogue has."""
    found = catalogue[slug].guide
    assert found is not None, f"games/{slug}/guide.py is missing"
    return found.content


def figures(slug: str) -> Iterator[tuple[Figure, Table]]:
    """The cover and the example's figures, each with its table; the table judges every move on the way."""
    game, content = catalogue[slug], guide(slug)
    yield content.cover, cover_table(game, content)
    yield from zip(content.example, example_tables(game, content), strict=True)


def words(slug: str) -> Iterator[str]:
    """All that a guide says."""
    content = guide(slug)
    yield from (content.lead, content.point, content.example_title, content.example_says, *content.turn, *content.ends)
    yield from (counted for fact in content.facts for counted in fact)
    for figure, _ in figures(slug):
        yield from (figure.alt, figure.title, figure.says, *(called for _, called in figure.named))
    for shelf in content.shelves:
        yield from (shelf.title, shelf.says, *(part for thing in shelf.things for part in (thing.name, thing.does)))


@EVERY_GAME
def test_examples_of_the_guide_are_true(slug: str) -> None:
    _, *example = figures(slug)
    assert 3 <= len(example) <= 5
    for figure, table in example:
        assert figure.holds is not None and figure.holds(table.state), figure.title


@EVERY_GAME
def test_an_example_goes_on_from_figure_to_figure(slug: str) -> None:
    _, *example = figures(slug)
    versions = [table.version for _, table in example]
    assert versions == sorted(set(versions))


@EVERY_GAME
def test_subject_of_a_figure_is_in_its_picture(slug: str) -> None:
    for figure, table in figures(slug):
        within = shown_in(pictures(figure, table, WEB)[0], figure.window)
        subjects = {*(name for name, _ in figure.named), *figure.points}
        missing = [name for name in subjects if not within.get(name)]
        assert not missing, f"{slug}, {figure.title or 'cover'}: the picture hasn't {missing}"


@EVERY_GAME
def test_a_cover_names_things_and_shelves_have_them(slug: str) -> None:
    content = guide(slug)
    assert 3 <= len(content.cover.named) <= 6
    names = [thing.name for shelf in content.shelves for thing in shelf.things]
    assert len(names) == len(set(names)) >= 4


@EVERY_GAME
def test_numbers_on_a_cover_have_a_colour_of_no_disc_in_it(slug: str) -> None:
    content = guide_of(slug)
    assert content is not None
    circles = fromstring(content.cover.drawing).iter("{http://www.w3.org/2000/svg}circle")  # noqa: S314
    *discs, number = [bytes.fromhex(it.get("fill", "")[1:]) for it in circles if it.get("fill", "none") != "none"]
    numbers = len(content.cover.named)
    assert set(discs[1 - numbers :]) == {number}, "The numbers are drawn last."
    assert all(dist(disc, number) > 60 for disc in discs[: 1 - numbers])


@EVERY_GAME
def test_a_guide_speaks_in_short_sentences_of_peoples_words(slug: str) -> None:
    for text in words(slug):
        assert not _IDENTIFIER.search(text), text
        for sentence in _SENTENCE.split(text):
            assert len(sentence) <= MOST_CHARACTERS, sentence
    assert all(figure.alt.endswith(".") for figure, _ in figures(slug))


@EVERY_GAME
def test_pictures_of_a_guide_share_a_page(slug: str) -> None:
    drawn = guide_of(slug)
    assert drawn is not None
    things = [thing.drawing for shelf in drawn.shelves for thing in shelf.things]
    ids: list[str] = []
    for picture in (drawn.cover.drawing, *(figure.drawing for figure in drawn.example), *things):
        root = fromstring(picture)  # noqa: S314
        own = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
        assert {element.attrib["href"][1:] for element in root.iter() if "href" in element.attrib} <= own
        assert not re.search(r'tabindex|role="button"|data-cell', picture)
        ids += own
    assert len(ids) == len(set(ids))


@EVERY_GAME
def test_figures_take_the_colours_of_the_page(slug: str) -> None:
    drawn = guide_of(slug)
    assert drawn is not None
    assert all("var(--" in figure.drawing for figure in drawn.example)


def test_a_figure_lies_by_the_middle_of_what_is_moved_and_scaled() -> None:
    picture = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><g transform="translate(10, 20) scale(2)">'
        '<g data-cell="near"><rect width="4" height="4" /></g><g data-cell="far"><circle cx="40" cy="8" r="2" /></g>'
        "</g></svg>"
    )
    assert shown_in(picture, (0, 0, 50, 50)) == {"near": True, "far": False}
    still = figure_of(picture, alt="Two things.", own="a-", theme=WEB, named=("far",))
    assert 'aria-label="Two things."' in still and ">1</text>" in still
    with pytest.raises(KeyError):
        figure_of(picture, alt="", own="a-", theme=WEB, named=("nowhere",))
