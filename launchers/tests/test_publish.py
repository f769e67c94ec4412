"""Publishing a result: completely or not at all, and never over another one."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from .support import LAUNCHERS

sys.path.insert(0, str(LAUNCHERS))
import shards  # noqa: E402

RESULT = b"run,seed\n0,3\n#tilewalk-shard 1 abc\n"
OTHER = b"run,seed\n0,4\n#tilewalk-shard 1 def\n"


class PublishTest(unittest.TestCase):
    """What a folder contains after results were published."""

    def setUp(self) -> None:
        """Makes an empty folder."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def files(self) -> dict[str, bytes]:
        """All files of the folder, temporary ones included."""
        return {path.name: path.read_bytes() for path in self.folder.iterdir()}

    def test_a_result_gets_its_name_only(self) -> None:
        self.assertTrue(shards.publish(self.folder, 7, RESULT))
        self.assertTrue(shards.publish(self.folder, 1234567, RESULT))
        self.assertEqual(self.files(), {"shard-00007.csv": RESULT, "shard-1234567.csv": RESULT})

    def test_an_equal_result_changes_nothing(self) -> None:
        shards.publish(self.folder, 7, RESULT)
        before = (self.folder / "shard-00007.csv").stat()
        self.assertTrue(shards.publish(self.folder, 7, RESULT))
        after = (self.folder / "shard-00007.csv").stat()
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.assertEqual(self.files(), {"shard-00007.csv": RESULT})

    def test_a_different_result_is_refused_and_kept(self) -> None:
        shards.publish(self.folder, 7, RESULT)
        self.assertFalse(shards.publish(self.folder, 7, OTHER))
        self.assertEqual(self.files(), {"shard-00007.csv": RESULT, "shard-00007.csv.conflict": OTHER})

    def test_a_truncated_result_is_replaced_and_kept(self) -> None:
        for length in range(len(RESULT)):
            with self.subTest(length=length):
                (self.folder / "shard-00007.csv").write_bytes(RESULT[:length])
                self.assertTrue(shards.publish(self.folder, 7, RESULT))
                expected = {"shard-00007.csv": RESULT, "shard-00007.csv.damaged": RESULT[:length]}
                self.assertEqual(self.files(), expected)

    def test_a_full_disk_leaves_nothing(self) -> None:
        with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
            with self.assertRaises(OSError):
                shards.publish(self.folder, 7, RESULT)
        self.assertEqual(self.files(), {})


if __name__ == "__main__":
    unittest.main()
