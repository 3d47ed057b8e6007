"""State of a season's enrolment: its joining links, and the applications. Pure."""

from typing import Literal

from msgspec import Struct

ApplicationStatus = Literal["waiting", "declined"]


class JoiningLink(Struct, frozen=True, kw_only=True):
    """A link by which to ask to play; `came` are who did, but for those who were declined or thought better of it."""

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
    """Somebody who has asked to play by a link, and why they are declined."""

    player: str
    link: int
    status: ApplicationStatus = "waiting"
    reason: str = ""


class Intake(Struct, frozen=True, kw_only=True):
    """`links` by number, `applications` by account, in the order of asking; who is let in has none any more.
    `withdrawals` is how often an account has withdrawn one."""

    links: dict[int, JoiningLink] = {}
    applications: dict[str, Application] = {}
    withdrawals: dict[str, int] = {}

    @property
    def waiting(self) -> list[Application]:
        """Those whom an organiser has yet to answer."""
        return [it for it in self.applications.values() if it.status == "waiting"]
