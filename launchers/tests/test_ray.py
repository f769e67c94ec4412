"""Ray on a cluster of several nodes, without a shared folder: equal bytes, even after kills."""

import os
import random
import shlex
import subprocess
import time
import unittest
from pathlib import Path

import psutil

from .support import RUNS, TILEWALK, Cluster, SweepTest, kill, python, tilewalk, wrapper

KILLS = int(os.environ.get("TILEWALK_KILLS", "100"))
SLOW = "sleep 0.2"

cluster: Cluster


def setUpModule() -> None:
    """Starts one cluster for all tests."""
    global cluster
    cluster = Cluster()
    unittest.addModuleCleanup(cluster.stop)
    cluster.start()


class RayTest(SweepTest):
    """Sweeps whose plans are in a folder that the nodes can't see."""

    def parent(self) -> str:
        return str(cluster.hidden)

    def command(self, plan: Path, *options: object, program: object = TILEWALK) -> list[str]:
        return python("ray_sweep.py", plan, "--address", cluster.address, "--tilewalk", program, *options)

    def start(self, command: list[str]) -> subprocess.Popen:
        """Starts a launcher that the test ends or waits for with `communicate`."""
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        launcher = subprocess.Popen(command, stderr=pipe, stdout=nothing, text=True)
        for clean_up in [launcher.stderr.close, launcher.wait, launcher.kill]:
            self.addCleanup(clean_up)  # The last one runs first.
        return launcher

    def program(self, script: str) -> Path:
        """Writes a wrapper to a folder that the nodes can see."""
        return wrapper(cluster.programs, script)

    def wait_for_results(self, plan: Path, count: int) -> None:
        deadline = time.monotonic() + 60
        while len(list(plan.glob("shard-*.csv"))) < count:
            self.assertLess(time.monotonic(), deadline, "no results")
            time.sleep(0.05)

    def test_merged_shards_equal_the_local_sweep(self) -> None:
        for shards in [1, 7, 64]:
            plan = self.plan(shards)
            self.run_launcher(self.command(plan))
            self.assert_merges_to_local(plan)
        self.assertEqual(self.run_launcher(self.command(plan)), "0 of 0 shards, 0.0 per second\n")

    def test_nodes_need_no_shared_folder(self) -> None:
        if not cluster.can_hide:
            self.skipTest("needs the right to mount")
        plan = self.plan(7)
        check = f'if [ -e "{plan}/plan.json" ]; then echo "error: the plan is visible" >&2; exit 2; fi'
        self.run_launcher(self.command(plan, program=self.program(check)))
        self.assert_merges_to_local(plan)

    def test_the_program_can_be_shipped(self) -> None:
        plan = self.plan(7)
        where = self.folder / "only-here" / "tilewalk"
        where.parent.mkdir()
        where.write_bytes(Path(TILEWALK).read_bytes())
        where.chmod(0o755)
        self.run_launcher(self.command(plan, "--ship-binary", program=where))
        self.assert_merges_to_local(plan)

    def test_killed_workers_do_not_change_the_result(self) -> None:
        seed = random.SystemRandom().randrange(2**32)
        choice, kills = random.Random(seed), 0
        program = self.program(SLOW)
        while kills < KILLS:
            plan = self.plan(RUNS)
            command = self.command(plan, "--retries", KILLS, program=program)
            launcher = self.start(command)
            while launcher.poll() is None and kills < KILLS:
                time.sleep(choice.uniform(0.02, 0.5))
                if busy := cluster.busy_workers():
                    kills += kill(choice.choice(busy))
            errors = launcher.communicate()[1]
            self.assertEqual(launcher.returncode, 0, f"seed {seed}: {errors}")
            self.assert_merges_to_local(plan)

    def test_a_killed_worker_leaves_no_orphan(self) -> None:
        plan = self.plan(1)
        command = self.command(plan, program=self.program("exec sleep 60"))
        launcher = self.start(command)
        deadline = time.monotonic() + 60
        while len(busy := cluster.busy_workers()) < 2:
            self.assertLess(time.monotonic(), deadline, "no shard runs")
            time.sleep(0.05)
        worker, shard = busy
        worker.kill()
        psutil.wait_procs([shard], timeout=10)
        self.assertFalse(shard.is_running())

    def test_a_sweep_continues_after_its_launcher_is_killed(self) -> None:
        plan = self.plan(RUNS)
        command = self.command(plan, program=self.program(SLOW))
        launcher = self.start(command)
        self.wait_for_results(plan, 10)
        launcher.kill()
        launcher.communicate()
        before = {path: path.stat().st_ino for path in plan.glob("shard-*.csv")}
        self.assertLess(len(before), RUNS)
        errors = self.run_launcher(command)
        self.assertIn(f"{RUNS - len(before)} of {RUNS - len(before)} shards", errors)
        self.assertEqual({path: path.stat().st_ino for path in before}, before)
        self.assert_merges_to_local(plan)

    def test_a_removed_node_does_not_change_the_result(self) -> None:
        node = cluster.add_node()
        plan = self.plan(RUNS)
        command = self.command(plan, program=self.program(SLOW))
        launcher = self.start(command)
        self.wait_for_results(plan, 10)
        deadline = time.monotonic() + 30
        while not any(worker.cmdline()[:1] == ["ray::run_shard"] for worker in self.processes(node)):
            self.assertLess(time.monotonic(), deadline, "the node runs no shard")
            time.sleep(0.02)
        cluster.remove(node)
        errors = launcher.communicate()[1]
        self.assertEqual(launcher.returncode, 0, errors)
        self.assert_merges_to_local(plan)

    def processes(self, node: subprocess.Popen) -> list[psutil.Process]:
        """Returns the processes of a node that still exist."""
        children = psutil.Process(node.pid).children(recursive=True)
        return [process for process in children if process.is_running()]

    def test_a_refused_shard_is_reported_once(self) -> None:
        log = cluster.programs / "attempts"
        refuse = 'if [ "$4" -lt 2 ]; then echo "error: refused" >&2; exit 2; fi'
        program = self.program(f"echo $4 >> {log}; {refuse}")
        plan = self.plan(7)
        errors = self.run_launcher(self.command(plan, program=program), code=1)
        self.assertEqual(errors.count("error: refused"), 1)
        self.assertIn("missing shards (2): 0 1", errors)
        self.assertEqual(sorted(map(int, log.read_text().split())), list(range(7)))
        self.assertEqual(tilewalk("sweep", "missing", plan), "0\n1\n")
        self.run_launcher(self.command(plan))
        self.assert_merges_to_local(plan)

    def test_a_truncated_result_is_not_published(self) -> None:
        program = self.program(f'{TILEWALK} "$@" | head -c -5; exit 0')
        plan = self.plan(7)
        errors = self.run_launcher(self.command(plan, "--retries", 1, program=program), code=1)
        self.assertIn("the result is truncated", errors)
        self.assertIn("7 retried, 7 failed", errors)
        self.assertEqual(list(plan.glob("*shard-*")), [])

    def test_a_different_result_is_refused_and_kept(self) -> None:
        plan = self.plan(7)
        # The nodes compute wrong rows of the last shard; meanwhile, another launcher publishes it.
        wrong = f'if [ "$4" = 6 ]; then {TILEWALK} "$@" | sed s/,50,/,51,/; exit; fi'
        program = self.program(f"sleep 1; {wrong}")
        launcher = self.start(self.command(plan, program=program))
        self.wait_for_results(plan, 1)
        tilewalk("sweep", "shard", plan, 6)
        errors = launcher.communicate()[1]
        self.assertEqual(launcher.returncode, 1, errors)
        self.assertIn("shard 6: another result exists", errors)
        conflict = plan / "shard-00006.csv.conflict"
        self.assertIn(b",51,", conflict.read_bytes())
        conflict.unlink()
        self.assert_merges_to_local(plan)

    def test_a_full_disk_ends_the_launcher_without_loss(self) -> None:
        if not cluster.can_hide:
            self.skipTest("needs the right to mount")
        plan, merged = self.plan(7), self.folder / "merged.csv"
        script = f"""
            cp {plan}/plan.json {self.folder}/plan.json
            mount -t tmpfs -o size=64k none {plan} && cp {self.folder}/plan.json {plan} || exit 9
            head -c 48k /dev/zero > {plan}/filler
            {shlex.join(self.command(plan))} 2>&1; echo "code $?"
            ls -A {plan}; echo "missing:" $({TILEWALK} sweep missing {plan})
            rm {plan}/filler
            {shlex.join(self.command(plan))} && {TILEWALK} sweep merge {plan} --output {merged}
        """
        done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, f"{done.stdout}\n{done.stderr}")
        self.assertIn("error: [Errno 28] No space left on device\ncode 2\n", done.stdout)
        names = [line for line in done.stdout.splitlines() if "shard-" in line]
        missing = done.stdout.split("missing:")[1].splitlines()[0].split()
        self.assertEqual(len(names) + len(missing), 7, done.stdout)
        self.assertGreater(len(missing), 0)
        self.assertEqual(merged.read_bytes(), self.local)

    def test_a_broken_installation_stops_the_sweep(self) -> None:
        plan = self.plan(RUNS)
        errors = self.run_launcher(self.command(self.folder / "nothing"), code=2)
        self.assertTrue(errors.strip(), "no message")
        program = self.program("exit 1")
        errors = self.run_launcher(self.command(plan, "--retries", 0, program=program), code=1)
        self.assertIn(f"{RUNS} failed", errors)
        self.assertIn("missing shards (64)", errors)
        errors = self.run_launcher(self.command(plan, program=self.folder / "nothing"), code=2)
        self.assertIn("cannot find the program", errors)


if __name__ == "__main__":
    unittest.main()
