"""URL routes of the sockets."""

from django.urls import path, re_path

from matches.realtime import sockets

routes = [path("ws/matches/<str:name>", sockets.at_match), re_path(r"", sockets.nowhere)]
