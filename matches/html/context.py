"""The context of the match page, its frames and its responses: a match as one witness knows it, at a version."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import islice
from typing import Any

from events import chain
from games.drawing.css import WEB
from games.kernel import HOST, SPECTATOR, Game, Part, Witness
from matches.domain import nonces
from matches.domain.aids import SENTENCES, remembers
from matches.domain.events import TYPES_OF_ASIDES
from matches.domain.match_state import MatchState
from matches.html import ending, record
from matches.html.name_lists import shortened
from matches.html.offers import may_offer, offer_lines
from matches.html.seats import strips
from matches.html.stages import stage_of
from matches.html.trays import touched, tray_of
from matches.html.trays.filling import Refused
from matches.html.trays.tray import Choice, Tray, TrayContext
from matches.html.unscheduled import unscheduled
from matches.models import Match
from matches.reads import entitlements, feed
from matches.reads.sentences import names_of, short_names_of

MOST_LISTED = 250
"""The tray considers at most this many legal commands."""
MOST_SUGGESTED = 25
MOST_MOVES = 12
"""The page animates at most this many of the latest events; it skips older ones."""


def live(
    match: Match, witness: Witness, version: int | None = None, *, whole: bool = True, refused: Refused | None = None
) -> dict[str, Any]:
    """Return the context of `live.html`; it depends only on the match, the witness and the version, and on the form
    that was refused.

    A `whole` page works without scripts; a frame omits what scripts make or load themselves.
    """
    if feed.looking_back(match.id, witness, version) != witness:
        version = None  # This seat can't look back; newer events than requested are on their way to it.
    match_state = feed.visible_state(match.id, witness, version)
    names = short_names_of(match)
    events = record.witnessed_events(match.id, witness, max(0, match_state.version - record.LINES), match_state.version)
    lines = record.lines(match_state, match.id, _shown_events(match_state, witness, events), names)
    tray = tray_for(match_state, witness, names, refused)
    seats = strips(match, match_state, witness)
    targets, last = tray.targets if tray else (), last_cells(match_state.game.slug, events)
    bar, mine = turn_bar(match_state, names, witness, tray)
    own = stage_of(match_state, witness, seats)
    return {
        "match": match,
        "title": match_state.title,
        "status": match_state.lifecycle.status,
        "version": match_state.version,
        "hash": match_state.hash.hex(),
        "seat": witness if isinstance(witness, int) else None,
        "turn_bar": bar,
        "mine": mine,
        "page_title": f"(1) Your turn · {match_state.title}" if mine else f"{match_state.title} · {match.code}",
        "seats": seats,
        "own": own,
        "nonce_step": nonces.page_action(match_state.lifecycle, witness) if isinstance(witness, int) else "",
        "fairness": nonces.fairness_sentence(match_state.lifecycle, names),
        "hears_who_is_here": not (witness is SPECTATOR and match_state.lifecycle.opened.spectator_delay),
        "open_seats": match_state.lifecycle.players.count(None),
        "tray": tray,
        "choices": tray.choices if tray and (whole or not tray.offers) else (),
        "tray_data": tray_data(tray),
        "suggestions": suggestions(match_state, witness, tray, names_of(match)),
        "expected": match_state.version if mine and _is_only_seat(match_state) else None,
        "scene": ending.scene(match_state, witness, names, seats),
        "opens_later": match_state.lifecycle.over and not match_state.lifecycle.is_open,
        "uncounted": match_state.outcome is not None and not match_state.lifecycle.may_count,
        "awaited": [] if match_state.lifecycle.over else [names[awaited] for awaited in match_state.lifecycle.awaited],
        "is_invited": witness in match_state.lifecycle.awaited and not match_state.lifecycle.over,
        "offers": offer_lines(match, match_state, witness, names),
        "may_offer": may_offer(match_state, witness),
        "lines": list(reversed(lines)),
        "cut": match_state.version > record.LINES,
        "aids": SENTENCES[match_state.lifecycle.opened.aids],
        "tools": match_state.game.tools,
        "remembers": remembers(match_state.lifecycle, witness),
        "motion": motion(match_state.game, events),
        "turn_note": turn_note(match_state, names),
        "parts": () if match_state.outcome or own else parts(match_state, witness, names, targets, last),
        **(in_words(match_state, witness, names) if whole else {}),
    }


def _shown_events(
    match_state: MatchState, witness: Witness, events: Sequence[dict[str, Any]]
) -> Sequence[dict[str, Any]]:
    """Return the events that the page shows: without memory, those of the latest act and asides since."""
    if remembers(match_state.lifecycle, witness):
        return events
    acts = [event["at"] for event in events if event["type"] not in TYPES_OF_ASIDES]
    return [event for event in events if not acts or event["at"] >= acts[-1]]


def pictured(
    match_state: MatchState, witness: Witness, names: Sequence[str], last: Sequence[str] = ()
) -> dict[str, Any]:
    """Return the board as a picture, as tables and in characters."""
    return {"parts": parts(match_state, witness, names, last=last), **in_words(match_state, witness, names)}


def parts(
    match_state: MatchState,
    witness: Witness,
    names: Sequence[str],
    targets: Sequence[str] = (),
    last: Sequence[str] = (),
) -> tuple[Part, ...]:
    """Return the board's pictures, the table first."""
    drawn = match_state.game.board.parts(
        match_state.state, viewer=witness, theme=WEB, names=names, targets=targets, last=last
    )
    # A frame is JSON, which escapes double quotes; texts in the picture contain neither kind of quote.
    return tuple(replace(part, drawn=part.drawn.replace('"', "'")) for part in drawn)


def in_words(match_state: MatchState, witness: Witness, names: Sequence[str]) -> dict[str, Any]:
    """Return the board as tables and in characters."""
    return {
        "tables": match_state.game.board.tables(match_state.state, viewer=witness, names=names),
        "text_board": match_state.game.in_text(match_state.state, witness, names),
    }


def tray_for(
    match_state: MatchState, witness: Witness, names: Sequence[str], refused: Refused | None = None
) -> Tray | None:
    """Return what a seat can do now, with the form that was refused; None if it can do nothing."""
    if not isinstance(witness, int) or match_state.lifecycle.status != "running":
        return None
    if not match_state.due.commands_of(witness):
        return None
    game, state, opened = match_state.game, match_state.state, match_state.lifecycle.opened
    note = unscheduled(game.slug, clocked=opened.clocks is not None, scheduled=opened.opens_at is not None)
    commands = list(islice(game.legal(state, witness), MOST_LISTED))
    aided = game.aided(opened.aids)
    return tray_of(game.slug, TrayContext(state, witness, commands, game.notation.form, names, aided, note, refused))


def tray_data(tray: Tray | None) -> dict[str, Any]:
    """Return the tray's data for the page's scripts."""
    if tray is None:
        return {}
    listed = () if tray.offers else tray.choices
    reasons = {"reasons": dict(tray.reasons)} if tray.reasons else {}
    return {"choices": [_choice_data(choice) for choice in listed], "module": tray.module, "data": tray.data} | reasons


def _choice_data(choice: Choice) -> dict[str, Any]:
    """Return the non-empty fields of a choice."""
    texts = {"text": choice.text, "label": choice.label, "cell": choice.cell, "key": choice.key, "hint": choice.hint}
    marks = {"confirm": choice.confirm, "listed": choice.listed, "source": choice.source}
    return {name: said for name, said in (texts | marks).items() if said}


def suggestions(match_state: MatchState, witness: Witness, tray: Tray | None, names: Sequence[str]) -> list[str]:
    """Return some of the legal commands in notation, or an example of each kind if there are too many to list."""
    if tray is None or not isinstance(witness, int):
        return []
    game, state = match_state.game, match_state.state
    commands = game.with_names.examples(state, witness) if game.with_names else game.legal(state, witness)
    return [game.written(state, command, names) for command in islice(commands, MOST_SUGGESTED)]


def turn_bar(match_state: MatchState, names: Sequence[str], witness: Witness, tray: Tray | None) -> tuple[str, bool]:
    """Return what the match waits for as a sentence, and True if it waits for the witness."""
    lifecycle = match_state.lifecycle
    if lifecycle.over:
        return "The match is over" if lifecycle.outcome else "The match is void.", False
    if lifecycle.status == "waiting":
        open_seats = lifecycle.players.count(None)
        opens = f"; play opens {_utc_text(lifecycle.opened.opens_at)}" if lifecycle.opened.opens_at else ""
        waits = f"Waiting for {open_seats} more to sit down" if open_seats else "Waiting for the start"
        if nonces.is_called(lifecycle):
            return "The start is called; play begins once the promised nonces are shown", False
        return f"{waits}{opens}", False
    if ends := lifecycle.offers.pause_ends:
        return f"Paused, as all agreed; from {_utc_text(ends)} on a player may go on alone", False
    if lifecycle.paused:
        return "The host has paused the match", False
    if match_state.due.dealer:
        return "The dealer is at work", False
    prompted = match_state.due.seats
    if tray and witness in prompted:
        return f"Your turn: {tray.task}", True
    host = ["the host"] if match_state.due.prompt_of(HOST) else []
    waiting = " and ".join(shortened([*(names[seat] for seat in prompted), *host]))
    if tray:
        return f"You have locked in; waiting for {waiting}", False
    return f"Waiting for {waiting}", False


def motion(game: Game, events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the visible movements of the latest events, by version, from the witness's view."""
    moves = [event for event in events[-MOST_MOVES:] if event["type"] in game.event_types]
    return [
        {"version": event["version"]} | {name: shown for name, shown in asdict(step).items() if shown}
        for event in moves
        for step in game.steps(game.read_event(event))
    ]


def turn_note(match_state: MatchState, names: Sequence[str]) -> str:
    """Return the game's progress in a line; empty unless it is being played."""
    return (
        match_state.game.board.headline(match_state.state, names=names)
        if match_state.lifecycle.status == "running"
        else ""
    )


def _utc_text(at: int) -> str:
    """Return an instant (microseconds since 1970) in UTC: a frame is the same for all readers."""
    moment = chain.instant(at)
    return f"{moment.day} {moment:%b %Y, %H:%M} UTC"


def last_cells(slug: str, events: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """Return the cells of the latest event on the board, and those of its consequences."""
    return touched(slug, events)


def _is_only_seat(match_state: MatchState) -> bool:
    """True if only one seat is prompted; then a command is checked against the version that its page showed."""
    return len(match_state.due.prompts) == 1 and not match_state.due.amendable


def witness_name(witness: Witness) -> str:
    """Return the witness's name in requests: `seat:0`, `spectator`, `host`."""
    return entitlements.witness_name(witness)
