"""Pages as a browser without scripts reads them: their links, and their forms, which send only what they offer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any, Final
from urllib.parse import urljoin

from django.test import Client

from matches.models import Account

_CHOSEN: Final = ("checkbox", "radio", "option")
_VOID: Final = ("button", "reset", "image")
"""Types of inputs that send nothing by themselves."""


@dataclass
class Control:
    """An input, a textarea, or an option of a select."""

    name: str
    kind: str
    value: str = ""
    is_sent: bool = True
    least: str = ""
    most: str = ""
    is_open: bool = True
    """False in a disabled fieldset, which a script enables."""


@dataclass(frozen=True)
class Button:
    """A button that sends a form, perhaps to an address of its own."""

    name: str
    value: str
    action: str


@dataclass
class Form:
    """A form, filled in as the page has it."""

    action: str
    id: str = ""
    controls: list[Control] = field(default_factory=list)
    buttons: list[Button] = field(default_factory=list)
    previews: list[str] = field(default_factory=list)
    """Addresses of parts that htmx posts the form to."""

    def names(self) -> list[str]:
        """Return the names of what can be filled in."""
        return [it.name for it in self.controls if it.kind != "hidden"]

    def value(self, name: str) -> str:
        return next(it.value for it in self.controls if it.name == name and it.is_sent)

    def offered(self, name: str) -> list[str]:
        """Return the values that the form offers for a choice."""
        return [it.value for it in self.controls if it.name == name and it.kind in _CHOSEN and it.value]

    def fill(self, values: Mapping[str, Any]) -> None:
        """Type or choose values, several of them as a sequence; False unticks a box."""
        for name, value in values.items():
            controls = [it for it in self.controls if it.name == name and it.kind != "hidden"]
            assert controls, f"{self.action} has no field {name}, but {self.names()}"
            chosen = value if isinstance(value, list | tuple) else [] if value is False else [value]
            texts = [str(it) for it in chosen]
            for control in controls:
                control.is_open = True
                if control.kind in _CHOSEN:
                    control.is_sent = control.value in texts
                    if control.is_sent:
                        texts.remove(control.value)
                else:
                    control.value = texts.pop()
                    assert not control.least or int(control.least) <= int(control.value), control
                    assert not control.most or int(control.value) <= int(control.most), control
            assert not texts, f"{self.action} doesn't offer {texts} for {name}, but {self.offered(name)}"

    def button(self, value: str = "") -> Button:
        """Return the button with this value, by default the first one."""
        return next(it for it in self.buttons if not value or it.value == value)

    def data(self, button: Button | None = None) -> dict[str, list[str]]:
        """Return what a browser sends."""
        sent: dict[str, list[str]] = {}
        for control in self.controls:
            if control.name and control.is_sent and control.is_open:
                sent.setdefault(control.name, []).append(control.value)
        if button and button.name:
            sent.setdefault(button.name, []).append(button.value)
        return sent


class _Reader(HTMLParser):
    """The forms and links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: set[str] = set()
        self.opens: set[str] = set()
        self.by_id: dict[str, Control] = {}
        self.loose = Form("")
        """Fields outside every form: a part of a page has fields of a form around it."""
        self._form: Form | None = None
        self._elsewhere: list[tuple[str, Control | Button]] = []
        self._fieldsets: list[bool] = []
        self._select: tuple[str, str] | None = None
        self._options: list[Control] = []
        self._text: Control | None = None

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "form":
            self._form = Form(attributes.get("action", ""), attributes.get("id", ""))
            self.forms.append(self._form)
        elif tag == "fieldset":
            self._fieldsets.append("disabled" in attributes)
        elif tag == "a" and "href" in attributes:
            self.links.add(attributes["href"])
        elif tag in ("input", "textarea", "option"):
            self._add_control(tag, attributes)
        elif tag == "select":
            self._select, self._options = (attributes.get("name", ""), attributes.get("form", "")), []
        elif tag == "button" and attributes.get("type", "submit") == "submit":
            self._own(
                attributes,
                Button(attributes.get("name", ""), attributes.get("value", ""), attributes.get("formaction", "")),
            )
        if "data-opens" in attributes:
            self.opens.add(attributes["data-opens"])
        if "hx-post" in attributes and tag != "form" and self._form:
            self._form.previews.append(attributes["hx-post"])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "fieldset" and self._fieldsets:
            self._fieldsets.pop()
        elif tag == "select":
            if self._options and not any(it.is_sent for it in self._options):
                self._options[0].is_sent = True
            self._select = None
        elif tag in ("textarea", "option") and self._text:
            if tag == "option":
                self._text.value = " ".join(self._text.value.split())
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text:
            self._text.value += data.replace("\n", "", 1) if not self._text.value and data[:1] == "\n" else data

    def close(self) -> None:
        super().close()
        by_id = {it.id: it for it in self.forms if it.id}
        for owner, part in self._elsewhere:
            _attach(by_id[owner], part)

    def _add_control(self, tag: str, attributes: Mapping[str, str]) -> None:
        kind = attributes.get("type", "text") if tag == "input" else tag
        if kind in _VOID:
            return
        if kind == "submit":
            self._own(
                attributes,
                Button(attributes.get("name", ""), attributes.get("value", ""), attributes.get("formaction", "")),
            )
            return
        name, form = attributes.get("name", ""), attributes.get("form", "")
        if tag == "option" and self._select:
            name, form = self._select
        value = attributes.get("value", "on" if kind in ("checkbox", "radio") else "")
        is_sent = "selected" in attributes if tag == "option" else kind not in _CHOSEN or "checked" in attributes
        is_open = not any(self._fieldsets) and "disabled" not in attributes
        control = Control(name, kind, value, is_sent, attributes.get("min", ""), attributes.get("max", ""), is_open)
        control.is_sent = control.is_sent and kind != "file"
        if tag == "textarea" or (tag == "option" and "value" not in attributes):
            self._text = control
        if tag == "option":
            self._options.append(control)
        if "id" in attributes:
            self.by_id[attributes["id"]] = control
        self._own({"form": form} if form else {}, control)

    def _own(self, attributes: Mapping[str, str], part: Control | Button) -> None:
        if attributes.get("form"):
            self._elsewhere.append((attributes["form"], part))
        else:
            _attach(self._form or self.loose, part)


def _attach(form: Form, part: Control | Button) -> None:
    if isinstance(part, Button):
        form.buttons.append(part)
    else:
        form.controls.append(part)


class Page:
    """A page that was read."""

    def __init__(self, address: str, text: str) -> None:
        self.address, self.text = address, text
        self._reader = _Reader()
        self._reader.feed(text)
        self._reader.close()
        self.links = self._reader.links
        self.opens = self._reader.opens
        """The ids of the dialogs that the page's buttons open."""
        self.loose = self._reader.loose

    def form(self, ending: str) -> Form:
        """Return the form whose address ends so; one without an address is sent to its page."""
        addresses = [urljoin(self.address, it.action) for it in self._reader.forms]
        places = [place for place, it in enumerate(addresses) if it.partition("?")[0].endswith(ending)]
        assert places, f"{self.address} has no form for {ending}, but {addresses}"
        return self._reader.forms[places[-1]]

    def value(self, element_id: str) -> str:
        """Return what stands in an input."""
        return self._reader.by_id[element_id].value


class Visitor:
    """A browser without scripts, but for the previews of forms."""

    def __init__(self, account: Account) -> None:
        self._client = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
        self._client.force_login(account)

    def read(self, address: str) -> Page:
        return _page_of(self._client.get(address, follow=True), address)

    def preview(self, page: Page, form: Form) -> None:
        """Let the form's preview add its fields to the form, as htmx does once the form is filled in."""
        for address in form.previews:
            answer = _page_of(self._client.post(urljoin(page.address, address), form.data()), address)
            form.controls += answer.loose.controls

    def send(self, page: Page, form: Form, button: str = "") -> Page:
        """Press a button of the form, which must be accepted; return the page that follows."""
        pressed = form.button(button)
        address = urljoin(page.address, pressed.action or form.action)
        return _page_of(self._client.post(address, form.data(pressed), follow=True), address)

    def leave(self, page: Page, form: Form, button: str = "") -> None:
        """Press a button of the form, which must be accepted, and don't wait for the page that follows."""
        pressed = form.button(button)
        address = urljoin(page.address, pressed.action or form.action)
        _page_of(self._client.post(address, form.data(pressed)), address, 302)


def _page_of(response: Any, address: str, status: int = 200) -> Page:
    text = response.content.decode()
    if response.status_code != status:
        faults = re.findall(r'class="fault"[^>]*>\s*([^<]+?)\s*<', text) or re.findall(r"<main.*", text, re.DOTALL)
        raise AssertionError(f"{address}: {response.status_code}: {' '.join(faults)[:2000]}")
    if chain := getattr(response, "redirect_chain", None):
        address = chain[-1][0]
    return Page(address, text)
