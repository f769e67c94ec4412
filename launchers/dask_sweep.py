"""Runs the missing shards of a sweep plan on Dask: dask_sweep.py DIR [SCHEDULER [TILEWALK]].

Without a scheduler, it uses the cores of this machine. Exit codes are those of ray_sweep.py.
"""

import sys

from distributed import Client, Future, as_completed

import shards


def main(folder: str, scheduler: str | None = None, tilewalk: str = "tilewalk") -> int:
    """Keeps a few shards per core submitted and publishes their results. Returns the exit code."""
    sweep = shards.Sweep(folder, tilewalk, retries=5)
    local = {} if scheduler else {"threads_per_worker": 1, "dashboard_address": None}
    with Client(scheduler, **local) as client:
        client.upload_file(shards.__file__)
        plan = client.scatter(sweep.plan)
        shard_of: dict[str, int] = {}

        def submit(shard: int) -> Future:
            values = (plan, sweep.tilewalk, None, shard)
            future = client.submit(shards.run_shard, *values, pure=False)
            shard_of[future.key] = shard
            return future

        finished = as_completed(map(submit, sweep.next(4 * sum(client.ncores().values()))))
        for future in finished:
            sweep.accept(shard_of.pop(future.key), future.exception() or future.result())
            finished.update(map(submit, sweep.next(1)))
            sweep.show_progress()
    return sweep.finish()


if __name__ == "__main__":
    sys.exit(shards.exit_code(lambda: main(*sys.argv[1:])))
