"""A seat's appeal to the hosts, made on the match page."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.kernel import Illegal
from matches.html.entry import counted, posted_from, signed_in
from matches.html.form_values import press_of
from matches.http.problems import Problem
from matches.services import appealing
from matches.web.play.appeal_form import LONGEST_APPEAL, AppealForm
from matches.web.play.pages import context_of
from matches.web.play.viewers import Viewer, viewer_of


@posted_from("web:match", "code")
@signed_in
@counted
def appeal(request: HttpRequest, code: str) -> HttpResponse:
    """Record the seat's appeal, for the hosts to answer, also after the end."""
    viewer = viewer_of(request, code)
    if viewer.seat is None or viewer.account is None:
        raise Problem("forbidden", "Appeals are the players'; you hold no seat at this match.")
    form = AppealForm(request.POST)
    if not form.is_valid():
        sentence = f"Say what it is about, in at most {LONGEST_APPEAL} characters. Nothing was sent."
        return _refused(request, viewer, form, sentence, 422)
    try:
        number = appealing.appeal(
            match_id=viewer.match.id, player=viewer.account.pk, key=press_of(request), **form.cleaned_data
        )
    except Illegal as refused:
        return _refused(request, viewer, form, f"{refused.message} Nothing was sent.", 409)
    messages.success(request, f"Your appeal is number {number} in the record; a host will answer it there.")
    return redirect("web:match", code=viewer.match.code)


def _refused(request: HttpRequest, viewer: Viewer, form: AppealForm, sentence: str, status: int) -> HttpResponse:
    """Show the match page with the refused form."""
    messages.error(request, sentence)
    return render(request, "web/match/page.html", {**context_of(viewer), "refused_appeal": form.data}, status=status)
