"""Events of enrolment: joining links, applications, late enrolments, returns; one class for each fact. They are stored
for ever, and contain no name, address or secret of a link. Instants are RFC 3339 in UTC."""

from typing import Any

from games.kernel import Event, Public


class JoiningOpened(Event, frozen=True):
    """A new joining link, numbered from 1. Up to `most` people can apply through it until `closes_at`.

    With `approval` an organiser admits each applicant; without, applicants are enrolled as long as there is room.
    """

    link: Public[int]
    approval: Public[bool]
    most: Public[int | None]
    closes_at: Public[str | None]


class JoiningRevoked(Event, frozen=True):
    """A link's revocation."""

    link: Public[int]
    reason: Public[str]


class PlayerApplied(Event, frozen=True):
    """An account's application through a link."""

    player: Public[str]
    link: Public[int]


class ApplicationWithdrawn(Event, frozen=True):
    """An applicant's withdrawal."""

    player: Public[str]


class ApplicationDeclined(Event, frozen=True):
    """An organiser's refusal of an application."""

    player: Public[str]
    reason: Public[str]


class PlayerJoinedLate(Event, frozen=True):
    """A player's enrolment in a running season, from the open episode or the next one. Players who left before are
    moved down by one place."""

    player: Public[str]
    reason: Public[str]


class PlayerReturned(Event, frozen=True):
    """The return of a player who had withdrawn. Players who left later are moved down by one place."""

    player: Public[str]
    reason: Public[str]


class OptionsChanged(Event, frozen=True):
    """The changed options by name."""

    changes: Public[dict[str, Any]]
    reason: Public[str]


class PlayerRenamed(Event, frozen=True):
    """A change of a player's display name in this season. `name` is the id of a name that is stored beside the record
    and may have been deleted; None for the account's name."""

    player: Public[str]
    name: Public[str | None]
    reason: Public[str]


INTAKE_EVENTS: tuple[type[Event], ...] = (
    JoiningOpened, JoiningRevoked, PlayerApplied, ApplicationWithdrawn, ApplicationDeclined, PlayerJoinedLate,
    PlayerReturned, OptionsChanged, PlayerRenamed,
)  # fmt: skip
