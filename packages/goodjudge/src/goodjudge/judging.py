"""Texts and questions to a judge, scores back: what `goodjudge ask` does.

Each text is put to the judge with each question of a rubric, alone. The answer ends with Yes or No,
or with a grade of the rubric's scale; one that was refused or cannot be read is neither, and has no
score. What came is kept in a file of answers, so that nothing is asked, or paid, twice.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from goodjudge import ask as asking
from goodjudge.ask import Incomplete, Options, ask, count_models, plan_cost
from goodjudge.ask.prompts import Prompt
from goodjudge.data.texts import read_texts
from goodjudge.rubric import VERDICTS, find_rubric, read_rubric, read_scale

PROMPTS = Path(__file__).with_name("prompts")
KNOWN = ["group", "writer"]  # of a text, kept beside its scores
SCORES = ["item", "aspect", "judge", "score", "repeat", "served", *KNOWN]


def ask_texts(
    texts: str | Path | pd.DataFrame,
    judges: str | list[str],
    *,
    rubric: str | Path = "",
    scale: str = "",
    options: Options | None = None,
) -> pd.DataFrame:
    """Return one row per text, question, judge and repeat: what each judge answered, and its score.

    texts: a folder of .txt files or a CSV (id and text, perhaps group, writer), or what
    `read_texts` makes of them; judges: "openai/<model>", "anthropic/<model>", "local/<model>" (any
    server that speaks OpenAI's form, see LOCAL_BASE_URL), or several of them; rubric, scale: as of
    `write_form`; options: `goodjudge.ask.Options`, with max_usd (one budget for all judges),
    repeats and transcripts (the file of answers).

    Columns: item, aspect (the question's name), score (1 Yes, 0 No, or a grade of the scale; nan
    for an answer without one), and those of `goodjudge.ask.ask`, such as judge, repeat, text,
    status (ok, refused, unparsed, error) and usd. Raises DataError for texts or questions that
    cannot be used, JudgeError for judges; Incomplete where a run stopped, with what there is in
    `.answers`.

    >>> import tempfile, pathlib
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("The ferry left. Nobody waved.")
    >>> options = Options(transcripts=folder / "answers.sqlite")
    >>> answers = ask_texts(folder, "simulated/always-yes", options=options)
    >>> answers[["item", "aspect"]].iloc[0].tolist(), answers["score"].mean().item()
    (['a', 'Opening'], 1.0)
    """
    requests, reader = list_requests(read_if_path(texts), rubric, scale)
    options = options or Options()
    tables = []
    for judge in [judges] if isinstance(judges, str) else judges:
        try:
            tables.append(ask(requests, judge, reader, options))
        except Incomplete as stop:
            so_far = pd.concat([*tables, stop.answers], ignore_index=True)
            raise Incomplete(str(stop), add_scores(so_far)) from None
    return add_scores(pd.concat(tables, ignore_index=True))


def plan_texts(texts, judges, *, rubric="", scale="", options=None):
    """Return what `ask_texts` would cost, a row per judge: those of `goodjudge.ask.plan_cost`."""
    requests, _ = list_requests(read_if_path(texts), rubric, scale)
    options = options or Options()
    rows = [plan_cost(requests, judge, options) for judge in judges]
    return pd.concat(rows, ignore_index=True)


def read_if_path(texts):
    """Return the texts as a table; DataError where they cannot be read."""
    return texts if isinstance(texts, pd.DataFrame) else read_texts(texts)


def list_requests(texts, rubric, scale):
    """Return (a request per text and question, the Reader of their answers); rubric: its file, or
    what `read_rubric` made of it."""
    content = rubric if isinstance(rubric, dict) else read_rubric(find_rubric(rubric))
    answers = read_scale(scale or content.get("scale", ""))
    questions = [(test["name"], word_question(content, test, answers)) for test in content["tests"]]
    return fill_requests(texts, questions, answers), choose_reader(answers)


def word_question(content, test, answers, question=""):
    """Return what the judge is asked by a test: the background, the question (another one in its
    place, if it is given), and what the ends of the scale mean."""
    parts = [
        content.get("background", ""),
        test.get("background", ""),
        question or test["question"],
    ]
    if answers != VERDICTS:
        ends = {name: test.get(name) or content.get(name, "") for name in ("low", "high")}
        if ends["low"] and ends["high"]:
            parts.append(f"{answers[0]} means {ends['low']}, {answers[-1]} means {ends['high']}.")
    return "\n\n".join(part.strip() for part in parts if part.strip())


def fill_requests(texts, questions, answers):
    """Return one request per text and question, all questions of a text in a row: item, aspect,
    system, shared, prompt, and what is known of the text; questions: pairs of name and wording."""
    is_yes_no = answers == VERDICTS
    prompt = load_prompt("yes-no" if is_yes_no else "scale")
    ends = {} if is_yes_no else {"low": answers[0], "high": answers[-1]}
    rows = []
    for row in texts.to_dict("records"):
        known = {name: row[name] for name in KNOWN if name in row}
        for name, question in questions:
            filled = prompt.fill(text=row["text"], question=question, **ends)
            rows.append({"item": row["item"], "aspect": name, **known, **filled})
    return pd.DataFrame(rows)


def load_prompt(name):
    """Return one of our prompts."""
    return Prompt(name, (PROMPTS / f"{name}.md").read_text("utf-8"))


def choose_reader(answers):
    """Return the Reader of an answer that ends with Yes or No, or with a grade of a scale."""
    if answers == VERDICTS:
        return asking.YES_NO
    return asking.scale(int(answers[0]), int(answers[-1]))


def add_scores(answers):
    """Return answers with score: 1 for Yes, 0 for No, a grade; nan without a verdict."""
    is_read = answers["status"] == "ok"
    verdict = answers["verdict"].replace({"Yes": 1.0, "No": 0.0}).where(is_read)
    return answers.assign(score=pd.to_numeric(verdict, errors="coerce"))


def to_scores(answers):
    """Return what `goodjudge card` takes: item, aspect, judge, score, repeat where a judge was
    asked again, and served (which model answered) where one judge's answers name several; an answer
    without a score is left out."""
    kept = [name for name in SCORES if name in answers]
    if answers["repeat"].nunique() < 2:
        kept.remove("repeat")
    served = answers["served"].groupby(answers["judge"])
    if all(len(count_models(names)) < 2 for _, names in served):
        kept.remove("served")
    table = answers.loc[answers["score"].notna(), kept].reset_index(drop=True)
    whole = (table["score"] % 1 == 0).all()
    return table.astype({"score": int}) if whole else table


def count_left_out(answers):
    """Return how many answers have no score, {judge: {why: how many}}: refused, unparsed, error."""
    lost = answers[answers["score"].isna()]
    counts = lost.groupby(["judge", "status"], sort=False).size()
    table = {}
    for (judge, status), many in counts.items():
        table.setdefault(judge, {})[status] = int(many)
    return table


def has_room(plan, max_usd):
    """Return whether calls of `plan_texts` will likely cost no more than max_usd; True where no
    price is known."""
    likely = plan["usd_live"].sum()
    return bool(np.isnan(likely) or likely <= max_usd)
