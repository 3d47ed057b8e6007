"""A match at the terminal: the board, what happened, a prompt by notation."""

import json
import re
import secrets
import sys
from typing import Any
from uuid import UUID

from rich.console import Console
from rich.markdown import Markdown
from rich.text import Text

from games.kernel import SPECTATOR, Game
from matches.audit import croupier_verify
from matches.terminal.client import Client, ProblemAnswer

_HELP = """\
Type a command in the game's notation, or:
  legal    what you may do now
  board    draw the board again
  rules    the rules, with the notation
  resign   give the match up
  decline  turn down a seat that you were given and haven't accepted
  quit     leave; the match goes on"""
_LOOK_AGAIN = ("not_your_turn", "match_over", "dealer_due", "flag_fallen", "conflict")
"""Refusals of what was typed on a board that has changed."""
_LOST = (
    "The house has lost the last moves of this match, with the server that held them. What was told above after {}"
    " never happened; play goes on from there."
)
_NAME = re.compile(r"[0-9A-Za-z-]+")
_MOST_LISTED = 40
_SHADES = ("cyan", "yellow", "magenta", "green", "red")


class Session:
    """One player's evening."""

    def __init__(self, client: Client, game: Game) -> None:
        self._client = client
        self._game = game
        # Lines are broken for a person's window only: a program that reads them gets them whole.
        self._console = Console(highlight=False, soft_wrap=not sys.stdout.isatty())
        self._match = ""
        self._seat = 0
        self._version = 0
        self._hash = ""

    def open(self, options: str, seats: int | None) -> None:
        """Open a match: the player on seat 0, bots on the others."""
        me = self._client.get("/me")["id"]
        bots = [{"player": "bot"}] * ((seats or self._game.seats.min) - 1)
        body = {"game": self._game.slug, "options": _object(options), "seats": [{"player": me}, *bots]}
        # No clock is shown here, so none runs.
        body["clocks"] = None
        self._match = self._client.post("/matches", body)["id"]
        self._give_nonce()
        self._client.post(f"/matches/{self._match}/start", {"reason": "A match in the terminal."})
        self._console.print(f"[bold]{self._game.title}[/bold], match {self._match}. Type [bold]help[/bold] for help.")

    def _give_nonce(self) -> None:
        """Promise and show a nonce, so that the house can't have chosen the draws."""
        nonce, path = secrets.token_bytes(32), f"/matches/{self._match}/nonce"
        promised = croupier_verify.nonce_commitment(UUID(self._match), self._seat, nonce).hex()
        self._client.post(path, {"commitment": promised})
        self._client.post(path, {"nonce": nonce.hex()})

    def resume(self, match: str) -> None:
        """Go on with a match that the player sits at."""
        if not _NAME.fullmatch(match):
            raise ProblemAnswer({"detail": "--match is a match's id or its code: letters, digits and dashes."})
        found = self._client.get(f"/matches/{match}")
        if not found["witness"].startswith("seat:"):
            raise ProblemAnswer({"detail": "You hold no seat at this match."})
        if found["game"] != self._game.slug:
            raise ProblemAnswer(
                {"detail": f"This is a match of {found['title']}: play {found['game']} --match {match}"}
            )
        self._match, self._seat = found["id"], int(found["witness"].removeprefix("seat:"))
        if found["seats"][self._seat].get("accepted") is False:
            self._console.print("You were given this seat. A move accepts it, and so does the match's page.")

    def play(self) -> None:
        """Tell what happens, ask when it is the player's turn, until the match is over."""
        while True:
            page = self._news()
            self._tell(page["results"])
            if page["next"] is not None:
                continue
            match = self._client.get(f"/matches/{self._match}")
            if match["version"] > self._version:
                continue
            if page["finished"]:
                self._end(match)
                return
            if self._asked(match) and not self._turn(match):
                return

    def _news(self) -> dict[str, Any]:
        """The next events. Those that were told and that the house has lost since never happened: they are void."""
        try:
            return dict(self._client.events(self._match, self._version, self._hash))
        except ProblemAnswer as refused:
            if refused.problem.get("code") != "history_changed":
                raise
            self._version, self._hash = refused.problem["version"], ""
            self._console.print(Text(_LOST.format(self._version), style="yellow"))
            return dict(self._client.events(self._match, self._version))

    def _turn(self, match: dict[str, Any]) -> bool:
        """Ask until a command is accepted; False when the player leaves."""
        self._draw(match)
        while True:
            line = self._console.input(f"[bold]{' / '.join(self._asked(match))}>[/bold] ").strip()
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
            return refused.problem.get("code") in _LOOK_AGAIN
        return True

    def _decline(self) -> bool:
        try:
            self._client.post(f"/matches/{self._match}/decline", {})
        except ProblemAnswer as refused:
            self._console.print(Text(str(refused), style="red"))
            return False
        self._console.print("You have declined the match.")
        return True

    def _tell(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            seat = event.get("seat")
            shade = _SHADES[seat % len(_SHADES)] if isinstance(seat, int) else "white"
            self._console.print(Text(f"{event['version']:>4}  {event['text']}", style=shade))
            self._version, self._hash = event["version"], event["hash"]

    def _draw(self, match: dict[str, Any]) -> None:
        state = self._game.read_state(match["view"])
        self._console.print()
        # Broken lines would tear the board's columns apart.
        self._console.print(Text(self._game.text_board(state, self._witness(match))), soft_wrap=True)

    def _list_legal(self) -> None:
        found = self._client.get(f"/matches/{self._match}/legal")
        listed = found["text"][:_MOST_LISTED]
        self._console.print("  ".join(listed) or "Nothing is listed; see `rules` for what may be typed.", markup=False)
        hidden = len(found["text"]) - len(listed)
        if hidden or not found["complete"]:
            self._console.print(f"... and {hidden or 'many'} more")

    def _end(self, match: dict[str, Any]) -> None:
        self._draw(match)
        if match["outcome"]:
            won = self._seat in match["outcome"]["winners"]
            self._console.print("[bold green]You won.[/bold green]" if won else "[bold red]You lost.[/bold red]")
        self._console.print(f"Its record: manage.py export {match['code']} --output match.ndjson")

    def _asked(self, match: dict[str, Any]) -> list[str]:
        prompts = match["due"]["prompts"]
        return [name for prompt in prompts if prompt["seat"] == self._seat for name in prompt["commands"]]

    def _witness(self, match: dict[str, Any]) -> Any:
        return self._seat if match["witness"].startswith("seat:") else SPECTATOR


def _object(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        raise ProblemAnswer({"detail": '--options is JSON, such as {"base": 8}.'}) from None
