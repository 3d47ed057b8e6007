"""The parts of the page: the table, the verdict and the ways of a duel, and what each witness sees locked in."""

from xml.etree.ElementTree import Element, fromstring

import pytest

from games.drawing.themes import LIGHT
from games.kernel import HOST, SPECTATOR, Table, Witness
from games.reality_benders.board import BOARD
from games.reality_benders.graph import graph_of, way
from games.reality_benders.pieces import DOES, NAMES, SPELLS
from games.reality_benders.stage_graph import NODE
from games.reality_benders.verdict import verdict
from tests.games.reality_benders.scripted import bends, duel, holding, play, table

PLAYERS = ("Ada", "Ben")
SVG = "{http://www.w3.org/2000/svg}"
WON = "G>B B>E E>D D>C C>G"


def parts(at: Table, viewer: Witness = SPECTATOR) -> dict[str, Element]:
    """The parts by name."""
    drawn = BOARD.parts(at.witness(viewer), viewer=viewer, theme=LIGHT, names=PLAYERS)
    return {part.name: fromstring(part.drawn) for part in drawn}  # noqa: S314


def words(part: Element) -> list[str]:
    """Every text of a part."""
    return [it.text or "" for it in part.iter(f"{SVG}text")]


def place(part: Element, name: str) -> Element:
    """Return the part's element at a place."""
    return next(it for it in part.iter() if it.get("data-place") == name)


def decided() -> Table:
    """Greed has reached Explosion in two steps, which had three to come back."""
    at = table(WON)
    duel(at, "G", "E:I")
    return at


def test_names_are_inside_large_nodes_with_the_effect_of_each_spell() -> None:
    drawn = parts(table(), 0)["table"]
    nodes = {it.attrib["data-cell"]: it for it in drawn.iter() if "data-cell" in it.attrib}
    assert list(nodes) == list(SPELLS)
    for spell, node in nodes.items():
        assert [it for it in node.iter(f"{SVG}text") if it.text == NAMES[spell]]
        title = node.find(f"{SVG}title")
        assert title is not None and DOES[spell].removesuffix(".") in (title.text or "")
        assert node[0].get("r") == str(NODE)


def test_a_way_is_a_shortest_path_in_the_order_of_its_steps() -> None:
    graph = graph_of(["A>B", "B>C", "C>D", "A>E", "E>D", "D>A"])
    assert way(graph, "A", "D") == ("A>E", "E>D")
    assert way(graph, "C", "B") == ("C>D", "D>A", "A>B")
    assert way(graph, "F", "A") == way(graph, "A", "A") == ()


def test_the_steps_of_a_duel_are_counted_on_the_graph_the_winners_way_thick() -> None:
    ways = [it for it in parts(decided())["table"].iter() if it.get("class") == "way"]
    counted = [[text.text for text in way.iter(f"{SVG}text")] for way in ways]
    assert counted == [["1", "2", "3"], ["1", "2"]], "the winner's way lies on top"
    dashed = [[line.get("stroke-dasharray") is not None for line in way.iter(f"{SVG}line")] for way in ways]
    assert dashed == [[True] * 3, [False] * 2]


def test_verdict_is_in_sentences_if_there_is_room() -> None:
    at = decided()
    summary = verdict(at.witness(SPECTATOR), PLAYERS)
    assert (summary.head, summary.steps) == ("Ada wins the duel.", ("2", "3"))
    assert summary.brief == "Greed reaches Explosion in 2 steps; Explosion reaches Greed in 3 steps."
    assert summary.head in words(parts(at)["verdict"]) and summary.head in words(place(parts(at)["table"], "verdict"))


def test_a_duel_stays_on_the_table_until_the_rules_are_bent_again() -> None:
    at = decided()
    assert "Greed" in words(place(parts(at)["table"], "card 0"))
    bends(at)
    assert at.state.duel is None
    assert words(place(parts(at)["table"], "card 0")) == ["No spell yet", "still choosing"]


def test_the_last_duel_of_a_bout_is_still_shown_when_the_next_one_begins() -> None:
    at = holding("A", "B", rules="A>B B>A")
    duel(at, "A", "B:C,D", quiet="A>E E>B")
    assert (at.state.bout, at.state.phase) == (2, 1)
    drawn = parts(at)["table"]
    assert "Armageddon" in words(place(drawn, "card 0"))
    assert not [text for text in words(drawn) if "+" in text], "its points were another bout's"


@pytest.mark.parametrize("viewer", (0, 1, SPECTATOR, HOST), ids=str)
def test_a_card_that_is_locked_in_is_open_to_its_seat_and_the_host_alone(viewer: Witness) -> None:
    at = table(WON)
    bends(at, "A>D D>A")
    play(at, "0 cast D:C")
    texts = words(place(parts(at, viewer)["table"], "card 0"))
    assert texts == [] if viewer in (1, SPECTATOR) else "Dizzy" in texts
    assert "locked in" in words(parts(at, viewer)["table"])


def test_player_names_are_escaped_in_every_part() -> None:
    for part in BOARD.parts(decided().state, viewer=0, theme=LIGHT, names=("</title><script>", '<b>&"')):
        root = fromstring(part.drawn)  # noqa: S314
        assert not [it for it in root.iter() if it.tag.endswith(("script", "}b"))]
