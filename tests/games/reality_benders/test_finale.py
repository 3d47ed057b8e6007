"""The last duel at the end: its ways, whose is thick and numbered, and what told equal bouts apart."""

from xml.etree.ElementTree import Element, fromstring

import pytest

from games.drawing.themes import HOUSE
from games.kernel import Event, Table
from games.reality_benders.board import BOARD
from games.reality_benders.events import BoutFinished, BoutStarted
from tests.games.reality_benders.scripted import duel, holding

NAMES = ("Ada", "Ben")
SVG = "{http://www.w3.org/2000/svg}"
TWO_STEPS = "C>A A>F"


def bouts(*points: tuple[int, int]) -> tuple[Event, ...]:
    """Bouts that have been played, and the next one begun."""
    log: list[Event] = []
    for number, (first, second) in enumerate(points, 1):
        winner = None if first == second else int(second > first)
        log += [BoutFinished(number, (first, second), winner), BoutStarted(number + 1)]
    return tuple(log)


def finale_of(table: Table) -> Element:
    drawn = BOARD.finale(table.state, viewer=0, theme=HOUSE, names=NAMES)
    assert drawn is not None
    return fromstring(drawn)  # noqa: S314


def test_the_winning_way_is_thick_and_its_steps_are_numbered() -> None:
    at = holding("C", "FG", *bouts((3, 1)), rules=TWO_STEPS)
    assert BOARD.finale(at.state, viewer=0, theme=HOUSE, names=NAMES) is None
    duel(at, "C:A", "F:I")
    root = finale_of(at)
    assert root.attrib["aria-label"] == (
        "The last duel. Ada wins the duel. Combo reaches Foresight in 2 steps; Foresight never reaches Combo. "
        "Ada takes the last bout, 1 point to 0."
    )
    thick = [it for it in root.iter(f"{SVG}line") if it.get("stroke-width") == "8"]
    assert len(thick) == 2 and {it.get("stroke") for it in thick} <= {HOUSE.seat_a, None}
    texts = [it.text for it in root.iter(f"{SVG}text")]
    assert [word for word in texts if word in ("1", "2")] == ["1", "2"]
    assert {"2 steps", "no way", "two bouts", "no bouts"} <= set(texts)
    assert at.outcome is not None and BOARD.score(at.state, at.outcome) == "two bouts to none"


@pytest.mark.parametrize(
    ("before", "score", "decided"),
    [
        (((0, 5),), "one bout to none", "The last bout is a tie, 0 to 0; more bouts decide."),
        (((4, 1), (0, 2)), "one bout each, 4 points to 3", "Equal bouts; points over all of them: 4 to 3."),
        (((4, 4),), "no bouts each, by the priority", "Equal bouts and equal points: the priority decides."),
    ],
)
def test_deciding_rule_is_shown_if_nobody_has_two_bouts(
    before: tuple[tuple[int, int], ...], score: str, decided: str
) -> None:
    options = {"max_bouts": 1 + len(before)}
    at = holding("C", "FG", *bouts(*before), priority=1, **options)
    duel(at, "C:A", "F:I")
    assert (
        finale_of(at)
        .attrib["aria-label"]
        .endswith(f"The duel is a tie. Neither Combo nor Foresight reaches the other. {decided}")
    )
    assert at.outcome is not None and BOARD.score(at.state, at.outcome) == score
