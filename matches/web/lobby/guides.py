"""The guides of games with their drawings, which are the same for everybody and therefore cached."""

from functools import cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from games import catalogue
from games.drawing.css import WEB
from games.drawing.stills import figure_of
from games.drawing.themes import HOUSE_TABLE, Theme
from games.kernel import GUIDE_NAMES, Figure, Guide, Shelf, Table
from games.kernel.guiding import cover_table, example_tables


class DrawnFigure(Struct, frozen=True):
    """A figure with its text; `named` explain the numbers in the drawing."""

    drawing: SafeString
    title: str
    says: str
    is_broad: bool
    named: tuple[str, ...]


class DrawnThing(Struct, frozen=True):
    """A thing with what it does."""

    drawing: SafeString
    name: str
    does: str


class DrawnShelf(Struct, frozen=True):
    """Things of one kind."""

    title: str
    says: str
    look: str
    things: tuple[DrawnThing, ...]


class DrawnGuide(Struct, frozen=True):
    """A guide in the words of its game, its pictures as inline SVG."""

    text: Guide
    cover: DrawnFigure
    example: tuple[DrawnFigure, ...]
    shelves: tuple[DrawnShelf, ...]


@cache
def guide_of(slug: str) -> DrawnGuide | None:
    """Return a game's guide with its drawings; None for a game without one."""
    game = catalogue[slug]
    if game.guide is None:
        return None
    guide = game.guide.content
    tables = example_tables(game, guide)
    return DrawnGuide(
        text=guide,
        cover=_figure(guide.cover, cover_table(game, guide), HOUSE_TABLE, "cover-"),
        example=tuple(
            _figure(figure, table, WEB, f"figure-{number}-")
            for number, (figure, table) in enumerate(zip(guide.example, tables, strict=True), 1)
        ),
        shelves=tuple(_shelf(shelf, number) for number, shelf in enumerate(guide.shelves, 1)),
    )


def pictures(figure: Figure, table: Table, theme: Theme) -> tuple[str, ...]:
    """Return the picture of a figure, of which it may show a window, and the pictures beside it, which may hold its
    stamps."""
    view, names = table.witness(figure.viewer), GUIDE_NAMES[: table.seats]
    if figure.draw is not None:
        return (figure.draw(view, theme, names),)
    view_arguments: dict[str, Any] = {"viewer": figure.viewer, "theme": theme, "names": names, "last": figure.points}
    parts = {part.name: part.drawn for part in table.game.board.parts(view, **view_arguments)}
    return parts.pop(figure.part), *parts.values()


def _figure(figure: Figure, table: Table, theme: Theme, own: str) -> DrawnFigure:
    places, words = zip(*figure.named, strict=True) if figure.named else ((), ())
    drawn, *beside = pictures(figure, table, theme)
    whole = figure_of(drawn, alt=figure.alt, own=own, theme=theme, window=figure.window, named=places, beside=beside)
    return DrawnFigure(_safe(whole), figure.title, figure.says, figure.is_broad, words)


def _shelf(shelf: Shelf, number: int) -> DrawnShelf:
    things = tuple(
        DrawnThing(
            _safe(figure_of(thing.draw(WEB), alt="", own=f"thing-{number}-{place}-", theme=WEB)), thing.name, thing.does
        )
        for place, thing in enumerate(shelf.things)
    )
    return DrawnShelf(shelf.title, shelf.says, shelf.look, things)


def _safe(picture: str) -> SafeString:
    return mark_safe(picture)  # noqa: S308 (drawn by ourselves, and written anew by a parser)
