"""The boards, the options, and the deal."""

from typing import Any

import pytest

from games.higher_or_lower import GAME
from games.higher_or_lower.dealing import keeps_grey_rule
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import BOARDS, CODES, DEFAULT_BOARDS, NUMBER_OF
from games.kernel import HOST, SPECTATOR, Illegal, to_json
from tests.games.higher_or_lower.staged import assign_all, assigning, dealt, events, fresh, say

LAYOUT = layout_of(DEFAULT_BOARDS)


def test_r1_fifty_cards_in_order() -> None:
    assert len(NUMBER_OF) == 50
    assert list(NUMBER_OF)[:11] == [*(f"A{n}" for n in range(1, 11)), "B1"]


@pytest.mark.parametrize("board", BOARDS)
def test_r2_a_default_board_has_ten_spaces_a_seat_and_five_grey(board: str) -> None:
    colours = [code[0] for code in LAYOUT.codes[board]]
    assert [colours.count(colour) for colour in "cpg"] == [10, 10, 5]


@pytest.mark.parametrize("board", BOARDS)
def test_r2_a_default_board_turned_by_half_changes_the_colours(board: str) -> None:
    codes = LAYOUT.codes[board]
    swapped = {"c": "p", "p": "c", "g": "g"}
    assert tuple(swapped[code[0]] + code[1] for code in reversed(codes)) == codes


def test_r10_the_dealer_lays_one_board_after_the_other() -> None:
    table = assigning()
    for seat in (0, 1):
        assign_all(table, seat)
        say(table, seat, "lock")
    since = table.version
    table.settle()
    assert [event["type"] for event in events(table, since)] == ["board_dealt"] * 5
    assert [event["board"] for event in events(table, since)] == list("ABCDE")


def test_r10_each_group_is_shuffled_over_its_own_spaces() -> None:
    orders = set()
    for seed in range(8):
        table = assigning(bytes([seed]))
        for seat in (0, 1):
            assign_all(table, seat)
            say(table, seat, "lock")
        table.settle()
        cards = flat(table.state.dealt["A"])
        lying = [cards[space] for space in LAYOUT.groups["cyan"]["A", "circle"]]
        assert sorted(lying) == ["A1", "A2", "A3", "A4"]
        orders.add(tuple(lying))
    assert len(orders) > 1


@pytest.mark.parametrize("seed", range(8))
def test_r10_filled_groups_lie_on_their_spaces(seed: int) -> None:
    table = dealt(bytes([seed]))
    for seat, colour in enumerate(table.state.colours):
        for group in table.state.filled[seat] or ():
            cards = flat(table.state.dealt[group.board])
            spaces = LAYOUT.groups[colour][group.board, group.shape]
            assert sorted(cards[space] for space in spaces) == sorted(group.cards)


@pytest.mark.parametrize("seed", range(8))
def test_r11_grey_cards_keep_their_rule(seed: int) -> None:
    table = dealt(bytes([seed]))
    for board in BOARDS:
        cards = flat(table.state.dealt[board])
        grey = [cards[space] for space in LAYOUT.greys[board]]
        assert {card[0] for card in grey} == {board} and len(set(grey)) == 5
        groups = [spaces for (on, _), spaces in LAYOUT.groups["grey"].items() if on == board]
        assert keeps_grey_rule([tuple(NUMBER_OF[cards[space]] for space in spaces) for spaces in groups])


@pytest.mark.parametrize(
    ("groups", "is_kept"),
    [
        ([(1, 2, 3)], True),
        ([(1, 9), (3, 5)], True),
        ([(1, 9), (2, 4)], True),
        ([(1, 2), (3, 5)], False),
        ([(1, 3), (5,), (2, 4)], True),
        ([(1, 3), (5,), (7, 6)], False),
    ],
)
def test_r11_two_groups_keep_parity_and_three_keep_apart(groups: list[tuple[int, ...]], is_kept: bool) -> None:
    assert keeps_grey_rule(groups) is is_kept


@pytest.mark.parametrize("witness", [0, 1, SPECTATOR])
def test_r23_dealt_cards_are_hidden_from_everybody(witness: Any) -> None:
    table = dealt()
    assert table.witness(witness).dealt == dict.fromkeys("ABCDE")
    assert all(event["cards"] is None for event in table.events(witness) if event["type"] == "board_dealt")
    assert table.witness(witness).dealt != table.witness(HOST).dealt


def test_options_take_other_boards() -> None:
    table = fresh(options={"boards": plain()})
    say(table, 0, "colour pink")
    table.flag(0)
    table.flag(1)
    table.settle()
    assert {group.shape for group in table.state.filled[0] or ()} == {"circle"}
    assert to_json(table.options)["boards"] == plain()
    assert GAME.read_options({}).boards == DEFAULT_BOARDS


def _without_board(boards: dict[str, Any]) -> None:
    del boards["E"]


def _with_a_sixth_board(boards: dict[str, Any]) -> None:
    boards["F"] = boards["A"]


def _with_a_short_row(boards: dict[str, Any]) -> None:
    boards["A"][0].pop()


def _with_a_strange_code(boards: dict[str, Any]) -> None:
    boards["A"][0][0] = "xC"


def _with_an_empty_code(boards: dict[str, Any]) -> None:
    boards["A"][0][0] = ""


def _without_grey(boards: dict[str, Any]) -> None:
    boards["A"][4] = ["cC", "cC", "cC", "pC", "pC"]
    boards["B"][0] = ["gC"] * 5


def _with_a_space_less(boards: dict[str, Any]) -> None:
    boards["A"][0][0] = "gC"


def _with_a_group_too_large(boards: dict[str, Any]) -> None:
    boards["A"][2][0] = "cC"
    boards["B"][0][0] = "pC"


def _with_too_many_greys(boards: dict[str, Any]) -> None:
    boards["A"] = [["gC"] * 5] * 3 + boards["A"][:2]


def _with_a_grey_group_too_large(boards: dict[str, Any]) -> None:
    boards["A"][4] = ["gC", "gC", "gC", "gC", "gC"]
    boards["A"][0] = ["gC", "gS", "cC", "cC", "cC"]


@pytest.mark.parametrize(
    "spoil",
    [
        _without_board,
        _with_a_sixth_board,
        _with_a_short_row,
        _with_a_strange_code,
        _with_an_empty_code,
        _without_grey,
        _with_a_space_less,
        _with_a_group_too_large,
        _with_too_many_greys,
        _with_a_grey_group_too_large,
    ],
)
def test_options_refuse_boards_that_cannot_be_played(spoil: Any) -> None:
    boards = plain()
    spoil(boards)
    with pytest.raises(Illegal) as refused:
        fresh(options={"boards": boards})
    assert refused.value.code == "bad_options"
    assert refused.value.message.endswith((".", "`"))


def test_every_code_is_a_colour_and_a_shape() -> None:
    assert sorted(CODES) == ["cC", "cS", "cT", "gC", "gS", "gT", "pC", "pS", "pT"]


def plain() -> dict[str, Any]:
    """Five boards with one group of ten a seat and one of five greys."""
    return {board: [["cC"] * 5, ["cC"] * 5, ["pC"] * 5, ["pC"] * 5, ["gC"] * 5] for board in BOARDS}


def flat(rows: Any) -> list[str]:
    """The 25 cards of a board."""
    return [card for row in rows for card in row]
