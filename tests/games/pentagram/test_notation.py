"""Text to commands and back, and what events read like."""

import pytest

from games.kernel import Illegal, Resign
from games.kernel.messages import FlagFallen, Resigned
from games.pentagram import GAME
from games.pentagram.commands import Place
from games.pentagram.events import (
    CardDrawn,
    CardPlaced,
    DeckShuffled,
    SpacePaid,
    WorkerPlaced,
    WorkersReturned,
    ZeroDealt,
)
from games.pentagram.pieces import COLOURS, Card
from tests.games.pentagram.stacked import table_with

STATE = table_with().state
NAMES = ("Ann", "Bob")
ORANGE_TO_BLUE = Card("orange>blue+")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("O3", Place(colour="orange", space=3)),
        ("o3", Place(colour="orange", space=3)),
        ("Y0 w", Place(colour="yellow", space=0, worker=True)),
        ("K4W", Place(colour="black", space=4, worker=True)),
        (" P 2 worker ", Place(colour="purple", space=2, worker=True)),
        ("B1 with a worker", Place(colour="blue", space=1, worker=True)),
        ("place orange 3 worker", Place(colour="orange", space=3, worker=True)),
        ("Black 2", Place(colour="black", space=2)),
        ("blue0", Place(colour="blue", space=0)),
        ("O7", Place(colour="orange", space=7)),
        ("resign", Resign()),
    ],
)
def test_a_command_is_read_from_its_text(text: str, command: object) -> None:
    assert GAME.notation.parse(STATE, 0, text) == command


@pytest.mark.parametrize("text", ["", "3", "O", "O3 x", "G3", "O3O4", "O-1", "place", "O123", "worker O3"])
def test_other_text_is_malformed_with_examples(text: str) -> None:
    with pytest.raises(Illegal, match="O3 w") as refused:
        GAME.notation.parse(STATE, 0, text)
    assert refused.value.code == "malformed"


def test_every_command_reads_back_from_its_short_text() -> None:
    commands = [Place(colour=c, space=s, worker=w) for c in COLOURS for s in range(5) for w in (False, True)]
    for command in (*commands, Resign()):
        assert GAME.notation.parse(STATE, 0, GAME.notation.form(command)) == command


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (DeckShuffled(order=None), "The dealer shuffles the deck."),
        (DeckShuffled(order=(ORANGE_TO_BLUE,)), "The dealer shuffles the deck."),
        (
            ZeroDealt(cards=dict.fromkeys(COLOURS, ORANGE_TO_BLUE)),
            "The dealer puts orange feeds blue on orange 0, orange feeds blue on yellow 0, orange feeds blue on"
            " black 0, orange feeds blue on purple 0 and orange feeds blue on blue 0.",
        ),
        (CardDrawn(seat=1, card=ORANGE_TO_BLUE), "Bob draws orange feeds blue."),
        (CardPlaced(seat=0, colour="black", space=3), "Ann places the card on black 3."),
        (
            WorkerPlaced(seat=0, colour="black", space=3, price=3),
            "Ann puts a worker on it for 3 black.",
        ),
        (WorkerPlaced(seat=0, colour="black", space=0, price=0), "Ann puts a worker on it for free."),
        (
            SpacePaid(colour="black", space=0, card=ORANGE_TO_BLUE, coins={}),
            "Black 0 pays, orange feeds blue; no worker stands there.",
        ),
        (
            SpacePaid(colour="black", space=0, card=ORANGE_TO_BLUE, coins={0: (2, 6), 1: (1, 1)}),
            "Black 0 pays, orange feeds blue: Ann goes from 2 to 6 blue and Bob stays at 1 blue.",
        ),
        (
            WorkersReturned(colour="black", seats=(0, 1, 1)),
            "Home from the black row: Ann's worker and 2 of Bob's workers.",
        ),
        (Resigned(seat=1), "Bob resigns."),
        (FlagFallen(seat=0, clock="turn"), "Ann's time runs out."),
    ],
)
def test_every_event_reads_as_a_sentence(event: object, text: str) -> None:
    assert GAME.notation.sentence(event, NAMES) == text
