"""Offers of a tray: the rules allow them, and their targets are on the board."""

from collections.abc import Iterator
from random import Random

import pytest

from games import catalogue
from games.drawing.css import WEB
from games.kernel import Chance, Command, Game, Illegal, Table, judge
from matches.domain.clocks import ClockTimes
from matches.html.context import MOST_LISTED, tray_for
from matches.html.trays import touched, tray_of
from matches.html.trays.tray import Tray, TrayContext
from matches.storage import repository
from tests.cases import some_slow
from tests.table_setting import new_account, running_match
from tests.web.match_setting import send

NAMES = [f"Seat {seat}" for seat in range(5)]
COMMANDS = 70


def asked_of(game: Game, table: Table, seat: int) -> TrayContext:
    """The seat's own view, and its legal commands as the page lists them."""
    state = table.witness(seat)
    listed = [command for _, command in zip(range(MOST_LISTED), game.legal(state, seat), strict=False)]
    return TrayContext(state, seat, listed, game.notation.form, NAMES, game.aided("all"))


def moments(slug: str, seed: int) -> Iterator[tuple[Game, Table, TrayContext, Tray]]:
    """Every seat that is asked, over the beginning of a random match."""
    game, rng = catalogue[slug], Random(seed)
    table = Table(game, {}, game.seats.min, 0, Chance(seed=bytes([seed])))
    for _ in range(COMMANDS):
        while table.due.dealer:
            table.deal()
        if table.outcome is not None:
            return
        for prompt in (*table.due.prompts, *table.due.amendable):
            if not isinstance(prompt.seat, int):
                continue
            position = asked_of(game, table, prompt.seat)
            yield game, table, position, tray_of(slug, position)
        seat = rng.choice(table.due.prompts).seat
        table.act(seat, game.sample(table.witness(seat), seat, rng))


def lawful(game: Game, table: Table, seat: int, command: Command) -> bool:
    """True if the rules accept the command now."""
    try:
        judge.act(game, table.state, seat, command, Chance(seed=b"any", version=table.version))
    except Illegal:
        return False
    return True


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_every_choice_is_a_legal_command(slug: str) -> None:
    offered = 0
    for game, table, position, tray in moments(slug, 1):
        assert tray.task
        for choice in tray.choices:
            assert lawful(
                game, table, position.seat, game.notation.parse(position.state, position.seat, choice.text)
            ), choice
            offered += 1
    assert offered > 20 or slug in ("contest", "reality_benders")


@pytest.mark.parametrize("slug", sorted(catalogue))
def test_a_tray_whose_script_makes_up_no_commands_offers_every_legal_one(slug: str) -> None:
    whole = 0
    for game, _, position, tray in moments(slug, 2):
        if tray.module not in ("", "pentagram") or not tray.choices:
            continue
        assert [choice.text for choice in tray.choices] == [
            game.notation.form(command) for command in position.commands
        ]
        whole += 1
    assert whole or slug in ("contest", "reality_benders")


@pytest.mark.parametrize(
    "slug",
    some_slow(sorted(catalogue.keys() - {"contest"}), always=("pentagram", "pyramid_poker", "reality_benders")),
)
def test_every_target_and_touched_cell_is_on_the_board(slug: str) -> None:
    pointed = 0
    for game, table, position, tray in moments(slug, 3):
        drawn = game.board.draw(position.state, viewer=position.seat, theme=WEB, names=NAMES, targets=tray.targets)
        missing = [cell for cell in tray.targets if f'data-cell="{cell}"' not in drawn]
        assert not missing, f"{missing} at {table.version}"
        assert drawn.count('role="button"') >= len(set(tray.targets))
        pointed += len(tray.targets)
    assert pointed > 20


def test_piece_is_offered_in_every_orientation() -> None:
    lies = [
        (game, position, card)
        for game, _, position, tray in moments("peeling_the_banana", 4)
        for card in tray.data.get("cards", ())
        if card["how"] == "piece"
    ]
    assert lies
    for game, at_hand, card in lies:
        assert set(card["lies"]) == {f"{turn}{flip}" for turn in (0, 90, 180, 270) for flip in ("", " f")}
        legal = [c for c in game.legal(at_hand.state, at_hand.seat) if c.card == card["card"]]
        for command in legal[:40]:
            at = command.placement
            cells = card["lies"][f"{at.rotation}{' f' if at.flip else ''}"]
            assert all(
                at_hand.state.options.board[at.row - 1 + down][at.col - 1 + right] == "#" for down, right in cells
            )


@pytest.mark.parametrize(("cast_by_one", "secret"), [("I", True), ("A", False)])
def test_offer_is_called_secret_only_while_another_is_awaited(cast_by_one: str, secret: bool) -> None:
    # given
    game = catalogue["reality_benders"]
    table = Table(game, {}, 2, 0, Chance(seed=b"offer"))
    for seat, rules in enumerate((["A>B"], ["A>D"])):
        table.act(seat, {"type": "bend", "rules": rules})
    table.act(0, {"type": "cast", "spell": "I"})
    table.act(1, {"type": "cast", "spell": cast_by_one})
    # when
    locking = tray_of("reality_benders", asked_of(game, table, 1)).data["locking"]
    table.act(1, {"type": "offer", "spells": ["A", "B", "C"]})
    # then
    opened = table.log[-1].__class__.__name__ == "OffersRevealed"
    assert opened != secret
    assert ("until both lock in" in locking) == secret
    assert ("opened at once" in locking) == opened


def test_an_event_without_a_place_touches_nothing() -> None:
    assert touched("pyramid_poker", [{"type": "brick_placed", "seat": 0, "cell": "C3"}]) == ("C3",)
    assert touched("pyramid_poker", [{"type": "first_chosen", "seat": 0}]) == ()
    assert touched("a game without a tray", [{"type": "brick_placed", "cell": "C3"}]) == ()


def test_payout_walks_are_shown_only_with_the_card_that_caused_them() -> None:
    events = [
        {"type": "card_placed", "seat": 1, "colour": "orange", "space": 3},
        {"type": "card_placed", "seat": 0, "colour": "blue", "space": 0},
        {"type": "space_paid", "colour": "blue", "space": 2, "coins": {}},
        {"type": "space_paid", "colour": "blue", "space": 1, "coins": {0: [1, 2]}},
        {"type": "space_paid", "colour": "blue", "space": 0, "coins": {0: [2, 4]}},
        {"type": "card_drawn", "card": "O>P+"},
    ]
    assert set(touched("pentagram", events)) == {"B0", "B1 walk", "B0 walk"}


def test_tray_without_an_agreed_time_warns_of_the_clock() -> None:
    players = [new_account() for _ in range(2)]
    clocks = {name: ClockTimes(base=60) for name in catalogue["higher_or_lower"].clocks}
    match = running_match("higher_or_lower", *players, clocks=clocks)
    send(match, 0, players[0], "colour cyan")
    tray = tray_for(repository.load(match.id, 0), 0, NAMES)
    assert tray is not None and tray.note.endswith("the clock then plays for whoever isn't there.")
