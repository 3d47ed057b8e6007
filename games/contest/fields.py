"""The fields of a round's form."""

from typing import Annotated, ClassVar

from msgspec import Meta

from games.contest.parts import Part
from games.contest.values import MOST_SEATS, BalanceOrNone, Change, DeckName, Heading, Label, ShortName
from games.contest.words import words


class Field(Part, frozen=True, kw_only=True, tag_field="kind"):
    """A field of a round's form."""

    name: ShortName
    title: Heading = ""


class Choice(Field, frozen=True, kw_only=True, tag="choice"):
    """Players choose one or several of the options."""

    label: ClassVar = "Choice among options"

    options: Annotated[tuple[Label, ...], Meta(min_length=2, max_length=30), words("Options")]
    least: Annotated[int, Meta(ge=0, le=30), words("Fewest options to choose")] = 1
    most: Annotated[int, Meta(ge=1, le=30), words("Most options to choose")] = 1


class Number(Field, frozen=True, kw_only=True, tag="number"):
    """Players write a number, which can be a price."""

    label: ClassVar = "Number"

    least: Annotated[Change, words("Least number")] = 0
    most: Annotated[Change, words("Greatest number")] = 100
    balance: Annotated[
        BalanceOrNone,
        words("Paid from", "The balance that pays it; nobody can write more than they hold.", choices={"": "Nothing"}),
    ] = ""


class Player(Field, frozen=True, kw_only=True, tag="player"):
    """Players name others who are in the contest."""

    label: ClassVar = "Other players"

    least: Annotated[int, Meta(ge=0, le=MOST_SEATS), words("Fewest players to name")] = 1
    most: Annotated[int, Meta(ge=1, le=MOST_SEATS), words("Most players to name")] = 1
    other_team: Annotated[bool, words("Nobody of their own team")] = False


class Split(Field, frozen=True, kw_only=True, tag="split"):
    """Players split an amount completely over the options, or over the other players in the contest."""

    label: ClassVar = "Split of an amount"

    budget: Annotated[int, Meta(ge=1, le=10_000), words("Amount to split")]
    options: Annotated[
        tuple[Label, ...], Meta(max_length=30), words("Options", "Empty: they split it over the other players.")
    ] = ()


class Ranking(Field, frozen=True, kw_only=True, tag="ranking"):
    """Players put all options in an order."""

    label: ClassVar = "Ranking of options"

    options: Annotated[tuple[Label, ...], Meta(min_length=2, max_length=30), words("Options")]


class Cards(Field, frozen=True, kw_only=True, tag="cards"):
    """Players play cards of their hand, which then leave it."""

    label: ClassVar = "Cards of the hand"

    deck: Annotated[DeckName, words("Deck")]
    least: Annotated[int, Meta(ge=0, le=20), words("Fewest cards to play")] = 1
    most: Annotated[int, Meta(ge=1, le=20), words("Most cards to play")] = 1


class Text(Field, frozen=True, kw_only=True, tag="text"):
    """Players write a line."""

    label: ClassVar = "Text"

    most: Annotated[int, Meta(ge=1, le=500), words("Most characters")] = 500


AnyField = Choice | Number | Player | Split | Ranking | Cards | Text


def names_seats(field: AnyField) -> bool:
    """True if a field's values are seats."""
    return isinstance(field, Player) or (isinstance(field, Split) and not field.options)
