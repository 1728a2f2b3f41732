"""Print environment.yml, for conda and Binder users (`make environment`)."""

import re
import tomllib
from importlib.metadata import version

from helpers.sources.public import ROOT

ENVIRONMENT = """\
# For conda and Binder users; the same versions as requirements.lock (made by `make environment`).
name: judging-creativity
channels: [conda-forge]
dependencies:
  - python=3.11
  - pip
  - pip:"""


def environment():
    """Return environment.yml: what pyproject.toml names, in the versions that are installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"]["test"]
    names = [re.match(r"[\w-]+", name).group() for name in wanted]
    pins = [f"      - {name}=={version(name)}" for name in names]
    return "\n".join([ENVIRONMENT, *pins, "      - -e ."])


if __name__ == "__main__":
    print(environment())
