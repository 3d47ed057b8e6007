"""The dialogs of the acts on a season: title, icon, form and warning."""

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
    acts,
    correction_acts,
    declared,
    garnet_acts,
    intake_acts,
    match_acts,
    option_acts,
    result_acts,
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
    section: declared.Section | None


def dialog_of_act(act: type[declared.SeasonAct], form: type[forms.SeasonForm] | None = None) -> SeasonAct:
    """Return the dialog of an act, with a form of its own if it needs one."""
    if act.dialog is None:
        raise TypeError(f"The act `{act.name}` declares no dialog, so the panel can't show it.")
    dialog = act.dialog
    return SeasonAct(
        act.name, dialog.title, dialog.icon, form or form_of(act), dialog.warning, act.settles, act.section
    )  # fmt: skip


_FORMS: dict[type[declared.SeasonAct], type[forms.SeasonForm]] = {
    option_acts.Rename: naming_forms.DisplayNameForm,
    match_acts.SetTable: match_forms.TableForm,
    match_acts.SetTables: seating_forms.TablesForm,
    match_acts.DrawTables: seating_forms.DrawForm,
    match_acts.SetDeathMatch: match_forms.DeathMatchForm,
    match_acts.SetFinalMatch: match_forms.FinalMatchForm,
    result_acts.RecordMainMatch: forms.ResultForm,
    result_acts.EnterResults: result_forms.ResultTableForm,
    result_acts.CorrectResult: correction_forms.WinnerForm,
    correction_acts.CorrectMainMatch: correction_forms.MainMatchForm,
    correction_acts.CorrectToken: correction_forms.TokenForm,
    correction_acts.CorrectCandidate: correction_forms.CandidateForm,
    correction_acts.CorrectOpponent: correction_forms.OpponentForm,
    correction_acts.CorrectBan: correction_forms.BanForm,
    garnet_acts.MoveGarnets: forms.GarnetsForm,
    timing_acts.SetTime: timing_forms.MatchTimeForm,
    timing_acts.ProposeTimes: timing_forms.TimesForm,
    timing_acts.CheckIn: timing_forms.CheckInForm,
    intake_acts.EnrolList: intake_forms.ListForm,
    intake_acts.Admit: intake_forms.ApplicantForm,
    intake_acts.Decline: intake_forms.DeclineForm,
    option_acts.ChangeOptions: intake_forms.OptionsForm,
}
"""The forms of acts that need more than one field for each value."""
ACTS = {act.name: dialog_of_act(act, _FORMS.get(act)) for act in acts.ACTS.values() if act.dialog}
"""The officials' acts by the name in their URL. Acts without a dialog are for players only, on their own pages:
striking games, accepting a time, applying and withdrawing an application."""
