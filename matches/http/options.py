"""OPTIONS: every route of the API returns its methods, without authentication."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import Resolver404, resolve

GetResponse = Callable[[HttpRequest], HttpResponse]


def middleware(get_response: GetResponse) -> GetResponse:
    """Respond to OPTIONS before a view of the API is called."""

    def respond(request: HttpRequest) -> HttpResponse:
        allowed = _methods_at(request.path_info) if request.method == "OPTIONS" else ""
        return _allow_response(allowed) if allowed else get_response(request)

    return respond


def _methods_at(path: str) -> str:
    """Return the methods of the API's view for a path, comma-separated; empty if there is none."""
    try:
        view = getattr(resolve(path).func, "cls", None)
    except Resolver404:
        return ""
    if view is None or not path.startswith("/api/"):
        return ""
    methods = [name.upper() for name in view.http_method_names if name != "options" and hasattr(view, name)]
    if "GET" in methods:
        methods.append("HEAD")
    return ", ".join(dict.fromkeys([*methods, "OPTIONS"]))


def _allow_response(methods: str) -> HttpResponse:
    response = HttpResponse(status=204, headers={"Allow": methods})
    del response.headers["Content-Type"]
    return response
