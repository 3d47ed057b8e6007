"""A small REST client that logs in, keeps a token, and raises refusals as exceptions."""

import getpass
import secrets
from typing import Any, Self
from uuid import uuid4

import httpx

_LONG_POLL_SECONDS = 25


class Unreachable(Exception):
    """The server doesn't answer."""


class ProblemAnswer(Exception):
    """The server has refused the request; `problem` is the problem document."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or problem))
        self.problem = problem

    @property
    def in_full(self) -> str:
        """Return title and detail, for output without the refused input beside it."""
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
        """Use this token, else a new one for the account, else one for a new account; raise ProblemAnswer,
        Unreachable."""
        if token is None:
            token = self._new_token(username, password)
        elif not (token.isascii() and token.isprintable()):
            raise ProblemAnswer(
                {"detail": "A token consists of letters, digits and signs of ASCII only; copy it again."}
            )
        self._http.headers["Authorization"] = f"Bearer {token}"

    def _new_token(self, username: str | None, password: str | None) -> str:
        if username is None:
            username, password = f"player-{secrets.token_hex(4)}", secrets.token_urlsafe(16)
            self.post("/accounts", {"username": username, "password": password})
        login = {"username": username, "password": password or getpass.getpass(f"Password of {username}: ")}
        made: str = self.post("/tokens", login)["token"]
        return made

    def get(self, path: str, **query: Any) -> Any:
        """Return the document at a path; raise ProblemAnswer, Unreachable."""
        return self._answer("GET", path, params=query)

    def post(self, path: str, body: dict[str, Any] | None, key: str | None = None) -> Any:
        """Return the response to a POST; raise ProblemAnswer, Unreachable. A repetition needs the same idempotency
        `key`."""
        return self._answer("POST", path, json=body, headers={"Idempotency-Key": key or str(uuid4())})

    def events(self, match: str, after: int, hash: str = "") -> Any:
        """Return the next events after the version whose event has this hash; wait up to 25 seconds if there are
        none."""
        held = {"hash": hash} if hash else {}
        return self.get(f"/matches/{match}/events", after=after, wait=_LONG_POLL_SECONDS, **held)

    def _answer(self, method: str, path: str, **more: Any) -> Any:
        try:
            response = self._http.request(method, path, **more)
        except httpx.HTTPError as error:
            raise Unreachable(f"{self._url} doesn't answer ({type(error).__name__}).") from None
        except ValueError:
            # The input has undecodable bytes, or a number that JSON doesn't have.
            detail = "The input contains characters or numbers that can't be sent."
            raise ProblemAnswer({"code": "malformed", "detail": detail}) from None
        try:
            document = response.json()
        except ValueError:
            raise Unreachable(f"{self._url} answers, but not as Croupier does.") from None
        if response.is_error:
            raise ProblemAnswer(document)
        return document
