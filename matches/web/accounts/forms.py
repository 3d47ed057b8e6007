"""The forms of accounts. Their values are checked by the same rules as the API's."""

from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from matches.accounts.portraits import MOST_BYTES, TYPES
from matches.domain.names import MAX_LENGTH, time_zones
from matches.domain.portraits import FACES
from matches.html.text_fields import LineField
from matches.http.scopes import SCOPES
from matches.models import Account

_LONGEST_PASSWORD = 128
_SCOPE_LABELS = {
    "match:read": _("Read matches"),
    "match:play": _("Open and play matches"),
    "chat:read": _("Read talk"),
    "chat:write": _("Write in talk, and read it"),
    "season:admin": _("Run seasons"),
}


def _password(label: str, *, new: bool = False, hint: str = "") -> forms.CharField:
    autocomplete = "new-password" if new else "current-password"
    return forms.CharField(
        label=label,
        max_length=_LONGEST_PASSWORD,
        strip=False,
        help_text=hint,
        widget=forms.PasswordInput(attrs={"autocomplete": autocomplete}),
    )


class Tick(forms.CheckboxInput):
    """A checkbox whose default is ticked: a request without the field counts as ticked."""

    def render(self, name: str, *args: Any, **kwargs: Any) -> str:
        """Return the checkbox after a hidden field, which is sent as `false` if the box isn't ticked."""
        box = super().render(name, *args, **kwargs)
        return format_html('<input type="hidden" name="{}" value="false">{}', name, box)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> bool:
        """Return True if the box is ticked or missing."""
        return name not in data or super().value_from_datadict(data, files, name)


class SignInForm(forms.Form):
    username = forms.CharField(
        label="Name",
        max_length=4 * MAX_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )
    password = _password(_("Password"))


class SignUpForm(SignInForm):
    password = _password(
        _("Password"), new=True, hint=_("At least 8 characters, not only digits, and no common password.")
    )


class SettingsForm(forms.Form):
    """The time zone and look of pages."""

    time_zone = forms.ChoiceField(label=_("Time zone"), help_text=_("Times are shown in it; their title says UTC."))
    theme = forms.ChoiceField(label="Look")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [(zone, zone.replace("_", " ")) for zone in time_zones()]
        self.fields["theme"].choices = Account._meta.get_field("theme").choices


class FaceForm(forms.Form):
    face = forms.IntegerField(
        min_value=0, max_value=FACES - 1, error_messages={"required": _("Choose one of the faces first.")}
    )


class PictureForm(forms.Form):
    """An uploaded picture."""

    picture = forms.FileField(
        label=_("A picture from this device"),
        help_text=_(
            "PNG, JPEG or WebP, at most 2 MB. It is cut to 4 by 5, and nothing else in the file is kept, such as "
            "where it was taken. Everybody sees it next to your name."
        ),
        error_messages={"required": _("Choose a file first.")},
        widget=forms.FileInput(
            attrs={
                "accept": ",".join(TYPES),
                "data-most-bytes": MOST_BYTES,
                "data-too-large": _("This file is larger than 2 MB. Save the picture smaller, or as a JPEG."),
            }
        ),
    )


class PasswordForm(forms.Form):
    """A new password, with the current one."""

    current = _password(_("Current password"))
    new = _password(_("New password"), new=True, hint=_("Other browsers are signed out."))
    revoke_tokens = forms.BooleanField(
        label=_("Revoke all tokens for programs too"), required=False, initial=True, widget=Tick,
        help_text=_("Leave it ticked where somebody else may know the old password."),
    )  # fmt: skip


class TokenForm(forms.Form):
    name = LineField(
        label=_("What it is for"), max_length=80, required=False, help_text=_("Helps you to tell them apart.")
    )
    scopes = forms.MultipleChoiceField(
        label=_("What it may do"),
        choices=[(scope, _SCOPE_LABELS.get(scope, scope)) for scope in SCOPES],
        initial=["match:read", "match:play"],
        widget=forms.CheckboxSelectMultiple,
    )


class WebhookForm(forms.Form):
    """The webhook of an account."""

    url = forms.CharField(
        label=_("Address of your webhook"),
        max_length=500,
        help_text=_("https:// or http://, open to the world. Messages are JSON, signed with a secret."),
        widget=forms.URLInput(attrs={"autocomplete": "off", "placeholder": "https://"}),
    )
    form = forms.ChoiceField(
        label=_("Receiver"),
        required=False,
        choices=[
            ("standard", _("A program of mine (Standard Webhooks)")),
            ("discord", "Discord"),
            ("slack", "Slack"),
            ("ntfy", "ntfy"),
        ],
    )


class ReachForm(forms.Form):
    """The times of calls, and how much they reveal. There is no digest field if `mails` is false."""

    digest = forms.ChoiceField(
        label=_("E-mail comes"),
        choices=[
            ("at_once", _("At once")),
            ("hourly", _("Once an hour, together")),
            ("daily", _("Once a day, at 8:00")),
        ],
    )
    quiet_from = forms.TimeField(
        label=_("Quiet from"), required=False, widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    quiet_until = forms.TimeField(
        label=_("Quiet until"),
        required=False,
        widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"),
        help_text=_("By your own clock. Nothing is sent in these hours, not even for a check-in."),
    )
    details = forms.BooleanField(
        label=_("Name games and seasons also where they aren't public"),
        required=False,
        help_text=_("Whoever looks at your screen reads them too."),
    )

    def __init__(self, *args: Any, mails: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not mails:
            del self.fields["digest"]

    def clean(self) -> dict[str, Any]:
        """Add an error if only one of the two times of the quiet hours is given."""
        fields = super().clean()
        if not self.errors and (fields["quiet_from"] is None) != (fields["quiet_until"] is None):
            self.add_error("quiet_until", _("Give both times, or neither."))
        return fields


class MailForm(forms.Form):
    """The account's e-mail address, with the password."""

    address = forms.CharField(
        label=_("Your e-mail address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        help_text=_("A letter asks whether it is yours; until you say so nothing else is sent there."),
    )
    password = _password(_("Your password"), hint=_("From then on you can request a new password by this address."))


class ForgottenForm(forms.Form):
    """The account whose password is lost."""

    name = forms.CharField(
        label=_("Your name, or your e-mail address"),
        max_length=254,
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none", "spellcheck": "false"}),
    )


class NewPasswordForm(forms.Form):
    """A new password, set through the link in a letter."""

    password = _password(
        _("New password"), new=True, hint=_("At least 8 characters, not only digits, and no common password.")
    )
