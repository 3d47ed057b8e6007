"""A turn: choosing a board, turning cards, and what ends the turn."""

import pytest

from games.higher_or_lower import GAME
from games.higher_or_lower.layout import layout_of
from games.higher_or_lower.pieces import BOARDS, DEFAULT_BOARDS, space_name
from games.kernel import HOST, SPECTATOR
from tests.games.higher_or_lower.staged import (
    after,
    all_greys_but,
    board_chosen,
    dealt,
    ended,
    flipped,
    guessed,
    on_board,
    opened,
    refusal,
    round_finished,
    say,
)


def test_r2_the_grey_spaces_of_board_a() -> None:
    greys = layout_of(DEFAULT_BOARDS).greys["A"]
    names = [space_name(space // 5 + 1, space % 5 + 1) for space in greys]
    assert names == list(all_greys_but())


def test_r12_the_priority_seat_chooses_the_first_board_and_its_order() -> None:
    table = dealt()
    (prompt,) = table.due.prompts
    assert (prompt.seat, prompt.commands, prompt.clock) == (0, ("choose_board",), "turn")
    assert say(table, 0, "board C second") == [board_chosen("C", "second")]
    assert [prompt.seat for prompt in table.due.prompts] == [1]


def test_r12_every_board_and_order_is_legal_at_first() -> None:
    forms = [GAME.notation.form(command) for command in dealt().legal(0)]
    assert forms == [f"board {board} {order}" for board in BOARDS for order in ("first", "second")]


def test_r12_the_loser_chooses_next_among_boards_not_played() -> None:
    table = after(ended(0, "wrong"), round_finished("A", winner=0))
    assert [prompt.seat for prompt in table.due.prompts] == [1]
    assert refusal(table, 1, "board A first") == "board_played"
    assert refusal(table, 1, "board F first") == "no_such_board"
    assert len(list(table.legal(1))) == 8
    assert say(table, 1, "board B first") == [board_chosen("B", "first", seat=1)]


def test_r13_a_turn_begins_with_a_grey_card() -> None:
    table = on_board()
    assert [GAME.notation.form(command) for command in table.legal(0)] == [
        "flip c1",
        "flip a2",
        "flip c3",
        "flip e4",
        "flip c5",
    ]
    assert say(table, 0, "flip c1") == [flipped(0, 1, 3, "A3")]


@pytest.mark.parametrize(
    ("row", "col", "code"),
    [(0, 1, "off_board"), (6, 1, "off_board"), (1, 0, "off_board"), (1, 6, "off_board"), (1, 1, "not_grey")],
)
def test_r13_other_spaces_begin_no_turn(row: int, col: int, code: str) -> None:
    assert refusal(on_board(), 0, {"type": "flip", "row": row, "col": col}) == code


def test_r13_an_open_grey_card_begins_no_turn() -> None:
    assert refusal(after(*opened("c1")), 0, "flip c1") == "face_up"


def test_r13_the_phases_of_a_turn() -> None:
    table = on_board()
    assert refusal(table, 1, "flip c1") == "not_your_turn"
    assert refusal(table, 0, "N H") == "not_now"
    assert refusal(table, 0, "stop") == "not_now"
    say(table, 0, "flip c1")
    assert refusal(table, 0, "flip c3") == "not_now"
    assert refusal(table, 0, "board B first") == "not_now"


def test_r14_a_correct_call_is_a_point_and_the_turn_goes_on() -> None:
    table = on_board()
    say(table, 0, "flip c1")
    assert say(table, 0, "E H") == [guessed(0, 1, 4, "higher", "A4", True)]
    assert table.state.points == (1, 0)
    assert [prompt.seat for prompt in table.due.prompts] == [0]


@pytest.mark.parametrize(
    ("way", "call", "row", "col", "card"),
    [("W", "L", 3, 2, "B2"), ("E", "H", 3, 4, "B4"), ("N", "H", 2, 3, "A8"), ("S", "H", 4, 3, "B8")],
)
def test_r14_the_four_directions(way: str, call: str, row: int, col: int, card: str) -> None:
    table = on_board()
    say(table, 0, "flip c3")
    meant = {"H": "higher", "L": "lower"}[call]
    assert say(table, 0, f"{way} {call}") == [guessed(0, row, col, meant, card, True)]


def test_r14_a_wrong_call_ends_the_turn() -> None:
    table = on_board()
    say(table, 0, "flip c1")
    assert say(table, 0, "E L") == [guessed(0, 1, 4, "lower", "A4", False), ended(0, "wrong")]
    assert [prompt.seat for prompt in table.due.prompts] == [1]


@pytest.mark.parametrize(("letter", "call"), [("H", "higher"), ("L", "lower")])
def test_r14_an_equal_number_is_wrong(letter: str, call: str) -> None:
    table = on_board(rows=[["A5"] * 5] * 5)
    say(table, 0, "flip c1")
    assert say(table, 0, f"E {letter}") == [guessed(0, 1, 4, call, "A5", False), ended(0, "wrong")]


def test_r14_calls_beyond_the_edge_or_of_open_cards() -> None:
    table = after(*opened("d1"))
    say(table, 0, "flip c1")
    assert refusal(table, 0, "N H") == "off_board"
    assert refusal(table, 0, "E H") == "face_up"
    assert [GAME.notation.form(command) for command in table.legal(0)] == ["S H", "S L", "W H", "W L"]


def test_r15_stopping_needs_a_correct_call() -> None:
    table = on_board()
    say(table, 0, "flip c1")
    assert refusal(table, 0, "stop") == "nothing_to_stop"
    say(table, 0, "E H")
    assert GAME.commands[-1]() in list(table.legal(0))
    assert say(table, 0, "stop") == [ended(0, "stopped")]


def test_r16_the_eighth_card_ends_the_turn() -> None:
    table = on_board()
    say(table, 0, "flip c1", "E H", "E H", "S H", "W L", "W L", "W L")
    assert say(table, 0, "W L") == [guessed(0, 2, 1, "lower", "A6", True), ended(0, "limit")]
    assert table.state.points == (7, 0)


def test_ruling_12_correct_eighth_card_is_the_limit_with_nothing_beside_it() -> None:
    table = after(*opened("a1", "a3"))
    say(table, 0, "flip c1", "E H", "E H", "S H", "W L", "W L", "W L")
    assert say(table, 0, "W L")[-1] == ended(0, "limit")


def test_ruling_12_a_wrong_eighth_card_is_wrong() -> None:
    table = on_board()
    say(table, 0, "flip c1", "E H", "E H", "S H", "W L", "W L", "W L")
    assert say(table, 0, "W H")[-1] == ended(0, "wrong")


def test_r16_a_grey_card_with_nothing_beside_it_ends_the_turn_at_once() -> None:
    table = after(*opened("a1", "b2", "a3"))
    assert say(table, 0, "flip a2") == [flipped(0, 2, 1, "A6"), ended(0, "stuck")]


def test_r16_a_correct_call_with_nothing_beside_it_ends_the_turn() -> None:
    table = after(*opened("b2", "b1"))
    say(table, 0, "flip a2")
    assert say(table, 0, "N L") == [guessed(0, 1, 1, "lower", "A1", True), ended(0, "stuck")]


def test_r23_open_cards_are_open_to_all_and_the_rest_to_none() -> None:
    table = on_board()
    say(table, 0, "flip c1", "E L")
    for witness in (0, 1, SPECTATOR):
        view = table.witness(witness)
        assert view.cards_open == table.witness(HOST).cards_open
        assert [card for card in view.cards_open["A"] if card] == ["A3", "A4"]
        assert view.dealt == dict.fromkeys(BOARDS)
        assert table.game.due(view) == table.due
