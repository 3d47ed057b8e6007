"""The catalogue of games with their rules."""

from typing import Any

from django.http import HttpResponse
from msgspec import UNSET
from rest_framework.request import Request
from rest_framework.views import APIView

from games import catalogue
from games.kernel import Game, to_json
from games.kernel.game import json_schema
from matches.http.operations import operation
from matches.http.problems import Problem
from matches.http.responses import answer
from matches.reads.documents.catalogue import AidDocument, GameCard, GameDocument, GameList, OriginDocument


class GamesView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("listGames", tag="Games", answers={200: GameList})
    def get(self, request: Request) -> HttpResponse:
        """List all games, by title."""
        games = sorted(catalogue.values(), key=lambda game: game.title)
        return answer(GameList([_card(game) for game in games], None))


class GameView(APIView):
    open_to_strangers = True
    scopes = {"GET": "match:read"}

    @operation("readGame", tag="Games", answers={200: GameDocument})
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return a game's rules (markdown, with the rulings), and the schemas of its options, commands and events."""
        game = catalogue.get(slug)
        if game is None:
            raise Problem("not_found", f"The games are {', '.join(sorted(catalogue))}.")
        return answer(_document(game))


def _card(game: Game) -> GameCard:
    return GameCard(game.slug, game.title, {"min": game.seats.min, "max": game.seats.max}, _clocks(game))


def _document(game: Game) -> GameDocument:
    return GameDocument(
        slug=game.slug,
        title=game.title,
        seats={"min": game.seats.min, "max": game.seats.max},
        clocks=_clocks(game),
        options=json_schema(game.Options),
        commands={name: json_schema(kind) for name, kind in game.command_types.items()},
        host_commands={name: json_schema(kind) for name, kind in game.host_command_types.items()} or UNSET,
        events={name: json_schema(kind) for name, kind in game.event_types.items()},
        rules=game.readme,
        aids={name: AidDocument(aid.kind, aid.tells) for name, aid in game.aids.items()},
        tools=game.tools,
        unscheduled=game.unscheduled,
        origin=OriginDocument(game.origin.designers, game.origin.featured_in) if game.origin else None,
    )


def _clocks(game: Game) -> dict[str, Any]:
    clocks: dict[str, Any] = to_json(dict(game.clocks))
    return clocks
