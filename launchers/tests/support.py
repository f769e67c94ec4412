"""Plans, launchers and a Ray cluster for the tests."""

import os
import random
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import psutil

LAUNCHERS = Path(__file__).resolve().parent.parent
TILEWALK = os.path.abspath(os.environ.get("TILEWALK", LAUNCHERS.parent / "target/release/tilewalk"))
RUNS = 64

MAP = """
format = 1
edges  = "wrap"
seed   = 3
tiles  = '''
............
............
............
............
............
............
............
............
'''

[[agent]]
name    = "boid"
at      = "anywhere"
count   = 8
combine = "weighted"
steer   = [
  { do = "separation", weight = 1, radius = 3 },
  { do = "alignment", weight = 2, radius = 3 },
  { do = "cohesion", weight = 1, radius = 3 },
  { do = "wander", weight = 0.25 },
]
"""

SWEEP = """
map    = "map.toml"
frames = 50
seeds  = 16

[vary]
"boid.body.max_speed" = [0.5, 1, 2, 4]

[measure]
order = { value = 'polarisation(boid)', take = "last" }
"""


def tilewalk(*words: object) -> str:
    """Runs tilewalk and returns its output."""
    command = [TILEWALK, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"
    return done.stdout


def python(script: str, *words: object) -> list[str]:
    """Returns the command that runs a launcher."""
    return [sys.executable, str(LAUNCHERS / script), *map(str, words)]


def kill(process: psutil.Process) -> bool:
    """Kills a process. Returns False if it has ended already."""
    try:
        process.kill()
    except psutil.NoSuchProcess:
        return False
    return True


class SweepTest(unittest.TestCase):
    """A test with a folder of its own, a sweep of 64 runs and the bytes of the local sweep."""

    def setUp(self) -> None:
        """Writes the sweep file and runs it locally."""
        self.folder = Path(tempfile.mkdtemp(prefix="tilewalk-test-", dir=self.parent()))
        self.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "map.toml").write_text(MAP)
        self.sweep = self.folder / "sweep.toml"
        self.sweep.write_text(SWEEP)
        tilewalk("sweep", self.sweep, "--output", self.folder / "local.csv")
        self.local = (self.folder / "local.csv").read_bytes()
        self.assertEqual(self.local.count(b"\n"), RUNS + 1)

    def parent(self) -> str | None:
        """Returns the parent of the folder of the test; None for the default."""
        return None

    def plan(self, shards: int) -> Path:
        """Writes a new plan and returns its folder."""
        folder = self.folder / f"plan{len(list(self.folder.iterdir()))}"
        tilewalk("sweep", "plan", self.sweep, "--shards", shards, "--output", folder)
        return folder

    def run_launcher(self, command: list[str], code: int = 0, env: dict | None = None) -> str:
        """Runs a command, checks its exit code and returns its standard error."""
        done = subprocess.run(command, capture_output=True, text=True, env=os.environ | (env or {}))
        self.assertEqual(done.returncode, code, f"{command}\n{done.stdout}\n{done.stderr}")
        self.assertNotIn("Traceback", done.stderr)
        return done.stderr

    def assert_merges_to_local(self, plan: Path) -> None:
        """Merges a plan and compares it with the local sweep, byte for byte."""
        self.assertEqual(tilewalk("sweep", "missing", plan), "")
        tilewalk("sweep", "merge", plan, "--output", plan / "merged.csv")
        self.assertEqual((plan / "merged.csv").read_bytes(), self.local)
        self.assertEqual([path.name for path in plan.glob("*.conflict")], [])


def wrapper(folder: Path, script: str) -> Path:
    """Writes a program that runs shell commands before `sweep shard DIR N …`; $3 is DIR, $4 is N."""
    path = Path(tempfile.mkdtemp(dir=folder)) / "tilewalk"
    run = f'exec {shlex.quote(TILEWALK)} "$@"'
    path.write_text(f'#!/bin/sh\nif [ "$2" = shard ]; then\n{script}\nfi\n{run}\n')
    path.chmod(0o755)
    return path


def free_port() -> int:
    """Returns a free port outside the range that Ray gives to its workers (10002 to 19999)."""
    for port in random.SystemRandom().sample(range(20000, 32000), 100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no free port")


class Cluster:
    """A Ray head without cores, and nodes with one core each that can't see the folder `hidden`."""

    def __init__(self) -> None:
        """Creates the folders, without starting the cluster."""
        self.folder = Path(tempfile.mkdtemp(prefix="twr"))  # Paths of sockets must be short.
        self.hidden = self.folder / "hidden"
        self.hidden.mkdir()
        self.programs = self.folder / "programs"
        self.programs.mkdir()
        probe = subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL)
        self.can_hide = probe.returncode == 0
        self.address = f"127.0.0.1:{free_port()}"
        self.nodes: list[subprocess.Popen] = []

    def start(self) -> None:
        """Starts the head and two nodes."""
        # A token of its own: the cluster does not depend on settings of Ray in the home directory.
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
        port = self.address.rpartition(":")[2]
        temporary = str(self.folder / "ray")
        head = ["--head", "--port", port, "--num-cpus", "0", "--temp-dir", temporary]
        self._start(*head, "--include-dashboard=false")
        self.add_node()
        self.add_node()

    def _start(self, *options: str) -> None:
        ray = Path(sys.executable).parent / "ray"
        limits = ["--object-store-memory", "80000000", "--disable-usage-stats", "--block"]
        command = ["nice", "-n", "5", str(ray), "start", *options, *limits]
        if self.nodes and self.can_hide:
            hide = f"mount -t tmpfs none {shlex.quote(str(self.hidden))} && exec {shlex.join(command)}"
            command = ["unshare", "--mount", "sh", "-c", hide]
        path = self.folder / f"node{len(self.nodes)}.log"
        with path.open("wb") as log:
            # Killed workers leave temporary files.
            env = os.environ | {"TMPDIR": str(self.folder)}
            node = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, env=env)
        self.nodes.append(node)
        deadline = time.monotonic() + 60
        while "Ray runtime started" not in path.read_text():
            assert node.poll() is None and time.monotonic() < deadline, path.read_text()
            time.sleep(0.1)

    def add_node(self) -> subprocess.Popen:
        """Starts a node and returns its process, the leader of its process group."""
        self._start("--address", self.address, "--num-cpus", "1")
        return self.nodes[-1]

    def busy_workers(self) -> list[psutil.Process]:
        """Returns the processes that are running shards, and the programs that they started."""
        found = []
        for node in self.nodes[1:]:
            if node.poll() is None:
                for process in psutil.Process(node.pid).children(recursive=True):
                    try:
                        if process.cmdline()[:1] == ["ray::run_shard"]:
                            found += [process, *process.children()]
                    except psutil.Error:
                        pass
        return found

    @staticmethod
    def remove(node: subprocess.Popen) -> None:
        """Kills all processes of a node at once, as a power failure does."""
        os.killpg(node.pid, signal.SIGKILL)
        node.wait()

    def stop(self) -> None:
        """Stops all nodes."""
        for node in reversed(self.nodes):
            if node.poll() is None:
                node.terminate()
        for node in self.nodes:
            try:
                node.wait(20)
            except subprocess.TimeoutExpired:
                self.remove(node)
        shutil.rmtree(self.folder, ignore_errors=True)
