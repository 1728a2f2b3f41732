"""Write candidates as the studies did: a plot from a reference, a first story, rounds of lengthening with a stop reason."""

import pandas as pd

from helpers import judges
from helpers.judges import prompts

WITHIN, ROUNDS = 200, 20  # ttcw, section 5.1 and Table 10: words off the target at which lengthening stops; most rounds


def keep(text):
    """Parse nothing: a draft is used as it is (`text`), also where it repeats the draft before it, which parsers never see."""
    return "written"


keep.cut_ok = True  # a story cut off at the length limit is still a story; the next round sees its length


def ask_writer(table, writer, options):
    """Return the answers by item with `draft` (stripped text) and `status` ('empty' where nothing was written)."""
    answers = judges.ask(table, writer, keep, **options).set_index("item")
    answers["draft"] = answers["text"].fillna("").str.strip()
    answers.loc[(answers["status"] == "ok") & (answers["draft"] == ""), "status"] = "empty"
    return answers


def extract_plots(references, writer, **options):
    """Return {group: plot in one sentence} that the model `writer` reads out of {group: reference}; refusals are left out."""
    table = pd.DataFrame([{"item": str(group), **prompts.load("generation-plot").fill(story=text)}
                          for group, text in references.items()])
    answers = ask_writer(table, writer, options)
    return {g: answers.at[str(g), "draft"] for g in references if answers.at[str(g), "status"] == "ok"}


def write_stories(plots, targets, writer, within=WITHIN, rounds=ROUNDS, **options):
    """Return one row a group: text, words, rounds used, stop ('within reach', 'all rounds used', 'no longer', 'refused', …).

    plots: {group: plot}; targets: {group: words wanted}. A draft that is too long stops as 'too long'; a round that adds no
    word stops as 'no longer', because the next one would ask the same again.
    """
    first = pd.DataFrame([{"item": f"{g}/0", **prompts.load("generation-story").fill(plot=plot, words=targets[g])}
                          for g, plot in plots.items()])
    answers = ask_writer(first, writer, options)
    rows = {g: {"group": g, "text": answers.at[f"{g}/0", "draft"], "rounds": 0,
                "stop": "" if answers.at[f"{g}/0", "status"] == "ok" else answers.at[f"{g}/0", "status"]} for g in plots}
    for number in range(rounds + 1):
        for g, row in rows.items():
            row["stop"] = row["stop"] or stop_reason(len(row["text"].split()), targets[g], number, within, rounds)
        open_groups = [g for g, row in rows.items() if not row["stop"]]
        if not open_groups:
            break
        table = pd.DataFrame([{"item": f"{g}/{number + 1}", **prompts.load("generation-lengthen").fill(
            story=rows[g]["text"], words=len(rows[g]["text"].split()), target=targets[g], plot=plots[g])} for g in open_groups])
        answers = ask_writer(table, writer, options)
        for g in open_groups:
            lengthen(rows[g], answers.loc[f"{g}/{number + 1}"])
    table = pd.DataFrame(rows.values())
    table.insert(2, "words", table["text"].str.split().str.len())
    return table


def stop_reason(words, target, number, within, rounds):
    """Return why writing stops after `number` rounds of lengthening, or '' if it goes on."""
    if abs(words - target) <= within:
        return "within reach"
    if words > target:
        return "too long"
    return "all rounds used" if number >= rounds else ""


def lengthen(row, answer):
    """Take over a longer draft into `row`, or note why there is none."""
    if answer["status"] != "ok":
        row["stop"] = answer["status"]
        return
    row["rounds"] += 1
    if len(answer["draft"].split()) <= len(row["text"].split()):
        row["stop"] = "no longer"
        return
    row["text"] = answer["draft"]
