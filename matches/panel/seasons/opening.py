"""Opening a season: its options with what each means, judged while they are typed, or copied from another season."""

import re
from collections.abc import Mapping
from typing import Any, get_args, get_type_hints
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
from matches.html.entry import counted, signed_in
from matches.html.form_values import fresh_key
from matches.html.text_fields import LineField
from matches.panel.control.control_views import add_refusal
from matches.panel.fields import LONGEST_TITLE
from matches.seasons import repository, services
from matches.seasons.domain.options import POOL, SeasonOptions
from matches.seasons.reads import selectors

MEANINGS = {
    "public": "Anybody may watch. Otherwise the season exists for its staff and players only.",
    "most_players": "How many players may enrol.",
    "starting_garnets": "What each player owns from the beginning.",
    "reward": "What a death match's winner gets.",
    "loser_garnets": "What becomes of an eliminated player's garnets.",
    "transfers": "Players may give garnets to each other, but not while in an open death match.",
    "approval": "Results take effect once an organiser approves them. Otherwise at once.",
    "priority": "Who holds the priority seat of a death match: with “the richer one”, the DMO if both own as much.",
    "pool": "The games of death matches and the final.",
    "bans_each": "How many of these games the EC and the DMO may each strike before their death match.",
    "spectator_delay": "How many seconds later spectators are told what happens in its matches.",
    "aids": "What thinks for the players in its matches.",
    "least_notice_minutes": "How many minutes before something falls due players are told of it at least.",
    "check_in_minutes": "From how many minutes before a match its players check in; 0 for no check-in.",
    "absence": "What becomes of a match that somebody hasn't checked in for.",
    "token_minutes": "How many minutes a sole winner has to give the second token away; 0 for no deadline.",
    "candidate_minutes": "How many minutes the winners have to name the EC; 0 for no deadline.",
    "opponent_minutes": "How many minutes the EC has to name the DMO; 0 for no deadline.",
    "ban_minutes": "How many minutes EC and DMO have to strike games; 0 for no deadline.",
    "decision_default": "What happens where nobody decides in time. A game need not be struck.",
    "remind_percent": "After what part of their time, in percent, players are first reminded; 0 for not.",
    "remind_minutes": "How many minutes before the end of their time players are reminded again; 0 for not.",
    "best_of": "How many matches the final has at most; an odd number, each of another game.",
}
"""What each option means."""
_WORDS = {
    "confiscate": "they leave the game", "winner": "they go to the winner", "dmo": "the DMO", "ec": "the EC",
    "garnets": "the richer one", "none": "nothing", "memory": "the page remembers", "all": "it remembers and computes",
    "organiser": "an organiser decides", "loss": "who isn't there loses a duel",
    "stand_in": "a bot plays for who isn't there", "random": "the season's chance decides",
    "longest": "it falls on who has served longest",
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
        """The options, judged as a whole."""
        told = super().clean()
        asked = {name: told[name] for name in SeasonOptions.__struct_fields__ if name in told}
        if len(asked) == len(SeasonOptions.__struct_fields__):
            try:
                told["options"] = read_strictly(asked, SeasonOptions, "bad_options")
            except Illegal as refused:
                self.add_error(_place(refused.message), refused.message)
        return told


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@counted
def open_season(request: HttpRequest) -> HttpResponse:
    """GET shows the form, with `template` as that season has its options; POST opens the season."""
    _refuse_strangers(request)
    if request.method != "POST":
        return _page(request, OpeningForm(initial=_initial(request)))
    form = OpeningForm(request.POST)
    status = 422
    if form.is_valid():
        told = form.cleaned_data
        try:
            season_id, _ = services.open_season(
                by=request.user,
                title=told["title"],
                options=lambda: _seen(request, told),
                key=told["key"],
                fingerprint=services.fingerprint_of(
                    "/api/v1/seasons", told["title"], told["options"], told["template"]
                ),
                template=told["template"],
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
    """What the house thinks of the form so far, as pieces to put into it. Nothing happens."""
    _refuse_strangers(request)
    form = OpeningForm(request.POST)
    is_good = form.is_valid()
    changed = [
        name for name in _shown() if is_good and getattr(form.cleaned_data["options"], name) != getattr(_USUAL, name)
    ]
    context = {"form": form, "fields": [form[name] for name in ("title", *_shown())], "is_good": is_good}
    return render(request, "panel/season_verdict.html", {**context, "changed": [form[name].label for name in changed]})


def _page(request: HttpRequest, form: OpeningForm, status: int = 200) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": "Open a season",
        "form": form,
        "fields": [form[name] for name in ("title", *_shown())],
        "templates": list(selectors.seasons_for(request.user).values_list("id", "title")[:100]),
        "chosen": form["template"].value(),
    }
    return render(request, "panel/season_open.html", context, status=status)


def _initial(request: HttpRequest) -> dict[str, Any]:
    """The usual options, or those of the template, and the title as it was typed; raises Http404."""
    options, template = _USUAL, None
    if asked := request.GET.get("template"):
        try:
            template = UUID(asked)
        except ValueError:
            raise Http404("There is no such season.") from None
        _refuse_unseen(request, template)
        options = repository.load(template).options
    return {**to_json(options), "title": request.GET.get("title", ""), "key": fresh_key(), "template": template}


def _refuse_strangers(request: HttpRequest) -> None:
    """Seasons are opened by organisers of the house; to others there is no such page."""
    if not request.user.is_organiser:
        raise Http404("There is no such page.")


def _seen(request: HttpRequest, told: Mapping[str, Any]) -> SeasonOptions:
    """The form's options, unless they were copied from a season that isn't there any more."""
    _refuse_unseen(request, told["template"])
    return told["options"]


def _refuse_unseen(request: HttpRequest, template: UUID | None) -> None:
    if template is not None and selectors.season_for(request.user, template) is None:
        raise Http404("There is no such season.")


def _shown() -> tuple[str, ...]:
    return SeasonOptions.__struct_fields__


def option_field(name: str) -> forms.Field:
    """The field of an option, made from its type, with what it means and what it usually is."""
    usual, hint = getattr(_USUAL, name), _HINTS[name]
    told = {
        "label": name.replace("_", " ").capitalize(),
        "help_text": f"{MEANINGS.get(name, '')} Usually {in_words(usual)}.",
    }
    if name == "pool":
        titles = [(slug, catalogue[slug].title) for slug in POOL]
        return forms.MultipleChoiceField(
            choices=titles, required=False, widget=UnfoldAdminCheckboxSelectMultipleWidget, **told
        )
    if hint is bool:
        return forms.BooleanField(required=False, widget=UnfoldBooleanWidget, **told)
    if hint is int:
        return forms.IntegerField(widget=UnfoldAdminIntegerFieldWidget, **told)
    choices = [(it, _begun(_WORDS.get(it, it))) for it in get_args(hint)]
    return forms.ChoiceField(choices=choices, widget=UnfoldAdminSelectWidget, **told)


def _begun(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def in_words(usual: Any) -> str:
    """An option's value as a person says it."""
    match usual:
        case bool():
            return "on" if usual else "off"
        case tuple():
            return "all of them"
    return _WORDS.get(usual, str(usual))


def _place(sentence: str) -> str | None:
    """The option that a refusal speaks of: the first that it names."""
    return next((word for word in re.findall(r"\w+", sentence) if word in SeasonOptions.__struct_fields__), None)
