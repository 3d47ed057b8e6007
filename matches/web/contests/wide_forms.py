"""Forms with more fields and bytes than others may have: a view declares it, and the middleware of pages reads them."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qsl

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import HttpRequest, QueryDict

_ATTRIBUTE: Final = "most_form_fields"
_TYPE: Final = "application/x-www-form-urlencoded"


def wide_form(*, fields: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a view's form have so many fields."""

    def declared(view: Callable[..., Any]) -> Callable[..., Any]:
        setattr(view, _ATTRIBUTE, fields)
        return view

    return declared


def read_wide_form(request: HttpRequest, view: Callable[..., Any], most_bytes: int) -> None:
    """Read the form of a view that declares a wide one; raise RequestDataTooBig, TooManyFieldsSent."""
    most_fields = getattr(view, _ATTRIBUTE, None)
    if most_fields is None or request.method != "POST" or request.content_type != _TYPE:
        return
    data = request.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise RequestDataTooBig
    try:
        pairs = parse_qsl(data.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=most_fields)
    except ValueError:
        raise TooManyFieldsSent from None
    form = QueryDict(mutable=True)
    for name, value in pairs:
        form.appendlist(name, value)
    request.POST = form
