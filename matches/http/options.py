"""OPTIONS: every route of the API returns its methods, without authentication."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

Answering = Callable[[HttpRequest], HttpResponse]


def middleware(get_response: Answering) -> Answering:
    """Respond to OPTIONS before a view of the API is called."""

    def answer(request: HttpRequest) -> HttpResponse:
        allowed = _methods_at(request.path_info) if request.method == "OPTIONS" else ""
        return _allowing(allowed) if allowed else get_response(request)

    return answer


def _methods_at(path: str) -> str:
    """Return the methods of the API's view for a path, comma-separated; empty if there is none."""
    try:
        view = getattr(resolve(path).func, "cls", None)
    except Resolver404:
        return ""
    if view is None or not path.startswith("/api/"):
        return ""
    named = [name.upper() for name in view.http_method_names if name != "options" and hasattr(view, name)]
    if "GET" in named:
        named.append("HEAD")
    return ", ".join(dict.fromkeys([*named, "OPTIONS"]))


def _allowing(methods: str) -> HttpResponse:
    response = HttpResponse(status=204, headers={"Allow": methods})
    del response.headers["Content-Type"]
    return response
