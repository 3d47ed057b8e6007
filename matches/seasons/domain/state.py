"""The state of a season: its players, episodes and matches. Pure."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Literal

from msgspec import Struct, field

from games import catalogue
from matches.domain.bidi import apart
from matches.domain.clocks import SETUP_CLOSES_BEFORE
from matches.seasons.domain import claims
from matches.seasons.domain.claims import Claim
from matches.seasons.domain.contests import PlayedContest
from matches.seasons.domain.deeds import Deed, EpisodeRole, Held
from matches.seasons.domain.events import CheckInEnd, Placed, Role
from matches.seasons.domain.feature import Feature, S
from matches.seasons.domain.features import started
from matches.seasons.domain.intake_state import Intake
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.timing import Timing

Kind = Literal["main", "death", "final"]
MatchStatus = Literal["scheduled", "finished", "effective", "annulled"]
PlayerStatus = Literal["living", "eliminated", "withdrawn", "substituted"]
SeasonStatus = Literal["enrolling", "running", "final", "finished"]


class Player(Struct, frozen=True, kw_only=True):
    """A tenure. `place` is the final rank: 1 for the champion, 13 for the first player who leaves a season of 13.

    `since` is the first episode of the tenure. `left` is the episode in which it ended, or the next one if it ended
    between two episodes. `succeeds` and `succeeded_by` are the players before and after a substitution.
    `display_name_id` is None if the account's name is used.
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
    display_name_id: str | None = None

    @property
    def living(self) -> bool:
        return self.status == "living"


class Settled(Struct, frozen=True):
    """Garnets that a result has moved, kept so that a correction can move them back."""

    source: str | None
    target: str | None
    amount: int


class SeasonMatch(Struct, frozen=True, kw_only=True):
    """A match of the season. Its status is `finished` until its result takes effect. The result of a main match's table
    is its `ranking`, that of another match its `winner` and `loser`.

    `players` are by seat. `setup` and `setup_closes` are how many seconds before `opens_at` its set-up begins and
    closes; `setup` is 0 if it has none. `moved` counts the changes of its time, `reopened` how often it was continued
    after its end. `check_in` is what ends its check-in, None in older records. `played_by` are the players at its end,
    by seat; a later substitute is only in `players`. `contest` names the contest that a table plays, None for other
    games; `results` are the rules by which its main match's result is prepared, `scores` what its seats have got.
    `stakes` are the garnets by seat with which a contest starts that is played for them.
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
    contest: PlayedContest | None = None
    results: ResultRules | None = None
    scores: tuple[Score, ...] = ()
    stakes: tuple[int, ...] = ()

    @property
    def title(self) -> str:
        """Return the title of the contest or the game, for use in a sentence."""
        return apart(self.contest.title) if self.contest else catalogue[self.game].title

    @property
    def begins_at(self) -> datetime | None:
        """Return the instant at which a scheduled match, or its set-up, begins by itself; None if it has no time."""
        return datetime.fromisoformat(self.opens_at) - timedelta(seconds=self.setup) if self.opens_at else None

    @property
    def setup_closes_at(self) -> datetime | None:
        """Return the instant at which the set-up of a scheduled match closes; None if it has no set-up or no time."""
        if not self.setup or self.opens_at is None:
            return None
        return datetime.fromisoformat(self.opens_at) - timedelta(seconds=self.setup_closes)

    @property
    def open(self) -> bool:
        """True if it is still to be played, or its result is still to take effect."""
        return self.status in ("scheduled", "finished")

    def who_played(self, player: str) -> str:
        """Return the player who had this player's seat at the match's end; the player if that isn't recorded."""
        return self.played_by[self.players.index(player)] if self.played_by and player in self.players else player

    @property
    def winning_seat(self) -> int | None:
        """Return the winner's seat in a death match or match of the final, None before its end."""
        return None if self.winner is None else self.players.index(self.winner)


class Episode(Struct, frozen=True, kw_only=True):
    """An episode.

    `tokens` are the numbers of tokens of life by player. `giving` is the sole winner who must still give one of two
    tokens away; `given` is the giver and the receiver afterwards. `field` are the living players at the time when the
    main match was recorded. `credited` are those of them to whose `main_wins` it was added, and `rewards` the garnets
    for it, by player. `candidates` are the main match's losers, `candidate` is the EC, and `opponent` the DMO. `bans`
    are pairs of a player and a game. `deeds` hold who acted in each part. `places` are the places in the main match,
    empty if unknown. `changes` are what players gained or lost of the garnets at stake in it.
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
    changes: dict[str, int] = {}

    def who_acted(self, part: EpisodeRole, player: str) -> str:
        """Return the player who got the part that this player has now."""
        return next((it.acted for it in self.deeds if (it.part, it.player) == (part, player)), player)

    @property
    def held(self) -> list[Held]:
        """The parts of the episode, each with its player and, for a ban, the game."""
        held: list[Held] = [("won", it, None) for it in self.winners]
        held += [("lost", it, None) for it in self.candidates]
        held += [("token", it, None) for it, count in self.tokens.items() if count]
        pair: tuple[tuple[EpisodeRole, str | None], ...] = (("candidate", self.candidate), ("opponent", self.opponent))
        held += [(part, it, None) for part, it in pair if it]
        return held + [("ban", player, game) for player, game in self.bans]


class Final(Struct, frozen=True, kw_only=True):
    """The last two players, and the most matches that they play."""

    players: tuple[str, str]
    best_of: int


class Season(Struct, frozen=True, kw_only=True):
    """A season at a version. `players` are in the order of their enrolment. `staff` are the roles by account. `issued`
    are the garnets that the season has paid out and not taken back. `feature_states`
    are the states of the features by their names."""

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
    feature_states: dict[str, Any] = field(default_factory=started)

    @property
    def status(self) -> SeasonStatus:
        if self.champion:
            return "finished"
        if self.final:
            return "final"
        return "running" if self.episodes else "enrolling"

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims, the oldest first."""
        return self.state_of(claims.FEATURE)

    def state_of(self, feature: Feature[S]) -> S:
        """Return the state of a feature."""
        state: S = self.feature_states[feature.name]
        return state

    @property
    def living(self) -> list[str]:
        return [player.id for player in self.players.values() if player.living]

    @property
    def episode(self) -> Episode | None:
        """Return the open episode, or None."""
        return self.episodes[-1] if self.episodes and not self.episodes[-1].closed else None

    def held(self, player: str) -> int:
        """Return how many of a player's garnets are at stake in a contest until its result counts or it is annulled."""
        tables = self.of_episode(self.episode.number, "main") if self.episode else []
        staked = (it for it in tables if it.open and it.stakes and player in it.players)
        return sum(it.stakes[it.players.index(player)] for it in staked)

    def free(self, player: str) -> int:
        """Return how many garnets of a player can be moved."""
        return max(0, self.players[player].garnets - self.held(player))

    def has_succeeded(self, player: str, leaver: str | None) -> bool:
        """True if the player has succeeded the leaver, directly or through others."""
        before = self.players[player].succeeds
        while before is not None and before != leaver:
            before = self.players[before].succeeds
        return before is not None

    def origin(self, player: str, among: Collection[str]) -> str | None:
        """Return the player if `among` these, else their nearest predecessor who is, else None."""
        current: str | None = player
        while current is not None and current not in among:
            current = self.players[current].succeeds
        return current

    @property
    def exposed(self) -> list[str]:
        """Return the living players without a token of life in the latest episode."""
        return [it for it in self.living if not self.episodes[-1].tokens.get(it)]

    @property
    def episode_number(self) -> int:
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
