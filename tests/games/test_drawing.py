"""The kit: text that is safe and fits, fonts that are what they say, pictures in pixels."""

from hashlib import sha256
from xml.etree import ElementTree

import pytest
import svg

from games.drawing import shapes
from games.drawing.elements import FONT, cell, fitted, group, picture, plain, stamped, stamps, text, tidy, width_of
from games.drawing.glyphs import drawable, letters_of
from games.drawing.png import FONTS, WIDTHS, png
from games.drawing.texttable import TextTable
from games.drawing.themes import DARK, LIGHT
from tests.games.pixels import Pixels, size_of


def draw(*elements: object, width: float = 60, height: float = 60) -> str:
    return picture("test", width, height, elements, LIGHT)  # type: ignore[arg-type]


@pytest.mark.parametrize("words", ['<b>&"', "' onload='x", "]]>", "\x00\x0b\ud800\uffff", "", "漢字", "\u202e"])
def test_any_text_can_be_drawn_and_used_as_a_label(words: str) -> None:
    root = ElementTree.fromstring(draw(text(1, 1, words, fill="#000000"), cell("C3", words)))  # noqa: S314
    drawable_text = "".join(letter for letter in words if letter not in "\x00\x0b\ud800\uffff")
    assert "".join(root.itertext()) == drawable_text
    assert [part.attrib["aria-label"] for part in root.iter() if "data-cell" in part.attrib] == [f"C3, {drawable_text}"]


def test_quotes_and_brackets_are_written_as_entities() -> None:
    assert plain("<\"&'>") == "&lt;&quot;&amp;&#x27;&gt;"


@pytest.mark.parametrize("words", ["Ada", "W" * 60, "ilili" * 20, "漢" * 30, "Z\u0301" * 50])
@pytest.mark.parametrize("width", [20, 80, 400])
def test_long_words_are_cut_so_that_they_fit(words: str, width: float) -> None:
    cut = fitted(words, 14, width)
    assert cut == words or (cut.endswith("…") and width_of(cut, 14) <= width)


@pytest.mark.parametrize("words", ["Ada", "WWW", "mmm", "illicit", "Jo-Ann 47", "ABCDEFG", "0123456789", "Żółć"])
def test_no_text_is_wider_than_calculated(words: str) -> None:
    for bold in (False, True):
        root = draw(text(10, 30, words, size=20, fill="#000000", bold=bold, anchor="start"), width=300)
        columns = {at for row in Pixels.of(png(root, 300)).rows for at, pixel in enumerate(row) if pixel[0] < 128}
        assert max(columns) - 10 <= width_of(words, 20) + 1


def test_a_coordinate_is_written_in_the_shortest_way() -> None:
    assert [str(tidy(it)) for it in (1.0, 0.1 + 0.2, 2.004, -0.001)] == ["1", "0.3", "2", "0"]


def test_the_fonts_are_the_files_that_were_looked_at() -> None:
    listed = dict(reversed(line.split()) for line in (FONTS / "SHA256SUMS").read_text().splitlines())
    files = {path.name for path in FONTS.iterdir()} - {"SHA256SUMS"}
    assert set(listed) == files >= {"LICENSE.txt"}
    assert {name: sha256((FONTS / name).read_bytes()).hexdigest() for name in files} == listed


@pytest.mark.parametrize("font", sorted(FONTS.glob("*.ttf")), ids=lambda path: path.stem)
def test_a_letter_is_drawable_where_the_font_holds_it(font: object) -> None:
    held = letters_of(font)  # type: ignore[arg-type]
    assert {ord(letter) for letter in "AZaz09ßŁЖΩ…>&"} <= held
    assert not {ord(letter) for letter in "漢अ\u0600"} & held
    assert drawable("Zoë & Łukasz") and not drawable("漢字") and not drawable("अ")


def test_known_letters_are_drawn_differently_and_unknown_ones_equal() -> None:
    def of(letter: str) -> bytes:
        return png(draw(text(30, 30, letter, size=40, fill="#000000")), 200)

    assert len({of(letter) for letter in "AŁЖΩ…"}) == 5
    assert of("漢") == of("字")


@pytest.mark.parametrize("width", [WIDTHS[0], 801, WIDTHS[-1]])
def test_a_png_is_as_wide_as_asked_for_and_has_the_pictures_proportions(width: int) -> None:
    assert size_of(png(draw(width=100, height=50), width)) == (width, -(-width // 2))


@pytest.mark.parametrize("width", [WIDTHS[0] - 1, WIDTHS[-1] + 1, 0, -5])
def test_no_other_width_is_drawn(width: int) -> None:
    with pytest.raises(ValueError, match="pixels wide"):
        png(draw(), width)


def test_the_stage_fills_the_picture() -> None:
    for theme in (LIGHT, DARK):
        colour = tuple(bytes.fromhex(theme.stage[1:]))
        assert Pixels.of(png(picture("test", 10, 10, (), theme), 200)).colours == {colour}


@pytest.mark.parametrize("letter", "SHDC")
def test_each_suit_is_a_shape_of_its_own(letter: str) -> None:
    def of(suit: str) -> bytes:
        return png(draw(shapes.suit(suit, 30, 30, 40, "#000000")), 200)

    assert [other for other in "SHDC" if of(other) == of(letter)] == [letter]


def test_a_group_moves_and_scales_what_is_in_it() -> None:
    moved = png(draw(group(shapes.circle(5, 5, 5, fill="#000000"), x=20, y=10, scale=2)), 200)
    assert moved == png(draw(shapes.circle(30, 20, 10, fill="#000000")), 200)


def test_common_attributes_are_factored_out_without_a_visible_change() -> None:
    def words(at: float, **more: object) -> svg.Element:
        return text(at, 20, "Ada", fill="#000000", **more)  # type: ignore[arg-type]

    parts = [words(10), words(30), words(50, size=9), group(shapes.circle(30, 50, 5, fill="none", line="#000000"), x=3)]
    lighter = draw(*parts)
    markup = svg.SVG(viewBox=svg.ViewBoxSpec(0, 0, 60, 60), elements=parts, extra={"font-family": FONT}).as_str()
    on_stage = markup.replace("<text", f'<rect width="60" height="60" fill="{LIGHT.stage}"/><text', 1)
    assert png(lighter, 300) == png(on_stage, 300)
    assert [lighter.count(it) for it in ('font-size="14"', 'font-size="9"', "text-anchor")] == [1, 1, 1]


def test_attribute_of_a_group_applies_unless_overridden() -> None:
    line = shapes.stroke(5, 30, 55, 30, line="#000000", thick=4)
    handed = svg.Line(x1=5, y1=10, x2=55, y2=10, stroke="#000000")
    around = svg.G(elements=[handed], extra={})
    around.stroke_width = 9
    drawn = png(draw(line, around), 300)
    styled = svg.Line(x1=5, y1=10, x2=55, y2=10, stroke="#000000", stroke_width=9)
    assert drawn == png(draw(line, styled), 300) != png(draw(line, handed), 300)


def test_a_stamp_looks_everywhere_as_it_would_alone() -> None:
    dot = shapes.circle(0, 0, 8, fill="#ffffff", line="#000000", thick=3)
    other = [shapes.stroke(5, at, 55, at, line="#000000", thick=7) for at in (50, 55)]
    drawn = draw(stamps(dot=[dot]), stamped("dot", 20, 20), stamped("dot", 40, 20), *other)
    assert png(drawn, 300) == png(draw(group(dot, x=20, y=20), group(dot, x=40, y=20), *other), 300)
    assert drawn.count("<circle") == 1


def test_a_table_whose_rows_do_not_fit_its_head_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="2 cells"):
        TextTable("Seats", ("Player", "Points"), (("Ada",),))
