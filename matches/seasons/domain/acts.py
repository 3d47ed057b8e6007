"""All acts on a season, and what may be asked of each as it stands: the decider itself is tried. Pure."""

from typing import Any

from msgspec import Struct

from games.kernel import Illegal
from matches.seasons.domain import (
    claim_acts,
    correction_acts,
    episode_acts,
    garnet_acts,
    intake_acts,
    match_acts,
    option_acts,
    result_acts,
    roster_acts,
    timing_acts,
)
from matches.seasons.domain.deciding import Caller
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.state import Season

_ALL: tuple[type[SeasonAct], ...] = (
    roster_acts.Enrol, roster_acts.Withdraw, roster_acts.Substitute, option_acts.Rename, roster_acts.Appoint,
    roster_acts.Dismiss, episode_acts.OpenEpisode, match_acts.SetTable, match_acts.SetTables, match_acts.DrawTables,
    result_acts.RecordMainMatch, result_acts.EnterResults, *episode_acts.DECISIONS.values(), match_acts.SetDeathMatch,
    result_acts.Approve, result_acts.CorrectResult, correction_acts.CorrectMainMatch, correction_acts.CorrectToken,
    correction_acts.CorrectCandidate, correction_acts.CorrectOpponent, correction_acts.CorrectBan, result_acts.Rewind,
    result_acts.Annul, episode_acts.CloseEpisode, match_acts.OpenFinal, match_acts.SetFinalMatch,
    garnet_acts.MoveGarnets, claim_acts.MakeClaim, claim_acts.WithdrawClaim, claim_acts.AnswerClaim,
    claim_acts.PostRuling, timing_acts.SetTime, timing_acts.ProposeTimes, timing_acts.AcceptTime, timing_acts.CheckIn,
    timing_acts.DecideAbsence, intake_acts.EnrolList, intake_acts.OpenJoining, intake_acts.RevokeJoining,
    intake_acts.Apply, intake_acts.WithdrawApplication, intake_acts.Admit, intake_acts.Decline, intake_acts.EnrolLate,
    intake_acts.Reinstate, option_acts.ChangeOptions, timing_acts.ExtendDecision,
)  # fmt: skip
ACTS = {act.name: act for act in _ALL}
"""All acts by the name in their address, in the order of their dialogs."""


class Offer(Struct, frozen=True):
    """The acts that are accepted of those tried; if none is, `refusal` is the decider's sentence for the first of
    them."""

    choices: list[SeasonAct]
    refusal: str = ""
    code: str = ""

    @property
    def is_available(self) -> bool:
        """True if the act can be asked for."""
        return bool(self.choices)

    def values(self, name: str) -> list[Any]:
        """Return the accepted values of a field, each once."""
        return list(dict.fromkeys(getattr(it, name) for it in self.choices))


def offer(season: Season, by: Caller, name: str) -> Offer:
    """Return what this caller may ask for by the act of this name."""
    choices: list[SeasonAct] = []
    refusal: Illegal | None = None
    for act in ACTS[name].tries(season, by):
        try:
            act.decide(season, by)
        except Illegal as illegal:
            refusal = refusal or illegal
        else:
            choices.append(act)
    if choices or refusal is None:
        return Offer(choices)
    return Offer([], refusal.message, refusal.code)


def refusal_of(season: Season, by: Caller, act: SeasonAct) -> str:
    """Return what the decider refuses this act with; empty if it doesn't."""
    try:
        act.decide(season, by)
    except Illegal as illegal:
        return illegal.message
    return ""


def offers(season: Season, by: Caller) -> dict[str, Offer]:
    """Return what this caller may ask for, by act."""
    return {name: offer(season, by, name) for name in ACTS}
