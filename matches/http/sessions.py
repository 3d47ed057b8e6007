"""Sessions in cookies, as Django keeps them."""

from django.conf import settings
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponseBase


class Middleware(SessionMiddleware):
    """Django's, which leaves a cookie in place whose session ended elsewhere.

    A new password gives the browser the cookie of a new session. An answer to a request that another tab sent with the
    old one may come later, and would delete the new cookie. Signing out still deletes it.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        answer = super().process_response(request, response)
        cookie = answer.cookies.get(settings.SESSION_COOKIE_NAME)
        if cookie is not None and cookie["max-age"] == 0 and not request.session.modified:
            del answer.cookies[settings.SESSION_COOKIE_NAME]
        return answer
