"""What the tables of the poetry-ranking paper say about each quantity that its text repeats."""

import re

from scipy import stats

from helpers import audit_poetry, audit_poetry_icc

PHRASES = """
poems: poems in the dataset; poems per prompt, larger setting; batch size before reduction; poems in the full
    single prompt; poems per prompt in Experiment 2; poems per prompt, alternative
subset: poems per prompt, smaller setting; batch size after reduction; poems in the subset; smallest prompt size
    in poems; poems per prompt in Experiment 3; poems per prompt, default
best claude: best Claude-3-Opus SRC against ground truth; best Experiment 3 SRC (Claude-3-Opus)
best: highest correlation (Claude-3-Opus, Quality); overall best SRC by rank-based scoring (Claude-3-Opus 15n)
best claude 15n: Claude-3-Opus 15n SRC on Quality
best human: best non-expert human SRC; best human SRC
models: LLMs investigated; models in the product; proprietary models used
criteria: criteria used for the LLMs; criteria evaluated; criteria tested; criteria in the product; criteria
    covered by the ICC range
human criteria: criteria in the original human study; original human criteria
tiers: poem categories; categories in every subset; poem categories compared
tier: poems in each category
scale low: score scale, lower; raw score scale, lower
scale high: score scale, upper; raw score scale, upper
first: rank score for first listed poem
last: rank score for last listed poem
best alone: GPT-4o SRC without context; GPT-4o SRC; best without-context SRC (GPT-4o)
classifiers: models tested
older: older GPT-4 versions tested
beating: models beating the best human result
best 90: SRC reached with the full-set prompt; best Experiment 2 SRC
runs: repeated evaluations of the subset; repetitions in the product; runs acting as judges for ICC; repeated
    evaluations; repeated runs
icc low: ICC range, lower; typical lower bound of ICC values
icc high: ICC range, upper
"""  # fact: the phrases of the text that must equal it
COUNTS = {
    phrase: fact
    for fact, _, phrases in (item.partition(": ") for item in re.split(r"\n(?! )", PHRASES.strip()))
    for phrase in re.sub(r"\n +", " ", phrases).split("; ")
}
SAME = {  # (section, phrase): the place that prints the same quantity again
    ("5", "human Quality SRC"): ("Table 1", "Quality", "SRC"),
    ("5", "human Skill SRC"): ("Table 1", "Skill", "SRC"),
    ("5", "human Wellbeing and Effort SRC"): ("Table 1", "Wellbeing", "SRC"),
    ("5", "human Novelty SRC"): ("Table 1", "Novelty", "SRC"),
    ("6", "human Novelty SRC"): ("Table 1", "Novelty", "SRC"),
    ("Figure 2 caption", "Quality SRC"): ("Figure 2", "QUALITY", "SRC"),
    ("3", "sampling temperature"): ("text", "8", "sampling temperature"),
    ("8", "sampling temperature"): ("text", "3", "sampling temperature"),
    ("Table 7 caption", "sampling temperature"): ("text", "8", "sampling temperature"),
    ("Table 8 caption", "sampling temperature"): ("text", "8", "sampling temperature"),
    ("7.2", "evaluations each poem receives"): ("text", "7.2", "shuffled datasets prepared"),
    ("7.2", "shuffled datasets prepared"): ("text", "7.2", "evaluations each poem receives"),
    ("7", "sets over which scores are averaged"): ("text", "7.3", "random subsets"),
    ("7.3", "random subsets"): ("text", "7.3", "binomial trials n"),
    ("7.3", "binomial trials n"): ("text", "7.3", "random subsets"),
    ("8", "ICC threshold for strong reliability"): ("text", "9", "usual acceptable human-panel reliability, lower"),
    ("9", "usual acceptable human-panel reliability, lower"): ("text", "8", "ICC threshold for strong reliability"),
    **{
        (a, f"Medium magazines' pay per poem, {end}"): ("text", b, f"Medium magazines' pay per poem, {end}")
        for end in ("lower", "upper")
        for a, b in (("4", "A.2"), ("A.2", "4"))
    },
}


def facts(printed):
    """Return {name: value}: what the tables say about the quantities that the text repeats."""
    human, models = printed.grid("Table 1")["SRC"], printed.grid("Table 3")
    ranked = audit_poetry_icc.runs(printed, audit_poetry_icc.RANKED)
    scored = audit_poetry_icc.runs(printed, audit_poetry_icc.SCORED).to_numpy()
    src, icc = models[[c for c in models if c.endswith("SRC")]], printed.grid("Table 8")
    one = printed.grid("Table 2")
    icc = icc[[c for c in icc if c.endswith("ICC")]].to_numpy()
    return {
        "poems": one["Total"].max(),
        "tier": one["Total"].max() / 3,
        "tiers": len(audit_poetry.TIERS),
        "subset": ranked.shape[0],
        "runs": ranked.shape[1],
        "criteria": len(models),
        "human criteria": len(human),
        "scale low": scored.min(),
        "scale high": scored.max(),
        "first": ranked.max().min(),
        "last": ranked.min().max(),
        "best human": human.max(),
        "best": src.max().max(),
        "best claude": src[[c for c in src if "Claude" in c]].max().max(),
        "best claude 15n": src["Claude-3 15n / SRC"].max(),
        "best 90": src[[c for c in src if " 90" in c]].max().max(),
        "best alone": one["SRC"].max(),
        "classifiers": len(one),
        "older": sum("GPT-4-" in row for row in one.index),
        "icc low": icc.min(),
        "icc high": icc.max(),
        "models": len({row.split(" / ")[1].removesuffix(" 15n") for row in printed.grid("Table 8").index}),
        "beating": int((one["SRC"] > human.max()).sum()),
        "uneven": sum(
            stats.chisquare(row[list(audit_poetry.TIERS)].astype(float)).pvalue < 0.05 for _, row in one.iterrows()
        ),
    }


def extremes(counts=90, trials=100, p=1 / 6, level=0.99):
    """Return ((low, high) of the smallest, (low, high) of the largest) of binomial counts, central `level`."""
    tail, grid = (1 - level) / 2, range(trials + 1)
    smallest = [1 - stats.binom.sf(k, trials, p) ** counts for k in grid]
    largest = [stats.binom.cdf(k, trials, p) ** counts for k in grid]
    return tuple(
        (next(k for k in grid if law[k] >= tail), next(k for k in grid if law[k] >= 1 - tail))
        for law in (smallest, largest)
    )
