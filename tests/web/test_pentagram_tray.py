"""Previews of placements in the tray of Pentagram: they equal the later events."""

from games.kernel import Table
from games.pentagram.pieces import COLOURS
from matches.html.trays import tray_of
from matches.html.trays.tray import Tray, TrayContext
from tests.games.pentagram.stacked import play, table_with

NAMES = ["Ada", "Ben"]


def waiting() -> Table:
    """Yellow 2 and 1 are taken, both seats have a worker on yellow 1's left neighbour, and the gap is yellow 0."""
    table = table_with("yellow>black+", "purple>blue+", "blue>orange+", start_coins=3)
    play(table, "Y2 w", "Y1 w")
    return table


def tray(table: Table) -> Tray:
    seat, game = table.due.prompts[0].seat, table.game
    view = table.witness(seat)
    legal, aided = list(game.legal(view, seat)), game.aided("all")
    return tray_of("pentagram", TrayContext(view, seat, legal, game.notation.form, NAMES, aided))


def test_every_placement_is_previewed_as_it_then_happens() -> None:
    placements = tray(waiting()).data["placements"]
    assert set(placements) == {choice.text for choice in tray(waiting()).choices}
    for text in ("Y0", "Y0 w", "K4", "K1 w"):
        table = waiting()
        before = table.state.coins
        version = len(table.log)
        play(table, text)
        paid = [event for event in table.log[version:] if type(event).__name__ == "SpacePaid"]
        gains = {seat: sum(table.state.coins[seat]) - sum(before[seat]) for seat in (0, 1)}
        assert [step["cell"] for step in placements[text]["steps"]] == [f"Y{event.space}" for event in paid]  # type: ignore[attr-defined]
        assert [step["coins"] for step in placements[text]["steps"]] == [
            {seat: [str(one) for one in coins] for seat, coins in event.coins.items()}  # type: ignore[attr-defined]
            for event in paid
        ]
        gains_shown = {seat: gain.replace("−", "-") for seat, gain in placements[text].get("gains", {}).items()}
        assert all(int(gain) == gains[seat] for seat, gain in gains_shown.items())
        assert bool(gains_shown) == (text != "K4")


def test_placement_without_a_worker_gives_the_reason() -> None:
    placements = tray(waiting()).data["placements"]
    assert "B4 w" not in placements
    assert placements["B4"]["note"] == "A worker on blue 4 costs 4 blue and one must stay; you have 3."
    assert placements["K1 w"]["note"] == "The worker costs 1 black; you have 3 and keep 2."


def test_tray_explains_taken_spaces_in_words_without_notation() -> None:
    tray_shown = tray(waiting())
    assert tray_shown.reasons == {
        "Y2": "Yellow 2 is taken: yellow feeds black.",
        "Y1": "Yellow 1 is taken: purple feeds blue.",
    }
    assert tray_shown.task == "place ‘blue feeds orange’"
    texts = [
        tray_shown.task,
        *tray_shown.reasons.values(),
        *(f"{choice.label} {choice.hint}" for choice in tray_shown.choices),
    ]
    assert not any(">" in words for words in texts)
    assert tray_shown.data["rows"] == dict(zip("OYKPB", COLOURS, strict=True))
