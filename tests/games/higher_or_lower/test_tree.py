"""The number of lines of play from small positions; it changes with the rules."""

from games.higher_or_lower import GAME
from games.higher_or_lower.pieces import SIDE
from games.kernel import Table
from tests.games.higher_or_lower.staged import CLIMB, board_chosen, dealt_log, round_finished
from tests.tree import count


def last_round(*face_down: str) -> Table:
    """Two rounds each; on board E only those cards lie face down, and seat 0 is to turn a grey one."""
    log = dealt_log()
    for board, winner in zip("ABCD", (0, 1, 0, 1), strict=True):
        log += [board_chosen(board, "first"), round_finished(board, winner)]
    log.append(board_chosen("E", "first"))
    for row in range(1, SIDE + 1):
        for col in range(1, SIDE + 1):
            if f"{'abcde'[col - 1]}{row}" not in face_down:
                place = {"seat": 1, "row": row, "col": col, "card": CLIMB[row - 1][col - 1]}
                log.append({"type": "card_guessed", "call": "lower", "correct": False, **place})
    log.append({"type": "turn_ended", "seat": 1, "reason": "wrong"})
    return Table.replay(GAME, {}, 2, 0, log)


def test_r14_one_card_beside_one_grey_card_is_called_in_two_ways() -> None:
    assert count(GAME, last_round("d2", "e2").state) == 2


def test_r15_a_second_card_beyond_it_may_be_called_or_left() -> None:
    assert count(GAME, last_round("d2", "e2", "e1").state) == 1 + (1 + 1 + 1)


def test_r15_around_a_grey_card_three_ways_lead_on() -> None:
    west, east, north = 2, 1 + (1 + (1 + 1 + 1) + 1), 1 + (1 + (1 + 1 + 1) + 1)
    assert count(GAME, last_round("c2", "d2", "e2", "d1", "e1").state) == west + east + north


def test_r13_two_grey_cards_far_apart_are_turned_in_two_orders() -> None:
    assert count(GAME, last_round("d2", "e2", "a3", "a4").state) == 2 * 2 * 2


def test_r16_a_grey_card_alone_is_one_line() -> None:
    assert count(GAME, last_round("d2", "e3").state) == 2
    assert count(GAME, last_round("d2").state) == 1


def test_r16_chains_through_grey_cards() -> None:
    assert count(GAME, last_round("d2", "d3", "c3", "e3", "e2").state) == 112


def test_r21_a_match_is_bounded() -> None:
    colour, setup, rounds = 1, 2 * (15 + 1), 5 * (1 + 25 + 5 * 4)
    assert GAME.bound(GAME.read_options({}), 2) == colour + setup + rounds
