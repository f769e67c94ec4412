"""GNU parallel, Slurm arrays and Dask: merged bytes equal the local sweep, and failures are reported."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from .support import LAUNCHERS, TILEWALK, SweepTest, python, tilewalk, wrapper

REFUSE_SHARD_3 = 'if [ "$4" = 3 ]; then echo "error: refused" >&2; exit 2; fi'


def slurm(
    plan: Path,
    todo: Path,
    array: range,
    count: int | None = None,
    program: object = TILEWALK,
    restarts: int = 0,
) -> list[int]:
    """Runs the tasks of an array one after the other, as Slurm would. Returns their exit codes."""
    codes = []
    for task in array:
        env = os.environ | {
            "TILEWALK": str(program),
            "SLURM_ARRAY_TASK_ID": str(task),
            "SLURM_ARRAY_TASK_MIN": str(array[0]),
            "SLURM_ARRAY_TASK_MAX": str(array[-1]),
            "SLURM_ARRAY_TASK_STEP": str(array.step),
            "SLURM_ARRAY_TASK_COUNT": str(count or len(array)),
            "SLURM_RESTART_COUNT": str(restarts),
        }
        command = ["bash", LAUNCHERS / "slurm_sweep.sbatch", plan, todo]
        codes.append(subprocess.run(command, env=env, stderr=subprocess.DEVNULL).returncode)
    return codes


@unittest.skipUnless(shutil.which("parallel"), "GNU parallel is not installed")
class ParallelTest(SweepTest):
    """GNU parallel: the one-liner of the documents, and the script."""

    def script(self, plan: Path, program: object = TILEWALK, code: int = 0) -> str:
        command = ["bash", str(LAUNCHERS / "parallel_sweep.sh"), str(plan), "--jobs", "2"]
        return self.run_launcher(command, code, {"TILEWALK": str(program)})

    def test_the_one_liner_equals_the_local_sweep(self) -> None:
        plan = self.plan(7)
        line = f"{TILEWALK} sweep missing {plan} | parallel --quote {TILEWALK} sweep shard {plan}"
        subprocess.run(line, shell=True, check=True, stderr=subprocess.DEVNULL)
        self.assert_merges_to_local(plan)

    def test_folders_can_have_spaces_and_quotes(self) -> None:
        plan = self.folder / "a plan's  folder"
        words = ["sweep", "plan", self.sweep, "--shards", "7", "--output", plan]
        lines = tilewalk(*words).splitlines()
        line = next(line for line in lines if "| parallel " in line)
        line = line.replace("tilewalk sweep", f"{TILEWALK} sweep")
        subprocess.run(line, shell=True, check=True, stderr=subprocess.DEVNULL)
        self.assertEqual(tilewalk("sweep", "missing", plan), "")
        (plan / "shard-00003.csv").unlink()
        self.script(plan)
        self.assert_merges_to_local(plan)

    def test_the_script_equals_the_local_sweep(self) -> None:
        for shards in [1, 7, 64]:
            plan = self.plan(shards)
            self.script(plan)
            self.assert_merges_to_local(plan)
            self.script(plan)  # Nothing is left to do.

    def test_killed_shards_are_retried(self) -> None:
        program = wrapper(self.folder, f'mkdir "{self.folder}/tried$4" 2>/dev/null && kill -9 $$')
        plan = self.plan(7)
        self.script(plan, program)
        self.assert_merges_to_local(plan)

    def test_a_failing_shard_sets_the_exit_code_and_is_listed(self) -> None:
        plan = self.plan(7)
        self.assertIn("missing shards: 3", self.script(plan, wrapper(self.folder, REFUSE_SHARD_3), 1))
        self.assertEqual(tilewalk("sweep", "missing", plan), "3\n")
        self.script(plan)
        self.assert_merges_to_local(plan)

    def test_a_folder_without_a_plan_is_refused(self) -> None:
        self.script(self.folder / "nothing", code=2)


class SlurmTest(SweepTest):
    """The shell logic of the array script, without Slurm."""

    def list_missing(self, plan: Path) -> Path:
        todo = plan / "todo"
        todo.write_text(tilewalk("sweep", "missing", plan))
        return todo

    def test_arrays_of_all_shapes_equal_the_local_sweep(self) -> None:
        arrays = [range(0, 1), range(0, 3), range(1, 8), range(10, 51, 10), range(0, 80)]
        for shards, array in zip([64, 7, 7, 64, 64], arrays):
            with self.subTest(array=array):
                plan = self.plan(shards)
                codes = slurm(plan, self.list_missing(plan), array)
                self.assertEqual(codes, [0] * len(array))
                self.assert_merges_to_local(plan)

    def test_a_second_array_runs_only_missing_shards(self) -> None:
        plan = self.plan(64)
        program = wrapper(self.folder, REFUSE_SHARD_3)
        codes = slurm(plan, self.list_missing(plan), range(0, 4), program=program)
        self.assertEqual(codes, [0, 0, 0, 1])
        (plan / "shard-00060.csv").unlink()
        todo = self.list_missing(plan)
        self.assertEqual(todo.read_text(), "3\n60\n")
        log = self.folder / "log"
        program = wrapper(self.folder, f"echo $4 >> {log}")
        self.assertEqual(slurm(plan, todo, range(0, 2), program=program), [0, 0])
        self.assertEqual(log.read_text(), "3\n60\n")
        self.assert_merges_to_local(plan)

    def test_a_restarted_task_skips_its_finished_shards(self) -> None:
        plan = self.plan(7)
        todo = self.list_missing(plan)
        self.assertEqual(slurm(plan, todo, range(0, 1)), [0])
        (plan / "shard-00001.csv").unlink()
        for shard, left_out in [(2, 1), (3, 40), (4, 400)]:
            result = plan / f"shard-0000{shard}.csv"
            result.write_bytes(result.read_bytes()[:-left_out])
        log = self.folder / "log"
        program = wrapper(self.folder, f"echo $4 >> {log}")
        self.assertEqual(slurm(plan, todo, range(0, 1), program=program, restarts=1), [0])
        self.assertEqual(log.read_text(), "1\n2\n3\n4\n")
        self.assert_merges_to_local(plan)

    def test_wrong_usage_is_refused(self) -> None:
        plan = self.plan(7)
        todo = self.list_missing(plan)
        self.assertEqual(slurm(plan, todo, range(0, 3), count=2), [2, 2, 2])  # An array with gaps.
        self.assertEqual(slurm(plan, plan / "no-list", range(0, 1)), [2])
        self.assertEqual(slurm(self.folder / "nothing", todo, range(0, 1)), [1])


class DaskTest(SweepTest):
    """Dask with worker processes on this machine."""

    def test_dask_equals_the_local_sweep(self) -> None:
        plan = self.plan(7)
        self.run_launcher(python("dask_sweep.py", plan, "--tilewalk", TILEWALK))
        self.assert_merges_to_local(plan)

    def test_failures_are_reported(self) -> None:
        killed_once = f'mkdir "{self.folder}/tried$4" 2>/dev/null && kill -9 $$'
        program = wrapper(self.folder, f"{REFUSE_SHARD_3}\n{killed_once}")
        plan = self.plan(7)
        errors = self.run_launcher(python("dask_sweep.py", plan, "--tilewalk", program), code=1)
        self.assertIn("shard 3 failed: error: refused", errors)
        self.assertIn("6 of 7 shards", errors)
        self.assertEqual(tilewalk("sweep", "missing", plan), "3\n")


if __name__ == "__main__":
    unittest.main()
