"""An episode as steps in words: done, awaited (from whom and until when), and to come."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from msgspec import Struct

from games import catalogue
from matches.domain.bidi import apart
from matches.html.name_lists import joined_by_and, joined_by_or, opposed
from matches.reads.documents.match import PlayerDocument
from matches.seasons.domain.steps import PendingStep
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, SeasonMatchDocument
from matches.web.seasons.ladder import names_in

StepState = Literal["done", "now", "coming"]
_MOST_FACES = 4
SHOWN_AS = {
    "table": "main", "main_match": "main", "ranking": "main", "token": "token", "candidate": "candidate",
    "opponent": "opponent", "ban": "ban", "death_match": "duel", "duel": "duel", "result": "result",
}  # fmt: skip
"""The page's step that shows each kind of pending step of an episode."""
_THEN = {
    "organiser": gettext_lazy("After that an organiser decides."),
    "random": gettext_lazy("After that the season's chance decides."),
    "longest": gettext_lazy("After that the longest-serving player is chosen."),
    "none": gettext_lazy("After that no more games are struck."),
}
_LATE = gettext_lazy("The time to decide is over; an organiser decides.")


class WordedStep(Struct, frozen=True):
    """A step of the episode in words. `faces` are players whom it concerns, `more` is the number of further ones;
    `awaits` are the players who must act now, `until` is their deadline, `then` its consequence; `matches` are
    linked."""

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


class _Words(Struct, frozen=True):
    """The words of a step, the players whom it concerns, and its matches."""

    title: str
    text: str
    players: Sequence[UUID] = ()
    matches: Sequence[SeasonMatchDocument] = ()


def steps(season: SeasonDocument, episode: EpisodeDocument, pending: Sequence[PendingStep]) -> list[WordedStep]:
    """Return the steps in their order; in an open episode the state `now` has the step of the first pending one."""
    step = None if episode.closed else pending[0]
    order = [it for it in WORDS if it != "ban" or season.options.bans_each]
    now = order.index(SHOWN_AS[step.course_kind]) if step else len(order)
    words = _Wording(season, episode, step)
    states: list[StepState] = ["done" if it < now else "now" if it == now else "coming" for it in range(len(order))]
    return [
        _step(season, kind, WORDS[kind](words, state), state, step if state == "now" else None)
        for kind, state in zip(order, states, strict=True)
    ]


def _step(season: SeasonDocument, kind: str, words: _Words, state: StepState, step: PendingStep | None) -> WordedStep:
    portraits = {it.player.id: it.player for it in season.standings}
    faces = [portraits[it] for it in words.players if it in portraits]
    return WordedStep(
        kind=kind,
        title=words.title,
        state=state,
        text=words.text,
        faces=faces[:_MOST_FACES],
        more=max(0, len(faces) - _MOST_FACES),
        awaits=[UUID(it) for it in step.awaited_of] if step and kind != "main" else [],
        until=step.until if step and not step.is_late else None,
        then=str(_LATE if step.is_late else _THEN[str(step.default)]) if step and step.until else "",
        matches=list(words.matches),
    )


class _Wording:
    def __init__(self, season: SeasonDocument, episode: EpisodeDocument, step: PendingStep | None) -> None:
        self._season, self._it, self._call = season, episode, names_in(season)
        self._is_possible = step is None or step.instead_of is None
        self._awaited_of = [UUID(it) for it in step.awaited_of] if step else []
        self._duel = next(
            (it for it in reversed(episode.matches) if it.kind == "death" and it.status != "annulled"), None
        )

    def main(self, state: StepState) -> _Words:
        it, title = self._it, _("Main match")
        tables = [match for match in it.matches if match.kind == "main" and match.status != "annulled"]
        if it.recorded:
            values = {"names": self._and(it.winners), "match": apart(it.name)}
            won = _("%(names)s won %(match)s.") % values if it.name else _("%(names)s won the main match.") % values
            lost = [_("%(names)s lost.") % {"names": self._and(it.candidates)}] if it.candidates else []
            return _Words(title, " ".join([won, *lost]), it.winners, tables)
        if state == "done":
            return _Words(title, _("None was recorded.") if tables else _("None was played."), (), tables)
        if not tables:
            return _Words(title, _("To be played; its result makes winners and losers."))
        seated = list(dict.fromkeys(player for match in tables for player in match.players))
        open_ = [match for match in tables if match.status == "scheduled"]
        if not open_:
            text = _("Played; to be recorded.")
        elif len(tables) > 1:
            values = {"open": str(len(open_)), "tables": str(len(tables))}
            text = _("%(open)s of %(tables)s tables are still to be played out.") % values
        else:
            text = _("Played at a table of %(game)s.") % {"game": tables[0].title}
        return _Words(title, text, seated, open_)

    def token(self, state: StepState) -> _Words:
        it, title = self._it, _("Tokens of life")
        holders = [UUID(player) for player, count in it.tokens.items() if count]
        if state == "now":
            text = _("%(name)s has two and gives one of them away.") % {"name": self._call(it.giving)}
        elif holders:
            one = "%(names)s holds one and can't be chosen."
            text = ngettext(one, "%(names)s hold one each and can't be chosen.", len(holders))
            if any(it.tokens[str(player)] > 1 for player in holders):
                text = _("%(names)s can't be chosen.")
            text %= {"names": self._and(holders)}
        else:
            text = _("None was given.") if state == "done" else _("For the winner of the main match.")
        return _Words(title, text, holders)

    def candidate(self, state: StepState) -> _Words:
        it, title = self._it, _("Elimination candidate")
        if it.candidate:
            text = _("%(name)s plays against elimination.") % {"name": self._call(it.candidate)}
            return _Words(title, text, [it.candidate])
        if state == "done":
            return _Words(title, _("Nobody was named."))
        if not self._is_possible and state == "now":
            return _Words(title, _("Nobody is left to choose."))
        if state == "now":
            values = {"chooser": self._or(self._awaited_of), "names": self._or(it.eligible)}
            text = _("%(chooser)s names %(names)s.") if self._awaited_of else _("An organiser names %(names)s.")
            return _Words(title, text % values, it.eligible)
        return _Words(title, _("One of those who lost the main match."), it.candidates)

    def opponent(self, state: StepState) -> _Words:
        it, title = self._it, _("The opponent")
        values = {"name": self._call(it.candidate), "names": self._or(it.eligible)}
        if it.opponent:
            values["opponent"] = self._call(it.opponent)
            return _Words(title, _("%(name)s chose %(opponent)s.") % values, [it.opponent])
        if state == "done":
            return _Words(title, _("Nobody was chosen."))
        if state == "coming":
            return _Words(title, _("Chosen among those who hold no token of life."))
        text = _("%(name)s chooses %(names)s.") % values if self._is_possible else _("Nobody is left to choose.")
        return _Words(title, text, it.eligible)

    def ban(self, state: StepState) -> _Words:
        it, title, count = self._it, _("Games struck"), self._season.options.bans_each
        struck = [
            _("%(game)s by %(name)s") % {"game": self._title(ban.game), "name": self._call(ban.player)}
            for ban in it.bans
        ]
        if state == "coming":
            text = ngettext("Each of the two may strike %(count)s.", "Each of the two may strike %(count)s.", count)
            return _Words(title, text % {"count": count})
        listed = [f"{joined_by_and(struck)}."] if struck else []
        if state == "done":
            return _Words(title, "".join(listed) or _("None."), [ban.player for ban in it.bans])
        left = _("%(names)s may strike games.") % {"names": self._and(self._awaited_of)}
        return _Words(title, " ".join([*listed, left]), self._awaited_of)

    def duel(self, state: StepState) -> _Words:
        it, duel, title = self._it, self._duel, _("Death match")
        if duel is None:
            games = joined_by_or([self._title(game) for game in it.games])
            text = _("Of %(games)s; an organiser sets it.") % {"games": games} if games else _("To be set.")
            return _Words(title, _("None was played.") if state == "done" else text)
        game = self._title(duel.game)
        if duel.winner is None:
            return _Words(title, f"{self._against(duel.players)}, {game}.", duel.players, [duel])
        values = {"winner": self._call(duel.winner), "loser": self._call(duel.loser), "game": game}
        return _Words(title, _("%(winner)s beat %(loser)s at %(game)s.") % values, duel.players, [duel])

    def result(self, state: StepState) -> _Words:
        it, title = self._it, _("Who is out")
        if it.eliminated:
            return _Words(title, _("%(name)s is out.") % {"name": self._call(it.eliminated)}, [it.eliminated])
        if state == "done":
            return _Words(title, _("Nobody: the episode ended without an elimination."))
        if state == "now":
            loser = self._duel.loser if self._duel else None
            return _Words(title, _("An organiser is to approve the result."), [loser] if loser else [])
        return _Words(title, _("Whoever loses the death match."))

    def _and(self, players: Iterable[UUID]) -> str:
        return joined_by_and([self._call(it) for it in players])

    def _or(self, players: Iterable[UUID]) -> str:
        return joined_by_or([self._call(it) for it in players])

    def _against(self, players: Iterable[UUID]) -> str:
        return opposed([self._call(it) for it in players], "death")

    @staticmethod
    def _title(game: str) -> str:
        return catalogue[game].title


WORDS: dict[str, Callable[[_Wording, StepState], _Words]] = {
    "main": _Wording.main, "token": _Wording.token, "candidate": _Wording.candidate, "opponent": _Wording.opponent,
    "ban": _Wording.ban, "duel": _Wording.duel, "result": _Wording.result,
}  # fmt: skip
"""The method for the words of each step, in the order of an episode."""
