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

from helpers import figures, judges, results
from helpers.measures import adds, compare, intervals, ratings, statistics, verdicts
from helpers.results import display_name
from helpers.sources.files import replace_file
from helpers.sources.public import ROOT
from helpers.ttcw import ask, worth
from helpers.ttcw import figures as pictures

STATUSES = {
    "ok": "Yes or No",
    "refused": "refused",
    "unparsed": "no readable verdict",
    "missing": "not recorded",
    "error": "failed",
}
JUDGE = "the judge"  # as `compare.summarise` calls it
FEW = 10  # cases of the rarer verdict; with fewer no balanced accuracy is shown
NO_EXPERTS = (
    "No expert judged these texts: this run cannot say whether the judge is right about them, nor "
    "whether it adds anything to a guess that reads nothing."
)


def make_card(judge, answers, tests, words=None, data=None, level=0.95):
    """Return the card of a judge.

    answers: all of this judge, as `ask.ask_panel` or `ask.judge_own` return them; tests: {test:
    name}; words: {story: words} where the text is at hand; data: the experts' `Ratings`, None if
    none judged these texts; level: of the interval of what the judge adds, above 0.95 where several
    judges are compared.
    """
    name, parts = display_name(judge), [tell_answers(answers, judge)]
    answers = answers.assign(judge=judge)
    said = ask.score(answers)
    said["group"] = said["item"].map(answers.drop_duplicates("item").set_index("item")["group"])
    said["test"] = said["aspect"].map(tests)
    said["words"] = said["item"].map({} if words is None else words)
    if len(said) and data is None:
        parts += [
            tell_threshold(said),
            make_section("Agreement with experts", NO_EXPERTS),
            tell_kinds(said, "item", "Story by story"),
            tell_kinds(said, "test", "Test by test"),
        ]
    elif len(said):
        machines = ratings.keep(data, data.items["writer"] != "NewYorker")
        human = data.items["writer"].eq("NewYorker") & data.items["item"].isin(said["item"])
        both = {"all stories": data} if human.any() else {}
        both["machine stories"] = machines
        # a person and the controls meet the judge on the cases that it answered
        both = {
            label: worth.keep_answered(part, said, said["judge"].unique())
            for label, part in both.items()
        }
        parts += [
            tell_threshold(said, data),
            tell_agreement(both, answers, judge),
            tell_gain(both, said, judge, level),
            tell_kinds(said, "test", "Test by test", next(iter(both.values()))),
        ]
    parts += [tell_length(said, answers)] if len(said) else []
    parts += [tell_cost(answers, judge)]
    texts = "own" if data is None else "ttcw"
    return {"judge": judge, "name": name, "texts": texts, "source": "open", "sections": parts}


def make_section(title, says, rows=None, label="", measure="", level=0.95, digits=2):
    """Return a section; rows: {name of the row: Series}, under the header(s) `label`."""
    table = pd.DataFrame(rows).T.rename_axis(label).reset_index() if rows else pd.DataFrame()
    cells = [
        [cell if isinstance(cell, str) else results.check_number(title, cell) for cell in row]
        for row in table.astype(object).to_numpy().tolist()
    ]
    section = {"title": title, "says": says, "measure": measure, "level": round(level, 4)}
    return section | {"digits": digits, "columns": list(table.columns), "rows": cells}


def tell_answers(answers, judge):
    """Return the section on outcomes: a refused or unreadable answer is neither Yes nor No."""
    counts = answers["status"].value_counts().reindex(list(STATUSES), fill_value=0).rename(STATUSES)
    texts, tests = answers["item"].nunique(), answers["aspect"].nunique()
    says = (
        f"{texts} texts, {tests} tests: {counts.iloc[0]:,} of {len(answers):,} answers have a"
        " verdict; the others are neither Yes nor No."
    )
    if judge.startswith("simulated/"):
        says += " This judge is a rule that reads nothing: it tells nothing about the texts."
    shares = (100 * counts / max(len(answers), 1)).round()
    rows = pd.DataFrame({"answers": counts, "%": shares}, dtype=int).T
    return make_section("What it answered", says, dict(rows), "outcome")


def find_share(groups, scores):
    """Return estimate, low, high, n of a share over groups; few groups: no interval."""
    values = scores.to_numpy(float)
    row = intervals.over_groups(groups, lambda rows: values[rows].mean())
    enough = row["n"] >= compare.ENOUGH
    row[["low", "high"]] = row[["low", "high"]].clip(0, 1) if enough else np.nan
    return row


def tell_threshold(said, data=None):
    """Return the section on the share of Yes, of the judge and of the experts on the same cases."""
    rows, share = {JUDGE: find_share(said["group"], said["score"])}, said["score"].mean()
    says = f"It says Yes to {100 * share:.0f} % of what it answered."
    if data is not None:
        people = data.ratings.merge(said[["item", "aspect", "group"]].drop_duplicates())
        rows[compare.PERSON] = find_share(people["group"], people["score"])
    elif abs(share - 0.5) > 0.4:
        says += " Nearly every text gets the same answer, so an answer tells little about a text."
    return make_section("How easily it says Yes", says, rows, "who", "share of Yes")


def tell_agreement(parts, answers, judge):
    """Return the section on agreement: the comparison within tests; AUC where there are grades."""
    rows, unknown, ways = {}, {}, {"": (statistics.balanced_accuracy, ask.score(answers))}
    if "score" in answers:
        ways[", AUC of its probability of Yes"] = statistics.auc, ask.score(answers, "score")
    for label, part in parts.items():
        for kind, (measure, scores) in ways.items():
            if len(scores):
                found = compare.compare(part, scores, measure, within=("aspect",))
                table = compare.summarise(found, judge)
                control, stranger = found.attrs["control"], found.attrs["stranger"]
                best = f"control: {worth.describe_best(found)}"
                table = table.rename({f"control: {control}": best})
                if stranger != control:
                    row = f"control without the author: {stranger}"
                    table.loc[row] = found.loc[stranger, compare.ENDS]
                if np.isnan(found.loc[compare.CEILING, "estimate"]):
                    table = table.drop(index=compare.CEILING)
                    unknown[f"On {label}: {verdicts.tell_power(found)}"] = None
                rows |= {(label, f"{who}{kind}"): row for who, row in table.iterrows()}
    says = (
        "Against two experts who agree, within each test: 0.50 is guessing. “A person” is each"
        " third expert in turn, on the same cases. A “control” reads nothing and was taught by"
        " experts' verdicts on other plots; one that knows the authorship was taught by verdicts on"
        " the same authors, which nobody who uses a judge has. A perfect judge is simulated."
        f" {' '.join(unknown)}"
    ).rstrip()
    return make_section("Agreement with experts", says, rows, ["stories", "who"], "estimate")


def tell_gain(parts, said, judge, level):
    """Return the section on the gain in AUC over knowing the tests."""
    gains = {label: adds.find_gains(part, said, level=level) for label, part in parts.items()}
    clear = [label for label, table in gains.items() if table.loc[judge, "low"] > 0]
    says = (
        "Knowing how often each test is passed, one can guess; AUC is the chance that a passed"
        " case is then ranked above a failed one, the gain what the answers add. A Yes may count"
        " for a pass, never against it; a person is held to the same rule. The judge's"
        f" gain is clearly above zero on: {' and '.join(clear) or 'none'}."
    )
    if level > 0.95:
        says += " Intervals are widened, for several judges are compared."
    rows = dict(pd.concat(gains).rename({judge: JUDGE}).iterrows())
    return make_section("What it adds", says, rows, ["stories", "who"], "gain in AUC", level, 3)


def tell_kinds(said, kind, title, data=None):
    """Return the section on each test or story: share of Yes, and the comparison within a test."""
    says, by = "", "Yes of the judge, %"
    shares = 100 * said.groupby(kind)["score"].mean()
    table = pd.DataFrame({"answers": said.groupby(kind).size(), by: shares.round()})
    if data is not None:
        table, by = table.join(rate_tests(data, said)), "estimate"
        known = table["low"].dropna()
        says = (
            f"Against two experts who agree; 0.50 is guessing. {(known > 0.5).sum()} of"
            f" {len(known)} intervals lie above it. Nothing is shown where experts gave the rarer"
            f" verdict fewer than {FEW} times."
        )
    ranked = dict(results.rank(table, by, kind).iterrows())
    return make_section(title, says, ranked, kind, "balanced accuracy")


def rate_tests(data, said):
    """Return one row per test: the experts' share of Yes where two agree, estimate, low, high, n of
    the judge and the estimate of a person; nothing (nan) where the rarer verdict is too rare."""
    cases = ratings.find_cases(data)
    cases["score"] = ratings.match_scores(cases, said)[said["judge"].iloc[0]]
    cases = cases[cases["target"] != 0.5].dropna(subset=["score"])
    cases["test"] = cases["aspect"].map(said.groupby("aspect")["test"].first())
    rows = {}
    for test, part in cases.groupby("test"):
        trial = compare.Trial(part, statistics.balanced_accuracy, (), ("group",), 0.95)
        row = trial.rate(trial.apply(part["score"].to_numpy(float)))
        person = trial.rate(trial.apply(part["person"].to_numpy(float)))
        row[compare.PERSON] = person["estimate"]
        if part["target"].value_counts().reindex([0, 1]).fillna(0).min() < FEW:
            row[row.index != "n"] = np.nan
        rows[test] = {"Yes of two, %": round(100 * part["target"].mean()), **row}
    return pd.DataFrame(rows, dtype=float).T


def tell_length(said, answers):
    """Return the section on length (do longer texts get more Yes?), place and repeats."""
    share = said.groupby(["item", "group"])[["score", "words"]].mean().dropna().reset_index()
    says, rows = "Too few texts for length.", {}
    if len(share) >= compare.ENOUGH:
        score, words = share[["score", "words"]].to_numpy(float).T

        def follow(rows):
            return statistics.pearson(score[rows], words[rows], np.zeros(len(rows), int))

        rows[JUDGE] = intervals.over_groups(share["group"], follow, scale="correlation")
        low, high = rows[JUDGE][["low", "high"]]
        effect = "more" if low > 0 else "less" if high < 0 else "neither clearly more nor less"
        if not np.isnan(low):
            says = f"It says Yes {effect} often to longer texts ({len(share)} texts)."
    says += " Every text is shown alone: no place in a pair or a list can be preferred."
    usable = answers[answers["status"] == "ok"].groupby(["item", "aspect"])["yes"]
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
    if judge.startswith("local/") and not row["USD"]:
        row = row.drop("USD")
        says = "No price is known: nothing on a machine of yours, as billed on a server of others."
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


def show_own(stories, tests, judge, outputs, options=None):
    """Judge a reader's stories; write the answers and the card, and show the plan of a live judge,
    a sentence, a figure and the card."""
    if judge.split("/")[0] in judges.LIVE:
        results.show_table(ask.plan_panel(stories, tests, judge, options))
    said = ask.judge_own(stories, tests, judge, options)
    table, finding, title = ask.write_own(said, tests, judge, outputs)
    results.say(finding)
    figures.show(pictures.own_grid(table, title), f"A square for each text and test: {title}.")
    names, words = tests.set_index("test")["category"], stories.set_index("story")["words"]
    card = make_card(judge, said, names, words)
    write_card(card, outputs)
    results.say(card_markdown(card, "**{}**"))


def write_card(card, outputs):
    """Write a card to `<outputs>/judges/[own-]<judge>.json` (own: a reader's); return the path."""
    path = card_path(card, outputs)
    replace_file(path, json.dumps(card, indent=1, ensure_ascii=False) + "\n")
    return path


def card_path(card, outputs):
    """Return where `write_card` writes a card."""
    name = f"own {card['judge']}" if card["texts"] == "own" else card["judge"]
    stem = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")
    return ROOT / outputs / "judges" / f"{stem}.json"
