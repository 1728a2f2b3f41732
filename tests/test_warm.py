"""Warm kernels: forked where packages are imported already, otherwise like any kernel."""

import os
import signal
import socket
import subprocess
import sys
import time

import pytest
from jupyter_client import KernelManager

from helpers.workshop import warm
from helpers.workshop.run import QUIET

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")


@pytest.fixture(scope="module")
def forking():
    """An environment in which kernels start warm."""
    with warm.warm_kernels(dict(os.environ)) as env:
        assert wait_until(lambda: os.path.exists(env[warm.PLACE]), 60)
        yield env


@pytest.fixture
def start(forking, tmp_path):
    """Start a kernel as Jupyter does where JUPYTER_DEFAULT_PROVISIONER_NAME=warm."""
    managers = []

    def start(folder=tmp_path, **more):
        manager = KernelManager(kernel_name="python3")
        manager.kernel_spec.metadata["kernel_provisioner"] = {"provisioner_name": "warm"}
        place = {"cwd": str(folder)} if folder else {}
        manager.start_kernel(env=forking | more, extra_arguments=QUIET, **place)
        managers.append(manager)
        return manager

    yield start
    for manager in managers:
        manager.shutdown_kernel(now=True)


def ask(manager, expression):
    """Return what a kernel prints of an expression."""
    printed = []

    def hear(message):
        printed.append(message["content"].get("text", ""))

    client = manager.blocking_client()
    client.start_channels()
    client.wait_for_ready(timeout=60)
    client.execute_interactive(f"print({expression})", output_hook=hear, timeout=60)
    client.stop_channels()
    return "".join(printed).strip()


def wait_until(is_so, seconds=20):
    """Return whether something is so, within some seconds."""
    deadline = time.monotonic() + seconds
    while not is_so() and time.monotonic() < deadline:
        time.sleep(0.05)
    return is_so()


def is_gone(number):
    """Return whether there is no process of this number."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    return False


def test_kernel_is_warm(start, tmp_path):
    manager = start()
    assert isinstance(manager.provisioner.process, warm.Fork)
    loaded = "all(name in __import__('sys').modules for name in ['pandas', 'seaborn'])"
    assert ask(manager, loaded) == "True"
    assert ask(manager, "__import__('os').getcwd()") == str(tmp_path)


def test_kernel_has_what_any_kernel_has(start):
    """Nothing of the project is imported yet, paths and names are those of a kernel."""
    manager = start()
    ours = "[name for name in __import__('sys').modules if name.startswith('helpers.me')]"
    assert ask(manager, ours) == "[]"
    assert ask(manager, "__name__") == "__main__"
    backend = "__import__('matplotlib').get_backend().rpartition('.')[2]"
    assert ask(manager, backend) == "backend_inline"
    assert ask(manager, "__import__('subprocess').run(['false']).returncode") == "1"
    assert str(os.getcwd()) not in ask(manager, "__import__('sys').path").split("'")


def test_without_a_folder_a_kernel_works_where_its_caller_does(start):
    manager = start(folder=None)
    assert isinstance(manager.provisioner.process, warm.Fork)
    assert ask(manager, "__import__('os').getcwd()") == os.getcwd()


def test_environment_is_the_callers(start, monkeypatch):
    manager = start(JUDGING_CREATIVITY_OFFLINE="asked")
    assert ask(manager, "__import__('os').environ['JUDGING_CREATIVITY_OFFLINE']") == "asked"


def test_kernels_do_not_see_each_other(start):
    first, second = start(), start()
    ask(first, "setattr(__import__('pandas'), 'left_behind', 1)")
    assert ask(first, "hasattr(__import__('pandas'), 'left_behind')") == "True"
    assert ask(second, "hasattr(__import__('pandas'), 'left_behind')") == "False"


def test_kernel_that_dies_is_noticed(start):
    manager = start()
    ask(manager, "1")
    os.kill(manager.provisioner.pid, signal.SIGKILL)
    assert wait_until(lambda: not manager.is_alive())


def test_shutdown_ends_the_kernel(start):
    manager = start()
    number = manager.provisioner.pid
    ask(manager, "1")
    manager.shutdown_kernel(now=True)
    assert wait_until(lambda: is_gone(number))


def test_kernel_ends_with_its_caller(start):
    """A run that is killed leaves no kernel behind."""
    manager = start()
    number = manager.provisioner.pid
    ask(manager, "1")
    manager.provisioner.process.line.close()  # as the system does for a process that is killed
    assert wait_until(lambda: is_gone(number))
    manager.provisioner.process = None


def test_without_the_forking_process_a_kernel_starts_as_ever(start):
    manager = start(**{warm.PLACE: "/nowhere/socket"})
    assert not isinstance(manager.provisioner.process, warm.Fork)
    assert ask(manager, "1 + 1") == "2"


def test_where_nothing_can_be_forked(monkeypatch):
    assert warm.can_fork()
    monkeypatch.delattr(os, "fork")
    with warm.warm_kernels({"A": "1"}) as env:
        assert env == {"A": "1"}


def test_where_jupyter_does_not_know_the_provisioner(monkeypatch):
    monkeypatch.setattr(warm, "entry_points", lambda **_: [])
    with warm.warm_kernels({"A": "1"}) as env:
        assert env == {"A": "1"}


def test_forking_process_ends_with_the_block():
    with warm.warm_kernels(dict(os.environ)) as env:
        place = env[warm.PLACE]
    assert not os.path.exists(place)


def test_the_forking_process_ends_with_its_starter_however_that_ends():
    code = """if True:
        import os, time
        from helpers.workshop import warm
        with warm.warm_kernels(dict(os.environ)) as env:
            place = env[warm.PLACE]
            while not os.path.exists(place):
                time.sleep(0.05)
            print(place, flush=True)
            time.sleep(60)"""
    starter = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    place = starter.stdout.readline().strip()
    assert is_listened_to(place)
    starter.kill()
    starter.wait()
    starter.stdout.close()
    assert wait_until(lambda: not is_listened_to(place))
    assert wait_until(lambda: not os.path.exists(os.path.dirname(place)))


def is_listened_to(place):
    """Return whether a process listens at a socket."""
    with socket.socket(socket.AF_UNIX) as line:
        return line.connect_ex(place) == 0
