"""What to do when a request fails: ask again, give the call up, or end the run.

| exception    | what it does                                                               |
|--------------|----------------------------------------------------------------------------|
| `Failed`     | ends this request; its fields say whether to ask again, and what it cost   |
| `NoForm`     | ends the run if it is the first reply: the model takes no JSON schema      |
| `JudgeError` | ends the run: every other call would fail like this one                    |
"""

import re
import time
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import httpx2

from goodjudge.ask.errors import JudgeError, NoForm
from goodjudge.ask.redaction import redact_secrets
from goodjudge.ask.replies import Failed

BUSY = (429, 503, 529)
NO_ACCESS = (401, 402, 403, 404)
UNSENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout)
TIER = re.compile("service_tier|inference_geo")  # an account may forbid what is usual
FILTERED = re.compile("content_(filter|policy)")  # the provider's filter refuses a request
FORM = re.compile("response_format|output_(config|format)|structured|schema|grammar", re.IGNORECASE)


def is_filtered(reply):
    """Return whether an HTTP error says that the provider's filter refuses the text."""
    return reply.status_code == 400 and bool(FILTERED.search(reply.text))


def sort_status(reply, form=None):
    """Return the exception that tells what an HTTP error asks for: again, give up, or stop.

    form: the name of the form that was asked for, if any. Refused requests (4xx) and those that a
    busy provider sends away are not billed; others may be.
    """
    code = reply.status_code
    body = reply.content[:2000].decode("utf8", "replace")
    words = " ".join(body.split())
    told = f"{code}: {words[:1000]}"
    if form and code in (400, 404, 422, 501) and FORM.search(body):
        return NoForm(
            f"the model takes no JSON schema ({told}); ask it in plain text: structured=False in"
            " judges.Options, or ?structured=false behind the judge's name"
        )
    if refuses_every_call(code, body):
        return JudgeError(
            f"the provider refuses every call ({told}); check the key, the model's name and the"
            " account"
        )
    if 300 <= code < 400:
        return tell_redirect(code, reply.headers.get("location", ""))
    if code in BUSY:
        return Failed(told, again=True, billed=False, wait=read_wait(reply.headers))
    if code == 408 or code >= 500:  # the provider may have done the work
        return Failed(told, again=True, billed=True)
    return Failed(told, again=code in (409, 425), billed=False)


def refuses_every_call(code, body):
    """Return whether an HTTP error is about the key, the model, the account or its tier."""
    if code in NO_ACCESS or "insufficient_quota" in body:
        return True
    return code == 400 and bool(TIER.search(body))


def tell_redirect(code, location):
    """Return the JudgeError for a redirect, which is not followed; it names the host alone."""
    holds_secret = redact_secrets(location) != location
    host = None if holds_secret else urlsplit(location).hostname
    if not host:
        return JudgeError(f"{code}: no answer, and no other address; check the judge's BASE_URL")
    return JudgeError(f"{code}: the server redirects to {host}; set the judge's BASE_URL to it")


def read_wait(headers):
    """Return the seconds that a busy provider asks to wait, in any of three forms; else 0.

    The forms: retry-after-ms: 1500; retry-after: 2; retry-after: Wed, 01 Jan 2100 00:00:00 GMT.
    """
    for name, units_a_second in (("retry-after-ms", 1000), ("retry-after", 1)):
        value = headers.get(name, "")
        if re.fullmatch(r"[0-9]{1,99}(\.[0-9]{1,9})?", value):
            return float(value) / units_a_second
    try:
        date = parsedate_to_datetime(headers.get("retry-after", ""))
        return max(0.0, date.timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0


def sort_connection(reason, reached, url, variable):
    """Return the exception for a connection that failed.

    reason: what the HTTP client raised; reached: whether the server has answered before; url: its
    address, variable: of the environment, that names it.
    """
    if isinstance(reason, Failed):  # of the bounded client
        return reason
    if lacks_files(reason):
        return JudgeError("too many open files: lower concurrency, or raise the limit (ulimit -n)")
    if isinstance(reason, httpx2.ConnectError) and not reached:
        host = urlsplit(url).netloc
        words = redact_secrets(str(reason))
        return JudgeError(
            f"no server answers at {host} ({words}); start one there, or set {variable}"
        )
    note = redact_secrets(f"{type(reason).__name__}: {reason}")
    return Failed(note, billed=not isinstance(reason, UNSENT))


def lacks_files(fault):
    """Return whether an exception, or one behind it, says that no more files can be opened."""
    if fault is None:
        return False
    if "open files" in str(fault):
        return True
    behind = [fault.__cause__ or fault.__context__, *getattr(fault, "exceptions", ())]
    return any(lacks_files(each) for each in behind)
