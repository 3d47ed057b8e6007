"""Choosing a portrait: a face, an uploaded picture, and removing that."""

from typing import Any

from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from matches.accounts import portraits
from matches.domain.portraits import FACES, address
from matches.html.entry import counted, posted_from, signed_in
from matches.http import portrait_uploads
from matches.http.problems import Problem
from matches.models import Account
from matches.web.accounts.forms import FaceForm, PictureForm

SHOWN = 12


@require_safe
@signed_in
@counted
def page(request: HttpRequest) -> HttpResponse:
    """Show the page; `?first=` shows the faces from a number on."""
    return _page(request)


@posted_from("web:portrait")
@signed_in
@counted
def choose(request: HttpRequest) -> HttpResponse:
    """Choose one of the faces."""
    form = FaceForm(request.POST)
    if not form.is_valid():
        return _page(request, face=form, status=422)
    portraits.choose_face(request.user.pk, form.cleaned_data["face"])
    return _done(request, _("This is your portrait from now on."))


@posted_from("web:portrait")
@signed_in
@counted
def upload(request: HttpRequest) -> HttpResponse:
    """Upload a picture."""
    form = PictureForm(request.POST, request.FILES)
    if not form.is_valid():
        return _page(request, picture=form, status=422)
    try:
        portrait_uploads.keep(request, form.cleaned_data["picture"].read())
    except Problem as problem:
        form.add_error("picture", problem.detail or problem.title)
        return _page(request, picture=form, status=problem.status)
    return _done(request, _("Your picture is your portrait from now on."))


@posted_from("web:portrait")
@signed_in
@counted
def remove(request: HttpRequest) -> HttpResponse:
    """Remove the picture."""
    if portraits.remove(request.user.pk):
        return _done(request, _("Your picture is gone; a drawn face stands for you again."))
    return redirect("web:portrait")


def _done(request: HttpRequest, text: str) -> HttpResponse:
    messages.success(request, text)
    return redirect("web:portrait")


def _page(
    request: HttpRequest, *, face: Form | None = None, picture: Form | None = None, status: int = 200
) -> HttpResponse:
    me: Account = request.user
    chosen = me.portrait_face or 0
    first = _first(request.GET.get("first", ""), chosen)
    context: dict[str, Any] = {
        "faces": [(number, address(me.id, number)) for number in range(first, min(first + SHOWN, FACES))],
        "chosen": None if me.portrait_picture else chosen,
        "others": (first + SHOWN) % FACES,
        "face_form": face or FaceForm(),
        "picture_form": picture or PictureForm(),
    }
    return render(request, "web/portrait.html", context, status=status)


def _first(given: str, chosen: int) -> int:
    """Return the first face to show: the given one, else such that the chosen one is among them."""
    if given.isascii() and given.isdecimal() and int(given[:6]) < FACES:
        return int(given)
    return chosen // SHOWN * SHOWN
