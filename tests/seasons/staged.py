"""Seasons on paper: each act of an account is decided and folded, with nothing stored."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import reduce
from typing import Any, Self

from games.kernel import Event, Illegal
from matches.seasons.domain import chance, episodes, occasions, results, roster, scheduling, tables
from matches.seasons.domain.announcing import announced
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.events import SeasonOpened, SeatingAsked
from matches.seasons.domain.evolution import evolve, opening
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.state import Season

ORGANISER = Caller("ona", "organiser")
HOST = Caller("hal", "host")
ROOT = bytes(range(32))
"""Root of the randomness of a season on paper."""
_PROMISED = chance.commitment(ROOT)


def match_settings(match: str, game: str = "pyramid_poker", **more: Any) -> scheduling.MatchSettings:
    """Return the settings of a match to schedule."""
    return scheduling.MatchSettings(match=match, game=game, options={}, **more)


class Paper:
    """A season and all its events."""

    def __init__(self, *players: str, **options: Any) -> None:
        opened = roster.open_season(ORGANISER, "A season", SeasonOptions(**options), chance=_PROMISED)
        self.log: list[Event] = [opened]
        self.season = opening(opened)
        self.act(roster.appoint, HOST.account, "host")
        for player in players:
            self.act(roster.enrol, player)

    def by(self, account: str) -> Caller:
        """The account with its role."""
        return Caller(account, self.season.staff.get(account))

    def act(self, decide: Callable[..., Sequence[Event]], *details: Any, by: str = ORGANISER.account) -> list[Event]:
        """Do what this account asks, with the draw that it asks for; gives the events."""
        events = self.happen(decide(self.season, self.by(by), *details))
        if events and isinstance(events[-1], SeatingAsked):
            link = chance.link(ROOT, self.season.timing.draws + 1)
            events += self.happen(tables.draw(self.season, self.by(by), events[-1], link))
        return events

    def happen(self, events: Sequence[Event]) -> list[Event]:
        """These events follow."""
        for event in events:
            self.season = evolve(self.season, event)
            self.log.append(event)
        return list(events)

    def refusal(self, decide: Callable[..., Sequence[Event]], *details: Any, by: str = ORGANISER.account) -> str:
        """The code that the act is refused with; nothing has changed."""
        try:
            decide(self.season, self.by(by), *details)
        except Illegal as illegal:
            assert illegal.message.endswith(".")
            return illegal.code
        raise AssertionError("It was accepted.")

    def main_match(self, winner: str, loser: str, giving_to: str | None = None) -> Self:
        """An episode up to its EC."""
        self.act(episodes.open_episode, "An episode")
        self.act(episodes.record_main_match, "A main match", [winner], [loser])
        if giving_to:
            self.act(episodes.give_token, giving_to, by=winner)
        return self

    def death_match(self, opponent: str, match: str, game: str = "pyramid_poker") -> Self:
        """The EC chooses, and the death match is set."""
        assert self.season.episode is not None
        self.act(episodes.name_opponent, opponent, by=str(self.season.episode.candidate))
        self.act(scheduling.schedule_death_match, match_settings(match, game))
        return self

    def ends(self, match: str, winner: int) -> list[Event]:
        """The house tells that this seat has won; gives the events."""
        return self.happen(results.report(self.season, match, (winner,), ((winner,), (1 - winner,))))

    def final_of(self, *games: str) -> Self:
        """The final with these games, each won by seat 0 and approved."""
        self.act(scheduling.open_final)
        for number, game in enumerate(games, start=1):
            self.act(scheduling.schedule_final_match, match_settings(f"final {number}", game))
            self.ends(f"final {number}", 0)
            self.act(results.approve, f"final {number}")
        return self

    def goes_on(self, until: datetime) -> list[Event]:
        """Record what time brings until then, and return the events."""
        events: list[Event] = []
        while occasion := occasions.due(self.season, until):
            link = chance.link(ROOT, self.season.timing.draws + 1)
            brought = occasions.happening(self.season, occasion, link, False)
            events += self.happen([*brought, *announced(self.season, brought, until)])
        return events

    def rebuilt(self, version: int) -> Season:
        """The season at a version, folded from its log alone."""
        opened, *rest = self.log[:version]
        assert isinstance(opened, SeasonOpened)
        return reduce(evolve, rest, opening(opened))


def kinds(events: Sequence[Event]) -> list[str]:
    """The names of the events' classes."""
    return [type(event).__name__ for event in events]
