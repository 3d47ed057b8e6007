"""The forms of the acts on a season. What a form offers is what the decider accepts; what it takes is anything."""

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
    """An act's form: `key` names the act, so that it happens once; `expected` is the version that was previewed."""

    key = forms.CharField(max_length=100, widget=forms.HiddenInput)
    expected = forms.IntegerField(required=False, min_value=1, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, room: SeasonRoom, offer: Offer, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, **more)
        self.room = room
        self.offer = offer
        self.initial.setdefault("key", fresh_key())
        self.prepare()

    def prepare(self) -> None:
        """Fill in what may be chosen."""

    @property
    def stands(self) -> bool:
        """Whether there is anything to ask for with it."""
        return True

    def to_act(self) -> SeasonAct:
        """Return the act as the form is filled in; asked once the form was cleaned."""
        raise NotImplementedError

    def values(self) -> dict[str, Any]:
        """Return what is filled in, by field."""
        return {name: it for name, it in self.cleaned_data.items() if name not in ("key", "expected")}

    def beside(self, events: Sequence[Event]) -> list[Statement]:
        """What is written with the act's events though it stands in none of them."""
        return []

    def concerned(self) -> Sequence[str]:
        """Who plays at the match whose time is set or offered, as far as the form says; nobody where none is."""
        return ()

    def times_asked(self) -> Sequence[str]:
        """The times that are set or offered, as the record writes them."""
        return ()

    def notes(self) -> Sequence[str]:
        """Sentences about what is left open, which keep nothing from being done; asked once the form was cleaned."""
        return ()

    def called(self) -> dict[str, str]:
        """The names that `beside` writes, by their ids."""
        return {}

    def decide(self) -> services.Decide:
        """Return what decides the act."""
        return self.to_act().decide

    def shown(self) -> list[forms.BoundField]:
        """The fields that a person fills in; the preview brings `expected`."""
        return [self[name] for name in self.fields if name not in ("key", "expected")]

    def choose(self, name: str, known: Iterable[str], offered: Iterable[str], call: Any) -> None:
        """Let a field take anything known, and offer what is accepted; a choice of one is made."""
        field = self.fields[name]
        field.choices = [("", ""), *((it, call(it)) for it in known)]
        accepted = [(it, call(it)) for it in offered]
        field.widget.choices = accepted if len(accepted) == 1 else [("", "Choose one"), *accepted]


def rewards_field(help_text: str) -> LinesField:
    """Garnets by player, one a line."""
    return LinesField(
        label="Garnets won",
        max_length=10_000,
        required=False,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 2}),
        help_text=help_text,
    )


def rewards_in(room: SeasonRoom, text: str) -> dict[str, int]:
    """The amounts by account; raises ValidationError."""
    ids = {name.casefold(): account for account, name in room.names.items()}
    told: dict[str, int] = {}
    for row in pasted.rows(text):
        name, amount = _reward(row)
        account = ids.get(name.casefold())
        if account is None or not amount.isascii() or not amount.isdigit():
            raise ValidationError(f"{row.where}, {row.text}: write a player's name, a space and how many.")
        if len(amount) > len(str(MOST_GARNETS)) or not 0 < int(amount) <= MOST_GARNETS:
            raise ValidationError(f"{row.where}, {row.text}: from 1 to {MOST_GARNETS} garnets.")
        if account in told:
            raise ValidationError(f"{room.call(account)} stands here twice.")
        told[account] = int(amount)
    return told


def _reward(row: pasted.Row) -> tuple[str, str]:
    """Return the name and the amount in a row; raises ValidationError."""
    try:
        cells = row.cells()
    except pasted.Unreadable as unreadable:
        raise ValidationError(f"{row.where}: {unreadable}") from None
    name, _, amount = " ".join(cells).rpartition(" ")
    return name, amount


class ResultForm(SeasonForm):
    """A main match's result, typed in or as its tables ended."""

    name = text_line("Name of the main match")
    winners = forms.MultipleChoiceField(required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget)
    candidates = forms.MultipleChoiceField(
        label="Losers, among whom the EC is found", required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    rewards = rewards_field("One a line: a player's name and how many. Empty: none.")

    def prepare(self) -> None:
        """Every player of the season."""
        living = [(it, self.room.call(it)) for it in self.room.state.living]
        known = [(it, self.room.call(it)) for it in self.room.state.players]
        for name, who in (("winners", "the best"), ("candidates", "the last")):
            self.fields[name].choices = known
            self.fields[name].widget.choices = living
            self.fields[name].help_text = f"Nobody ticked: {who} of each of its tables."

    def clean_rewards(self) -> dict[str, int]:
        """The amounts by account."""
        return rewards_in(self.room, self.cleaned_data["rewards"])

    def to_act(self) -> RecordMainMatch:
        """Nobody ticked means what the tables say."""
        told = self.cleaned_data
        winners, candidates = tuple(told["winners"]) or None, tuple(told["candidates"]) or None
        return RecordMainMatch(told["name"], winners, candidates, told["rewards"])


class MatchForm(SeasonForm):
    """One of the season's matches."""

    match = chosen("Match")

    def prepare(self) -> None:
        """Those that the act may be about."""
        self.choose("match", self.room.state.matches, self.offer.of("match"), lambda it: match_told(self.room, it))


JoinedParts = tuple[str, ...]
"""The values of one choice, as texts; an empty one for none."""


class JoinedForm(SeasonForm):
    """An act of which several values are chosen at once: `parts` are their names, `joined` is the field."""

    joined: str
    parts: tuple[str, ...]

    def prepare(self) -> None:
        """All that is known, and of it what the decider accepts."""
        offered = [tuple(str(getattr(it, name) or "-") for name in self.parts) for it in self.offer.choices]
        self.choose(self.joined, map(" ".join, self.known()), map(" ".join, self.sorted(offered)), self._call)

    def known(self) -> Iterable[JoinedParts]:
        """Return everything that may be chosen."""
        raise NotImplementedError

    def sorted(self, offered: list[JoinedParts]) -> list[JoinedParts]:
        """Return what is offered in the order in which it is shown."""
        return offered

    def call(self, parts: JoinedParts) -> str:
        """Return what a choice is called."""
        raise NotImplementedError

    def chosen(self) -> JoinedParts:
        """Return the values of the choice, one by one."""
        choice: str = self.cleaned_data[self.joined]
        return tuple(choice.split(" "))

    def _call(self, choice: str) -> str:
        return self.call(tuple(choice.split(" ")))


class GarnetsForm(SeasonForm):
    """From whom, to whom, how many, and why."""

    source = chosen("From", required=False)
    target = chosen("To", required=False)
    amount = number_field("Garnets", 1, MOST_GARNETS, initial=1)
    reason = reason_field()

    def prepare(self) -> None:
        """The season itself, or a player who is in."""
        for name, what in (("source", "The season (an award)"), ("target", "The season (a fine)")):
            known = [(it, self.room.call(it)) for it in self.room.state.players]
            living = [(it, self.room.call(it)) for it in self.room.state.living]
            self.fields[name].choices = [("", what), *known]
            self.fields[name].widget.choices = [("", what), *living]

    def to_act(self) -> MoveGarnets:
        """The season is None."""
        told = self.cleaned_data
        return MoveGarnets(told["amount"], told["reason"], told["source"] or None, told["target"] or None)


def match_told(room: SeasonRoom, match_id: str) -> str:
    """A match of the season in a few words."""
    match = room.state.matches[match_id]
    where = f"{_TITLES[match.kind]} of episode {match.episode}" if match.episode else "match of the final"
    return f"{where.capitalize()}, {', '.join(map(room.call, match.players))}"
