"""Removes the secrets of URLs from whatever leaves the process beside its answers.

Each path that is written anywhere is recognised by its shape. What else is written while a request is answered, such as
the text of an error, is also searched for the secrets of that request's URL and referrer.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

from matches.domain import secret_urls

_scope: ContextVar[Mapping[str, Any] | None] = ContextVar("scope", default=None)


class RememberRequest:
    """ASGI middleware: makes the request known to `redacted`.

    It isn't forgotten at the end, as the server logs what failed afterwards in the same task; each request has one.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        _scope.set(scope)
        await self.application(scope, receive, send)


def redacted(value: Any, other: Callable[[Any], Any] = lambda value: value) -> Any:
    """The value without secrets in its strings, at any depth; `other` replaces what is neither text, number nor
    collection."""
    return _redacted(value, _secrets(), other)


def _redacted(value: Any, secrets: list[str], other: Callable[[Any], Any]) -> Any:
    match value:
        case str():
            return secret_urls.hide(value, secrets)
        case None | bool() | int() | float():
            return value
        case dict():
            return {_redacted(key, secrets, other): _redacted(it, secrets, other) for key, it in value.items()}
        case list() | tuple():
            return [_redacted(it, secrets, other) for it in value]
    replaced = other(value)
    return secret_urls.hide(replaced, secrets) if isinstance(replaced, str) else replaced


def _secrets() -> list[str]:
    """The secrets of the request that is being answered."""
    scope = _scope.get()
    if scope is None:
        return []
    # One by one: a line break keeps a path from reaching into the next.
    referrers = [value for name, value in scope.get("headers", ()) if name.lower() == b"referer"]
    texts = [scope.get("raw_path") or b"", scope.get("query_string") or b"", *referrers]
    return secret_urls.secrets_in("\n".join([scope.get("path", ""), *(it.decode("latin-1") for it in texts)]))
