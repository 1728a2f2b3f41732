"""The phrases by which a final label is told from the prose around it, each with an example.

An answer such as "The ending holds.\\n\\nTherefore, my final verdict: **Yes**" is read by its form
alone, so each rule of `labels.read_final_label` comes down to a pattern here. They stand in the
order in which an answer is taken apart: what is wrapped around it (thoughts, tokens, courtesies),
the label itself, and what makes a label somebody else's.

All patterns are verbose: blanks and comments in them mean nothing, and `[ ]` is a blank. Parts that
several patterns use are plain text with a name, such as LABEL_NAME. What a pattern matches, and
what it does not, `tests/ask/label_attacks.py` shows.
"""

import re
from functools import cache

ANY_CASE = re.IGNORECASE | re.VERBOSE
ANY_CASE_BY_LINE = ANY_CASE | re.MULTILINE  # ^ and $ are the ends of a line

# ── Around an answer ──────────────────────────────────────────────────────────────────────────────

# one to three tokens of a chat template at the very end
END_TOKENS = re.compile(
    r"""
    (?:
        (?:
            < [|｜] [^<>|｜\n]{1,30} [|｜] >    # <|im_end|>
          | < [a-z_]{1,30} [|｜] >              # <turn|>
          | </s>
          | <eos>
          | <end_of_turn>
          | \[/INST\]
        )
        \s*
    ){1,3}
    \Z
    """,
    re.VERBOSE,
)

# a tag that says that it holds thoughts; after one that closes, the answer begins
THOUGHT_TAG = re.compile(
    r"""
    [<\[◁]
    (?P<closes> / | [|｜]end_of_ )?                      # </think>, <|end_of_thought|>
    [|｜]?
    [\w: -]{0,20}                                       # <inner_monologue>
    (?: think(?:ing)? | thought | reasoning | analysis
      | scratchpad | reflection | monologue )
    [|｜]?
    [>\]▷]
  | (?P<answers> <\|channel\|> final <\|message\|> )    # from here on it is the answer
    """,
    ANY_CASE,
)

# any tag as in HTML that begins or ends something; `<br/>` does neither
TAG = re.compile(
    r"""
    <
    (?P<slash> /? )
    (?P<name> [a-z][\w-]{1,30} )                # two letters at least: <p> is never a thought
    (?: \s [\w-]{1,20} = [^<>\n]{0,60} )?       # <step n="1">
    \s?
    (?<! / ) >
    """,
    ANY_CASE,
)
TAGS_WITHOUT_END = {"br", "hr", "li", "td", "tr", "th", "wbr", "img"}

# thoughts without a tag: a channel's name that lost its token, or a heading
UNMARKED_THOUGHTS = re.compile(
    r"""
    \A \s*
    (?:
        [a-z]{4,12} [A-Z]                       # analysisWe need to …
      | \W{0,9}
        (?i: (?: here(?:[ ]is|'s) | this[ ]is ) [ ] (?: my | the | a ) [ ] )?
        (?i: (?: thought | thinking ) [ ] process | thoughts | chain[ ]of[ ]thought )
        \W{0,9} $                               # Here is my thought process:
    )
    """,
    re.MULTILINE | re.VERBOSE,
)

# a fence around a whole answer
FENCED = re.compile(r"\A ```\w*\n (?P<inside> .* ) \n``` \Z", re.DOTALL | re.VERBOSE)

# how sure a judge says it is: "high confidence", "Confidence: 80%"
CONFIDENCE = r"""(?:
    (?: high | medium | low ) [ ] confidence
  | (?: confidence | certainty ) [ ]? : [ ]? [\w.%/]{1,9}
)"""

# a line after the label that changes nothing
COURTESY = re.compile(
    rf"""
    \(? Word[ ]count: [ ]? \d+ \)?                              # (Word count: 96)
  | \(? {CONFIDENCE} \)? \.?                                    # Confidence: low
  | thank[ ]you [.!]?
  | i[ ]hope[ ] (?: this | that ) [ ]helps [.!]?
  | (?: please[ ] )? let[ ]me[ ]know[ ]if[ ] [^.!?]{{1,60}} [.!]    # Let me know if I can help.
    """,
    ANY_CASE,
)

# a line before an answer in JSON that only says so
BEFORE_JSON = re.compile(
    r"""
    (?: (?: sure | certainly | of[ ]course | okay ) [!,.:]? [ ]? )?
    (?:
        (?: here(?:[ ]is|'s) | below[ ]is | this[ ]is ) [ ] (?: my | the | your )
        (?: [ ] (?: final | overall | requested | structured | json ) ){0,2} [ ]
        (?: evaluation | assessment | analysis | judge?ment | verdict | rating
          | answer | response | output | object | json )
        (?: [ ] (?: of | for ) [ ] the [ ] (?: story | stories | text | texts | poem | poems ) )?
        (?: [ ] (?: in | as ) (?: [ ] (?: a | the ) )? (?: [ ] requested )? [ ] json
            (?: [ ] (?: format | object ) )? )?
    )?
    [:.!]?                                      # Sure! Here is my evaluation of the story:
    """,
    ANY_CASE,
)

# ── A label ───────────────────────────────────────────────────────────────────────────────────────

# what a label is called: "verdict", "my final answer", "the overall rating"
LABEL_NAME = r"""(?:
    (?: (?: my | the ) [ ] )?
    (?: final[ ] | overall[ ] )?
    (?: verdict | answer | judge?ment | conclusion | decision
      | label | rating | grade | scores | category )
)"""

# how a conclusion begins: "Therefore,", "Based on all the above,"
THEREFORE = r"""(?:
    (?: so | thus | therefore | hence | overall | finally
      | in[ ] (?: short | sum | summary | conclusion )
      | to[ ] (?: conclude | sum[ ]up )
      | all[ ]in[ ]all
      | (?: based[ ]on | given | considering ) [ ]
        (?: all[ ] )?
        (?: the[ ]above
          | this
          | (?: my | this | the | the[ ]above ) [ ] (?: analysis | assessment )
          | these[ ] (?: points | observations ) )
    )
    ,? [ ]?
)"""

# a sentence, in lower case, that only leads to the label: "here is my final answer:"
INTRODUCTION = re.compile(
    rf"""
    {THEREFORE}*
    (?: (?: here(?:[ ]is|'s) | this[ ]is ) [ ] )?
    (?: {LABEL_NAME} (?: [ ]is (?: [ ]as[ ]follows )? )? )?
    [ ]? \W?
    """,
    re.VERBOSE,
)


@cache
def label_alone(pattern):
    """Return the pattern of a label wherever it stands: the Yes of 'Verdict: Yes'. Here and below
    `pattern` is that of the labels of a form, without brackets: 'Yes | No'."""
    return re.compile(rf"(?<!\w) (?: {pattern} ) (?!\w)", ANY_CASE)


@cache
def label_anywhere(pattern):
    """Return the pattern of what may be a label in an analysis: any double brackets ('[[A>B]]',
    '[[?]]'), one behind its name ('grade: 4', '"grade": 4'), or one alone on its line ('- Yes')."""
    return re.compile(
        rf"""
        \[\[ [^\[\]\n]* \]\]
      | \b {LABEL_NAME} "? [ ]? [:=] [ ]? "? (?: {pattern} ) \b
      | ^ [^\w\n]* (?: {pattern} ) [^\w\n]* $
        """,
        ANY_CASE_BY_LINE,
    )


@cache
def final_label(pattern, bare):
    """Return the pattern of a final label, on one to three lines of plain text.

    It matches 'Therefore, my final verdict: Yes', 'Verdict\\nYes', '[[A>B]] (confidence: high)' and
    '<label>A>B</label>'. bare: True where the label alone will do, without a name or brackets.
    """
    label = rf"(?: {pattern} )"
    bracketed = rf"\[\[ [ ]? {label} [ ]? \]\]"
    label_or_bracketed = rf"(?: {bracketed} | {label} )"
    # "My final verdict is: ", and a heading with the label on the line below
    called = rf"{LABEL_NAME} (?: [ ]is )? (?: [ ]? : [ ]? \n? | \n )"
    # what is left of \boxed{Yes} and \boxed{\text{Yes}} without the backslashes
    boxed = rf"boxed \{{ (?: {label_or_bracketed} | text \{{ {label_or_bracketed} \}} ) \}}"
    forms = [
        rf"{called} {label_or_bracketed}",
        rf"(?: {called} )? (?: {bracketed} | {boxed} )",
        rf"< (?P<tag> {LABEL_NAME} ) > \n? {label_or_bracketed} \n? </ (?P=tag) >",
    ]
    if bare:
        forms.append(label)
    return re.compile(
        rf"""
        (?: \#* [ ]? | [-•][ ] )                # a heading, or an item of a list
        {THEREFORE}*
        (?: {" | ".join(forms)} )
        \.?
        (?: [ ] \( {CONFIDENCE} \) \.? )?
        """,
        ANY_CASE,
    )


# ── Somebody else's label ─────────────────────────────────────────────────────────────────────────

SPEAKER = "(?: user | human | assistant | system | model | ai | bot )"
THING = """(?:
    story | text | poem | pair | question | q | example | task | item | case | prompt | input
)"""  # what a judge is given to judge

# another speaker, a token of a chat template, or the next thing to judge
OTHER_TURN = re.compile(
    rf"""
    < [|｜] [^<>\n]{{1,40}} >                   # <|im_start|>
  | < [^<>\n]{{1,40}} [|｜] >                   # <turn|>
  | \[/?INST\]
  | </? (?: s | start_of_turn | end_of_turn ) >
  | ^ [^\w\n]{{0,12}} (?: {SPEAKER} | q ) \s* :     # **User:** And you?
  | ^ \#+ \W{{0,5}} {SPEAKER} \W{{0,9}} $           # ### Assistant
  | ^ \#+ [ ]? (?: response | instruction | input | example ) \b
  | ^ [^\w\n]{{0,12}} {THING} [ ]? \#? (?: [2-9] | \d\d ) \b
    \W{{0,6}} (?: [:.] | $ )                    # Story 2:
  | ^ [^\w\n]{{0,12}} (?: the[ ] )? (?: next | another | new ) [ ] {THING}
    \W{{0,6}} (?: [:.] | $ )                    # Next story:
  | ^ \s* </? {THING} >                        # <story>
    """,
    ANY_CASE_BY_LINE,
)

ANSWER_NAME = "(?: verdict | label | answer | grade | category | rating | numbers? )"

# a sentence, in lower case, that speaks of the answer itself and not of a story
ABOUT_THE_ANSWER = re.compile(
    rf"""
    # it leads to a line that it does not call the judge's own
    : \W{{0,4}} \Z                             # one would put:
  | \b (?: such[ ]as | writes? | wrote | the[ ]line | in[ ]this[ ]way | thus ) \W? \Z
  | \b (?: (?: this | next ) [ ] line | the[ ]following (?: [ ]line )? ) \W? \Z
  | ^ the[ ]following[ ]is[ ]
  | \b (?: line | format | {ANSWER_NAME} ) [ ] (?: below | beneath | that[ ]follows )
    (?= \W? \Z | [;,] | [ ]is[ ] )              # here is the label below; it is not mine
  | \b as[ ]follows \b
  | \b would[ ] (?: have[ ] )? (?: closed? | answer | put[ ]it | write ) [ ]
    (?: so | (?: like[ ] )? this ) \b           # most people would write this

    # it gives an example
  | ^ (?: e\.g | (?: for[ ] | format[ ] )? example ) \W? \Z
  | \b (?: sample | dummy | hypothetical ) [ ] {ANSWER_NAME} \b

    # it is somebody else's
  | \A \W* [\w.-]+ (?: [ ] [\w.-]+ )? [ ]      # gpt-4 said
    (?: says? | said | answer(?:s|ed) | repli(?:es|ed) | conclude[sd] ) \W? \Z
  | \b (?: reader | critic | reviewer | colleague )'s[ ] (?: conclusion | {ANSWER_NAME} ) \b
  | \b not[ ]my[ ] (?: own[ ] )? (?: view | opinion | {ANSWER_NAME} ) \b

    # it only does what it was told, or does not judge at all
  | \b the[ ]parser \b
  | \b filling[ ]the[ ]line \b
  | \b instructions?[ ]to \b
  | ^ as[ ] (?: an[ ]ai | instructed ) \b
  | \b if[ ]i[ ]had[ ]to \b
  | \b i[ ]flipped[ ]a[ ]coin \b
  | \b i[ ] (?: can't | cannot | won't | refuse[ ]to ) [ ] (?: judge | rate | grade | answer ) \b
    """,
    re.VERBOSE,
)
