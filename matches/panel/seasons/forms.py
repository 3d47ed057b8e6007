"""The forms of the acts on a season. A form offers what the decider accepts, and validates any known value."""

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminTextareaWidget,
)

from events.pipeline import Statement
from games.kernel import Event
from matches.html.form_values import fresh_key
from matches.html.text_fields import LinesField
from matches.panel.fields import chosen, number_field, reason_field, text_line
from matches.panel.seasons.room import SeasonRoom
from matches.seasons import pasted, services
from matches.seasons.domain.acts import Offer
from matches.seasons.domain.declared import SeasonAct
from matches.seasons.domain.garnet_acts import MoveGarnets
from matches.seasons.domain.options import MOST_GARNETS
from matches.seasons.domain.result_acts import RecordMainMatch

_TITLES = {"main": "main match", "death": "death match", "final": "final"}


class SeasonForm(forms.Form):
    """An act's form. `key` is its idempotency key, `expected` the version of the preview."""

    key = forms.CharField(max_length=100, widget=forms.HiddenInput)
    expected = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, room: SeasonRoom, offer: Offer, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
        self.room = room
        self.offer = offer
        self.initial.setdefault("key", fresh_key())
        self.prepare()

    def prepare(self) -> None:
        """Set the fields' choices and initial values."""

    @property
    def is_available(self) -> bool:
        """True if the form offers any act."""
        return True

    def to_act(self) -> SeasonAct:
        """Return the act; only for a valid form."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """Return the values by field; only for a valid form."""
        return {name: it for name, it in self.cleaned_data.items() if name not in ("key", "expected")}

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """Return statements to execute with the act's events, for data outside of the record."""
        return []

    def concerned(self) -> Sequence[str]:
        """Return the players of the match whose time is set or proposed; empty if the form has no time."""
        return ()

    def named_times(self) -> Sequence[str]:
        """Return the times that are set or proposed, as stored in events."""
        return ()

    def notes(self) -> Sequence[str]:
        """Return sentences about the input that don't prevent the act; call it after validation."""
        return ()

    def contest_shown(self) -> dict[str, Any] | None:
        """Return the contest that would be played, for the preview; None if it is none. Call it after validation."""
        return None

    def called(self) -> dict[str, str]:
        """Return the names that `beside` stores, by their ids."""
        return {}

    def decide(self) -> services.Decide:
        """Return the act's decider."""
        return self.to_act().decide

    def shown(self) -> list[forms.BoundField]:
        """Return the visible fields; the preview sets `expected`."""
        return [self[name] for name in self.fields if name not in ("key", "expected")]

    def choose(self, name: str, values: Iterable[str], offered: Iterable[str], call: Any) -> None:
        """Let a field accept every known value, and show the offered ones; a single one is preselected."""
        field = self.fields[name]
        field.choices = [("", ""), *((it, call(it)) for it in values)]
        accepted = [(it, call(it)) for it in offered]
        field.widget.choices = accepted if len(accepted) == 1 else [("", "Choose one"), *accepted]


def rewards_field(help_text: str, label: str = "Garnets won") -> LinesField:
    """Return a field for garnets by player, one a line; read it by `rewards_in`."""
    return LinesField(
        label=label,
        max_length=10_000,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=help_text,
    )


def rewards_in(room: SeasonRoom, text: str, *, may_lose: bool = False) -> dict[str, int]:
    """Return the amounts by account, negative ones for losses if players may lose; raise ValidationError."""
    ids = {name.casefold(): account for account, name in room.names.items()}
    amounts: dict[str, int] = {}
    for row in pasted.rows(text):
        name, amount = _reward(row)
        account = ids.get(name.casefold())
        lost = may_lose and amount.startswith("-")
        amount = amount.removeprefix("-") if lost else amount
        if account is None or not amount.isascii() or not amount.isdigit():
            raise ValidationError(f"{row.where}, {row.text}: write a player's name, a space and a number.")
        if len(amount) > len(str(MOST_GARNETS)) or not 0 < int(amount) <= MOST_GARNETS:
            raise ValidationError(f"{row.where}, {row.text}: from 1 to {MOST_GARNETS} garnets.")
        if account in amounts:
            raise ValidationError(f"{room.call(account)} is listed twice.")
        amounts[account] = -int(amount) if lost else int(amount)
    return amounts


def _reward(row: pasted.Row) -> tuple[str, str]:
    """Return the name and the amount in a row; raise ValidationError."""
    try:
        cells = row.cells()
    except pasted.Unreadable as unreadable:
        raise ValidationError(f"{row.where}: {unreadable}") from None
    name, _, amount = " ".join(cells).rpartition(" ")
    return name, amount


class ResultForm(SeasonForm):
    """The form for the result of a main match: typed, or as its tables ended."""

    name = text_line("Name of the main match")
    winners = forms.MultipleChoiceField(required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)
    candidates = forms.MultipleChoiceField(
        label="Losers, from whom the EC is named", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    rewards = rewards_field("One a line: a player's name and a number. Empty: none.")

    def prepare(self) -> None:
        living = [(it, self.room.call(it)) for it in self.room.state.living]
        players = [(it, self.room.call(it)) for it in self.room.state.players]
        for name, who in (("winners", "the best"), ("candidates", "the last")):
            self.fields[name].choices = players
            self.fields[name].widget.choices = living
            self.fields[name].help_text = f"Nobody ticked: {who} of each of its tables."

    def clean_rewards(self) -> dict[str, int]:
        return rewards_in(self.room, self.cleaned_data["rewards"])

    def to_act(self) -> RecordMainMatch:
        """Return the act; without ticked players the tables decide."""
        values = self.cleaned_data
        winners, candidates = tuple(values["winners"]) or None, tuple(values["candidates"]) or None
        return RecordMainMatch(values["name"], winners, candidates, values["rewards"])


class MatchForm(SeasonForm):
    """A form with a field for one of the season's matches."""

    match = chosen("Match")

    def prepare(self) -> None:
        self.choose("match", self.room.state.matches, self.offer.values("match"), lambda it: match_label(self.room, it))


JoinedParts = tuple[str, ...]
"""The values of one choice, as texts; `-` for none."""


class JoinedForm(SeasonForm):
    """A form with one field, `joined`, whose choices each contain several values of the act, named by `parts`."""

    joined: str
    parts: tuple[str, ...]

    def prepare(self) -> None:
        """Fill the field with all choices, and offer those that the decider accepts."""
        offered = [tuple(str(getattr(it, name) or "-") for name in self.parts) for it in self.offer.choices]
        self.choose(self.joined, map(" ".join, self.every_choice()), map(" ".join, self.sorted(offered)), self._call)

    def every_choice(self) -> Iterable[JoinedParts]:
        """Return all choices, also those that the decider doesn't accept now."""
        raise NotImplementedError

    def sorted(self, offered: list[JoinedParts]) -> list[JoinedParts]:
        """Return the offered choices in the order in which they are shown."""
        return offered

    def call(self, parts: JoinedParts) -> str:
        """Return the label of a choice."""
        raise NotImplementedError

    def chosen(self) -> JoinedParts:
        """Return the values of the choice; only for a valid form."""
        choice: str = self.cleaned_data[self.joined]
        return tuple(choice.split(" "))

    def _call(self, choice: str) -> str:
        return self.call(tuple(choice.split(" ")))


class GarnetsForm(SeasonForm):
    """The form that moves garnets; an empty source or target is the season."""

    source = chosen("From", required=False)
    target = chosen("To", required=False)
    amount = number_field("Garnets", 1, MOST_GARNETS, initial=1)
    reason = reason_field()

    def prepare(self) -> None:
        for name, what in (("source", "The season (an award)"), ("target", "The season (a fine)")):
            players = [(it, self.room.call(it)) for it in self.room.state.players]
            living = [(it, self.room.call(it)) for it in self.room.state.living]
            self.fields[name].choices = [("", what), *players]
            self.fields[name].widget.choices = [("", what), *living]

    def to_act(self) -> MoveGarnets:
        values = self.cleaned_data
        return MoveGarnets(values["amount"], values["reason"], values["source"] or None, values["target"] or None)


def match_label(room: SeasonRoom, match_id: str) -> str:
    """Return a short description of a match: its kind, episode and players."""
    match = room.state.matches[match_id]
    where = f"{_TITLES[match.kind]} of episode {match.episode}" if match.episode else "match of the final"
    return f"{where.capitalize()}, {', '.join(map(room.call, match.players))}"
