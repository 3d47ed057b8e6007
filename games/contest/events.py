"""The events and who may see them. They are recorded permanently."""

from typing import Annotated

from msgspec import Struct

from games.contest.content import Round, Values
from games.kernel import HOST, Event, KeptText, Public, SealedPart, known_to

Amounts = tuple[int, ...]


class Entry(Struct, frozen=True, omit_defaults=True):
    """A seat's submission; its values are None where they are secret."""

    seat: int
    values: Values | None = None


class Totals(Struct, frozen=True):
    """The number of times that each value of a field was submitted, the most frequent first, and the sum of numbers.

    Each text is listed by itself, so that it can be withdrawn.
    """

    field: str
    counts: tuple[tuple[str | KeptText, int], ...]
    total: int | None = None


class RolesDrawn(Event, frozen=True):
    """The roles have been shuffled, and are dealt to the seats in this order."""

    roles: Annotated[tuple[str, ...] | None, known_to(HOST)]


class RoleDealt(Event, frozen=True):
    """A seat has its role; `companions` are the other seats of it, if they may know each other."""

    seat: Public[int]
    role: Annotated[str | None, known_to("seat")]
    companions: Annotated[tuple[int, ...] | None, known_to("seat")]


class TeamsDrawn(Event, frozen=True):
    """The seats have been shuffled, and are put into the teams in turn."""

    order: Public[tuple[int, ...]]


class DeckShuffled(Event, frozen=True):
    """A deck has been shuffled, and is dealt to the seats from the first card on."""

    deck: Public[str]
    cards: Annotated[tuple[str, ...] | None, known_to(HOST)]


class HandDealt(Event, frozen=True):
    """A seat has been dealt its cards of a deck."""

    seat: Public[int]
    deck: Public[str]
    cards: Annotated[tuple[str, ...] | None, known_to("seat")]


class RoundOpened(Event, frozen=True):
    """A round has opened: `index` in the content, for the `repeat`-th time.

    `part` publishes a round that was secret, `order` is who submits in turn, `pairs` are who plays with whom.
    """

    index: Public[int]
    repeat: Public[int]
    part: Public[SealedPart | None] = None
    order: Public[tuple[int, ...]] = ()
    pairs: Public[tuple[tuple[int, ...], ...]] = ()


class RoundSkipped(Event, frozen=True):
    """A round isn't played, as its condition isn't met; `part` publishes a round that was secret."""

    index: Public[int]
    repeat: Public[int]
    part: Public[SealedPart | None] = None


class OrderDrawn(Event, frozen=True):
    """The players in the contest have been shuffled for the next round."""

    order: Public[tuple[int, ...]]


class Submitted(Event, frozen=True):
    """A seat has submitted its form."""

    seat: Public[int]
    values: Annotated[Values | None, known_to("seat")]


class SubmittedInTurn(Event, frozen=True):
    """A seat has submitted its form in a round played in turn, where everybody sees it; or its default counts."""

    seat: Public[int]
    values: Public[Values]
    by_default: Public[bool] = False


class Withdrawn(Event, frozen=True):
    """A seat has taken its submission back."""

    seat: Public[int]


class Defaulted(Event, frozen=True):
    """The default counts for a seat that has submitted nothing."""

    seat: Public[int]
    values: Annotated[Values | None, known_to("seat")]


class ClosedByHost(Event, frozen=True):
    """The host has closed the round before its time was over."""


class RoundClosed(Event, frozen=True):
    """A round is over; what is published of it."""

    totals: Public[tuple[Totals, ...]] = ()
    choices: Public[tuple[Values, ...]] = ()
    entries: Public[tuple[Entry, ...]] = ()


class AnswersPublished(Event, frozen=True):
    """The correct answers of the round that is over."""

    part: Public[SealedPart]


class Resolved(Event, frozen=True):
    """The host has judged the round."""

    text: Public[str | KeptText] = ""


class PointsChanged(Event, frozen=True):
    """Points were gained or lost, by seat."""

    points: Public[Amounts]


class SecretPointsChanged(Event, frozen=True):
    """A seat has gained or lost points that only `seats` may see."""

    seat: Public[int]
    seats: Public[tuple[int, ...]]
    points: Annotated[int | None, known_to("seats")]


class BalanceChanged(Event, frozen=True):
    """A balance has changed, by seat; what seats lose goes to the bank, and what they gain comes from it."""

    balance: Public[str]
    amounts: Public[Amounts]


class SecretBalanceChanged(Event, frozen=True):
    """A seat's secret balance has changed."""

    seat: Public[int]
    balance: Public[str]
    amount: Annotated[int | None, known_to("seat")]


class Transferred(Event, frozen=True):
    """A seat has given another some of a balance."""

    seat: Public[int]
    to: Public[int]
    balance: Public[str]
    amount: Public[int]


class SecretlyTransferred(Event, frozen=True):
    """A seat has given another something; the two, `seats`, know what."""

    seat: Public[int]
    to: Public[int]
    seats: Public[tuple[int, ...]]
    balance: Annotated[str | None, known_to("seats")]
    amount: Annotated[int | None, known_to("seats")]


class PlayersLeft(Event, frozen=True):
    """Players have left the contest."""

    seats: Public[tuple[int, ...]]


class RoundRevealed(Event, frozen=True):
    """The submissions of an earlier round, published at the end; `number` counts the rounds from 1."""

    number: Public[int]
    totals: Public[tuple[Totals, ...]] = ()
    choices: Public[tuple[Values, ...]] = ()
    entries: Public[tuple[Entry, ...]] = ()


class TieBroken(Event, frozen=True):
    """The players have been shuffled, to rank those who are equal by all other measures."""

    order: Public[tuple[int, ...]]


class ContestFinished(Event, frozen=True):
    """The contest is over: the points, and the places, best first."""

    points: Public[Amounts]
    ranking: Public[tuple[tuple[int, ...], ...]]


class Amended(Event, frozen=True):
    """The host has changed the rounds that haven't opened yet."""

    rounds: Public[tuple[Round, ...]]
    reason: Public[str | KeptText]
