"""The acts on a season as dialogs: what each is called, and what it asks."""

from typing import NamedTuple

from matches.panel.seasons import (
    correction_forms,
    intake_forms,
    naming_forms,
    result_forms,
    seating_forms,
    timing_forms,
)
from matches.panel.seasons import forms as forms
from matches.panel.seasons.declared_forms import form_of
from matches.panel.seasons.match_forms import SettingForm, TableForm
from matches.seasons.domain import (
    claim_acts,
    correction_acts,
    declared,
    episode_acts,
    garnet_acts,
    intake_acts,
    match_acts,
    result_acts,
    roster_acts,
    timing_acts,
)


class SeasonAct(NamedTuple):
    """An act of `matches.seasons.domain.acts` in the panel; `name` is the same there."""

    name: str
    title: str
    icon: str
    form: type[forms.SeasonForm] = forms.SeasonForm
    warning: str = ""


def _declared(act: type[declared.SeasonAct], form: type[forms.SeasonForm] | None = None) -> SeasonAct:
    """Return the dialog of a declared act, with a form of its own if it needs one."""
    if act.dialog is None:
        raise TypeError(f"The act `{act.name}` declares no dialog.")
    return SeasonAct(act.name, act.dialog.title, act.dialog.icon, form or form_of(act), act.dialog.warning)


_ALL = (
    _declared(roster_acts.Enrol),
    _declared(roster_acts.Withdraw),
    _declared(roster_acts.Substitute),
    SeasonAct(
        "rename", "Rename a player", "badge", naming_forms.DisplayNameForm,
        "For this season alone. Its log goes on telling the name of each time.",
    ),
    _declared(roster_acts.Appoint),
    _declared(roster_acts.Dismiss),
    _declared(episode_acts.OpenEpisode),
    SeasonAct("table", "Set a table", "table_restaurant", TableForm),
    SeasonAct("tables", "Seat the tables", "table_bar", seating_forms.TablesForm),
    SeasonAct(
        "draw-tables", "Draw the tables", "casino", seating_forms.DrawForm,
        "From the season's own chance; everyone can check the draw. Nothing shows it before it is in the record.",
    ),
    SeasonAct("main-match", "Record the main match", "fact_check", forms.ResultForm),
    SeasonAct(
        "enter-results", "Enter all results", "table_view", result_forms.ResultTableForm,
        "The best of each match have won and get a token of life, the last have lost. All of the table is recorded, or "
        "nothing.",
    ),
    _declared(episode_acts.GiveToken),
    _declared(episode_acts.NameCandidate),
    _declared(episode_acts.NameOpponent),
    SeasonAct("death-match", "Set the death match", "playing_cards", SettingForm),
    _declared(result_acts.Approve),
    _declared(result_acts.CorrectResult, correction_forms.ResultForm),
    _declared(correction_acts.CorrectMainMatch, correction_forms.MainMatchForm),
    _declared(correction_acts.CorrectToken, correction_forms.TokenForm),
    _declared(correction_acts.CorrectCandidate, correction_forms.CandidateForm),
    _declared(correction_acts.CorrectOpponent, correction_forms.OpponentForm),
    _declared(correction_acts.CorrectBan, correction_forms.BanForm),
    _declared(result_acts.Rewind),
    _declared(result_acts.Annul),
    _declared(episode_acts.CloseEpisode),
    _declared(match_acts.OpenFinal),
    SeasonAct("final-match", "Set the final's next match", "playing_cards", SettingForm),
    _declared(garnet_acts.MoveGarnets, forms.GarnetsForm),
    _declared(claim_acts.AnswerClaim),
    _declared(claim_acts.PostRuling),
    _declared(timing_acts.SetTime, timing_forms.MatchTimeForm),
    _declared(timing_acts.ProposeTimes, timing_forms.TimesForm),
    _declared(timing_acts.CheckIn, timing_forms.CheckInForm),
    _declared(timing_acts.DecideAbsence),
    _declared(intake_acts.EnrolList, intake_forms.ListForm),
    _declared(intake_acts.OpenJoining),
    _declared(intake_acts.RevokeJoining),
    _declared(intake_acts.Admit, intake_forms.ApplicantForm),
    _declared(intake_acts.Decline, intake_forms.DeclineForm),
    _declared(intake_acts.EnrolLate),
    _declared(intake_acts.Reinstate),
    SeasonAct(
        "change-options", "Change options", "tune", intake_forms.OptionsForm,
        "Options on which something rests by now are not here.",
    ),
    _declared(timing_acts.ExtendDecision),
)  # fmt: skip
ACTS = {act.name: act for act in _ALL}
"""The officials' acts by the name in their address. Striking games is for EC and DMO alone, accepting a time for its
players, asking to play and thinking better of it: on their own pages."""
