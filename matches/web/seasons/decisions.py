"""The decisions that a season waits for from one of its players."""

from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.functional import Promise
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
from matches.seasons.domain.steps import pending_steps
from matches.seasons.models import Member
from matches.seasons.models import Season as SeasonRow
from matches.seasons.reads import selectors
from matches.seasons.reads.event_documents import NOBODY
from matches.storage.repository import BrokenRecord


class Words(NamedTuple):
    """The words of a kind of decision: `task` and `hint` are of its card, the others of its scene."""

    task: Promise
    hint: Promise
    title: Promise
    lead: Promise
    press: Promise
    unchosen: Promise
    made: Promise


WORDS = {
    "token": Words(
        gettext_lazy("Give your second token of life"),
        gettext_lazy("Its holder can't be named EC or DMO in this episode."),
        gettext_lazy("{name}, give a token away"),
        gettext_lazy(
            "You won {match} alone. Whoever gets your second token of life can't play this episode's death match."
        ),
        gettext_lazy("Give it to {it}"),
        gettext_lazy("Choose who gets the token."),
        gettext_lazy("%(name)s has your second token of life"),
    ),
    "candidate": Words(
        gettext_lazy("Name the elimination candidate (EC)"),
        gettext_lazy("A winner of the main match names one of its losers."),
        gettext_lazy("{name}, name the candidate"),
        gettext_lazy(
            "You won {match}. The candidate whom you name plays the death match, and chooses an opponent for it."
        ),
        gettext_lazy("Name {it}"),
        gettext_lazy("Choose a candidate."),
        gettext_lazy("%(name)s is the elimination candidate"),
    ),
    "opponent": Words(
        gettext_lazy("Choose your opponent (DMO)"),
        gettext_lazy("You are the EC. You play a death match; whoever loses it is out."),
        gettext_lazy("{name}, choose your opponent"),
        gettext_lazy("You are the elimination candidate. Whoever loses the death match leaves."),
        gettext_lazy("Choose {it}"),
        gettext_lazy("Choose an opponent."),
        gettext_lazy("%(name)s is your opponent"),
    ),
    "ban": Words(
        gettext_lazy("Strike a game"),
        gettext_lazy("It won't be the game of your death match. You need not strike any."),
        gettext_lazy("{name}, strike a game"),
        gettext_lazy("It won't be the game of your death match. You need not strike any."),
        gettext_lazy("Strike {it}"),
        gettext_lazy("Choose a game."),
        gettext_lazy("Struck: %(games)s"),
    ),
}
"""The words of each kind of decision."""


class Decision(Struct, frozen=True):
    """The card of a decision: its act, its words, and the choices by value and label. `must` is false if the player may
    decline to choose."""

    act: str
    field: str
    title: str
    hint: str
    choices: list[tuple[str, str]]
    must: bool


class PendingDecisions(Struct, frozen=True):
    """A season that waits for a player's decisions: their acts, in the order of an episode."""

    season_id: UUID
    title: str
    acts: tuple[str, ...]

    @property
    def tasks(self) -> list[str]:
        return [str(WORDS[act].task) for act in self.acts]


def decisions(season: Season, by: Caller, names: dict[str, str]) -> list[Decision]:
    """Return what the player is to decide now, each with the choices that the decider accepts."""
    return [
        Decision(kind, field, str(WORDS[kind].task), str(WORDS[kind].hint), choices, kind != "ban")
        for kind, field in CHOSEN.items()
        if kind in kinds_for(season, by.account)
        and (choices := [(it, _label(field, it, names)) for it in offer(season, by, kind).values(field)])
    ]


def kinds_for(season: Season, account: str) -> tuple[str, ...]:
    """Return the kinds of decisions that are awaited of an account."""
    return tuple(it.kind for it in pending_steps(season) if it.kind in WORDS and account in it.awaited_of)


def waiting_for(account: Account) -> list[PendingDecisions]:
    """Return the seasons under way that wait for a decision of this account, without those whose record is broken."""
    pending, rows = [], list(_played_by(account).filter(status=SeasonRow.Status.RUNNING))
    heads = repository.heads_of(row.id for row in rows) if rows else {}
    for row in rows:
        with suppress(BrokenRecord):
            if kinds := _kinds_at(row.id, row.version, heads.get(row.id, b""), str(account.id)):
                pending.append(PendingDecisions(row.id, row.title, kinds))
    return pending


def match_of(season: Season, player: str) -> Match | None:
    """Return the player's newest match that is scheduled in the season, with the status that they may see.

    With a spectator delay the match may be over: the season gets its result when spectators do.
    """
    mine = [it.id for it in season.matches.values() if it.status == "scheduled" and player in it.players]
    newest = Match.objects.filter(id__in=mine).prefetch_related("seats").order_by("-opened_at")[:1]
    return next(iter(match_selectors.visible_to(newest, UUID(player))), None)


@lru_cache(maxsize=512)
def _kinds_at(season_id: UUID, version: int, head: bytes, account: str) -> tuple[str, ...]:
    return kinds_for(repository.at(season_id, version, head), account)


def _played_by(account: Account) -> QuerySet[SeasonRow]:
    mine = Member.objects.filter(account_id=account.id, role=Member.Role.PLAYER).values("season")
    return selectors.seasons_for(account).filter(id__in=mine)


def _label(field: str, value: str, names: dict[str, str]) -> str:
    return catalogue[value].title if field == "game" else names.get(value, NOBODY)
