"""The search of optuna_tune.py: a known optimum, and the values it prints against `tilewalk eval`."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

from .support import TILEWALK, SweepTest, python, tilewalk

# A stand-in for `tilewalk eval` with its best mean, 1, at separation 0.5 and cohesion 2.
PEAK = f"""#!{sys.executable}
import json, math, sys
sets = dict(word.split("=") for word in sys.argv[3:] if word != "--set")
value = lambda name: math.log(float(sets.get(f"boid.steer.{{name}}.weight", 1)))
mean = 1 - (value("separation") - math.log(0.5)) ** 2 - (value("cohesion") - math.log(2)) ** 2
print(json.dumps({{"runs": 1, "measures": {{"order": {{"mean": mean}}, "never": {{"mean": None}}}}}}))
"""


SPEEDS = '"boid.body.max_speed" = [0.5, 1, 2, 4]'
WEIGHTS = """"boid.steer.separation.weight" = { from = 0.05, to = 5, scale = "log" }
"boid.steer.cohesion.weight" = { from = 0.05, to = 5, scale = "log" }"""


class OptunaTest(SweepTest):
    """Searches with a stand-in and with tilewalk itself."""

    def setUp(self) -> None:
        super().setUp()
        text = self.sweep.read_text()
        self.assertIn(SPEEDS, text)
        self.sweep.write_text(text.replace(SPEEDS, WEIGHTS).replace("[vary]", 'design = "halton"\npoints = 4\n[vary]'))

    def tune(self, *options: object, program: object = TILEWALK) -> subprocess.CompletedProcess:
        measure = [] if "--by" in options or "--measure" in options else ["--by", "order"]
        command = python("optuna_tune.py", self.sweep, "--tilewalk", program, *measure, *options)
        return subprocess.run(command, capture_output=True, text=True)

    def peak(self) -> Path:
        path = self.folder / "peak"
        path.write_text(PEAK)
        path.chmod(0o755)
        return path

    def test_a_known_optimum_is_found(self) -> None:
        done = self.tune("--trials", 60, program=self.peak())
        self.assertEqual(done.returncode, 0, done.stderr)
        mean = float(done.stdout.split(": ")[1].split()[0])
        self.assertGreater(mean, 0.95)
        self.assertEqual(done.stdout, self.tune("--trials", 60, program=self.peak()).stdout)

    def test_the_printed_values_have_the_printed_mean(self) -> None:
        done = self.tune("--trials", 3)
        self.assertIn(done.returncode, [0, 1], done.stderr)
        first, options, _, *toml = done.stdout.splitlines()
        report = json.loads(tilewalk("eval", self.sweep, *options.removeprefix("as options: ").split()))
        mean = report["measures"]["order"]["mean"]
        self.assertTrue(first.startswith(f"mean of order: {mean:.6g} "), first)
        values = [line.replace('"', "").replace(" ", "") for line in toml]
        self.assertEqual(options, "as options: " + " ".join(f"--set {value}" for value in values))

    def test_without_better_values_the_exit_code_is_1(self) -> None:
        bad = ["boid.steer.separation.weight=3:4", "boid.steer.cohesion.weight=0.1:0.2"]
        options = ["--trials", 3, "--vary", bad[0], "--vary", bad[1]]
        self.assertEqual(self.tune(*options, program=self.peak()).returncode, 1)
        self.assertEqual(self.tune(*options, "--minimize", program=self.peak()).returncode, 0)
        self.assertEqual(self.tune(*options, "--lowest", program=self.peak()).returncode, 0)

    def test_the_ranges_are_those_of_the_sweep_file(self) -> None:
        narrow = '"boid.steer.cohesion.weight" = [1.5, 2.5]\n"boid.steer.separation.weight" = { from = 2, to = 3 }'
        self.sweep.write_text(self.sweep.read_text().replace(WEIGHTS, narrow))
        done = self.tune("--trials", 5, "--lowest", program=self.peak())
        self.assertEqual(done.returncode, 0, done.stderr)
        values = dict(line.replace('"', "").split(" = ") for line in done.stdout.splitlines()[3:])
        self.assertIn(float(values["boid.steer.cohesion.weight"]), [1.5, 2.5])
        self.assertTrue(2 <= float(values["boid.steer.separation.weight"]) <= 3, values)
        self.sweep.write_text(self.sweep.read_text().replace("[vary]", "[other]"))
        done = self.tune(program=self.peak())
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("has no [vary]", done.stderr)

    def test_errors_are_reported_without_traceback(self) -> None:
        cases = [
            (["--measure", "nothing"], "unknown measure `nothing`"),
            (["--vary", "boid.steer.separation.weight"], "expected PATH=LOW:HIGH"),
            (["--vary", "boid.steer.separation.weight=4:2"], "0 < LOW < HIGH"),
            (["--measure", "never", "--trials", "2"], "is undefined in all trials"),
        ]
        for options, message in cases:
            done = self.tune(*options, program=self.peak())
            self.assertEqual(done.returncode, 2)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        done = self.tune("--vary", "nothing.at.all=1:2")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("error:", done.stderr)


if __name__ == "__main__":
    unittest.main()
