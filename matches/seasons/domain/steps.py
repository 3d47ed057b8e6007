"""Steps that a season waits for: from whom, until when, by which acts, and what follows if nobody acts. Pure.

Every interface words these steps, and none decides what is due. A new kind is an entry of `COURSE` or `ASIDE`, and a
wording at each interface.
"""

from collections.abc import Callable, Iterator
from datetime import datetime

from msgspec import Struct

from matches.seasons.domain import attendance
from matches.seasons.domain.episodes import FEWEST, candidates_of, nobody_left
from matches.seasons.domain.events import Role
from matches.seasons.domain.options import DUEL
from matches.seasons.domain.prepared_results import is_prepared
from matches.seasons.domain.scheduling import games_left
from matches.seasons.domain.state import Episode, Kind, MatchStatus, Season, SeasonMatch
from matches.seasons.domain.timing_events import Absence, DecisionKind, Default

_DECISIONS: tuple[DecisionKind, ...] = ("token", "candidate", "opponent", "ban")
_ORGANISERS: tuple[Role, ...] = ("organiser",)
_RUNNING_IT: tuple[Role, ...] = ("organiser", "host")
_RESULT_ACTS = ("main-match", "enter-results")


class PendingStep(Struct, frozen=True, kw_only=True):
    """A step that the season waits for.

    It is awaited of those `players` who haven't `done` their part, and of the officials with one of the `roles`. One of
    the `acts` settles it, or the end of the `match`. If nobody acts between `since` and `until`, the `default` follows;
    `is_late` is true once the record says so. `instead_of` is the kind of a step that is no longer possible. `notice`
    identifies the step to officials who are notified of it; it is empty if they aren't.
    """

    kind: str
    acts: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    roles: tuple[Role, ...] = ()
    match: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    default: Default | Absence | None = None
    is_late: bool = False
    instead_of: str | None = None
    notice: str = ""

    @property
    def awaited_of(self) -> list[str]:
        """Return the players who can still act."""
        return [] if self.is_late else [it for it in self.players if it not in self.done]

    @property
    def course_kind(self) -> str:
        """Return the kind of step at which the season's course stands, possible or not."""
        return self.instead_of or self.kind


Finder = Callable[[Season], Iterator[PendingStep]]


def pending_steps(season: Season) -> list[PendingStep]:
    """Return what the season waits for, its course first; nothing once it has a champion."""
    steps = (it for find in (COURSE | ASIDE).values() for it in find(season)) if not season.champion else ()
    return [it for it in steps if it.awaited_of or it.roles]


def pending_decision(season: Season) -> PendingStep | None:
    """Return the decision that players can take, or could until its deadline passed; None if there is none."""
    return next((it for kind in _DECISIONS for it in COURSE[kind](season) if it.players), None)


def choices_for(season: Season, kind: str) -> list[str]:
    """Return the players who can be chosen at a step of this kind, in the order of their enrolment."""
    episode = season.episode
    if episode is None or kind not in ("token", "candidate", "opponent"):
        return []
    if kind == "candidate":
        return candidates_of(season, episode)
    return [it for it in season.exposed if it != episode.candidate]


def _ranking(season: Season) -> Iterator[PendingStep]:
    """Yield each table that has ended while its main match isn't recorded."""
    acts = _result_acts(season)
    for match in _matches(season, "finished", "main"):
        if season.episode and season.episode.number == match.episode:
            yield PendingStep(kind="ranking", roles=_ORGANISERS, acts=acts, match=match.id, notice=_result_of(match))


def _main_match(season: Season) -> Iterator[PendingStep]:
    """Yield the result of a main match that is to be recorded, by hand or as its rules have prepared it."""
    if acts := _result_acts(season):
        yield PendingStep(kind="main_match", roles=_ORGANISERS, acts=acts)


def _result_acts(season: Season) -> tuple[str, ...]:
    """Return the acts that record the main match, the usual one first; none before its tables have ended."""
    if not _can_be_recorded(season):
        return ()
    return ("approve", *_RESULT_ACTS) if is_prepared(season) else _RESULT_ACTS


def _token(season: Season) -> Iterator[PendingStep]:
    if season.episode and season.episode.giving:
        yield _decision(season, "token", (season.episode.giving,))


def _candidate(season: Season) -> Iterator[PendingStep]:
    episode = _naming(season)
    if episode and episode.candidate is None and not nobody_left(season):
        yield _decision(season, "candidate", tuple(it for it in episode.winners if season.players[it].living))


def _opponent(season: Season) -> Iterator[PendingStep]:
    episode = _naming(season)
    if episode and episode.candidate and not nobody_left(season):
        yield _decision(season, "opponent", (episode.candidate,))


def _ban(season: Season) -> Iterator[PendingStep]:
    """Yield the games that EC and DMO may strike until the death match is set."""
    episode, each = _paired(season), season.options.bans_each
    pair = (episode.candidate, episode.opponent) if episode else ()
    struck = [player for player, _ in episode.bans] if episode else []
    done = tuple(it for it in pair if it and struck.count(it) >= each)
    if len(done) < len(pair) and games_left(season, episode):
        yield _decision(season, "ban", tuple(filter(None, pair)), done)


def _close(season: Season) -> Iterator[PendingStep]:
    """Yield the end of an episode that can't go on."""
    if stalled := _stalled(season):
        yield PendingStep(kind="close", roles=_ORGANISERS, acts=("close-episode",), instead_of=stalled)


def _result(season: Season) -> Iterator[PendingStep]:
    """Yield each result to be approved; at the versions inside an approval the one whose consequences follow."""
    for match in _matches(season, "finished", "death", "final"):
        yield PendingStep(kind="result", roles=_ORGANISERS, acts=("approve",), match=match.id, notice=_result_of(match))
    for match in _matches(season, "effective", "death"):
        if season.episode and season.episode.number == match.episode:
            yield PendingStep(kind="result", roles=_ORGANISERS, match=match.id)


def _time(season: Season) -> Iterator[PendingStep]:
    """Yield each match that has no time: somebody sets it, or starts the match."""
    for match in _matches(season, "scheduled"):
        if match.opens_at is None and not match.reopened:
            notice = f"time {match.id} moved {match.moved}"
            yield PendingStep(kind="time", roles=_RUNNING_IT, acts=("set-time",), match=match.id, notice=notice)


def _check_in(season: Season) -> Iterator[PendingStep]:
    for match in _matches(season, "scheduled"):
        if attendance.awaits(season, match):
            yield PendingStep(
                kind="check_in", acts=("check-in",), match=match.id, players=_players(season, match),
                done=attendance.check_in_of(season, match.id).present, since=attendance.opens(season, match),
                until=attendance.closes_at(season, match), default=season.options.absence,
            )  # fmt: skip


def _absence(season: Season) -> Iterator[PendingStep]:
    for match in _matches(season, "scheduled"):
        check_in = attendance.check_in_of(season, match.id)
        if check_in.absent and check_in.ruling is None and not attendance.is_complete(season, match):
            notice = f"absence {match.id} at {match.opens_at}"
            yield PendingStep(kind="absence", roles=_ORGANISERS, acts=("absence",), match=match.id, notice=notice)


def _application(season: Season) -> Iterator[PendingStep]:
    has_room = season.status == "enrolling" and len(season.living) < season.options.most_players
    for it in season.intake.waiting:
        notice = f"application {it.player} {it.link} {season.intake.withdrawals.get(it.player, 0)}"
        acts = ("admit", "decline") if has_room and it.player not in season.staff else ("decline",)
        yield PendingStep(kind="application", roles=_ORGANISERS, acts=acts, notice=notice)


def _claim(season: Season) -> Iterator[PendingStep]:
    for it in season.claims:
        if it.status == "open":
            notice = f"claim {it.number}"
            yield PendingStep(kind="claim", roles=_RUNNING_IT, acts=("answer-claim",), match=it.match, notice=notice)


def _left_to(roles: tuple[Role, ...], kind: str, when: Callable[[Season], object], *acts: str) -> Finder:
    """Return a finder of a step that is left to officials when a condition holds."""
    return lambda season: iter([PendingStep(kind=kind, roles=roles, acts=acts)] if when(season) else [])


def _to_play(kind: str, *kinds: Kind) -> Finder:
    """Return a finder of the matches of these kinds that are to be played."""
    return lambda season: (
        PendingStep(kind=kind, match=it.id, players=_players(season, it))
        for it in _matches(season, "scheduled", *kinds)
    )


COURSE: dict[str, Finder] = {
    "enrolment": _left_to(
        _ORGANISERS, "enrolment", lambda it: not it.episodes and len(it.living) < FEWEST,
        "enrol", "enrol-list", "open-joining",
    ),
    "episode": _left_to(
        _ORGANISERS, "episode", lambda it: not it.episode and not it.final and len(it.living) >= FEWEST, "open-episode"
    ),
    "table": _to_play("table", "main"),
    "main_match": _main_match,
    "ranking": _ranking, "token": _token, "candidate": _candidate, "opponent": _opponent, "ban": _ban,
    "death_match": _left_to(
        _RUNNING_IT, "death_match", lambda it: _paired(it) and games_left(it, it.episode), "death-match"
    ),
    "close": _close,
    "final": _left_to(
        _ORGANISERS, "final",
        lambda it: it.episodes and not it.episode and not it.final and len(it.living) == DUEL, "final",
    ),
    "final_match": _left_to(
        _RUNNING_IT, "final_match",
        lambda it: it.final and not any(match.open for match in it.of_episode(0, "final")), "final-match",
    ),
    "duel": _to_play("duel", "death", "final"), "result": _result,
}  # fmt: skip
"""The kinds of steps that lead from the enrolment to the champion. One of them is always pending before that."""
ASIDE: dict[str, Finder] = {
    "time": _time, "check_in": _check_in, "absence": _absence, "application": _application, "claim": _claim,
}  # fmt: skip
"""The kinds of steps beside that course."""


def _decision(season: Season, kind: DecisionKind, players: tuple[str, ...], done: tuple[str, ...] = ()) -> PendingStep:
    """Return a decision of these players, with the deadline that was announced for it."""
    stored, number = season.timing.awaited, season.episode_number
    key = (kind, number, players)
    awaited = stored if stored and (stored.decision, stored.episode, stored.players) == key else None
    is_late = awaited is not None and awaited.lapsed
    is_left = kind != "ban" and (is_late or not players)
    return PendingStep(
        kind=kind, acts=(kind,), players=players, done=done, roles=_ORGANISERS if is_left else (), is_late=is_late,
        until=datetime.fromisoformat(awaited.until) if awaited else None,
        default="none" if kind == "ban" else season.options.decision_default,
        notice=f"decision {kind} of episode {number} until {awaited.until}" if awaited and is_left else "",
    )  # fmt: skip


def _players(season: Season, match: SeasonMatch) -> tuple[str, ...]:
    """Return who plays at a match and hasn't left the season."""
    return tuple(it for it in match.players if season.players[it].living)


def _matches(season: Season, status: MatchStatus, *kinds: Kind) -> list[SeasonMatch]:
    return [it for it in season.matches.values() if it.status == status and (not kinds or it.kind in kinds)]


def _result_of(match: SeasonMatch) -> str:
    return f"result {match.id} played {match.reopened}"


def _naming(season: Season) -> Episode | None:
    """Return the open episode while its EC or DMO is to be named."""
    episode = season.episode
    return episode if episode and episode.recorded and not episode.giving and not episode.opponent else None


def _paired(season: Season) -> Episode | None:
    """Return the open episode while its EC and DMO wait for their death match."""
    episode = season.episode
    if episode is None or not (episode.candidate and episode.opponent):
        return None
    is_set = any(it.status != "annulled" for it in season.of_episode(episode.number, "death"))
    return None if is_set else episode


def _can_be_recorded(season: Season) -> bool:
    """True if a main match is to be recorded and none of its tables still plays."""
    is_open = season.episode is not None and not season.episode.recorded
    return is_open and not _stalled(season) and not _matches(season, "scheduled", "main")


def _stalled(season: Season) -> str | None:
    """Return the kind of the open episode's step that isn't possible any more; None if it can go on."""
    episode = season.episode
    if episode and not episode.recorded and len(season.living) < FEWEST:
        return "main_match"
    if (episode := _naming(season)) and nobody_left(season):
        return "opponent" if episode.candidate else "candidate"
    if (episode := _paired(season)) and not games_left(season, episode):
        return "death_match"
    return None
