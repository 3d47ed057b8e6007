"""The events. They are recorded permanently; nothing in this game is secret."""

from games.kernel import Event, Public
from games.peeling_the_banana.pieces import Space

Cards = tuple[str, ...]


class DeckShuffled(Event, frozen=True):
    """The deck was shuffled; `order` has the top card first."""

    order: Public[Cards]


class FirstChosen(Event, frozen=True):
    """The seat that takes the first turn; the other one has its coins for going second."""

    seat: Public[int]


class TurnStarted(Event, frozen=True):
    """A seat's own turn number `turn` begins; `coins` is what the seat has after its income."""

    seat: Public[int]
    turn: Public[int]
    coins: Public[int]


class CardPlayed(Event, frozen=True):
    """A card was chosen; `discarded` are the cards above it from the top down, then itself."""

    seat: Public[int]
    card: Public[str]
    discarded: Public[Cards]


class PiecePlaced(Event, frozen=True):
    """A piece or a bite covers `cells`; `filled` are those of them that were empty."""

    seat: Public[int]
    card: Public[str]
    cells: Public[tuple[Space, ...]]
    filled: Public[tuple[Space, ...]]


class CoinsGained(Event, frozen=True):
    """A card brought coins."""

    seat: Public[int]
    coins: Public[int]


class AvailabilityChanged(Event, frozen=True):
    """A card is available to these seats from now on."""

    card: Public[str]
    seats: Public[tuple[int, ...]]


class CardRemoved(Event, frozen=True):
    """A card has left the game, as it is available to no seat."""

    card: Public[str]


class CardRegrown(Event, frozen=True):
    """A card of the discard was put on top of the deck."""

    seat: Public[int]
    card: Public[str]


class DeckReshuffled(Event, frozen=True):
    """The dealer shuffled the discard into the deck; `order` is the whole new deck, top card first."""

    order: Public[Cards]


class Bought(Event, frozen=True):
    """A seat paid for an upgrade, or for the card named: a new one in the discard, or one it now shares."""

    seat: Public[int]
    item: Public[str]
    price: Public[int]
    card: Public[str | None] = None


class TurnFinished(Event, frozen=True):
    """A seat has left the shop."""

    seat: Public[int]
