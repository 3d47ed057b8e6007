"""The picture of the match: what it shows to whom, and that it keeps what is locked in."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import hypot
from random import Random
from xml.etree import ElementTree

import pytest

from games.drawing.elements import FEW
from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Chance, Table, Witness
from games.reality_benders import GAME
from games.reality_benders.board import BOARD
from games.reality_benders.graph_drawing import CIRCLE, NODE, node_at
from games.reality_benders.pieces import RULES, SPELLS
from tests.cases import some_slow
from tests.games.golden_board import check_golden_board
from tests.games.reality_benders.scripted import all_rules_but, bends, duel, holding, play, table
from tests.laws.resampling import resampler_of
from tests.laws.settings import setting_of

NAMES = ("Ada", "Ben")
HOSTILE = ('<b>&"', "]]>\x00" + "W" * 60)
WITNESSES: tuple[Witness, ...] = (0, 1, SPECTATOR, HOST)
RULES_AT_FIRST = "A>B B>A B>C C>D D>G E>F G>H I>A"


def drawn(
    at: Table,
    viewer: Witness,
    theme: Theme = LIGHT,
    *,
    targets: Sequence[str] = (),
    last: Sequence[str] = (),
    names: Sequence[str] = NAMES,
) -> str:
    """The picture for a witness."""
    return BOARD.draw(at.witness(viewer), viewer=viewer, theme=theme, names=names, targets=targets, last=last)


def cells(picture: str) -> dict[str, dict[str, str]]:
    """The attributes of each cell, by its name."""
    parts = [part.attrib for part in ElementTree.fromstring(picture).iter()]  # noqa: S314
    return {cell["data-cell"]: cell for cell in parts if "data-cell" in cell}


def words(picture: str) -> list[str]:
    """Every text in the picture."""
    return [part.text or "" for part in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")]  # noqa: S314


def arrows(picture: str, *, colour: str, dash: str = "") -> int:
    """Return the number of arrows in this colour and dash, including the legend's."""
    lines = ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}line")  # noqa: S314
    return sum(line.get("stroke") == colour and line.get("stroke-dasharray", "") == dash for line in lines)


def bending() -> Table:
    """Ada has locked in two rules, a bridge and a break; Ben still chooses."""
    at = table(RULES_AT_FIRST)
    play(at, "0 bend A>D D>A bridge E>G break B>A")
    return at


def cast() -> Table:
    """The rules are bent, one is gone; Ada has locked in a spell."""
    at = bending()
    play(at, "1 bend H>I C>A", "0 cast H:A,D bonus")
    return at


def offered() -> Table:
    """Imagination has been cast; Ben's offer lies open."""
    at = table(RULES_AT_FIRST)
    bends(at)
    play(at, "0 cast I", "1 cast E:B", "1 offer A,C,D")
    return at


def second_bout() -> Table:
    """The first spells of the second bout have been cast."""
    at = holding("A", "B", rules=RULES_AT_FIRST)
    duel(at, "A", "B:C,D", quiet="A>E E>B")
    assert at.state.bout == 2
    return at


def over() -> Table:
    """Ben has resigned."""
    at = cast()
    play(at, "1 resign")
    return at


@pytest.mark.parametrize("viewer", (0, 1, SPECTATOR), ids=str)
@pytest.mark.parametrize("moment", (bending, cast), ids=lambda moment: moment.__name__)
def test_golden_board_while_one_seat_has_locked_in(moment: object, viewer: Witness) -> None:
    assert callable(moment)
    name = f"{moment.__name__}-{viewer if isinstance(viewer, int) else viewer.value}"
    targets = SPELLS if viewer == 1 else ()
    check_golden_board("reality_benders", name, drawn(moment(), viewer, targets=targets))


def test_golden_board_while_an_offer_is_picked_from_in_the_dark() -> None:
    picture = drawn(offered(), 0, DARK, targets=("A", "C", "D"), last=("I", "E", "B"))
    check_golden_board("reality_benders", "pick-0-dark", picture)


def test_golden_board_in_the_second_bout_and_at_the_end() -> None:
    check_golden_board("reality_benders", "second-bout-1", drawn(second_bout(), 1))
    check_golden_board("reality_benders", "over-spectator", drawn(over(), SPECTATOR))


@pytest.mark.parametrize("viewer", WITNESSES, ids=str)
def test_every_spell_is_a_cell_named_by_its_letter(viewer: Witness) -> None:
    spell_cells = cells(drawn(cast(), viewer))
    assert list(spell_cells) == list(SPELLS)
    assert all(
        cell["aria-label"].startswith(f"{name}, ") and cell["id"] == f"cell-{name}"
        for name, cell in spell_cells.items()
    )


def test_labels_tell_who_holds_a_spell_and_where_its_rules_lead() -> None:
    at = holding("AAB", "BC", rules="A>B A>C")
    labels = {name: cell["aria-label"] for name, cell in cells(drawn(at, 0)).items()}
    copies = at.state.hands[0].count("A")
    held = "in hand" if copies == 1 else f"{copies} in hand"
    assert labels["A"] == (f"A, Armageddon: A point if the duel is a tie; {held} with Ada; leads to Build, Combo")
    assert labels["B"].endswith("; in hand with Ada; in hand with Ben; leads nowhere")
    assert labels["D"].endswith("; in no hand; leads nowhere")


def test_a_spell_that_may_not_be_repeated_says_so() -> None:
    at = table(RULES_AT_FIRST)
    duel(at, "F:A", "F:B")
    assert "may not repeat it" not in cells(drawn(at, 0))["A"]["aria-label"]
    assert "Ada may not repeat it; Ben may not repeat it" in cells(drawn(at, 0))["F"]["aria-label"]


def test_nodes_are_clockwise_from_the_top_and_no_arrow_crosses_a_third() -> None:
    assert node_at("A") == pytest.approx((0, -CIRCLE))
    assert all(node_at(x)[0] > 0 for x in "BCDE") and all(node_at(x)[0] < 0 for x in "FGHI")
    assert all(node_at(x)[1] < node_at(y)[1] for x, y in pairwise("ABCDE"))
    for rule in RULES:
        start, end = node_at(rule[0]), node_at(rule[2])
        for other in set(SPELLS) - {rule[0], rule[2]}:
            assert _distance(node_at(other), start, end) > NODE + 5, f"{rule} runs over {other}"


def _distance(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """From a point to the part of a line between two others."""
    wide, tall = end[0] - start[0], end[1] - start[1]
    along = ((point[0] - start[0]) * wide + (point[1] - start[1]) * tall) / (wide * wide + tall * tall)
    along = min(1.0, max(0.0, along))
    return hypot(point[0] - start[0] - along * wide, point[1] - start[1] - along * tall)


def test_existing_new_and_removed_rules_are_drawn_differently() -> None:
    at = bending()
    play(at, "1 bend H>I C>A")
    assert (len(at.state.rules), len(at.state.fresh), len(at.state.gone)) == (12, 5, 1)
    picture = drawn(at, SPECTATOR)
    assert arrows(picture, colour=LIGHT.muted) == 7 + 1
    assert arrows(picture, colour=LIGHT.accent, dash="8 4") == 5 + 1
    assert arrows(picture, colour=LIGHT.edge, dash="1.5 4.5") == 1 + 1


def test_two_opposite_rules_lie_side_by_side() -> None:
    alone, both = drawn(table("A>E"), 0), drawn(table("A>E E>A"), 0)
    lines = {
        line.get("x1")
        for picture in (alone, both)
        for line in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}line")  # noqa: S314
        if line.get("stroke") == LIGHT.muted
    }
    assert len(lines) == 3 + 1, "one in the middle, two beside it, and the legend's"


def test_locked_rules_are_drawn_for_their_seat_and_the_host_only() -> None:
    at, unsubmitted = bending(), table(RULES_AT_FIRST)
    for viewer in (0, HOST):
        assert arrows(drawn(at, viewer), colour=LIGHT.seat_a, dash="2.5 4") == 3 + 1
        assert "A>D D>A bridge E>G break B>A" in words(drawn(at, viewer))
    for viewer in (1, SPECTATOR):
        picture = drawn(at, viewer)
        assert arrows(picture, colour=LIGHT.seat_a, dash="2.5 4") == 0
        assert "locked in" in words(picture) and LIGHT.card_back in picture
        assert "locked in" not in words(drawn(unsubmitted, viewer))


@pytest.mark.parametrize("seed", range(3))
def test_two_truths_that_a_witness_cannot_tell_apart_look_alike(seed: int) -> None:
    at, rng, compared = Table(GAME, {}, chance=Chance(seed=bytes([seed]))), Random(seed), 0
    for _ in range(24):
        for viewer in (0, 1, SPECTATOR):
            log = resampler_of(GAME)(at, viewer, rng)
            if log is None or tuple(log) == at.log:
                continue
            other = Table.replay(GAME, at.options, at.seats, at.priority, log)
            assert drawn(other, viewer) == drawn(at, viewer)
            tables = [BOARD.tables(world.witness(viewer), viewer=viewer, names=NAMES) for world in (at, other)]
            assert tables[0] == tables[1]
            compared += 1
        if at.outcome is not None:
            break
        seat = rng.choice([prompt.seat for prompt in at.due.prompts])
        at.act(seat, at.sample(seat, rng))
    assert compared > 15


@pytest.mark.parametrize("seed", some_slow(range(3), always=[0]))
def test_every_picture_of_a_random_match_is_well_formed_with_names_escaped(seed: int) -> None:
    options, seats = setting_of(GAME, seed)
    at, rng = Table(GAME, options, seats, chance=Chance(seed=bytes([seed]))), Random(seed)
    for _ in range(30):
        for viewer in (0, SPECTATOR):
            picture = drawn(at, viewer, names=HOSTILE)
            assert any(HOSTILE[0] in text for text in words(picture))
            assert list(cells(picture)) == list(SPELLS)
            assert len(BOARD.tables(at.witness(viewer), viewer=viewer, names=HOSTILE)) == 2
        if at.outcome is not None:
            return
        seat = rng.choice([prompt.seat for prompt in at.due.prompts])
        at.act(seat, at.sample(seat, rng))


def test_distances_are_not_shown_during_play() -> None:
    at = table("A>B")
    far = table("A>C C>D D>B")
    for viewer in WITNESSES:
        pictures = [words(drawn(world, viewer)) for world in (at, far)]
        assert pictures[0] == pictures[1], "only the arrows differ"


def test_legal_targets_are_buttons_and_look_otherwise_when_they_are_many() -> None:
    at = table()
    for targets in (SPELLS[:3], SPELLS):
        spell_cells = cells(drawn(at, 0, targets=targets))
        assert [name for name, cell in spell_cells.items() if cell["role"] == "button"] == list(targets)
    assert 3 <= FEW < len(SPELLS)
    assert drawn(at, 0, targets=SPELLS[:3]).count('stroke-dasharray="6 4"') == 3
    assert drawn(at, 0, targets=SPELLS).count('stroke-dasharray="6 4"') == 0


def test_the_last_move_is_ringed() -> None:
    at = table()
    ring = f'stroke="{LIGHT.ink}" stroke-width="2"'
    assert (drawn(at, 0).count(ring), drawn(at, 0, last=["A", "G"]).count(ring)) == (0, 2)


def test_used_items_are_struck_out_and_those_not_in_the_match_left_away() -> None:
    at = bending()
    play(at, "1 bend H>I C>A")
    struck = [drawn(world, SPECTATOR).count(f'stroke="{LIGHT.faint}"') for world in (table(), at)]
    assert struck == [0, 2]
    assert words(drawn(table(items=["bonus"]), 0)).count("bridge") == 0
    assert words(drawn(table(), 0)).count("bridge") == 2
    assert words(drawn(table(seat_items=[["bonus"], ["bridge"]]), 0)).count("bridge") == 1


def test_the_tables_hold_what_the_picture_shows() -> None:
    at = cast()
    seats, matrix = BOARD.tables(at.witness(0), viewer=0, names=NAMES)
    assert seats.caption == "Bout 1, phase 2: casting."
    hand = " ".join(SPELLS)
    assert seats.rows[0] == ("Ada (you)", "0", "0", hand, "-", "bonus", "-", "locked in: cast H:A,D bonus")
    assert seats.rows[1] == ("Ben", "0", "0", hand, "-", "bonus, break, bridge", "-", "chooses")
    table_cells = {
        f"{x}>{y}": cell_text
        for x, row in zip(SPELLS, matrix.rows, strict=True)
        for y, cell_text in zip(SPELLS, row[1:], strict=True)
    }
    assert (table_cells["A>B"], table_cells["A>D"], table_cells["B>A"], table_cells["A>A"], table_cells["A>C"]) == (
        "rule", "new rule", "destroyed", "itself", "none",
    )  # fmt: skip
    assert {rule for rule, cell_text in table_cells.items() if cell_text.endswith("rule")} == set(at.state.rules)
    assert BOARD.tables(at.witness(1), viewer=1, names=NAMES)[0].rows[0][-1] == "locked in"


def test_a_dense_graph_is_drawn_with_fine_lines() -> None:
    dense = drawn(table(all_rules_but("A>B", "C>D")), 0)
    assert list(line_widths(ElementTree.fromstring(dense), "1")).count("1.3") == 70  # noqa: S314


def line_widths(part: ElementTree.Element, above: str) -> Iterator[str]:
    """The width of every line, its own or handed down."""
    width = part.get("stroke-width", above)
    if part.tag.endswith("}line"):
        yield width
    for child in part:
        yield from line_widths(child, width)
