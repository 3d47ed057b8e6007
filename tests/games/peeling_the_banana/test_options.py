"""Board, deck and shop as an organiser may set them, and the refusals that name the key at fault."""

import tomllib
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

import games.peeling_the_banana as folder
from games.drawing.css import WEB
from games.kernel import Chance, Illegal, Table, to_json
from games.peeling_the_banana import GAME
from games.peeling_the_banana.events import PiecePlaced
from games.peeling_the_banana.pieces import KINDS
from tests.games.peeling_the_banana.staged import staged


def test_the_content_file_is_the_default_and_can_be_given_as_options() -> None:
    content = tomllib.loads((Path(folder.__file__).parent / "content.toml").read_text(encoding="utf-8"))
    options = Table(GAME, content).options
    assert options == Table(GAME).options
    assert to_json(options) == {
        **content, "turns": 25, "shapes": {}, "content": {}, "own_cards": [{}, {}], "reshuffle": "short",
    }  # fmt: skip


def test_a_table_that_is_given_replaces_the_whole_default() -> None:
    options = Table(GAME, {"deck": {"domino": 3}, "shop": {"pent_p": 7}}).options
    assert options.deck == {"domino": 3} and options.shop == {"pent_p": 7}


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"deck": {"domino": 2, "lin3": 1}}, "'lin3'"),
        ({"deck": {"domino": "two"}}, "deck.domino"),
        ({"deck": {"domino": -1}}, "deck.domino"),
        ({"deck": {"domino": 21}}, "deck.domino"),
        ({"deck": {"domino": True}}, "deck.domino"),
        ({"deck": {"domino": 0}}, "deck"),
        ({"deck": {}}, "deck"),
        ({"deck": {"income": 1}}, "'income'"),
        ({"deck": []}, "deck"),
        ({"shop": {"banana": 1}}, "'banana'"),
        ({"shop": {"reach": 0}}, "shop.reach"),
        ({"shop": {"reach": 1.5}}, "shop.reach"),
        ({"board": []}, "board"),
        ({"board": [""]}, "board"),
        ({"board": ["#"] * 21}, "board"),
        ({"board": ["#" * 21]}, "board"),
        ({"board": ["##", "#"]}, "board: row 2"),
        ({"board": ["#x"]}, "board: row 1"),
        ({"board": ["#o"]}, "board: row 1"),
        ({"board": [".."]}, "board"),
        ({"board": "##"}, "board"),
        ({"upgrades": {"reach": 10}}, "upgrades.reach"),
        ({"upgrades": {"coins2": 1}}, "'coins2'"),
        ({"deck": {"coins21": 1}}, "'coins21'"),
        ({"deck": dict.fromkeys(KINDS, 20) | {"coins5": 20, "coins6": 20}}, "at most 400 cards, not 420"),
        ({"shapes": {"Snake": ["#"]}}, "'Snake'"),
        ({"shapes": {"domino": ["##"]}}, "shapes.domino"),
        ({"shapes": {"coins7": ["##"]}}, "shapes.coins7"),
        ({"shapes": {"reach": ["##"]}}, "shapes.reach"),
        ({"shapes": {"snake": "##"}}, "shapes.snake"),
        ({"shapes": {"snake": [1]}}, "shapes.snake"),
        ({"shapes": {"snake": []}}, "shapes.snake"),
        ({"shapes": {"snake": ["#" * 9]}}, "shapes.snake"),
        ({"shapes": {"snake": ["##", "#"]}}, "shapes.snake: row 2"),
        ({"shapes": {"snake": ["#o"]}}, "shapes.snake: row 1"),
        ({"shapes": {"snake": ["...."]}}, "shapes.snake has 1 to 12 cells"),
        ({"shapes": {"snake": ["#####"] * 3}}, "shapes.snake has 1 to 12 cells"),
        ({"shapes": {"snake": ["##", ".."]}}, "shapes.snake has an empty row or column"),
        ({"shapes": {"snake": ["#.", ".#"]}}, "shapes.snake falls apart"),
        ({"shapes": {f"s{number}": ["#"] for number in range(41)}}, "at most 40 pieces, not 41"),
        ({"content": {"cards": {}}}, "'cards'"),
        ({"content": {"deck": []}}, "content: deck"),
        ({"content": {"board": "##"}}, "content: board"),
        ({"content": {"board": [7]}}, "content: board"),
        ({"content": {"shapes": {"snake": ["#" * 20_000]}}}, "at most 20000 bytes"),
        ({"content": {"shapes": {"snake": ["#"]}, "deck": {"snak": 1}}}, "'snak'"),
        ({"own_cards": [{}]}, "own_cards"),
        ({"own_cards": [{"domin": 1}, {}]}, "own_cards[0] has no key 'domin'"),
        ({"own_cards": [{}, {"bite": 21}]}, "own_cards[1].bite"),
        (
            {"deck": dict.fromkeys(KINDS, 20), "own_cards": [{"coins5": 20}, {"coins6": 1}]},
            "at most 400 cards, not 401",
        ),
        ({"starting_coins": [1]}, "starting_coins"),
        ({"starting_coins": [0, 100]}, "starting_coins[1]"),
        ({"starting_coins": [True, 0]}, "starting_coins[0]"),
        ({"income": 21}, "income"),
        ({"income": "one"}, "income"),
        ({"reshuffle": "never"}, "reshuffle"),
        ({"content": {"own_cards": [{}, {}, {}]}}, "content: own_cards"),
        ({"content": {"own_cards": {"0": {}}}}, "content: own_cards"),
        ({"content": {"starting_coins": 3}}, "content: starting_coins"),
        ({"content": {"starting_coins": [None, 0]}}, "starting_coins[0]"),
        ({"content": {"income": []}}, "income"),
        ({"turns": 0}, "turns"),
        ({"turns": 26}, "turns"),
    ],
    ids=str,
)
def test_options_that_cannot_be_played_are_refused_by_name(options: dict[str, Any], named: str) -> None:
    with pytest.raises(Illegal) as refusal:
        Table(GAME, options)
    assert refusal.value.code == "bad_options"
    assert named in refusal.value.message


ORIGINAL: dict[str, Any] = {
    "board": ["..##", ".###", "###."],
    "shapes": {"long_snake": ["##..", ".###"], "plus": [".#.", "###", ".#."]},
    "deck": {"long_snake": 4, "plus": 2, "domino": 6, "coins5": 3, "bite": 2},
    "shop": {"plus": 5, "income": 6},
    "upgrades": {"income": 3},
    "own_cards": [{"plus": 1}, {"graft": 2}],
    "starting_coins": [1, 4],
    "income": 2,
}


def test_custom_content_is_recorded_as_options_and_read_equal() -> None:
    options = Table(GAME, {"content": ORIGINAL, "deck": {"tumble": 20}}).options
    recorded = to_json(options)
    assert recorded == {**ORIGINAL, "turns": 25, "content": {}, "reshuffle": "short"}
    assert GAME.read_options(recorded) == options


def test_deck_may_hold_cards_of_one_seat_alone_and_no_others() -> None:
    options = Table(GAME, {"deck": {"bite": 0}, "own_cards": [{"bite": 1}, {}]}).options
    assert GAME.bound(options, 2) > 0


def test_every_fault_is_named_at_once() -> None:
    content = {"shapes": {"snake": ["#.", ".#"], "Ox": ["#"]}, "deck": {"snake": 99}, "shop": {"reach": 0}}
    with pytest.raises(Illegal) as refusal:
        Table(GAME, {"content": content, "turns": 0})
    message = refusal.value.message
    for named in (
        "shapes.snake falls apart",
        "'Ox'",
        "deck.snake is a whole number",
        "shop.reach is",
        "turns is 1 to 25",
    ):
        assert named in message


def test_hundred_faults_are_named_by_the_first_ten() -> None:
    with pytest.raises(Illegal, match="And 90 more faults") as refusal:
        Table(GAME, {"deck": {f"x{number}": 1 for number in range(100)}})
    assert len(refusal.value.message) < 4_000


def test_bots_play_what_an_organiser_brings_to_its_end() -> None:
    at, rng, played = Table(GAME, {"content": ORIGINAL}, chance=Chance(seed=b"original")), Random(1), set[str]()
    while at.outcome is None:
        if at.due.dealer:
            at.deal()
            continue
        seat = at.due.prompts[0].seat
        command = GAME.bot(at.witness(seat), seat, rng)
        assert GAME.notation.parse(at.witness(seat), seat, GAME.notation.form(command)) == command
        at.act(seat, command)
        played |= {card.partition("#")[0] for card in getattr(at.log[-1], "discarded", ())}
        for part in GAME.board.parts(at.witness(seat), viewer=seat, theme=WEB, names=("Ada", "Ben")):
            ElementTree.fromstring(part.drawn)  # noqa: S314
        GAME.text_board(at.witness(seat), seat)
    assert at.outcome.reason == "played"


def test_pieces_and_coins_of_ones_own_do_what_they_say() -> None:
    content = {"shapes": {"long_snake": ["##..", ".###"]}, "deck": {"long_snake": 1, "coins12": 1, "coins1": 1}}
    at = Table(GAME, {"content": content}, chance=Chance(seed=b"own"))
    at.settle()
    at.act(0, {"type": "choose_first", "seat": 0})
    at.act(0, GAME.notation.parse(at.witness(0), 0, "play long_snake#1 @h4"))
    placed = next(event for event in at.log if isinstance(event, PiecePlaced))
    assert [(cell.row, cell.col) for cell in placed.filled] == [(4, 8), (4, 9), (5, 9), (5, 10), (5, 11)]
    assert GAME.notation.sentence(placed, ("Ada", "Ben")) == "Ada plays a Long snake on h4: 5 filled."
    at.act(0, {"type": "end_turn"})
    at.settle()
    coins = at.state.coins[1]
    at.act(1, {"type": "play_card", "card": "coins12#1"})
    assert at.state.coins[1] == coins + 12


def test_text_board_with_the_longest_reach_fits_a_terminal() -> None:
    deck = " ".join(
        f"{kind}#{number}" for number in range(1, 3) for kind in ("square4", "line3", "tee4", "ell4", "bite")
    )
    at = staged(f"{deck} seconds#1 seconds#2", upgrades=["reach"] * 9)
    board = GAME.text_board(at.witness(0), 0)
    assert "12 seconds#2" in board and max(map(len, board.splitlines())) <= 100
