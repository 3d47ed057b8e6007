"""The acts on a season as dialogs: what each is called, and what it asks."""

from typing import NamedTuple

from matches.panel.seasons import (
    claim_forms,
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
from matches.seasons.domain import declared, episode_acts, match_acts, roster_acts


class SeasonAct(NamedTuple):
    """An act of `matches.seasons.domain.acts` in the panel; `name` is the same there."""

    name: str
    title: str
    icon: str
    form: type[forms.SeasonForm] = forms.SeasonForm
    warning: str = ""


_FALLS = "A death match that can't have been no longer counts: its loser is back, and what it moved goes back."


def _declared(act: type[declared.SeasonAct], form: type[forms.SeasonForm] | None = None) -> SeasonAct:
    """Return the dialog of a declared act, with a form of its own if it needs one."""
    if act.dialog is None:
        raise TypeError(f"The act `{act.name}` declares no dialog.")
    return SeasonAct(act.name, act.dialog.title, act.dialog.icon, form or form_of(act), act.dialog.warning)


_ALL = (
    _declared(roster_acts.Enrol, forms.NewcomerForm),
    _declared(roster_acts.Withdraw, correction_forms.WithdrawalForm),
    SeasonAct("substitute", "Substitute a player", "swap_horiz", forms.SubstituteForm),
    SeasonAct(
        "rename", "Rename a player", "badge", naming_forms.DisplayNameForm,
        "For this season alone. Its log goes on telling the name of each time.",
    ),
    _declared(roster_acts.Appoint, forms.StaffForm),
    _declared(roster_acts.Dismiss, forms.DismissalForm),
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
    _declared(match_acts.Approve, forms.MatchForm),
    SeasonAct("correct", "Correct a result", "edit_note", forms.CorrectionForm),
    SeasonAct(
        "correct-main-match", "Correct a main match", "edit_note", correction_forms.MainMatchForm,
        "Wins, rewards and tokens go with it; who can't have been EC or DMO no longer is, and a death match that can't "
        "have been no longer counts.",
    ),
    SeasonAct("correct-token", "Correct a token", "edit_note", correction_forms.TokenForm),
    SeasonAct("correct-candidate", "Correct the EC", "edit_note", correction_forms.CandidateForm, _FALLS),
    SeasonAct("correct-opponent", "Correct the DMO", "edit_note", correction_forms.OpponentForm, _FALLS),
    SeasonAct("correct-ban", "Correct a ban", "edit_note", correction_forms.BanForm, _FALLS),
    SeasonAct(
        "rewind", "Rewind a finished match", "history", forms.RewindForm,
        "Its result falls, and it is played on with new draws, paused until its host resumes it. Whoever looked at its "
        "record since the end knows the secrets that the preview names.",
    ),
    _declared(match_acts.Annul, forms.AnnulForm),
    _declared(episode_acts.CloseEpisode),
    _declared(match_acts.OpenFinal),
    SeasonAct("final-match", "Set the final's next match", "playing_cards", SettingForm),
    SeasonAct("garnets", "Move garnets", "diamond", forms.GarnetsForm),
    SeasonAct("answer-claim", "Answer a claim", "balance", claim_forms.AnswerForm, "What follows is another act."),
    SeasonAct("rule", "Post a ruling", "gavel", forms.SeasonRulingForm),
    SeasonAct("set-time", "Set a match's time", "schedule", timing_forms.MatchTimeForm),
    SeasonAct("propose-times", "Propose times", "event_available", timing_forms.TimesForm),
    _declared(match_acts.CheckIn, timing_forms.CheckInForm),
    SeasonAct(
        "absence", "Decide an absence", "person_off", timing_forms.AbsenceForm,
        "A match that is lost by not coming is void at its table; its result awaits approval as any.",
    ),
    SeasonAct("enrol-list", "Paste a list", "playlist_add", intake_forms.ListForm),
    SeasonAct("open-joining", "Make a joining link", "add_link", intake_forms.JoiningForm),
    _declared(roster_acts.RevokeJoining, intake_forms.RevocationForm),
    _declared(roster_acts.Admit, intake_forms.ApplicantForm),
    _declared(roster_acts.Decline, intake_forms.DeclineForm),
    _declared(roster_acts.EnrolLate, intake_forms.LateForm),
    _declared(roster_acts.Reinstate, intake_forms.ReturnForm),
    SeasonAct(
        "change-options", "Change options", "tune", intake_forms.OptionsForm,
        "Options on which something rests by now are not here.",
    ),
    SeasonAct("extend-decision", "Give longer to decide", "more_time", timing_forms.DeadlineForm),
)  # fmt: skip
ACTS = {act.name: act for act in _ALL}
"""The officials' acts by the name in their address. Striking games is for EC and DMO alone, accepting a time for its
players, asking to play and thinking better of it: on their own pages."""
