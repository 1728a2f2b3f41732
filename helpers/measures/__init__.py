"""Measures that several studies use: agreement, rankings, baselines, words."""
