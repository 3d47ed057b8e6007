"""The acts on a season as dialogs: what each is called, and what it asks."""

from typing import NamedTuple

from matches.panel.seasons import (
    correction_forms,
    forms,
    intake_forms,
    match_forms,
    naming_forms,
    result_forms,
    seating_forms,
    timing_forms,
)
from matches.panel.seasons.declared_forms import form_of
from matches.seasons.domain import (
    claim_acts,
    correction_acts,
    declared,
    episode_acts,
    garnet_acts,
    intake_acts,
    match_acts,
    option_acts,
    result_acts,
    roster_acts,
    timing_acts,
)


class SeasonAct(NamedTuple):
    """An act of `matches.seasons.domain.acts` in the panel; `name` is the same there."""

    name: str
    title: str
    icon: str
    form: type[forms.SeasonForm]
    warning: str
    settles: bool


def dialog_of_act(act: type[declared.SeasonAct], form: type[forms.SeasonForm] | None = None) -> SeasonAct:
    """Return the dialog of an act, with a form of its own if it needs one."""
    if act.dialog is None:
        raise TypeError(f"The act `{act.name}` declares no dialog, so the panel can't show it.")
    return SeasonAct(act.name, act.dialog.title, act.dialog.icon, form or form_of(act), act.dialog.warning, act.settles)


_ALL = (
    dialog_of_act(roster_acts.Enrol),
    dialog_of_act(roster_acts.Withdraw),
    dialog_of_act(roster_acts.Substitute),
    dialog_of_act(option_acts.Rename, naming_forms.DisplayNameForm),
    dialog_of_act(roster_acts.Appoint),
    dialog_of_act(roster_acts.Dismiss),
    dialog_of_act(episode_acts.OpenEpisode),
    dialog_of_act(match_acts.SetTable, match_forms.TableForm),
    dialog_of_act(match_acts.SetTables, seating_forms.TablesForm),
    dialog_of_act(match_acts.DrawTables, seating_forms.DrawForm),
    dialog_of_act(result_acts.RecordMainMatch, forms.ResultForm),
    dialog_of_act(result_acts.EnterResults, result_forms.ResultTableForm),
    dialog_of_act(episode_acts.GiveToken),
    dialog_of_act(episode_acts.NameCandidate),
    dialog_of_act(episode_acts.NameOpponent),
    dialog_of_act(match_acts.SetDeathMatch, match_forms.DeathMatchForm),
    dialog_of_act(result_acts.Approve),
    dialog_of_act(result_acts.CorrectResult, correction_forms.WinnerForm),
    dialog_of_act(correction_acts.CorrectMainMatch, correction_forms.MainMatchForm),
    dialog_of_act(correction_acts.CorrectToken, correction_forms.TokenForm),
    dialog_of_act(correction_acts.CorrectCandidate, correction_forms.CandidateForm),
    dialog_of_act(correction_acts.CorrectOpponent, correction_forms.OpponentForm),
    dialog_of_act(correction_acts.CorrectBan, correction_forms.BanForm),
    dialog_of_act(result_acts.Rewind),
    dialog_of_act(result_acts.Annul),
    dialog_of_act(episode_acts.CloseEpisode),
    dialog_of_act(match_acts.OpenFinal),
    dialog_of_act(match_acts.SetFinalMatch, match_forms.FinalMatchForm),
    dialog_of_act(garnet_acts.MoveGarnets, forms.GarnetsForm),
    dialog_of_act(claim_acts.AnswerClaim),
    dialog_of_act(claim_acts.PostRuling),
    dialog_of_act(timing_acts.SetTime, timing_forms.MatchTimeForm),
    dialog_of_act(timing_acts.ProposeTimes, timing_forms.TimesForm),
    dialog_of_act(timing_acts.CheckIn, timing_forms.CheckInForm),
    dialog_of_act(timing_acts.DecideAbsence),
    dialog_of_act(intake_acts.EnrolList, intake_forms.ListForm),
    dialog_of_act(intake_acts.OpenJoining),
    dialog_of_act(intake_acts.RevokeJoining),
    dialog_of_act(intake_acts.Admit, intake_forms.ApplicantForm),
    dialog_of_act(intake_acts.Decline, intake_forms.DeclineForm),
    dialog_of_act(intake_acts.EnrolLate),
    dialog_of_act(intake_acts.Reinstate),
    dialog_of_act(option_acts.ChangeOptions, intake_forms.OptionsForm),
    dialog_of_act(timing_acts.ExtendDecision),
)
ACTS = {act.name: act for act in _ALL}
"""The officials' acts by the name in their address. Striking games is for EC and DMO alone, accepting a time for its
players, asking to play and thinking better of it: on their own pages."""
