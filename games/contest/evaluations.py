"""The evaluations of a round, as an organiser chooses them. `schemes.py` computes them."""

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from games.contest.parts import Part, Sealed
from games.contest.values import MOST_SEATS, BalanceOrNone, Change, FieldName, FieldOrNone, Key, Label, RoleOrNone
from games.contest.words import words

_Prizes = Annotated[
    tuple[Change, ...],
    Meta(min_length=1, max_length=MOST_SEATS),
    words("Prizes", "What each winner gains, the first winner first."),
]
Out = Annotated[
    Literal["nobody", "winners", "others"],
    words(
        "Who leaves the contest",
        choices={"nobody": "Nobody", "winners": "The winners", "others": "All others"},
    ),
]
Tie = Literal["all", "none"]
_TIES = {"all": "All of them win", "none": "None of them wins"}


class Scheme(Part, frozen=True, kw_only=True, tag_field="kind"):
    """The evaluation of a round. Gains are of points or, with `balance`, of that balance."""

    points: Annotated[Change, words("Winners gain", "Below 0: they lose it.")] = 1
    others: Annotated[Change, words("All others gain", "Below 0: they lose it.")] = 0
    balance: Annotated[BalanceOrNone, words("Gains are", choices={"": "Points"})] = ""
    out: Out = "nobody"


class Nothing(Scheme, frozen=True, kw_only=True, tag="none"):
    """The round isn't evaluated."""

    label: ClassVar = "No evaluation"
    unused: ClassVar = frozenset({"points", "others", "balance", "out"})


class Votes(Scheme, frozen=True, kw_only=True):
    """An evaluation of a choice by the number of votes for each option."""

    field: FieldName
    tie: Annotated[Tie, words("If several options are tied", choices=_TIES)] = "none"


class Majority(Votes, frozen=True, kw_only=True, tag="majority"):
    """The option with more than half of the votes wins."""

    label: ClassVar = "Option with more than half of the votes"


class Plurality(Votes, frozen=True, kw_only=True, tag="plurality"):
    """The option with the most votes wins."""

    label: ClassVar = "Option with the most votes"


class Minority(Votes, frozen=True, kw_only=True, tag="minority"):
    """The option with the fewest votes wins, of those with any; none if all votes are for one option."""

    label: ClassVar = "Option with the fewest votes"


class UniqueHighest(Scheme, frozen=True, kw_only=True, tag="unique_highest"):
    """The highest number, or card, that only one player names wins."""

    label: ClassVar = "Highest number that nobody else names"

    field: FieldName


class UniqueLowest(Scheme, frozen=True, kw_only=True, tag="unique_lowest"):
    """The lowest number, or card, that only one player names wins."""

    label: ClassVar = "Lowest number that nobody else names"

    field: FieldName


class Closest(Scheme, frozen=True, kw_only=True, tag="closest"):
    """The numbers closest to the target, or to a share of the mean of all numbers, win."""

    label: ClassVar = "Number closest to a target or to the mean"

    field: FieldName
    target: Annotated[Change | None, words("Target", "Empty: a share of the mean of all numbers.")] = None
    percent: Annotated[
        int, Meta(ge=1, le=1_000), words("Share of the mean, in percent", "67 for two thirds.", when=("target", ""))
    ] = 100


class Auction(Scheme, frozen=True, kw_only=True):
    """Bids for `prizes`, the greatest first; equal bids in the order of their submission. A bid of 0 wins nothing."""

    unused: ClassVar = frozenset({"points", "others"})

    field: FieldName
    prizes: _Prizes


class FirstPrice(Auction, frozen=True, kw_only=True, tag="first_price"):
    """The greatest bids win. Each winner pays their own bid; the others get theirs back."""

    label: ClassVar = "Auction: winners pay their bid"


class SecondPrice(Auction, frozen=True, kw_only=True, tag="second_price"):
    """The greatest bids win. Each winner pays the greatest bid that wins nothing; the others get theirs back."""

    label: ClassVar = "Auction: winners pay the next bid"


class AllPay(Auction, frozen=True, kw_only=True, tag="all_pay"):
    """The greatest bids win. Everybody pays their bid."""

    label: ClassVar = "Auction: everybody pays"


class Payoff(Part, frozen=True, kw_only=True):
    """The points that a seat which chooses `own` gains from one that chooses `other`."""

    own: Annotated[Label, words("Own choice")]
    other: Annotated[Label, words("Choice of the other")]
    points: Annotated[Change, words("Gain")]


class Matrix(Scheme, frozen=True, kw_only=True, tag="matrix"):
    """Two players gain by both of their choices."""

    label: ClassVar = "Pairs: what both choices pay"
    unused: ClassVar = frozenset({"points", "others"})

    field: FieldName
    payoffs: Annotated[
        tuple[Payoff, ...],
        Meta(min_length=1, max_length=100),
        words("Payoffs", "What an own choice gains against that of the other.", one="payoff"),
    ]
    pairing: Annotated[
        Literal["all", "drawn", "round_robin", "mutual"],
        words(
            "Who plays with whom",
            choices={
                "all": "Everybody plays with everybody",
                "drawn": "Partners are drawn",
                "round_robin": "Partners change from round to round, in a fixed order",
                "mutual": "Two players who name each other play with each other",
            },
        ),
    ] = "all"
    partner: Annotated[
        FieldOrNone,
        words(
            "Field that names the partner", "A field of this round that names one player.", when=("pairing", "mutual")
        ),
    ] = ""
    alone: Annotated[Change, words("Without a partner, players gain")] = 0


class PublicGood(Scheme, frozen=True, kw_only=True, tag="public_good"):
    """All payments make a pot, which grows and is shared equally among all who were asked."""

    label: ClassVar = "Common pot that grows and is shared"
    unused: ClassVar = frozenset({"points", "others", "balance", "out"})

    field: FieldName
    percent: Annotated[int, Meta(ge=0, le=1_000), words("The pot becomes, in percent", "200 doubles it.")] = 200


class Named(Scheme, frozen=True, kw_only=True):
    """An evaluation of the players that the seats name, or split an amount over."""

    field: FieldName
    tie: Annotated[Tie, words("If several players are tied", choices=_TIES)] = "all"
    role: Annotated[
        RoleOrNone,
        words("Role to find", "Who names a player of it, and isn't of it, gains more.", choices={"": "None"}),
    ] = ""
    hits: Annotated[Change, words("Who finds the role gains", when=("role",))] = 0


class NamedMost(Named, frozen=True, kw_only=True, tag="named_most"):
    """The players named most often win."""

    label: ClassVar = "Player named most often"


class NamedLeast(Named, frozen=True, kw_only=True, tag="named_least"):
    """The players named least often win, those never named included."""

    label: ClassVar = "Player named least often"


class Answers(Scheme, frozen=True, kw_only=True):
    """An evaluation by correct answers; in the log, they are a commitment until the round is over."""

    field: FieldName
    answers: Annotated[
        tuple[Key, ...],
        Meta(max_length=30),
        words("Correct answers", "Nobody reads them before the round is over. Case and spaces don't matter."),
    ] = ()
    part: Annotated[Sealed | None, words("Sealed answers", "The service sets them.", for_server=True)] = None


class Answer(Answers, frozen=True, kw_only=True, tag="answer"):
    """Every correct answer wins."""

    label: ClassVar = "Correct answers"


class Race(Answers, frozen=True, kw_only=True, tag="race"):
    """The first correct answers win the prizes, in the order of submission."""

    label: ClassVar = "Race for the first correct answers"
    unused: ClassVar = frozenset({"points", "others"})

    prizes: _Prizes


class Sum(Scheme, frozen=True, kw_only=True, tag="sum"):
    """Each player gains for each unit of their number, or of the numbers with which their cards begin."""

    label: ClassVar = "Sum of numbers or cards"
    unused: ClassVar = frozenset({"others"})

    field: FieldName
    points: Annotated[Change, words("Gain for each unit")] = 1


class Host(Scheme, frozen=True, kw_only=True, tag="host"):
    """The host reads the submissions and gives each player points."""

    label: ClassVar = "The host judges"
    unused: ClassVar = frozenset({"points", "balance", "out"})

    others: Annotated[Change, words("Everybody gains if the host is late")] = 0
    least: Annotated[Change, words("Fewest points the host gives")] = 0
    most: Annotated[Change, words("Most points the host gives")] = 10


AnyScheme = (
    Nothing | Majority | Plurality | Minority | UniqueHighest | UniqueLowest | Closest | FirstPrice | SecondPrice
    | AllPay | Matrix | PublicGood | NamedMost | NamedLeast | Answer | Race | Sum | Host
)  # fmt: skip
