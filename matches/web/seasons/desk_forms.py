"""The forms of a player's desk, made from the declarations of the acts: what they read, show and offer."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from msgspec import structs

from games import catalogue
from matches.domain.declared import Ask, Kind, kinds_of, labels_of
from matches.html.declared_fields import act_of, fields_of
from matches.html.fields import LONGEST_REASON, Fields, Widgets
from matches.html.moments import MomentField
from matches.http.problems import Problem
from matches.seasons import services
from matches.seasons.domain.acts import ACTS, Offer, offer
from matches.seasons.domain.declared import DeskForm, SeasonAct
from matches.seasons.domain.state import Season
from matches.seasons.reads.sentences import Name
from matches.web.seasons.desk import Desk
from matches.web.seasons.foreseeing import shown

_CONFIRMED = "sure"
"""The box to tick before an act that can't be undone."""
_LONGEST_VALUE = 100
_MISSING: Final[dict[Kind, Promise]] = {
    "game": gettext_lazy("Choose a game first."),
    "garnets": gettext_lazy("Give a whole number of garnets, at least 1."),
    "player": gettext_lazy("Choose a player first."),
    "reason": gettext_lazy("Say why, in at most %(most)s characters. It becomes part of the season's record."),
}
"""The refusals of forms without a value of these kinds."""


class OpenChoiceField(forms.TypedChoiceField):
    """A choice that isn't limited to the shown ones: the decider refuses the others, and says why."""

    def valid_value(self, value: str) -> bool:
        """True if the value isn't too long."""
        return len(value) <= _LONGEST_VALUE


FIELDS = Fields(
    Widgets(
        line=forms.TextInput,
        statement=forms.Textarea(attrs={"rows": 4}),
        reason=forms.TextInput(attrs={"autocomplete": "off"}),
        select=forms.Select,
        ticks=forms.CheckboxSelectMultiple,
        tick=forms.CheckboxInput,
        number=forms.NumberInput(attrs={"inputmode": "numeric"}),
    ),
    OpenChoiceField,
)


class ActForm:
    """The form of an act: `inputs` are its fields, `place` is unique on the page. A refused form has the context of its
    preview in `foreseen`."""

    def __init__(self, act: type[SeasonAct], desk: Desk, data: QueryDict | None = None, beside: str = "") -> None:
        """Make the form as it was sent, or an empty one `beside` a thing with this value."""
        self.act, self.name, self.desk = act, act.name, desk
        self.words = act.desk or DeskForm("", "")
        value = data.get(self.words.beside, "") if data is not None else beside
        self.place = f"{act.name}-{value}" if value else act.name
        initial = {self.words.beside: value}
        self.inputs: forms.Form = inputs_of(act)(data, auto_id=f"{self.place}-%s", initial=initial)
        self.foreseen: dict[str, Any] = {}
        for name, field in self.inputs.fields.items():
            missing = _MISSING.get(kinds_of(act).get(name, "plain"), _("“%(field)s” is missing."))
            field.error_messages["required"] = missing % {"field": field.label, "most": LONGEST_REASON}
            if isinstance(field, MomentField):
                field.zone = desk.account.time_zone
                field.error_messages["invalid"] = _("Write a date and a time, as 2030-01-31 18:00.")

    @property
    def title(self) -> str:
        return _(self.words.title)

    @property
    def press(self) -> str:
        """Return the text of the button."""
        return _(self.words.press)

    @property
    def hint(self) -> str:
        return _(self.words.hint) if self.words.hint else ""

    @property
    def has_times(self) -> bool:
        """True if the form asks for times: they are in the player's time zone."""
        return any(isinstance(it, MomentField) for it in self.inputs.fields.values())

    def to_act(self) -> SeasonAct:
        """Return the act that the form contains; raise Problem if a value is missing or malformed."""
        fields = self.inputs.fields
        choices = [name for name, it in fields.items() if isinstance(it, OpenChoiceField)]
        if any(len(set(self.inputs.data.getlist(it))) > 1 for it in choices):
            raise Problem("malformed", _("You chose another one than the button named. Choose again."))
        for name, faults in self.inputs.errors.as_data().items():
            sentence = faults[0].messages[0]
            is_missing = faults[0].code == "required"
            raise Problem("malformed", sentence if is_missing else f"{fields[name].label}: {sentence}")
        return act_of(self.act, self.inputs.cleaned_data | {self.act.own: self.desk.player})

    def foresee(self) -> dict[str, Any]:
        """Return a preview of the act, or the reason why it would be refused, as a template's context."""
        by = self.desk.account
        return shown(lambda: services.preview(season_id=self.desk.row.id, by=by, decide=self.to_act().decide))

    def offer(self, offered: Offer, call: Name) -> None:
        """Set the choices that the decider accepts, and where garnets begin."""
        season = self.desk.state
        for field in structs.fields(self.act):
            kind = kinds_of(self.act)[field.name]
            if field.name not in self.inputs.fields or field.name == self.words.beside:
                continue
            values, widget = offered.values(field.name), self.inputs.fields[field.name].widget
            if kind == "garnets":
                self.inputs.initial[field.name] = values[0]
                widget.attrs["max"] = season.players[self.desk.player].garnets
            elif (labels := _labels(season, kind, field.type, call)) is not None:
                none = self.words.asks.get(field.name, Ask()).words.get("", "-")
                widget.choices = _choices(values, labels, _(none))


def _labels(season: Season, kind: Kind, declared: Any, call: Name) -> Mapping[str, str] | None:
    """Return the values of a kind in the season, each with its label; None for a kind that isn't chosen."""
    match kind:
        case "player":
            return {it: call(it) for it in season.players}
        case "match":
            matches = [it for it in reversed(season.matches.values()) if it.status != "annulled"]
            return {it.id: f"{it.title}: {', '.join(map(call, it.players))}" for it in matches}
        case "game":
            return {it: catalogue[it].title for it in season.options.pool}
        case "numbered":
            return {str(number): label for number, label in labels_of(declared)(season, call).items()}
        case _:
            return None


def _choices(values: list[Any], labels: Mapping[str, str], none: str) -> list[tuple[str, str]]:
    """Return the accepted values with their labels; all there are if only `none` was tried."""
    accepted = [str(it) for it in values if it is not None] or labels
    return [*([("", none)] if None in values else []), *((it, labels[it]) for it in accepted if it in labels)]


class DeskForms:
    """The forms on a player's desk. A refused one is shown as it was filled in."""

    def __init__(self, desk: Desk, call: Name, refused: ActForm | None = None) -> None:
        self._desk, self._call, self._refused = desk, call, refused
        self._by = desk.by

    def listed(self) -> list[ActForm]:
        """Return the forms of all acts that the player may ask for, those that can't be undone last."""
        acts = [it for it in ACTS.values() if is_for_players(it) and it.desk and not it.desk.beside]
        listed = [form for it in acts if (form := self._form(it, offer(self._desk.state, self._by, it.name)))]
        return sorted(listed, key=lambda it: bool(it.words.confirm))

    def beside(self, act: type[SeasonAct], value: str) -> ActForm | None:
        """Return the form of an act beside the thing with this value; None if the player may not ask for it."""
        offered = offer(self._desk.state, self._by, act.name)
        return self._form(act, offered, value) if act.desk and value in offered.values(act.desk.beside) else None

    def _form(self, act: type[SeasonAct], offered: Offer, value: str = "") -> ActForm | None:
        if not offered.is_available:
            return None
        form = ActForm(act, self._desk, beside=value)
        if self._refused is not None and self._refused.place == form.place:
            form = self._refused
        form.offer(offered, self._call)
        return form


@cache
def inputs_of(act: type[SeasonAct]) -> type[forms.Form]:
    """Return the form with the values that the desk asks for; raise TypeError for a value without a field."""
    words = act.desk or DeskForm("", "")
    fields = fields_of(act, FIELDS, words.asks, (act.own, *words.omits))
    if words.beside:
        fields[words.beside].widget = forms.HiddenInput()
    if words.confirm:
        fields[_CONFIRMED] = FIELDS.tick(gettext_lazy(words.confirm))
    return type(f"{act.__name__}Form", (forms.Form,), {**fields, "__doc__": act.__doc__})


def is_for_players(act: type[SeasonAct]) -> bool:
    """True if players may post the act at their desk."""
    return act.rest is not None and act.rest.is_for_players


for _act in filter(is_for_players, ACTS.values()):
    inputs_of(_act)
