"""Exports of the tools that people rate in and that judges run in: each is known by its shape, read
as it comes, and what is no rating in it is said."""

import csv
import io
import json

import pytest
from goodjudge.data.importers.shapes import read_answer
from made_files import RATERS, RATINGS, TRUTH, rows, sizes

TEXTS = range(1, 25)
PLAIN = (24, 4, 96)
OWN = [*map(float, RATINGS.values())]


def to_csv(lines):
    """Return rows of cells as a CSV file."""
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows(lines)
    return file.getvalue()


def to_lines(records):
    """Return records as lines of JSON."""
    return "\n".join(map(json.dumps, records))


def test_a_tool_may_be_told_and_must_be_one(refuse, read):
    assert "is no export of Qualtrics" in str(refuse(rows(), form="qualtrics"))
    assert "expected one of auto, rows" in str(refuse(rows(), form="excel"))
    assert sizes(read(rows(), form="rows")) == PLAIN


# ── Surveys: a row per rater, a column per text ───────────────────────────────────────────────────


def survey(tool, names, after=None, below=(), cell=lambda text, score: score):
    """Return an export with a row per rater: columns of the tool, one per text, and others after.

    tool, after: {column: its cell, or a list of one for each rater}; names: a template for the
    columns of texts, or a list; below: more rows of headers; cell: of (text, score).
    """
    names = [names.format(text) for text in TEXTS] if isinstance(names, str) else names
    after = after or {}
    lines = [[*tool, *names, *after], *below]
    for number, rater in enumerate(RATERS):
        parts = [[one[number] if isinstance(one, list) else one for one in of.values()]
                 for of in (tool, after)]  # fmt: skip
        scores = [cell(text, RATINGS[text, rater]) for text in TEXTS]
        lines.append([*parts[0], *scores, *parts[1]])
    return to_csv(lines)


GOOGLE = {"Timestamp": [f"2025/01/0{day} 10:00:00" for day in range(1, 5)]}
GOOGLE["Email Address"] = [f"{rater}@example.org" for rater in RATERS]
MICROSOFT = {"ID": [1, 2, 3, 4], "Start time": "3/1/25 10:00:00"}
MICROSOFT |= {"Completion time": "3/1/25 10:20:00", "Email": "anonymous", "Name": [*RATERS]}
LIME = {"id": [11, 12, 13, 14], "submitdate": "2025-01-01", "lastpage": 3}
LIME |= {"startlanguage": "en", "seed": 1934872}
LIME_LONG = ["Response ID", "Date submitted", "Last page", "Start language", "Seed"]
QUALTRICS = {
    "StartDate": "2025-01-01 10:00:00", "EndDate": "2025-01-01 10:20:00", "Status": "IP Address",
    "IPAddress": "203.0.113.1", "Progress": 100, "Duration (in seconds)": [300, 301, 302, 303],
    "Finished": 1, "RecordedDate": "2025-01-01 10:20:01",
    "ResponseId": [f"R_{rater}" for rater in RATERS], "DistributionChannel": "anonymous",
    "UserLanguage": "EN",
}  # fmt: skip
UNDER = [name.replace("D", " D") for name in QUALTRICS]
UNDER += [f"How creative is it? - Story {text}" for text in TEXTS]
CODES = [f"Q2_{text}" for text in TEXTS]
IDS = [json.dumps({"ImportId": f"QID_{name}"}) for name in [*QUALTRICS, *CODES]]
SOSCI = {"CASE": [101, 102, 103, 104], "SERIAL": "", "REF": "", "QUESTNNR": "base"}
SOSCI |= {"MODE": "interview", "STARTED": "2025-05-01 08:00:00"}
SOSCI_AFTER = {"TIME001": [33, 34, 35, 36], "TIME_SUM": 700, "LASTPAGE": 3}
SOSCI_AFTER |= {"FINISHED": [1, 1, 1, 0], "MISSING": 0, "MISSREL": 0}
NOT_SOSCI = ["LASTPAGE", "FINISHED", "MISSING", "MISSREL"]
SOSCI_UNDER = ["Interview", "Serial", "Reference", "Questionnaire", "Mode", "Started"]
SOSCI_UNDER += [f"Rating: Story {text}" for text in TEXTS]
SOSCI_UNDER += ["Time p1", "Time", "Last page", "Finished", "Missing", "Missing rel"]
MONKEY = {"Respondent ID": [11400000, 11400001, 11400002, 11400003], "Collector ID": 4000001}
MONKEY |= {"Start Date": "1/1/2025", "End Date": "1/1/2025", "IP Address": "203.0.113.0"}
MONKEY |= dict.fromkeys(["Email Address", "First Name", "Last Name", "Custom Data 1"], "")
MONKEY_TOP = ["How creative is each story?", *[""] * 23]
MONKEY_UNDER = [*[""] * 9, *[f"Story {text}" for text in TEXTS], "Open-Ended Response"]
MONKEY_FILE = survey(MONKEY, MONKEY_TOP, {"Anything else?": "fun"}, [MONKEY_UNDER])
AGAIN = "How creative is it?"

# what: (file, options, tool, the first text, columns that are not read)
SURVEYS = {
    "a grid": (survey(GOOGLE, "Creativity [Story {}]"), {}, "Google Forms", "Story 1", []),
    "one question again": (survey(GOOGLE, [AGAIN] * 24), {}, "Google Forms", "1", []),
    "an age": (
        survey(GOOGLE, "Story {}", {"Your age": [20, 23, 26, 29]}), {}, "Google Forms", "Story 1",
        ["Your age"]),
    "numbered responses": (
        survey(MICROSOFT, "How creative is text {}?"), {}, "Microsoft Forms", "text 1", ["ID"]),
    "numbered questions": (
        survey(MICROSOFT, [AGAIN, *[f"{AGAIN}{text}" for text in TEXTS[1:]]]), {},
        "Microsoft Forms", "1", ["ID"]),
    "questions": (
        survey(dict(zip(LIME_LONG, LIME.values())), "Creativity [Story {}]"), {}, "LimeSurvey",
        "Story 1", ["Seed"]),
    "codes": (survey(LIME, "Q1[SQ{:03d}]"), {}, "LimeSurvey", "SQ001", ["seed"]),
    "three rows of headers": (
        survey(QUALTRICS, CODES, below=[UNDER, IDS]), {}, "Qualtrics", "Story 1",
        ["Progress", "Finished"]),
    "SoSci": (survey(SOSCI, "A101_{:02d}", SOSCI_AFTER), {}, "SoSci Survey", None, NOT_SOSCI),
    "SoSci with questions": (
        survey(SOSCI, "A101_{:02d}", SOSCI_AFTER, [SOSCI_UNDER]), {}, "SoSci Survey", "Story 1",
        []),
    "two rows of SurveyMonkey": (
        MONKEY_FILE, {}, "SurveyMonkey", "Story 1", ["Collector ID", "Anything else?"]),
}  # fmt: skip


@pytest.mark.parametrize("what", SURVEYS)
def test_a_survey_is_read_as_it_comes(read, what):
    content, options, tool, first, not_read = SURVEYS[what]
    data = read(content, **options)
    assert sizes(data) == PLAIN and (first is None or data.items["item"][0] == first)
    assert tool is None or data.report.tool == tool
    assert set(not_read) <= set(data.report.not_read)
    by_rater = data.ratings.groupby("rater", sort=False)["score"].apply(list).tolist()
    assert by_rater == [[RATINGS[text, rater] for text in TEXTS] for rater in RATERS]


def test_who_rated_is_kept_and_not_told(read):
    data = read(survey(GOOGLE, "Creativity [Story {}]"))
    assert data.raters["R1"] == "Ira@example.org" and "example.org" not in str(data.report)
    data = read(survey(MICROSOFT | {"Name": ""}, "How creative is text {}?"))
    assert sizes(data) == PLAIN and data.raters["R1"] == "1"


def test_what_a_survey_says_beside_its_scores_is_said(read, refuse):
    data = read(survey(LIME, "Q1[SQ{:03d}]", cell=lambda text, score: f"A{score}"))
    assert data.ratings["score"].between(1, 7).all() and "A5" in str(data.report)
    empty = survey(LIME, "Q1[SQ{:03d}]") + "15,,1,en,77" + "," * 24 + "\n"
    data = read(empty)
    assert sizes(data) == PLAIN and "without an answer (row 6)" in str(data.report)
    preview = {"Status": ["IP Address"] * 3 + ["Survey Preview"]}
    preview = survey(QUALTRICS | preview, CODES, below=[UNDER, IDS])
    data = read(preview)
    assert "1 response is a preview" in str(data.report) and "row 7" in str(data.report)
    assert sizes(read(preview, only={"Status": "IP Address"})) == (24, 3, 72)
    assert "not finished were read: row 5" in str(read(SURVEYS["SoSci"][0]).report)


def test_codes_for_no_answer_are_those_of_the_tool(read, refuse):
    coded = survey(QUALTRICS, CODES, below=[UNDER, IDS], cell=lambda t, s: -99 if s == 1 else s)
    assert read(coded).report.codes == {-99: OWN.count(1)}
    for code, text in ((-9, 3), (-1, 3)):
        coded = survey(SOSCI, "A101_{:02d}", SOSCI_AFTER,
                       cell=lambda t, s, code=code, text=text: code if t < text else s)  # fmt: skip
        if code == -9:
            data = read(coded)
            assert sizes(data) == (22, 4, 88) and data.report.codes == {-9: 8}
            assert "-9 stands 8 times for no answer" in str(data.report)
        else:
            assert "-1 stands 8 times" in str(refuse(coded))


def test_two_blocks_of_items_are_asked_about(read, refuse):
    first = list(csv.reader(io.StringIO(SURVEYS["SoSci"][0])))
    blocks = [[*one[:30], *(cell.replace("A101", "A102") for cell in one[6:])] for one in first]
    fault = refuse(to_csv(blocks))
    assert "A101, A102 have columns of the same numbers" in str(fault)
    assert fault.answers[0].result == "24 texts, 4 raters, 2 criteria, 192 scores"
    data = read(to_csv(blocks), columns={"[]": "item"})
    assert set(data.ratings["aspect"]) == {"A101", "A102"}
    assert sizes(read(to_csv(blocks), columns={"[]": ""})) == (48, 4, 192)


# ── Tools of annotation: a row or a record per answer ─────────────────────────────────────────────


def mturk(answers, cells):
    """Return a batch of MTurk; answers: its columns of answers, cells: theirs, of a score."""
    tool = "HITId HITTypeId Title Reward AssignmentId WorkerId AssignmentStatus WorkTimeInSeconds"
    lines = [[*tool.split(), "Input.story_id", "Input.story", *answers, "Approve", "Reject"]]
    for number, ((text, rater), score) in enumerate(RATINGS.items()):
        status = "Rejected" if number % 16 == 3 else "Approved"
        own = [f"3HT{text:02d}", "3T", "Rate", "$0.50", f"3A{number:03d}", f"W{rater}", status]
        own += [60 + number, f"T{text:02d}", f"A tale, number {text}, in brief."]
        lines.append([*own, *cells(score), "", ""])
    return to_csv(lines)


STEPS = range(1, 8)
RADIO = mturk(
    [f"Answer.creative.{step}" for step in STEPS],
    lambda score: ["true" if step == score else "false" for step in STEPS],
)


def test_mturk(read):
    named = {"WorkerId": "rater", "Input.story_id": "item", "WorkTimeInSeconds": ""}
    for columns in (None, {"WorkerId": "rater"}, named):
        data = read(RADIO, columns=columns)
        assert sizes(data) == PLAIN and "aspect" not in data.ratings
        assert data.ratings["score"].tolist() == OWN
        assert data.items["item"][0] == "T01" and "6 rejected" in str(data.report)
    assert len(read(RADIO, only={"AssignmentStatus": "Approved"}).ratings) == 90

    def form(score):
        chosen = {str(step): step == score for step in STEPS}
        return [json.dumps([{"creative": chosen, "clear": str(8 - score)}])]

    data = read(mturk(["Answer.taskAnswers"], form))
    assert sizes(data) == (24, 4, 192) and set(data.ratings["aspect"]) == {"creative", "clear"}
    data = read(mturk(["Answer.creativity"], lambda score: [score]))
    assert sizes(data) == PLAIN and data.report.columns["score"] == "creativity"


def test_prolific_s_list_of_participants_holds_no_ratings(refuse):
    content = "Submission id,Participant id,Status,Completion code,Age\n1,a,APPROVED,X,33\n"
    assert "holds no ratings" in str(refuse(content))


def make_tasks():
    """Return tasks of Label Studio: four people and one who cancelled, and a judge's prediction."""

    def result(score):
        return [{"from_name": "creativity", "type": "rating", "value": {"rating": score}}]

    tasks = []
    for text in TEXTS:
        done = [{"completed_by": number, "was_cancelled": False,
                 "result": result(RATINGS[text, rater])}
                for number, rater in enumerate(RATERS, 1)]  # fmt: skip
        if text == 1:
            done.append(done[0] | {"was_cancelled": True, "completed_by": 9})
        judged = [{"model_version": "gpt", "result": result(TRUTH[text - 1])}]
        task = {"id": 100 + text, "data": {"text": "…", "story_id": f"T{text:02d}"}}
        tasks.append(task | {"annotations": done, "predictions": judged})
    return tasks


def test_label_studio(read):
    data = read(json.dumps(make_tasks()), ending="json")
    assert sizes(data) == PLAIN and data.items["item"][0] == "T01"
    assert "1 annotations were cancelled" in str(data.report)
    only = [task | {"annotations": []} for task in make_tasks()]
    _, scores = read(rows(), json.dumps(only), judge_ending="json")
    assert set(scores["judge"]) == {"gpt"} and scores["score"].tolist() == [*map(float, TRUTH)]
    several = make_tasks()
    for task in several:
        for one in task["annotations"]:
            clear = {"from_name": "clarity", "type": "choices", "value": {"choices": ["4"]}}
            one["result"].append(clear)
    data = read(json.dumps(several), ending="json")
    assert set(data.ratings["aspect"]) == {"creativity", "clarity"} and len(data.ratings) == 192


def test_label_studio_s_short_json_and_its_csv(read):
    flat = [
        {"text": f"Text {text}.", "id": 100 + text, "rating": score, "annotator": rater,
         "annotation_id": number, "created_at": "2025-01-01", "lead_time": 6.5 + number}
        for number, ((text, rater), score) in enumerate(RATINGS.items())
    ]  # fmt: skip
    data = read(json.dumps(flat), ending="json")
    assert sizes(data) == PLAIN and data.report.tool == "Label Studio"
    rated = [one | {"rating": json.dumps([{"rating": one["rating"]}])} for one in flat]
    data = read(to_csv([[*flat[0]], *(one.values() for one in rated)]))
    assert sizes(data) == PLAIN and "lead_time" in data.report.not_read
    assert data.ratings["score"].tolist() == OWN


def test_langfuse_holds_people_and_a_judge_in_one_table(read, refuse):
    records = [
        {"id": f"s{text}{who}", "trace_id": f"T{text:02d}", "name": "creativity", "value": score,
         "source": "ANNOTATION" if who else "EVAL", "data_type": "NUMERIC", "author_user_id": who,
         "comment": None}
        for text in TEXTS
        for who, score in [*((r, RATINGS[text, r]) for r in RATERS), (None, TRUTH[text - 1])]
    ]  # fmt: skip
    content = to_lines(records)
    data, scores = read(content, content, ending="jsonl", judge_ending="jsonl")
    assert sizes(data) == PLAIN and scores["score"].tolist() == [*map(float, TRUTH)]
    assert "scores of judges" in str(data.report)
    names = {"trace_id": "traceId", "data_type": "dataType", "author_user_id": "authorUserId"}
    lines = [[names.get(name, name) for name in records[0]]]
    lines += [[value or "" for value in one.values()] for one in records]
    data = read(to_csv(lines))
    assert sizes(data) == PLAIN and data.report.tool == "Langfuse"
    people = [one for one in lines if "EVAL" not in one]
    assert "holds no score of a judge" in str(refuse(rows(), to_csv(people)))


def test_potato(read):
    def annotate(text, rater, **labels):
        own = {"user_id": rater} if rater else {}
        return own | {"id": f"T{text:02d}", "displayed_text": "…", "label_annotations": labels}

    both = [
        annotate(text, rater, creativity={f"scale_{score}": str(score)}, clarity={"4": "true"})
        for (text, rater), score in RATINGS.items()
    ]
    data = read(to_lines(both), ending="jsonl")
    assert sizes(data) == (24, 4, 192) and data.ratings["score"].between(1, 7).all()
    assert set(data.ratings["aspect"]) == {"creativity", "clarity"}
    one = [annotate(text, "", creativity={"label": RATINGS[text, "Ira"]}) for text in TEXTS]
    data = read(to_lines(one), ending="jsonl")
    assert sizes(data) == (24, 1, 24) and "does not say who rated" in str(data.report)
    lines = [["user", "instance_id", "displayed_text", *[f"creativity:::{n}" for n in STEPS]]]
    for (text, rater), score in RATINGS.items():
        cells = [step if step == score else "" for step in STEPS]
        lines.append([rater, f"T{text:02d}", "…", *cells])
    data = read(to_csv(lines))
    assert sizes(data) == PLAIN and data.ratings["score"].tolist() == OWN


# ── Runs of judges ────────────────────────────────────────────────────────────────────────────────


def each(make):
    """Return what `make` says of each text's name and quality."""
    return [make(f"T{text:02d}", quality) for text, quality in enumerate(TRUTH, 1)]


def anthropic(name, quality):
    message = {"model": "claude-x", "content": [{"type": "text", "text": f"Score: {quality}"}]}
    result = {"type": "succeeded", "message": message}
    error = {"type": "errored", "error": {"type": "invalid_request"}}
    return {"custom_id": name, "result": error if name == "T03" else result}


def deepeval(name, quality):
    metric = {"name": "Creativity [GEval]", "score": quality / 10, "success": True}
    metric |= {"evaluationModel": "gpt-4o", "error": "timeout" if name in ("T01", "T02") else None}
    return {"name": name, "input": "…", "metricsData": [metric]}


def deepeval_snake(name, quality):
    metric = {"name": "Wit", "score": 0.5 + quality / 100, "evaluation_model": "m"}
    return {"name": name, "metrics_data": [metric]}


def fastchat(name, quality, turn=1):
    score = -1 if name in ("T01", "T07", "T13", "T19") else quality
    judgment = {"judge": ["gpt-4", "single-v1"], "user_prompt": "…", "judgment": "Rating: [[5]]"}
    return {"question_id": name, "model": "m", "score": score, "turn": turn, **judgment}


def inspect(epochs=1, value=lambda quality: quality):
    samples = [
        {"id": one["id"], "epoch": epoch, "input": "…", "scores": {"creativity": one["score"]}}
        for one in each(lambda n, q: {"id": n, "score": {"value": value(q), "explanation": "…"}})
        for epoch in range(1, epochs + 1)
    ]
    head = {"version": 2, "status": "success", "eval": {"model": "openai/gpt-4o"}}
    return json.dumps(head | {"samples": samples})


def openai(say):
    def record(name, quality):
        message = {"message": {"role": "assistant", "content": say(name, quality)}}
        body = {"model": "gpt-4o", "choices": [message]}
        response = {"status_code": 200, "body": body}
        return {"id": f"batch_req_{name}", "custom_id": name, "error": None, "response": response}

    return to_lines(each(record))


def promptfoo(named=False, error=None):
    def record(name, quality):
        return {
            "vars": {"id": name, "story": "Once upon a time there was one more."},
            "provider": {"id": "openai:gpt-4o", "label": ""}, "score": quality, "success": True,
            "namedScores": {"wit": quality, "depth": 8 - quality} if named else {},
            "prompt": {"label": "judge", "raw": "…"}, "testIdx": name,
        }  # fmt: skip

    results = each(record)
    if error:
        results[0] |= {"error": error, "score": 0}
    return json.dumps({"evalId": "e", "config": {}, "results": {"version": 3, "results": results}})


def to_criteria(name, quality):
    return json.dumps({"wit": quality, "depth": 8 - quality, "why": "…"})


# what: (file, ending, scores, judge, what the report says)
JUDGED = {
    "Anthropic's batches": (to_lines(each(anthropic)), "jsonl", 23, "claude-x", ""),
    "DeepEval": (
        json.dumps({"testCases": each(deepeval), "metricsScores": []}), "json", 22, "gpt-4o",
        "2 metrics ended with an error"),
    "DeepEval, older": (
        json.dumps({"test_results": each(deepeval_snake)}), "json", 24, "m", ""),
    "FastChat": (to_lines(each(fastchat)), "jsonl", 20, "gpt-4", "-1"),
    "Inspect": (inspect(), "json", 24, "openai/gpt-4o", ""),
    "Inspect, epochs": (inspect(3), "json", 72, "openai/gpt-4o", ""),
    "Inspect, criteria": (
        inspect(1, lambda q: {"wit": q, "depth": 8 - q}), "json", 48, "openai/gpt-4o", ""),
    "OpenAI's batches": (
        openai(lambda name, q: f"Fine.\nScore: {q}" if name > "T02" else "Hard to say."), "jsonl",
        22, "gpt-4o", "could be read from 2 of 24 answers"),
    "OpenAI's batches, criteria": (openai(to_criteria), "jsonl", 48, "gpt-4o", ""),
    "promptfoo": (promptfoo(), "json", 24, "openai:gpt-4o", ""),
    "promptfoo, criteria": (promptfoo(True), "json", 48, "openai:gpt-4o", ""),
    "promptfoo, an error": (
        promptfoo(error="timeout"), "json", 23, "openai:gpt-4o", "1 tests ended with an error"),
}  # fmt: skip


@pytest.mark.parametrize("what", JUDGED)
def test_a_run_of_a_judge_is_read_as_it_comes(read, what):
    content, ending, count, judge, said = JUDGED[what]
    _, scores = read(rows(), content, judge_ending=ending)
    report = scores.attrs["report"]
    assert len(scores) == count and set(scores["judge"]) == {judge} and said in str(report)
    assert report.tool == what.partition(",")[0]
    assert ("repeat" in scores) == ("epochs" in what)
    if "criteria" in what:
        assert set(scores["aspect"]) == {"wit", "depth"}
        scores = scores[scores["aspect"] == "wit"]
    truth = {f"T{text:02d}": quality for text, quality in enumerate(TRUTH, 1)}
    if not what.startswith("DeepEval"):  # of 0 to 1
        assert (scores["score"] == scores["item"].map(truth)).all()
    else:
        assert scores["score"].between(0, 1).all() and report.scale.relation == "other"


def test_turns_of_fastchat_are_asked_about_and_its_failures_counted(read, refuse):
    both = each(fastchat) + each(lambda name, quality: fastchat(name, quality, turn=2))
    assert "their rows differ in turn" in str(refuse(rows(), to_lines(both), judge_ending="jsonl"))
    columns = {"columns": {"question_id": "item"}}
    _, scores = read(rows(), to_lines(each(fastchat)), judge_ending="jsonl", judge_options=columns)
    assert scores.attrs["report"].codes == {-1: 4}


def test_fastchat_s_pairs_of_people_and_of_a_judge_in_both_orders(read, refuse):
    people = [
        {"question_id": n, "model_a": one, "model_b": two, "winner": winner, "judge": judge,
         "turn": turn}
        for n in range(80, 90)
        for one, two in (("m", "n"), ("n", "o"))
        for judge, winner in (("expert_1", "model_a"), ("expert_2", "tie"))
        for turn in (1, 2)
    ]  # fmt: skip
    fault = refuse(to_lines(people), ending="jsonl")
    assert fault.answers[0].options == {"columns": {"judge": "rater", "turn": "aspect"}}
    columns = {"judge": "rater", "question_id": "group", "turn": "aspect"}
    data = read(to_lines(people), ending="jsonl", columns=columns)
    assert data.items["set"].nunique() == 20 and data.ratings["rater"].nunique() == 2
    people = [one | {"rater": one.pop("judge")} for one in people
              if one["turn"] == 1 and one["model_a"] == "m"]  # fmt: skip
    judged = [
        {"question_id": n, "model_1": "m", "model_2": "n", "g1_winner": "model_1",
         "g2_winner": "model_1" if n % 2 else "tie", "judge": ["gpt-4", "pair-v2"], "turn": 1}
        for n in range(80, 90)
    ]  # fmt: skip
    _, scores = read(to_lines(people), to_lines(judged), ending="jsonl", judge_ending="jsonl")
    assert set(scores["score"]) <= {1, 1.5, 2} and len(scores) >= 20


ANSWERS = [
    ("5", {"": "5"}),
    ("**Rating:** 4/7", {"": "4"}),
    ('```json\n{"score": 3}\n```', {"": "3"}),
    ('Sure! {"score": 3, "reason": "2 of 4"}', {"": "3"}),
    ("Yes", {"": "Yes"}),
    ("Verdict: no", {"": "no"}),
    ('{"scores": {"a": 1, "b": 2}}', {"a": "1", "b": "2"}),
    ("[[3]] or [[4]]", {}),
    ("", {}),
]


@pytest.mark.parametrize(("text", "scores"), ANSWERS)
def test_a_score_is_read_from_an_answer_where_one_alone_can_be_meant(text, scores):
    assert read_answer(text) == scores
