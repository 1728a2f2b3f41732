"""Where a judge is and what opens it: base URLs, and keys that nobody may see."""

import os
import re
from functools import cache
from urllib.parse import urlsplit

from helpers.judges.errors import JudgeError

URLS = {
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "local": ("LOCAL_BASE_URL", "http://127.0.0.1:8080/v1"),
}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "local": "LOCAL_API_KEY"}
SERVER = "LOCAL_SERVER"  # of the environment: a name for the server of LOCAL_BASE_URL
LOOPBACK = ("127.0.0.1", "localhost", "::1")  # this machine, as a base URL names it
SECRET = re.compile(
    r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|_PAT)(_\d+)?$|(^|_)(SECRET|TOKEN|PASSWORD)_"
)
LONG = 12  # characters of a secret whose parts are told from other words
# what stands for characters that are not shown: ***, …, ..., xxx, as JSON \u2022; and its begin
MASK = r"(?:[*•·#…]++|\.\.++|[xX]{3,}+|(?:\\u20[0-9a-fA-F]{2})++)"
BEGIN = r"(?<![*•·#….xX])(?<!\\u20[0-9a-fA-F]{2})"
LIKE_A_KEY = re.compile(
    r"(?:^|/)(?:(?:sk|pk|rk)-[\w-]{8,}|(?:gsk_|hf_|xai-|ghp_|AIza)(?=[\w-]*\d)[\w-]{16,})"
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


def name_server():
    """Return what the server of local/ judges is called beside its answers: LOCAL_SERVER, or its
    host:port. Who moves a server, say to another port, goes on under the old name."""
    return os.environ.get(SERVER, "").strip() or urlsplit(base_url("local")).netloc


def runs_here():
    """Return whether a local/ judge is a server on this machine and takes no key, so that it costs
    nothing; a gateway on this machine hands on what others bill."""
    here = urlsplit(base_url("local")).hostname in LOOPBACK
    return here and not os.environ.get(KEYS["local"], "").strip()


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


def redact_secrets(text, shortest=5, run=6):
    """Return text without the secrets of the environment: what a variable named as one holds, and
    passwords in addresses, where they have so many characters (`shortest`).

    Of a secret of LONG characters its parts are hidden too: so many first or last ones (`run`), and
    a masked form such as sk-abc***xyz, as providers repeat it. One that is written in another way
    (upper case, base64, reversed) is not found.
    """
    secrets = list_secrets()
    for name, value in secrets:
        if len(value) >= shortest:
            text = text.replace(value, f"[{name}]")
    for name, value in secrets:
        if len(value) >= max(shortest, LONG):
            text = hide_parts(text, value, f"[{name}]", run)
    return text


def list_secrets():
    """Return (name of the variable, secret) of the environment, the longest first."""
    secrets = []
    for name, value in os.environ.items():
        login = re.search(r"://[^/@\s]*:([^/@\s]+)@", value)
        if login:
            secrets.append((name, login[1]))
        if login or SECRET.search(name.upper()):
            secrets.append((name, value.strip()))
    return sorted(secrets, key=lambda secret: -len(secret[1]))


def hide_parts(text, value, mark, run):
    """Return text with `mark` in place of a secret's masked forms, and of its first or last
    characters, `run` or more of them."""
    text = masked_forms(value).sub(lambda match: mark, text)
    for most in (value[:run], value[-run:]):
        if most not in text:
            continue
        for size in range(len(value) - 1, run - 1, -1):
            part = value[:size] if most == value[:run] else value[-size:]
            text = text.replace(part, mark)
    return text


@cache
def masked_forms(value):
    """Return the pattern of a secret of which only the ends are shown, two characters of each or
    four of one: sk-abc***xyz, sk-a…, ...wxyz."""
    sizes = range(len(value) - 1, 1, -1)
    first = [re.escape(value[:size]) for size in sizes]
    last = [re.escape(value[-size:]) for size in sizes]
    both = f"(?:{'|'.join(first)}){MASK}(?:{'|'.join(last)})"
    only_first = f"(?:{'|'.join(first[:-2])}){MASK}"
    only_last = f"{BEGIN}{MASK}(?:{'|'.join(last[:-2])})"
    return re.compile(rf"(?<![\w-])(?:{both}|{only_first})|{only_last}(?![\w-])")


def is_key(text):
    """Return whether a text holds a secret of the environment, or looks like a key."""
    text = str(text)
    known = any(len(value) >= LONG and value in text for _, value in list_secrets())
    return known or bool(LIKE_A_KEY.search(text))


def refuse_key(text, where):
    """Raise JudgeError, which repeats none of it, for a text that is or looks like a key; where:
    what holds it."""
    if is_key(text):
        raise JudgeError(
            f"{where} holds what looks like a key (not repeated here): a key goes into an"
            f" environment variable ({', '.join(KEYS.values())}), a judge is called provider/model"
        )
