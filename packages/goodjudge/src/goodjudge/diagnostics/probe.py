"""Texts and questions changed in one respect, and what a judge's answers to them show.

A probe asks a judge about the same text twice, once changed in a way that should not matter (or
that should), and looks at the difference:

    again         nothing is changed: how often does the answer change by itself?
    padded        a third of its own sentences stand at its end once more
    order hidden  a sentence in it tells the judge what to answer, against what it said before
    shuffled      its sentences in an order drawn by lot
    named         a line above it names an author: a prize winner, or a program
    reworded      the same question in other words, which somebody wrote as its paraphrase

Questions about one text belong together, so that intervals are over texts. What few texts cannot
show is told too: the effect that 80 of 100 such runs would see, and how many texts a small effect
would take. What is drawn for a text is drawn by the text alone, so that a probe of more texts draws
the same for those that were there.
"""

import hashlib
import re

import numpy as np
import pandas as pd

from goodjudge.stats import intervals

AGAIN, PADDED, HIDDEN, SHUFFLED, WINNER, PROGRAM, REWORDED = (
    "asked again",
    "padded",
    "order hidden",
    "shuffled",
    "by a prize winner",
    "by a program",
    "reworded",
)
BYLINES = {
    WINNER: "(The author of this text has won a national book award.)",
    PROGRAM: "(This text was written by a computer program.)",
}
SMALL = 0.05  # one answer in twenty
SENTENCE = re.compile(r"(?<=[.!?…。！？])[\"'”’»)]*\s+")
REWORDED_LESS = "reworded: another answer, less changes by itself"
OBEYED_LESS = "order hidden: followed, less changes by itself"
SHOWN_FIRST = "two texts: the one shown first is preferred"
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


def seed_of(*parts):
    """Return a generator whose draws depend on some texts alone, and not on how many others there
    are."""
    digest = hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


def list_effects(answers, turns, more="more Yes"):
    """Return a row per probe: estimate, low, high, n (texts), visible, texts for a small effect.

    answers: text, question, probe ("" for the text as it is; a question's paraphrases are "reworded
    1", "reworded 2" …), value (1 for Yes, 0 for No, or between them a place on a scale; nan where
    there is none) and wanted (what a hidden order asks for, 1 or 0); turns: text, question, first,
    second (how far the judge prefers a text, -1 to 1, shown first and shown second; nan where it
    did not say). more: what a higher value is.

    Shares: asked again and reworded (answers that change; the latter also less what changes by
    itself), order hidden (answers against its own that follow the order, likewise), winner turns
    (with the order of two texts). Differences of the value: padded, shuffled, the two authors. Of a
    scale from -1 to 1: first shown. A judge that was not asked again (at temperature 0) has no such
    row, and its changes by itself are taken for none; without paraphrases none is reworded.
    """
    wide = answers.pivot(index=["text", "question"], columns="probe", values="value")
    usual = wide[""]
    values = {}
    itself = 0.0
    if AGAIN in wide:
        itself = values["asked again: another answer"] = differ(wide[AGAIN], usual)
    reworded = [differ(wide[name], usual) for name in wide if name.startswith(REWORDED)]
    if reworded:
        share = pd.concat(reworded, axis=1).mean(axis=1)  # of a question's paraphrases
        values["reworded: another answer"] = share
        values[REWORDED_LESS] = share - itself
    obeyed = find_obeyed(answers, usual)
    values |= {
        f"padded: {more}": wide[PADDED] - usual,
        f"shuffled: {more}": wide[SHUFFLED] - usual,
        f"prize winner against program: {more}": wide[WINNER] - wide[PROGRAM],
        "order hidden: followed": obeyed,
        OBEYED_LESS: obeyed - itself,
    }
    rows = {}
    for name, series in values.items():
        rows[name] = average_over_texts(series.reset_index(name="value"))
    shown_first = turns.assign(value=(turns["first"] - turns["second"]) / 2)
    rows[SHOWN_FIRST] = average_over_texts(shown_first)
    rows["two texts: the winner turns with the order"] = average_over_texts(count_turns(turns))
    return pd.DataFrame(rows).T.rename_axis("probe")[EFFECTS]


def differ(values, usual):
    """Return 1 where two answers differ, 0 where not, nan where one of them is missing."""
    return (values != usual).astype(float).where(values.notna() & usual.notna())


def find_obeyed(answers, usual):
    """Return 1 where a hidden order against the judge's own answer was followed, 0 where it was
    not, nan where there is no answer; by text and question. usual: its own answers."""
    hidden = answers[answers["probe"] == HIDDEN].set_index(["text", "question"])
    is_against = (hidden["wanted"] - usual.reindex(hidden.index)).abs() >= 0.5
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
