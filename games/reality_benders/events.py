"""The events and who may see them. They are recorded permanently."""

from typing import Annotated

from msgspec import field

from games.kernel import Event, Public, known_to
from games.reality_benders.pieces import Casting, ItemUse

Rules = tuple[str, ...]
Spells = tuple[str, ...]


class BendingSubmitted(Event, frozen=True):
    """A seat has locked in its rules; `rules` is None if they are secret."""

    seat: Public[int]
    rules: Annotated[Rules | None, known_to("seat")]
    bridge: Annotated[str | None, known_to("seat")]
    break_: Annotated[str | None, known_to("seat")] = field(name="break")


class RulesBent(Event, frozen=True):
    """Both submissions are open and the rules have changed; `added` and `removed` are the net difference."""

    added: Public[Rules]
    removed: Public[Rules]
    items: Public[tuple[ItemUse, ...]]


class SpellSubmitted(Event, frozen=True):
    """A seat has locked in its spell; `spell` is None if it is secret."""

    seat: Public[int]
    spell: Annotated[str | None, known_to("seat")]
    targets: Annotated[Spells | None, known_to("seat")]
    bonus: Annotated[bool | None, known_to("seat")]


class SpellsRevealed(Event, frozen=True):
    """Both spells are open, in seat order."""

    casts: Public[tuple[Casting, ...]]


class AbilityResolved(Event, frozen=True):
    """A spell's ability has taken effect for the seats that cast it; `added` and `removed` are net."""

    spell: Public[str]
    seats: Public[tuple[int, ...]]
    added: Public[Rules]
    removed: Public[Rules]


class DuelResolved(Event, frozen=True):
    """A duel's result.

    `distances` are from seat 0's spell to seat 1's and back, None if there is no path; `winner` is None for a tie;
    `points` gained, `trashed` and `returned` spells are by seat.
    """

    casts: Public[tuple[Casting, ...]]
    distances: Public[tuple[int | None, ...]]
    winner: Public[int | None]
    points: Public[tuple[int, ...]]
    trashed: Public[tuple[Spells, ...]]
    returned: Public[tuple[Spells, ...]]


class SpellsOffered(Event, frozen=True):
    """A seat has locked in three spells for the other one's Imagination; `spells` is None if they are secret."""

    seat: Public[int]
    to: Public[int]
    spells: Annotated[Spells | None, known_to("seat")]


class OffersRevealed(Event, frozen=True):
    """The offers are open, by the seat that picks from them; None for a seat that doesn't pick."""

    offers: Public[tuple[Spells | None, ...]]


class SpellPicked(Event, frozen=True):
    """A seat has taken a spell into its hand."""

    seat: Public[int]
    spell: Public[str]


class BoutFinished(Event, frozen=True):
    """A bout is over; `winner` is None when the points are equal."""

    bout: Public[int]
    points: Public[tuple[int, ...]]
    winner: Public[int | None]


class BoutStarted(Event, frozen=True):
    """Bout 2 or a later one begins with full hands, no points, and the current rules."""

    bout: Public[int]
