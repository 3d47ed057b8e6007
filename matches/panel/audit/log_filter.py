"""The filter of the event log: a match, a season, an actor, a type of event, a span of time."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet

from events.models import LoggedEvent
from games import catalogue
from matches.html.moments import MomentField
from matches.models import Account, Match
from matches.panel.audit.listed_events import OF_THE_HOUSE
from matches.panel.audit.scope import Scope, streams_of
from matches.reads import selectors
from matches.seasons.domain.features import EVENTS as OF_SEASONS
from matches.seasons.models import Season
from matches.storage.codec import LIFECYCLE

_MOST_SEASONS = 200
_LONGEST = 100


class LogFilter(forms.Form):
    """The fields; empty ones don't filter. Times are in UTC; both ends belong to the span."""

    match = forms.CharField(required=False, max_length=_LONGEST, label="Match", help_text="Its code or id")
    season = forms.ModelChoiceField(Season.objects.none(), required=False, empty_label="Any", label="Season")
    person = forms.CharField(
        required=False, max_length=_LONGEST, label="Who acted", help_text="A name, or house, clock, dealer, bot"
    )
    type = forms.ChoiceField(required=False, label="Type")
    since = MomentField(required=False, label="From (UTC)")
    until = MomentField(required=False, label="To (UTC)")

    def __init__(self, data: Any, *, scope: Scope) -> None:
        super().__init__(data, use_required_attribute=False, label_suffix="")
        # Any season is a valid choice; only the newest are listed.
        self.fields["season"].queryset = scope.seasons
        newest = scope.seasons.order_by("-changed_at").values_list("id", "title")[:_MOST_SEASONS]
        self.fields["season"].widget.choices = [("", "Any"), *newest]
        self.fields["type"].choices = [("", "Any"), *_types()]
        for name in ("since", "until"):
            self.fields[name].widget = forms.DateTimeInput(
                attrs={"type": "datetime-local", "step": "1"}, format="%Y-%m-%dT%H:%M:%S"
            )
        for field in self.fields.values():
            field.widget.attrs.update({"class": "plain", "autocomplete": "off"})
        self._scope = scope

    def clean_match(self) -> Match | None:
        """Return the match; raise ValidationError if there is none by this name that the account may read."""
        name = self.cleaned_data["match"].strip()
        if not name:
            return None
        match = selectors.match_by(name)
        if match is None or not self._scope.events.filter(stream=match.id, version=1).exists():
            raise ValidationError("There is no match with this code or id that you may read of.")
        return match

    def clean_person(self) -> str:
        """Return the actor as in the log; raise ValidationError for an unknown name."""
        name = self.cleaned_data["person"].strip()
        if not name or name.casefold() in OF_THE_HOUSE:
            return name.casefold()
        account: Account | None = selectors.account_named(name) or Account.objects.filter(username=name).first()
        if account is None:
            raise ValidationError("Nobody of this name has an account here.")
        return str(account.id)

    def events(self) -> QuerySet[LoggedEvent]:
        """Return the events that fit, of those that may be read; the form must be valid."""
        filters, selected = self.cleaned_data, self._scope.events
        if filters["match"]:
            selected = selected.filter(stream=filters["match"].id)
        if filters["season"]:
            selected = selected.filter(stream__in=streams_of(Season.objects.filter(id=filters["season"].id)))
        for name, lookup in (("person", "actor"), ("type", "type"), ("since", "at__gte"), ("until", "at__lte")):
            if filters[name]:
                selected = selected.filter(**{lookup: filters[name]})
        return selected

    @property
    def few(self) -> bool:
        """True if these are of some streams only."""
        return not self._scope.whole or bool(self.cleaned_data["match"] or self.cleaned_data["season"])

    def query(self, **more: str) -> str:
        """Return the fields as a query string, with more parameters."""
        given = {name: self.data.get(name, "") for name in self.fields} | more
        return urlencode({name: value for name, value in given.items() if value})


def _types() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return all types of events, grouped by matches, seasons and games."""
    games = [(game.title, _sorted(game.event_types)) for game in sorted(catalogue.values(), key=lambda it: it.title)]
    return [("Matches", _sorted(LIFECYCLE)), ("Seasons", _sorted(OF_SEASONS)), *games]


def _sorted(types: Iterable[str]) -> list[tuple[str, str]]:
    return [(it, it.replace("_", " ")) for it in sorted(types)]
