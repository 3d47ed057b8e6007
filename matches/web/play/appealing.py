"""A seat's appeal to the hosts, made on the match page."""

from typing import get_args

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from games.kernel import Illegal
from matches import services
from matches.api.problems import Problem
from matches.happenings import AppealKind
from matches.web.entry import counted, signed_in
from matches.web.play.onlookers import onlooker

LONGEST_APPEAL = 2_000
KINDS = tuple(
    zip(get_args(AppealKind), ("A move or a rule", "The clock", "Somebody's conduct", "Something else"), strict=True)
)


class AppealForm(forms.Form):
    """What an appeal says."""

    kind = forms.ChoiceField(choices=KINDS)
    text = forms.CharField(max_length=LONGEST_APPEAL)


@require_POST
@signed_in
@counted
def appeal(request: HttpRequest, code: str) -> HttpResponse:
    """Put the seat's appeal in the record, for the hosts to answer, also after the end."""
    looker = onlooker(request, code)
    if looker.seat is None or looker.account is None:
        raise Problem("forbidden", "Appeals are the players'; you hold no seat at this match.")
    form = AppealForm(request.POST)
    if not form.is_valid():
        messages.error(request, f"Say what it is about, in at most {LONGEST_APPEAL} characters. Nothing was sent.")
        return redirect("web:match", code=looker.match.code)
    try:
        number = services.appeal(match_id=looker.match.id, player=looker.account.pk, **form.cleaned_data)
    except Illegal as refused:
        messages.error(request, f"{refused.message} Nothing was sent.")
    else:
        messages.success(request, f"Your appeal is number {number} in the record; a host will answer it there.")
    return redirect("web:match", code=looker.match.code)
