"""Django's settings, read from the environment; docs/operating.md lists the variables."""

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured

from config import error_reports, logs
from config.deployment import archive, brokers, database_url, limits, logins, mail, secret_files
from config.deployment.environment import flag, networks, one_of, origins, seconds, whole, words
from config.server.connections import CONCURRENCY

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.3.0"
DATA = Path(os.environ.get("CROUPIER_DATA") or BASE_DIR / "var").absolute()

# A running bin/up stores the URLs of its servers in this file, so that manage.py works beside it.
_running = DATA / "run" / "services.json"
_services: dict[str, str] = json.loads(_running.read_text()) if _running.exists() else {}

# Secrets
SECRET_KEY = secret_files.read("secret_key", DATA / "secrets", os.environ)
SEED_KEY = secret_files.read("seed_key", DATA / "secrets", os.environ)
if SECRET_KEY == SEED_KEY:
    raise ImproperlyConfigured("seed_key and secret_key must differ.")
CHECKPOINT_KEY = secret_files.read("checkpoint_key", DATA / "secrets", os.environ)
# Deployments from before this key existed have none; their browser subscriptions then depend on the secret key.
PUSH_KEY = secret_files.read_if_given("push_key", DATA / "secrets", os.environ) or SECRET_KEY

# Access
DEBUG = flag("DEBUG")
# Health checks come from inside, as localhost.
ALLOWED_HOSTS = [*words("ALLOWED_HOSTS", "127.0.0.1,[::1]"), "localhost"]
CSRF_TRUSTED_ORIGINS = words("CSRF_TRUSTED_ORIGINS")
SIGNUP = os.environ.get("CROUPIER_SIGNUP", "open")
if SIGNUP not in ("open", "closed"):
    raise ImproperlyConfigured("CROUPIER_SIGNUP is `open` or `closed`.")
# Without open sign-up there are no guests either, unless the environment allows them.
GUESTS = flag("CROUPIER_GUESTS", default=SIGNUP == "open")
GUEST_DAYS = whole("CROUPIER_GUEST_DAYS", 14)

# Applications and middleware
INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "matches.panel.apps.PanelAdminConfig",
    # Before Django's accounts, whose commands it replaces.
    "matches",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "events",
    "matches.contests",
    "matches.seasons",
    "matches.web",
    "matches.panel.apps.PanelConfig",
    "config.backups",
]
MIDDLEWARE = [
    "matches.http.request_ids.middleware",
    "matches.http.request_metrics.middleware",
    "django.middleware.security.SecurityMiddleware",
    "matches.http.static_files.Middleware",
    "matches.web.middleware.Pages",
    "matches.http.devices.middleware",
    "matches.http.sessions.Middleware",
    "django.middleware.common.CommonMiddleware",
    "matches.http.options.middleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# Origins whose pages may call the API, only with a token: cookies aren't sent, and other paths don't answer.
CORS_ALLOWED_ORIGINS = origins("CROUPIER_CORS_ORIGINS")
CORS_URLS_REGEX = r"^/api/"
CORS_ALLOW_CREDENTIALS = False
CORS_ALLOW_HEADERS = [
    "accept", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "last-event-id",
    "x-request-id",
]  # fmt: skip
CORS_EXPOSE_HEADERS = [
    "ETag", "Idempotent-Replayed", "Location", "RateLimit-Limit", "RateLimit-Remaining", "Retry-After", "X-Request-ID",
]  # fmt: skip
if CORS_ALLOWED_ORIGINS:
    # After the middleware that marks every response, and before any that could refuse a preflight.
    MIDDLEWARE.insert(2, "corsheaders.middleware.CorsMiddleware")
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        # The panel replaces some templates of its framework, whose app comes first.
        "DIRS": [BASE_DIR / "matches/panel/templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
AUTH_USER_MODEL = "matches.Account"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
# The second is Django's default, which stored the passwords of older accounts. The next sign-in replaces such a hash.
PASSWORD_HASHERS = ["config.passwords.Argon2id", "django.contrib.auth.hashers.PBKDF2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
# Pages are in English and marked for translation. A second language takes a catalogue in `locale` and a line here.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = "UTC"
FORMAT_MODULE_PATH = "config.formats"
USE_TZ = True
USE_I18N = True

# The database
_logins = logins.read(os.environ, SECRET_KEY) or logins.read(_services, SECRET_KEY)
if _logins is None:
    raise ImproperlyConfigured("No database: start bin/up, or set DATABASE_URL. See docs/operating.md.")
DATABASE_LOGINS = _logins


# One pool per process; the sum over all processes must stay below the server's max_connections. The pool's attempts to
# reconnect grow further apart and start over after it gives up. A long series would miss a database that is back. A
# waiting request gives up a little later than a series, so that the next request starts the next series.
_pool = {"min_size": 1, "max_size": whole("DATABASE_POOL", 8), "timeout": 5, "reconnect_timeout": 4}
# A server-side cursor outlives its transaction, which a pooler's session may not.
_pooled = {"ENGINE": "config.postgres", "CONN_HEALTH_CHECKS": False, "DISABLE_SERVER_SIDE_CURSORS": True}
DATABASES: dict[str, dict[str, Any]] = {
    "default": database_url.for_django(DATABASE_LOGINS.app, pool=_pool, application_name="croupier") | _pooled
}
if DATABASE_LOGINS.owner:
    # It is the same database, so a test run must not create a second one.
    DATABASES["owner"] = database_url.for_django(DATABASE_LOGINS.owner, application_name="croupier owner") | {
        "CONN_HEALTH_CHECKS": True, "TEST": {"MIRROR": "default"},
    }  # fmt: skip
# Reads that may be slightly out of date use the replica with the same login: exports, rebuilds, the panel's searches.
if _replica := logins.replica(os.environ, DATABASE_LOGINS):
    # Connections are opened on demand; a request that gets none uses the primary at once.
    _few = {"min_size": 0, "max_size": 2, "timeout": 2, "reconnect_timeout": 1}
    _named = database_url.for_django(_replica, pool=_few, application_name="croupier replica")
    DATABASES["replica"] = _named | _pooled | {"TEST": {"MIRROR": "default"}}
REPLICA_SECONDS = seconds("CROUPIER_REPLICA_SECONDS", 30)
# The app role may only insert into these and read them.
APPEND_ONLY_TABLES = [
    "events_event", "events_archived", "events_leaf", "events_subtree", "events_signed", "events_tile", "events_access",
    "events_place", "matches_seed", "matches_sealedpart", "matches_accessentry", "seasons_roomlook",
]  # fmt: skip
# These append-only tables are protected by the role's rights alone; triggers protect the others even from their owner.
WITHOUT_TRIGGERS = ["matches_seed", "matches_sealedpart"]
# Only functions that run as the owner, or the owner itself, write to these; the app role may only read them.
GUARDED_TABLES = [
    "events_event", "events_head", "events_archived", "events_tile", "events_covered", "events_placed",
    "events_unplaced", "events_held", "events_place",
]  # fmt: skip
GUARDS = [
    "events_enter", "events_append", "events_append_many", "events_note_archived", "events_standbys",
    "events_drop_unsigned", "matches_place_acts",
]  # fmt: skip
# The app role inserts rows into these, and a trigger with this function checks each row.
CHECKED_TABLES = {
    "events_leaf": "events_check_leaves", "events_subtree": "events_check_subtrees",
    "events_signed": "events_check_signed", "events_access": "events_check_access",
    "matches_seed": "matches_check_seed", "matches_sealedpart": "matches_check_part",
}  # fmt: skip
# Only the owner changes these, when it prepares the database; the app role reads them.
OWNERS_TABLES = ["django_migrations"]
# Settings that preparing the database stores for the app role; any other was stored by somebody else.
ROLE_SETTINGS = logins.TIMEOUTS | logins.CITUS_SETTINGS
# The fault that an acknowledged append survives: a crash of the database server, or its loss with its disk.
DURABILITY = one_of("CROUPIER_DURABILITY", ("local", "standby"), "local")

# Signed checkpoints of the record, and the places outside the database for their copies
CHECKPOINT_ORIGIN = os.environ.get("CROUPIER_ORIGIN", "croupier.local")
if not CHECKPOINT_ORIGIN.isprintable() or not re.fullmatch(r"[^\s+]{1,200}", CHECKPOINT_ORIGIN):
    raise ImproperlyConfigured("CROUPIER_ORIGIN is a name without spaces and `+`, such as croupier.example.org.")
CHECKPOINTS = Path(os.environ.get("CROUPIER_CHECKPOINTS") or DATA / "checkpoints").absolute()
CHECKPOINT_WEBHOOK = secret_files.given("CROUPIER_CHECKPOINT_WEBHOOK", os.environ)

# Memory per process for the cache of folded matches.
FOLD_CACHE_BYTES = whole("CROUPIER_FOLDS_MB", 256) * 2**20

# Redis carries hints: cached counts, the channel layer and Celery's queue
REDIS_URL = secret_files.given("REDIS_URL", os.environ) or _services.get("REDIS_URL", brokers.REDIS_DEFAULT)
REDIS_SENTINELS = brokers.sentinels("REDIS_URL", REDIS_URL)
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        # A listener is idle while nothing happens; the client's default timeout would close it after 5 s.
        "CONFIG": {
            "hosts": [
                brokers.channel_host(REDIS_URL, REDIS_SENTINELS) | {"socket_timeout": None, "socket_connect_timeout": 1}
            ],
            "prefix": "croupier",
        },
    }
}
_given = secret_files.given("CROUPIER_BROKER_URL", os.environ) or _services.get("CROUPIER_BROKER_URL")
_queue = brokers.queue("CROUPIER_BROKER_URL" if _given else "REDIS_URL", _given or REDIS_URL)
# The name has a prefix because Celery's own commands read BROKER_URL, and accept fewer forms.
CELERY_BROKER_URL = _queue.url
CELERY_BROKER_USE_SSL = _queue.tls
CELERY_BROKER_TRANSPORT_OPTIONS = _queue.transport
# A RabbitMQ node that accepts connections but doesn't answer is abandoned after twice this; Redis has no heartbeats.
CELERY_BROKER_HEARTBEAT = 5
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_RESULT_SERIALIZER = "json"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_TIMEZONE = "UTC"
# Without a broker, a publisher gives up at once, or after it has tried each node, while a worker keeps trying.
CELERY_TASK_PUBLISH_RETRY = _queue.publish_retry
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 3, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
CELERY_WORKER_CONSUMER = "config.worker_consumer:Consumer"
CELERY_BROKER_CONNECTION_TIMEOUT = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# The worker's ticks have a queue of their own, and so have the tasks of matches.publishing.task_publisher and trials of
# contests.
CELERY_TASK_QUEUES = {
    name: {"routing_key": name, "queue_arguments": _queue.queue_arguments}
    for name in ("celery", "moves", "bots", "trials")
}
CELERY_TASK_ROUTES = {"matches.tasks.sweep": {"queue": "bots"}, "matches.tasks.play_trials": {"queue": "trials"}}
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "catch_up": {"task": "matches.tasks.catch_up", "schedule": 1.0},
    "sweep": {"task": "matches.tasks.sweep", "schedule": 1.0},
    "keep_time": {"task": "matches.tasks.keep_time", "schedule": 0.5},
    "tell": {"task": "matches.tasks.tell", "schedule": 1.0},
    "call": {"task": "matches.tasks.call", "schedule": 1.0},
    "remind": {"task": "matches.tasks.remind", "schedule": 20.0},
    "archive_old": {"task": "matches.tasks.archive_old", "schedule": 3600.0},
    "prune": {"task": "matches.tasks.prune", "schedule": 3600.0},
    "forget_calls": {"task": "matches.tasks.forget_calls", "schedule": 3600.0},
    "sign_checkpoint": {"task": "matches.tasks.sign_checkpoint", "schedule": 15.0},
    "erase_guests": {"task": "matches.tasks.erase_guests", "schedule": 300.0},
    "let_rematches_lapse": {"task": "matches.tasks.let_rematches_lapse", "schedule": 300.0},
    "keep_show": {"task": "matches.tasks.keep_show", "schedule": 2.0},
    "play_trials": {"task": "matches.tasks.play_trials", "schedule": 2.0},
}
for _entry in CELERY_BEAT_SCHEDULE.values():
    _entry["options"] = {"confirm_timeout": brokers.CONFIRM_SECONDS}

# How long a bot waits before it moves, so that people can follow: in matches with a person, and in the bots' match on
# the front page. If the second is 0, there is no such match.
BOT_REST_SECONDS = seconds("CROUPIER_BOT_REST", 0.8, or_none=True)
SHOW_REST_SECONDS = seconds("CROUPIER_SHOW_REST", 2.5, or_none=True)

# If no entry point responds for longer than this, it is an outage; running clocks get the lost time back.
OUTAGE_SECONDS = seconds("CROUPIER_OUTAGE_SECONDS", 15)

# The days until finished matches and seasons are archived (0: never), and the days they then stay in the database too.
ARCHIVE_DAYS = whole("CROUPIER_ARCHIVE_DAYS", 0, least=0)
ARCHIVE_GRACE_DAYS = whole("CROUPIER_ARCHIVE_GRACE_DAYS", 7, least=0)

# The public base URL, for links in messages; and permission for webhooks into the private network.
PUBLIC_URL = os.environ.get("CROUPIER_PUBLIC_URL", "").rstrip("/")
WEBHOOK_PRIVATE = flag("CROUPIER_WEBHOOK_PRIVATE")

# E-mail: through a server, else into files
MAIL_FROM = mail.sender(os.environ.get("CROUPIER_MAIL_FROM") or "croupier@localhost")
globals().update(mail.backend(secret_files.given("CROUPIER_SMTP", os.environ), str(DATA / "mail")))

# The API
BODY_LIMIT = 64 * 1024
# The API takes the picture itself, the page a form with the picture among its fields.
# A contest has fewer bytes than the bodies in which it may be written, with spaces and escapes.
CONTEST_BODY_LIMIT = 1024 * 1024
WIDER_BODIES = {
    "/api/v1/me/portrait/picture": 2 * 1024 * 1024,
    "/account/portrait/picture": (2 * 1024 + 64) * 1024,
    "/api/v1/contests": CONTEST_BODY_LIMIT,
    "/api/v1/contests/": CONTEST_BODY_LIMIT,
    "/contests/": CONTEST_BODY_LIMIT,
}
DATA_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
FILE_UPLOAD_MAX_MEMORY_SIZE = BODY_LIMIT
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
DATA_UPLOAD_MAX_NUMBER_FILES = 1
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "matches.http.authentication.TokenAuthentication",
        "matches.http.authentication.CookieAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": [
        "matches.http.strangers.MayAsk",
        "matches.http.scopes.HasScope",
        "matches.http.visibility.SeesTheMatch",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["matches.http.limits.ByMethod"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "matches.http.negotiation.OwnForm",
    "DEFAULT_METADATA_CLASS": None,
    "DEFAULT_PARSER_CLASSES": ["matches.http.parsing.StrictJSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "EXCEPTION_HANDLER": "matches.http.problems.handle",
    "DEFAULT_SCHEMA_CLASS": "matches.api.schema.Schema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Croupier",
    "DESCRIPTION": "Hosts Genius-style games: seats, secrets, clocks and a record that can be checked.",
    "VERSION": VERSION,
    "LICENSE": {"name": "Apache 2.0", "identifier": "Apache-2.0"},
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SCHEMA_PATH_PREFIX": r"/api/v1",
    "PATH_CONVERTER_OVERRIDES": {"secret": str},
    "POSTPROCESSING_HOOKS": ["matches.api.schema.add_components"],
}
globals().update(limits.read(CONCURRENCY))
# The networks that may read /metrics; others get 404.
METRICS_FROM = networks("CROUPIER_METRICS_FROM", "127.0.0.0/8,::1")

# Pages
STATIC_URL = "static/"
# Replaces files of the panel's framework.
STATICFILES_DIRS = [BASE_DIR / "matches/panel/vendor"]
STORAGES = {
    "staticfiles": {"BACKEND": "matches.http.static_files.Storage"},
    "archive": archive.storage(os.environ.get("CROUPIER_ARCHIVE"), DATA / "archive"),
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG

# The panel, and the target after its sign-in
LOGIN_URL = "/sign-in"
LOGIN_REDIRECT_URL = "/admin/"
_garnet = {
    "50": "#fdf3f5", "100": "#fbe5e9", "200": "#f6cdd6", "300": "#eda5b4", "400": "#e0718a", "500": "#cf4766",
    "600": "#9b1b3b", "700": "#861632", "800": "#71152d", "900": "#611529", "950": "#370712",
}  # fmt: skip
_stone = {
    "50": "#fafaf9", "100": "#f5f5f4", "200": "#e7e5e4", "300": "#d6d3d1", "400": "#a6a09b", "500": "#79716b",
    "600": "#57534d", "700": "#44403b", "800": "#292524", "900": "#1c1917", "950": "#0c0a09",
}  # fmt: skip
UNFOLD = {
    "SITE_TITLE": "Croupier",
    "SITE_HEADER": "Croupier",
    "SITE_SUBHEADER": "House panel",
    "SITE_SYMBOL": "diamond",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "matches.panel.stylesheet.icon_address"}],
    "SITE_URL": "/",
    "SHOW_HISTORY": False,
    "COLORS": {"base": _stone, "primary": _garnet},
    "STYLES": ["matches.panel.stylesheet.colours_address", "matches.panel.stylesheet.layout_address"],
    "SCRIPTS": ["matches.panel.stylesheet.frame_address"],
    "SIDEBAR": {"navigation": "matches.panel.sidebar.navigation"},
}

# Browsers
HTTPS = flag("CROUPIER_HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# A browser accepts a cookie with this prefix only over HTTPS, for this host alone and for all its paths. Neither
# another host of the domain nor an attacker on the network can then set one. Over HTTP it would accept none.
_prefix = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{_prefix}sessionid"
CSRF_COOKIE_NAME = f"{_prefix}csrftoken"
MESSAGES_COOKIE_NAME = f"{_prefix}messages"
DEVICE_COOKIE_NAME = f"{_prefix}croupier_device"
MESSAGE_STORAGE = "matches.http.message_storage.Storage"
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# Health checks use plain HTTP from inside.
SECURE_REDIRECT_EXEMPT = [r"^healthz\Z", r"^readyz\Z", r"^metrics\Z"]
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "matches.api.problem_pages.csrf_failed"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# Logs
_form = one_of("CROUPIER_LOG", ("json", "console"), "console" if sys.stdout.isatty() else "json")
_level = one_of("CROUPIER_LOG_LEVEL", logs.LEVELS, "INFO")
LOGGING = logs.configure(_form, _level, commits=flag("CROUPIER_LOG_COMMITS"))
error_reports.begin(secret_files.given("SENTRY_DSN", os.environ), VERSION)
