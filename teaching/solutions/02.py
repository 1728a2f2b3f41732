"""Solutions of notebook 02, each a function of the notebook's names: (right answer, known mistakes,
what is learnt)."""

from helpers.sources.names import display_name


def exercise_1(ns):
    """Such a judge is right in 90 % of the passed cases and in 10 % of the failed ones; weigh them
    by how common they are."""

    def accuracy(cases):
        return 0.9 * cases["truth"].mean() + 0.1 * (1 - cases["truth"].mean())

    cases = ns["truth"]
    people = cases["item"].str.contains("NewYorker")
    single = ns["verdicts"].query("writer == 'NewYorker'")["passed"].mean()
    mistakes = [
        (0.9, "That is its share of Yes; it is right only where the experts say Yes too."),
        (0.5, "That is its balanced accuracy, on any stories; plain accuracy is asked for."),
        (
            0.1 + 0.8 * single,
            "That takes single experts' share of Yes; take their majority's, in `truth`.",
        ),
        (accuracy(cases), "That is on all 48 stories; take the New Yorker's."),
        (accuracy(cases[~people]), "That is on the machines' stories; take the New Yorker's."),
        (
            cases.loc[people, "truth"].mean(),
            "That is the experts' share of Yes; the judge says No to one case in ten.",
        ),
        (0.9 * cases.loc[people, "truth"].mean(), "You forgot the cases where both say No."),
    ]
    return (
        accuracy(cases[people]),
        mistakes,
        (
            f"Without reading a word it has {accuracy(cases[people]):.2f} there and"
            f" {accuracy(cases[~people]):.2f} on machine stories: plain accuracy says how common"
            " Yes is. Its balanced accuracy is 0.50 on both, so the notebook uses that."
        ),
    )


def exercise_2(ns):
    """Add up every status but `ok`, over all judges."""
    status = ns["status"]
    lost = status.drop(columns="ok", errors="ignore").sum(axis=1)
    kinds = status.drop(columns="ok", errors="ignore").sum()
    mistakes = [
        (count, f"Those are the answers called {kind} alone.") for kind, count in kinds.items()
    ]
    mistakes += [
        (int(status.to_numpy().sum()), "That is all answers, with and without a verdict."),
        (int(status["ok"].sum()), "Those are the answers that do carry a verdict."),
        (
            int((lost > 0).sum()),
            "That is the number of judges that lost an answer; count the answers.",
        ),
    ]
    return (
        int(lost.sum()),
        mistakes,
        (
            f"{lost.max()} of them are {display_name(lost.idxmax())}'s. Count them as No, and a"
            " judge that refuses looks like a strict one; here they are a column of their own, and"
            " every judge is scored on what it answered."
        ),
    )


def exercise_3(ns):
    """Keep the cases whose test is not 9, and call the function with them and `opus`."""
    cases, opus, measure = ns["cases"], ns["opus"], ns["find_balanced_accuracy"]
    right = measure(cases[cases["test"] != 9], opus)
    everywhere, alone = measure(cases, opus), measure(cases[cases["test"] == 9], opus)
    mistakes = [
        (everywhere, "That is with all fourteen questions; leave test 9 out."),
        (alone, "That is on test 9 alone; take the thirteen others."),
        (measure(cases[cases["test"] != 12], opus), "That is without test 12; take out test 9."),
        (
            measure(cases[cases["test"] != 9], "passed"),
            "That is the third expert without it; take the column `opus`.",
        ),
    ]
    learnt = (
        f"On stock phrases alone it has {alone:.2f}, on the thirteen others {right:.2f}, on all"
        f" {everywhere:.2f}. A mean over questions can rest on one of them: look at each before you"
        " say what a judge can do."
    )
    return right, mistakes, learnt


def exercise_4(ns):
    """Take the answers to test 9 by story, `by_model[opus].xs(9, level="test")`, and map them to
    the stories of all cases."""
    cases, opus, measure = ns["cases"], ns["opus"], ns["find_balanced_accuracy"]
    by_story = ns["by_model"][opus].xs(9, level="test")
    lazy = cases.assign(lazy=cases["story"].map(by_story))
    right = measure(lazy, "lazy")
    machines = measure(lazy[lazy["writer"] != "NewYorker"], "lazy")
    mistakes = [
        (measure(cases, opus), "That is its own answers; give its answer to test 9 for all."),
        (measure(cases[cases["test"] == 9], opus), "That is on test 9 alone; take all cases."),
        (machines, "That is on machine stories alone; take all 48."),
        (measure(cases, "knows who wrote it"), "That is the control; use the model's answers."),
    ]
    learnt = (
        f"One answer for all fourteen questions has {right:.2f}, the model's own fourteen answers"
        f" {measure(cases, opus):.2f}. Here stock phrases tell who wrote a story, and over all"
        f" stories that is most of what is asked; among machine stories it has {machines:.2f}."
    )
    return right, mistakes, learnt
