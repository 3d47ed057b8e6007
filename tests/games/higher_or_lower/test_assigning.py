"""The secret assignment: colours, what a group takes, and locking in."""

import pytest

from games.higher_or_lower import GAME
from games.higher_or_lower.pieces import ALLOWED
from games.kernel import SPECTATOR
from tests.games.higher_or_lower.staged import (
    SIZES,
    assign,
    assign_all,
    assigning,
    events,
    fresh,
    refusal,
    say,
)


def test_r3_the_priority_seat_chooses_and_the_other_has_the_other_colour() -> None:
    table = fresh(priority=1)
    (prompt,) = table.due.prompts
    assert (prompt.seat, prompt.commands, prompt.clock) == (1, ("choose_colour",), "choice")
    assert refusal(table, 0, "colour cyan") == "not_your_turn"
    assert say(table, 1, "colour cyan") == [{"type": "colour_chosen", "seat": 1, "colour": "cyan"}]
    assert table.witness(SPECTATOR).colours == ("pink", "cyan")


def test_r3_out_of_time_the_dealer_chooses_the_colour() -> None:
    colours = set()
    for seed in range(12):
        table = fresh(seed=bytes([seed]))
        fallen, chosen = table.flag(0)
        assert (fallen.clock, chosen.seat) == ("choice", 0)
        colours.add(chosen.colour)
    assert colours == {"cyan", "pink"}


def test_r4_both_seats_assign_at_once_on_one_clock_run() -> None:
    prompts = assigning().due.prompts
    assert [(prompt.seat, prompt.turn, prompt.clock) for prompt in prompts] == [
        (0, "setup", "setup"),
        (1, "setup", "setup"),
    ]
    assert prompts[0].commands == ("assign_group", "withdraw_group", "lock_in")


def test_r4_an_assignment_is_recorded_in_the_order_of_cards() -> None:
    table = assigning()
    assign(table, 0, "A", "circle", ["A10", "A2", "A9", "A1"])
    assert events(table, 1) == [
        {
            "type": "group_assigned",
            "seat": 0,
            "board": "A",
            "shape": "circle",
            "cards": ["A1", "A2", "A9", "A10"],
            "completable": True,
        }
    ]


def test_r4_assigning_again_replaces_and_frees_the_cards() -> None:
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4", "assign A circle A4 A5 A6 A7", "assign A square A1 A2 A3")
    assert [group.cards for group in table.witness(0).groups[0]] == [
        ("A4", "A5", "A6", "A7"),
        ("A1", "A2", "A3"),
    ]


def test_r4_a_withdrawn_group_frees_its_cards() -> None:
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4")
    assert say(table, 0, "withdraw A circle") == [
        {"type": "group_withdrawn", "seat": 0, "board": "A", "shape": "circle"}
    ]
    say(table, 0, "assign B triangle A1 A2 A3 A4")
    assert refusal(table, 0, "withdraw A circle") == "not_assigned"


@pytest.mark.parametrize("witness", [1, SPECTATOR])
def test_r4_assignments_are_hidden_from_the_opponent_and_spectators(witness: object) -> None:
    table = assigning()
    say(table, 0, "assign A circle A1 A2 A3 A4", "withdraw A circle")
    assigned, withdrawn = table.events(witness, 1)  # type: ignore[arg-type]
    hidden = dict.fromkeys(("board", "shape", "cards", "completable"))
    assert assigned == {"type": "group_assigned", "seat": 0, **hidden}
    assert withdrawn == {"type": "group_withdrawn", "seat": 0, "board": None, "shape": None}
    assert table.witness(witness) == table.witness(witness).__class__(  # type: ignore[arg-type]
        seats=2, priority=0, options=table.options, colours=("cyan", "pink")
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("assign F circle A1 A2 A3 A4", "no_such_board"),
        ("withdraw F circle", "no_such_board"),
        ("assign A circle A1 A2 A3 A11", "no_such_card"),
        ("assign A circle A1 A2 A3 F4", "no_such_card"),
        ("assign A circle A1 A2 A3", "wrong_count"),
        ("assign A circle A1 A2 A3 A4 A5", "wrong_count"),
        ("assign A circle", "wrong_count"),
        ("assign A circle A7 A8 A9 A10", "card_used"),
        ("assign A circle A1 A2 A3 A3", "card_used"),
        ("assign A circle C1 C2 C3 C4", "suit_not_allowed"),
        ("assign A square A1 C2 B3", "suit_not_allowed"),
        ("assign A circle A1 A2 B3 E4", "mixed_group"),
        ("assign A square A1 A2 B3", "mixed_group"),
        ("assign A square A1 B1 E3", "mixed_group"),
        ("lock", "not_complete"),
        ("withdraw A square", "not_assigned"),
    ],
)
def test_r5_invalid_cards_of_a_group_are_refused(text: str, code: str) -> None:
    table = assigning()
    say(table, 0, "assign E circle A9 A10")
    assert refusal(table, 0, text) == code


def test_r5_a_group_that_the_board_has_not_got() -> None:
    rows = [["cC", "cC", "cC", "cC", "cC"]] * 2 + [["pC", "pC", "pC", "pC", "pC"]] * 2 + [["gC"] * 5]
    table = fresh(options={"boards": dict.fromkeys("ABCDE", rows)})
    say(table, 0, "colour cyan")
    assert refusal(table, 0, "assign A square A1") == "no_such_group"
    assert refusal(table, 0, "withdraw A square") == "no_such_group"


def test_r5_different_suits_and_numbers_make_a_mixed_group() -> None:
    table = assigning()
    assert say(table, 0, "assign A square E3 A1 B2")[0]["cards"] == ["A1", "B2", "E3"]


@pytest.mark.parametrize(("board", "suits"), [("A", "ABE"), ("B", "ABC"), ("C", "BCD"), ("D", "CDE"), ("E", "ADE")])
def test_r5_a_board_takes_its_own_suit_and_those_beside_it(board: str, suits: str) -> None:
    taken = set()
    for suit in "ABCDE":
        table = assigning()
        cards = [f"{suit}{n}" for n in range(1, SIZES[board, "triangle"] + 1)]
        command = {"type": "assign_group", "board": board, "shape": "triangle", "cards": cards}
        if suit in suits:
            table.act(0, command)
            taken.add(suit)
        else:
            assert refusal(table, 0, command) == "suit_not_allowed"
    assert taken == set(suits) == set(ALLOWED[board])


def test_r7_locking_in_needs_every_group() -> None:
    table = assigning()
    assign_all(table, 0)
    assert say(table, 0, "lock") == [{"type": "locked_in", "seat": 0}]
    assert [prompt.seat for prompt in table.due.prompts] == [1]


@pytest.mark.parametrize("text", ["assign A circle A1 A2 A3 A4", "withdraw A circle", "lock"])
def test_r7_a_locked_seat_changes_nothing(text: str) -> None:
    table = assigning()
    assign_all(table, 0)
    say(table, 0, "lock")
    assert refusal(table, 0, text) == "locked"
    assert not list(table.legal(0))


def test_r7_play_begins_when_both_are_final() -> None:
    table = assigning()
    assign_all(table, 0)
    say(table, 0, "lock")
    assert not table.due.dealer
    table.flag(1)
    assert table.due.dealer and not table.due.prompts
    assert refusal(table, 0, "lock") == "dealer_due"
    table.settle()
    assert refusal(table, 1, "lock") == "not_your_turn"
    assert refusal(table, 0, "lock") == "not_now"


def test_r23_legal_lists_withdrawals_and_the_lock_from_what_the_seat_knows() -> None:
    table = assigning()
    assert not list(table.legal(0))
    say(table, 0, "assign A circle A1 A2 A3 A4")
    assert [GAME.notation.form(command) for command in table.legal(0)] == ["withdraw A circle"]
    assign_all(table, 0)
    forms = [GAME.notation.form(command) for command in table.legal(0)]
    assert forms == [*(f"withdraw {board} {shape}" for board, shape in sorted(SIZES)), "lock"]
