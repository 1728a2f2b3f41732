"""Shared by all tests: what is on this machine, and small made-up inputs."""

import numpy as np
import pytest
from hypothesis import HealthCheck, settings
from judges_kit import provide  # noqa: F401 (a fixture of the judge tests)

from helpers.sources import public as data
from helpers.sources.public import ROOT
from helpers.workshop import run as runs

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


@pytest.fixture(scope="module")
def execute():
    """`runs.execute` in one kernel for all runs of a file: packages load once, names are forgotten
    before each run."""
    kernel = runs.start_kernel(ROOT / "notebooks")
    execute_in = runs.execute  # kept, so that a test may put this fixture in its place
    forget = "get_ipython().reset(new_session=True)"

    def execute(notebook, output, parameters):
        client = kernel.blocking_client()
        client.start_channels()
        client.wait_for_ready(timeout=120)
        client.execute_interactive(
            f"import matplotlib.pyplot as p; p.close('all'); {forget}",
            silent=True,
            store_history=False,
        )
        client.stop_channels()
        return execute_in(notebook, output, parameters, kernel=kernel)

    yield execute
    kernel.shutdown_kernel(now=True)
