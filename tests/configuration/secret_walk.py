"""A process in which every route with a secret gives every answer; says which statuses it gave, and which secrets it
was asked with."""

import asyncio
import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_urlsafe
from typing import Any
from urllib.parse import quote
from uuid import uuid4

STATUSES = (400, 401, 403, 404, 405, 409, 410, 413, 422, 428, 429, 500, 502, 503)


class Walk:
    """Asks the ASGI application as a server would."""

    def __init__(self, application: Any) -> None:
        import httpx

        transport = httpx.ASGITransport(app=application, raise_app_exceptions=False)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://localhost")
        self.statuses: set[int] = set()
        self.secrets: list[str] = []

    async def ask(self, method: str, path: str, **more: Any) -> Any:
        """One request; `SECRET` in the path or headers stands for a secret that nobody has used."""
        secret = f"{token_urlsafe(24)}:1w{token_urlsafe(6)}:{token_urlsafe(24)}"
        self.secrets.append(secret)
        headers = {name: value.replace("SECRET", secret) for name, value in more.pop("headers", {}).items()}
        response = await self.client.request(method, path.replace("SECRET", secret), headers=headers, **more)
        self.statuses.add(response.status_code)
        return response


def patterns(resolver: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Every route of a resolver with its pattern."""
    for it in resolver.url_patterns:
        route = before + str(it.pattern)
        if hasattr(it, "url_patterns"):
            yield from patterns(it, route)
        else:
            yield route, it


def path_of(route: str) -> str:
    """A path of a route, with SECRET for the secret."""
    path = route
    while "<" in path:
        before, _, rest = path.partition("<")
        parameter, _, after = rest.partition(">")
        path = before + ("SECRET" if parameter.startswith("secret:") else "nowhere") + after
    return f"/{path}"


def outcomes() -> Iterator[Callable[..., Any]]:
    """Views that answer with every status, fail in every way, or have somebody else log the request."""
    import structlog
    from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
    from django.http import Http404, HttpResponse

    from matches.http.problems import Problem

    def raising(error: Callable[[str], Exception]) -> Callable[..., Any]:
        def view(request: Any, **parts: Any) -> Any:
            raise error(f"no {' '.join(parts.values())} at {request.get_full_path()}") from KeyError(*parts.values())

        return view

    def logging_view(request: Any, **parts: Any) -> Any:
        plain, own = logging.getLogger("somebody.else"), structlog.get_logger("matches.web")
        plain.warning("at %s by %r", request.path, parts, extra={"request": request, "parts": parts})
        plain.error(f"{request.build_absolute_uri()} {request.get_full_path()!r} {quote(request.path, safe='')}")
        own.error("answered", path=request.path, parts=parts, request=request, nested=[{"url": request.path}])
        plain.error("%d at %s", request.path, request.path)
        asyncio.new_event_loop().call_exception_handler({"message": f"nobody took {request}", "parts": parts})
        return HttpResponse()

    for status in STATUSES:
        yield lambda _, status=status, **__: HttpResponse(status=status)
    for error in (Http404, BadRequest, PermissionDenied, SuspiciousOperation, RuntimeError, LookupError):
        yield raising(error)
    yield raising(lambda text: Problem("version_behind", text))
    yield logging_view


async def walk_replaced(walk: Walk, routes: list[tuple[str, Any]]) -> None:
    """Each route with every outcome in its view's place."""
    for route, pattern in routes:
        view = pattern.callback
        for pattern.callback in outcomes():
            await walk.ask("GET", path_of(route), headers={"referer": f"http://localhost{path_of(route)}"})
        pattern.callback = view


async def walk_real(walk: Walk, routes: list[tuple[str, Any]]) -> None:
    """Each route as it is, also spelled wrongly, and named by other requests."""
    await walk.ask("GET", "/SECRET")
    for route, _ in routes:
        path = path_of(route)
        for method in ("GET", "POST", "PUT"):
            await walk.ask(method, path)
        for wrong in (
            f"{path}/",
            f"{path}.",
            f"/x{path}",
            f"/{path}",
            "/SECRET",
            path.replace("SECRET", "SECRET/more"),
        ):
            await walk.ask("GET", f"http://localhost{wrong}")
        for address in (f"/sign-in?next={path}", f"/sign-in?next={quote(path, safe='')}", f"/nowhere?x={path}"):
            await walk.ask("POST", address)
        for headers in ({}, {"origin": "http://evil.example"}):
            await walk.ask("POST", "/account/settings", headers=headers | {"referer": f"http://localhost{path}"})


async def reset_weakly(walk: Walk) -> None:
    """The link of a letter, posted with a password that is refused."""
    from asgiref.sync import sync_to_async

    from events import store
    from matches.models import Account, MailAddress
    from matches.notifications import mail_addresses

    def make_reset_token() -> str:
        account = Account.objects.create_user(f"n{uuid4().hex[:16]}", password="a long walk home")
        MailAddress.objects.create(account=account, sealed=b"", digest=b"", verified_at=store.clock())
        return mail_addresses.reset_token(account)

    token = await sync_to_async(make_reset_token)()
    walk.secrets.append(token)
    await walk.client.get("/sign-in")
    form = {"password": "12345678", "csrfmiddlewaretoken": next(iter(walk.client.cookies.values()))}
    response = await walk.client.post(f"/new-password/{token}", data=form)
    assert response.status_code == 422, response.text
    walk.statuses.add(422)
    walk.client.cookies.clear()


def log_in_both_forms() -> None:
    """The settings' lines are JSON on standard output; beside them a person's form on standard error."""
    import structlog

    from config import logs

    line = logs.configure("console", "DEBUG")["formatters"]["line"]
    handler = logs.Output(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(**{k: v for k, v in line.items() if k != "()"}))
    logging.getLogger().addHandler(handler)


async def main(out: Path) -> None:
    import sentry_sdk
    from django.urls import get_resolver

    from config import asgi

    routes = [(route, pattern) for route, pattern in patterns(get_resolver()) if "<secret:" in route]
    log_in_both_forms()
    walk = Walk(asgi.application)
    await walk_real(walk, routes)
    await reset_weakly(walk)
    await walk_replaced(walk, routes)
    metrics = await walk.client.get("/metrics")
    sentry_sdk.flush(10)
    report = {"routes": [route for route, _ in routes], "statuses": sorted(walk.statuses), "secrets": walk.secrets}
    out.write_text(json.dumps(report | {"metrics": metrics.text}))


if __name__ == "__main__":
    os.environ |= {"CROUPIER_LOG": "json", "CROUPIER_LOG_LEVEL": "DEBUG"}
    asyncio.run(main(Path(sys.argv[1])))
