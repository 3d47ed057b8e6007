"""Tables whose deck lies in a known order, and turns played on them in notation."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.kernel import HOST, Event, Illegal, Table
from games.pentagram import GAME
from games.pentagram.events import CardDrawn, DeckShuffled, ZeroDealt
from games.pentagram.pieces import COLOURS, DECK, Card


def table_with(*cards: str, seats: int = 2, priority: int = 0, **options: Any) -> Table:
    """A table at its first turn; `cards` lie on top of the deck, dealt ones for column 0 first."""
    left = Counter(DECK) - Counter(cards)
    order = tuple(map(Card, (*cards, *left.elements())))
    assert len(order) == len(DECK), "the deck holds two positive cards and one negative one of a pair"
    events: list[Event] = [DeckShuffled(order=order)]
    if options.get("zero_column") == "dealt":
        events.append(ZeroDealt(cards=dict(zip(COLOURS, order[:5], strict=True))))
        order = order[5:]
    events.append(CardDrawn(seat=priority, card=order[0]))
    return Table.replay(GAME, options, seats, priority, events)


def play(table: Table, *texts: str) -> list[dict[str, Any]]:
    """Play these turns, each by the seat whose turn it is; the last one's events as dicts."""
    events: list[dict[str, Any]] = []
    for text in texts:
        seat = table.due.prompts[0].seat
        since = table.version
        table.act(seat, GAME.notation.parse(table.witness(seat), seat, text))
        events = table.events(HOST, after=since)
    return events


def refusal(table: Table, seat: int, command: object) -> str:
    """The code that refuses this command, having changed nothing."""
    version, state = table.version, table.state
    try:
        table.act(seat, command)
    except Illegal as illegal:
        assert illegal.message.endswith(".")
        assert (table.version, table.state) == (version, state)
        return illegal.code
    raise AssertionError(f"{command} was accepted")


def place(colour: str, space: int, worker: bool = False) -> dict[str, Any]:
    """A command as a client sends it."""
    return {"type": "place", "colour": colour, "space": space, "worker": worker}


def placed(seat: int, colour: str, space: int) -> Mapping[str, Any]:
    """Return `card_placed` as it is sent to clients."""
    return {"type": "card_placed", "seat": seat, "colour": colour, "space": space}


def hired(seat: int, colour: str, space: int) -> Mapping[str, Any]:
    """Return `worker_placed` as it is sent to clients; the price is the space's number."""
    return {"type": "worker_placed", "seat": seat, "colour": colour, "space": space, "price": space}


def paid(colour: str, space: int, card: str, **coins: list[int]) -> Mapping[str, Any]:
    """Return `space_paid` as it is sent to clients; `s0=[1, 2]`: seat 0 had 1 and has 2."""
    by_seat = {name.removeprefix("s"): change for name, change in coins.items()}
    return {"type": "space_paid", "colour": colour, "space": space, "card": card, "coins": by_seat}


def home(colour: str, *seats: int) -> Mapping[str, Any]:
    """Return `workers_returned` as it is sent to clients."""
    return {"type": "workers_returned", "colour": colour, "seats": list(seats)}


def drawn(seat: int, card: str) -> Mapping[str, Any]:
    """Return `card_drawn` as it is sent to clients."""
    return {"type": "card_drawn", "seat": seat, "card": card}
