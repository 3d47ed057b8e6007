"""A small REST client: logs in, keeps a token, raises refusals as sentences."""

import getpass
import secrets
from typing import Any, Self
from uuid import uuid4

import httpx

_LONG_POLL_SECONDS = 25


class Unreachable(Exception):
    """The server doesn't answer."""


class ProblemAnswer(Exception):
    """The server's answer is a problem; `problem` is its document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or problem))
        self.problem = problem

    @property
    def in_full(self) -> str:
        """Title and detail: what was refused, for whoever can't see it at the prompt."""
        return f"{self.problem['title']}. {self}" if self.problem.get("title") else str(self)


class Client:
    """One account on one server."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1", timeout=40)
        self._url = url

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def log_in(self, token: str | None, username: str | None, password: str | None) -> None:
        """Go on with a token: the one given, one for the account, or one for a new account."""
        if token is None:
            token = self._new_token(username, password)
        elif not (token.isascii() and token.isprintable()):
            raise ProblemAnswer({"detail": "A token holds letters, digits and signs of ASCII only; copy it again."})
        self._http.headers["Authorization"] = f"Bearer {token}"

    def _new_token(self, username: str | None, password: str | None) -> str:
        if username is None:
            username, password = f"player-{secrets.token_hex(4)}", secrets.token_urlsafe(16)
            self.post("/accounts", {"username": username, "password": password})
        login = {"username": username, "password": password or getpass.getpass(f"Password of {username}: ")}
        made: str = self.post("/tokens", login)["token"]
        return made

    def get(self, path: str, **query: Any) -> Any:
        """The document at a path; raises Refused, Unreachable."""
        return self._answer("GET", path, params=query)

    def post(self, path: str, body: dict[str, Any] | None, key: str | None = None) -> Any:
        """The answer to a post; raises Refused, Unreachable. What is posted again needs the same `key`."""
        return self._answer("POST", path, json=body, headers={"Idempotency-Key": key or str(uuid4())})

    def events(self, match: str, after: int, hash: str = "") -> Any:
        """The next events after a version, whose event has this hash, waiting for them if there are none yet."""
        held = {"hash": hash} if hash else {}
        return self.get(f"/matches/{match}/events", after=after, wait=_LONG_POLL_SECONDS, **held)

    def _answer(self, method: str, path: str, **more: Any) -> Any:
        try:
            response = self._http.request(method, path, **more)
        except httpx.HTTPError as error:
            raise Unreachable(f"{self._url} doesn't answer ({type(error).__name__}).") from None
        except ValueError:
            # Bytes that the terminal couldn't read as letters, or a number that JSON doesn't have.
            detail = "That holds characters or numbers that can't be sent."
            raise ProblemAnswer({"code": "malformed", "detail": detail}) from None
        try:
            document = response.json()
        except ValueError:
            raise Unreachable(f"{self._url} answers, but not as Croupier does.") from None
        if response.is_error:
            raise ProblemAnswer(document)
        return document
