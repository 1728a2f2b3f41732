"""Say computed sentences in a notebook and save its findings."""
import json
from pathlib import Path

from IPython.display import Markdown, display

from helpers.ledger import write_text


def say(text):
    """Show a sentence (Markdown) whose numbers were just computed."""
    display(Markdown(text))


def interval(estimate, low, high, digits=2):
    """Return 'estimate [low, high]' as text."""
    return f"{estimate:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def save_findings(notebook, source, findings, outputs):
    """Show the findings as a list and write them to `<outputs>/<notebook>.json`; the first is the headline.

    notebook: e.g. "01-ttcw-human-agreement"; source: open, published, simulated or a judge's name.
    """
    record = {"notebook": notebook, "source": source, "findings": list(findings)}
    write_text(Path(outputs) / f"{notebook}.json", json.dumps(record, indent=1, ensure_ascii=False) + "\n")
    say("\n".join(f"- {finding}" for finding in findings))
