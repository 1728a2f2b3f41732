"""Where a judge is and what opens it: base URLs, and keys that nobody may see."""

import os
import re
from urllib.parse import urlsplit

URLS = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "local": ("LOCAL_BASE_URL", "http://127.0.0.1:8080/v1"),
}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}
SECRET = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|_PAT)(_\d+)?$")


class JudgeError(ValueError):
    """A judge cannot be asked in this way; the message says what to change."""


class NoForm(JudgeError):
    """The model or its server takes no JSON schema; the same can be asked in plain text."""


def base_url(provider):
    """Return a provider's base URL, of the environment or its own; JudgeError for a bad one."""
    name, own = URLS[provider]
    try:
        parts = urlsplit(os.environ.get(name) or own)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, half an IPv6 address
        good = False
    if not good or parts.query or re.search(r"[@%\s]", parts.netloc):
        raise JudgeError(
            f"the environment variable {name} is not a usable address: expected http://host:port/v1"
            " or https://host/v1 with a port up to 65535, without a user, a password or a query"
        )
    return parts.geturl()


def endpoint(provider):
    """Return host:port of a base URL that is not the provider's own; '' for its own and local/."""
    host = urlsplit(base_url(provider)).netloc if provider in ("openai", "anthropic") else ""
    return "" if host in ("api.openai.com", "api.anthropic.com") else host


def find_key(provider):
    """Return the key of a provider (local/ needs none); raise JudgeError without a usable one."""
    name = KEYS.get(provider)
    key = os.environ.get(name, "").strip() if name else "local"
    if not key:
        raise JudgeError(
            f"judge {provider}/…: set the environment variable {name} (never write a key into a"
            " notebook), or use a recorded/, local/ or simulated/ judge"
        )
    if not (key.isascii() and key.isprintable()):
        raise JudgeError(
            f"the environment variable {name} holds characters that no key has; copy it again"
        )
    return key


def redact_secrets(text, shortest=5):
    """Return text without any secret of the environment that has so many characters."""
    for name, value in sorted(os.environ.items(), key=lambda pair: -len(pair[1])):
        if SECRET.search(name.upper()) and len(value.strip()) >= shortest:
            text = text.replace(value.strip(), f"[{name}]")
    return text
