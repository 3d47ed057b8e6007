"""Forms of a contest's host: time for a round, its judgement, an amendment of the content."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

import msgspec
from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextareaWidget

from games.contest.amending import current_content, faults_of_amendment
from games.contest.content import Content
from games.contest.evaluations import Host
from games.contest.reading import Faulty, read_content
from games.contest.state import State
from games.kernel import Fault, canonical, to_json
from matches.domain.declared_host_acts import MOST_SECONDS
from matches.domain.texts import BadText, clean_lines
from matches.html.text_fields import LinesField, PastedField
from matches.panel.fields import number_field, reason_field

LONGEST_JUDGEMENT: Final = 4_000
LONGEST_CONTENT: Final = 60_000
_MINUTE: Final = 60


class TimeForm(forms.Form):
    """Minutes for everybody who hasn't submitted, and the reason."""

    minutes = number_field(gettext_lazy("Minutes"), 1, MOST_SECONDS // _MINUTE, initial=60)
    reason = reason_field()

    @property
    def seconds(self) -> int:
        """The time of a valid form."""
        return int(self.cleaned_data["minutes"]) * _MINUTE


class JudgementForm(forms.Form):
    """The points of each seat that was asked, within the bounds of the round, and a text for everybody."""

    def __init__(self, data: Mapping[str, Any] | None, *, state: State, names: Sequence[str]) -> None:
        super().__init__(data, use_required_attribute=False)
        scheme = state.round.scheme if isinstance(state.round.scheme, Host) else Host(most=0)
        self.least, self.most, self.others = scheme.least, scheme.most, scheme.others
        for entry in state.played[-1].entries:
            self.fields[f"points-{entry.seat}"] = forms.IntegerField(
                label=names[entry.seat],
                min_value=self.least,
                max_value=self.most,
                initial=min(max(0, self.least), self.most),
                widget=UnfoldAdminIntegerFieldWidget(
                    attrs={"aria-label": _("Points of %(name)s") % {"name": names[entry.seat]}}
                ),
            )
        self.fields["text"] = LinesField(
            label=_("Text for everybody"),
            required=False,
            max_length=LONGEST_JUDGEMENT,
            widget=UnfoldAdminTextareaWidget(attrs={"rows": 4}),
            help_text=_("It becomes part of the record, for all to read."),
        )
        self.seats = [entry.seat for entry in state.played[-1].entries]

    @property
    def points(self) -> dict[str, int]:
        """The points of a valid form, by seat."""
        return {str(seat): self.cleaned_data[f"points-{seat}"] for seat in self.seats}


class AmendmentForm(forms.Form):
    """A changed content, as a file or pasted, in TOML or JSON; parts that it leaves out stay as they are.

    `faults` are those of a content that can't be played on with; `content` is one without any.
    """

    file = forms.FileField(label=gettext_lazy("A file"), required=False)
    pasted = PastedField(
        label=gettext_lazy("The rounds, or the whole content"),
        required=False,
        max_length=LONGEST_CONTENT,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 18, "class": "mono", "spellcheck": "false"}),
    )
    reason = reason_field()

    def __init__(self, *args: Any, state: State, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
        self.state, self.faults, self.content = state, (), current_content(state)
        self.fields["file"].help_text = _("TOML or JSON; it replaces the text below.")

    def clean(self) -> dict[str, Any]:
        """Read the content; add an error if it can't be read at all, and otherwise set its faults."""
        text = self._text()
        if self.errors:
            return self.cleaned_data
        try:
            self.content = _content_in(to_json(self.content) | _read(text))
            self.faults = faults_of_amendment(self.state, self.content)
        except Faulty as faulty:
            self.faults = faulty.faults
        return self.cleaned_data

    def _text(self) -> str:
        """Return the file, or else the pasted text; the form shows it from now on as pasted."""
        file = self.cleaned_data.get("file")
        if file is None:
            return str(self.cleaned_data.get("pasted") or "")
        try:
            text: str = file.read().decode("utf-8-sig")
        except UnicodeDecodeError:
            self.add_error("file", _("The file isn't text in UTF-8."))
            return ""
        self.data = self.data.copy()
        self.data["pasted"] = self.cleaned_data["pasted"] = text
        return text


def rounds_as_text(content: Content) -> str:
    """Return the rounds as JSON to be edited."""
    encoded = canonical({"rounds": to_json(content)["rounds"]})
    return msgspec.json.format(encoded, indent=2).decode()


def _read(text: str) -> dict[str, Any]:
    """Return the parts of a content; raise Faulty if the text is neither TOML nor JSON, or breaks the rule of texts."""
    try:
        data = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
        return {str(name): _cleaned(value) for name, value in data.items()}
    except (BadText, ValueError, RecursionError) as error:
        raise Faulty((Fault(_("the text"), f"{error}".rstrip(".") + "."),)) from None


def _content_in(data: dict[str, Any]) -> Content:
    """Return the content, which may break rules beyond the types of its values; raise Faulty."""
    try:
        return msgspec.convert(data, Content)
    except msgspec.ValidationError:
        return read_content(data)


def _cleaned(value: Any) -> Any:
    """Return a value with its texts in normal form; raise BadText."""
    if isinstance(value, str):
        return clean_lines(value)
    if isinstance(value, dict):
        return {clean_lines(str(name)): _cleaned(it) for name, it in value.items()}
    return [_cleaned(it) for it in value] if isinstance(value, list) else value


def mark_of(*parts: Any) -> str:
    """Return a digest of what a preview has shown."""
    return sha256(canonical(parts)).hexdigest()
