"""Study 5, EvolvR: raters, pairs, filter, evaluators."""
