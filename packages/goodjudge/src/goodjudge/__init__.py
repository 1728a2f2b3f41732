"""goodjudge: is my judge good enough? A language model's scores beside people's ratings."""

__version__ = "1.0.0.dev0"
