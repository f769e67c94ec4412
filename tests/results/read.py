#!/usr/bin/env python3
"""Reads results of `tilewalk test` with independent readers, for tests.

Usage: read.py junit FILE, or read.py tap FILE. Prints one line per test: its name and its result, one of
pass, fail, error and known. Needs the packages junitparser and tap.py, and for its blocks pyyaml and
more-itertools.
"""

import sys

try:
    import junitparser
    import more_itertools  # tap.py reads blocks only with these two.
    import tap.parser
    import yaml
except ImportError as error:
    sys.exit(f"skipped: {error}")


def junit(path):
    for suite in junitparser.JUnitXml.fromfile(path):
        cases = list(suite)
        kinds = [kind(case) for case in cases]
        counts = [suite.tests, suite.failures, suite.errors, suite.skipped]
        found = [len(cases), *(kinds.count(word) for word in ("fail", "error", "known"))]
        assert counts == found, (counts, found)
        for case, word in zip(cases, kinds):
            print(f"{case.classname}::{case.name}: {word}")


def kind(case):
    words = {junitparser.Failure: "fail", junitparser.Error: "error", junitparser.Skipped: "known"}
    results = [words[type(result)] for result in case.result]
    assert len(results) <= 1, results
    return results[0] if results else "pass"


def tap_lines(path):
    planned, seen = None, 0
    for line in tap.parser.Parser().parse_file(path):
        if line.category == "plan":
            planned = line.expected_tests
        if line.category == "test":
            seen += 1
            block = line.yaml_block or {}
            word = "known" if line.todo else "pass" if line.ok else block.get("verdict")
            word = "error" if word == "timeout" else word
            print(f"{line.description.removeprefix('- ')}: {word}")
        assert line.category != "unknown", line
    assert planned == seen, (planned, seen)


if __name__ == "__main__":
    {"junit": junit, "tap": tap_lines}[sys.argv[1]](sys.argv[2])
