"""Where a judge is and what opens it: base URLs, and keys that nobody may see."""

import os
import re
from urllib.parse import urlsplit

from helpers.judges.errors import JudgeError

URLS = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "local": ("LOCAL_BASE_URL", "http://127.0.0.1:8080/v1"),
}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "local": "LOCAL_API_KEY"}
SECRET = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PAT)(_\d+)?$|(^|_)(SECRET|TOKEN|PASSWORD)_"
)


def base_url(provider):
    """Return a provider's base URL, of the environment or its own; JudgeError for a bad one."""
    name, own = URLS[provider]
    try:
        parts = urlsplit(os.environ.get(name) or own)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
        good = good and (os.environ.get(name) or own).isprintable()
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
    """Return the key of a provider (local/ needs none, but a gateway may); raise JudgeError
    without a usable one."""
    name = KEYS[provider]
    key = os.environ.get(name, "").strip() or ("local" if provider == "local" else "")
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
    """Return text without any secret of the environment that has so many characters: what a
    variable named as one holds, and addresses with a password. One that is written in another way
    (upper case, base64, reversed, cut) is not found."""
    for name, value in sorted(os.environ.items(), key=lambda pair: -len(pair[1])):
        login = re.search(r"://[^/@\s]*:([^/@\s]+)@", value)
        secret = SECRET.search(name.upper()) or login
        for hidden in (value.strip(), login[1] if login else ""):
            if secret and len(hidden) >= shortest:
                text = text.replace(hidden, f"[{name}]")
    return text
