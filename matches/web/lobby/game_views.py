"""The games and their rules, from their READMEs."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import catalogue
from games.kernel import Game, to_json
from matches.html.entry import counted
from matches.http.match_access import match_named
from matches.http.problems import Problem
from matches.reads import entitlements
from matches.web.lobby.guides import guide_of
from matches.web.lobby.rules import parts_of
from matches.web.lobby.shelf import shelf, shelf_entry


@require_safe
def games(request: HttpRequest) -> HttpResponse:
    return render(request, "web/games.html", {"games": shelf()})


@require_safe
@counted
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's guide and rules; with `?match=` also the options of that match."""
    rules = catalogue.get(slug)
    if rules is None:
        raise Http404
    context = {
        "game": shelf_entry(rules),
        "origin": rules.origin,
        "guide": guide_of(slug),
        "parts": parts_of(slug),
        "code": "",
        "options": [],
    }
    if name := request.GET.get("match", "")[:100]:
        context |= _in_this_match(request, rules, name)
    return render(request, "web/game.html", context)


def _in_this_match(request: HttpRequest, rules: Game, name: str) -> dict[str, Any]:
    """Return the match's options beside the defaults, for readers who may see the match."""
    match = match_named(name.replace("\0", ""))
    if match.game != rules.slug:
        raise Problem("not_found", f"That match isn't one of {rules.title}.")
    reader = str(request.user.id) if request.user.is_authenticated else None
    chosen = entitlements.lifecycle_for(match.id, reader).opened.options
    defaults = to_json(rules.read_options({}))
    options = [
        (key, _plain(value), _plain(defaults.get(key)), value != defaults.get(key)) for key, value in chosen.items()
    ]
    return {"code": match.code, "options": options}


def _plain(value: Any) -> str:
    """Return an option's value for reading."""
    if isinstance(value, dict) and value.keys() == {"sealed"}:
        return "sealed"
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, list):
        return ", ".join(map(_plain, value)) or "none"
    return str(value).replace("_", " ")
