"""The picture of the table: what it shows, what can be asked for on it, and that it tells no more than the rules."""

import re
from collections.abc import Sequence
from random import Random
from xml.etree import ElementTree

import pytest

from games.drawing.css import WEB
from games.drawing.elements import FEW
from games.drawing.themes import DARK, LIGHT, Theme
from games.kernel import HOST, SPECTATOR, Chance, Table, Witness
from games.peeling_the_banana import GAME
from games.peeling_the_banana.banana import banana
from games.peeling_the_banana.board import BOARD
from games.peeling_the_banana.options import CONTENT
from games.peeling_the_banana.pieces import space_name
from tests.cases import some_slow
from tests.games.golden_board import check_golden_board
from tests.games.peeling_the_banana.staged import SMALL, dealt, in_reach, play, staged
from tests.laws.settings import setting_of

NAMES = ("Ada", "Ben")
HOSTILE = ('<b>&"', "]]>\x00" + "W" * 60)
WITNESSES: tuple[Witness, ...] = (0, 1, SPECTATOR, HOST)
DECK = "domino#1 line3#1 corner3#1 coins4#1 bite#1 tee4#1 slip#1 seconds#1 pent_v#1 graft#1"


def drawn(
    at: Table, viewer: Witness, theme: Theme = LIGHT, *, targets: Sequence[str] = (), last: Sequence[str] = ()
) -> str:
    """The picture for a witness."""
    return BOARD.draw(at.witness(viewer), viewer=viewer, theme=theme, names=NAMES, targets=targets, last=last)


def labels(picture: str) -> dict[str, str]:
    """Return the label of each cell, by the cell's name."""
    parts = [part.attrib for part in ElementTree.fromstring(picture).iter() if "data-cell" in part.attrib]  # noqa: S314
    return {cell["data-cell"]: cell["aria-label"] for cell in parts}


def buttons(picture: str) -> set[str]:
    """The names of the cells that are legal targets."""
    parts = [part.attrib for part in ElementTree.fromstring(picture).iter()]  # noqa: S314
    return {cell["data-cell"] for cell in parts if cell.get("role") == "button" and cell.get("tabindex") == "0"}


def top_of(picture: str, cell: str) -> float:
    """Return the vertical position of the sheet that shows this cell."""
    before = picture[: picture.index(f'data-cell="{cell}"')]
    return float(re.findall(r"translate\([\d.]+ ([\d.]+)\)", before)[-1])


def at_play(board: Sequence[str] = SMALL, alone: dict[str, int] | None = None) -> Table:
    """Seat 0 chooses a card; both have filled something, and one card is the other seat's alone."""
    sheets = ("a1 b1", "b2") if board is SMALL else ("a3 a4 b4", "k1 k2 j2")
    return staged(DECK, "ell4#1 coins2#1", alone=alone or {"line3#1": 1}, coins=7, filled=sheets, board=board,
                  upgrades=("reach",), shop=CONTENT["shop"])  # fmt: skip


@pytest.mark.parametrize("viewer", (0, 1, SPECTATOR), ids=str)
def test_golden_board_while_a_card_is_chosen(viewer: Witness) -> None:
    targets = ["domino#1", "corner3#1", "coins4#1", "bite#1"] if viewer == 0 else []
    check_golden_board("peeling_the_banana", f"play-{_slug(viewer)}", drawn(at_play(), viewer, targets=targets))


def test_golden_board_while_who_starts_is_chosen() -> None:
    at = dealt(Table(GAME, {"board": SMALL, "deck": {"domino": 2, "coins2": 1}}))
    check_golden_board("peeling_the_banana", "first-0", drawn(at, 0))


def test_golden_board_in_the_shop_after_a_piece_on_the_whole_banana_in_the_dark() -> None:
    at = at_play(tuple(CONTENT["board"]))
    play(at, "corner3#1 @a4")
    picture = drawn(at, 0, DARK, targets=["domino", "line3"], last=["corner3#1", "a4", "a5", "b5"])
    check_golden_board("peeling_the_banana", "shop-0-dark", picture)


def test_golden_board_when_a_sheet_is_full() -> None:
    at = staged("domino#1 coins2#1", filled=("a1", ""), board=("###",))
    play(at, "domino#1 @b1")
    assert at.outcome is not None
    check_golden_board("peeling_the_banana", "over-spectator", drawn(at, SPECTATOR, last=["domino#1", "b1", "c1"]))


def _slug(viewer: Witness) -> str:
    return f"{viewer}" if isinstance(viewer, int) else viewer.value


@pytest.mark.parametrize("viewer", WITNESSES, ids=str)
def test_everything_that_a_command_can_name_is_a_cell(viewer: Witness) -> None:
    at = at_play(tuple(CONTENT["board"]))
    spaces = {space_name(space.row, space.col) for space in banana(tuple(CONTENT["board"])).spaces}
    cards = {*at.state.deck, *at.state.discard}
    cells = labels(drawn(at, viewer))
    assert set(cells) == spaces | cards | set(CONTENT["shop"])
    assert all(label.startswith(f"{name}, ") for name, label in cells.items())


def test_labels_tell_what_is_there() -> None:
    cells = labels(drawn(at_play(), 0))
    assert (cells["a1"], cells["d1"]) == ("a1, piece 1", "d1, empty")
    assert cells["line3#1"] == "line3#1, Line of 3, three in a line, for Ben"
    assert cells["domino#1"] == "domino#1, Pair, two in a line, for both, choice 1"
    assert cells["tee4#1"] == "tee4#1, Tee, three in a line, one below the middle, for both"
    assert cells["haggle"] == "haggle, Haggle, every later purchase costs 1 less, 6 coins"


def test_the_choices_are_numbered_as_the_notation_counts_them() -> None:
    at = at_play()
    cells = labels(drawn(at, SPECTATOR))
    numbered = {label[-1]: card for card, label in cells.items() if ", choice " in label}
    assert list(numbered.values()) == in_reach(at)
    assert "choice" not in " ".join(labels(drawn(_after(at, "coins4#1"), 0)).values())


def _after(at: Table, *texts: str) -> Table:
    play(at, *texts)
    return at


def test_a_seat_sees_its_own_sheet_as_cells_and_watchers_that_of_seat_0() -> None:
    at = at_play()
    assert labels(drawn(at, 0))["b2"] == labels(drawn(at, SPECTATOR))["b2"] == "b2, empty"
    assert labels(drawn(at, 1))["b2"] == "b2, piece 1"


def test_legal_targets_are_buttons_dashed_while_they_are_few() -> None:
    at = at_play()
    few, many = ["a1", "c1", "domino"], [*labels(drawn(at, 0))][: FEW + 1]
    assert buttons(drawn(at, 0)) == set()
    assert buttons(drawn(at, 0, targets=few)) == set(few)
    assert buttons(drawn(at, 0, targets=many)) == set(many)
    dashes = [drawn(at, 0, targets=targets).count('stroke-dasharray="6 4"') for targets in (few, many)]
    assert dashes == [len(few), 0]


def test_the_last_piece_is_ringed_on_the_sheet_of_the_seat_that_laid_it() -> None:
    at = at_play()
    before = {viewer: drawn(at, viewer).count(LIGHT.on_seat) for viewer in (0, 1)}
    play(at, "domino#1 @c1")
    for viewer in (0, 1):
        quiet, ringed = drawn(at, viewer), drawn(at, viewer, last=["c1", "d1"])
        assert ringed.count(LIGHT.on_seat) == quiet.count(LIGHT.on_seat) + 2, "one ring for each space"
    assert before != {viewer: drawn(at, viewer).count(LIGHT.on_seat) for viewer in (0, 1)}
    play(at, "end", "coins4#1", "end")
    other = drawn(at, 1, last=["c1", "d1"])
    cell = other[other.index('data-cell="c1"') :][:300]
    assert LIGHT.ink not in cell and LIGHT.on_seat not in cell, "Ben laid nothing on c1"
    assert other.count(LIGHT.on_seat) == drawn(at, 1).count(LIGHT.on_seat) + 2


def test_equal_pieces_on_both_sheets_are_distinguished_by_the_turn() -> None:
    at = staged("domino#1 domino#2 coins2#1")
    play(at, "domino#1 @a1", "end", "domino#2 @a1")
    for then in ("end", "coins2#1"):
        own = [drawn(at, seat, last=["a1", "b1"]).split('data-cell="a1"')[1][:300] for seat in (0, 1)]
        assert [f'stroke="{LIGHT.on_seat}"' in cell for cell in own] == [False, True]
        play(at, then)


def test_a_later_piece_lies_uppermost() -> None:
    at = staged("line3#1", filled=("a1 b1", ""))
    play(at, "line3#1 @b1")
    cells = labels(drawn(at, 0))
    assert [cells[name] for name in ("a1", "b1", "c1", "d1")] == [
        "a1, piece 1", "b1, piece 2", "c1, piece 2", "d1, piece 2",
    ]  # fmt: skip


def test_the_sheets_keep_their_place_while_cards_go_from_deck_to_discard() -> None:
    deck = " ".join(f"coins2#{number}" for number in range(1, 18))
    ahead, behind = staged(deck, ""), staged("coins2#17", deck.removesuffix(" coins2#17"))
    assert top_of(drawn(ahead, 0), "a1") == top_of(drawn(behind, 0), "a1")


def test_a_picture_of_the_whole_game_stays_under_64_kilobytes() -> None:
    at, rng, largest = Table(GAME, chance=Chance(seed=b"size")), Random(5), 0
    while at.outcome is None:
        if at.due.dealer:
            at.deal()
            continue
        seat = at.due.prompts[0].seat
        cards = at.state.deck[:5]
        picture = BOARD.draw(at.witness(seat), viewer=seat, theme=WEB, names=NAMES, targets=cards)
        largest = max(largest, len(picture.encode()))
        at.act(seat, GAME.bot(at.witness(seat), seat, rng))
    assert 30_000 < largest < 64 * 1024


def test_a_long_name_never_hides_what_is_awaited() -> None:
    at = at_play()
    picture = BOARD.draw(at.witness(0), viewer=0, theme=LIGHT, names=("W" * 80, "Ben"))
    (headline,) = re.findall(r">(Turn 1 of 25: W+… plays a card)<", picture)
    assert len(headline) < 50


def test_a_card_that_the_viewer_may_not_play_is_pale() -> None:
    at = at_play()
    pale = [drawn(at, viewer).count('opacity="0.45"') for viewer in (0, 1)]
    assert pale == [1, 0]


def test_spectator_and_host_see_the_same_and_no_shuffle_to_come() -> None:
    at = at_play()
    assert drawn(at, SPECTATOR) == drawn(at, HOST)
    worlds = [Table(GAME, chance=Chance(seed=seed)) for seed in (b"one", b"two")]
    for viewer in WITNESSES:
        pictures = [drawn(world, viewer) for world in worlds]
        assert pictures[0] == pictures[1]
    assert worlds[0].deal() != worlds[1].deal()


@pytest.mark.parametrize("seed", some_slow(range(3), always=[0]))
def test_every_picture_of_a_random_match_is_well_formed_with_names_escaped(seed: int) -> None:
    options, seats = setting_of(GAME, seed)
    at, rng = Table(GAME, options, seats, chance=Chance(seed=bytes([seed]))), Random(seed)
    for _ in range(30):
        for viewer in (0, SPECTATOR):
            picture = BOARD.draw(at.witness(viewer), viewer=viewer, theme=LIGHT, names=HOSTILE)
            parts = list(ElementTree.fromstring(picture).iter())  # noqa: S314
            ids = [part.attrib["id"] for part in parts if "id" in part.attrib]
            assert len(ids) == len(set(ids))
            assert any(HOSTILE[0] in (part.text or "") for part in parts)
            assert BOARD.tables(at.witness(viewer), viewer=viewer, names=HOSTILE)
        if at.outcome is not None:
            return
        if at.due.dealer:
            at.deal()
        else:
            seat = at.due.prompts[0].seat
            at.act(seat, at.sample(seat, rng))


def test_the_tables_hold_what_the_picture_shows() -> None:
    at = at_play()
    seats, ada, ben, deck, discard, shop = BOARD.tables(at.witness(0), viewer=0, names=NAMES)
    assert seats.caption == "Turn 1 of 25: Ada plays a card."
    assert seats.rows[0] == ("Ada (you)", "-6", "8", "7", "1 of 25", "0", "1", "0")
    assert ada.rows[0] == ("1", "piece 1", "piece 1", "empty", "empty")
    assert (ben.caption, ben.rows[2]) == ("Sheet of Ben", ("3", "empty", "empty", "outside", "outside"))
    assert [row[0] for row in deck.rows] == DECK.split()
    assert [row[3] for row in deck.rows[:4]] == ["1", "no", "2", "3"]
    assert [row[0] for row in discard.rows] == ["coins2#1", "ell4#1"]
    assert {row[0]: row[2] for row in shop.rows} == {item: str(price) for item, price in CONTENT["shop"].items()}


def test_an_upgrade_that_is_sold_out_says_so() -> None:
    at = staged(DECK, upgrades=("haggle",), shop={"haggle": 3, "domino": 2})
    assert labels(drawn(at, 0))["haggle"].endswith("sold out")
    assert labels(drawn(at, 0))["domino"].endswith("1 coin")
    assert labels(drawn(at, 1))["domino"].endswith("2 coins")
