"""Make a judge card: all that one run says of a judge of the tests, recorded, live, local or
simulated.

A card is a dict that JSON can hold; `<outputs>/judges/<judge>.json` is one. Its fields: judge
('openai/gpt-4o'), name (for readers), texts ('ttcw': experts judged them; 'own': a reader's),
source ('open', 'simulated'), sections. A section: title; says (computed sentences); columns and
rows (its table, [] where there is none); measure (what `estimate` is), level (of its interval low,
high), digits (to show). n: groups of stories. null: not known.
"""

import json
import re

import pandas as pd

from helpers import results
from helpers.measures import agreement, baselines
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import card_sections as sections
from helpers.ttcw import judging

NO_EXPERTS = (
    "No expert judged these texts: this run cannot say whether the judge is right about them, nor "
    "whether it adds anything to a guess that reads nothing."
)


def make_card(judge, answers, tests, words, verdicts=None, level=0.95, source="open"):
    """Return the card of a judge.

    answers: all of this judge, as `ask.ask_panel` or `ask.judge_own` return them; tests:
    {test: name};
    words: {story: words} where the text is at hand; verdicts: the experts', None if none judged
    these texts;
    level: of the interval of what the judge adds, above 0.95 where several judges are compared.
    """
    name, parts = results.display_name(judge), [sections.tell_answers(answers, judge, source)]
    said = answers[answers["status"] == "ok"].drop_duplicates("item").rename(columns={"yes": name})
    said = said.assign(test=said["test"].map(tests)).drop(columns="truth", errors="ignore")
    if len(said) and verdicts is None:
        parts += [
            sections.tell_threshold(said, name),
            sections.make_section("Agreement with experts", NO_EXPERTS),
            sections.tell_kinds(said, name, "story"),
            sections.tell_kinds(said, name, "test"),
        ]
    elif len(said):
        said["truth"] = said["item"].map(judging.find_majority(verdicts).set_index("item")["truth"])
        agreed = agreement.find_agreed(verdicts).rename(columns={"passed": "a third expert"})
        agreed["who wrote"] = baselines.predict_constant(agreed, ["writer"])
        agreed = agreed.assign(test=agreed["test"].map(tests)).merge(
            said[["story", "test", name, "score"]]
        )
        machine = agreed["writer"] != "NewYorker"
        both = {"all stories": agreed} if not machine.all() else {}
        both["machine stories"] = agreed[machine]
        parts += [
            sections.tell_threshold(said, name, judging.calibrate(agreed, [name])),
            sections.tell_agreement(both, name),
            sections.tell_gain(both, said, name, level),
            sections.tell_kinds(said, name, "test", agreed),
            sections.tell_kinds(said, name, "writer", agreed),
        ]
    parts += [sections.tell_length(said, name, words, answers)] if len(said) else []
    parts += [sections.tell_cost(answers, judge)]
    return {
        "judge": judge,
        "name": name,
        "texts": "own" if verdicts is None else "ttcw",
        "source": source,
        "sections": parts,
    }


def show_section(section):
    """Return a section's table as text for readers (see `results.tidy`)."""
    rows = [[float("nan") if cell is None else cell for cell in row] for row in section["rows"]]
    table = pd.DataFrame(rows, columns=section["columns"])
    return results.tidy(table, section["digits"], section["measure"], section["level"]).rename(
        columns={"n": "groups"}
    )


def card_markdown(card, heading="## {}"):
    """Return a card as Markdown with its tables in HTML; heading: how a section's
    title is written."""
    parts = []
    for section in card["sections"]:
        table = show_section(section).to_html(index=False, border=0) if section["rows"] else ""
        parts += [heading.format(section["title"]), section["says"], table]
    return "\n\n".join(part for part in parts if part)


def write_card(card, outputs):
    """Write a card to `<outputs>/judges/<judge>.json` ('own-<judge>.json' for a reader's texts);
    return the path."""
    name = f"{'own ' * (card['texts'] == 'own')}{card['judge']}".lower()
    path = ROOT / outputs / "judges" / f"{re.sub('[^a-z0-9]+', '-', name).strip('-')}.json"
    replace_file(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return path
