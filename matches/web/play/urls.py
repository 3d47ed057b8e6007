"""URLs of a match, below /m/."""

from django.urls import path

from matches.web.play import (
    afterwards,
    appealing,
    completing,
    contest_rules,
    cover,
    giving,
    noting,
    offering,
    pages,
    replaying,
    submissions,
    talking,
)

urlpatterns = [
    path("<slug:code>/", pages.page, name="match"),
    path("<slug:code>/cover.png", cover.cover, name="match-cover"),
    path("<slug:code>/frame", pages.frame, name="match-frame"),
    path("<slug:code>/rules", contest_rules.rules, name="match-rules"),
    path("<slug:code>/submissions.<slug:form>", submissions.table, name="match-submissions"),
    path("<slug:code>/words", pages.words, name="match-words"),
    path("<slug:code>/commands", pages.command, name="match-commands"),
    path("<slug:code>/sent", pages.sent, name="match-sent"),
    path("<slug:code>/trial", pages.trial, name="match-trial"),
    path("<slug:code>/completion", completing.completion, name="match-completion"),
    path("<slug:code>/note", noting.note, name="match-note"),
    path("<slug:code>/nonce", giving.nonce, name="match-nonce"),
    path("<slug:code>/rematch", afterwards.rematch, name="match-rematch"),
    path("<slug:code>/offers", offering.offers, name="match-offers"),
    path("<slug:code>/afterwards", afterwards.afterwards, name="match-afterwards"),
    path("<slug:code>/appeal", appealing.appeal, name="match-appeal"),
    path("<slug:code>/talk", talking.talking, name="match-talk"),
    path("<slug:code>/talk/moderate", talking.moderating, name="match-moderate"),
    path("<slug:code>/replay/", replaying.replay, name="match-replay"),
    path("<slug:code>/look", replaying.look, name="match-look"),
    path("<slug:code>/replay/<int:version>/", replaying.replay, name="match-replay-at"),
]
