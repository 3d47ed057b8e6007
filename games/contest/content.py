"""The content of a contest, as an organiser writes it. `checks.py` says what else must be true of it."""

from typing import Annotated, Literal

from msgspec import Meta

from games.contest.evaluations import Answers, AnyScheme, Nothing
from games.contest.fields import AnyField
from games.contest.parts import Part, Sealed
from games.contest.values import (
    LONGEST,
    MOST_SEATS,
    Amount,
    Change,
    Heading,
    Holding,
    Key,
    Label,
    Name,
    Passage,
    RoleOrNone,
    Seconds,
    ShortName,
    Title,
    Who,
)
from games.contest.words import words
from games.kernel.texts import Commitment

_Seat = Annotated[int, Meta(ge=0, le=MOST_SEATS)]


class Balance(Part, frozen=True, kw_only=True):
    """An amount of something that every seat holds; it is never below zero."""

    name: ShortName
    title: Heading = ""
    start: Annotated[Amount, words("At the start", "Every player begins with so much.")] = 0
    secret: Annotated[bool, words("Secret", "Each player sees only what they hold themselves.")] = False
    gives: Annotated[
        Literal["never", "publicly", "secretly"],
        words(
            "Players may give it away",
            choices={"never": "Never", "publicly": "Yes, and everybody sees it", "secretly": "Yes, in secret"},
        ),
    ] = "never"
    pays: Annotated[bool, words("Players can pay with it", "A number of a form can then be a price in it.")] = False
    weight: Annotated[
        int, Meta(ge=-1_000, le=1_000), words("Points for each unit", "What is left of it at the end adds them.")
    ] = 0
    garnets: Annotated[
        bool, words("It is the season's garnets", "In a season, players begin with the garnets they have there.")
    ] = False
    starts: Annotated[
        tuple[Holding, ...],
        Meta(max_length=MOST_SEATS),
        words("Garnets by seat", "A season sets them.", for_server=True),
    ] = ()


class Role(Part, frozen=True, kw_only=True):
    """A role, dealt to `count` seats in secret, or with 0 to all seats that have no other."""

    name: ShortName
    title: Heading = ""
    text: Annotated[Passage, words("Text for its players", "Only they read it.")] = ""
    count: Annotated[_Seat, words("Players with it", "0: all players who have no other role.")] = 1
    gains: Annotated[
        dict[Name, Amount], words("More at the start", "Amounts of secret balances, by their short names.")
    ] = {}
    acquainted: Annotated[bool, words("Its players know each other")] = False


class Deck(Part, frozen=True, kw_only=True):
    """A deck of cards, of which each seat is dealt `hand` in secret."""

    name: ShortName
    title: Heading = ""
    cards: Annotated[
        tuple[Label, ...],
        Meta(min_length=1, max_length=400),
        words("Cards", "A card may repeat. A number at its beginning is its worth, such as 7 of cups."),
    ]
    hand: Annotated[int, Meta(ge=1, le=20), words("Cards for each player", "They are dealt in secret.")]


AnyValue = Change | str | tuple[Key, ...] | dict[str, Change | Commitment]
"""A field's value: a number, an option or seat, several of them, or the amounts of a split by option or seat. In events
and states, a text is `{"text": commitment}`."""

Values = dict[str, AnyValue]
"""The values of a form by name of the field."""


class Default(Part, frozen=True, kw_only=True):
    """The submission of a seat whose time is over."""

    kind: Annotated[
        Literal["nothing", "fixed", "previous", "random"],
        words(
            "What counts instead",
            choices={
                "nothing": "Nothing",
                "fixed": "Fixed values",
                "previous": "What they sent last time in this round",
                "random": "Random values",
            },
        ),
    ] = "nothing"
    values: Annotated[
        Values, words("Fixed values", "By the short names of the fields, such as bid: 3.", when=("kind", "fixed"))
    ] = {}
    penalty: Annotated[int, Meta(ge=0, le=1_000_000), words("Points it costs")] = 0


class Condition(Part, frozen=True, kw_only=True):
    """A condition that a round needs: at least `least` and at most `most` players who are in the contest."""

    least: Annotated[_Seat, words("Fewest players left", "With fewer, the round isn't played.")] = 0
    most: Annotated[_Seat, words("Most players left", "With more, the round isn't played.")] = MOST_SEATS


Reveal = Annotated[
    Literal["nothing", "totals", "choices", "everything"],
    words(
        "Published of the submissions",
        choices={
            "nothing": "Nothing is published of the submissions",
            "totals": "It is published how often each value was submitted, without names",
            "choices": "All submissions are published, without names",
            "everything": "All submissions are published, with the names",
        },
    ),
]
_REVEALING = ("reveal", "totals", "choices", "everything")


class Round(Part, frozen=True, kw_only=True):
    """A round, played `repeat` times. In the log, the commitment `part` stands for a secret one until it opens, and
    `answers` is the commitment to its answers.
    """

    name: ShortName
    title: Heading = ""
    text: Annotated[Passage, words("Text", "What players read in this round.", has_markdown=True)] = ""
    repeat: Annotated[int, Meta(ge=1, le=20), words("Times it is played")] = 1
    who: Annotated[
        Who,
        words(
            "Who is asked",
            "In a round of a role all get a form, so that nobody sees who has it; that of the others is empty.",
            choices={"all": "All players", "in_turn": "All, one after the other", "role": "Role", "team": "Team"},
        ),
    ] = "all"
    order: Annotated[
        Literal["seats", "random", "points"],
        words(
            "Order of the turns",
            choices={"seats": "In the order of the seats", "random": "Drawn", "points": "Most points first"},
            when=("who", "in_turn"),
        ),
    ] = "seats"
    seconds: Annotated[Seconds, words("Time to submit", is_time=True)] = 86_400
    gifts: Annotated[
        int,
        Meta(ge=0, le=10),
        words("Gifts of each player", "How often they may give some of a balance away, if one allows it."),
    ] = 3
    fields: Annotated[
        tuple[AnyField, ...], Meta(max_length=8), words("Form", "What players fill in.", one="field")
    ] = ()
    default: Annotated[Default, words("Without a submission", "What counts for players who send nothing.")] = Default()
    scheme: Annotated[AnyScheme, words("Evaluation")] = Nothing()
    reveal: Reveal = "everything"
    later: Annotated[bool, words("Only after the end of the contest", when=_REVEALING)] = False
    sealed: Annotated[
        bool, words("Secret from hosts", "Hosts read the submissions when the round is over, not before.")
    ] = True
    needs: Annotated[Condition, words("Condition", "The round is left out otherwise.")] = Condition()
    secret: Annotated[bool, words("Secret until it opens", "Players read nothing of it before.")] = False
    part: Annotated[Sealed | None, words("Sealed round", "The service sets it.", for_server=True)] = None
    answers: Annotated[Sealed | None, words("Sealed answers", "The service sets them.", for_server=True)] = None


class Score(Part, frozen=True, kw_only=True):
    """The points, and the measures by which equal points are ranked, in order. Seats that stay equal share a place."""

    show: Annotated[
        Literal["live", "own", "end"],
        words(
            "Who sees the points",
            choices={
                "live": "Everybody sees all points",
                "own": "During the contest, players see only their own points",
                "end": "Points are secret until the end",
            },
        ),
    ] = "live"
    ties: Annotated[
        tuple[Name, ...],
        Meta(max_length=10),
        words("Equal points are ranked by", "The short name of a balance, survival (who left later) or chance."),
    ] = ()


class End(Part, frozen=True, kw_only=True):
    """Conditions that end the contest before its last round."""

    points: Annotated[Change | None, words("When a player has so many points", "Empty: points don't end it.")] = None
    survivors: Annotated[
        int, Meta(ge=1, le=MOST_SEATS), words("When only so many players are left", "Others have left or resigned.")
    ] = 1
    without: Annotated[RoleOrNone, words("When nobody of this role is left", choices={"": "It isn't ended so"})] = ""


class Content(Part, frozen=True, kw_only=True):
    """A whole contest."""

    title: Annotated[str, Meta(min_length=1, max_length=60), words("Title")]
    rules: Annotated[
        str, Meta(max_length=LONGEST), words("Rules", "What players read before they play.", has_markdown=True)
    ] = ""
    author: Annotated[Title, words("Author")] = ""
    after: Annotated[
        str,
        Meta(max_length=140),
        words("After", "The contest that this is a copy of, and its author.", for_server=True),
    ] = ""
    least_seats: Annotated[int, Meta(ge=2, le=MOST_SEATS), words("Fewest players")] = 2
    most_seats: Annotated[int, Meta(ge=2, le=MOST_SEATS), words("Most players")] = MOST_SEATS
    balances: Annotated[
        tuple[Balance, ...],
        Meta(max_length=8),
        words("Balances", "What players hold amounts of, such as crowns. None is ever below 0.", one="balance"),
    ] = ()
    roles: Annotated[
        tuple[Role, ...], Meta(max_length=12), words("Roles", "They are dealt in secret at the start.", one="role")
    ] = ()
    teams: Annotated[
        tuple[Name, ...],
        Meta(max_length=10),
        words("Teams", "Short names. Teams are drawn at the start, and are equally large, give or take one."),
    ] = ()
    decks: Annotated[
        tuple[Deck, ...], Meta(max_length=5), words("Decks", "Cards that are dealt at the start.", one="deck")
    ] = ()
    rounds: Annotated[tuple[Round, ...], Meta(min_length=1, max_length=20), words("Rounds", one="round")]
    score: Annotated[Score, words("Points and ties", "The most points win.")] = Score()
    end: Annotated[End, words("An early end", "The contest ends after its last round, or before it:")] = End()
    host_seconds: Annotated[
        int, Meta(ge=60, le=30 * 86_400), words("Time of the host to judge a round", is_time=True)
    ] = 86_400

    @property
    def has_secrets(self) -> bool:
        """True if it has secret rounds, or answers, which players learn in the contest."""
        return any(it.secret or (isinstance(it.scheme, Answers) and bool(it.scheme.answers)) for it in self.rounds)
