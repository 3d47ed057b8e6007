"""The parts that a page lays out: what lies where, in people's words, and what is seen to move between them."""

import re
from random import Random

from games.drawing.themes import LIGHT
from games.kernel import SPECTATOR, Chance, Table, Witness
from games.peeling_the_banana import GAME
from games.peeling_the_banana.motion import MOTION
from games.peeling_the_banana.outline import outline, seams
from games.peeling_the_banana.words import passing_over
from tests.games.peeling_the_banana.staged import play, staged

NAMES = ("Ada", "Ben")


def parts(at: Table, viewer: Witness) -> dict[str, str]:
    """The parts by name."""
    view = at.witness(viewer)
    return {part.name: part.drawn for part in GAME.board.parts(view, viewer=viewer, theme=LIGHT, names=NAMES)}


def places(at: Table, viewer: Witness) -> set[str]:
    """All that motions can name."""
    return set(re.findall(r'data-(?:cell|place)="([^"]+)"', "".join(parts(at, viewer).values())))


def test_every_card_space_and_item_lies_in_one_part() -> None:
    at = staged("domino#1 line3#1 ell4#1 coins2#1 bite#1", "tee4#1", alone={"line3#1": 1})
    drawn = parts(at, 0)
    cells = {name: re.findall(r'data-cell="([^"]+)"', picture) for name, picture in drawn.items()}
    assert cells["reach"] == ["domino#1", "ell4#1", "coins2#1"]
    assert cells["deck"] == ["line3#1", "bite#1", "tee4#1"]
    assert set(cells["shop"]) == set(at.state.options.shop)
    assert sorted(cells["table"]) == sorted(["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3"])


def test_readable_text_contains_no_notation_of_a_card() -> None:
    at = staged("domino#1 line3#1 ell4#1 coins2#1", "tee4#1", alone={"line3#1": 1})
    for viewer in (0, 1, SPECTATOR):
        for picture in parts(at, viewer).values():
            read = " ".join((*re.findall(r">([^<>]+)<", picture), *re.findall(r'aria-label="([^"]*)"', picture)))
            assert "#" not in read and not re.search(r"line3|ell4|domino|coins2", read)
    assert "Line of 3: fills 3, for B alone" in parts(at, 0)["deck"]


def test_reach_says_that_the_dealer_shuffles_before_the_next_choice() -> None:
    at = staged("coins2#1 domino#1 domino#2", reshuffle="short")
    assert "Choose one card" in parts(at, 0)["reach"]
    play(at, "1")
    assert "The dealer shuffles, then you choose" in parts(at, 1)["reach"]
    assert "The dealer shuffles, then Ben chooses" in parts(at, SPECTATOR)["reach"]
    play(at, "end")
    assert at.due.dealer and "The dealer shuffles, then Ben chooses" in parts(at, 0)["reach"]


def test_reach_says_nothing_of_a_shuffle_where_the_deck_has_enough() -> None:
    at = staged("coins2#1 domino#1 domino#2 line3#1", reshuffle="short")
    play(at, "1")
    assert "Then you choose" in parts(at, 1)["reach"]


def test_points_are_shown_as_a_sum() -> None:
    at = staged("domino#1", filled=("a1 b1 c1", "a1"))
    assert ">3 − 7 = −4<" in parts(at, 0)["table"]
    assert ">1 − 9 = −8<" in parts(at, 0)["table"]


def test_every_event_has_a_motion_and_what_moves_ends_where_everybody_sees_it() -> None:
    assert set(MOTION) == set(GAME.events)
    at, rng = Table(GAME, chance=Chance(seed=b"motion")), Random(3)
    moved = 0
    for _ in range(30):
        before, since = {viewer: places(at, viewer) for viewer in (0, SPECTATOR)}, at.version
        if at.outcome is not None:
            break
        if at.due.dealer:
            at.deal()
        else:
            seat = at.due.prompts[0].seat
            at.act(seat, at.sample(seat, rng))
        for viewer, shown_places in before.items():
            after = places(at, viewer)
            for step in (step for event in at.log[since:] for step in GAME.steps(event)):
                moved += 1
                assert step.place in after, step
                assert not step.source or step.source in shown_places, step
    assert moved > 20


def test_a_piece_has_one_outline_and_a_hole_one_of_its_own() -> None:
    assert outline([(0, 0), (0, 1)], 10) == "M20 0V10H0V0Z"
    ring = [(row, col) for row in range(3) for col in range(3) if (row, col) != (1, 1)]
    assert outline(ring, 10).count("Z") == 2
    assert outline([(0, 0), (1, 1)], 10).count("Z") == 2, "Corners that touch join nothing."
    assert seams([(0, 0), (0, 1)], 10) == "M10 3v4"


def test_passing_over_cards_tells_what_becomes_of_them() -> None:
    assert passing_over(()) == ""
    assert passing_over(("ell4#1",)) == "Passing over the Ell discards it."
    assert passing_over(("coins3#1",)) == "Passing over the 3 coins discards them."
    assert passing_over(("ell4#1", "bite#2")) == "Passing over the Ell and the Bite discards them."


def test_the_sentences_of_a_play_name_what_is_passed_over() -> None:
    at = staged("ell4#1 domino#1")
    since = at.version
    play(at, "2 @a1")
    assert GAME.notation.sentence(at.log[since], NAMES) == "Ada chooses the Pair, passing over the Ell."
