"""What a judge is asked: options, calls with their keys, prompts and forms of answer."""
