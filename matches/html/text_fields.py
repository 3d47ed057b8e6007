"""The text fields of forms: each applies the rule of texts, and names what breaks it."""

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from matches.domain.texts import BadText, clean_line, clean_lines
from matches.http.problems import Problem


def text_of(request: HttpRequest, longest: int, name: str = "text") -> str:
    """Return the text of several lines that a form without fields sends under a name; raise Problem."""
    try:
        text = clean_lines(request.POST.get(name, ""))
    except BadText as fault:
        raise Problem("malformed", str(fault)) from None
    if len(text) > longest:
        raise Problem("malformed", f"Write at most {longest} characters of text.")
    return text


class LineField(forms.CharField):
    """A text of one line."""

    def to_python(self, value: object) -> str | None:
        """Return the text in normal form."""
        text: str | None = super().to_python(value)
        try:
            return clean_line(text) if text else text
        except BadText as fault:
            raise ValidationError(str(fault)) from None


class PastedField(forms.CharField):
    """A table or list in another program's format. Its reader removes their marks and checks each row."""


class LinesField(forms.CharField):
    """A text of several lines. Forms send two characters for a line break, but their fields' `maxlength` counts one."""

    def to_python(self, value: object) -> str | None:
        """Return the text in normal form, with line breaks of one character."""
        text: str | None = super().to_python(value)
        try:
            return clean_lines(text) if text else text
        except BadText as fault:
            raise ValidationError(str(fault)) from None
