"""What was read of a file, what was left out and why: the cleaning report, before any number."""

from dataclasses import asdict, dataclass, field

from goodjudge.data.names import list_rows, list_some

FORMS = {  # a form: what one row of such a file is
    "rows": "one row per score",
    "wide": "one row per text, with a column for each {who}",
    "form": "one row per rater, with a column for each text",
    "pairs": "one row per pair of texts: which of two was preferred",
    "ranks": "one row per text with its rank, 1 for the best",
}


@dataclass(frozen=True)
class Scale:
    """From where to where scores run; None where there are none.

    people, judge: (lowest, highest) that was seen or told; relation: "same", "other" (the judge's
    scores lie outside people's scale, or are shares) or "rescaled".
    """

    people: tuple[float, float] | None = None
    judge: tuple[float, float] | None = None
    relation: str = "same"

    def say(self) -> str:
        """Return a sentence about two scales, "" where they are the same."""
        if self.relation == "same" or not self.people or not self.judge:
            return ""
        told = f"the judge's scores run from {show(self.judge)}, people's from {show(self.people)}"
        if self.relation == "rescaled":
            return f"Rescaled as told: {told}; now both run from {show(self.people)}."
        return (
            f"The scales differ: {told}. Its order can be compared, its numbers cannot, unless you "
            "say that they are to be rescaled."
        )


def show(scale: tuple[float, float]) -> str:
    """Return a scale in words.

    >>> show((1.0, 7.0))
    '1 to 7'
    """
    return f"{scale[0]:.4g} to {scale[1]:.4g}"


@dataclass(frozen=True)
class CleaningReport:
    """What was read of a file. It names no rater: raters are R1, R2, … in the order of the file.

    where: the file; whose: "people" or "judge"; form: of `FORMS`; tool: whose export it is, "" for
    none; rows: in the file; scores: that were read; missing: cells of scores that are empty or say
    that there is none; codes: {a number that means no answer: how often}; labels: {a cell that is
    no plain number: the number that it was read as}; columns: {our name: the file's}; not_read:
    {column: why}; left_out: [(what, rows, why)]; spellings: {a spelling: the name that it is};
    notes: sentences; alarms: those that come first; scale: of both files; sizes: {raters: 4, …}.
    """

    where: str
    whose: str
    form: str
    tool: str = ""
    rows: int = 0
    scores: int = 0
    missing: int = 0
    codes: dict = field(default_factory=dict)
    labels: dict = field(default_factory=dict)
    columns: dict = field(default_factory=dict)
    not_read: dict = field(default_factory=dict)
    left_out: list = field(default_factory=list)
    spellings: dict = field(default_factory=dict)
    notes: list = field(default_factory=list)
    alarms: list = field(default_factory=list)
    scale: Scale = Scale()
    sizes: dict = field(default_factory=dict)

    def __deepcopy__(self, memo):
        return self  # as pandas copies the attrs of a table with each step

    def lines(self) -> list[str]:
        """Return the report in sentences, the most important first."""
        who = "rater" if self.whose == "people" else "judge"
        form = FORMS[self.form].format(who=who)
        tool = f", an export of {self.tool}" if self.tool else ""
        sizes = self.tell_sizes()
        lines = [*self.alarms, *filter(None, [self.scale.say()])]
        lines.append(f"{self.where}{tool}: {self.rows:,} rows, {form}; read: {sizes}.")
        read = "; ".join(f"{ours}: {theirs}" for ours, theirs in self.columns.items())
        lines.append(f"Columns read: {read}.")
        for what, rows, why in self.left_out:
            lines.append(f"Left out: {what} ({list_rows(rows)}), {why}.")
        for code, count in self.codes.items():
            lines.append(f"{code:g} stands {count:,} times for no answer and is no score.")
        if self.missing:
            lines.append(f"Missing: {self.missing:,} of {self.missing + self.scores:,} scores.")
        if self.labels:
            said = [f"{cell!r:.40} as {number:g}" for cell, number in self.labels.items()]
            lines.append(f"Read as numbers: {list_some(said, 8)}.")
        if self.spellings:
            said = [
                f"{spelt} is {name}" if name else spelt for spelt, name in self.spellings.items()
            ]
            lines.append(f"One name in two spellings, read as one: {list_some(said, 8)}.")
        by_why = {}
        for name, why in self.not_read.items():
            by_why.setdefault(why, []).append(name)
        for why, names in by_why.items():
            lines.append(f"Not read{f' ({why})' if why else ''}: {list_some(names, 12)}.")
        return lines + self.notes

    def tell_sizes(self) -> str:
        """Return in words how much was read."""
        parts = []
        for many, count in self.sizes.items():
            one = "criterion" if many == "criteria" else many.removesuffix("s")
            parts.append(f"{count:,} {one if count == 1 else many}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict:
        """Return the report for a JSON file; no rater's name is in it."""
        content = asdict(self)
        content["codes"] = {f"{code:g}": count for code, count in self.codes.items()}
        content["left_out"] = [
            {"what": what, "rows": list(rows), "why": why} for what, rows, why in self.left_out
        ]
        for whose in ("people", "judge"):
            scale = content["scale"][whose]
            content["scale"][whose] = scale and list(scale)
        content["lines"] = self.lines()
        return content
