#!/usr/bin/env python3
"""Reads the levels of a Sokoban or LDtk file by the rules in docs/imports.md, for tests.

Usage: read.py FILE LEVEL. Prints one row per line: `#` for tiles that cannot be walked, else `.`.
For a Sokoban level, `x` stands for tiles outside the walls.
"""

import json
import os
import re
import sys

OPEN = "ladder door floor bridge stair path walkable platform empty".split()
DEEP = "water lava acid void".split()
SOLID = "wall solid collision collide block obstacle rock stone cliff tree".split()


def sokoban(text, number):
    blocks = []
    rows = []
    for line in text.splitlines() + [""]:
        if "#" in line and re.fullmatch(r"[#@+$*. _bBpPo-]*", line):
            rows.append(line.rstrip())
        elif rows:
            blocks.append(rows)
            rows = []
    rows = blocks[number - 1]
    width = max(map(len, rows))
    cells = [list(row.ljust(width)) for row in rows]
    # Floor lies outside if it is connected with a frame around the level.
    outside = set()
    todo = [(-1, -1)]
    while todo:
        x, y = todo.pop()
        in_frame = -1 <= y <= len(cells) and -1 <= x <= width
        on_map = 0 <= y < len(cells) and 0 <= x < width
        if not in_frame or (x, y) in outside or on_map and cells[y][x] == "#":
            continue
        outside.add((x, y))
        todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    met = {cells[y][x] for x, y in outside if 0 <= y < len(cells) and 0 <= x < width}
    if met & set("@+$*.bBpPo"):
        outside = {(x, y) for y, row in enumerate(rows) for x in range(len(row), width)}
    for y, row in enumerate(cells):
        glyphs = []
        for x, c in enumerate(row):
            if c in "#$*bB":
                glyphs.append("#")
            else:
                glyphs.append("x" if (x, y) in outside else ".")
        print("".join(glyphs))


def has(name, starts):
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)
    return any(word.lower().startswith(start) for word in words for start in starts)


def is_solid(value, layer):
    if has(value, OPEN):
        return False
    return has(value, DEEP + SOLID) or has(layer, SOLID)


def ldtk(path, number):
    project = json.load(open(path))
    levels = project["levels"] + [level for world in project.get("worlds", []) for level in world["levels"]]
    level = levels[number - 1]
    if level["layerInstances"] is None:
        level = json.load(open(os.path.join(os.path.dirname(path), level["externalRelPath"])))
    names = {
        (layer["identifier"], value["value"]): value["identifier"]
        for layer in project["defs"]["layers"]
        for value in layer["intGridValues"]
    }
    layers = [layer for layer in level["layerInstances"] if layer["intGridCsv"]]
    side = min(layer["__gridSize"] for layer in layers)
    finest = next(layer for layer in layers if layer["__gridSize"] == side)
    for y in range(finest["__cHei"]):
        row = ""
        for x in range(finest["__cWid"]):
            solid = False
            for layer in layers:
                scale = layer["__gridSize"] // side
                value = layer["intGridCsv"][y // scale * layer["__cWid"] + x // scale]
                name = names.get((layer["__identifier"], value))
                solid |= value != 0 and is_solid(name or "", layer["__identifier"])
            row += "#" if solid else "."
        print(row)


if __name__ == "__main__":
    file, level = sys.argv[1], int(sys.argv[2])
    if file.endswith(".ldtk"):
        ldtk(file, level)
    else:
        sokoban(open(file).read(), level)
