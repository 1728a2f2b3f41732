"""Study 4, ranking poems in batches: lists, analysis, the paper's tables, experiments."""
