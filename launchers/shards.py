"""What the Python launchers share: run a shard on any node, publish its result, report progress.

The engine (Ray, Dask) only calls `run_shard` on its nodes. Nodes need no shared folder: the plan comes
in as bytes and the result goes out as bytes. Only the launcher writes to the folder of the plan.
"""

import errno
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

LAST_LINE = b"#tilewalk-shard"
"""Start of the last line of a complete result. Its checksum is checked by `tilewalk sweep merge`."""

MOST_FAILURES = 100
"""Failed shards after which a launcher submits no more: the cause is then the plan or a broken node."""


class LaunchError(Exception):
    """An error that ends the launcher. Its text is for the user."""


def is_complete(result: bytes) -> bool:
    """Whether a result is whole, as far as its last line shows."""
    lines = result.splitlines(keepends=True)
    return bool(lines) and lines[-1].startswith(LAST_LINE) and lines[-1].endswith(b"\n")


def run_shard(plan: bytes, tilewalk: str, binary: bytes | None, shard: int) -> bytes | str | OSError:
    """Runs a shard in a private folder and returns its result.

    Returns the message if tilewalk refuses the shard, and an `OSError` if another attempt may succeed:
    killed, truncated output, no program, no disk space. `binary` is the program itself, for nodes where
    it is not installed.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="tilewalk-shard-") as folder:
            (Path(folder) / "plan.json").write_bytes(plan)
            if binary is not None:
                tilewalk = "./tilewalk"
                program = Path(folder) / "tilewalk"
                program.write_bytes(binary)
                program.chmod(0o755)
            command = [tilewalk, "sweep", "shard", ".", str(shard), "--output", "-"]
            done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        return error
    message = f"{done.stderr.decode(errors='replace').strip()} (on {socket.gethostname()})"
    if done.returncode == 2:
        return message
    if done.returncode != 0:
        return OSError(f"tilewalk ended with code {done.returncode}: {message}")
    if not is_complete(done.stdout):
        return OSError(f"the result is truncated: {message}")
    return done.stdout


def publish(path: Path, data: bytes) -> bool:
    """Writes a file that appears completely or not at all. Returns False if a different one exists."""
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        return path.read_bytes() == data
    finally:
        temporary.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EACCES):  # Some can't sync folders.
            raise
    finally:
        os.close(folder)
    return True


class Sweep:
    """The missing shards of a plan: which to run next, and what became of those that ran."""

    def __init__(self, folder: str, tilewalk: str, retries: int, ship_binary: bool = False) -> None:
        """Reads the plan and asks `tilewalk` for the missing shards."""
        self.folder = Path(folder)
        self.tilewalk = os.path.abspath(tilewalk) if "/" in tilewalk else tilewalk
        program = shutil.which(self.tilewalk)
        if program is None:
            raise LaunchError(f"cannot find the program `{tilewalk}`")
        self._todo = deque(self.missing())
        self.total = len(self._todo)
        self.plan = (self.folder / "plan.json").read_bytes()
        self.binary = Path(program).read_bytes() if ship_binary else None
        self._retries = retries
        self._attempts: Counter[int] = Counter()
        self._done = self._failed = self._conflicts = 0
        self._messages: set[str] = set()
        self._start = self._shown = time.monotonic()

    def missing(self) -> list[int]:
        """The numbers of the shards without a result."""
        command = [self.tilewalk, "sweep", "missing", str(self.folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise LaunchError(done.stderr.strip() or f"`{' '.join(command)}` failed")
        return [int(line) for line in done.stdout.splitlines()]

    def next(self, most: int) -> Iterator[int]:
        """Up to `most` shards to submit now. Yields none if too many have failed."""
        while self._todo and most > 0 and self._failed < MOST_FAILURES:
            most -= 1
            yield self._todo.popleft()

    def accept(self, shard: int, result: bytes | str | Exception) -> None:
        """Publishes the result of a shard, queues the shard again after an exception, or gives it up.

        A message is printed once, also if many shards have it.
        """
        if isinstance(result, bytes):
            self._publish(shard, result)
        elif isinstance(result, Exception) and self._attempts[shard] < self._retries:
            self._attempts[shard] += 1
            self._todo.append(shard)
        else:
            self._failed += 1
            message = str(result).strip()
            if message not in self._messages:
                self._messages.add(message)
                self._print(f"shard {shard} failed: {message}")

    def _publish(self, shard: int, result: bytes) -> None:
        """Publishes a result. A damaged one of the same shard is kept as `.damaged`.

        If another one exists, that one stays, and the new one is kept as `.conflict`.
        """
        path = self.folder / f"shard-{shard:05}.csv"
        is_published = publish(path, result)
        if not is_published and shard in self.missing():
            os.replace(path, f"{path}.damaged")
            is_published = publish(path, result)
        if is_published:
            self._done += 1
        else:
            Path(f"{path}.conflict").write_bytes(result)
            self._conflicts += 1
            self._print(f"shard {shard}: another result exists; this one is kept as .conflict")

    def show_progress(self, final: bool = False) -> None:
        """Prints the progress, on a terminal each second, elsewhere every 10 seconds."""
        now = time.monotonic()
        if not final and now - self._shown < (1 if sys.stderr.isatty() else 10):
            return
        self._shown = now
        rate = self._done / max(now - self._start, 0.001)
        left = self.total - self._done
        parts = [f"{self._done} of {self.total} shards", f"{rate:.1f} per second"]
        if rate > 0 and left > 0:
            parts.append(f"{timedelta(seconds=round(left / rate))} left")
        for count, word in [(self._attempts.total(), "retried"), (self._failed, "failed")]:
            if count > 0:
                parts.append(f"{count} {word}")
        self._print(", ".join(parts), stay=not final)

    def finish(self) -> int:
        """Prints which shards are still missing. Returns the exit code."""
        self.show_progress(final=True)
        missing = self.missing()
        if self._failed >= MOST_FAILURES:
            self._print(f"stopped after {self._failed} failures")
        if missing:
            names = " ".join(map(str, missing[:20])) + (" …" if len(missing) > 20 else "")
            self._print(f"missing shards ({len(missing)}): {names}")
        return 1 if missing or self._conflicts else 0

    def _print(self, line: str, stay: bool = False) -> None:
        """Prints a line. On a terminal, the next line overwrites it if `stay` is true."""
        start, end = ("\r\x1b[K", "" if stay else "\n") if sys.stderr.isatty() else ("", "\n")
        print(f"{start}{line}", end=end, file=sys.stderr, flush=True)


def exit_code(launch: Callable[[], int], *errors: type[Exception]) -> int:
    """Runs a launcher and returns its exit code. Expected errors become messages."""
    try:
        return launch()
    except (LaunchError, OSError, *errors) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted: run the same command to continue", file=sys.stderr)
        return 130
