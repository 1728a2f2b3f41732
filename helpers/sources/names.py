"""Say the names of judges, writers, papers and columns as readers know them."""

import csv
import re

from helpers.sources.public import ROOT

# a paper's short name: its name for readers; in the ledger's order
with (ROOT / "data" / "papers" / "papers.csv").open(encoding="utf8", newline="") as file:
    PAPER_NAMES = {line["paper"]: line["name"] for line in csv.DictReader(file)}
NAMES = {  # what files and parameters say: what tables and figures say
    **PAPER_NAMES,
    "cgpt": "GPT-3.5",
    "gpt4": "GPT-4",
    "claudev13": "Claude 1.3",
    "claudev2": "Claude 2",
    "claudev21": "Claude 2.1",
    "claude3-opus": "Claude 3 Opus",
    "gemini-pro": "Gemini Pro",
    "claude35": "Claude 3.5",
    "gpt-4o": "GPT-4o",
    "qwen2-72b-chat": "Qwen 2 72B",
    "claude-sonnet-4": "Claude Sonnet 4",
    "smollm2": "SmolLM2 135M",
    "qwen2.5-coder-1.5b": "Qwen2.5-Coder 1.5B",
    "likelihood": "SmolLM2 135M, likelihood",
    "claude35_ours": "Claude 3.5, with a reference",
    "gpt-4o_ours": "GPT-4o, with a reference",
    "qwen2-72b-chat_ours": "Qwen 2 72B, with a reference",
    "qwen2-72b-chat_v3_ours": "Qwen 2 72B, with a reference",
    "GPT3.5": "GPT-3.5",
    "GPT4": "GPT-4",
    "NewYorker": "New Yorker",
    "hanna": "HANNA",
    "confederacy": "Confederacy of models",
    "lamp": "LAMP and WQRM",
    "openmeva": "OpenMEVA",
    "storyer": "StoryER",
    # of notebook 06: EvolvR's own judge is not public, nor are Poetry's poems
    "Poetry: kind of venue": "Poetry (our poems): kind of venue",
    "Poetry: five ratings": "Poetry (our poems): five ratings",
    "Editing: WQRM, all pairs": "Editing by machines: WQRM, all pairs",
    "EvolvR: one writer's stories, the best language model": (
        "HANNA, within one writer: the best language model's ratings"
    ),
    "EvolvR: one writer's stories, a regression with language models": (
        "HANNA, within one writer: a regression trained on ratings"
    ),
    "gpt4o": "GPT-4o",
    "claude3.5-sonnet": "Claude 3.5 Sonnet",
    "llama370B": "Llama 3 70B",
    "usd_live": "US dollars, live",
    "usd_most": "US dollars, at most",
    "usd_cached": "US dollars, with cache",
}
# after a recording's model
STUDY = re.compile(
    r"-(ttcw|refbased|confederacy|poem|titles|synopses|evolvr|hanna|injection|edits)[\w-]*$"
)


def display_name(label):
    """Return a label as readers know it: 'GPT-3.5' for recorded/cgpt; others as they are."""
    provider, _, model = str(label).partition("/")
    if provider == "simulated":
        return f"simulated judge ({model})"
    if provider in ("recorded", "openai", "anthropic", "local"):
        return NAMES.get(STUDY.sub("", model), label)
    return NAMES.get(str(label), label)
