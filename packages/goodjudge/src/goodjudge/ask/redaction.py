"""Hide the secrets of the environment before a text is kept, shown or raised.

A provider may repeat a key in an error, whole, cut off or masked; a reader may type one where the
name of a judge belongs. If the variable MY_API_KEY holds sk-planted-0123456789abcdef:

| what a text says                            | what is left of it  |
|---------------------------------------------|---------------------|
| sk-planted-0123456789abcdef                 | [MY_API_KEY]        |
| sk-planted-01 (its first characters)        | [MY_API_KEY]        |
| sk-pl***cdef, sk-p…, ...cdef (masked forms) | [MY_API_KEY]        |
| sk-p                                        | sk-p: too few       |

A secret that is written in another way (upper case, base64, reversed) is not found.
"""

import os
import re
from functools import cache

from goodjudge.ask.addresses import KEYS
from goodjudge.ask.errors import JudgeError

LONG = 12  # characters of a secret whose parts are told from other words

# a variable whose name says that it holds a secret
SECRET_NAME = re.compile(
    r"""
    (?: KEY | TOKEN | SECRET | PASSWORD | PASSWD | PASSPHRASE | _PAT )
    (?: _\d+ )?
    $                                               # OPENAI_API_KEY, MY_TOKEN_2
  | (?: ^ | _ ) (?: SECRET | TOKEN | PASSWORD ) _   # MY_SECRET_ACCESS
    """,
    re.VERBOSE,
)

# the password in an address such as postgres://me:password@host/x
LOGIN = re.compile(r":// [^/@\s]* : (?P<password> [^/@\s]+ ) @", re.VERBOSE)

# a word that looks like a provider's key, also behind a provider's name: openai/sk-…
LIKE_A_KEY = re.compile(
    r"""
    (?: ^ | / )
    (?:
        (?: sk | pk | rk ) - [\w-]{8,}
      | (?: gsk_ | hf_ | xai- | ghp_ | AIza ) (?= [\w-]* \d ) [\w-]{16,}
    )
    """,
    re.VERBOSE,
)

# what stands for characters that are not shown
MASK = r"""(?:
    [*•·#…]++
  | \.\.++                          # at least two dots
  | [xX]{3,}+
  | (?: \\u20[0-9a-fA-F]{2} )++     # a bullet as JSON writes it
)"""
BEFORE_MASK = r"(?<! [*•·#….xX] ) (?<! \\u20[0-9a-fA-F]{2} )"  # the mask begins here


def redact_secrets(text, shortest=5, run=6):
    """Return text without the secrets of the environment, each replaced by its variable's name.

    shortest: characters of a secret that is hidden at all. Of a secret of LONG characters or more
    its parts are hidden too: so many first or last ones (`run`), and a masked form such as
    sk-abc***xyz.
    """
    secrets = list_secrets()
    for variable, secret in secrets:
        if len(secret) >= shortest:
            text = text.replace(secret, f"[{variable}]")
    for variable, secret in secrets:
        if len(secret) >= max(shortest, LONG):
            text = hide_parts(text, secret, f"[{variable}]", run)
    return text


def list_secrets():
    """Return (variable, secret) of the environment, the longest secret first: what a variable named
    as a secret holds, and passwords in addresses."""
    secrets = []
    for variable, value in os.environ.items():
        login = LOGIN.search(value)
        if login:
            secrets.append((variable, login["password"]))
        if login or SECRET_NAME.search(variable.upper()):
            secrets.append((variable, value.strip()))
    return sorted(secrets, key=lambda pair: -len(pair[1]))


def hide_parts(text, secret, mark, run):
    """Return text with `mark` in place of a secret's masked forms, and of its first or last
    characters, `run` or more of them."""
    text = masked_forms(secret).sub(lambda match: mark, text)
    for parts in (list_starts(secret, run), list_ends(secret, run)):
        shortest_part = parts[-1]
        if shortest_part in text:  # else none of them is
            for part in parts:
                text = text.replace(part, mark)
    return text


@cache
def masked_forms(secret):
    """Return the pattern of a secret of which only the ends are shown: two characters or more of
    both ends (sk-abc***xyz), or four or more of one (sk-a…, ...wxyz)."""
    start = any_of(list_starts(secret, 2))
    end = any_of(list_ends(secret, 2))
    long_start = any_of(list_starts(secret, 4))
    long_end = any_of(list_ends(secret, 4))
    return re.compile(
        rf"""
        (?<! [\w-] ) (?: {start} {MASK} {end} | {long_start} {MASK} )
      | {BEFORE_MASK} {MASK} {long_end} (?! [\w-] )
        """,
        re.VERBOSE,
    )


def any_of(words):
    """Return the pattern of any of these words."""
    return f"(?: {' | '.join(map(re.escape, words))} )"


def list_starts(secret, least):
    """Return the beginnings of a secret, from all but one character down to `least`."""
    return [secret[:size] for size in range(len(secret) - 1, least - 1, -1)]


def list_ends(secret, least):
    """Return the endings of a secret, from all but one character down to `least`."""
    return [secret[-size:] for size in range(len(secret) - 1, least - 1, -1)]


def is_key(text):
    """Return whether a text holds a secret of the environment, or looks like a key."""
    text = str(text)
    for _, secret in list_secrets():
        if len(secret) >= LONG and secret in text:
            return True
    return bool(LIKE_A_KEY.search(text))


def refuse_key(text, where):
    """Raise JudgeError, which repeats none of it, for a text that is or looks like a key; where:
    what holds it."""
    if is_key(text):
        raise JudgeError(
            f"{where} holds what looks like a key (not repeated here): a key goes into an"
            f" environment variable ({', '.join(KEYS.values())}), a judge is called provider/model"
        )
