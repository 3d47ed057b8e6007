"""An episode as a story in its steps: what is done, what is awaited of whom and until when, what is to come. Pure, over
what the gate has told."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal
from uuid import UUID

from msgspec import Struct

from games import catalogue
from matches.domain.bidi import apart
from matches.reads.documents import PlayerDocument
from matches.seasons.reads.documents import EpisodeDocument, SeasonDocument, SeasonMatchDocument
from matches.seasons.reads.timing_sentences import listed
from matches.web.seasons.ladder import names_in

StepState = Literal["done", "now", "coming"]
_MOST_FACES = 4
_THEN = {
    "organiser": "After that an organiser decides.",
    "random": "After that the season's chance decides.",
    "longest": "After that it falls on who has served longest.",
}
_NO_MORE_STRUCK = "After that no more games are struck."
_LAPSED = "The time to decide is over; an organiser decides."


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
            named = f" {apart(it.name)}" if it.name else " the main match"
            lost = f" {self._and(it.candidates)} lost." if it.candidates else ""
            return _Draft(
                "main", "Main match", True, f"{self._and(it.winners)} won{named}.{lost}", it.winners, matches=tables
            )
        if it.closed:
            text = "None was recorded." if tables else "None was played."
            return _Draft("main", "Main match", True, text, matches=tables)
        if not tables:
            return _Draft("main", "Main match", False, "To be played; its result makes winners and losers.")
        seated = list(dict.fromkeys(player for match in tables for player in match.players))
        open_ = [match for match in tables if match.status == "scheduled"]
        told = f"{len(open_)} of {len(tables)} tables are still to be played out." if len(tables) > 1 else ""
        text = (told or f"Played at a table of {self._title(tables[0].game)}.") if open_ else "Played; to be recorded."
        return _Draft("main", "Main match", False, text, seated, matches=open_)

    def tokens(self) -> _Draft:
        """Who holds a token of life."""
        it = self._it
        holders = [UUID(player) for player, count in it.tokens.items() if count]
        if it.giving and not it.closed:
            text = f"{self._call(it.giving)} has two and gives one of them away."
            return _Draft("token", "Tokens of life", False, text, holders, [it.giving])
        if holders:
            verb = "holds one" if len(holders) == 1 else "hold one each"
            whole = f"{self._and(holders)} {verb} and can't be chosen."
            if any(it.tokens[str(player)] > 1 for player in holders):
                whole = f"{self._and(holders)} can't be chosen."
            return _Draft("token", "Tokens of life", True, whole, holders)
        over = it.recorded or it.closed
        return _Draft("token", "Tokens of life", over, "None was given." if over else "For who wins the main match.")

    def candidate(self) -> _Draft:
        """Who is the EC."""
        it, title = self._it, "Elimination candidate"
        if it.candidate:
            text = f"{self._call(it.candidate)} plays against elimination."
            return _Draft("candidate", title, True, text, [it.candidate])
        if it.closed:
            return _Draft("candidate", title, True, "Nobody was named.")
        if it.recorded and not it.giving and it.eligible:
            text = f"{self._or(self._deciding) or 'An organiser'} names {self._or(it.eligible)}."
            return _Draft("candidate", title, False, text, it.eligible, self._deciding)
        return _Draft("candidate", title, False, "One of those who lost the main match.", it.candidates)

    def opponent(self) -> _Draft:
        """Who is the DMO."""
        it, title = self._it, "The opponent"
        if it.opponent:
            return _Draft(
                "opponent", title, True, f"{self._call(it.candidate)} chose {self._call(it.opponent)}.", [it.opponent]
            )
        if it.closed:
            return _Draft("opponent", title, True, "Nobody was chosen.")
        if it.candidate and it.eligible:
            text = f"{self._call(it.candidate)} chooses {self._or(it.eligible)}."
            return _Draft("opponent", title, False, text, it.eligible, [it.candidate])
        text = "Nobody is left to choose." if it.candidate else "Chosen among those who hold no token of life."
        return _Draft("opponent", title, False, text)

    def bans(self) -> _Draft:
        """Which games are struck."""
        it, title = self._it, "Games struck"
        struck = [f"{self._title(ban.game)} by {self._call(ban.player)}" for ban in it.bans]
        pair = [player for player in (it.candidate, it.opponent) if player]
        over = it.closed or self._duel is not None or len(it.bans) >= 2 * self._season.options.bans_each
        told = f"{listed(struck, 'and')}." if struck else "None."
        if over:
            return _Draft("ban", title, True, told, [ban.player for ban in it.bans])
        if len(pair) < 2:
            return _Draft("ban", title, False, f"Each of the two may strike {self._season.options.bans_each}.")
        left = [
            player for player in pair
            if sum(ban.player == player for ban in it.bans) < self._season.options.bans_each
        ]  # fmt: skip
        so_far = f"{told} " if struck else ""
        return _Draft("ban", title, False, f"{so_far}{self._and(left)} may strike games.", left, left)

    def duel(self) -> _Draft:
        """The death match."""
        it, duel, title = self._it, self._duel, "Death match"
        if duel is None:
            if it.closed:
                return _Draft("duel", title, True, "None was played.")
            games = listed([self._title(game) for game in it.games], "or")
            return _Draft("duel", title, False, f"Of {games}; an organiser sets it." if games else "To be set.")
        pair, game = self._against(duel.players), self._title(duel.game)
        if duel.winner:
            text = f"{self._call(duel.winner)} beat {self._call(duel.loser)} at {game}."
            return _Draft("duel", title, True, text, duel.players, matches=[duel])
        return _Draft("duel", title, False, f"{pair}, {game}.", duel.players, duel.players, [duel])

    def result(self) -> _Draft:
        """Who is out."""
        it, title = self._it, "Who is out"
        if it.eliminated:
            return _Draft("result", title, True, f"{self._call(it.eliminated)} is out.", [it.eliminated])
        if it.closed:
            return _Draft("result", title, True, "Nobody: the episode ended without an elimination.")
        if self._duel and self._duel.status == "finished":
            return _Draft("result", title, False, "An organiser is to approve the result.", _some(self._duel.loser))
        return _Draft("result", title, False, "Whoever loses the death match.")

    def _and(self, players: Iterable[UUID]) -> str:
        return listed([self._call(it) for it in players], "and")

    def _or(self, players: Iterable[UUID]) -> str:
        return listed([self._call(it) for it in players], "or")

    def _against(self, players: Iterable[UUID]) -> str:
        return " against ".join(self._call(it) for it in players)

    @staticmethod
    def _title(game: str) -> str:
        return catalogue[game].title


def _some(player: UUID | None) -> list[UUID]:
    return [player] if player else []
