"""The addresses of the pages."""

from django.urls import include, path

from matches.html import entry
from matches.web import stylesheet
from matches.web.accounts import account_views, entry_views, notice_views, portrait_files, portrait_views
from matches.web.learning import lesson_views
from matches.web.lobby import game_views, list_views, lobby_views, picture_views, show_views
from matches.web.opening import answering_views, bot_views, invitation_views, opening_views, seek_views, table_views
from matches.web.seasons import availability_views, calendar_views, desk_views, joining_views, part_views, views

app_name = "web"
urlpatterns = [
    path("", lobby_views.lobby, name="lobby"),
    path("show", show_views.frame, name="show"),
    path("colours-<slug:digest>.css", stylesheet.colours, name="colours"),
    path("sign-up", entry_views.sign_up, name="sign_up"),
    path("sign-in", entry_views.sign_in, name="sign_in"),
    path("sign-out", entry.sign_out, name="sign_out"),
    path("account", account_views.account, name="account"),
    path("account/settings", account_views.settings, name="settings"),
    path("account/password", account_views.password, name="password"),
    path("account/tokens", account_views.make_token, name="make_token"),
    path("account/tokens/<uuid:token_id>/revoke", account_views.revoke_token, name="revoke_token"),
    path("account/access-log", account_views.changes, name="access_log"),
    path("account/access-log/seen", account_views.changes_seen, name="access_log_seen"),
    path("account/portrait", portrait_views.page, name="portrait"),
    path("account/portrait/face", portrait_views.choose, name="choose_face"),
    path("account/portrait/picture", portrait_views.upload, name="upload_portrait"),
    path("account/portrait/remove", portrait_views.remove, name="remove_portrait"),
    path("account/notices", notice_views.page, name="notices"),
    path("account/notices/webhook", notice_views.set_webhook, name="set_webhook"),
    path("account/notices/webhook/remove", notice_views.remove_webhook, name="remove_webhook"),
    path("account/notices/webhook/test", notice_views.try_webhook, name="try_webhook"),
    path("portraits/<slug:seed>.svg", portrait_files.drawn, name="face"),
    path("portraits/<slug:name>.jpg", portrait_files.uploaded, name="uploaded_portrait"),
    path("games", game_views.games, name="games"),
    path("games/<slug:slug>", game_views.game, name="game"),
    path("games/<slug:slug>/position.svg", picture_views.position, name="position"),
    path("learn/<slug:slug>", lesson_views.first, name="lesson"),
    path("learn/<slug:slug>/<int:number>/", lesson_views.step, name="lesson-step"),
    path("learn/<slug:slug>/<int:number>/frame", lesson_views.frame, name="lesson-frame"),
    path("learn/<slug:slug>/<int:number>/commands", lesson_views.command, name="lesson-commands"),
    path("learn/<slug:slug>/<int:number>/trial", lesson_views.trial, name="lesson-trial"),
    path("open/<slug:slug>", opening_views.open_match, name="open"),
    path("open/<slug:slug>/check", opening_views.check, name="check"),
    path("open/<slug:slug>/friendly", bot_views.friendly, name="friendly"),
    path("matches", list_views.matches, name="matches"),
    path("seats", seek_views.listed, name="seeks"),
    path("players/<str:name>", list_views.player, name="player"),
    path("seasons", views.seasons, name="seasons"),
    path("seasons/<uuid:season_id>", views.season, name="season"),
    path("seasons/<uuid:season_id>/calendar.ics", calendar_views.season, name="season_calendar"),
    path("calendars/<str:secret>.ics", calendar_views.behind, name="calendar"),
    path("account/calendars", calendar_views.page, name="calendars"),
    path("account/calendars/make", calendar_views.make, name="make_calendar"),
    path("account/calendars/revoke", calendar_views.revoke, name="revoke_calendar"),
    path("seasons/<uuid:season_id>/availability", availability_views.page, name="season_availability"),
    path("seasons/<uuid:season_id>/desk", desk_views.desk, name="season_desk"),
    path("seasons/<uuid:season_id>/desk/<slug:name>", desk_views.act, name="season_decide"),
    path("seasons/<uuid:season_id>/desk/<slug:name>/foresee", desk_views.foresee, name="season_foresee"),
    path("seasons/<uuid:season_id>/episodes/<int:number>", part_views.episode, name="season_episode"),
    path("seasons/<uuid:season_id>/players/<uuid:account>", part_views.player, name="season_player"),
    path("join/<str:secret>", joining_views.page, name="joining"),
    path("join/<str:secret>/withdraw", joining_views.withdraw, name="joining_withdraw"),
    path("j/<str:code>/<str:secret>", invitation_views.invitation, name="invitation"),
    path("m/<str:code>/seats", table_views.seats, name="seats"),
    path("m/<slug:code>/table.svg", picture_views.table, name="table_picture"),
    path("m/<slug:code>/accept", answering_views.accept, name="accept"),
    path("m/<slug:code>/decline", answering_views.decline, name="decline"),
    path("m/<str:code>/seats/start", table_views.start, name="start"),
    path("m/<slug:code>/seats/take", seek_views.take, name="take_seat"),
    path("m/<slug:code>/seats/open", seek_views.open_seat, name="open_seat"),
    path("m/", include("matches.web.play.urls")),
]
