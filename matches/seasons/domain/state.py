"""The state of a season: its players, episodes and matches. Pure."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct, field

from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.seasons.domain.claims import Claim
from matches.seasons.domain.deeds import Deed, Held, Part
from matches.seasons.domain.events import CheckInEnd, Placed, Role
from matches.seasons.domain.features import started
from matches.seasons.domain.intake_state import Intake
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.timing import Timing

Kind = Literal["main", "death", "final"]
MatchStatus = Literal["scheduled", "finished", "effective", "annulled"]
PlayerStatus = Literal["living", "eliminated", "withdrawn", "substituted"]
SeasonStatus = Literal["enrolling", "running", "final", "finished"]


class Player(Struct, frozen=True, kw_only=True):
    """One tenure. `place` is 1 for the champion and counts down to it: the first to leave a season of 13 is 13th.

    `since` is the first episode of the tenure, `left` the one in which it ended, or before whose opening. `called` is
    the id of the name that they have in this season alone; None where they are called as their account is.
    """

    id: str
    status: PlayerStatus = "living"
    garnets: int = 0
    main_wins: int = 0
    duels_won: int = 0
    duels_lost: int = 0
    place: int | None = None
    succeeds: str | None = None
    succeeded_by: str | None = None
    since: int = 1
    left: int | None = None
    called: str | None = None

    @property
    def living(self) -> bool:
        return self.status == "living"


class Settled(Struct, frozen=True):
    """Garnets that a result has moved, for a correction to move back."""

    source: str | None
    target: str | None
    amount: int


class SeasonMatch(Struct, frozen=True, kw_only=True):
    """A match of the season. Its result is `finished` until it takes effect; a table's result is its ranking.

    `players` are by seat; `setup` is how many seconds before its time its set-up begins, 0 where it has none, and
    `setup_closes` how many before it closes; `moved` is how often it has got another time, `reopened` how often it was
    played on after its end. `check_in` is what ends its check-in, None in older records.
    `played_by` are those who sat there at its end, by seat: a substitute who came after it is among the players only.
    """

    id: str
    kind: Kind
    episode: int
    game: str
    players: tuple[str, ...]
    priority: int
    opens_at: str | None
    status: MatchStatus = "scheduled"
    winner: str | None = None
    loser: str | None = None
    ranking: tuple[tuple[str, ...], ...] = ()
    settled: tuple[Settled, ...] = ()
    setup: int = 0
    setup_closes: int = SETUP_CLOSES_BEFORE
    check_in: CheckInEnd | None = None
    moved: int = 0
    reopened: int = 0
    played_by: tuple[str, ...] = ()

    @property
    def begins_at(self) -> datetime | None:
        """Return when a scheduled match, or its set-up, begins by itself."""
        return datetime.fromisoformat(self.opens_at) - timedelta(seconds=self.setup) if self.opens_at else None

    @property
    def setup_closes_at(self) -> datetime | None:
        """Return when the set-up of a scheduled match closes; None if it has none."""
        if not self.setup or self.opens_at is None:
            return None
        return datetime.fromisoformat(self.opens_at) - timedelta(seconds=self.setup_closes)

    @property
    def open(self) -> bool:
        """True if it is still to be played, or its result is still to take effect."""
        return self.status in ("scheduled", "finished")

    def who_played(self, player: str) -> str:
        """Return who sat in this player's seat at the match's end."""
        return self.played_by[self.players.index(player)] if self.played_by and player in self.players else player

    @property
    def winning_seat(self) -> int | None:
        """Return the seat of a duel's winner, None before its end."""
        return None if self.winner is None else self.players.index(self.winner)


class Episode(Struct, frozen=True, kw_only=True):
    """An episode. `tokens` counts each holder's; `giving` is the sole winner who has yet to give one away, `given` the
    giver and receiver once one has.

    `field` are those who were in the season when the main match was recorded, `credited` those of them whose record
    holds the win, `rewards` the garnets that it brought. `deeds` are who acted in each part that somebody has,
    `places` everybody's in the main match where they are known.
    """

    number: int
    title: str
    recorded: bool = False
    name: str = ""
    winners: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    tokens: dict[str, int] = {}
    giving: str | None = None
    given: tuple[str, str] | None = None
    field: tuple[str, ...] = ()
    credited: tuple[str, ...] = ()
    rewards: dict[str, int] = {}
    candidate: str | None = None
    opponent: str | None = None
    bans: tuple[tuple[str, str], ...] = ()
    eliminated: str | None = None
    closed: bool = False
    deeds: tuple[Deed, ...] = ()
    places: tuple[Placed, ...] = ()

    def who_acted(self, part: Part, player: str) -> str:
        """Return who had this player's part when it came about."""
        return next((it.acted for it in self.deeds if (it.part, it.player) == (part, player)), player)

    @property
    def held(self) -> list[Held]:
        held: list[Held] = [("won", it, None) for it in self.winners]
        held += [("lost", it, None) for it in self.candidates]
        held += [("token", it, None) for it, count in self.tokens.items() if count]
        pair: tuple[tuple[Part, str | None], ...] = (("candidate", self.candidate), ("opponent", self.opponent))
        held += [(part, it, None) for part, it in pair if it]
        return held + [("ban", player, game) for player, game in self.bans]


class Final(Struct, frozen=True, kw_only=True):
    """The last two players, and the most matches that they play."""

    players: tuple[str, str]
    best_of: int


class Season(Struct, frozen=True, kw_only=True):
    """A season at a version. `players` stand in the order of their enrolment, `staff` by account; `kept` has its
    features' states by name."""

    version: int
    title: str
    options: SeasonOptions
    opened_by: str
    staff: dict[str, Role]
    players: dict[str, Player] = {}
    episodes: tuple[Episode, ...] = ()
    matches: dict[str, SeasonMatch] = {}
    final: Final | None = None
    champion: str | None = None
    issued: int = 0
    timing: Timing = Timing()
    intake: Intake = Intake()
    kept: dict[str, Any] = field(default_factory=started)

    @property
    def status(self) -> SeasonStatus:
        if self.champion:
            return "finished"
        if self.final:
            return "final"
        return "running" if self.episodes else "enrolling"

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim, in the order of making."""
        made: tuple[Claim, ...] = self.kept["claims"]
        return made

    @property
    def living(self) -> list[str]:
        return [player.id for player in self.players.values() if player.living]

    @property
    def episode(self) -> Episode | None:
        """Return the open episode."""
        return self.episodes[-1] if self.episodes and not self.episodes[-1].closed else None

    def has_succeeded(self, player: str, leaver: str | None) -> bool:
        """True if the player has succeeded the leaver, directly or through others."""
        before = self.players[player].succeeds
        while before is not None and before != leaver:
            before = self.players[before].succeeds
        return before is not None

    def origin(self, player: str, among: Collection[str]) -> str | None:
        """Return the player, or whom they have succeeded, directly or through others, if among these."""
        found: str | None = player
        while found is not None and found not in among:
            found = self.players[found].succeeds
        return found

    @property
    def exposed(self) -> list[str]:
        """Return the living players without a token of life in the latest episode."""
        return [it for it in self.living if not self.episodes[-1].tokens.get(it)]

    @property
    def now(self) -> int:
        """Return the number of the open episode, or of the next one."""
        return self.episode.number if self.episode else len(self.episodes) + 1

    @property
    def played_in_final(self) -> list[SeasonMatch]:
        """Return the matches of the final that count, in the order of their scheduling."""
        return [match for match in self.of_episode(0, "final") if match.status == "effective"]

    @property
    def final_wins(self) -> tuple[int, int]:
        """Return how many matches of the final each seat has won, those of a substituted player included."""
        won = [match.winning_seat for match in self.played_in_final]
        return won.count(0), won.count(1)

    def of_episode(self, number: int, kind: Kind) -> list[SeasonMatch]:
        """Return the matches of an episode (0: the final), in the order of their scheduling."""
        return [match for match in self.matches.values() if (match.episode, match.kind) == (number, kind)]
