"""Tables in the middle of a match, set up from events, and turns played on them in notation."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from games.kernel import HOST, Chance, Event, Illegal, Table, judge
from games.peeling_the_banana import GAME
from games.peeling_the_banana.events import (
    AvailabilityChanged,
    Bought,
    CardPlayed,
    DeckShuffled,
    FirstChosen,
    PiecePlaced,
    TurnStarted,
)
from games.peeling_the_banana.pieces import Space, kind_of

SMALL = ("####", "####", "##..")


def staged(
    deck: str = "",
    discard: str = "",
    *,
    alone: Mapping[str, int] | None = None,
    coins: int = 1,
    upgrades: Iterable[str] = (),
    filled: tuple[str, str] = ("", ""),
    board: Sequence[str] = SMALL,
    **options: Any,
) -> Table:
    """A table at seat 0's first turn, by a deck and discard of ids (top first, latest last).

    `alone` gives the seat that alone may play a card; `upgrades` are seat 0's; `filled` are each seat's
    filled spaces, such as `a1 b1`. With `reshuffle: empty`, unless given, small decks stay as they are laid.
    """
    below, above = deck.split(), discard.split()
    kinds = Counter(map(kind_of, (*above, *below)))
    events: list[Event] = [DeckShuffled((*above, *below)), FirstChosen(0)]
    if above:
        events.append(CardPlayed(1, above[-1], tuple(above)))
    events += [AvailabilityChanged(card, (seat,)) for card, seat in (alone or {}).items()]
    events += [Bought(0, upgrade, 0) for upgrade in upgrades]
    for seat, names in enumerate(filled):
        cells = tuple(map(space, names.split()))
        events.append(PiecePlaced(seat, "domino#1", cells, cells))
    events.append(TurnStarted(0, 1, coins))
    settings = {"deck": kinds or {"tumble": 1}, "board": board, "reshuffle": "empty", **options}
    return Table.replay(GAME, settings, 2, 0, events)


def space(name: str) -> Space:
    """`d4` -> row 4, column 4."""
    return Space(int(name[1:]), ord(name[0]) - 96)


def cells(names: str) -> list[dict[str, int]]:
    """`a1 b1` as spaces on the wire."""
    return [{"row": space(name).row, "col": space(name).col} for name in names.split()]


def play(at: Table, *texts: str) -> list[dict[str, Any]]:
    """Play these commands, each by the seat on turn; the events of the last one."""
    since = at.version
    for text in texts:
        seat = at.due.prompts[0].seat
        since = at.version
        at.act(seat, GAME.notation.parse(at.witness(seat), seat, text))
    return at.events(HOST, after=since)


def dealt(at: Table, seed: bytes = b"dealer") -> Table:
    """The table after the dealer's duty."""
    events = judge.deal(GAME, at.state, Chance(seed, at.version))
    return Table.replay(GAME, at.options, 2, at.priority, (*at.log, *events))


def refused(at: Table, command: str | dict[str, Any], code: str, seat: int | None = None) -> None:
    """The command of the seat on turn is refused with that code, and nothing has changed."""
    asking = at.due.prompts[0].seat if seat is None else seat
    log, state = at.log, at.state
    parsed = GAME.notation.parse(state, asking, command) if isinstance(command, str) else command
    with pytest.raises(Illegal) as refusal:
        at.act(asking, parsed)
    assert refusal.value.code == code
    assert refusal.value.message.endswith(".")
    assert (at.log, at.state) == (log, state)


def legal(at: Table) -> list[str]:
    """The legal commands of the seat on turn, in notation."""
    return [GAME.notation.form(command) for command in at.legal(at.due.prompts[0].seat)]


def in_reach(at: Table) -> list[str]:
    """The cards that the seat on turn may play."""
    return list(dict.fromkeys(text.split()[1] for text in legal(at)))


def kinds(events: Iterable[Mapping[str, Any]]) -> list[str]:
    """The types of the events, in order."""
    return [event["type"] for event in events]


def prompted(at: Table) -> tuple[int, tuple[str, ...]]:
    """Return the prompted seat and the commands that it may send."""
    (prompt,) = at.due.prompts
    return prompt.seat, prompt.commands
