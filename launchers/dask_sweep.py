"""Runs the missing shards of a sweep plan on Dask. Exit codes are those of ray_sweep.py."""

import argparse
import sys

from distributed import Client, Future, as_completed

import shards


def main() -> int:
    """Keeps a few shards per core submitted and publishes their results. Returns the exit code."""
    parser = argparse.ArgumentParser(description="Run the missing shards of a sweep plan on Dask.")
    parser.add_argument("folder", metavar="DIR", help="folder of `tilewalk sweep plan`")
    parser.add_argument("--address", help="address of the scheduler (default: this machine's cores)")
    parser.add_argument("--tilewalk", default="tilewalk", help="program, here and on the workers")
    options = parser.parse_args()
    sweep = shards.Sweep(options.folder, options.tilewalk, retries=5)
    local = {} if options.address else {"threads_per_worker": 1, "dashboard_address": None}
    with Client(options.address, **local) as client:
        client.upload_file(shards.__file__)
        plan = client.scatter(sweep.plan)
        numbers: dict[str, int] = {}

        def submit(shard: int) -> Future:
            values = (plan, sweep.tilewalk, None, shard)
            future = client.submit(shards.run_shard, *values, pure=False)
            numbers[future.key] = shard
            return future

        finished = as_completed(map(submit, sweep.next(4 * sum(client.ncores().values()))))
        for future in finished:
            sweep.accept(numbers.pop(future.key), future.exception() or future.result())
            finished.update(map(submit, sweep.next(1)))
            sweep.show_progress()
    return sweep.finish()


if __name__ == "__main__":
    sys.exit(shards.exit_code(main))
