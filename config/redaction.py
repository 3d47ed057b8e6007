"""Redaction of secrets in URLs, for all output other than responses.

A path with a secret is recognised by its shape. Output during a request, such as the text of an error, is also searched
for the secrets in that request's URL and referrer.
"""

from collections.abc import Awaitable, Callable, Mapping
from contextvars import ContextVar
from typing import Any

from matches.domain import secret_urls

_scope: ContextVar[Mapping[str, Any] | None] = ContextVar("scope", default=None)


class RememberRequest:
    """ASGI middleware that makes the request available to `redacted`.

    The request is not removed at the end, because the server logs later failures in the same task; each request has its
    own task.
    """

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: Mapping[str, Any], receive: Any, send: Any) -> None:
        _scope.set(scope)
        await self.application(scope, receive, send)


def redacted(value: Any, other: Callable[[Any], Any] = lambda value: value) -> Any:
    """Return the value with the secrets in its strings hidden, at any depth; tuples become lists.

    `other` converts a value that isn't a string, number, boolean, None, dict, list or tuple.
    """
    return _redacted(value, _secrets(), other)


def _redacted(value: Any, secrets: list[str], other: Callable[[Any], Any]) -> Any:
    match value:
        case str():
            return secret_urls.hide(value, secrets)
        case None | bool() | int() | float():
            return value
        case dict():
            return {_redacted(key, secrets, other): _redacted(item, secrets, other) for key, item in value.items()}
        case list() | tuple():
            return [_redacted(item, secrets, other) for item in value]
    replaced = other(value)
    return secret_urls.hide(replaced, secrets) if isinstance(replaced, str) else replaced


def _secrets() -> list[str]:
    """Return the secrets in the URL and referrer of the current request; empty outside a request."""
    scope = _scope.get()
    if scope is None:
        return []
    # Join with line breaks, so that a path can't continue into the next text.
    referrers = [value for name, value in scope.get("headers", ()) if name.lower() == b"referer"]
    texts = [scope.get("raw_path") or b"", scope.get("query_string") or b"", *referrers]
    return secret_urls.secrets_in("\n".join([scope.get("path", ""), *(it.decode("latin-1") for it in texts)]))
