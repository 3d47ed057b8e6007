"""Recaps of episodes from the season's documents: who met whom, who left, and which garnets moved. Pure.

A recap contains the corrections up to the version that is read; an act stays with the player who did it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from uuid import UUID

from msgspec import Struct

from games import catalogue
from matches.domain.bidi import apart
from matches.seasons.reads.documents import (
    EpisodeDocument,
    LedgerEntry,
    SeasonDocument,
    SeasonMatchDocument,
    StandingDocument,
)

Call = Callable[[UUID | None], str]
Told = dict[str, Any]
"""An event as a document."""

_CORRECTIONS = frozenset(
    {
        "match_annulled", "match_reopened", "result_corrected", "main_match_corrected", "tokens_corrected",
        "pair_corrected", "elimination_reversed", "player_reinstated", "episode_reopened", "garnets_short",
    }
)  # fmt: skip


class Moved(Struct, frozen=True):
    """A player's garnets before and after an episode; `reasons` are the ledger's own words."""

    player: UUID
    before: int
    after: int
    reasons: list[str]

    @property
    def change(self) -> int:
        return self.after - self.before


class Garnets(Struct, frozen=True):
    """The garnets in play before and after an episode, and each player's change, the largest gain first."""

    before: int
    after: int
    moved: list[Moved]


class Recap(Struct, frozen=True):
    """An episode as it is told afterwards, or as far as it has come.

    `duel` is the death match that counts, `winner` and `loser` are None until it is over. `out` is who was eliminated
    in `place`, `left` who left of their own accord or were taken out. `givers` are by who received a token of life,
    `chooser` named the EC, `chosen` is who was named DMO, be it that a substitute went on for them; `is_chance` tells
    that nobody named the DMO in time. `passed_over` could have been named too. The duel `is_forfeited` where its
    loser left the season before its end. `due` are the words for what an open episode waits for.
    """

    episode: EpisodeDocument
    events: list[Told]
    corrections: list[Told]
    garnets: Garnets
    duel: SeasonMatchDocument | None
    out: UUID | None
    place: int | None
    left: list[UUID]
    givers: dict[UUID, UUID]
    chooser: UUID | None
    chosen: UUID | None
    is_chance: bool
    passed_over: list[UUID]
    is_forfeited: bool
    approved_by: UUID | None
    began_at: str
    ended_at: str | None
    reason: str
    due: str

    @property
    def winner(self) -> UUID | None:
        return self.duel.winner if self.duel else None

    @property
    def loser(self) -> UUID | None:
        return self.duel.loser if self.duel else None

    @property
    def awaits_approval(self) -> bool:
        return self.duel is not None and self.duel.status == "finished"

    @property
    def title(self) -> str:
        """Return the name of its main match, before that its own title, else its number."""
        return self.episode.name or self.own_title or f"Episode {self.episode.number}"

    @property
    def own_title(self) -> str:
        """Return the title that its host gave it; empty if that only repeats the number."""
        _, _, own = self.episode.called.partition(": ")
        return own


def recap(season: SeasonDocument, number: int, events: Sequence[Told], ledger: Iterable[LedgerEntry]) -> Recap | None:
    """Return the recap of an episode, or None. The events and the ledger are all up to the season's version."""
    episode = next((it for it in season.episodes if it.number == number), None)
    if episode is None:
        return None
    own = list(_own(events, number))
    duel = next((it for it in reversed(episode.matches) if it.kind == "death" and it.status != "annulled"), None)
    named = _last(own, "opponent_named")
    candidate = _last(own, "candidate_named")
    closed = _last(own, "episode_closed") if episode.closed else None
    out = _standing(season, episode.eliminated)
    return Recap(
        episode=episode,
        events=own,
        corrections=[it for it in events if _corrects(it, episode)],
        garnets=_garnets(own, ledger),
        duel=duel,
        out=episode.eliminated,
        place=out.place if out else None,
        left=[UUID(it["player"]) for it in own if it["type"] == "player_withdrew"],
        givers=_givers(own, episode),
        chooser=_account(candidate, "by"),
        chosen=_account(named, "player") if episode.opponent else None,
        is_chance=named is not None and named["by"] is None,
        passed_over=_passed_over(season, episode),
        is_forfeited=any(it["type"] == "match_forfeited" and duel and it["match"] == str(duel.id) for it in own),
        approved_by=_approved_by(own, duel),
        began_at=own[0]["at"],
        ended_at=closed["at"] if closed else None,
        reason=closed["reason"] if closed else "",
        due=season.headline.removeprefix(f"Episode {number}: "),
    )


def sentence(recap: Recap, call: Call) -> str:
    """Return what happened in a sentence or two."""
    left = [f"{call(it)} left the season." for it in recap.left if it != recap.out]
    if not recap.episode.closed:
        return " ".join([f"It is under way: {recap.due}.", *left])
    if recap.out is None:
        ends = f"It ended without an elimination: {apart(recap.reason.rstrip('.'))}." if recap.reason else ""
        return " ".join([ends or "It ended without an elimination.", *left])
    return " ".join([_duel(recap, call), *left])


def headline(recap: Recap, call: Call) -> list[str]:
    """Return what happened in one or two short lines, for a picture."""
    gone = recap.out or next(iter(recap.left), None)
    if recap.episode.closed and gone:
        return [*([f"{call(recap.winner)} stays."] if recap.winner else []), f"{call(gone)} leaves."]
    if recap.episode.closed:
        return ["Nobody leaves."]
    if recap.episode.candidate and recap.episode.opponent:
        return [f"{call(recap.episode.candidate)} against {call(recap.episode.opponent)}."]
    return [f"Episode {recap.episode.number}", "is under way."]


def in_place(place: int | None) -> str:
    """Return a place in words (`in 7th place`); empty if there is none."""
    if place is None:
        return ""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"in {place}{ending} place"


def _duel(recap: Recap, call: Call) -> str:
    candidate, chosen, opponent = recap.episode.candidate, recap.chosen, recap.episode.opponent
    leaves = f"leaves {in_place(recap.place)}".strip() if recap.place else "leaves the season"
    if recap.duel is None or candidate is None or opponent is None:
        return f"{call(recap.out)} {leaves}."
    game = catalogue[recap.duel.game].title
    meets = f"{call(candidate)} {'is drawn against' if recap.is_chance else 'chooses'} {call(chosen or opponent)}"
    if recap.is_forfeited:
        left = f"{call(recap.out)} left the season before the end of {game}"
        return f"{meets}. {left}, {in_place(recap.place)}." if recap.place else f"{meets}. {left}."
    if chosen not in (None, opponent):
        loses = f"{'wins' if recap.winner == opponent else 'loses'} {game}"
        return f"{meets}; {call(opponent)} goes on for {call(chosen)} and {loses}. {call(recap.out)} {leaves}."
    if recap.out == candidate:
        return f"{meets}, loses {game} and {leaves}."
    return f"{meets}, who loses {game} and {leaves}."


def _own(events: Iterable[Told], number: int) -> Iterator[Told]:
    """Yield the events from the episode's opening until the next one's, or the final's."""
    chapter = 0
    for it in events:
        chapter = it["number"] if it["type"] == "episode_opened" else 0 if it["type"] == "final_opened" else chapter
        if chapter == number:
            yield it


def _corrects(event: Told, episode: EpisodeDocument) -> bool:
    """True if the event corrects the episode."""
    if event["type"] not in _CORRECTIONS:
        return False
    matches = {str(it.id) for it in episode.matches}
    return event.get("match") in matches or episode.number in (event.get("episode"), event.get("number"))


def _last(events: Sequence[Told], kind: str) -> Told | None:
    return next((it for it in reversed(events) if it["type"] == kind), None)


def _account(event: Told | None, field: str) -> UUID | None:
    return UUID(event[field]) if event and event[field] else None


def _standing(season: SeasonDocument, player: UUID | None) -> StandingDocument | None:
    return next((it for it in season.standings if it.player.id == player), None)


def _givers(events: Iterable[Told], episode: EpisodeDocument) -> dict[UUID, UUID]:
    given = {UUID(it["player"]): UUID(it["by"]) for it in events if it["type"] == "token_granted" and it["by"]}
    return {player: by for player, by in given.items() if episode.tokens.get(str(player))}


def _passed_over(season: SeasonDocument, episode: EpisodeDocument) -> list[UUID]:
    """Return who stayed in the episode to its end without a token and isn't one of the two."""
    if episode.opponent is None:
        return []
    two = (episode.candidate, episode.opponent)
    return [
        it.player.id
        for it in season.standings
        if it.since <= episode.number <= (it.left or episode.number)
        and (it.left != episode.number or it.status == "eliminated")
        and it.player.id not in two
        and not episode.tokens.get(str(it.player.id))
    ]


def _approved_by(events: Iterable[Told], duel: SeasonMatchDocument | None) -> UUID | None:
    approved = [it for it in events if it["type"] == "result_approved" and duel and it["match"] == str(duel.id)]
    return _account(approved[-1], "by") if approved else None


def _garnets(own: Sequence[Told], ledger: Iterable[LedgerEntry]) -> Garnets:
    first, last = own[0]["version"], own[-1]["version"]
    before: dict[UUID, int] = defaultdict(int)
    after: dict[UUID, int] = defaultdict(int)
    reasons: dict[UUID, list[str]] = defaultdict(list)
    for entry in ledger:
        if entry.version > last:
            break
        for player, amount in ((entry.source, -entry.amount), (entry.target, entry.amount)):
            if player is None:
                continue
            after[player] += amount
            if entry.version < first:
                before[player] += amount
            else:
                reasons[player].append(entry.reason)
    moved = [Moved(it, before[it], after[it], list(dict.fromkeys(said))) for it, said in reasons.items()]
    return Garnets(sum(before.values()), sum(after.values()), sorted(moved, key=lambda it: (-it.change, -it.after)))
