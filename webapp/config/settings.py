"""Django settings: one set for one machine and for many, chosen by environment variables.

Every variable has a default that needs nothing installed (SQLite, a broker in a file, channels in memory);
`docs/production.md` lists them all. Not for: numbers that an admin changes while the site runs; those are
rows (see `webapp.studies`).
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from argparse import ArgumentTypeError
from pathlib import Path
from urllib.parse import unquote, urlparse

from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from engine import command_line, games
from engine.planning import planners
from webapp.config.logs import mask_tokens

BASE_DIR = Path(__file__).resolve().parent.parent.parent


def env(name: str, default: str = "") -> str:
    return os.environ.get(f"COPLAY_{name}", default)


def env_choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    value = env(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"COPLAY_{name} is {value!r}; allowed are {', '.join(allowed)}.")
    return value


def env_bool(name: str, default: bool) -> bool:
    value = env(name, "1" if default else "0").lower()
    if value not in {"1", "0", "true", "false", "yes", "no", "on", "off"}:
        allowed = "1, 0, true, false, yes, no, on, off"
        raise ImproperlyConfigured(f"COPLAY_{name} is {value!r}; allowed are {allowed}.")
    return value in {"1", "true", "yes", "on"}


def env_int(name: str, default: int, least: int = 0, most: int = 2**31 - 1) -> int:
    try:
        return command_line.whole(least, most)(env(name, str(default)))
    except ArgumentTypeError as problem:
        raise ImproperlyConfigured(f"COPLAY_{name}: {problem}.") from None


def env_limit(name: str, default: str) -> str:
    """How often something is allowed, as COPLAY_LIMIT_<NAME> has it; "" where it is off. It is counted by
    what the default counts by.
    """
    variable = f"LIMIT_{name.upper()}"
    value = env(variable, default).replace(" ", "")
    per = "|".join(dict.fromkeys(limit.rpartition("/")[2] for limit in default.split(",")))
    if value == "off":
        return ""
    if not all(re.fullmatch(rf"[1-9]\d{{0,8}}/\d{{0,4}}[smhd]/({per})", limit) for limit in value.split(",")):
        raise ImproperlyConfigured(
            f"COPLAY_{variable} is {value!r}; it is off, or number/period/per, several with commas, like "
            f"{default}: the period is s, m, h or d, and what it is counted by is {per.replace('|', ' or ')}."
        )
    return value


# --- Where things live -------------------------------------------------------------------------------------

TESTING = "pytest" in sys.modules
# Tests get a folder of their own, removed when they end (tests/conftest.py).
VAR_DIR = Path(
    env("VAR") or (tempfile.mkdtemp(prefix="coplay-test-") if TESTING else str(BASE_DIR / "var"))
).resolve()
EPISODES_DIR = VAR_DIR / "episodes"
AGENTS_DIR = VAR_DIR / "agents"
JOBS_DIR = VAR_DIR / "jobs"
SNAPSHOTS_DIR = VAR_DIR / "snapshots"
STATIC_ROOT = Path(env("STATIC_ROOT", str(VAR_DIR / "static")))
for folder in (VAR_DIR, EPISODES_DIR, AGENTS_DIR, JOBS_DIR, SNAPSHOTS_DIR, STATIC_ROOT):
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise ImproperlyConfigured(f"COPLAY_VAR: the folder {folder} can't be made ({reason}).") from None


def secret_key() -> str:
    """The signing key: COPLAY_SECRET_KEY, or one made at the first start and kept in the var folder."""
    if key := env("SECRET_KEY"):
        return key
    if env_bool("PRODUCTION", False):
        raise ImproperlyConfigured("COPLAY_PRODUCTION is on: set COPLAY_SECRET_KEY to a long random text.")
    path = VAR_DIR / "secret-key"
    if not path.exists():
        from django.core.management.utils import get_random_secret_key

        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as f:
            f.write(get_random_secret_key())
    return path.read_text()


def site_url(url: str) -> str:
    """The address that people type, without a slash at its end."""
    if urlparse(url).path.strip("/"):
        raise ImproperlyConfigured(
            f"COPLAY_SITE_URL is {url!r}: Coplay is served at the root of a host name of its own, as "
            "https://coplay.example.org, not below a path."
        )
    return url.rstrip("/")


PRODUCTION = env_bool("PRODUCTION", False)
DEBUG = env_bool("DEBUG", False)
SECRET_KEY = secret_key()
PORT = env_int("PORT", 8000, 1, 65_535)
SITE_URL = site_url(env("SITE_URL", f"http://127.0.0.1:{PORT}"))
ALLOWED_HOSTS = [h for h in env("ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]").split(",") if h]
CSRF_TRUSTED_ORIGINS = [SITE_URL]

# --- Parts of Django ---------------------------------------------------------------------------------------

# Every game's folder has its templates and static files, ours as well as those of other packages.
GAME_DIRS = [games.folder(name) for name in games.names()]
INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "channels",
    "csp",
    "django_htmx",
    "webapp.common",
    "webapp.config",
    "webapp.accounts",
    "webapp.jobs",
    "webapp.agents",
    "webapp.language",
    "webapp.studies",
    "webapp.matches",
    "webapp.host",
    "webapp.lobby",
    "webapp.episodes",
    "webapp.annotation",
    "webapp.datasets",
    "webapp.rounds",
    "webapp.gallery",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "webapp.accounts.roles.RoleRequired",
    "webapp.accounts.limits.Limits",
    "webapp.accounts.guests.RememberDevice",
    "webapp.common.inputs.SoundInput",
    "webapp.common.outages.SaidOutage",
]

ROOT_URLCONF = "webapp.config.urls"
ASGI_APPLICATION = "webapp.config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *[folder / "templates" for folder in GAME_DIRS]],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "webapp.accounts.context.person",
            ],
            "builtins": ["webapp.common.templatetags.typed", "webapp.common.templatetags.times"],
        },
    },
]

# --- Database, broker, channel layer -----------------------------------------------------------------------


def database(url: str) -> dict:
    """DATABASES entry of `sqlite:///path` or `postgresql://user:password@host:port/name`."""
    if url.startswith("sqlite:///"):
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": url.removeprefix("sqlite:///"),
            # Writers queue for the lock at BEGIN instead of failing at their first write.
            "OPTIONS": {
                "timeout": 20,
                "transaction_mode": "IMMEDIATE",
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
            },
            "TEST": {"NAME": str(VAR_DIR / f"test-{os.getpid()}.sqlite3")},
        }
    parts = urlparse(url)
    if parts.scheme not in {"postgres", "postgresql"}:
        raise ImproperlyConfigured(
            f"COPLAY_DATABASE_URL is {url!r}; it must start with sqlite:/// or postgresql://."
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,
    }


DATABASES = {"default": database(env("DATABASE_URL", f"sqlite:///{VAR_DIR / 'coplay.sqlite3'}"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

BROKER_URL = env("BROKER_URL", f"sqla+sqlite:///{VAR_DIR / 'broker.sqlite3'}")
REDIS_URL = env("REDIS_URL")
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}
# "default" has what is counted against limits, small and many; "made" has pictures and streams, which can be
# made again: however many there are, no count is forgotten for them.
CACHES = {
    name: {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": REDIS_URL}
    if REDIS_URL
    else {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": name,
        "OPTIONS": {"MAX_ENTRIES": most},
    }
    for name, most in {"default": 100_000, "made": 300}.items()
}
# "file": episode logs are files in the var folder. "database": chunks in the database, for many machines.
EPISODE_STORE = env("EPISODE_STORE", "file")
WORKER_DEVICE = env_choice("WORKER_DEVICE", "auto", ("auto", "cpu", "cuda"))
# The address at which browsers reach this process's match host; empty: the web process itself is the host.
MATCH_HOST_URL = env("MATCH_HOST_URL")
# Whether this process hosts matches (off for web processes beside separate match hosts).
HOSTS_MATCHES = env_bool("HOSTS_MATCHES", True)
# An agent's move is shown this long after the one before, so that it can be seen; tests lower it.
AGENT_PAUSE_MS = env_int("AGENT_PAUSE_MS", 600)
# An agent that needs longer than this is stood in for by a scripted player, who makes that one move.
AGENT_TIMEOUT_MS = env_int("AGENT_TIMEOUT_MS", 10_000)
# Who plans a team's work (engine.planning.planners).
PLANNER = env_choice("PLANNER", planners.DEFAULT, tuple(planners.names()))
# Games in real time: seconds from when everybody is there to the first tick, and seconds after which an agent
# plays for somebody who is away.
COUNTDOWN_SECONDS = env_int("COUNTDOWN_SECONDS", 3)
ABSENT_SECONDS = env_int("ABSENT_SECONDS", 15)

# --- People ------------------------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
ACCOUNT_ADAPTER = "webapp.accounts.adapter.InvitationAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional"
ACCOUNT_USERNAME_MIN_LENGTH = 3
ACCOUNT_EMAIL_SUBJECT_PREFIX = "[Coplay] "
ACCOUNT_USER_DISPLAY = "webapp.accounts.models.shown_name"
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
# How often (webapp.accounts.limits): number/period/per, with commas, where per is `ip` for an address, `user`
# for an account that is signed in, `key` for an account that somebody tries to be. A class behind one address
# signs in: what succeeds isn't counted against it.
LIMITS = {
    name: env_limit(name, default)
    for name, default in {
        "login_failed": "10/h/key,20/d/key,200/h/ip",
        "signup_failed": "100/h/ip",
        "reset_password": "5/h/key,100/h/ip",
        "guest": "100/m/ip,500/h/ip",
        "opinion": "20/m/user",
        "match": "20/m/user,120/h/user,1200/h/ip",
        "reading": "300/m/user",
        "clip": "20/m/user,120/h/user",
        "job": "20/m/user,120/h/user",
        "export": "20/m/user,200/h/user",
        "words": "60/m/user,900/h/user,600/m/key,3000/m/ip",
        "any": "600/m/user",
    }.items()
}
# Sockets at once at one match host (webapp.host.doors); 0 for any number.
SOCKETS = {
    "person": env_int("SOCKETS_PER_PERSON", 20),
    "game": env_int("SOCKETS_PER_GAME", 150),  # who watch or help; players always get in
    "address": env_int("SOCKETS_PER_ADDRESS", 300),
}
# Sign-ins and sign-ups that succeed have no limit; allauth would count them with the others.
ACCOUNT_RATE_LIMITS = {**LIMITS, "login": None, "signup": None}
# How many reverse proxies in front are ours: that far from the end of X-Forwarded-For is the client.
ALLAUTH_TRUSTED_PROXY_COUNT = env_int("TRUSTED_PROXIES", 0)
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "home"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"


def email(url: str) -> dict:
    """Django's EMAIL_ settings of `smtp://user:password@host:port` (smtps:// for TLS); files when empty."""
    if not url:
        return {
            "EMAIL_BACKEND": "django.core.mail.backends.filebased.EmailBackend",
            "EMAIL_FILE_PATH": str(VAR_DIR / "mail"),
        }
    parts = urlparse(url)
    if parts.scheme not in {"smtp", "smtps"} or not parts.hostname:
        raise ImproperlyConfigured("COPLAY_EMAIL_URL must look like smtp://user:password@host:port.")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 25),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp" and parts.port == 587,
    }


globals().update(email(env("EMAIL_URL")))
MAIL_LEAVES = bool(env("EMAIL_URL"))
DEFAULT_FROM_EMAIL = env("FROM_EMAIL", "coplay@localhost")

# --- Security ----------------------------------------------------------------------------------------------

# The reverse proxy sends http:// on to https://.
SILENCED_SYSTEM_CHECKS = ["security.W008"]
CSRF_FAILURE_VIEW = "webapp.common.errors.stale_form"
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
if PRODUCTION and SITE_URL.startswith("https://"):
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000
_SOCKETS = [MATCH_HOST_URL] if MATCH_HOST_URL else []
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF, *_SOCKETS, *[h for h in env("MATCH_HOST_ORIGINS").split(",") if h]],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- Words, time, files ------------------------------------------------------------------------------------

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
STATIC_URL = "/static/"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    *[folder / "static" for folder in GAME_DIRS if (folder / "static").is_dir()],
]
# In production files come, compressed, from where collectstatic put them.
WHITENOISE_USE_FINDERS = not PRODUCTION
STORAGES = {
    "default": {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": VAR_DIR / "files"},
    },
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage"
    },
}

mask_tokens()
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name} {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": env("LOG_LEVEL", "INFO")},
    # One has a line for every request, and a table of a language model takes thousands; the other for
    # each thing that it does on a GPU.
    "loggers": {
        "httpx2": {"level": "WARNING"},
        "numba": {"level": "WARNING"},
        "django.request": {"filters": ["refusals"]},
    },
    "filters": {"refusals": {"()": "webapp.config.logs.Refusals"}},
}
