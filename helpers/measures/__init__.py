"""Measures of the comparison of judges with people, and pages on top of it."""
