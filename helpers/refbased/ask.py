"""Ask a judge about stories with a reference beside them or without one, at once or after an
analysis: the four cells of the paper's ablation (refbased v2, Table 6).

| variant        | the judge reads     | and answers                                    |
|----------------|---------------------|------------------------------------------------|
| "full"         | story and reference | an analysis, then one of five labels (method)  |
| "no analysis"  | story and reference | a label at once                                |
| "no reference" | the story           | an analysis, then Yes or No                    |
| "baseline"     | the story           | Yes or No at once                              |
| "graded"       | story and reference | a digit, 1 to 5: for probabilities of a label  |

With a reference each test is asked in both orders. A story's score is the number of tests that it
passes, in each of the four.
"""

import itertools

import pandas as pd
from goodjudge.ask import labels

from helpers import judges, prompts
from helpers.refbased import confederacy, load, method
from helpers.sources.files import DataError

PROMPTS = {
    "full": "refbased-likert",
    "no analysis": "refbased-likert-no-analysis",
    "no reference": "refbased-binary",
    "baseline": "refbased-binary-no-analysis",
    "graded": "graded-comparison",
}
ALONE = ["no reference", "baseline"]  # the judge sees no reference
reader = labels.choice({"1": 2, "2": 1, "3": 0, "4": -1, "5": -2})  # how much A is preferred to B
graded_reader = labels.choice({"Yes": 1, "No": 0})  # of "baseline", with its probability


def requests(candidates, references, tests, variant="full", points=5):
    """Return the judge's requests: item (a candidate, '<group>/<writer>'), group, writer, aspect (a
    test), order, and system, shared, prompt; tests: {number: question}. Order '+' shows the
    candidate first (as A), '-' second; without a reference it is asked once, order '' (refbased,
    sections 3.2-3.3).

    Candidates without texts (no column text) give items alone; then references is not used.
    """
    if variant not in PROMPTS:
        raise DataError(f"variant {variant!r} is unknown; expected one of {', '.join(PROMPTS)}")
    orders = [""] if variant in ALONE else ["+", "-"]
    with_texts = "text" in candidates
    rows = []
    for row in candidates.itertuples():
        candidate = {
            "item": f"{row.group}/{row.writer}",
            "group": str(row.group),
            "writer": row.writer,
        }
        if with_texts:
            parts = fill(row, references, tests, variant, points)
        # all tests of one order together: the stories' text is cached
        for order, number in itertools.product(orders, tests):
            texts = parts[order, number] if with_texts else {}
            rows.append(candidate | {"aspect": number, "order": order} | texts)
    return pd.DataFrame(rows)


def fill(candidate, references, tests, variant, points):
    """Return {(order, test): filled parts of the prompt} about one candidate (a row of `requests`);
    DataError without a reference, or for one that is the candidate itself."""
    prompt = prompts.load(PROMPTS[variant])
    scale = {"scale": prompts.scale(points)} if variant in ("full", "no analysis") else {}
    item = f"{candidate.group}/{candidate.writer}"
    reference = references.get(candidate.group)
    if reference is None:
        known = ", ".join(map(str, references))
        raise DataError(f"{item}: no reference for this group; there are some for {known}")
    if reference.split() == candidate.text.split():
        raise DataError(f"{item}: the reference is the candidate itself; compare two stories")
    shown = {
        "+": {"story_a": candidate.text, "story_b": reference},
        "-": {"story_a": reference, "story_b": candidate.text},
    }
    if variant in ALONE:
        shown = {"": {"story": candidate.text}}
    parts = {}
    for order, stories in shown.items():
        for number, question in tests.items():
            parts[order, number] = prompt.fill(**stories, test=question, **scale)
    return parts


def own_requests():
    """Return comparisons of the project's stories with the careful one, in both orders."""
    return requests(*load.load_own_stories(), prompts.aspects("ttcw"), "graded")


def confederacy_requests(with_texts=False, variant="graded", stories=None):
    """Return requests about the Confederacy stories, with GPT-4's as references; with_texts: what a
    judge is to read is fetched. stories: items to ask about (see `confederacy.draw`), in order."""
    known = confederacy.load().items
    is_reference = known["writer"] == confederacy.REFERENCE
    references = {}
    if with_texts:
        known = known.assign(text=confederacy.load_texts().to_numpy())
        references = known[is_reference].set_index("group")["text"].to_dict()
    candidates = known[~is_reference]
    if stories is not None:
        candidates = candidates.set_index("item").loc[stories].reset_index()
    tests = dict(enumerate(prompts.aspects("confederacy").values(), 1))
    return requests(candidates, references, tests, variant)


def alone_requests(with_texts=False):
    """Return Yes or No about 20 of the Confederacy stories, without a reference: what was recorded
    (four rounds of `confederacy.draw`)."""
    return confederacy_requests(with_texts, "baseline", confederacy.draw(4))


def score(answers, variant="graded", cutoff=method.V2_CUTOFF):
    """Return scores of answers to `requests`: item, judge, score.

    A story's score is the number of tests that it passes (`method.read`), or, of "graded", how much
    it is preferred to the reference. Stories without a usable answer are left out.
    """
    if variant == "graded":
        table = method.mean_preference(method.prefer(answers))
    else:
        table, _ = method.read(answers, cutoff)
    values = table.rename_axis(index="group", columns="writer").stack().dropna()
    rows = values.rename("score").reset_index()
    item = rows["group"].astype(str) + "/" + rows["writer"].astype(str)
    judge = answers["judge"].iloc[0]
    return pd.DataFrame({"item": item, "judge": judge, "score": rows["score"]})


def options(judge, variant, points, tests, limit, **given):
    """Return how a judge is asked and read: `judges.Options` and the `Reader` of its answers.

    limit: whole stories (0: all). The smallest local models end no answer with a label: where only
    a label is wanted, a grammar holds a llama.cpp server to those that there are."""
    each = len(tests) * (1 if variant in ALONE else 2)
    given["limit"] = max(limit // each, 1) * each if limit else 0
    at_once = variant in ("no analysis", "baseline")
    if judge.startswith("local/") and at_once:
        grammar = 'root ::= "Yes" | "No"'
        if variant == "no analysis":
            signs = [">" * n for n in range(points // 2, 0, -1)]
            allowed = [f"A{s}B" for s in signs] + ["A=B"] + [f"B{s}A" for s in signs[::-1]]
            choice = " | ".join(f'"{label}"' for label in allowed)
            grammar = f'root ::= "[[" ({choice}) "]]"'
        given |= {"params": {"grammar": grammar}, "max_output_tokens": 16}
    how = judges.Options(structured=not at_once, **given)
    return how, labels.YES_NO if variant in ALONE else labels.likert(points)
