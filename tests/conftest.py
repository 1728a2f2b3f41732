"""Shared by all tests: what is on this machine, and small made-up inputs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from judges_kit import provide  # noqa: F401 (a fixture of the judge tests)

from helpers.sources import public as data

# machines differ in speed: no deadline an example; derandomised, so that the same examples run on
# every machine
settings.register_profile(
    "judging-creativity",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("judging-creativity")


@pytest.fixture(autouse=True)
def forget_failures():
    """A download that failed in one test must not silence those of the next."""
    data._unreachable.clear()
    yield
    data._unreachable.clear()


@pytest.fixture(scope="session")
def open_data():
    """Skip where the public files are not at hand (no mirror, no cache); never downloads. What has
    no licence only its own tests need."""
    try:
        for dataset in data.registry().values():
            for name in dataset["files"] if dataset["licence"] != "none" else ():
                data.locate(name, download=False)
    except FileNotFoundError:
        pytest.skip("the public files are not on this machine (run `make fetch`)")


@pytest.fixture
def no_data(monkeypatch, tmp_path):
    """A machine without mirror, cache and network."""
    for name, value in {"MIRROR": "none", "CACHE": str(tmp_path / "cache"), "OFFLINE": "1"}.items():
        monkeypatch.setenv(f"JUDGING_CREATIVITY_{name}", value)


@pytest.fixture
def rng():
    """A generator with a fixed seed."""
    return np.random.default_rng(7)
