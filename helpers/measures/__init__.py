"""Measures of the comparison of judges with people, and pages on top of it.

From a file to a sentence, in this order:

- `headers`, `sheets`: a reader's CSV; `ratings`: the one shape of data, and what is held against
  what;
- `compare`: the one comparison, by way of `trial` (cases, groups, leads), `statistics` (the
  measures), `blocks` (a measure rater by rater, and without each group), `controls` (what reads
  nothing) and `unread` (what they know), `ceiling` with `simulated` (a perfect judge) and `model`
  (what ratings are made of); `intervals` for all;
- `verdicts`: yes, no, alike or cannot tell; `open_verdicts` with `deciding`: yes, no or undecided,
  and what would decide; `suspicion`: who may know the ratings; `authors`: what ratings have to do
  with who wrote; `planning`: studies that do not exist yet; `corrected`: what people would
  say of unrated items; `carry_over`: whom a judge treats otherwise; `notes`: what the data cannot
  bear; `sensitivity`: does a claim hang on one choice;
- of people: `agreement`, `severity`, `people`; of judges: `adds`, `alternative`, `levels`,
  `rankings`, `steadiness`, `strictness`; of texts: `words`.
"""
