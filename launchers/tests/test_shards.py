"""The queue of missing shards, and publishing: atomic, and never replacing another result."""

import contextlib
import io
import sys
import unittest
from unittest import mock

from .support import LAUNCHERS, TILEWALK, SweepTest, tilewalk

sys.path.insert(0, str(LAUNCHERS))
import shards  # noqa: E402

NAME = "shard-00003.csv"


class PublishTest(SweepTest):
    """The files of a plan after a launcher has accepted results."""

    def setUp(self) -> None:
        """Writes a plan and computes the result of shard 3."""
        super().setUp()
        self.plan_folder = self.plan(7)
        self.result = tilewalk("sweep", "shard", self.plan_folder, 3, "--output", "-").encode()

    def accept(self, result: bytes) -> shards.Sweep:
        sweep = shards.Sweep(str(self.plan_folder), TILEWALK, retries=0)
        with contextlib.redirect_stderr(io.StringIO()):
            sweep.accept(3, result)
        return sweep

    def files(self) -> dict[str, bytes]:
        """Returns all files beside the plan, including temporary files."""
        files = {path.name: path.read_bytes() for path in self.plan_folder.iterdir()}
        del files["plan.json"]
        return files

    def test_a_result_is_published_without_other_files(self) -> None:
        self.assertNotIn(3, self.accept(self.result).missing())
        self.assertEqual(self.files(), {NAME: self.result})

    def test_an_equal_result_changes_nothing(self) -> None:
        tilewalk("sweep", "shard", self.plan_folder, 3)
        self.assertEqual(self.files(), {NAME: self.result})
        before = (self.plan_folder / NAME).stat()
        self.accept(self.result)
        after = (self.plan_folder / NAME).stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.assertEqual(self.files(), {NAME: self.result})

    def test_a_different_result_is_refused_and_kept(self) -> None:
        self.accept(self.result)
        other = self.result.replace(b"1", b"2")
        sweep = self.accept(other)
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(sweep.finish(), 1)
        self.assertEqual(self.files(), {NAME: self.result, f"{NAME}.conflict": other})

    def test_a_damaged_result_is_replaced_and_kept(self) -> None:
        half, last = self.result[: len(self.result) // 2], self.result[:-1]
        for damaged in [b"", half, last, self.result.replace(b"3", b"4", 1)]:
            with self.subTest(damaged=damaged):
                (self.plan_folder / NAME).write_bytes(damaged)
                self.accept(self.result)
                self.assertEqual(self.files(), {NAME: self.result, f"{NAME}.damaged": damaged})

    def test_a_full_disk_leaves_no_file(self) -> None:
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
            with self.assertRaises(OSError):
                self.accept(self.result)
        self.assertEqual(self.files(), {})


class QueueTest(SweepTest):
    """Which shards are submitted, and when a launcher gives up."""

    def sweep_of(self, count: int, retries: int = 0) -> shards.Sweep:
        self.errors = io.StringIO()
        self.enterContext(contextlib.redirect_stderr(self.errors))
        return shards.Sweep(str(self.plan(count)), TILEWALK, retries)

    def test_at_most_the_requested_number_is_submitted(self) -> None:
        sweep = self.sweep_of(7)
        submitted = [list(sweep.next(most)) for most in [-1, 0, 3, 9, 9]]
        self.assertEqual(submitted, [[], [], [0, 1, 2], [3, 4, 5, 6], []])

    def test_crashed_shards_are_retried_last_until_attempts_run_out(self) -> None:
        sweep = self.sweep_of(7, retries=2)
        self.assertEqual(list(sweep.next(6)), [0, 1, 2, 3, 4, 5])
        for _ in range(2):
            sweep.accept(0, OSError("killed"))
            self.assertEqual(list(sweep.next(9))[-1], 0)
        sweep.accept(0, OSError("killed"))
        self.assertEqual(list(sweep.next(9)), [])
        self.assertEqual(sweep.finish(), 1)
        self.assertIn("shard 0 failed: killed\n", self.errors.getvalue())
        self.assertIn("0 of 7 shards, 0.0 per second, 2 retried, 1 failed", self.errors.getvalue())

    def test_many_failures_end_the_sweep(self) -> None:
        sweep = self.sweep_of(64)
        with mock.patch("shards.MOST_FAILURES", 3):
            for shard in list(sweep.next(3)):
                self.assertEqual(len(list(sweep.next(1))), 1)
                sweep.accept(shard, "refused")
            self.assertEqual(list(sweep.next(9)), [])
            self.assertEqual(sweep.finish(), 1)
        self.assertEqual(self.errors.getvalue().count("refused"), 1)
        self.assertIn("stopped after 3 failures", self.errors.getvalue())


if __name__ == "__main__":
    unittest.main()
