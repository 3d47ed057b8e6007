"""Text of several lines, as a form brings it."""

from django import forms


def lines(text: str) -> str:
    """The text with line breaks of one character: forms send two, but their fields' `maxlength` counts one."""
    return text.replace("\r\n", "\n")


class LinesField(forms.CharField):
    """Text of several lines, which may be as long as its field lets it be typed."""

    def to_python(self, value: object) -> str | None:
        """The text with line breaks of one character."""
        told: str | None = super().to_python(lines(value) if isinstance(value, str) else value)
        return told
