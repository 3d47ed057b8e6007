"""The ASGI application: Django behind the body limit. Importing it ends the process if the database is unsafe."""

import os

import django
from channels.routing import ProtocolTypeRouter, URLRouter

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from django.conf import settings  # noqa: E402  settings need the line above

from config import tracing  # noqa: E402
from config.redaction import RememberRequest  # noqa: E402
from config.server import startup_check  # noqa: E402
from config.server.bodylimit import BodyLimit  # noqa: E402
from config.server.handling import Handler  # noqa: E402
from config.server.headlimit import HeadLimit  # noqa: E402
from config.server.httpversion import SupportedVersion  # noqa: E402
from events import distribution  # noqa: E402
from matches.api.at_once import AtOnce  # noqa: E402
from matches.http.arrivals import Arrivals  # noqa: E402
from matches.realtime.dealer_waits import DealerWaits  # noqa: E402
from matches.realtime.routing import routes  # noqa: E402
from matches.realtime.streams import Streams  # noqa: E402

startup_check.refuse_unsafe_database()
# Query this before an event loop runs, because the query would block it.
distribution.is_distributed()
tracing.begin(settings.VERSION)
limited = BodyLimit(Handler(), limit=settings.BODY_LIMIT, wider=settings.WIDER_BODIES)
application = RememberRequest(
    ProtocolTypeRouter(
        {
            "http": SupportedVersion(HeadLimit(Streams(DealerWaits(Arrivals(AtOnce(limited)))))),
            "websocket": URLRouter(routes),
        }
    )
)
