"""The content of a contest, as an organiser writes it. `checks.py` says what else must be true of it."""

from typing import Annotated, Literal

from msgspec import Meta

from games.contest.fields import AnyField
from games.contest.parts import Part, Sealed
from games.contest.values import (
    LONGEST,
    MOST_SEATS,
    Amount,
    BalanceOrNone,
    Change,
    FieldName,
    FieldOrNone,
    Holding,
    Label,
    Name,
    Passage,
    RoleOrNone,
    Title,
    Who,
)
from games.kernel.texts import Commitment


class Balance(Part, frozen=True, kw_only=True):
    """An amount of something that every seat holds; it is never below zero.

    `secret` balances are known to their seat. `gives` says whether and how seats may give some of it away. Number
    fields may be paid from a balance that `pays`. At the end, each unit adds `weight` points. One balance may be the
    season's `garnets`; in a season, its amounts by seat at the start are `starts`.
    """

    name: Name
    title: Title = ""
    start: Amount = 0
    secret: bool = False
    gives: Literal["never", "publicly", "secretly"] = "never"
    pays: bool = False
    weight: Annotated[int, Meta(ge=-1_000, le=1_000)] = 0
    garnets: bool = False
    starts: Annotated[tuple[Holding, ...], Meta(max_length=MOST_SEATS)] = ()


class Role(Part, frozen=True, kw_only=True):
    """A role, dealt to `count` seats in secret, or with 0 to all seats that have no other; `gains` are added to the
    seat's balances. Seats of one role know each other if `acquainted`.
    """

    name: Name
    title: Title = ""
    text: Passage = ""
    count: Annotated[int, Meta(ge=0, le=MOST_SEATS)] = 1
    gains: dict[Name, Amount] = {}
    acquainted: bool = False


class Deck(Part, frozen=True, kw_only=True):
    """A deck of cards, which may repeat, of which each seat is dealt `hand` in secret."""

    name: Name
    title: Title = ""
    cards: Annotated[tuple[Label, ...], Meta(min_length=1, max_length=400)]
    hand: Annotated[int, Meta(ge=1, le=20)]


Out = Literal["nobody", "winners", "others"]
Tie = Literal["all", "none"]


class Scheme(Part, frozen=True, kw_only=True, tag_field="kind"):
    """The evaluation of a round.

    Winners gain `points` and the others who submitted gain `others`: of points or, with `balance`, of that balance.
    `out` says who leaves the contest.
    """

    points: Change = 1
    others: Change = 0
    balance: BalanceOrNone = ""
    out: Out = "nobody"


class Nothing(Scheme, frozen=True, kw_only=True, tag="none"):
    """No evaluation."""

    unused = frozenset({"points", "others", "balance", "out"})


class Votes(Scheme, frozen=True, kw_only=True):
    """An evaluation of a choice by the number of votes for each option. With `tie` of `all`, all tied options win."""

    field: FieldName
    tie: Tie = "none"


class Majority(Votes, frozen=True, kw_only=True, tag="majority"):
    """The option with more than half of the votes wins."""


class Plurality(Votes, frozen=True, kw_only=True, tag="plurality"):
    """The option with the most votes wins."""


class Minority(Votes, frozen=True, kw_only=True, tag="minority"):
    """The option with the fewest votes wins, of those with any; none if all votes are for one option."""


class UniqueHighest(Scheme, frozen=True, kw_only=True, tag="unique_highest"):
    """The highest number, or card, that only one seat names wins."""

    field: FieldName


class UniqueLowest(Scheme, frozen=True, kw_only=True, tag="unique_lowest"):
    """The lowest number, or card, that only one seat names wins."""

    field: FieldName


class Closest(Scheme, frozen=True, kw_only=True, tag="closest"):
    """The numbers closest to `target`, or without one to `percent` of the mean of all numbers, win."""

    field: FieldName
    target: Change | None = None
    percent: Annotated[int, Meta(ge=1, le=1_000)] = 100


class Auction(Scheme, frozen=True, kw_only=True):
    """Bids for `prizes`, the points of each, the greatest bid first; equal bids in the order of their submission.

    A bid is a number paid from a balance. A bid of 0 wins nothing. `points` and `others` have no meaning here.
    """

    unused = frozenset({"points", "others"})

    field: FieldName
    prizes: Annotated[tuple[Change, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class FirstPrice(Auction, frozen=True, kw_only=True, tag="first_price"):
    """Each winner pays its own bid; the others get theirs back."""


class SecondPrice(Auction, frozen=True, kw_only=True, tag="second_price"):
    """Each winner pays the greatest bid that wins nothing, 0 without one; the others get theirs back."""


class AllPay(Auction, frozen=True, kw_only=True, tag="all_pay"):
    """Everybody pays the bid."""


class Payoff(Part, frozen=True, kw_only=True):
    """The points that a seat which chooses `own` gains from one that chooses `other`."""

    own: Label
    other: Label
    points: Change


class Matrix(Scheme, frozen=True, kw_only=True, tag="matrix"):
    """Payoffs by pair of choices; a seat without a partner gains `alone`.

    Pairs are everybody with everybody (`all`), `drawn`, a `round_robin` over the repetitions, or `mutual`: those who
    name each other in the field `partner`.
    """

    unused = frozenset({"points", "others"})

    field: FieldName
    payoffs: Annotated[tuple[Payoff, ...], Meta(min_length=1, max_length=100)]
    pairing: Literal["all", "drawn", "round_robin", "mutual"] = "all"
    partner: FieldOrNone = ""
    alone: Change = 0


class PublicGood(Scheme, frozen=True, kw_only=True, tag="public_good"):
    """The numbers, paid from a balance, make a pot; `percent` of it is shared equally among all who were asked.

    What can't be shared equally stays with the bank. `points` and `others` have no meaning here.
    """

    unused = frozenset({"points", "others", "balance", "out"})

    field: FieldName
    percent: Annotated[int, Meta(ge=0, le=1_000)] = 200


class Named(Scheme, frozen=True, kw_only=True):
    """An evaluation of the players that the seats name, or split an amount over: those that win are among all who are
    in the contest. With `role`, every seat of another role that names a player of it gains `hits`.
    """

    field: FieldName
    tie: Tie = "all"
    role: RoleOrNone = ""
    hits: Change = 0


class NamedMost(Named, frozen=True, kw_only=True, tag="named_most"):
    """The players named most often win."""


class NamedLeast(Named, frozen=True, kw_only=True, tag="named_least"):
    """The players named least often win, those never named included."""


Key = str | Change


class Answers(Scheme, frozen=True, kw_only=True):
    """An evaluation by correct answers; in the log, they are a commitment until the round is over."""

    field: FieldName
    answers: Annotated[tuple[Key, ...], Meta(max_length=30)] = ()
    part: Sealed | None = None


class Answer(Answers, frozen=True, kw_only=True, tag="answer"):
    """Every correct answer wins."""


class Race(Answers, frozen=True, kw_only=True, tag="race"):
    """The first correct answers win `prizes`, in the order of submission; `points` has no meaning here."""

    unused = frozenset({"points", "others"})

    prizes: Annotated[tuple[Change, ...], Meta(min_length=1, max_length=MOST_SEATS)]


class Sum(Scheme, frozen=True, kw_only=True, tag="sum"):
    """Each seat gains `points` for each unit of its number, or of the numbers with which its cards begin."""

    unused = frozenset({"others"})

    field: FieldName


class Host(Scheme, frozen=True, kw_only=True, tag="host"):
    """The host gives `least` to `most` points to each seat; after the host's time, everybody gains `others`."""

    unused = frozenset({"points", "balance", "out"})

    least: Change = 0
    most: Change = 10


AnyScheme = (
    Nothing | Majority | Plurality | Minority | UniqueHighest | UniqueLowest | Closest | FirstPrice | SecondPrice
    | AllPay | Matrix | PublicGood | NamedMost | NamedLeast | Answer | Race | Sum | Host
)  # fmt: skip

AnyValue = Change | str | tuple[Key, ...] | dict[str, Change | Commitment]
"""A field's value: a number, an option or seat, several of them, or the amounts of a split by option or seat. In events
and states, a text is `{"text": commitment}`."""

Values = dict[str, AnyValue]
"""The values of a form by name of the field."""


class Default(Part, frozen=True, kw_only=True):
    """The submission of a seat whose time is over: no values, the fixed `values`, its previous ones, or random ones.

    `penalty` points are taken off.
    """

    kind: Literal["nothing", "fixed", "previous", "random"] = "nothing"
    values: Values = {}
    penalty: Annotated[int, Meta(ge=0, le=1_000_000)] = 0


class Condition(Part, frozen=True, kw_only=True):
    """A condition that a round needs: at least `least` and at most `most` players who are in the contest."""

    least: Annotated[int, Meta(ge=0, le=MOST_SEATS)] = 0
    most: Annotated[int, Meta(ge=0, le=MOST_SEATS)] = MOST_SEATS


Reveal = Literal["nothing", "totals", "choices", "everything"]


class Round(Part, frozen=True, kw_only=True):
    """A round, played `repeat` times.

    - `who`: all players, those of a role (everybody is asked, so that nobody sees who has it), those of a team, or all
      in turn.
    - `order`: those in turn submit in the order of seats, a random one, or by points, most first.
    - `reveal`: nothing, the totals of each value, all choices without names, or everything; `later` postpones it to the
      end of the contest.
    - `sealed`: hosts see the choices when the round is over, not before.
    - `secret`: the round is published when it opens. In the log, the commitment `part` stands for it until then, and
      `answers` is the commitment to its answers.
    - `seconds` is the time to submit; `gifts` is how often a seat may give something away in it.
    """

    name: Name
    title: Title = ""
    text: Passage = ""
    repeat: Annotated[int, Meta(ge=1, le=20)] = 1
    who: Who = "all"
    order: Literal["seats", "random", "points"] = "seats"
    seconds: Annotated[int, Meta(ge=10, le=30 * 86_400)] = 86_400
    gifts: Annotated[int, Meta(ge=0, le=10)] = 3
    fields: Annotated[tuple[AnyField, ...], Meta(max_length=8)] = ()
    default: Default = Default()
    scheme: AnyScheme = Nothing()
    reveal: Reveal = "everything"
    later: bool = False
    sealed: bool = True
    needs: Condition = Condition()
    secret: bool = False
    part: Sealed | None = None
    answers: Sealed | None = None


class Score(Part, frozen=True, kw_only=True):
    """The points: shown `live`, to each seat alone (`own`), or only at the `end`.

    `ties` are the measures by which equal points are ranked, in order: a balance, `survival` (who left later), or
    `chance`. Seats that stay equal share a place.
    """

    show: Literal["live", "own", "end"] = "live"
    ties: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()


class End(Part, frozen=True, kw_only=True):
    """Conditions that end the contest before its last round: `points` of one seat, only `survivors` in the contest, or
    nobody of the role `without`.
    """

    points: Change | None = None
    survivors: Annotated[int, Meta(ge=1, le=MOST_SEATS)] = 1
    without: RoleOrNone = ""


class Content(Part, frozen=True, kw_only=True):
    """A whole contest. `teams` are drawn at the start, of equal sizes, give or take one."""

    title: Annotated[str, Meta(min_length=1, max_length=60)]
    rules: Annotated[str, Meta(max_length=LONGEST)] = ""
    author: Title = ""
    least_seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] = 2
    most_seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] = MOST_SEATS
    balances: Annotated[tuple[Balance, ...], Meta(max_length=8)] = ()
    roles: Annotated[tuple[Role, ...], Meta(max_length=12)] = ()
    teams: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    decks: Annotated[tuple[Deck, ...], Meta(max_length=5)] = ()
    rounds: Annotated[tuple[Round, ...], Meta(min_length=1, max_length=20)]
    score: Score = Score()
    end: End = End()
    host_seconds: Annotated[int, Meta(ge=60, le=30 * 86_400)] = 86_400

    @property
    def has_secrets(self) -> bool:
        """True if it has secret rounds, or answers, which players learn in the contest."""
        return any(it.secret or (isinstance(it.scheme, Answers) and bool(it.scheme.answers)) for it in self.rounds)
