"""Contests as the library shows them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import F
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec import Struct

from matches.contests.models import Contest, Version
from matches.contests.reads.documents import card
from matches.domain.bidi import apart
from matches.models import Account
from matches.web.contests.previews import parts_of

_GIST: Final = 150


class LibraryCard(Struct, frozen=True):
    """A contest in the library. `version` is the newest that the reader may read, `published` the one that others
    read; `faults` are those of `version`."""

    id: UUID
    title: str
    author: str
    after: str
    status: str
    version: int
    published: int | None
    faults: int
    facts: str
    gist: str
    is_mine: bool
    changed_at: datetime

    @property
    def address(self) -> str:
        """The editor for its author, the page of the contest for others and of a retired one."""
        is_edited = self.is_mine and self.status != "retired"
        return reverse("web:contest_edit" if is_edited else "web:contest", args=[self.id])


def cards_of(contests: Sequence[Contest], account: Account) -> list[LibraryCard]:
    """Return contests with the figures of the version that the account may read."""
    own = [it.id for it in contests if it.author_id == account.id]
    newest = Version.objects.filter(contest__in=own, number=F("contest__version"))
    others = Version.objects.filter(contest__in=[it.id for it in contests], number=F("contest__published"))
    versions = {it.contest_id: it for it in [*others.exclude(contest__in=own), *newest]}
    return [_card(it, versions[it.id], account) for it in contests if it.id in versions]


def title_of(contest: Contest) -> str:
    return contest.title or _("Untitled contest")


def facts_of(data: Mapping[str, Any]) -> str:
    """Return the numbers of players and rounds of a content, which may have faults: `5 to 13 players, 8 rounds`."""
    least, most = data.get("least_seats", 2), data.get("most_seats", 30)
    count = sum(it["repeat"] if isinstance(it.get("repeat"), int) else 1 for it in parts_of(data, "rounds"))
    players = _("%(most)s players") if least == most else _("%(least)s to %(most)s players")
    return _("%(players)s, %(rounds)s") % {
        "players": players % {"least": least, "most": most},
        "rounds": ngettext("%(count)s round", "%(count)s rounds", count) % {"count": count},
    }


def _card(contest: Contest, version: Version, account: Account) -> LibraryCard:
    document, data = card(contest, account), version.data
    return LibraryCard(
        id=contest.id,
        title=title_of(contest),
        author=document.author.username if document.author else "Croupier",
        after=_credit(data, document.after),
        status=document.status,
        version=document.version,
        published=document.published,
        faults=version.faults,
        facts=facts_of(data),
        gist=_gist(data.get("rules")),
        is_mine=document.is_mine,
        changed_at=document.changed_at,
    )


def _credit(data: Mapping[str, Any], name: str | None) -> str:
    """Return the contest that this is a copy of, with its author; empty for no copy."""
    after = data.get("after")
    if isinstance(after, str) and after:
        return after
    return _("a contest by %(name)s") % {"name": apart(name)} if name else ""


def _gist(rules: Any) -> str:
    """Return the beginning of the rules: the first paragraph that isn't a heading."""
    paragraphs = rules.split("\n\n") if isinstance(rules, str) else []
    text = next((" ".join(it.split()) for it in paragraphs if it.strip() and not it.lstrip().startswith("#")), "")
    return Truncator(text).chars(_GIST)
