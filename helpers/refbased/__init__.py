"""Study 3, reference-based evaluation: the method, its figures rebuilt, its controls."""
