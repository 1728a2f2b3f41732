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

import numpy as np
import pandas as pd

from helpers import results
from helpers.measures import agreement, baselines, intervals
from helpers.results import display_name
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import judging
from helpers.ttcw.experts import COVERAGE

STATUSES = {
    "ok": "Yes or No",
    "refused": "refused",
    "unparsed": "no readable verdict",
    "missing": "not recorded",
    "error": "failed",
}
FEW = 10  # cases of the rarer verdict; with fewer no balanced accuracy is shown
ENOUGH = 5  # groups of stories, or texts of a reader's own; with fewer no interval is shown
NO_EXPERTS = (
    "No expert judged these texts: this run cannot say whether the judge is right about them, nor "
    "whether it adds anything to a guess that reads nothing."
)


def make_card(judge, answers, tests, words, verdicts=None, level=0.95, source="open"):
    """Return the card of a judge.

    answers: all of this judge, as `ask.ask_panel` or `ask.judge_own` return them; tests: {test:
    name}; words: {story: words} where the text is at hand; verdicts: the experts', None if none
    judged these texts; level: of the interval of what the judge adds, above 0.95 where several
    judges are compared.
    """
    name, parts = display_name(judge), [tell_answers(answers, judge, source)]
    said = answers[answers["status"] == "ok"].drop_duplicates("item").rename(columns={"yes": name})
    said = said.assign(test=said["test"].map(tests)).drop(columns="truth", errors="ignore")
    if len(said) and verdicts is None:
        parts += [
            tell_threshold(said, name),
            make_section("Agreement with experts", NO_EXPERTS),
            tell_kinds(said, name, "story"),
            tell_kinds(said, name, "test"),
        ]
    elif len(said):
        said["truth"] = said["item"].map(judging.find_majority(verdicts).set_index("item")["truth"])
        agreed = agreement.find_agreed(verdicts).rename(columns={"passed": "a third expert"})
        agreed["who wrote"] = baselines.predict_constant(agreed, ["writer"])
        agreed["test"] = agreed["test"].map(tests)
        agreed = agreed.merge(said[["story", "test", name, "score"]])
        machines = agreed[agreed["writer"] != "NewYorker"]
        both = {"all stories": agreed} if len(machines) < len(agreed) else {}
        both["machine stories"] = machines
        parts += [
            tell_threshold(said, name, judging.compare_threshold(agreed, [name])),
            tell_agreement(both, name),
            tell_gain(both, said, name, level),
            tell_kinds(said, name, "test", agreed),
            tell_kinds(said, name, "writer", agreed),
        ]
    parts += [tell_length(said, name, words, answers)] if len(said) else []
    parts += [tell_cost(answers, judge)]
    texts = "own" if verdicts is None else "ttcw"
    return {"judge": judge, "name": name, "texts": texts, "source": source, "sections": parts}


def make_section(title, says, rows=None, label="", measure="", level=0.95, digits=2):
    """Return a section; rows: {name of the row: Series}, under the header(s) `label`."""
    table = pd.DataFrame(rows).T.rename_axis(label).reset_index() if rows else pd.DataFrame()
    cells = [
        [cell if isinstance(cell, str) else results.check_number(title, cell) for cell in row]
        for row in table.astype(object).to_numpy().tolist()
    ]
    section = {"title": title, "says": says, "measure": measure, "level": round(level, 4)}
    return section | {"digits": digits, "columns": list(table.columns), "rows": cells}


def tell_answers(answers, judge, source):
    """Return the section on outcomes: a refused or unreadable answer is neither Yes nor No."""
    counts = answers["status"].value_counts().reindex(list(STATUSES), fill_value=0).rename(STATUSES)
    says = (
        f"{answers['story'].nunique()} texts, {answers['test'].nunique()} tests: {counts.iloc[0]:,}"
        f" of {len(answers):,} answers have a verdict; one without is neither Yes nor No."
    )
    if judge.startswith("simulated/"):
        says += " This judge is a rule that reads nothing: it tells nothing about the texts."
    if source == "simulated":
        says += " The experts are simulated too: a check of the method, no evidence."
    shares = (100 * counts / max(len(answers), 1)).round()
    rows = pd.DataFrame({"answers": counts, "%": shares}, dtype=int).T
    return make_section("What it answered", says, dict(rows), "outcome")


def mean_over(table, column):
    """Return estimate, low, high, n of a share over groups of stories; few groups: no interval."""
    values = table[column].to_numpy(float)
    row = intervals.over_groups(table["group"], lambda rows: values[rows].mean())
    row[["low", "high"]] = row[["low", "high"]].clip(0, 1) if row["n"] >= ENOUGH else np.nan
    return row


def tell_threshold(said, name, threshold=None):
    """Return the section on the share of Yes; beside experts also where they say Yes, and No."""
    rows, share = {"the judge": mean_over(said, name)}, said[name].mean()
    says = f"It says Yes to {100 * share:.0f} % of what it answered."
    if threshold is not None:
        rows["two experts of three"] = mean_over(said, "truth")
        for word, truth in {"Yes": True, "No": False}.items():
            cases = said[said["truth"] == truth]
            rows[f"the judge, where experts say {word}"] = mean_over(cases, name)
        says += (
            " A judge that can tell says Yes more often where experts do; one that is only generous"
            " does not."
        )
        for _, row in threshold.iterrows():
            says += (
                " Were it as strict as experts are, its balanced accuracy over all tests would be "
                f"{row[judging.STRICT]:.2f}; knowing only how often each test is passed gives "
                f"{row['test rates alone']:.2f}."
            )
    elif abs(share - 0.5) > 0.4:
        says += " Nearly every text gets the same answer, so an answer tells little about a text."
    return make_section("How easily it says Yes", says, rows, "who", "share of Yes")


def tell_agreement(parts, name):
    """Return the section on agreement within tests, beside who wrote and a third expert."""
    rows = {}
    for label, part in parts.items():
        rated = judging.rate(part, [name, "who wrote", "a third expert"], within=True)
        rows |= {(label, who): row for who, row in rated.iterrows()}
        graded = part.dropna(subset=["score"])
        if len(graded):
            auc = judging.rank_within(graded)
            rows[label, f"{name}, AUC of its probability of Yes"] = auc
    says = (
        "Against two experts who agree, within each test: 0.50 is guessing. “Who wrote” is told the"
        " writer, was taught by experts' verdicts on other stories, and reads nothing; “a third"
        " expert” is a person under the same rule."
        f" {say_coverage('balanced accuracy within tests')}"
    )
    labels = ["stories", "who"]
    return make_section("Agreement with experts", says, rows, labels, "balanced accuracy")


def say_coverage(statistic):
    """Say how often such intervals hold the truth in the simulation of benchmarks/coverage.py."""
    share = 100 * pd.read_csv(COVERAGE).set_index("statistic").at[statistic, "estimate"]
    return f"In simulation 95 % intervals of this kind hold the truth {share:.0f} times in 100."


def tell_gain(parts, said, name, level):
    """Return the section on the gain in AUC over knowing the tests, and on labels saved."""
    gains = {
        (label, who): baselines.gain_in_auc(part, who, level)
        for label, part in parts.items()
        for who in (name, "a third expert")
    }
    clear = [label for label in parts if gains[label, name]["low"] > 0]
    says = (
        "Who knows how often each test is passed can guess unread; AUC is the chance that a passed"
        " case is then ranked above a failed one, the gain what the answers add. A Yes may count"
        " for a pass, never against it; a third expert is held to the same rule. The judge's"
        f" gain is clearly above zero on: {' and '.join(clear) or 'none'}."
        f" {say_coverage('gain in AUC')}"
    )
    if level > 0.95:
        says += " Here they are widened, for several judges are compared."
    saved = judging.count_saved(said, name, 100, level)
    if not np.isnan(saved["estimate"]):
        unread = judging.add_unread(said)
        kinds = (judging.count_saved(unread, kind, 100, level) for kind in judging.UNREAD)
        judge, *kinds = (results.format_interval(row, digits=1) for row in (saved, *kinds))
        says += f" Of 100 expert labels the judge saves {judge}; unread, knowing which test is"
        says += " asked saves {}, and having learnt whose stories pass {}.".format(*kinds)
    rows = {label: row.rename({"auc": "AUC with it"}) for label, row in gains.items()}
    return make_section("What it adds", says, rows, ["stories", "who"], "gain in AUC", level, 3)


def tell_kinds(said, name, kind, agreed=None):
    """Return the section on each test, writer or story: share of Yes, and balanced accuracy."""
    says, rows, by = "", {}, "Yes of the judge, %"
    for label, part in said.groupby(kind):
        rows[label] = pd.Series({"answers": len(part), by: round(100 * part[name].mean())})
        if agreed is not None:
            cases = agreed[agreed[kind] == label]
            rarer = cases["truth"].value_counts().reindex([True, False]).min()
            rated = intervals.row(np.nan, np.nan, np.nan, cases["group"].nunique())
            if rarer >= FEW:
                rated = judging.rate(cases, [name]).iloc[0]
            shares = pd.Series({"Yes of the experts, %": round(100 * part["truth"].mean())})
            rows[label] = pd.concat([rows[label], shares, rated])
    table = pd.DataFrame(rows).T.rename_axis(kind)
    if agreed is not None:
        by, known = "estimate", table["low"].dropna()
        says = (
            f"Against two experts who agree; 0.50 is guessing. {(known > 0.5).sum()} of"
            f" {len(known)} intervals lie above it. Nothing is shown where experts gave the rarer"
            f" verdict fewer than {FEW} times."
        )
    ranked = dict(results.rank(table, by, kind).iterrows())
    title = f"{kind.capitalize()} by {kind}"
    return make_section(title, says, ranked, kind, "balanced accuracy")


def tell_length(said, name, words, answers):
    """Return the section on length (do longer texts get more Yes?), place and repeats."""
    columns = {"judge": name, "experts": "truth"} if "truth" in said else {"judge": name}
    share = said.groupby(["story", "group"])[list(columns.values())].mean().reset_index()
    share = share.assign(words=share["story"].map(words)).dropna(subset=["words"])
    says, rows = "Too few texts for length.", {}
    if len(share) >= ENOUGH:
        # nearly the same share everywhere: no interval
        with np.errstate(divide="ignore", invalid="ignore"):
            for who, column in columns.items():
                given = share[column], share["words"], share["group"]
                rows[who] = baselines.correlate_scores(*given)
        low, high = rows["judge"][["low", "high"]]
        effect = "more" if low > 0 else "less" if high < 0 else "neither clearly more nor less"
        if not np.isnan(low):
            says = f"It says Yes {effect} often to longer texts ({len(share)} texts)."
    says += " Every text is shown alone: no place in a pair or a list can be preferred."
    usable = answers[answers["status"] == "ok"].groupby("item")["yes"]
    again = usable.nunique()[usable.size() > 1]
    if len(again):
        same = 100 * (again == 1).mean()
        says += f" Asked again, it says the same in {same:.0f} % of {len(again)} cases."
    header, measure = "whose share of Yes", "r with the number of words"
    return make_section("Length, place, repeats", says, rows, header, measure)


def tell_cost(answers, judge):
    """Return the section on tokens, USD and seconds, where they are known."""
    if judge.startswith("simulated/"):
        return make_section("Cost", "A simulated judge costs nothing.")
    if judge.startswith("recorded/") and not answers["output_tokens"].sum():
        says = "What these answers cost when they were recorded is not known"
        return make_section("Cost", f"{says}; replaying costs nothing.")
    paid = answers[answers["status"] != "missing"]
    row = paid[["input_tokens", "output_tokens", "usd"]].sum()
    row = row.set_axis(["tokens in", "tokens out", "USD"])
    row["seconds an answer"] = paid["seconds"].mean()
    says = "As first paid and waited for; replaying costs nothing."
    return make_section("Cost", says, {len(paid): row}, "answers")


def card_markdown(card, heading="## {}"):
    """Return a card as Markdown with its tables in HTML; heading: of a section's title."""
    parts = []
    for section in card["sections"]:
        parts += [heading.format(section["title"]), section["says"]]
        if section["rows"]:
            rows = pd.DataFrame(section["rows"], columns=section["columns"]).fillna(np.nan)
            shown = results.tidy(rows, section["digits"], section["measure"], section["level"])
            parts.append(shown.rename(columns={"n": "groups"}).to_html(index=False, border=0))
    return "\n\n".join(part for part in parts if part)


def write_card(card, outputs):
    """Write a card to `<outputs>/judges/[own-]<judge>.json` (own: a reader's); return the path."""
    name = f"own {card['judge']}" if card["texts"] == "own" else card["judge"]
    stem = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    path = ROOT / outputs / "judges" / f"{stem}.json"
    replace_file(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return path
