"""Searches the parameters of a map for the best mean of a measure, with Optuna.

    python launchers/optuna_tune.py sweeps/flock.toml --by order

It runs `tilewalk eval FILE --set PATH=VALUE …` and reads the mean from the line of JSON. It varies the values
of `[vary]` in the sweep file: ranges with their scale, and lists as choices. The same seed gives the same
search. Exit codes: 0 better values were found; 1 the values of the map are as good; 2 `tilewalk eval` failed.
"""

import argparse
import json
import math
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable

import optuna

Suggest = Callable[[optuna.Trial], object]


class TuneError(Exception):
    """An error that ends the search. Its text is for the user."""


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Search parameters of a map for the best measure.")
    parser.add_argument("file", metavar="FILE", help="sweep file with the map, seeds and measures")
    parser.add_argument("--by", "--measure", required=True, metavar="MEASURE", dest="measure",
                        help="measure to improve")
    order = parser.add_mutually_exclusive_group()
    order.add_argument("--lowest", "--minimize", action="store_true", help="search for the lowest mean")
    order.add_argument("--highest", action="store_true", help="search for the highest mean (the default)")
    parser.add_argument("--vary", action="append", metavar="PATH=LOW:HIGH",
                        help="parameter and range, log scale (default: [vary] of the sweep file)")
    parser.add_argument("--trials", type=int, default=40, help="evaluations (default: 40)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the search (default: 0)")
    parser.add_argument("--tilewalk", default="tilewalk", help="the program")
    return parser.parse_args()


def read_range(text: str) -> tuple[str, Suggest]:
    """Parses `PATH=LOW:HIGH`."""
    path, _, bounds = text.rpartition("=")
    try:
        low, high = map(float, bounds.split(":"))
    except ValueError:
        raise TuneError(f"`{text}`: expected PATH=LOW:HIGH") from None
    if not path or not 0 < low < high:
        raise TuneError(f"`{text}`: expected a path and 0 < LOW < HIGH")
    return path, lambda trial: trial.suggest_float(path, low, high, log=True)


def varied(path: str, values: object) -> Suggest:
    """The suggestions for an entry of `[vary]`: a list or a range."""
    if isinstance(values, list):
        return lambda trial: trial.suggest_categorical(path, values)
    if not isinstance(values, dict) or not {"from", "to"} <= values.keys():
        raise TuneError(f"`{path}` in [vary]: expected a list or a range")
    low, high, is_log = values["from"], values["to"], values.get("scale") == "log"
    return lambda trial: trial.suggest_float(path, low, high, log=is_log)


def ranges(options: argparse.Namespace) -> dict[str, Suggest]:
    """The parameters to vary, by path."""
    if options.vary:
        return dict(map(read_range, options.vary))
    try:
        with open(options.file, "rb") as file:
            entries = tomllib.load(file).get("vary", {})
    except tomllib.TOMLDecodeError as error:
        raise TuneError(f"{options.file}: {error}") from None
    if not entries:
        raise TuneError(f"{options.file} has no [vary]: name a range with --vary PATH=LOW:HIGH")
    return {path: varied(path, values) for path, values in entries.items()}


def toml(value: object) -> str:
    """A value as in a map file. `repr` keeps all digits."""
    return json.dumps(value) if isinstance(value, (str, bool)) else repr(value)


def set_options(values: dict[str, object]) -> list[str]:
    """The options of `tilewalk eval` for values. `map` selects a map of the sweep."""
    pairs = values.items()
    sets = [word for path, value in pairs if path != "map" for word in ("--set", f"{path}={toml(value)}")]
    return sets + [word for path, value in pairs if path == "map" for word in ("--map", str(value))]


def evaluate(options: argparse.Namespace, values: dict[str, object]) -> float:
    """The mean of the measure with these values. NaN if it is undefined."""
    command = [options.tilewalk, "eval", options.file, *set_options(values)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 1:  # Some runs have errors: their values can't be compared.
        return math.nan
    if done.returncode != 0:
        raise TuneError(done.stderr.strip())
    measures = json.loads(done.stdout)["measures"]
    if options.measure not in measures:
        raise TuneError(f"unknown measure `{options.measure}`: expected {', '.join(measures)}")
    mean = measures[options.measure]["mean"]
    return math.nan if mean is None else float(mean)


def search(options: argparse.Namespace) -> optuna.Study:
    """Evaluates the trials and returns the study."""
    suggestions = ranges(options)

    def objective(trial: optuna.Trial) -> float:
        values = {path: suggest(trial) for path, suggest in suggestions.items()}
        mean = evaluate(options, values)
        print(f"{trial.number + 1} of {options.trials}: {mean:.6g}", file=sys.stderr)
        return mean  # Optuna marks a trial with NaN as failed and continues.

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    direction = "minimize" if options.lowest else "maximize"
    sampler = optuna.samplers.TPESampler(seed=options.seed)
    study = optuna.create_study(sampler=sampler, direction=direction)
    study.optimize(objective, n_trials=options.trials)
    return study


def main() -> int:
    """Runs the search and prints the best values. Returns the exit code."""
    options = arguments()
    shipped = evaluate(options, {})
    study = search(options)
    if not any(trial.state == optuna.trial.TrialState.COMPLETE for trial in study.trials):
        raise TuneError(f"`{options.measure}` is undefined in all trials")
    better = study.best_value < shipped if options.lowest else study.best_value > shipped
    better = better or math.isnan(shipped)
    print(f"mean of {options.measure}: {study.best_value:.6g} (values of the map: {shipped:.6g})")
    print("as options:", shlex.join(set_options(study.best_params)))
    print("as TOML:")
    for path, value in study.best_params.items():
        print(f'"{path}" = {toml(value)}')
    return 0 if better else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (TuneError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
