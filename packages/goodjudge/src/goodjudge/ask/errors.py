"""What may go wrong when a judge is asked; every message says what to change."""


class JudgeError(ValueError):
    """A judge cannot be asked in this way; the message says what to change."""


class NoForm(JudgeError):
    """A model or its server takes no JSON schema; with structured=False it is asked in plain
    text."""


class MissingAnswer(JudgeError):
    """In offline mode an answer is not in the store; nothing was called."""


class StoreError(ValueError):
    """A transcript file is not what it must be; the message names file, line and expectation."""


class Incomplete(JudgeError):
    """A run stopped before its end (money or time); `.answers` holds what there is."""

    def __init__(self, message, answers):
        super().__init__(message)
        self.answers = answers
