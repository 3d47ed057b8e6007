"""The accounts that an act of a season concerns in person, and why. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from msgspec import Struct

from games.kernel import Event
from matches.seasons.domain import events as season_events
from matches.seasons.domain.state import Season
from matches.seasons.domain.steps import PendingStep, pending_decision

Concern = Literal[
    "decision_awaited",
    "decision_made",
    "correction",
    "appointment",
    "claim",
    "invitation",
    "application",
    "official",
]
_CORRECTING = (
    season_events.MainMatchCorrected, season_events.TokensCorrected, season_events.PairCorrected,
    season_events.EliminationReversed, season_events.PlayerReinstated, season_events.PlayerReturned,
    season_events.ResultCorrected, season_events.MatchAnnulled, season_events.MatchReopened,
    season_events.GarnetsShort,
)  # fmt: skip


class ActEvent(Struct, frozen=True):
    """An event of an act, and the season before it."""

    before: Season
    event: Event


class Concerned(Struct, frozen=True):
    """An event of an act, the accounts that it concerns and why, the season before it, and its place in the act."""

    concern: Concern
    accounts: frozenset[str]
    event: Event
    season: Season
    place: int


def concerns(act: Sequence[ActEvent]) -> Iterator[Concerned]:
    """Yield whom each event of an act concerns; the actor may be among them."""
    decision = pending_decision(act[0].before)
    deciding = decision.players if decision else ()
    corrects = any(isinstance(step.event, _CORRECTING) for step in act)
    for place, step in enumerate(act):
        concerned = _of_decisions(step, deciding) or _of_times(step) or _of_claims(step) or _of_intake(step)
        if concerned is None and corrects:
            concerned = _of_corrections(step)
        for concern, accounts in filter(None, (concerned, _of_officials(step))):
            yield Concerned(concern, frozenset(accounts), step.event, step.before, place)


def undated(act: Sequence[ActEvent], after: Season) -> PendingStep | None:
    """Return the decision without a deadline that an act has left to players; None if it left none."""
    before, is_dated = act[0].before, any(isinstance(step.event, season_events.DecisionAwaited) for step in act)
    old, new = pending_decision(before), pending_decision(after)
    is_old = (
        old and new and (old.kind, old.players, before.episode_number) == (new.kind, new.players, after.episode_number)
    )
    return None if is_dated or is_old else new


_Found = tuple[Concern, Iterable[str]] | None


def _of_decisions(step: ActEvent, deciding: Sequence[str]) -> _Found:
    match step.event:
        case season_events.DecisionAwaited(players=players) | season_events.DecisionReminded(players=players):
            return "decision_awaited", players
        case season_events.DecisionExtended():
            awaited = step.before.timing.awaited
            return "decision_awaited", awaited.players if awaited else ()
        case season_events.DecisionLapsed(players=players, default="organiser"):
            return "decision_awaited", [*players, *staff(step.before, "organiser")]
        case season_events.DecisionLapsed(players=players):
            return "decision_made", players
        case (
            season_events.TokenGranted(player=player)
            | season_events.CandidateNamed(player=player)
            | season_events.OpponentNamed(player=player)
        ):
            return "decision_made", [player, *deciding]
        case season_events.GameBanned():
            return "decision_made", deciding
        case _:
            return None


def _of_times(step: ActEvent) -> _Found:
    match step.event:
        case (
            season_events.MainMatchScheduled(players=players)
            | season_events.DeathMatchScheduled(players=players)
            | season_events.FinalMatchScheduled(players=players)
        ):
            return "appointment", players
        case season_events.CheckInClosed(absent=absent):
            asks = absent and step.before.options.absence == "organiser"
            return ("decision_awaited", staff(step.before, "organiser")) if asks else None
        case (
            season_events.TimesProposed(match=match)
            | season_events.TimeAccepted(match=match)
            | season_events.MatchTimeSet(match=match)
            | season_events.CheckInExtended(match=match)
            | season_events.AbsenceDecided(match=match)
            | season_events.MatchForfeited(match=match)
        ):
            return "appointment", step.before.matches[match].players
        case _:
            return None


def _of_claims(step: ActEvent) -> _Found:
    match step.event:
        case season_events.ClaimMade() | season_events.ClaimWithdrawn():
            return "claim", staff(step.before, "organiser", "host")
        case season_events.ClaimAnswered(number=number):
            claim = step.before.claims[number - 1]
            return "claim", [claim.player, *(step.before.matches[claim.match].players if claim.match else ())]
        case _:
            return None


def _of_intake(step: ActEvent) -> _Found:
    match step.event:
        case season_events.PlayerEnrolled(player=player) | season_events.PlayerJoinedLate(player=player):
            # Who applied isn't invited, but answered.
            return "application" if player in step.before.intake.applications else "invitation", [player]
        case season_events.PlayerSubstituted(newcomer=player):
            return "invitation", [player]
        case season_events.ApplicationDeclined(player=player):
            return "application", [player]
        case _:
            return None


def _of_officials(step: ActEvent) -> _Found:
    """Return the officials to whom the event leaves something."""
    match step.event:
        case season_events.PlayerApplied():
            return "official", staff(step.before, "organiser")
        case season_events.DeathMatchFinished() | season_events.FinalMatchFinished() if step.before.options.approval:
            return "official", staff(step.before, "organiser")
        case (
            season_events.MainMatchScheduled(opens_at=None)
            | season_events.DeathMatchScheduled(opens_at=None)
            | season_events.FinalMatchScheduled(opens_at=None)
            | season_events.MatchTimeSet(opens_at=None)
        ):
            return "official", staff(step.before, "organiser", "host")
        case _:
            return None


def _of_corrections(step: ActEvent) -> _Found:
    """Return whom an event of a correction concerns, its consequences included."""
    before = step.before
    match step.event:
        case season_events.MainMatchCorrected(episode=number, winners=winners, candidates=candidates, rewards=rewards):
            was = before.episodes[number - 1]
            lists = {*was.winners} ^ {*winners} | {*was.candidates} ^ {*candidates}
            return "correction", lists | _differing(was.rewards, rewards)
        case season_events.TokensCorrected(episode=number, tokens=tokens, given=given, giving=giving):
            was = before.episodes[number - 1]
            holders = _differing(was.tokens, tokens)
            gift = set() if was.given == given else {*(was.given or ()), *(given or ())}
            turn = {was.giving, giving} if was.giving != giving else set()
            return "correction", holders | gift | {it for it in turn if it}
        case season_events.PairCorrected(episode=number, candidate=candidate, opponent=opponent, bans=bans):
            was = before.episodes[number - 1]
            roles = [(was.candidate, candidate), (was.opponent, opponent)]
            moved = {it for pair in roles if pair[0] != pair[1] for it in pair if it}
            return "correction", moved | {player for player, _ in {*was.bans} ^ {*bans}}
        case season_events.GarnetsMoved(source=source, target=target):
            return "correction", [it for it in (source, target) if it]
        case (
            season_events.EliminationReversed(player=player)
            | season_events.PlayerReinstated(player=player)
            | season_events.PlayerReturned(player=player)
            | season_events.PlayerEliminated(player=player)
            | season_events.GarnetsShort(player=player)
        ):
            return "correction", [player]
        case (
            season_events.ResultCorrected(match=match)
            | season_events.MatchAnnulled(match=match)
            | season_events.MatchReopened(match=match)
        ):
            return "correction", before.matches[match].players
        case _:
            return None


def _differing(was: dict[str, int], now: dict[str, int]) -> set[str]:
    return {it for it in {*was, *now} if was.get(it, 0) != now.get(it, 0)}


def staff(season: Season, *roles: str) -> list[str]:
    """Return the accounts with one of these roles. Players and former players have none."""
    return [account for account, role in season.staff.items() if role in roles and account not in season.players]
