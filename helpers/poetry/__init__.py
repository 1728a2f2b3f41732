"""Study 4, ranking poems in batches: lists, analysis, experiments."""
