"""Sessions in cookies, as in Django, with one difference."""

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase


class Middleware(SessionMiddleware):
    """Django's middleware, except that it doesn't delete the cookie of a session that ended elsewhere.

    A new password gives the browser the cookie of a new session. The response to another tab's request with the old
    cookie may arrive later, and would delete the new one. Signing out still deletes it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer = super().process_response(request, response)
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie["max-age"] == 0 and not request.session.modified:
            del answer.cookies[settings.SESSION_COOKIE_NAME]
        return answer
