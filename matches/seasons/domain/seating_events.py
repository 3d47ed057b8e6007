"""Events of the seating of main matches: one class for each fact. They are stored for ever."""

from typing import Any

from games.kernel import DefaultedEvent, Event, Public
from matches.domain.clocks import SETUP_CLOSES_BEFORE, ClockTimes
from matches.seasons.domain.contests import PlayedContest
from matches.seasons.domain.result_rules import ResultRules


class SeatingAsked(DefaultedEvent, frozen=True):
    """A request to draw tables of a main match: `players` are spread over tables of these `sizes`, at which `seated`
    sit already. `matches` are the ids that the tables will have; the rest is as in `main_match_scheduled`."""

    matches: Public[tuple[str, ...]]
    game: Public[str]
    players: Public[tuple[str, ...]]
    seated: Public[tuple[tuple[str, ...], ...]]
    sizes: Public[tuple[int, ...]]
    options: Public[dict[str, Any]]
    clocks: Public[dict[str, ClockTimes] | None]
    opens_at: Public[str | None]
    setup_closes: Public[int] = SETUP_CLOSES_BEFORE
    contest: Public[PlayedContest | None] = None
    results: Public[ResultRules | None] = None


class SeatingDrawn(Event, frozen=True):
    """The season's draw of this number, from 1: the hash of `link` is the previous link, and the seating can be
    computed from it.

    The players are shuffled with the purpose `season seating` at version `number` of `croupier-chance-v1`, whose seed
    is the link, and fill the tables up in that order, after those who are `seated`.
    """

    number: Public[int]
    link: Public[str]
    players: Public[tuple[str, ...]]
    seated: Public[tuple[tuple[str, ...], ...]]
    sizes: Public[tuple[int, ...]]
    seating: Public[tuple[tuple[str, ...], ...]]


SEATING_EVENTS: tuple[type[Event], ...] = (SeatingAsked, SeatingDrawn)
