"""EvolvR's training at a size that runs on a laptop: data, explanations, evaluators, reward."""
