"""Reads a text map or a MovingAI map and prints each tile: `#` for solid, `.` for walkable, else the cost.

Usage: read.py FILE [--pad GLYPH] [--walls GLYPHS] [--floor GLYPHS] [--scen FILE] [--queries A..B]
FILE is a `.txt` or `.map` file, or a map file with `tiles_file` and `[legend]`. With `--scen`, one line
per query follows: the tiles of the start and of the goal.

An independent reading of docs/imports.md and docs/command-line.md, for tests.
"""

import argparse
import os
import unicodedata

WALL = None
TEXT = {".": 1, " ": 1, "#": WALL, "~": WALL, "=": 1, ",": 2, "+": 1, "T": WALL, "O": WALL}
MOVINGAI = {**dict.fromkeys(".GgSs", 1), **dict.fromkeys("@OTtW", WALL)}
# Glyphs of the legend that are not walkable or are opaque. A pillar (`O`) is only an obstacle.
ENDS = {"#", "~", "T", "+"}
SIDES = {"LEFT": (-1, 0), "RIGHT": (1, 0), "UP": (0, -1), "DOWN": (0, 1)}
BLOCKS = "░▒▓█"
DRAWN = {*map(chr, range(0x2500, 0x2580)), *BLOCKS, "|", "-"}


def text_rows(text, pad):
    rows = text.splitlines()
    while rows and not rows[0].strip():
        rows.pop(0)
    while rows and not rows[-1].strip():
        rows.pop()
    width = max(map(len, rows))
    return [row + pad * (width - len(row)) for row in rows]


def movingai_rows(text):
    lines = text.splitlines()
    start = lines.index("map")
    header = dict(line.split() for line in lines[:start])
    rows = lines[start + 1 :]
    if header["type"] == "octile-corner":
        # Height and width count corners. The heights of the corners come before the glyphs.
        high, wide = int(header["height"]), int(header["width"])
        rows = [row[: wide - 1] for row in rows[high : 2 * high - 1]]
    return rows


def drawn_walls(rows, chosen):
    """Returns the glyphs for walls, by their use in the map. The user has chosen the costs of some glyphs."""
    glyphs = {glyph for row in rows for glyph in row}
    walls = glyphs & DRAWN - set(chosen)
    costs = {**TEXT, **chosen}
    if all(costs.get(glyph, 1) is WALL for glyph in glyphs - walls):
        walls -= set([glyph for glyph in BLOCKS if glyph in walls][:1])
    ends = walls | ENDS - set(chosen) | {glyph for glyph in chosen if chosen[glyph] is WALL}
    joined = {glyph for glyph in walls if is_joined(glyph, rows, ends)}
    return joined if "|" in joined else joined - {"-"}


def is_joined(glyph, rows, ends):
    """Whether at least half of the tiles with a glyph are joined."""
    at = lambda x, y: rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else None
    tiles = [(x, y) for y, row in enumerate(rows) for x, each in enumerate(row) if each == glyph]
    sides = lines(glyph)
    joined = [any(at(x + a, y + b) in ends for a, b in sides) for x, y in tiles]
    return 2 * sum(joined) >= len(joined)


def lines(glyph):
    """Returns the sides to which a glyph has a line, by its name in Unicode."""
    words = set({"|": "VERTICAL", "-": "HORIZONTAL"}.get(glyph, unicodedata.name(glyph)).split())
    if words & {"BLOCK", "SHADE", "DIAGONAL"}:
        return SIDES.values()
    along = {"VERTICAL": ("UP", "DOWN"), "HORIZONTAL": ("LEFT", "RIGHT")}
    return [SIDES[side] for word in words for side in along.get(word, (word,)) if side in SIDES]


def token(cost):
    return "#" if cost is WALL else "." if cost == 1 else f"{cost:g}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--pad", default=".")
    parser.add_argument("--walls", default="")
    parser.add_argument("--floor", default="")
    parser.add_argument("--scen")
    parser.add_argument("--queries", default="1..50")
    options = parser.parse_args()
    path, legend = options.file, {}
    if path.endswith(".toml"):
        import tomllib  # since Python 3.11

        with open(path, "rb") as file:
            table = tomllib.load(file)
        for glyph, kind in table.get("legend", {}).items():
            legend[glyph] = kind.get("cost", 1) if kind.get("walk", True) and "obstacle" not in kind else WALL
        path = os.path.join(os.path.dirname(path), table["tiles_file"])
    chosen = {**dict.fromkeys(options.walls, WALL), **dict.fromkeys(options.floor, 1)}
    legend.update(chosen)
    with open(path, encoding="utf-8", newline=None) as file:
        text = file.read()
    if path.endswith(".map"):
        rows, costs = movingai_rows(text), {**MOVINGAI, **legend}
    else:
        rows = text_rows(text, options.pad)
        costs = {**TEXT, **dict.fromkeys(drawn_walls(rows, chosen), WALL), **legend}
    for row in rows:
        print(" ".join(token(costs.get(glyph, 1)) for glyph in row))
    if options.scen:
        first, last = map(int, options.queries.split(".."))
        with open(options.scen) as file:
            for line in file.read().splitlines()[first : last + 1]:
                x, y, goal_x, goal_y = line.split()[4:8]
                print(x, y, goal_x, goal_y)


if __name__ == "__main__":
    main()
