"""A host's acts as dialogs: the rows of `matches.http.host_acts` by the names in their URLs."""

from matches.http.host_acts import HOST_ACTS, HostAct
from matches.panel.control import forms
from matches.panel.entry import ControlRoom

ACTS = {act.dialog.name: act for act in HOST_ACTS if act.dialog}
"""All acts in the order in which a room offers them. Rewinding has a page of its own."""
_FORMS: dict[str, type[forms.ActForm]] = {
    "extend": forms.TimeForm,
    "rule": forms.RulingForm,
    "answer_appeal": forms.AnswerForm,
    "seat_stand_in": forms.StandInForm,
    "end_stand_in": forms.EndStandInForm,
    "substitute": forms.SubstituteForm,
    "adjudicate": forms.WinnersForm,
    "void": forms.VoidForm,
}


def form_of(act: HostAct) -> type[forms.ActForm]:
    """Return the form of the act's dialog; by default it has only a reason."""
    return _FORMS.get(act.name, forms.ActForm)


def offered(room: ControlRoom) -> list[HostAct]:
    """Return the acts that the match allows its host now."""
    return [act for act in ACTS.values() if act.dialog.offered(room.story) and room.may(act.name)]
