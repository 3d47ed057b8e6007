"""The laws of what moves: every event says its motion, and moves between places that the pictures show."""

from collections.abc import Iterator
from random import Random
from xml.etree.ElementTree import fromstring

import pytest

from games.drawing.themes import LIGHT
from games.kernel import SPECTATOR, Chance, Table, Witness, redact, still
from tests.cases import some_slow
from tests.games.every import EVERY
from tests.laws.settings import setting_of

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
STRANGE = ('<b>&"', "]]>'\x00\x0b", "\ud800\ufffe ok", "</text><script>", "漢" * 40)
MOST_MOVES = 60


def places(table: Table, witness: Witness) -> set[str]:
    """Return the places in a witness's pictures and in the strip of seats."""
    viewing = {"viewer": witness, "theme": LIGHT, "names": NAMES[: table.seats]}
    place_names = {f"seat {seat}" for seat in range(table.seats)}
    for part in table.game.board.parts(table.witness(witness), **viewing):
        for element in fromstring(part.drawn).iter():  # noqa: S314
            place_names |= {element.attrib[name] for name in ("data-cell", "data-place") if name in element.attrib}
    return place_names


def moments(slug: str) -> Iterator[tuple[Table, int]]:
    """A random match after each act and deal, and how many events there were before it."""
    game = EVERY[slug]
    options, seats = setting_of(game, 1)
    table, rng = Table(game, options, seats, priority=0, chance=Chance(seed=b"motion")), Random(1)
    for _ in range(MOST_MOVES):
        if table.outcome is not None:
            return
        before = len(table.log)
        if table.due.dealer:
            table.deal()
        else:
            seat = rng.choice(table.due.prompts).seat
            table.act(seat, table.sample(seat, rng))
        yield table, before


@pytest.mark.parametrize("slug", EVERY)
def test_every_event_has_its_motion_or_says_that_it_has_none(slug: str) -> None:
    game = EVERY[slug]
    assert set(game.motion) == set(game.events)
    assert any(motion is not still for motion in game.motion.values())


@pytest.mark.parametrize("slug", some_slow(EVERY, always=["higher_or_lower"]))
def test_movements_are_between_places_on_the_board(slug: str) -> None:
    moved = 0
    for witness in (1, SPECTATOR):
        current: set[str] = set()
        for table, before in moments(slug):
            earlier, current = current, places(table, witness)
            for event in table.log[before:]:
                for step in table.game.steps(redact(event, witness)):
                    moved += 1
                    assert step.place in current | earlier, (event, step)
                    assert not step.source or step.source in current | earlier, (event, step)
    assert moved


@pytest.mark.parametrize("slug", EVERY)
def test_parts_are_well_formed_for_any_name_and_ids_are_unique(slug: str) -> None:
    for number, (table, _) in enumerate(moments(slug)):
        if number % 20:
            continue
        viewing = {"viewer": 0, "theme": LIGHT, "names": STRANGE[: table.seats]}
        parts = table.game.board.parts(table.witness(0), **viewing)
        ids = [it.attrib["id"] for part in parts for it in fromstring(part.drawn).iter() if "id" in it.attrib]  # noqa: S314
        assert len(ids) == len(set(ids))
        assert len({part.name for part in parts}) == len(parts)
