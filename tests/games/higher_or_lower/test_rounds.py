"""The end of a round and of the match: the last grey card, the clock, resigning."""

import pytest

from games.higher_or_lower import GAME
from games.higher_or_lower.pieces import BOARDS
from games.kernel import Table, to_json
from tests.games.higher_or_lower.staged import (
    after,
    all_greys_but,
    board_chosen,
    dealt,
    dealt_log,
    ended,
    events,
    flipped,
    guessed,
    on_board,
    opened,
    refusal,
    round_finished,
    say,
)


def test_r17_the_round_ends_with_the_turn_that_opens_the_last_grey_card() -> None:
    table = after(*opened(*all_greys_but("c1")))
    assert say(table, 0, "flip c1", "E H") == [flipped(0, 1, 3, "A3"), guessed(0, 1, 4, "higher", "A4", True)]
    finished = {"type": "round_finished", "board": "A", "points": [1, 0], "winner": 0}
    assert say(table, 0, "stop") == [ended(0, "stopped"), finished]


def test_r17_the_last_grey_card_may_be_reached_by_a_call() -> None:
    table = after(*opened(*all_greys_but("c1", "a2")))
    say(table, 0, "flip c1", "W L", "W L")
    assert [event["type"] for event in say(table, 0, "S L")] == [
        "card_guessed",
        "turn_ended",
        "round_finished",
    ]


@pytest.mark.parametrize(("order", "winner"), [("first", 1), ("second", 0)])
def test_r18_between_equals_the_seat_that_went_second_wins(order: str, winner: int) -> None:
    table = after(*opened(*all_greys_but("c1"), by=1), order=order)
    if order == "second":
        table = after(*opened(by=1), *opened(*all_greys_but("c1"), by=0), order=order)
    mover = table.due.prompts[0].seat
    say(table, mover, "flip c1")
    finished = say(table, mover, "E L")[-1]
    assert (finished["points"], finished["winner"]) == ([0, 0], winner)


def test_r18_more_points_win() -> None:
    table = after(guessed(1, 2, 2, "higher", "A7", True), *opened(*all_greys_but("c1")), order="second")
    say(table, 0, "flip c1")
    assert say(table, 0, "E L")[-1] == {
        "type": "round_finished",
        "board": "A",
        "points": [0, 1],
        "winner": 1,
    }


def test_r19_the_flag_ends_a_turn_before_and_after_its_grey_card() -> None:
    table = on_board()
    fallen = {"type": "flag_fallen", "seat": 0, "clock": "turn"}
    table.flag(0)
    assert events(table, table.version - 2) == [fallen, ended(0, "flag")]
    say(table, 1, "flip c1", "E H")
    table.flag(1)
    assert events(table, table.version - 2) == [{**fallen, "seat": 1}, ended(1, "flag")]
    assert table.state.points == (0, 1)
    assert [prompt.seat for prompt in table.due.prompts] == [0]


def test_r19_the_flag_can_end_the_round() -> None:
    table = after(*opened(*all_greys_but("c1")))
    say(table, 0, "flip c1", "E H")
    assert [event.__class__.__name__ for event in table.flag(0)] == [
        "FlagFallen",
        "TurnEnded",
        "RoundFinished",
    ]


def test_r19_out_of_time_the_dealer_chooses_board_and_order() -> None:
    chosen = set()
    for seed in range(40):
        _, event = dealt(bytes([seed])).flag(0)
        assert event.seat == 0
        chosen.add((event.board, event.order))
    assert {board for board, _ in chosen} == set(BOARDS)
    assert {order for _, order in chosen} == {"first", "second"}


def test_r19_every_choice_has_its_own_run_of_the_clock() -> None:
    table = dealt()
    turns = [table.due.prompts[0].turn]
    for text in ("board A first", "flip c1"):
        say(table, 0, text)
        turns.append(table.due.prompts[0].turn)
    table.flag(0)
    turns.append(table.due.prompts[0].turn)
    assert len(set(turns)) == 4
    assert {prompt.clock for prompt in table.due.prompts} == {"turn"}


def test_r20_four_idle_turns_in_a_row_end_the_round() -> None:
    table = on_board()
    for seat in (0, 1, 0):
        assert len(table.flag(seat)) == 2
    assert to_json(table.flag(1)[-1]) == {
        "type": "round_finished",
        "board": "A",
        "points": [0, 0],
        "winner": 1,
    }


def test_r20_a_grey_card_starts_the_count_again() -> None:
    table = on_board()
    for seat in (0, 1, 0):
        table.flag(seat)
    say(table, 1, "flip c1")
    for seat in (1, 0, 1, 0):
        assert len(table.flag(seat)) == 2
    assert len(table.flag(1)) == 3


def test_r20_the_count_starts_afresh_with_a_round() -> None:
    table = dealt()
    say(table, 0, "board A first")
    for seat in (0, 1, 0, 1):
        table.flag(seat)
    say(table, 0, "board B first")
    assert len(table.flag(0)) == 2


def test_r21_three_rounds_win_the_match() -> None:
    log = [
        *dealt_log(),
        *(round_finished(board, winner) for board, winner in zip("ABCD", (0, 1, 0, 1), strict=True)),
    ]
    table = Table.replay(GAME, {}, 2, 0, log)
    assert table.outcome is None
    won = Table.replay(GAME, {}, 2, 0, [*log, round_finished("E", 1)])
    assert to_json(won.outcome) == {
        "winners": [1],
        "ranking": [[1], [0]],
        "reason": "played",
        "score": {"0": 2, "1": 3},
    }
    assert refusal(won, 0, "board A first") == "match_over"
    assert not won.due.prompts and not won.due.dealer


@pytest.mark.parametrize("moment", [0, 1, 8, 9])
def test_r22_resigning_loses_at_any_moment(moment: int) -> None:
    log = [*dealt_log(), board_chosen("A", "first")][:moment]
    table = Table.replay(GAME, {}, 2, 0, log)
    table.act(0, {"type": "resign"})
    assert table.outcome is not None
    assert (table.outcome.winners, table.outcome.reason) == ((1,), "resigned")
