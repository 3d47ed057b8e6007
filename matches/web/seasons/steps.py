"""An episode as a story in its steps: what is done, what is awaited of whom and until when, what is to come. Pure, over
what the gate has told."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from games import catalogue
from matches.domain.bidi import apart
from matches.html.name_lists import opposed, told_apart, told_together
from matches.reads.documents import PlayerDocument
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, SeasonMatchDocument
from matches.web.seasons.ladder import names_in

StepState = Literal["done", "now", "coming"]
_MOST_FACES = 4
_THEN = {
    "organiser": gettext_lazy("After that an organiser decides."),
    "random": gettext_lazy("After that the season's chance decides."),
    "longest": gettext_lazy("After that it falls on who has served longest."),
}
_NO_MORE_STRUCK = gettext_lazy("After that no more games are struck.")
_LAPSED = gettext_lazy("The time to decide is over; an organiser decides.")


class Step(Struct, frozen=True):
    """A step of the episode. `faces` are those whom it is about, `more` how many it doesn't show; `awaits` are those
    who are to act now. `until` is when their time is over and `then` what follows; `matches` are those to go to."""

    kind: str
    title: str
    state: StepState
    text: str
    faces: list[PlayerDocument] = []
    more: int = 0
    awaits: list[UUID] = []
    until: datetime | None = None
    then: str = ""
    matches: list[SeasonMatchDocument] = []


class _Draft(Struct, frozen=True):
    """A step before it is known which one is at hand; `told` is whether it is done."""

    kind: str
    title: str
    told: bool
    text: str
    players: Sequence[UUID] = ()
    awaits: Sequence[UUID] = ()
    matches: Sequence[SeasonMatchDocument] = ()


def steps(season: SeasonDocument, episode: EpisodeDocument) -> list[Step]:
    """The steps in their order; of an episode under way exactly one is at hand."""
    teller = _Teller(season, episode)
    drafts = [teller.main(), teller.tokens(), teller.candidate(), teller.opponent()]
    drafts += [teller.bans()] if season.options.bans_each else []
    drafts += [teller.duel(), teller.result()]
    at_hand = None if episode.closed else next((it for it in drafts if not it.told), None)
    return [_step(season, it, "now" if it is at_hand else "done" if it.told else "coming") for it in drafts]


def _step(season: SeasonDocument, draft: _Draft, state: StepState) -> Step:
    known = {it.player.id: it.player for it in season.standings}
    faces = [known[it] for it in draft.players if it in known]
    is_now, asked = state == "now", season.awaited
    timed = asked if is_now and asked and asked.decision == draft.kind else None
    until = datetime.fromisoformat(timed.until) if timed and not timed.lapsed else None
    default = _NO_MORE_STRUCK if draft.kind == "ban" else _THEN[season.options.decision_default]
    return Step(
        kind=draft.kind,
        title=draft.title,
        state=state,
        text=draft.text,
        faces=faces[:_MOST_FACES],
        more=max(0, len(faces) - _MOST_FACES),
        awaits=list(draft.awaits) if is_now else [],
        until=until,
        then="" if timed is None else default if until else _LAPSED,
        matches=list(draft.matches),
    )


class _Teller:
    """What each step of one episode says."""

    def __init__(self, season: SeasonDocument, episode: EpisodeDocument) -> None:
        self._season, self._it, self._call = season, episode, names_in(season)
        living = {it.player.id for it in season.standings if it.status == "living"}
        self._deciding = [it for it in episode.winners if it in living]
        self._duel = next(
            (it for it in reversed(episode.matches) if it.kind == "death" and it.status != "annulled"), None
        )

    def main(self) -> _Draft:
        """Who won the main match."""
        it = self._it
        tables = [match for match in it.matches if match.kind == "main" and match.status != "annulled"]
        if it.recorded:
            told = {"names": self._and(it.winners), "match": apart(it.name)}
            won = _("%(names)s won %(match)s.") % told if it.name else _("%(names)s won the main match.") % told
            lost = [_("%(names)s lost.") % {"names": self._and(it.candidates)}] if it.candidates else []
            return _Draft("main", _("Main match"), True, " ".join([won, *lost]), it.winners, matches=tables)
        if it.closed:
            text = _("None was recorded.") if tables else _("None was played.")
            return _Draft("main", _("Main match"), True, text, matches=tables)
        if not tables:
            return _Draft("main", _("Main match"), False, _("To be played; its result makes winners and losers."))
        seated = list(dict.fromkeys(player for match in tables for player in match.players))
        open_ = [match for match in tables if match.status == "scheduled"]
        if not open_:
            text = _("Played; to be recorded.")
        elif len(tables) > 1:
            told = {"open": len(open_), "tables": len(tables)}
            text = _("%(open)s of %(tables)s tables are still to be played out.") % told
        else:
            text = _("Played at a table of %(game)s.") % {"game": self._title(tables[0].game)}
        return _Draft("main", _("Main match"), False, text, seated, matches=open_)

    def tokens(self) -> _Draft:
        """Who holds a token of life."""
        it = self._it
        holders = [UUID(player) for player, count in it.tokens.items() if count]
        if it.giving and not it.closed:
            text = _("%(name)s has two and gives one of them away.") % {"name": self._call(it.giving)}
            return _Draft("token", _("Tokens of life"), False, text, holders, [it.giving])
        if holders:
            one = "%(names)s holds one and can't be chosen."
            whole = ngettext(one, "%(names)s hold one each and can't be chosen.", len(holders))
            if any(it.tokens[str(player)] > 1 for player in holders):
                whole = _("%(names)s can't be chosen.")
            return _Draft("token", _("Tokens of life"), True, whole % {"names": self._and(holders)}, holders)
        over = it.recorded or it.closed
        return _Draft(
            "token", _("Tokens of life"), over, _("None was given.") if over else _("For who wins the main match.")
        )

    def candidate(self) -> _Draft:
        """Who is the EC."""
        it, title = self._it, _("Elimination candidate")
        if it.candidate:
            text = _("%(name)s plays against elimination.") % {"name": self._call(it.candidate)}
            return _Draft("candidate", title, True, text, [it.candidate])
        if it.closed:
            return _Draft("candidate", title, True, _("Nobody was named."))
        if it.recorded and not it.giving and it.eligible:
            told = {"chooser": self._or(self._deciding), "names": self._or(it.eligible)}
            text = _("%(chooser)s names %(names)s.") if self._deciding else _("An organiser names %(names)s.")
            text %= told
            return _Draft("candidate", title, False, text, it.eligible, self._deciding)
        return _Draft("candidate", title, False, _("One of those who lost the main match."), it.candidates)

    def opponent(self) -> _Draft:
        """Who is the DMO."""
        it, title = self._it, _("The opponent")
        if it.opponent:
            told = {"name": self._call(it.candidate), "opponent": self._call(it.opponent)}
            return _Draft("opponent", title, True, _("%(name)s chose %(opponent)s.") % told, [it.opponent])
        if it.closed:
            return _Draft("opponent", title, True, _("Nobody was chosen."))
        if it.candidate and it.eligible:
            told = {"name": self._call(it.candidate), "names": self._or(it.eligible)}
            text = _("%(name)s chooses %(names)s.") % told
            return _Draft("opponent", title, False, text, it.eligible, [it.candidate])
        text = _("Nobody is left to choose.") if it.candidate else _("Chosen among those who hold no token of life.")
        return _Draft("opponent", title, False, text)

    def bans(self) -> _Draft:
        """Which games are struck."""
        it, title = self._it, _("Games struck")
        struck = [
            _("%(game)s by %(name)s") % {"game": self._title(ban.game), "name": self._call(ban.player)}
            for ban in it.bans
        ]
        pair = [player for player in (it.candidate, it.opponent) if player]
        over = it.closed or self._duel is not None or len(it.bans) >= 2 * self._season.options.bans_each
        told = f"{told_together(struck)}." if struck else _("None.")
        if over:
            return _Draft("ban", title, True, told, [ban.player for ban in it.bans])
        if len(pair) < 2:
            count = self._season.options.bans_each
            text = ngettext("Each of the two may strike %(count)s.", "Each of the two may strike %(count)s.", count)
            return _Draft("ban", title, False, text % {"count": count})
        left = [
            player for player in pair
            if sum(ban.player == player for ban in it.bans) < self._season.options.bans_each
        ]  # fmt: skip
        text = _("%(names)s may strike games.") % {"names": self._and(left)}
        return _Draft("ban", title, False, " ".join([told, text] if struck else [text]), left, left)

    def duel(self) -> _Draft:
        """The death match."""
        it, duel, title = self._it, self._duel, _("Death match")
        if duel is None:
            if it.closed:
                return _Draft("duel", title, True, _("None was played."))
            games = told_apart([self._title(game) for game in it.games])
            text = _("Of %(games)s; an organiser sets it.") % {"games": games} if games else _("To be set.")
            return _Draft("duel", title, False, text)
        pair, game = self._against(duel.players), self._title(duel.game)
        if duel.winner:
            told = {"winner": self._call(duel.winner), "loser": self._call(duel.loser), "game": game}
            text = _("%(winner)s beat %(loser)s at %(game)s.") % told
            return _Draft("duel", title, True, text, duel.players, matches=[duel])
        return _Draft("duel", title, False, f"{pair}, {game}.", duel.players, duel.players, [duel])

    def result(self) -> _Draft:
        """Who is out."""
        it, title = self._it, _("Who is out")
        if it.eliminated:
            text = _("%(name)s is out.") % {"name": self._call(it.eliminated)}
            return _Draft("result", title, True, text, [it.eliminated])
        if it.closed:
            return _Draft("result", title, True, _("Nobody: the episode ended without an elimination."))
        if self._duel and self._duel.status == "finished":
            return _Draft("result", title, False, _("An organiser is to approve the result."), _some(self._duel.loser))
        return _Draft("result", title, False, _("Whoever loses the death match."))

    def _and(self, players: Iterable[UUID]) -> str:
        return told_together([self._call(it) for it in players])

    def _or(self, players: Iterable[UUID]) -> str:
        return told_apart([self._call(it) for it in players])

    def _against(self, players: Iterable[UUID]) -> str:
        return opposed([self._call(it) for it in players], "death")

    @staticmethod
    def _title(game: str) -> str:
        return catalogue[game].title


def _some(player: UUID | None) -> list[UUID]:
    return [player] if player else []
