"""Runs the missing shards of a sweep plan on a Ray cluster and publishes the results.

    tilewalk sweep plan sweeps/flock.toml --shards 1000 --output plan
    python launchers/ray_sweep.py plan --address auto
    tilewalk sweep merge plan --output runs.csv

No shared folder is needed. If it is interrupted, the same command continues. Exit codes: 0 all shards
have a result; 1 shards are missing or differ; 2 the sweep could not start; 130 interrupted.
"""

import argparse
import sys

import ray

import shards


def arguments() -> argparse.Namespace:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Run the missing shards of a sweep plan on Ray.")
    parser.add_argument("folder", metavar="DIR", help="folder of `tilewalk sweep plan`")
    parser.add_argument("--address", help="address of the cluster, `auto` or `local`")
    parser.add_argument("--tilewalk", default="tilewalk", help="program, here and on the nodes")
    parser.add_argument("--ship-binary", action="store_true", help="send the program to the nodes")
    parser.add_argument("--retries", type=int, default=5, help="new attempts per shard (default: 5)")
    parser.add_argument("--in-flight", type=int, help="shards submitted at once (default: 4 per core)")
    return parser.parse_args()


def in_flight() -> int:
    """Shards to keep submitted: enough that no core of the cluster waits for the launcher."""
    return max(16, 4 * int(ray.cluster_resources().get("CPU", 0)))


def outcome(ref: ray.ObjectRef) -> bytes | str | Exception:
    """Returns the result of a finished task, or why there is none, such as a killed worker."""
    try:
        return ray.get(ref)
    except ray.exceptions.RayError as error:
        return OSError(f"{type(error).__name__}: {error}".splitlines()[0])


def run(sweep: shards.Sweep, most: int | None) -> None:
    """Submits the missing shards, a bounded number at a time, and accepts their results."""
    ray.cloudpickle.register_pickle_by_value(shards)  # The nodes have no copy of this module.
    # `Sweep` counts the attempts: a shard that failed goes to the end of its queue.
    task = ray.remote(max_retries=0)(shards.run_shard)
    plan, binary = ray.put(sweep.plan), ray.put(sweep.binary)
    pending: dict[ray.ObjectRef, int] = {}
    while True:
        for shard in sweep.next((most or in_flight()) - len(pending)):
            pending[task.remote(plan, sweep.tilewalk, binary, shard)] = shard
        if not pending:
            return
        ready, _ = ray.wait(list(pending), num_returns=1, timeout=1)
        if ready:
            ready, _ = ray.wait(list(pending), num_returns=len(pending), timeout=0)
        for ref in ready:
            sweep.accept(pending.pop(ref), outcome(ref))
        sweep.show_progress()


def main() -> int:
    """Runs the launcher. Returns the exit code."""
    options = arguments()
    sweep = shards.Sweep(options.folder, options.tilewalk, options.retries, options.ship_binary)
    if sweep.total > 0:
        ray.init(options.address, log_to_driver=False, logging_level="warning")
        run(sweep, options.in_flight)
    return sweep.finish()


if __name__ == "__main__":
    sys.exit(shards.exit_code(main, ray.exceptions.RayError))
