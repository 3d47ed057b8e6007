"""An act on a season, declared once (matches/domain/declared.py): its kinds of values, and its decision. Pure.

`offer` derives from it what may be chosen.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self

from msgspec import Meta

from games.kernel import Event
from matches.domain.declared import Act, Ask, Body
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.state import Season

PlayerId = Annotated[str, Meta(extra={"kind": "player"})]
PlayerIds = Annotated[tuple[str, ...], Meta(extra={"kind": "players"})]
NewcomerId = Annotated[str, Meta(extra={"kind": "newcomer"})]
"""An account that isn't in the season yet."""
AccountId = Annotated[str, Meta(extra={"kind": "account"})]
MatchId = Annotated[str, Meta(extra={"kind": "match"})]
GameSlug = Annotated[str, Meta(extra={"kind": "game"})]
Title = Annotated[str, Meta(extra={"kind": "title"})]
Amount = Annotated[int, Meta(extra={"kind": "amount"})]
"""Garnets to begin with."""
Garnets = Annotated[int, Meta(extra={"kind": "garnets"})]
"""At least one garnet."""
Rewards = Annotated[dict[str, int], Meta(extra={"kind": "rewards"})]
"""Garnets by player."""
Changes = Annotated[dict[str, int], Meta(extra={"kind": "changes"})]
"""Garnets gained by player, negative for those lost."""
Moment = Annotated[str, Meta(extra={"kind": "moment"})]
"""An instant as the record writes it."""
Moments = Annotated[tuple[str, ...], Meta(extra={"kind": "moments"})]
LinkNumber = Annotated[int, Meta(extra={"kind": "link"})]
"""The number of a joining link."""
NameId = Annotated[str, Meta(extra={"kind": "name"})]
"""The id of a name that a player has in this season alone."""
Options = Annotated[dict[str, Any], Meta(extra={"kind": "options"})]
"""Options of the season, by name."""

NOBODY = "00000000-0000-0000-0000-000000000000"
"""An id that no account, match or name has: tried where any new one would do."""
SOME_TEXT = "-"
SOME_TIME = "2000-01-01T00:00:00.000000Z"
"""An instant that is tried. Whether it is still to come is checked by the services, which know the time."""

Section = Literal[
    "players", "coming", "applications", "staff", "garnets", "rulings", "rules", "matches", "corrections", "claims",
    "deadline",
]  # fmt: skip
"""The sections of the season's room in the panel that have buttons for dialogs."""

PLAYER = Body("PlayerBody", "The player it is about.")
WHY = Body("WhyBody", "Why it is done; stands in the record.")


class DeskForm(NamedTuple):
    """An act as a form at a player's desk: the text of its button, and a box to tick if the act can't be undone. Its
    texts are marked by `gettext_noop`.

    The form asks for the values in `asks` first, and in their order; those in `omits` keep their defaults. A form that
    is shown `beside` something doesn't ask for that value.
    """

    title: str
    press: str
    hint: str = ""
    asks: Mapping[str, Ask] = MappingProxyType({})
    omits: Collection[str] = ()
    beside: str = ""
    confirm: str = ""


class SeasonAct(Act, frozen=True):
    """An act on a season. One that `settles` changes something of the season's matches. `section` is where the panel
    has the button of its dialog; without one a step of the season has it.

    Acts whose `rest` is for players can be posted at their desk, where `own` is the player who posts. Those with `desk`
    are listed there, others have a place of their own on its pages.
    """

    settles: ClassVar[bool] = False
    section: ClassVar[Section | None] = None
    desk: ClassVar[DeskForm | None] = None
    own: ClassVar[str] = ""

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        """Return the act's events; raise Illegal."""
        raise NotImplementedError

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return the acts that are tried to see what the caller may ask for."""
        raise NotImplementedError
