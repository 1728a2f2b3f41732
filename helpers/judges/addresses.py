"""Where a judge is: base URLs and keys of the environment, and what of them nobody may see."""

import os
import re
from base64 import b64encode
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

LOCAL_URL = "http://127.0.0.1:8080/v1"
URLS = {"anthropic": "ANTHROPIC_BASE_URL", "openai": "OPENAI_BASE_URL", "local": "LOCAL_BASE_URL"}
SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD)$")
LINK = re.compile(r"\w+://\S+")


class JudgeError(ValueError):
    """A judge cannot be asked in this way; the message says what to change."""


class NoForm(JudgeError):
    """The model or its server takes no JSON schema; the same can be asked in plain text."""


def named_url(name):
    """Return the parts of the base URL in an environment variable, None where it is not set.

    Raises JudgeError, which never repeats the value, for what is not http(s)://host[:port][/path].
    """
    try:
        parts = urlsplit(os.environ.get(name, ""))
        good = not parts.geturl() or (parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
        good = good and parts.netloc.count("@") <= 1 and not any(c.isspace() for c in parts.netloc)
    except ValueError:  # a port that is no number, half an IPv6 address
        good = False
    if not good:
        raise JudgeError(f"the environment variable {name} is not a usable address: expected http://host:port/v1 or "
                         "https://host/v1 with a port up to 65535; in a user's name or password write @ as %40")
    return parts if parts.geturl() else None


def endpoint(provider):
    """Return host:port of a base URL other than the provider's own ('' for its own, and for servers under local/)."""
    url = named_url({"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL"}.get(provider, ""))
    host = url.netloc.rpartition("@")[2] if url else ""
    return "" if host in ("api.openai.com", "api.anthropic.com") else host


def clean_url(text):
    """Return a URL without user, password, query and fragment."""
    try:
        parts = urlsplit(text)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return "[address]"


def hide(text, shortest=5):
    """Return text without any secret of the environment, its base URLs included, that has so many characters."""
    secrets = [(value, name) for name, value in os.environ.items() if SECRET.search(name.upper())]
    for name in URLS.values():
        user, _, rest = os.environ.get(name, "").rpartition("@")
        query = parse_qsl(rest.partition("?")[2])
        login = [*re.split(r"[:/]", user := user.rpartition("//")[2]), b64encode(unquote(user).encode()).decode()] if user else []
        secrets += [(part, name) for value in (*login, *(v for _, v in query)) for part in (value, unquote(value))]
    for value, name in sorted(secrets, key=lambda pair: -len(pair[0])):
        if len(value) >= shortest:
            text = text.replace(value, f"[{name}]")
    return text


def scrub(text):
    """Return text without any secret, and with every URL cleaned."""
    return LINK.sub(lambda match: clean_url(match[0]), hide(text))


def base_url(provider):
    """Return the parts of the base URL of a provider, None for its own; local/ has a loopback address by default.

    Raises JudgeError for an unusable address, and for local/ with an OPENAI_BASE_URL elsewhere, which may cost money.
    """
    found = named_url(URLS[provider])
    if provider == "local" and not found:
        found = named_url("OPENAI_BASE_URL")
        if found and found.hostname not in ("127.0.0.1", "localhost", "::1"):
            raise JudgeError("judge local/…: OPENAI_BASE_URL is not on this machine, so its calls may cost money; set "
                             "LOCAL_BASE_URL if it is a free server of yours, or use openai/…")
        found = found or urlsplit(LOCAL_URL)
    return found


def require_key(provider):
    """Raise JudgeError unless the environment holds a key for the provider (local/ needs none)."""
    names = {"openai": ["OPENAI_API_KEY"], "anthropic": ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"]}.get(provider, [])
    if names and not any(os.environ.get(name) for name in names):
        raise JudgeError(
            f"judge {provider}/…: set the environment variable {names[0]} (never write a key into a notebook), or use a "
            "recorded/, local/ or simulated/ judge"
        )
