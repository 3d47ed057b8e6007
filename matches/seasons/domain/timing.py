"""State of a season's times beside the matches' own: proposals, check-ins, the awaited decision, the number of draws.
Pure."""

from msgspec import Struct

from matches.seasons.domain.timing_events import Absence, DecisionKind


class Proposal(Struct, frozen=True):
    """The times that an account proposes for a match; `made` counts its proposals since the match got its time."""

    by: str
    times: tuple[str, ...]
    made: int = 1


class CheckIn(Struct, frozen=True):
    """The attendance of a match; `absent` once check-in is closed, `ruling` once the absence is settled.

    `until` is the end of check-in where it was extended.
    """

    present: tuple[str, ...] = ()
    closed: bool = False
    absent: tuple[str, ...] = ()
    ruling: Absence | None = None
    until: str | None = None


class Awaited(Struct, frozen=True):
    decision: DecisionKind
    episode: int
    players: tuple[str, ...]
    since: str
    until: str
    reminded: tuple[str, ...] = ()
    lapsed: bool = False


class Timing(Struct, frozen=True, kw_only=True):
    """`proposals`, and what was `accepted` (player, instant), by match. `link` is the newest one shown of the season's
    chance, at first its commitment; None in a season that has none."""

    proposals: dict[str, tuple[Proposal, ...]] = {}
    accepted: dict[str, tuple[tuple[str, str], ...]] = {}
    check_ins: dict[str, CheckIn] = {}
    awaited: Awaited | None = None
    link: str | None = None
    draws: int = 0
