"""Where a judge is, and the key that opens it; both come from the environment alone.

| provider  | address                                              | key                        |
|-----------|------------------------------------------------------|----------------------------|
| openai    | OPENAI_BASE_URL, or the provider's own               | OPENAI_API_KEY             |
| anthropic | ANTHROPIC_BASE_URL, or the provider's own            | ANTHROPIC_API_KEY          |
| local     | LOCAL_BASE_URL, or port 8080 of this machine         | LOCAL_API_KEY, or none     |

No key is written anywhere. A provider may repeat one in an error, whole or cut in half; a reader
may type one where the name of a judge belongs. The first is replaced (`hide_keys`), the second is
refused (`refuse_key`); an honest answer is never changed. Nor does an error repeat an address
that cannot be used, since a password may stand in it.
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
# a provider's key, also behind a provider's name: openai/sk-…
LIKE_A_KEY = re.compile(
    r"(^|[/?=])((sk|pk|rk)-[\w-]{17,}|(gsk_|hf_|xai-|ghp_|AIza)(?=[\w-]*\d)[\w-]{16,})"
)
# what no answer holds by chance: keys of Mistral, Azure or a gateway look like nothing but this
RANDOM = re.compile(r"(?=\S*\d)(?=\S*[A-Za-z])\S{20,}")
SHORTEST = 8  # characters of a key that is told from other words


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


def suggest_url(provider):
    """Return a sentence on what may be wrong with the path of a base URL, '' if nothing is."""
    variable = URLS[provider][0]
    url = base_url(provider).rstrip("/")
    for ending in ("/chat/completions", "/completions", "/messages"):
        if url.endswith(ending):
            return f"{variable} ends with {ending}: try {url.removesuffix(ending)}"
    if provider == "anthropic" and url.endswith("/v1"):
        return f"{variable} ends with /v1: try {url.removesuffix('/v1')}"
    if provider != "anthropic" and "/v1" not in urlsplit(url).path:
        return f"{variable} ends without /v1: try {url}/v1"
    return ""


def name_server():
    """Return what the server of local/ judges is called beside its answers: LOCAL_SERVER, or its
    host:port. Who moves a server, say to another port, goes on under the old name."""
    return os.environ.get(SERVER, "").strip() or urlsplit(base_url("local")).netloc


def is_here(url):
    """Return whether an address is of this machine: localhost, 127.x.x.x, 0.0.0.0 or [::1]."""
    host = urlsplit(url).hostname
    try:
        address = ipaddress.ip_address(host)
        return address.is_loopback or address.is_unspecified
    except ValueError:  # a name
        return host == "localhost" or host.endswith(".localhost")


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


# ── Keys ──────────────────────────────────────────────────────────────────────────────────────────


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


def list_keys():
    """Return {key: variable} of the environment's keys: of variables such as OPENAI_API_KEY."""
    keys = {}
    for name, value in os.environ.items():
        if name.endswith("_KEY") and len(value.strip()) >= SHORTEST:
            keys.setdefault(value.strip(), name)
    return keys


def hide_keys(text):
    """Return an error's text with [its variable] in place of each key of the environment, whole or
    either half of it."""
    for key, variable in list_keys().items():
        half = len(key) // 2
        for part in (key, key[:half], key[half:]):
            if len(part) >= SHORTEST:
                text = text.replace(part, f"[{variable}]")
    return text


def hide_whole_keys(text):
    """Return a reply's text with [its variable] in place of each key of the environment that has
    the form of one. No honest answer holds one, and nothing else of an answer changes."""
    for key, variable in list_keys().items():
        if LIKE_A_KEY.fullmatch(key) or RANDOM.fullmatch(key):
            text = text.replace(key, f"[{variable}]")
    return text


def is_key(text):
    """Return whether a text holds a key of the environment, or has the form of a provider's."""
    text = str(text)
    return bool(LIKE_A_KEY.search(text)) or any(key in text for key in list_keys())


def refuse_key(text, where):
    """Raise JudgeError, which repeats none of it, for a text that is or looks like a key; where:
    what holds it."""
    if is_key(text):
        raise JudgeError(
            f"{where} holds what looks like a key (not repeated here): a key goes into an"
            f" environment variable ({', '.join(KEYS.values())}), a judge is called provider/model"
        )
