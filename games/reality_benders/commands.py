"""The commands of a seat."""

from msgspec import field

from games.kernel import Command
from games.reality_benders.pieces import Rule


class Bend(Command, frozen=True):
    """Submit new rules in secret, as many as the match says, and use a bridge (one more) or a break (one away)."""

    rules: tuple[Rule, ...]
    bridge: Rule | None = None
    break_: Rule | None = field(default=None, name="break")


class Cast(Command, frozen=True):
    """Submit a spell in secret, with its targets and perhaps the bonus."""

    spell: str
    targets: tuple[str, ...] = ()
    bonus: bool = False


class Offer(Command, frozen=True):
    """Submit the three spells that the other seat's Imagination may choose from."""

    spells: tuple[str, ...]


class Pick(Command, frozen=True):
    """Take one of the three spells offered."""

    spell: str
