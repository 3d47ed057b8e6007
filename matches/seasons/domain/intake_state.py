"""State of a season's enrolment: its joining links, and the applications. Pure."""

from typing import Literal

from msgspec import Struct

ApplicationStatus = Literal["waiting", "declined"]


class JoiningLink(Struct, frozen=True, kw_only=True):
    """A joining link. `came` are the applicants, without those who were declined or have withdrawn."""

    number: int
    approval: bool
    most: int | None
    closes_at: str | None
    revoked: bool = False
    came: tuple[str, ...] = ()

    @property
    def used_up(self) -> bool:
        """True if as many have joined by it as may."""
        return self.most is not None and len(self.came) >= self.most


class Application(Struct, frozen=True):
    """An application through a link; `reason` is why it was declined."""

    player: str
    link: int
    status: ApplicationStatus = "waiting"
    reason: str = ""


class Intake(Struct, frozen=True, kw_only=True):
    """Joining links by number; applications by account, oldest first, without admitted ones; and the number of
    applications that each account has withdrawn."""

    links: dict[int, JoiningLink] = {}
    applications: dict[str, Application] = {}
    withdrawals: dict[str, int] = {}

    @property
    def waiting(self) -> list[Application]:
        """Return the applications that an organiser has to answer."""
        return [it for it in self.applications.values() if it.status == "waiting"]
