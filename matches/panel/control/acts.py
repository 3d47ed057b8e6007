"""A host's declared acts as dialogs, by the names in their addresses."""

from typing import NamedTuple

from games.kernel.messages import type_name
from matches.domain.declared_host_acts import HOST_ACTS, HostAct, Void
from matches.panel.control.forms import ActForm, ConfirmedForm, form_of
from matches.panel.entry import ControlRoom


class HostDialog(NamedTuple):
    """An act in a control room: its name there, title and icon, the events that it appends, a warning, and its form."""

    name: str
    title: str
    icon: str
    appends: str
    warning: str
    act: type[HostAct]
    form: type[ActForm]


_FORMS: dict[type[HostAct], type[ActForm]] = {Void: form_of(Void, ConfirmedForm)}
"""The forms of acts that ask for more than their values."""


def dialog_of(act: type[HostAct]) -> HostDialog:
    """Return the dialog of an act; raise TypeError for one that declares none."""
    if act.dialog is None:
        raise TypeError(f"The act `{act.name}` declares no dialog, so the panel can't show it.")
    title, icon, warning, _ = act.dialog
    appends = ", ".join(map(type_name, act.appends))
    form = _FORMS.get(act) or form_of(act)
    return HostDialog(act.address or act.name, title, icon, appends, warning, act, form)


ACTS = {it.name: it for it in (dialog_of(act) for act in HOST_ACTS if act.dialog)}
"""All dialogs in the order in which a room offers them. Rewinding has a page of its own."""


def offered(room: ControlRoom) -> list[HostDialog]:
    """Return the dialogs of the acts that the match allows its host now."""
    return [it for it in ACTS.values() if it.act.is_offered(room.lifecycle) and room.may(it.act.name)]
