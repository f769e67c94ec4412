#!/usr/bin/env bash
# Runs the missing shards of a sweep plan with GNU parallel, on all cores of this machine:
#
#   launchers/parallel_sweep.sh DIR [OPTIONS OF PARALLEL]
#
# Options are passed on, such as `--jobs 4`, or `--sshloginfile hosts` if all hosts share DIR. Exit codes:
# 0 all shards have a result; 1 shards are missing; 2 the sweep could not start.
set -euo pipefail

if [ $# -lt 1 ]; then
  echo "usage: $0 DIR [OPTIONS OF PARALLEL]" >&2
  exit 2
fi
dir=$1
shift
tilewalk=${TILEWALK:-tilewalk}
todo=$("$tilewalk" sweep missing "$dir") || exit 2
[ -n "$todo" ] || exit 0
bar=$([ -t 2 ] && echo --bar || true)

# The exit code of parallel counts failed jobs. What matters is which shards have a result.
# The shell of a job must not split DIR: --quote keeps each word of the command as it is.
parallel --quote --retries 3 $bar --joblog "$dir/parallel.log" "$@" \
  "$tilewalk" sweep shard "$dir" {} <<< "$todo" || true

missing=$("$tilewalk" sweep missing "$dir") || exit 2
if [ -n "$missing" ]; then
  echo "missing shards:" $missing >&2
  exit 1
fi
