"""The rules by which a main match's result follows from its tables, and what the tables report for them. Pure."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from matches.domain.declared import Ask
from matches.seasons.domain.options import MOST_GARNETS

MOST_PLAYERS = 100

_Count = Annotated[int, Meta(ge=1, le=MOST_PLAYERS)]


class ResultRules(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Rules for the winners, losers and garnets of a main match; they are set with its tables.

    Winners are the first `best` places, all with at least so many `points`, or the players of the `team` with the most
    points on average. Losers are the last `worst` places, or all who `left` the match before its end, and the last
    places if nobody did; never winners. Players who share a place win or lose together. Places are those at each table
    or, `across` all tables, by points.

    Garnets: those of `by_place` for the first places, and one for each `points_per_garnet` points, 0 for none.
    """

    winners: Literal["best", "points", "team"] = "best"
    best: _Count = 1
    points: Annotated[int, Meta(ge=-1_000_000_000, le=1_000_000_000)] = 0
    losers: Literal["worst", "left"] = "worst"
    worst: _Count = 1
    across: bool = False
    by_place: Annotated[tuple[Annotated[int, Meta(ge=0, le=MOST_GARNETS)], ...], Meta(max_length=MOST_PLAYERS)] = ()
    points_per_garnet: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0


ASKS: Final[Mapping[str, Ask]] = {
    "winners": Ask("Winners", words={
        "": "As usual: of a contest the first place; else an organiser records the result",
        "best": "The first places", "points": "Everybody with enough points", "team": "The best team",
    }),
    "best": Ask("Places that win"),
    "points": Ask("Points that win"),
    "losers": Ask("Losers", words={
        "worst": "The last places", "left": "Whoever drops out; if nobody does, the last places",
    }),
    "worst": Ask("Last places that lose"),
    "across": Ask("Places over all tables", "By points. Otherwise each table has its own places."),
    "by_place": Ask("Garnets by place", "For the first place, the second and so on, such as “3 2 1”."),
    "points_per_garnet": Ask("Points for one garnet", "1: points become garnets. 0: none."),
}  # fmt: skip
"""Labels, words and hints of the rules in forms."""


class Score(Struct, frozen=True, omit_defaults=True):
    """Result of a seat: its points if they were counted, the number of its team, whether it `left` before the end by
    the match's rules or `resigned`, and the garnets of the season that it gained or lost."""

    points: int | None = None
    team: int | None = None
    out: Literal["left", "resigned"] | None = None
    garnets: int | None = None
