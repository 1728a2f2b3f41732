"""Where a judge is, and the key that opens it; both come from the environment alone.

| provider  | address                                              | key                        |
|-----------|------------------------------------------------------|----------------------------|
| openai    | OPENAI_BASE_URL, or the provider's own               | OPENAI_API_KEY             |
| anthropic | ANTHROPIC_BASE_URL, or the provider's own            | ANTHROPIC_API_KEY          |
| local     | LOCAL_BASE_URL, or port 8080 of this machine         | LOCAL_API_KEY, or none     |

No error repeats an address that cannot be used, since a password may stand in it, nor a key.
"""

import ipaddress
import os
import re
from urllib.parse import urlsplit

from goodjudge.ask.errors import JudgeError

URLS = {  # provider: (variable of the environment, address without it)
    "openai": ("OPENAI_BASE_URL", "https://api.openai.com/v1"),
    "anthropic": ("ANTHROPIC_BASE_URL", "https://api.anthropic.com"),
    "local": ("LOCAL_BASE_URL", "http://127.0.0.1:8080/v1"),
}
KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "local": "LOCAL_API_KEY"}
SERVER = "LOCAL_SERVER"  # of the environment: a name for the server of LOCAL_BASE_URL
OWN_HOSTS = ("api.openai.com", "api.anthropic.com")


def base_url(provider):
    """Return a provider's base URL, of the environment or its own; JudgeError for a bad one."""
    variable, own = URLS[provider]
    url = os.environ.get(variable) or own
    if not is_usable(url):
        raise JudgeError(
            f"the environment variable {variable} is not a usable address: expected"
            " http://host:port/v1 or https://host/v1 with a port up to 65535, without a user, a"
            " password or a query"
        )
    return urlsplit(url).geturl()


def is_usable(url):
    """Return whether a text is the address of a server, with no login and no query in it."""
    try:
        parts = urlsplit(url)
        names_server = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:  # a port that is no number, half an IPv6 address
        return False
    if not names_server or not url.isprintable():
        return False
    has_login = re.search(r"[@%\s]", parts.netloc)  # user:password@host, also as %40
    return not has_login and not parts.query


def name_server():
    """Return what the server of local/ judges is called beside its answers: LOCAL_SERVER, or its
    host:port. Who moves a server, say to another port, goes on under the old name."""
    return os.environ.get(SERVER, "").strip() or urlsplit(base_url("local")).netloc


def is_here(url):
    """Return whether an address is of this machine: localhost, 127.x.x.x or [::1]."""
    host = urlsplit(url).hostname
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def runs_here():
    """Return whether a local/ judge is a server on this machine and takes no key, so that it costs
    nothing; a gateway on this machine hands on what others bill."""
    takes_key = bool(os.environ.get(KEYS["local"], "").strip())
    return is_here(base_url("local")) and not takes_key


def endpoint(provider):
    """Return host:port of a base URL that is not the provider's own; '' for its own and local/."""
    if provider not in ("openai", "anthropic"):
        return ""
    host = urlsplit(base_url(provider)).netloc
    return "" if host in OWN_HOSTS else host


def find_key(provider):
    """Return the key of a provider (local/ needs none, but a gateway may); raise JudgeError
    without a usable one."""
    variable = KEYS[provider]
    key = os.environ.get(variable, "").strip()
    if not key and provider == "local":
        return "local"  # the SDK wants a word
    if not key:
        raise JudgeError(
            f"judge {provider}/…: set the environment variable {variable} (never write a key into a"
            " notebook), or use a recorded/, local/ or simulated/ judge"
        )
    if not (key.isascii() and key.isprintable()):
        raise JudgeError(
            f"the environment variable {variable} holds characters that no key has; copy it again"
        )
    return key
