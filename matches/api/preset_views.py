"""The contests that come with the game."""

from typing import Literal

from django.http import HttpResponse
from msgspec import Struct
from rest_framework.request import Request
from rest_framework.views import APIView

from games.contest.presets import PRESETS, load, text_of
from matches.http.operations import Media, operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.reads.documents.catalogue import PresetDocument, PresetList
from matches.reads.presets import card

_TOML = "application/toml"


class PresetQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a content: `json`, or `toml` as its file."""

    format: Literal["json", "toml"] = "json"


class PresetsView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("listPresets", tag="Games", answers={200: PresetList})
    def get(self, request: Request) -> HttpResponse:
        """List the contests that come with the game. `rounds` counts each as often as it is repeated."""
        return answer(PresetList([card(name) for name in PRESETS], None))


class PresetView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("readPreset", tag="Games", query=PresetQuery, answers={200: Media((_TOML,), json=PresetDocument)})
    def get(self, request: Request, preset: str, query: PresetQuery) -> HttpResponse:
        """Return a contest's content, for the option `content` of a match; with `format=toml` as a file to edit."""
        if preset not in PRESETS:
            raise Problem("not_found", f"The presets are {', '.join(PRESETS)}.")
        if query.format == "toml":
            return HttpResponse(text_of(preset), content_type=_TOML)
        return answer(load(preset))
