"""The documents of a season that interfaces return. Players and matches are named by their ids."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field

from games import catalogue
from matches.domain.bidi import apart
from matches.reads.documents.match import PlayerDocument
from matches.reads.documents.record import AccessDocument, CoverDocument
from matches.seasons.domain.contests import PlayedContest
from matches.seasons.domain.deeds import EpisodeRole
from matches.seasons.domain.events import Cause, Role
from matches.seasons.domain.options import SeasonOptions
from matches.seasons.domain.result_rules import ResultRules, Score
from matches.seasons.domain.result_table import SPENT
from matches.seasons.domain.state import Kind, MatchStatus, PlayerStatus, SeasonStatus
from matches.seasons.domain.timing_events import Absence, DecisionKind
from matches.seasons.reads.sentences import episode_label

SeasonRole = Literal["organiser", "host", "auditor", "player"]


class SeasonCard(Struct, frozen=True):
    """A season in a list; `role` is the caller's, `headline` is empty where the season's record is broken."""

    id: UUID
    title: str
    status: SeasonStatus
    version: int
    public: bool
    role: SeasonRole | None
    headline: str
    opened_at: datetime
    changed_at: datetime


class SeasonPage(Struct, frozen=True):
    """A page of seasons; `next` is the cursor of the following one, or null."""

    results: list[SeasonCard]
    next: str | None


class StaffDocument(Struct, frozen=True):
    """A member of a season's staff."""

    account: PlayerDocument
    role: Role


class StaffList(Struct, frozen=True):
    """Staff of a season."""

    version: int
    results: list[StaffDocument]
    next: None = None


class StandingDocument(Struct, frozen=True):
    """Standing of one tenure. `called` is the player's name in this season, which may differ from their account's.
    `place` is 1 for the champion, null for a player who is still in the season or was substituted.

    `tokens` are those of the open episode. `duels` are death matches and matches of the final. `since` is the first
    episode of the tenure, `left` the episode in which it ended, or the next one if it ended between two episodes.
    """

    player: PlayerDocument
    called: str
    status: PlayerStatus
    place: int | None
    garnets: int
    tokens: int
    main_wins: int
    duels_won: int
    duels_lost: int
    succeeds: UUID | None
    succeeded_by: UUID | None
    since: int
    left: int | None


class Standings(Struct, frozen=True):
    """Standings: living players by garnets, most first; then former players, the last to leave first."""

    version: int
    results: list[StandingDocument]
    next: None = None


class ProposalDocument(Struct, frozen=True):
    """The times that an account has proposed for a match."""

    by: UUID
    times: list[str]


class TimeAcceptedDocument(Struct, frozen=True):
    """A player who can play at a time that was proposed."""

    player: UUID
    opens_at: str


class CheckInDocument(Struct, frozen=True):
    """The check-in before a match: its beginning and end, and the present players. `absent` are those who weren't
    present when it `closed`, `ruling` is the decision on the match, null until then."""

    opens_at: datetime
    closes_at: datetime
    present: list[UUID]
    closed: bool
    absent: list[UUID]
    ruling: Absence | None


class AwaitedDocument(Struct, frozen=True):
    """A decision of players that has a deadline; once it has `lapsed` an organiser decides, or nobody needs to."""

    decision: DecisionKind
    episode: int
    players: list[UUID]
    since: str
    until: str
    lapsed: bool


class SeasonMatchDocument(Struct, frozen=True):
    """A match of the season; `players` by seat. A result counts once `status` is `effective`. `proposals` are the times
    that are proposed for it, `accepted` who can play at one of them; `check_in` is null where it has none. `played_by`
    are those who sat there at its end, by seat: another than the player where a substitute has come since; empty
    before.

    A match that has a time begins by itself at `begins_at`, so early that its set-up has its whole time until
    `setup_closes_at`; that is null where nothing is set up, both where the match has no time. `contest` is there for
    tables that play a contest, `results` for those whose rules prepare the main match's result; then `scores` are what
    the seats have got, empty before the end."""

    id: UUID
    kind: Kind
    episode: int
    game: str
    players: list[UUID]
    priority: int
    opens_at: str | None
    begins_at: datetime | None
    setup_closes_at: datetime | None
    status: MatchStatus
    winner: UUID | None
    loser: UUID | None
    ranking: list[list[UUID]]
    proposals: list[ProposalDocument]
    accepted: list[TimeAcceptedDocument]
    check_in: CheckInDocument | None
    played_by: list[UUID]
    contest: PlayedContest | UnsetType = UNSET
    results: ResultRules | UnsetType = UNSET
    scores: list[Score] | UnsetType = UNSET

    @property
    def title(self) -> str:
        """Return the title of the contest or the game, for use in a sentence."""
        return apart(self.contest.title) if self.contest else catalogue[self.game].title

    def who_played(self, player: UUID) -> UUID:
        """Return the player who sat in this player's seat at the match's end."""
        return self.played_by[self.players.index(player)] if self.played_by and player in self.players else player


class DeedDocument(Struct, frozen=True):
    """A part that somebody has in an episode: `player` has it now, `acted` is whose it was when it came about, `by` is
    who chose so; null where it followed from a result or a rule, or was put right later. `game` is of a ban."""

    part: EpisodeRole
    player: UUID
    acted: UUID
    by: UUID | None
    game: str | None


class BanDocument(Struct, frozen=True):
    """A game that EC or DMO has struck from the pool."""

    player: UUID
    game: str


class PlaceDocument(Struct, frozen=True):
    """A player's place in a match of the main match, 1 for the best. `match` is the name that the organiser entered."""

    player: UUID
    match: str
    place: int
    points: int | None


class EpisodeDocument(Struct, frozen=True):
    """An episode. `giving` has a second token to give away; `eligible` are those who may be named next, EC or DMO, and
    `games` what the death match may be of. A substitute has the parts of whom they go on for; `deeds` tell who acted in
    each. `places` are everybody's in the main match, where they were entered."""

    number: int
    title: str
    closed: bool
    recorded: bool
    name: str
    winners: list[UUID]
    candidates: list[UUID]
    tokens: dict[str, int]
    giving: UUID | None
    candidate: UUID | None
    opponent: UUID | None
    eligible: list[UUID]
    bans: list[BanDocument]
    games: list[str]
    matches: list[SeasonMatchDocument]
    eliminated: UUID | None
    deeds: list[DeedDocument]
    places: list[PlaceDocument]

    @property
    def called(self) -> str:
        """Return the number, and the title if it has one of its own."""
        return episode_label(self.number, self.title)


class EpisodeList(Struct, frozen=True):
    """The episodes, in order."""

    version: int
    results: list[EpisodeDocument]
    next: None = None


class FinalDocument(Struct, frozen=True):
    """The final; `players` are null before it is opened."""

    version: int
    players: list[UUID] | None
    best_of: int
    games: list[str]
    matches: list[SeasonMatchDocument]
    champion: UUID | None


class MatchList(Struct, frozen=True):
    """Matches of the season, in the order of their scheduling."""

    version: int
    results: list[SeasonMatchDocument]
    next: None = None


class LedgerEntry(Struct, frozen=True):
    """Garnets that moved: null on one side is the season itself. The balances are those after it."""

    version: int
    at: datetime
    source: UUID | None = field(name="from")
    target: UUID | None = field(name="to")
    amount: int
    cause: Cause
    reason: str
    match: UUID | None
    source_balance: int | None = field(name="from_balance")
    target_balance: int | None = field(name="to_balance")

    @property
    def cause_shown(self) -> str:
        """The cause as pages show it before the reason; empty if the reason says that garnets were spent."""
        return "" if self.cause == "fine" and self.reason.startswith(SPENT) else self.cause


class Ledger(Struct, frozen=True):
    """All movements of garnets. `balances` add up to `issued`: what the season gave out, less what it took back."""

    version: int
    results: list[LedgerEntry]
    balances: dict[str, int]
    issued: int
    next: None = None


class TenureDocument(Struct, frozen=True):
    """A player's standing in the season, their matches, and all movements of garnets from or to them."""

    version: int
    standing: StandingDocument
    matches: list[SeasonMatchDocument]
    ledger: list[LedgerEntry]


class RulingDocument(Struct, frozen=True):
    """An official's interpretation of a rule, for a match or for the season."""

    version: int
    at: datetime
    by: str
    text: str
    match: UUID | None


class RulingList(Struct, frozen=True):
    """The season's rulings, oldest first."""

    version: int
    results: list[RulingDocument]
    next: None = None


class SeasonDocument(Struct, frozen=True):
    """A season as a whole; `role` is the caller's, `headline` says in a line where the season stands, `awaited` is the
    decision that has a deadline now."""

    id: UUID
    title: str
    status: SeasonStatus
    headline: str
    version: int
    role: SeasonRole | None
    options: SeasonOptions
    template: UUID | None
    staff: list[StaffDocument]
    standings: list[StandingDocument]
    episodes: list[EpisodeDocument]
    final: FinalDocument
    awaited: AwaitedDocument | None
    champion: UUID | None
    garnets: int
    opened_at: datetime


class SeasonEvents(Struct, frozen=True):
    """Events in ascending versions. Each has `version`, `at`, `actor`, `type`, `text`, its own fields, and the chain's
    `hash`."""

    results: list[dict[str, Any]]
    next: int | None
    version: int


class SeasonAudit(Struct, frozen=True):
    """The head of the season's chain. `checkpoints` are the newest signed ones that cover it, `access` tells who took
    its record away, newest first."""

    version: int
    hash: str
    verifier_key: str
    checkpoints: list[CoverDocument]
    access: list[AccessDocument]


class SeasonAct(Struct, frozen=True):
    """Sentences about one act, empty if it holds no news. `version` is that of its last event."""

    version: int
    at: datetime
    text: str


class SeasonAccepted(Struct, frozen=True):
    """Events of an accepted act on a season. `id` and `season` are both the season's id."""

    season: UUID
    version: int
    events: list[dict[str, Any]]
    id: UUID | UnsetType = UNSET


class Foreseen(Struct, frozen=True):
    """An event that an act would bring: its type, and its sentence."""

    type: str
    text: str


class Foresight(Struct, frozen=True):
    """Effects of an act at this version of the season. `due` is what becomes due for players and when, `known` what a
    match's end has opened of a match that would be played on, `advice` the players who have said that they can't play
    at a time that would be set or offered, `warnings` what an official should know before the act."""

    version: int
    events: list[Foreseen]
    due: list[str] = []
    known: list[str] = []
    advice: list[str] = []
    warnings: list[str] = []
