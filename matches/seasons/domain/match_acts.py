"""The acts on the matches of a season and its final, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

from games.kernel import Event
from matches.seasons.domain import scheduling
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import Dialog, Rest, SeasonAct
from matches.seasons.domain.state import Season


class OpenFinal(SeasonAct, frozen=True):
    """Open the final of the last two: for the season's organisers."""

    name = "final"
    rest = Rest("openFinal", "final", None, ("final_open", "episode_open", "not_two_left"))
    dialog = Dialog("Open the final", "trophy")

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return scheduling.open_final(season, by)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        yield cls()
