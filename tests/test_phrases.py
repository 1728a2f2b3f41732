"""Each phrase matches what it is made for, and not what looks like it."""

import pytest
from goodjudge.ask import phrases


def keeps_to(pattern, matching, others):
    """Assert that a pattern is found in each of `matching`, and in none of `others`."""
    assert [text for text in matching if not pattern.search(text)] == []
    assert [text for text in others if pattern.search(text)] == []


def keeps_to_whole(pattern, matching, others):
    """The same of a pattern that has to match the whole text."""
    assert [text for text in matching if not pattern.fullmatch(text)] == []
    assert [text for text in others if pattern.fullmatch(text)] == []


def test_tokens_end_a_turn_only_at_the_end():
    keeps_to(
        phrases.END_TOKENS,
        ["Yes<|im_end|>", "Yes</s>\n<|endoftext|>", "Yes[/INST]", "Yes<turn|>"],
        ["<|im_end|> Yes", "Yes</story>", "Yes <3"],
    )


def test_a_tag_of_thoughts_says_whether_it_closes():
    begins = phrases.THOUGHT_TAG.search("<inner_monologue>Hm.")
    ends = phrases.THOUGHT_TAG.search("Hm.<|end_of_thought|>")
    channel = phrases.THOUGHT_TAG.search("Hm.<|channel|>final<|message|>")
    assert not begins["closes"]
    assert ends["closes"]
    assert channel["answers"]
    assert not phrases.THOUGHT_TAG.search("<story> I think so. </story>")


def test_a_tag_has_a_name_of_two_letters_and_may_have_attributes():
    keeps_to_whole(
        phrases.TAG,
        ["<plan>", "</plan>", '<step n="1">', "<scratch_pad >"],
        ["<p>", "<br/>", "<3 >"],
    )
    tag = phrases.TAG.match("</Plan>")
    assert (tag["slash"], tag["name"]) == ("/", "Plan")


def test_thoughts_without_a_tag_are_told_by_their_first_words():
    keeps_to(
        phrases.UNMARKED_THOUGHTS,
        ["analysisWe need to answer.", "**Thought process:**\nHm.", "Here is my thought process:"],
        ["Analysis: we see", "Her thoughts drift.", "The story holds.\nThoughts"],
    )


def test_courtesies():
    keeps_to_whole(
        phrases.COURTESY,
        [
            "(Word count: 96)",
            "Confidence: 80%",
            "(high confidence)",
            "Thank you!",
            "I hope this helps.",
            "Please let me know if you have questions!",
        ],
        ["Thank you, but I am not sure.", "Let me know if it is wrong. It may be.", "Confidence"],
    )


@pytest.mark.parametrize(
    "name, labels, others",
    [
        ("yes_no", ["Yes", "verdict: no."], ["yesterday", "Know"]),
        ("tier", ["medium", "a Good one"], ["Goodness", "Badly"]),
        ("grade", ["4", "[[5]]"], ["6", "14", "four"]),
        ("evolvr", ["A: 4, B: 2", "A:1,B:5"], ["A: 4, B: 6", "4, 2"]),
        ("likert5", ["A>>B", "B = A", "[[A<B]]"], ["A is > B", "C>B", "A>>>>B"]),
    ],
)
def test_labels(name, labels, others):
    keeps_to(phrases.label_of_form(name), labels, others)


def test_what_may_be_a_label_in_an_analysis():
    keeps_to(
        phrases.label_anywhere("yes_no"),
        ["It fails.\n- Yes\nOr not?", "her verdict: no, she says", "as in [[?]]"],
        ["Yes, there is a bicycle.", "the verdict of the village", "a sign [no] dogs"],
    )


def test_a_final_label_has_a_few_forms():
    keeps_to_whole(
        phrases.final_label("yes_no"),
        [
            "Verdict: Yes",
            "## Therefore, my final verdict is: No.",
            "- Answer: yes (high confidence)",
            "Verdict\nYes",
            "[[No]]",
            "boxed{text{No}}",
            "<verdict>\nYes\n</verdict>",
        ],
        ["Yes", "The verdict is no", "Verdict: Yes, mostly", "<verdict>Yes</answer>"],
    )


def test_only_a_lone_yes_or_no_needs_no_name():
    assert phrases.final_label("yes_no", alone=True).fullmatch("No.")
    assert not phrases.final_label("tier", alone=True).fullmatch("Good")


def test_an_introduction_says_nothing_but_that_a_label_comes():
    keeps_to_whole(
        phrases.INTRODUCTION,
        [
            "therefore:",
            "based on all the above, my verdict is as follows:",
            "here is my answer:",
            "",
        ],
        ["so it fails", "here is her answer:", "the verdict of the village:"],
    )


def test_another_turn_or_another_thing_to_judge():
    keeps_to(
        phrases.OTHER_TURN,
        [
            "<|im_start|>user",
            "Hm.\n**User:** And you?",
            "### Assistant",
            "## Example 2",
            "Story 2:\nIt was dark.",
            "The next story:",
            "<story>",
            "[INST]",
        ],
        [
            "### Story A",
            'He said: "Next story, please."',
            "Story 1: it holds",
            "<stories>",
            "a user",
        ],
    )


def test_a_sentence_about_the_answer_is_told_from_one_about_the_story():
    keeps_to(
        phrases.ABOUT_THE_ANSWER,
        [
            "you asked me to close with a line such as",
            "gpt-4 said",
            "a sample verdict is given.",
            "this is not my own view.",
            "as an ai language model i have no taste.",
            "if i had to guess, i would.",
            "i can't judge this text.",
        ],
        [
            "for example, the smell of wet wool returns.",
            "the verdict of the village is left unsaid.",
            "the form is borrowed from a more famous book.",
            "the following morning is told in one sentence.",
            "i would have liked a longer middle.",
        ],
    )


def test_an_entry_of_a_list_has_a_number_a_name_and_a_score():
    entry = phrases.LIST_ENTRY.match("12) Ann - Snow : 5")
    body = phrases.SCORED_BODY.match(entry["body"])
    assert entry["number"] == "12"
    assert (body["name"], body["score"]) == ("Ann - Snow", "5")
    assert not phrases.LIST_ENTRY.match("First, the imagery.")
    assert not phrases.SCORED_BODY.match("Ann - Snow")


def test_around_a_list_stands_no_more_than_that_it_is_one():
    keeps_to_whole(
        phrases.AROUND_A_LIST,
        ["Here is my list:", "Ranked from best to worst:", "Strongest first:", "Thank you."],
        ["Weakest first:", "From worst to best:", "In the order in which you showed them:"],
    )
