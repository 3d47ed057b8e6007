"""The page that opens a season: its options with explanations, validated while they are typed or copied."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args, get_type_hints
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games import catalogue
from games.kernel import Illegal, to_json
from games.kernel.wire import read_strictly
from matches.domain.names import time_zones
from matches.html.entry import counted, signed_in
from matches.html.fields import LONGEST_TITLE
from matches.html.form_values import fresh_key
from matches.html.text_fields import LineField
from matches.panel.control.control_views import add_refusal
from matches.seasons import repository, services
from matches.seasons.domain.options import POOL, SeasonOptions
from matches.seasons.reads import selectors

MEANINGS = {
    "public": "Everybody may watch. Otherwise only its staff and players see the season.",
    "most_players": "How many players may enrol.",
    "pool": "The games of death matches and the final; a main match may have any game.",
    "approval": "Results count once an organiser approves them. Otherwise they count at once.",
    "starting_garnets": "The garnets of each player at the beginning.",
    "reward": "The garnets that the winner of a death match gets.",
    "loser_garnets": "What happens to the garnets of a player who leaves the season.",
    "transfers": "Players may give garnets to each other, but not while in an open death match.",
    "priority": "Who has the seat that chooses first in a death match and wins ties; “the richer one” is the DMO if "
    "both have equal garnets.",
    "bans_each": "How many games of the pool the EC and the DMO may each strike before their death match.",
    "best_of": "The most matches of the final; an odd number, each of another game.",
    "spectator_delay": "The delay in seconds with which spectators see the matches.",
    "aids": "What the page does for players in matches beyond showing the board.",
    "secrets_open": "When everybody may see the secrets of main matches. Those of other matches open with their end.",
    "least_notice_minutes": "How many minutes before a deadline players are informed of it at the latest.",
    "check_in_minutes": "How many minutes before a match players are asked to say that they are there; 0 for never.",
    "absence": "What happens if a player hasn't checked in for a match.",
    "token_minutes": "How many minutes the only winner of a main match has to give a second token of life away; 0 for "
    "no deadline.",
    "candidate_minutes": "How many minutes the winners have to name the EC; 0 for no deadline.",
    "opponent_minutes": "How many minutes the EC has to name the DMO; 0 for no deadline.",
    "ban_minutes": "How many minutes EC and DMO have to strike games; 0 for no deadline.",
    "decision_default": "What happens if nobody decides in time. A game need not be struck.",
    "remind_percent": "After which percentage of their time players are first reminded; 0 for no reminder.",
    "remind_minutes": "How many minutes before the end of their time players are reminded again; 0 for no reminder.",
    "quiet_hours": "No match or check-in begins, no set-up closes and no deadline of a decision ends in these hours, "
    "such as 22:00-08:00; empty for none. A round's time within a match goes on.",
    "time_zone": "The time zone of the quiet hours.",
    "private_rooms": "Who opens private rooms, in which some of the season's people talk.",
    "rooms_each": "How many open private rooms a player may have opened.",
    "room_size": "How many members a private room may have.",
    "hosts_read_rooms": "Hosts may read private rooms. Each look is on record, and the members see it.",
    "rooms_at_end": "Who may read private rooms and confessionals once the season is over.",
}
"""The explanation of each option."""


class Group(NamedTuple):
    """Options that belong together, with an explanation of their terms. Those of a group with a title are folded."""

    title: str
    about: str
    options: tuple[str, ...]


GROUPS = (
    Group("", "", ("public", "most_players", "pool", "approval")),
    Group(
        "Garnets",
        "Garnets are the season's currency. Players win, lose and give them; they don't count in the games.",
        ("starting_garnets", "reward", "loser_garnets", "transfers"),
    ),
    Group(
        "Death matches and the final",
        "The elimination candidate (EC) is a loser of the main match. The EC names a death match opponent (DMO), and "
        "the loser of their death match leaves the season. The last two players play the final.",
        ("priority", "bans_each", "best_of"),
    ),
    Group("What players and spectators see", "", ("spectator_delay", "aids", "secrets_open")),
    Group(
        "Notice, check-in and quiet hours",
        "A match may have a time. Then players can be asked before it to check in.",
        ("least_notice_minutes", "check_in_minutes", "absence", "quiet_hours", "time_zone"),
    ),
    Group(
        "Deadlines of decisions",
        "After a main match its winners and the EC decide. A token of life saves a player from the death match of the "
        "episode.",
        ("token_minutes", "candidate_minutes", "opponent_minutes", "ban_minutes", "decision_default", "remind_percent",
         "remind_minutes"),
    ),
    Group(
        "Rooms",
        "In rooms, some of the season's people talk. Everybody sees who may read a room before they write in it.",
        ("private_rooms", "rooms_each", "room_size", "hosts_read_rooms", "rooms_at_end"),
    ),
)  # fmt: skip
"""All options in the order of the form: a newcomer needs only the first group."""
_WORDS = {
    "confiscate": "they leave the game", "winner": "they go to the winner", "dmo": "the DMO", "ec": "the EC",
    "garnets": "the richer one", "none": "nothing", "memory": "the page remembers", "all": "it remembers and computes",
    "organiser": "an organiser decides", "loss": "an absent player loses a duel",
    "stand_in": "a bot plays for an absent player", "random": "the season's chance decides",
    "longest": "the longest-serving player is chosen", "match": "with the end of the match",
    "season": "with the end of the season",
    "nobody": "nobody", "staff": "organisers and hosts",
    "players": "players, organisers and hosts", "everybody": "everybody who may see the season",
    "members": "only those who could read them before",
}  # fmt: skip
_USUAL = SeasonOptions()
_HINTS = get_type_hints(SeasonOptions)


class OpeningForm(forms.Form):
    """A season's title and options. `template` is the season that they were copied from."""

    key = forms.CharField(max_length=100, widget=forms.HiddenInput)
    template = forms.UUIDField(required=False, widget=forms.HiddenInput)
    title = LineField(
        max_length=LONGEST_TITLE,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        help_text="Its name.",
    )

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, use_required_attribute=False, label_suffix="", **more)
        for name in SeasonOptions.__struct_fields__:
            self.fields[name] = option_field(name)

    def clean(self) -> dict[str, Any]:
        """Validate the options together; an error belongs to the option that its message names."""
        values = super().clean()
        options = {name: values[name] for name in SeasonOptions.__struct_fields__ if name in values}
        if len(options) == len(SeasonOptions.__struct_fields__):
            try:
                values["options"] = read_strictly(options, SeasonOptions, "bad_options")
            except Illegal as refused:
                self.add_error(_place(refused.message), refused.message)
        return values


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def open_season(request: HttpRequest) -> HttpResponse:
    """Show the form, with `template` filled with that season's options; a POST opens the season."""
    _refuse_strangers(request)
    if request.method != "POST":
        return _page(request, OpeningForm(initial=_initial(request)))
    form = OpeningForm(request.POST)
    status = 422
    if form.is_valid():
        values = form.cleaned_data
        try:
            season_id, _ = services.open_season(
                by=request.user,
                title=values["title"],
                options=lambda: _options_in(request, values),
                key=values["key"],
                fingerprint=services.fingerprint_of(
                    "/api/v1/seasons", values["title"], values["options"], values["template"]
                ),
                template=values["template"],
            )
            messages.success(request, "The season is open. Enrol its players, then open the first episode.")
            return redirect("admin:season", season_id=season_id)
        except Exception as refusal:
            status = add_refusal(form, refusal)
    return _page(request, form, status)


@require_POST
@signed_in
@counted
def check(request: HttpRequest) -> HttpResponse:
    """Validate the form, and return fragments for the page. Nothing is stored."""
    _refuse_strangers(request)
    form = OpeningForm(request.POST)
    is_good = form.is_valid()
    changed = [
        name for name in _shown() if is_good and getattr(form.cleaned_data["options"], name) != getattr(_USUAL, name)
    ]
    fields = [form[name] for name in ("title", *_shown())]
    context = {"form": form, "fields": fields, "is_good": is_good, "faulty": [it.label for it in fields if it.errors]}
    return render(request, "panel/season_verdict.html", {**context, "changed": [form[name].label for name in changed]})


def _page(request: HttpRequest, form: OpeningForm, status: int = 200) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": "Open a season",
        "form": form,
        "groups": list(_groups(form)),
        "templates": list(selectors.seasons_for(request.user).values_list("id", "title")[:100]),
        "chosen": form["template"].value(),
    }
    return render(request, "panel/season_open.html", context, status=status)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """Return the default options, or those of the template, and the typed title; raise Http404."""
    options, template = _USUAL, None
    if template_id := request.GET.get("template"):
        try:
            template = UUID(template_id)
        except ValueError:
            raise Http404("There is no such season.") from None
        _refuse_unseen(request, template)
        options = repository.load(template).options
    return {**to_json(options), "title": request.GET.get("title", ""), "key": fresh_key(), "template": template}


def _refuse_strangers(request: HttpRequest) -> None:
    """Raise Http404 for everybody but organisers of the service."""
    if not request.user.is_organiser:
        raise Http404("There is no such page.")


def _options_in(request: HttpRequest, values: Mapping[str, Any]) -> SeasonOptions:
    """Return the form's options; raise Http404 if its template can't be seen any more."""
    _refuse_unseen(request, values["template"])
    return values["options"]


def _refuse_unseen(request: HttpRequest, template: UUID | None) -> None:
    if template is not None and selectors.season_for(request.user, template) is None:
        raise Http404("There is no such season.")


def _shown() -> tuple[str, ...]:
    """Return the options in the order of the form."""
    return tuple(name for group in GROUPS for name in group.options)


def _groups(form: OpeningForm) -> Iterator[dict[str, Any]]:
    """Yield each group with its fields, the title's in the first one; a folded group is open if it has an error, or a
    copied value that isn't the default."""
    usual = to_json(_USUAL)
    for group in GROUPS:
        copied = any(form.initial.get(name, usual[name]) != usual[name] for name in group.options)
        yield {
            "group": group,
            "fields": [form[name] for name in (group.options if group.title else ("title", *group.options))],
            "is_open": copied or any(name in form.errors for name in group.options),
        }


def option_field(name: str) -> forms.Field:
    """Return the field of an option, made from its type, with its explanation and default."""
    usual, hint = getattr(_USUAL, name), _HINTS[name]
    texts = {
        "label": name.replace("_", " ").capitalize(),
        "help_text": f"{MEANINGS.get(name, '')} Usually {in_words(usual)}.",
    }
    if name == "pool":
        titles = [(slug, catalogue[slug].title) for slug in POOL]
        return forms.MultipleChoiceField(
            choices=titles, required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget, **texts
        )
    if hint is bool:
        return forms.BooleanField(required=False, widget=UnfoldBooleanWidget, **texts)
    if hint is int:
        return forms.IntegerField(widget=UnfoldAdminIntegerFieldWidget, **texts)
    if name == "time_zone":
        zones = [(it, it) for it in time_zones()]
        return forms.ChoiceField(choices=zones, widget=UnfoldAdminSelectWidget, **texts)
    if hint is str:
        return LineField(
            required=False, max_length=LONGEST_TITLE, widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
            **texts,
        )  # fmt: skip
    choices = [(it, _capitalised(_WORDS.get(it, it))) for it in get_args(hint)]
    return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **texts)


def _capitalised(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def in_words(usual: Any) -> str:
    """Return an option's value in words."""
    match usual:
        case bool():
            return "on" if usual else "off"
        case tuple():
            return "all of them"
        case "":
            return "empty"
    return _WORDS.get(usual, str(usual))


def _place(sentence: str) -> str | None:
    """Return the first option that a refusal names, or None."""
    return next((word for word in re.findall(r"\w+", sentence) if word in SeasonOptions.__struct_fields__), None)
