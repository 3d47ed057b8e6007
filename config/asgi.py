"""The ASGI application: Django behind the body limit. Importing it ends the process where the database is unsafe."""

import os

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

from django.conf import settings  # noqa: E402  settings need the line above

from config import precaution  # noqa: E402
from config.bodylimit import BodyLimit  # noqa: E402
from matches.live.routing import routes  # noqa: E402
from matches.live.streams import Streams  # noqa: E402

precaution.refuse_unsafe_database()
application = ProtocolTypeRouter(
    {
        "http": Streams(BodyLimit(django_application, limit=settings.BODY_LIMIT)),
        "websocket": URLRouter(routes),
    }
)
