"""The people of a demo season: an organiser, a host, players and newcomers, each a client of the API."""

import json
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from matches.terminal.client import Client, ProblemAnswer
from matches.terminal.seats import patient

NAMES = (
    "Mira", "Tobias", "Anouk", "Bela", "Carmen", "Dario", "Edda", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kira",
    "Lionel", "Maeve", "Nils", "Olga", "Piet", "Rosa", "Sami",
)  # fmt: skip


class Person:
    """An account with a logged-in client."""

    def __init__(self, url: str, username: str, password: str) -> None:
        self.client = Client(url)
        patient(lambda: self.client.log_in(None, username, password))
        me = self.client.get("/me")
        self.id, self.name = str(me["id"]), str(me["username"])
        self.is_organiser = bool(me["is_organiser"])

    @classmethod
    def newcomer(cls, url: str, name: str) -> "Person":
        """Sign up with this name, or a similar one if it is taken; raise ProblemAnswer if both are."""
        password = secrets.token_urlsafe(16)
        with Client(url) as nobody:
            for username in (name, f"{name} {secrets.token_hex(2)}"):
                try:
                    patient(lambda username=username: nobody.post(
                        "/accounts", {"username": username, "password": password}
                    ))  # fmt: skip
                    return cls(url, username, password)
                except ProblemAnswer as refused:
                    if refused.problem.get("code") != "name_taken":
                        raise
        raise ProblemAnswer({"detail": f"The name {name} is taken, and so are those like it."})


class Cast:
    """The people of one season. Demo accounts with known passwords play too, so that their owners find the season."""

    def __init__(self, url: str, organiser: Person, passwords: Mapping[str, str]) -> None:
        self._url, self._passwords = url, dict(passwords)
        self._names: Iterator[str] = iter(NAMES)
        self.organiser = organiser
        self.host = Person.newcomer(url, "Host Vera")
        self.people: dict[str, Person] = {}
        self.season = ""

    def enter(self) -> Person:
        """Return the next player, signed up or logged in."""
        name = next(self._names)
        password = self._passwords.get(name.lower())
        person = Person(self._url, name.lower(), password) if password else Person.newcomer(self._url, name)
        self.people[person.id] = person
        return person

    def act(self, path: str, body: dict[str, Any] | None = None, by: Person | None = None) -> list[dict[str, Any]]:
        """Carry out an act on the season, by default as the organiser; return its events."""
        actor = by or self.organiser
        response = patient(lambda: actor.client.post(f"/seasons/{self.season}{path}", body))
        events: list[dict[str, Any]] = response["events"]
        return events

    def read(self, path: str = "") -> Any:
        """Return a document of the season."""
        return patient(lambda: self.organiser.client.get(f"/seasons/{self.season}{path}"))

    def living(self) -> list[Person]:
        """Return the living players, the richest first."""
        standings = self.read("/standings")["results"]
        return [self.people[it["player"]["id"]] for it in standings if it["status"] == "living"]


def demo_passwords(data: Path) -> dict[str, str]:
    """Return the passwords of this installation's demo accounts, as stored by `seed_demo`."""
    path = data / "secrets" / "demo_accounts.json"
    passwords: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
    return passwords
