#!/usr/bin/env python3
"""Reads the levels of a Sokoban or LDtk file by the rules in docs/imports.md, for tests.

Usage: read.py FILE LEVEL [--solid SELECTOR] [--walkable SELECTOR] [--walls GLYPHS] [--floor GLYPHS]
[--boxes GLYPHS]. Prints one row per line: `#` for tiles that cannot be walked, else `.`.
For a Sokoban level, `x` stands for tiles outside the walls.
"""

import argparse
import json
import os
import re

OPEN = "ladder door floor bridge stair path walkable platform empty".split()
DEEP = "water lava acid void".split()
SOLID = "wall solid collision collide block obstacle rock stone cliff tree".split()


def sokoban(text, number, options):
    blocks = []
    rows = []
    own = re.escape(options.walls + options.floor + options.boxes)
    for line in text.splitlines() + [""]:
        if re.search(f"[#{re.escape(options.walls)}]", line) and re.fullmatch(f"[#@+$*. _bBpPo{own}-]*", line):
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
        if not in_frame or (x, y) in outside or on_map and cells[y][x] in "#" + options.walls:
            continue
        outside.add((x, y))
        todo += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    met = {cells[y][x] for x, y in outside if 0 <= y < len(cells) and 0 <= x < width}
    if met & set("@+$*.bBpPo" + options.boxes):
        outside = {(x, y) for y, row in enumerate(rows) for x in range(len(row), width)}
    for y, row in enumerate(cells):
        glyphs = []
        for x, c in enumerate(row):
            if c in "#$*bB" + options.walls + options.boxes:
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


def ldtk(path, number, options):
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
    layers = layers if any(any(layer["intGridCsv"]) for layer in layers) else []
    tagged, others = tagged_tiles(project, level, options, not layers), level["layerInstances"]
    layers, painted = layers or others, layers
    side = min(layer["__gridSize"] for layer in layers)
    finest = next(layer for layer in layers if layer["__gridSize"] == side)
    for y in range(finest["__cHei"]):
        row = ""
        for x in range(finest["__cWid"]):
            solid = False
            for layer in painted:
                scale = layer["__gridSize"] // side
                value = layer["intGridCsv"][y // scale * layer["__cWid"] + x // scale]
                name = names.get((layer["__identifier"], value))
                solid |= value != 0 and is_solid(name or "", layer["__identifier"])
            row += "#" if tagged.get((x, y), solid) else "."
        print(row)


def tagged_tiles(project, level, options, by_name):
    """Returns whether tiles are solid by selectors, and without values by the names of tags and layers."""
    layers = level["layerInstances"]
    side = min(layer["__gridSize"] for layer in [each for each in layers if each["intGridCsv"]] or layers)
    tags = {}
    for tile_set in project["defs"].get("tilesets", []):
        for tag in tile_set["enumTags"]:
            for tile in tag["tileIds"]:
                tags.setdefault((tile_set["uid"], tile), []).append(tag["enumValueId"])

    def closes(kind, name):
        selector = f"{kind}:{name}"
        if selector in options.walkable:
            return False
        return True if selector in options.solid or by_name and kind != "entity" and has(name, SOLID) else None

    found = {}
    for layer in reversed(layers):
        for tile in layer.get("gridTiles", []) + layer.get("autoLayerTiles", []):
            at = tile["px"][0] // side, tile["px"][1] // side
            facts = [closes("tag", tag) for tag in tags.get((layer.get("__tilesetDefUid"), tile["t"]), [])]
            facts = [each for each in facts + [closes("layer", layer["__identifier"])] if each is not None]
            if facts:
                found[at] = facts[0]
    for layer in layers:
        for entity in layer.get("entityInstances", []):
            solid = closes("entity", entity["__identifier"])
            if solid is None:
                continue
            low = [(p - pivot * size) / side for p, pivot, size in zip(entity["px"], entity["__pivot"], (entity["width"], entity["height"]))]
            high = [at + size / side for at, size in zip(low, (entity["width"], entity["height"]))]
            spans = [half(*span) for span in zip(low, high)]
            for x in spans[0]:
                for y in spans[1]:
                    found[x, y] = solid
    return found


def half(low, high):
    """Returns the tiles of which at least half lies between two numbers."""
    if high - low <= 1:
        return [int((low + high) // 2)]
    return [tile for tile in range(int(low) - 1, int(high) + 2) if min(high, tile + 1) - max(low, tile) >= 0.5]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("level", type=int)
    for option in ("--solid", "--walkable"):
        parser.add_argument(option, action="append", default=[])
    for option in ("--walls", "--floor", "--boxes"):
        parser.add_argument(option, default="")
    options = parser.parse_args()
    if options.file.endswith(".ldtk"):
        ldtk(options.file, options.level, options)
    else:
        sokoban(open(options.file).read(), options.level, options)
