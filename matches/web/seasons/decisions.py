"""What a season waits for from one of its players: the EC, the DMO, a token, bans; and what they may do unasked."""

from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy
from msgspec import Struct

from games import catalogue
from matches.models import Account, Match
from matches.reads import selectors as match_selectors
from matches.seasons import repository
from matches.seasons.domain.acts import offer
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.episode_acts import CHOSEN
from matches.seasons.domain.state import Season
from matches.seasons.models import Member
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import selectors
from matches.seasons.reads.story import NOBODY
from matches.storage.repository import BrokenRecord

GIFT = "garnets"
LEAVING = "withdraw"
_ASKED = {
    "token": (
        gettext_lazy("Give your second token of life"),
        gettext_lazy("Its holder can't be named EC or DMO in this episode."),
    ),
    "candidate": (
        gettext_lazy("Name the elimination candidate (EC)"),
        gettext_lazy("A winner of the main match names one of its losers."),
    ),
    "opponent": (
        gettext_lazy("Choose your opponent (DMO)"),
        gettext_lazy("You are the EC. You play a death match; whoever loses it is out."),
    ),
    "ban": (
        gettext_lazy("Strike a game"),
        gettext_lazy("It won't be the game of your death match. You need not strike any."),
    ),
}
"""The title and hint of each decision."""


class Decision(Struct, frozen=True):
    """A card: the act's name, what it asks, and what may be chosen, by value and label."""

    act: str
    field: str
    title: str
    hint: str
    choices: list[tuple[str, str]]
    must: bool


class PendingDecisions(Struct, frozen=True):
    """A season in which a player is asked to decide: the acts, in the order of an episode."""

    season_id: UUID
    title: str
    acts: tuple[str, ...]

    @property
    def asked(self) -> list[str]:
        """What is asked, in words."""
        return [_ASKED[act][0] for act in self.acts]


def decisions(season: Season, by: Caller, names: dict[str, str]) -> list[Decision]:
    """What the player may decide now, each with the choices that the decider accepts."""
    return [
        Decision(name, field, *_ASKED[name], [(it, _label(field, it, names)) for it in found], name != "ban")
        for name, field in CHOSEN.items()
        if (found := offer(season, by, name).of(field))
    ]


def waiting_for(account: Account) -> list[PendingDecisions]:
    """The seasons under way that wait for a decision of this account; one whose record is broken asks for none."""
    found, rows = [], list(_played_by(account).filter(status=SeasonRow.Status.RUNNING))
    heads = repository.heads_of(row.id for row in rows) if rows else {}
    for row in rows:
        with suppress(BrokenRecord):
            asked = _asked_of(row.id, row.version, heads.get(row.id, b""), str(account.id))
            found.append(PendingDecisions(row.id, row.title, asked))
    return [it for it in found if it.asked]


def match_of(season: Season, player: str) -> Match | None:
    """The newest match of this player whose end the season hasn't heard of, with the status that the player may know.

    In a season whose spectators are told late it may be over: the season hears of it when they do.
    """
    mine = [it.id for it in season.matches.values() if it.status == "scheduled" and player in it.players]
    newest = Match.objects.filter(id__in=mine).prefetch_related("seats").order_by("-opened_at")[:1]
    return _first(match_selectors.visible_to(newest, UUID(player)))


@lru_cache(maxsize=512)
def _asked_of(season_id: UUID, version: int, head: bytes, account: str) -> tuple[str, ...]:
    """The acts that are asked for at this version of a history with this head, which never changes."""
    season = repository.at(season_id, version, head)
    return tuple(it.act for it in decisions(season, Caller(account), {}))


def _played_by(account: Account) -> QuerySet[SeasonRow]:
    mine = Member.objects.filter(account_id=account.id, role=Member.Role.PLAYER).values("season")
    return selectors.seasons_for(account).filter(id__in=mine)


def _label(field: str, value: str, names: dict[str, str]) -> str:
    return catalogue[value].title if field == "game" else names.get(value, NOBODY)


def _first(found: Iterable[Match]) -> Match | None:
    return next(iter(found), None)
