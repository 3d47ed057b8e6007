"""Events of enrolment: joining links, applications, late enrolments, returns; one class for each fact. They are stored
for ever, and contain no name, address or secret of a link. Instants are RFC 3339 in UTC."""

from typing import Any

from games.kernel import Event, Public


class JoiningOpened(Event, frozen=True):
    """Whoever has the link of this number, from 1, can ask to play until `closes_at`, `most` of them at most.

    With `approval` an organiser lets each one in; without, who asks is in as long as there is room.
    """

    link: Public[int]
    approval: Public[bool]
    most: Public[int | None]
    closes_at: Public[str | None]


class JoiningRevoked(Event, frozen=True):
    """The link is good no more."""

    link: Public[int]
    reason: Public[str]


class PlayerApplied(Event, frozen=True):
    """An account asks to play, by a link."""

    player: Public[str]
    link: Public[int]


class ApplicationWithdrawn(Event, frozen=True):
    """An applicant's withdrawal."""

    player: Public[str]


class ApplicationDeclined(Event, frozen=True):
    """An organiser doesn't let in who asked to play."""

    player: Public[str]
    reason: Public[str]


class PlayerJoinedLate(Event, frozen=True):
    """A player is in the season from the episode that is open, or the next one: whoever left before is a place further
    down."""

    player: Public[str]
    reason: Public[str]


class PlayerReturned(Event, frozen=True):
    """A player who had withdrawn is back: whoever left later is a place further down."""

    player: Public[str]
    reason: Public[str]


class OptionsChanged(Event, frozen=True):
    """The options that are another since, by name."""

    changes: Public[dict[str, Any]]
    reason: Public[str]


class PlayerRenamed(Event, frozen=True):
    """A player is called otherwise in this season from now on: by the name of this id, which stands beside the record
    and may be gone, or as their account is called where it is None."""

    player: Public[str]
    name: Public[str | None]
    reason: Public[str]


INTAKE_EVENTS: tuple[type[Event], ...] = (
    JoiningOpened, JoiningRevoked, PlayerApplied, ApplicationWithdrawn, ApplicationDeclined, PlayerJoinedLate,
    PlayerReturned, OptionsChanged, PlayerRenamed,
)  # fmt: skip
