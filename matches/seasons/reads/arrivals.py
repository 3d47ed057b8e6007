"""Documents of enrolment: joining links, applications, and the page of a link."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from matches.reads.documents.match import PlayerDocument
from matches.seasons.domain.intake_state import ApplicationStatus, JoiningLink
from matches.seasons.domain.state import Season, SeasonStatus
from matches.seasons.reads.event_documents import players_of
from matches.seasons.reads.feed import person

LinkStatus = Literal["good", "revoked", "used_up", "expired", "closed"]
Standing = Literal["none", "waiting", "declined", "in", "out", "official"]


class JoiningLinkDocument(Struct, frozen=True):
    """A link: `came` counts who have asked by it, `most` how many may; `invites` is for whom it was made, as long as
    they haven't followed it. `closed` is one of a season that has begun."""

    number: int
    url: str
    status: LinkStatus
    approval: bool
    most: int | None
    came: int
    closes_at: datetime | None
    invites: str


class JoiningLinks(Struct, frozen=True):
    """The season's links, oldest first."""

    version: int
    results: list[JoiningLinkDocument]
    next: None = None


class ApplicationDocument(Struct, frozen=True):
    """An application, and its link. `reason` is why it was declined."""

    player: PlayerDocument
    link: int
    status: ApplicationStatus
    reason: str


class ApplicationList(Struct, frozen=True):
    """Applications that wait or were declined, oldest first."""

    version: int
    results: list[ApplicationDocument]
    next: None = None


class JoiningDocument(Struct, frozen=True):
    """The season, the link and the reader's own standing, as a reader who follows the link sees them.

    `standing` is `none` for an account that hasn't applied, `in` for a player of the season, `out` for a former one.
    `reason` is the reason of a declined application, `ahead` the number of waiting applications before the reader's.
    `season_visible` is true if the reader may see the rest of the season; if not, `season_status` and `players` are
    None once the link is revoked or the season has begun.
    """

    season: UUID
    title: str
    season_status: SeasonStatus | None
    opened_by: PlayerDocument
    players: int | None
    most_players: int
    status: LinkStatus
    approval: bool
    closes_at: datetime | None
    standing: Standing
    reason: str
    ahead: int
    season_visible: bool


def links(season: Season, now: datetime, labels: Mapping[int, str], address_of: Callable[[int], str]) -> JoiningLinks:
    """Return the season's links with their addresses, for its organisers."""
    documents = [
        JoiningLinkDocument(
            number=link.number,
            url=address_of(link.number),
            status=status_of(season, link, now),
            approval=link.approval,
            most=link.most,
            came=len(link.came),
            closes_at=_instant(link.closes_at),
            invites=labels.get(link.number, ""),
        )
        for link in season.intake.links.values()
    ]
    return JoiningLinks(season.version, documents)


def applications(season: Season) -> ApplicationList:
    by_player = season.intake.applications
    accounts = players_of(by_player)
    documents = [
        ApplicationDocument(person(it.player, accounts), it.link, it.status, it.reason) for it in by_player.values()
    ]
    return ApplicationList(season.version, documents)


def joining(
    season_id: UUID, season: Season, link: JoiningLink, account: str, role: str | None, visible: bool, now: datetime
) -> JoiningDocument:
    """Return what an account that follows a link reads; it is empty for nobody."""
    application = season.intake.applications.get(account)
    waiting = [it.player for it in season.intake.waiting]
    status = status_of(season, link, now)
    # How a private season goes on is not for whoever was cut off from it, or never came in.
    shown = visible or role is not None or status not in ("revoked", "closed")
    return JoiningDocument(
        season=season_id,
        title=season.title,
        season_status=season.status if shown else None,
        opened_by=person(season.opened_by, players_of([season.opened_by])),
        players=len(season.living) if shown else None,
        most_players=season.options.most_players,
        status=status,
        approval=link.approval,
        closes_at=_instant(link.closes_at),
        standing=_standing(season, account, role),
        reason=application.reason if application else "",
        ahead=waiting.index(account) if account in waiting else 0,
        season_visible=visible,
    )


def status_of(season: Season, link: JoiningLink, now: datetime) -> LinkStatus:
    if link.revoked:
        return "revoked"
    if season.status != "enrolling":
        return "closed"
    closes_at = _instant(link.closes_at)
    if closes_at and now >= closes_at:
        return "expired"
    return "used_up" if link.used_up else "good"


def _instant(at: str | None) -> datetime | None:
    return datetime.fromisoformat(at) if at else None


def _standing(season: Season, account: str, role: str | None) -> Standing:
    if account in season.players:
        return "in" if season.players[account].living else "out"
    if account in season.staff or role:
        return "official"
    application = season.intake.applications.get(account)
    return application.status if application else "none"
