#!/usr/bin/env bash
# Tests the launchers. It needs a release build of tilewalk (or its path in TILEWALK) and Python 3.11.
#
#   launchers/test.sh                         # makes a virtual environment in target/launchers
#   TILEWALK_LAUNCHERS=DIR launchers/test.sh  # uses the virtual environment DIR
#
# TILEWALK_KILLS is the number of workers to kill under Ray (default: 100). Words are passed on to
# unittest, such as `-v` or `tests.test_ray`.
set -euo pipefail
launchers=$(cd "$(dirname "$0")" && pwd)
TILEWALK=$(realpath -m "${TILEWALK:-$launchers/../target/release/tilewalk}")
export TILEWALK
if [ ! -x "$TILEWALK" ]; then
  echo "no program at $TILEWALK: run cargo build --release" >&2
  exit 2
fi

env=$(realpath -m "${TILEWALK_LAUNCHERS:-$launchers/../target/launchers}")
cd "$launchers"
if [ -z "${TILEWALK_LAUNCHERS:-}" ]; then
  python3 -m venv "$env"
  "$env/bin/pip" install --quiet --requirement requirements.txt
fi
export PYTHONDONTWRITEBYTECODE=1
if [ $# -eq 0 ]; then
  set -- discover --top-level-directory . tests
fi
exec "$env/bin/python" -m unittest "$@"
