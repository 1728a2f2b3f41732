"""What is sent to a provider: the body of a request, as its own API wants it.

A call has up to three texts: system, shared (a long text with which many prompts begin) and prompt.
All providers are sent them in this order, so that what is shared comes out of a prompt cache. What
may change the price, such as a tier, is named in every body; else the account would decide.
"""

import json
import re

from goodjudge.ask import prices
from goodjudge.ask.addresses import endpoint
from goodjudge.ask.calls import digest
from goodjudge.ask.prompts import closing

# models that refuse `inference_geo` (older than Claude Opus 4.6); they have no dearer region
NO_REGION = re.compile(r"claude-3.*|claude-\w+-4(-[0-5])?")


def make_body(call):
    """Return the body of the request for a call, a dict of JSON."""
    makers = {"openai": openai_body, "anthropic": anthropic_body, "local": local_body}
    return makers[call.provider](call)


def openai_body(call):
    """Return the body of a Chat Completions request to OpenAI."""
    body = chat_body(call)
    body["max_completion_tokens"] = body.pop("max_tokens")
    body["service_tier"] = "default"
    if call.shared and not endpoint("openai"):
        body["prompt_cache_key"] = digest([call.model, call.system, call.shared])[:32]
    return body


def local_body(call):
    """Return the body of a Chat Completions request to a server of the reader's.

    A model's name may end with a closing, local/x+verdict: the grammar by which a small model, that
    would never come to a label by itself, has to end (llama.cpp).
    """
    body = chat_body(call)
    body.pop("server", None)  # a name that keeps its answers apart, and says nothing to it
    _, _, name = call.model.partition("+")
    if name:
        body["grammar"] = closing(name)
    return body


def chat_body(call):
    """Return what the bodies of Chat Completions have in common: model, messages, form of the
    answer, and the call's other parameters."""
    settings = json.loads(call.params)
    if form := settings.pop("form", None):
        strict = form | {"strict": True}
        settings["response_format"] = {"type": "json_schema", "json_schema": strict}
    text = "\n\n".join(part for part in (call.shared, call.prompt) if part)
    messages = [{"role": "user", "content": text}]
    if call.system:
        messages.insert(0, {"role": "system", "content": call.system})
    model = call.model.partition("+")[0]
    return {"model": model, "messages": messages} | settings


def anthropic_body(call):
    """Return the body of a Messages request: a cache breakpoint ends the shared text."""
    settings = json.loads(call.params)
    if form := settings.pop("form", None):
        settings["output_config"] = {"format": {"type": "json_schema", "schema": form["schema"]}}
    settings["service_tier"] = "standard_only"
    if not NO_REGION.fullmatch(prices.undated(call.model)):
        settings["inference_geo"] = "global"
    if call.system:
        settings["system"] = call.system
    content = [{"type": "text", "text": call.prompt}]
    if call.shared:
        breakpoint_here = {"cache_control": {"type": "ephemeral"}}
        content.insert(0, {"type": "text", "text": call.shared} | breakpoint_here)
    messages = [{"role": "user", "content": content}]
    return {"model": call.model, "messages": messages} | settings


def most_tokens(call):
    """Return more tokens than a provider can count in a request: its bytes and some more."""
    body = json.dumps(make_body(call), ensure_ascii=False)
    return len(body.encode("utf8", "replace")) + 1000
