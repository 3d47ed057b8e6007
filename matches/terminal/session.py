"""A match in the terminal: the board, the events, and a prompt for commands in notation."""

import json
import re
import secrets
import sys
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from games.drawing.themes import SEAT_LETTERS
from games.kernel import SPECTATOR, Game
from matches.audit import croupier_verify
from matches.terminal.client import Client, ProblemAnswer

_HELP = """\
Type a command in the game's notation, or:
  legal    list your legal commands
  board    draw the board again
  rules    show the rules and the notation
  resign   resign the match
  decline  decline a seat that you were given and haven't accepted
  quit     leave; the match goes on"""
_BOARD_CHANGED = ("not_your_turn", "match_over", "dealer_due", "flag_fallen", "conflict")
"""Refusals of a command because the board has changed."""
_LOST = (
    "The service has lost the last moves of this match with a server. The events above after {} are void; play goes"
    " on from there."
)
_NAME = re.compile(r"[0-9A-Za-z-]+")
_MOST_LISTED = 40
_SHADES = ("cyan", "yellow", "magenta", "green", "red")


class Session:
    """A player's session at one match."""

    def __init__(self, client: Client, game: Game) -> None:
        self._client = client
        self._game = game
        # Lines are wrapped for terminals only, as programs read whole lines.
        self._console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        self._match = ""
        self._seat = 0
        self._version = 0
        self._hash = ""

    def open(self, options: str, seats: int | None) -> None:
        """Open and start a match with the player on seat 0 and bots on the others."""
        me = self._client.get("/me")["id"]
        bots = [{"player": "bot"}] * ((seats or self._game.seats.min) - 1)
        body = {"game": self._game.slug, "options": _object(options), "seats": [{"player": me}, *bots]}
        # The terminal shows no clocks, so the match has none.
        body["clocks"] = None
        self._match = self._client.post("/matches", body)["id"]
        self._give_nonce()
        self._client.post(f"/matches/{self._match}/start", {"reason": "A match in the terminal."})
        self._console.print(f"[bold]{self._game.title}[/bold], match {self._match}. Type [bold]help[/bold] for help.")

    def _give_nonce(self) -> None:
        """Commit to a nonce and reveal it, so that the service can't have chosen the draws."""
        nonce, path = secrets.token_bytes(32), f"/matches/{self._match}/nonce"
        promised = croupier_verify.nonce_commitment(UUID(self._match), self._seat, nonce).hex()
        self._client.post(path, {"commitment": promised})
        self._client.post(path, {"nonce": nonce.hex()})

    def resume(self, match: str) -> None:
        """Continue a match at which the player has a seat; raise ProblemAnswer if they have none."""
        if not _NAME.fullmatch(match):
            raise ProblemAnswer({"detail": "--match is a match's id or code: letters, digits and dashes."})
        document = self._client.get(f"/matches/{match}")
        if not document["witness"].startswith("seat:"):
            raise ProblemAnswer({"detail": "You have no seat at this match."})
        if document["game"] != self._game.slug:
            raise ProblemAnswer(
                {"detail": f"This is a match of {document['title']}: play {document['game']} --match {match}"}
            )
        self._match, self._seat = document["id"], int(document["witness"].removeprefix("seat:"))
        if document["seats"][self._seat].get("accepted") is False:
            self._console.print("You were given this seat. Accept it by a move, or on the match's page.")

    def play(self) -> None:
        """Print events, and prompt for commands on the player's turns, until the match is over or the player leaves."""
        while True:
            page = self._next_page()
            self._print_events(page["results"])
            if page["next"] is not None:
                continue
            match = self._client.get(f"/matches/{self._match}")
            if match["version"] > self._version:
                continue
            if page["finished"]:
                self._end(match)
                return
            if self._prompts_of(match) and not self._turn(match):
                return

    def _next_page(self) -> dict[str, Any]:
        """Return the next page of events. If the service has lost printed ones, say so and continue before them."""
        try:
            return dict(self._client.events(self._match, self._version, self._hash))
        except ProblemAnswer as refused:
            if refused.problem.get("code") != "history_changed":
                raise
            self._version, self._hash = refused.problem["version"], ""
            self._console.print(Text(_LOST.format(self._version), style="yellow"))
            return dict(self._client.events(self._match, self._version))

    def _turn(self, match: dict[str, Any]) -> bool:
        """Prompt until a command is accepted or the board has changed; return False if the player leaves."""
        self._draw(match)
        while True:
            line = self._console.input(f"[bold]{' / '.join(self._prompts_of(match))}>[/bold] ").strip()
            match line.lower():
                case "":
                    continue
                case "quit" | "exit":
                    self._console.print(f"The match goes on. Come back with --match {self._match}")
                    return False
                case "help" | "?":
                    self._console.print(_HELP)
                case "decline":
                    if self._decline():
                        return False
                case "legal":
                    self._list_legal()
                case "board":
                    self._draw(match)
                case "rules":
                    self._console.print(Markdown(self._game.readme))
                case _ if self._send(line):
                    return True

    def _send(self, line: str) -> bool:
        try:
            self._client.post(f"/matches/{self._match}/commands", {"text": line})
        except ProblemAnswer as refused:
            self._console.print(Text(str(refused), style="red"))
            return refused.problem.get("code") in _BOARD_CHANGED
        return True

    def _decline(self) -> bool:
        try:
            self._client.post(f"/matches/{self._match}/decline", {})
        except ProblemAnswer as refused:
            self._console.print(Text(str(refused), style="red"))
            return False
        self._console.print("You have declined the match.")
        return True

    def _print_events(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            seat = event.get("seat")
            shade = _SHADES[seat % len(_SHADES)] if isinstance(seat, int) else "white"
            self._console.print(Text(f"{event['version']:>4}  {event['text']}", style=shade))
            self._version, self._hash = event["version"], event["hash"]

    def _draw(self, match: dict[str, Any]) -> None:
        state = self._game.read_state(match["view"])
        self._console.print()
        # Wrapped lines would break the board's columns.
        board = self._game.in_text(state, self._witness(match), _names(match["seats"]))
        self._console.print(Text(board), soft_wrap=True)

    def _list_legal(self) -> None:
        legal = self._client.get(f"/matches/{self._match}/legal")
        listed = legal["text"][:_MOST_LISTED]
        self._console.print("  ".join(listed) or "No commands are listed; see `rules` for the notation.", markup=False)
        hidden = len(legal["text"]) - len(listed)
        if hidden or not legal["complete"]:
            self._console.print(f"... and {hidden or 'many'} more")

    def _end(self, match: dict[str, Any]) -> None:
        self._draw(match)
        if match["outcome"]:
            won = self._seat in match["outcome"]["winners"]
            self._console.print("[bold green]You won.[/bold green]" if won else "[bold red]You lost.[/bold red]")
        self._console.print(f"Export the record: manage.py export {match['code']} --output match.ndjson")

    def _prompts_of(self, match: dict[str, Any]) -> list[str]:
        prompts = match["due"]["prompts"]
        return [name for prompt in prompts if prompt["seat"] == self._seat for name in prompt["commands"]]

    def _witness(self, match: dict[str, Any]) -> Any:
        return self._seat if match["witness"].startswith("seat:") else SPECTATOR


def _names(seats: list[dict[str, Any]]) -> list[str]:
    """Return the seats' names as the service reads them in commands."""
    bots = sum(seat["player"] == "bot" for seat in seats)
    return [_name(seat["player"], SEAT_LETTERS[number], alone=bots == 1) for number, seat in enumerate(seats)]


def _name(player: Any, letter: str, *, alone: bool) -> str:
    if isinstance(player, dict):
        return str(player["username"])
    return f"Seat {letter}" if player is None else "Bot" if alone else f"Bot {letter}"


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ProblemAnswer({"detail": '--options is JSON, such as {"base": 8}.'}) from None
