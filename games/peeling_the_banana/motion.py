"""The animations: cards move to the discard, pieces onto a sheet, coins to a seat, items out of the shop."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.kernel import Event, Motion, Step, reveal, still, travel
from games.peeling_the_banana.events import (
    AvailabilityChanged,
    Bought,
    CardPlayed,
    CardRegrown,
    CardRemoved,
    CoinsGained,
    DeckReshuffled,
    DeckShuffled,
    FirstChosen,
    PiecePlaced,
    TurnFinished,
    TurnStarted,
)
from games.peeling_the_banana.pieces import UPGRADES, coins_of, is_piece, kind_of


def purse_of(seat: int) -> str:
    """Return the place of a seat's coins."""
    return f"{seat} purse"


def newest_of(seat: int) -> str:
    """Return the place of the piece laid last on a seat's sheet."""
    return f"{seat} newest"


def _played(event: CardPlayed) -> Sequence[Step]:
    """Move skipped cards to the discard and coins to the seat; `_placed` moves a piece."""
    passed = [travel(card, card) for card in event.discarded[:-1]]
    kind = kind_of(event.card)
    if coins_of(kind):
        return (*passed, travel(event.card, purse_of(event.seat)))
    return passed if is_piece(kind) or kind == "bite" else (*passed, travel(event.card, event.card))


def _placed(event: PiecePlaced) -> Sequence[Step]:
    """Move the card to its spaces, where it turns into the piece."""
    newest = newest_of(event.seat)
    return travel(event.card, newest), reveal(newest)


def _bought(event: Bought) -> Sequence[Step]:
    return (reveal(event.item),) if event.item in UPGRADES or event.card is None else (travel(event.item, event.card),)


MOTION: Final[Mapping[type[Event], Motion]] = {
    DeckShuffled: lambda shuffled: (reveal("deck"),),
    FirstChosen: lambda chosen: (reveal(purse_of(1 - chosen.seat)),),
    TurnStarted: still,
    CardPlayed: _played,
    PiecePlaced: _placed,
    CoinsGained: lambda gained: (reveal(purse_of(gained.seat)),),
    AvailabilityChanged: lambda changed: (reveal(changed.card),),
    CardRemoved: still,
    CardRegrown: lambda regrown: (travel(regrown.card, regrown.card),),
    DeckReshuffled: lambda shuffled: (reveal("deck"),),
    Bought: _bought,
    TurnFinished: still,
}
