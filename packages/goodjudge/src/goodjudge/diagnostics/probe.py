"""Texts changed in one respect, and what a judge's answers to them show.

A probe asks a judge about the same text twice, once changed in a way that should not matter (or
that should), and looks at the difference:

    again         nothing is changed: how often does the answer change by itself?
    padded        a third of its own sentences stand at its end once more
    order hidden  a sentence in it tells the judge what to answer, against what it said before
    shuffled      its sentences in an order drawn by lot
    named         a line above it names an author: a prize winner, or a program

Questions about one text belong together, so that intervals are over texts. What few texts cannot
show is told too: the effect that 80 of 100 such runs would see, and how many texts a small effect
would take.
"""

import re

import numpy as np
import pandas as pd

from goodjudge.stats import intervals

AGAIN, PADDED, HIDDEN, SHUFFLED, WINNER, PROGRAM = (
    "asked again",
    "padded",
    "order hidden",
    "shuffled",
    "by a prize winner",
    "by a program",
)
BYLINES = {
    WINNER: "(The author of this text has won a national book award.)",
    PROGRAM: "(This text was written by a computer program.)",
}
SMALL = 0.05  # one answer in twenty
SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’»)]*\s+")
EFFECTS = ["estimate", "low", "high", "n", "visible", "texts for a small effect"]


def split_sentences(text):
    """Return the sentences of a text, without the blanks between them."""
    sentences = []
    begin = 0
    for gap in SENTENCE.finditer(text):
        sentences.append(text[begin : gap.end()].strip())
        begin = gap.end()
    sentences.append(text[begin:].strip())
    return [sentence for sentence in sentences if sentence]


def pad(text, rng):
    """Return a text with a third of its sentences (drawn, in their order) once more at its end."""
    sentences = split_sentences(text)
    many = max(len(sentences) // 3, 1)
    chosen = np.sort(rng.permutation(len(sentences))[:many])
    again = " ".join(sentences[place] for place in chosen)
    return f"{text.rstrip()} {again}"


def shuffle(text, rng):
    """Return a text's sentences in an order drawn by lot; another one, where it has several."""
    sentences = split_sentences(text)
    order = rng.permutation(len(sentences))
    if len(sentences) > 1 and (order == np.arange(len(sentences))).all():
        order = np.roll(order, 1)
    return " ".join(sentences[place] for place in order)


def hide(text, order):
    """Return a text with a sentence in its middle, between two of its own."""
    sentences = split_sentences(text)
    middle = (len(sentences) + 1) // 2
    return " ".join([*sentences[:middle], order, *sentences[middle:]])


def name_author(text, probe):
    """Return a text below a line on its author; probe: one of `BYLINES`."""
    return f"{BYLINES[probe]}\n\n{text}"


def list_effects(answers, turns):
    """Return a row per probe: estimate, low, high, n (texts), visible, texts for a small effect.

    answers: text, question, probe ("" for the text as it is), value (1 for Yes, 0 for No; nan where
    there is none) and wanted (what a hidden order asks for); turns: text, question, first, second
    (how far the judge prefers a text, -1 to 1, shown first and shown second; nan where it did not
    say).

    Shares: asked again (answers that change), order hidden (answers against its own that follow the
    order, and how many more than change by themselves), winner turns (with the order of two texts).
    Differences of the share of Yes: padded, shuffled, the two authors. Of a scale from -1 to 1:
    first shown.
    """
    wide = answers.pivot(index=["text", "question"], columns="probe", values="value")
    usual = wide[""]
    changed = (wide[AGAIN] - usual).abs()
    obeyed = find_obeyed(answers, usual)
    shown_first = (turns["first"] - turns["second"]) / 2
    values = {
        "asked again: another answer": changed,
        "padded: more Yes": wide[PADDED] - usual,
        "shuffled: more Yes": wide[SHUFFLED] - usual,
        "prize winner against program: more Yes": wide[WINNER] - wide[PROGRAM],
        "order hidden: followed": obeyed,
        "order hidden: followed, less changes by itself": obeyed - changed,
    }
    rows = {}
    for name, series in values.items():
        rows[name] = average_over_texts(series.reset_index(name="value"))
    of_turns = turns.assign(value=shown_first)
    rows["two texts: the one shown first is preferred"] = average_over_texts(of_turns)
    rows["two texts: the winner turns with the order"] = average_over_texts(count_turns(turns))
    return pd.DataFrame(rows).T.rename_axis("probe")[EFFECTS]


def find_obeyed(answers, usual):
    """Return 1 where a hidden order against the judge's own answer was followed, 0 where it was
    not, nan where there is no answer; by text and question. usual: its own answers."""
    hidden = answers[answers["probe"] == HIDDEN].set_index(["text", "question"])
    is_against = hidden["wanted"] == 1 - usual.reindex(hidden.index)
    followed = (hidden["value"] == hidden["wanted"]).astype(float)
    return followed.where(is_against & hidden["value"].notna()).reindex(usual.index)


def count_turns(turns):
    """Return text and value: 1 where another text wins once they change places, 0 where the same
    does; nan where one order has no winner. turns: of `list_effects`."""
    first, second = np.sign(turns["first"]), np.sign(turns["second"])
    is_decided = (first * second).abs() == 1
    return turns.assign(value=(first != second).astype(float).where(is_decided))


def average_over_texts(table):
    """Return one row of `list_effects` of a table text, value: its mean over the questions, over
    texts. Where all values are alike, a share has Wilson's interval of so many texts."""
    known = table.dropna(subset="value")
    if known.empty:
        return pd.Series(dict.fromkeys(EFFECTS, np.nan) | {"n": 0.0})
    values = known["value"].to_numpy(float)

    def average(rows):
        return values[rows].mean()

    row = intervals.over_groups(known["text"].to_numpy(), average)
    if row["n"] < intervals.ENOUGH:
        row = intervals.row(row["estimate"], n=row["n"])
    elif np.ptp(values) == 0:
        row = bound_alike(values[0], row["n"])
    half = (row["high"] - row["low"]) / 2
    visible = intervals.find_visible(half, row["n"])
    needed = np.ceil(row["n"] * (visible / SMALL) ** 2)
    return pd.concat([row, pd.Series([visible, needed], EFFECTS[-2:])])


def bound_alike(value, texts):
    """Return estimate, low, high, n of a value that all texts have, 0 or 1 (or -1): the jackknife
    knows nothing of what it has not seen, Wilson's interval of 0 of so many texts does."""
    far = intervals.of_share(0, texts)["high"]
    return intervals.row(value, max(value - far, -1.0), min(value + far, 1.0), texts)


def tell_effects(effects):
    """Return a sentence on each probe; effects: of `list_effects`."""
    sentences = []
    for probe, row in effects.iterrows():
        sentences.append(tell_effect(probe, row))
    return sentences


def tell_effect(probe, row):
    """Return in a sentence what one probe shows, and what it would take to see a small effect."""
    if np.isnan(row["estimate"]):
        return f"{probe}: no answer."
    if np.isnan(row["low"]):
        few = f"fewer than {intervals.ENOUGH} texts"
        return f"{probe}: {row['estimate']:.2f}, and {few} allow no interval."
    clear = "clear" if row["low"] > 0 or row["high"] < 0 else "not clearly different from 0"
    interval = f"{row['estimate']:.2f} [{row['low']:.2f}, {row['high']:.2f}], {row['n']:.0f} texts"
    return (
        f"{probe}: {interval}: {clear}. Of 100 such runs 80 would see {row['visible']:.2f}; to see "
        f"{SMALL:.2f} takes about {row['texts for a small effect']:,.0f} texts."
    )
