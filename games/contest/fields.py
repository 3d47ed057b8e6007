"""The fields of a round's form."""

from typing import Annotated

from msgspec import Meta

from games.contest.parts import Part
from games.contest.values import MOST_SEATS, BalanceOrNone, Change, DeckName, Label, Name, Title


class Field(Part, frozen=True, kw_only=True, tag_field="kind"):
    """A field of a round's form."""

    name: Name
    title: Title = ""


class Choice(Field, frozen=True, kw_only=True, tag="choice"):
    """`least` to `most` of the options."""

    options: Annotated[tuple[Label, ...], Meta(min_length=2, max_length=30)]
    least: Annotated[int, Meta(ge=0, le=30)] = 1
    most: Annotated[int, Meta(ge=1, le=30)] = 1


class Number(Field, frozen=True, kw_only=True, tag="number"):
    """A number from `least` to `most`. With `balance`, it is paid from that balance when it is submitted, and at most
    what the seat holds.
    """

    least: Change = 0
    most: Change = 100
    balance: BalanceOrNone = ""


class Player(Field, frozen=True, kw_only=True, tag="player"):
    """`least` to `most` other players who are in the contest; with `other_team` none of one's own team."""

    least: Annotated[int, Meta(ge=0, le=MOST_SEATS)] = 1
    most: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 1
    other_team: bool = False


class Split(Field, frozen=True, kw_only=True, tag="split"):
    """A `budget` split completely over the options or, without options, over the other players in the contest."""

    budget: Annotated[int, Meta(ge=1, le=10_000)]
    options: Annotated[tuple[Label, ...], Meta(max_length=30)] = ()


class Ranking(Field, frozen=True, kw_only=True, tag="ranking"):
    """All options in an order."""

    options: Annotated[tuple[Label, ...], Meta(min_length=2, max_length=30)]


class Cards(Field, frozen=True, kw_only=True, tag="cards"):
    """`least` to `most` cards of the seat's hand of a deck; cards that are submitted leave the hand."""

    deck: DeckName
    least: Annotated[int, Meta(ge=0, le=20)] = 1
    most: Annotated[int, Meta(ge=1, le=20)] = 1


class Text(Field, frozen=True, kw_only=True, tag="text"):
    """A line of text."""

    most: Annotated[int, Meta(ge=1, le=500)] = 500


AnyField = Choice | Number | Player | Split | Ranking | Cards | Text


def names_seats(field: AnyField) -> bool:
    """True if a field's values are seats."""
    return isinstance(field, Player) or (isinstance(field, Split) and not field.options)
