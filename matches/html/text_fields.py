"""Text of several lines, as a form brings it."""

from django import forms
from django.http import HttpRequest

from matches.http.problems import Problem


def lines(text: str) -> str:
    """The text with line breaks of one character: forms send two, but their fields' `maxlength` counts one."""
    return text.replace("\r\n", "\n")


def text_of(request: HttpRequest, longest: int) -> str:
    """The text that a form of the match page brings; one that can't be kept is a Problem."""
    text = lines(request.POST.get("text", ""))
    if len(text) > longest or "\0" in text:
        raise Problem("malformed", f"Write at most {longest} characters of text.")
    return text


class LinesField(forms.CharField):
    """Text of several lines, which may be as long as its field lets it be typed."""

    def to_python(self, value: object) -> str | None:
        """The text with line breaks of one character."""
        told: str | None = super().to_python(lines(value) if isinstance(value, str) else value)
        return told
