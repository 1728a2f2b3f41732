"""Warm kernels: forked from one process that has imported the large packages already.

To import numpy, pandas, scipy and seaborn takes a kernel three seconds, and `make reproduce` starts
thirteen. Within `warm_kernels` each is a copy (a fork) of a process that imported them once. A copy
is a process of its own: what one notebook changes, no other sees. Jupyter lets a program start
kernels in its own way, by a provisioner; pyproject.toml makes ours known under the name "warm".
"""

import importlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from importlib.metadata import entry_points

from jupyter_client.provisioning import LocalProvisioner

PACKAGES = ["matplotlib.pyplot", "pandas", "scipy.stats", "seaborn", "ipykernel.kernelapp"]
BACKEND = "module://matplotlib_inline.backend_inline"  # as a kernel sets it, before the imports
PLACE = "JUDGING_CREATIVITY_WARM"  # a variable: the socket at which the forking process listens


@contextmanager
def warm_kernels(env):
    """Yield a copy of an environment (a dictionary) in which kernels start warm, until the block
    ends.

    Where that cannot be, kernels start as ever.
    """
    if not can_fork():
        yield dict(env)
        return
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "socket")
        command = [sys.executable, "-P", "-m", __name__, place]
        forking = subprocess.Popen(command, env=env, stdin=subprocess.PIPE)
        try:
            yield env | {PLACE: place, "JUPYTER_DEFAULT_PROVISIONER_NAME": "warm"}
        finally:
            forking.terminate()
            forking.wait()
            forking.stdin.close()


def can_fork():
    """Return whether kernels can start warm here: not on Windows, nor where the project was
    installed before it had a provisioner."""
    known = entry_points(group="jupyter_client.kernel_provisioners", name="warm")
    return hasattr(os, "fork") and len(known) > 0


class WarmProvisioner(LocalProvisioner):
    """Starts a kernel by asking the forking process; as ever where there is none."""

    async def launch_kernel(self, cmd, **settings):
        """Start the kernel of a command [python, "-m", "ipykernel_launcher", argument …]; return
        how to connect to it."""
        try:
            self.process = Fork(cmd[3:], **settings)
        except OSError:
            return await super().launch_kernel(cmd, **settings)
        self.pid = self.process.pid
        self.pgid = self.pid
        return self.connection_info


class Fork:
    """A forked kernel, with what Jupyter asks of a `subprocess.Popen`."""

    stdin = stdout = stderr = None

    def __init__(self, arguments, env, cwd=None, stdout=None, stderr=None, **_):
        """Ask for a kernel at work in the folder `cwd`, or here; OSError where nobody listens."""
        self.returncode = None
        self.line = socket.socket(socket.AF_UNIX)
        self.line.connect(env.get(PLACE, ""))
        outputs = [stdout or sys.__stdout__, stderr or sys.__stderr__]
        socket.send_fds(self.line, [b"!"], [output.fileno() for output in outputs])
        request = {"arguments": arguments, "folder": str(cwd or os.getcwd()), "env": env}
        self.line.sendall(json.dumps(request).encode() + b"\n")
        self.pid = int(self.line.makefile().readline())
        self.line.setblocking(False)

    def poll(self):
        """Return None while the kernel is alive: it keeps its end of the line."""
        try:
            ended = self.line.recv(1) == b""
        except BlockingIOError:
            ended = False
        except ConnectionError:
            ended = True
        if ended:
            self.returncode = 0
        return self.returncode

    def wait(self):
        """Close the line, once the kernel has ended."""
        self.line.close()
        return self.returncode

    def send_signal(self, number):
        """Send the kernel a signal, while it is alive."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self):
        """End the kernel at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        """Ask the kernel to end."""
        self.send_signal(signal.SIGTERM)


def fork_on_request(place):
    """Import the packages, then fork a kernel for each request that arrives at a socket."""
    os.environ["MPLBACKEND"] = BACKEND
    threading.Thread(target=end_with_starter, args=[place], daemon=True).start()
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen(64)
        for name in PACKAGES:
            importlib.import_module(name)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for kernels that have ended
        while True:
            line, _ = door.accept()
            if os.fork() == 0:
                door.close()
                become_kernel(line)
            line.close()


def become_kernel(line):
    """Turn this fork into the kernel that a line asks for: its folder, environment and outputs."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()  # a group of its own, so that a signal reaches what the kernel has started, too
    _, outputs, _, _ = socket.recv_fds(line, 1, 2)
    request = json.loads(line.makefile().readline())
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for number, output in enumerate(outputs, start=1):
        os.dup2(output, number)
        os.close(output)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["env"])
    line.sendall(f"{os.getpid()}\n".encode())
    threading.Thread(target=end_with_caller, args=[line], daemon=True).start()
    sys.argv[1:] = request["arguments"]
    kernelapp = importlib.import_module("ipykernel.kernelapp")
    kernelapp.launch_new_instance()
    os._exit(0)


def end_with_starter(place):
    """End this process when whoever started it, who keeps the other end of its input, has ended,
    however that was; remove the folder of its socket."""
    os.read(0, 1)
    shutil.rmtree(os.path.dirname(place), ignore_errors=True)
    os._exit(1)


def end_with_caller(line):
    """End this process when its caller, who keeps the line, has ended."""
    try:
        line.recv(1)
    finally:
        os._exit(1)


if __name__ == "__main__":
    fork_on_request(sys.argv[1])
