"""The acts that move garnets, declared once (declared.py). Pure."""

from collections.abc import Iterable, Sequence
from typing import Self

import msgspec

from games.kernel import Event
from matches.domain.declared import SOMEBODY, Ask, Body, Dialog, Reason, Rest, gettext_noop
from matches.seasons.domain import garnets
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SOME_TEXT, DeskForm, Garnets, PlayerId, SeasonAct
from matches.seasons.domain.state import Season


class MoveGarnets(SeasonAct, frozen=True):
    """Give another player own garnets, unless a death match of the giver's is open; or, as the season's organiser,
    award, fine or correct."""

    name = "garnets"
    section = "garnets"
    rest = Rest(
        "moveGarnets", "garnets",
        Body(
            "GarnetsBody",
            "Garnets to move: a player gives from own ones; an organiser awards (no `from`), fines (no `to`) or "
            "corrects.",
        ),
        ("no_transfers", "match_open", "not_enrolled", "not_living", "same_player", "too_few_garnets", "garnets_held"),
        is_for_players=True,
    )  # fmt: skip
    dialog = Dialog("Move garnets", "diamond")
    desk = DeskForm(
        gettext_noop("Give garnets"), gettext_noop("Give"),
        asks={
            "target": Ask(gettext_noop("To")),
            "amount": Ask(gettext_noop("Garnets")),
            "reason": Ask(gettext_noop("Why")),
        },
    )  # fmt: skip
    own = "source"
    example = {"source": SOMEBODY, "target": SOMEBODY, "amount": 1, "reason": "A debt."}

    amount: Garnets
    reason: Reason
    source: PlayerId | None = msgspec.field(name="from", default=None)
    target: PlayerId | None = msgspec.field(name="to", default=None)

    def decide(self, season: Season, by: Caller) -> Sequence[Event]:
        return garnets.move_garnets(season, by, self.source, self.target, self.amount, self.reason)

    @classmethod
    def tries(cls, season: Season, by: Caller) -> Iterable[Self]:
        """Return one garnet to each player: the caller's own, or the season's."""
        source = by.account if by.account in season.players else None
        return (cls(1, SOME_TEXT, source, it) for it in season.living)
