"""A game's options in an act's form: each game has its own fields, and only those of the chosen game are read."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django import forms
from django.core.exceptions import ValidationError

from games import catalogue
from matches.html import options_form
from matches.seasons.contents import OfferedContests
from matches.seasons.domain.contests import CONTEST


class _Offered(NamedTuple):
    """A game in the form, with its options."""

    slug: str
    title: str
    is_chosen: bool
    fields: Sequence[options_form.Field]
    contests: Sequence[OfferedContests] = ()

    @property
    def is_changed(self) -> bool:
        """True if the sent options differ from the game's defaults."""
        return tuple(self.fields) != options_form.fields_of(self.slug, _prefix(self.slug))


class GameOptions(forms.Widget):
    """The options of every game in `games`; those of the game chosen in the form's field `game` are shown. The content
    of a contest can be chosen among what `contests` returns for the chosen reference, which sends a `contest`, or
    written. The addresses of more contests begin with `search`."""

    template_name = "panel/game_options.html"
    use_fieldset = True
    games: Sequence[str] = ()
    contests: Callable[[str], Sequence[OfferedContests]] | None = None
    search = ""

    def value_from_datadict(self, data: Mapping[str, str], files: Any, name: str) -> Mapping[str, str]:
        """Return the whole form, which has an input for each option."""
        return data

    def get_context(self, name: str, value: Mapping[str, str] | None, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """Return each game with its fields, as sent or with defaults."""
        sent = value or {}
        contest = sent.get("contest", "")
        chosen = sent.get("game") or (self.games[0] if len(self.games) == 1 else "")
        games = [
            _Offered(
                slug, catalogue[slug].title, slug == chosen, _fields(slug, sent),
                self.contests(contest) if slug == CONTEST and self.contests else (),
            )
            for slug in self.games
        ]  # fmt: skip
        more = {"games": games, "chosen": chosen, "contest": contest, "search": self.search}
        return super().get_context(name, value, attrs) | more


class GameOptionsField(forms.Field):
    """The options that differ from the chosen game's defaults; the game checks them when the act is tried."""

    widget = GameOptions

    def clean(self, value: Mapping[str, str]) -> dict[str, Any]:
        """Return the options by name; raise ValidationError with a sentence for each option that can't be read."""
        slug = value.get("game", "")
        if slug not in catalogue:
            return {}
        if slug == CONTEST and value.get("contest"):
            return {}  # The form looks the chosen contest up.
        parsed = options_form.typed(slug, value, _prefix(slug))
        if parsed.faults:
            labels = {field.name: field.label for field in options_form.fields_of(slug)}
            faults = ((name, fault) for name, text in parsed.faults.items() for fault in text.splitlines())
            raise ValidationError([f"{labels[name]}: {fault}" for name, fault in faults])
        usual = options_form.usual_of(slug)
        return {name: option for name, option in parsed.options.items() if option != usual[name]}


def _prefix(slug: str) -> str:
    return f"{slug}-"


def _fields(slug: str, sent: Mapping[str, str]) -> Sequence[options_form.Field]:
    prefix = _prefix(slug)
    if slug != sent.get("game"):
        return options_form.fields_of(slug, prefix)
    return options_form.filled(slug, sent, options_form.typed(slug, sent, prefix).faults, prefix)
