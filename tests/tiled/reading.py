"""Reads a map of Tiled and prints which tiles are solid, as rows of `#` and `.`.

An independent reading of the rules in docs/formats.md, for tests. Areas are counted with sample
points. Only the words of the test maps are known.
"""

import base64
import gzip
import json
import math
import os
import re
import struct
import sys
import xml.etree.ElementTree as ET
import zlib

SOLID = {"wall", "walls", "collision", "collisions", "solid", "obstacle", "obstacles"}
PICTURED = {"wall", "walls"}
DRAWN = {"no", "decoration", "above"}
TERRAIN = SOLID | {"water", "cliff"}
SAMPLES = 80
FOLDER = os.path.dirname(os.path.abspath(sys.argv[1]))


def words(name):
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name or "")
    return {part.lower() for part in parts}


def named_solid(name):
    return bool(words(name) & SOLID) and not words(name) & DRAWN


def convert(value, name):
    """Turns JSON into the elements of the XML format."""
    element = ET.Element(name)
    names = {"tilesets": "tileset", "tiles": "tile", "objects": "object"}
    kinds = {"tilelayer": "layer", "objectgroup": "objectgroup", "group": "group"}
    for key, item in value.items():
        if key == "layers":
            for layer in item:
                element.append(convert(layer, kinds.get(layer["type"], "imagelayer")))
        elif key == "properties":
            pairs = item.items() if isinstance(item, dict) else [(p["name"], p["value"]) for p in item]
            holder = ET.SubElement(element, "properties")
            for left, right in pairs:
                text = str(right).lower() if isinstance(right, bool) else str(right)
                ET.SubElement(holder, "property", name=left, value=text)
        elif key == "tileproperties":
            for number, pairs in item.items():
                element.append(convert({"id": int(number), "properties": pairs}, "tile"))
        elif key in names and isinstance(item, list):
            for each in item:
                element.append(convert(each, names[key]))
        elif key == "objectgroup":
            element.append(convert(item, key))
        elif key in ("polyline", "polygon"):
            points = " ".join(f"{p['x']},{p['y']}" for p in item)
            ET.SubElement(element, key, points=points)
        elif key in ("point", "ellipse") and item:
            ET.SubElement(element, key)
        elif key in ("data", "chunks"):
            data = ET.SubElement(element, "data", encoding=value.get("encoding", "csv"))
            data.set("compression", value.get("compression", ""))
            for chunk in item if key == "chunks" else []:
                sides = {k: str(v) for k, v in chunk.items() if k != "data"}
                ET.SubElement(data, "chunk", sides).text = ",".join(map(str, chunk["data"]))
            if key == "data":
                data.text = item if isinstance(item, str) else ",".join(map(str, item))
        elif isinstance(item, (str, int, float)):
            element.set(key, str(item).lower() if isinstance(item, bool) else str(item))
    return element


def load(path, root):
    text = open(path, encoding="utf-8").read()
    return convert(json.loads(text), root) if text.lstrip().startswith("{") else ET.fromstring(text)


def find(name):
    """Finds a file without regard to letter case."""
    path = FOLDER
    for part in name.replace("\\", "/").split("/"):
        if part != ".." and os.path.isdir(path):
            same = [each for each in os.listdir(path) if each.lower() == part.lower()]
            part = same[0] if same else part
        path = os.path.normpath(os.path.join(path, part))
    return path if os.path.exists(path) else None


def properties(element):
    return {p.get("name"): p.get("value", p.text or "") for p in element.findall("properties/property")}


def says(element):
    """True for walkable, False for solid, None if the properties say nothing."""
    answers = []
    for name, value in properties(element).items():
        name = name.lower()
        truth = value.lower() in ("true", "1", "yes", "")
        if name in ("solid", "collides", "blocked"):
            answers.append(not truth)
        elif name in ("walk", "walkable"):
            answers.append(truth)
        elif name == "cost":
            answers.append(True)
    return None if not answers else all(answers)


def numbers(data, text):
    if data.get("encoding") == "csv":
        return [int(part) for part in text.split(",") if part.strip()]
    raw = base64.b64decode(text)
    raw = {"zlib": zlib.decompress, "gzip": gzip.decompress}.get(data.get("compression"), bytes)(raw)
    return list(struct.unpack(f"<{len(raw) // 4}I", raw))


def contains(shape, x, y):
    kind, numbers = shape
    if kind == "ellipse":
        (left, top, width, height) = numbers
        return ((x - left) / width - 0.5) ** 2 + ((y - top) / height - 0.5) ** 2 <= 0.25
    inside = False
    for (ax, ay), (bx, by) in zip(numbers, numbers[1:] + numbers[:1]):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def shape(item, offset=(0, 0)):
    x, y = float(item.get("x", 0)) + offset[0], float(item.get("y", 0)) + offset[1]
    width, height = float(item.get("width", 0)), float(item.get("height", 0))
    if item.find("ellipse") is not None:
        return ("ellipse", (x, y, width, height))
    if item.find("point") is not None or item.find("polyline") is not None:
        return None
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    polygon = item.find("polygon")
    if polygon is not None:
        corners = [tuple(map(float, pair.split(","))) for pair in polygon.get("points").split()]
    turn = math.radians(float(item.get("rotation", 0)))
    cos, sin = math.cos(turn), math.sin(turn)
    return ("polygon", [(x + a * cos - b * sin, y + a * sin + b * cos) for a, b in corners])


def near(each, left, top, width, height):
    kind, numbers = each
    if kind == "ellipse":
        return True
    xs, ys = [x for x, _ in numbers], [y for _, y in numbers]
    return min(xs) < left + width and max(xs) > left and min(ys) < top + height and max(ys) > top


def covered(shapes, left, top, width, height):
    shapes = [each for each in shapes if near(each, left, top, width, height)]
    if not shapes:
        return 0
    hits = 0
    for row in range(SAMPLES):
        for column in range(SAMPLES):
            x = left + (column + 0.5) / SAMPLES * width
            y = top + (row + 0.5) / SAMPLES * height
            hits += sum(contains(each, x, y) for each in shapes) > 0
    return hits / SAMPLES**2


def template(item):
    if item.get("template") is None:
        return item
    inner = load(os.path.join(FOLDER, item.get("template")), "template").find("object")
    for key, value in inner.attrib.items():
        if item.get(key) is None:
            item.set(key, value)
    return item


def main():
    tree = load(sys.argv[1], "map")
    tile = (float(tree.get("tilewidth")), float(tree.get("tileheight")))
    step = (tile[1], tile[1]) if tree.get("orientation") == "isometric" else tile
    kinds, terrains = {}, {}
    for element in tree.findall("tileset"):
        first = int(element.get("firstgid"))
        path = element.get("source") and find(element.get("source"))
        if element.get("source"):
            if not path:
                continue
            element = load(path, "tileset")
        for each in element.findall("tile"):
            number = first + int(each.get("id"))
            kind = says(each)
            shapes = [shape(item) for item in each.findall("objectgroup/object")]
            if kind is None and named_solid(each.get("class") or each.get("type")):
                kind = False
            if kind is None and shapes and covered(shapes, 0, 0, *tile) >= 0.5:
                kind = False
            if kind is not None:
                kinds[number] = kind
            names = [t.get("name") for t in element.findall("terraintypes/terrain")]
            parts = each.get("terrain", "").split(",")
            closed = [p for p in parts if p and names[int(p)] and words(names[int(p)]) & TERRAIN]
            if closed and 2 * len(closed) >= len(parts):
                terrains[number] = False
        for wang in element.findall("wangsets/wangset"):
            names = [color.get("name") for color in wang.findall("wangcolor")]
            for each in wang.findall("wangtile"):
                parts = [int(p) for p in each.get("wangid").split(",") if int(p)]
                closed = [p for p in parts if words(names[p - 1]) & TERRAIN]
                if closed and 2 * len(closed) >= len(parts):
                    terrains[first + int(each.get("tileid"))] = False
    pictures = [layer for layer in tree.iter("layer") if can_be_picture(layer)]
    cells = draw(tree, kinds, pictures)
    used = list(cells)
    objects(tree, cells, tile, step)
    pictured = draw(pictures, {})
    if all(cells[at] is not False for at in pictured):
        cells = draw(tree, kinds)
        objects(tree, cells, tile, step)
    if all(kind is not False for kind in cells.values()):
        cells = draw(tree, {**terrains, **kinds})
    left, right = min(x for x, _ in used), max(x for x, _ in used)
    top, bottom = min(y for _, y in used), max(y for _, y in used)
    if tree.get("infinite") not in ("1", "true"):
        left, top, right, bottom = 0, 0, int(tree.get("width")) - 1, int(tree.get("height")) - 1
    for y in range(top, bottom + 1):
        print("".join("#" if cells.get((x, y)) is False else "." for x in range(left, right + 1)))


def can_be_picture(layer):
    name = layer.get("name")
    return says(layer) is None and named_solid(name) and words(name) & SOLID <= PICTURED


def draw(tree, kinds, unnamed=()):
    """Returns what the layers say. The names of the layers in `unnamed` do not count."""
    cells = {}
    for layer in tree if isinstance(tree, list) else tree.iter("layer"):
        own = says(layer)
        if own is None and layer not in unnamed and named_solid(layer.get("name")):
            own = False
        data = layer.find("data")
        blocks = [(c, c.attrib) for c in data.findall("chunk")] or [(data, layer.attrib)]
        for block, sides in blocks:
            width = int(sides["width"])
            for index, number in enumerate(numbers(data, block.text)):
                number &= 0x0FFFFFFF
                if number:
                    at = (int(sides.get("x", 0)) + index % width, int(sides.get("y", 0)) + index // width)
                    kind = kinds.get(number, own)
                    if kind is not None:
                        cells[at] = kind
                        continue
                    cells.setdefault(at, None)
    return cells


def objects(tree, cells, tile, step):
    freed = []
    for group in tree.iter("objectgroup"):
        if group in [inner for each in tree.iter("tile") for inner in each]:
            continue
        offset = (float(group.get("offsetx", 0)), float(group.get("offsety", 0)))
        layer = says(group)
        if layer is None and named_solid(group.get("name")):
            layer = False
        shapes = []
        for item in map(template, group.findall("object")):
            outline = shape(item, offset)
            kind = says(item)
            label = item.get("class") or item.get("type") or ""
            if label.lower() == "agent" or outline is None:
                continue
            if kind is None and named_solid(label):
                kind = False
            kind = layer if kind is None else kind
            if kind is False:
                shapes.append(outline)
            elif kind:
                freed.append(outline)
        for at in [(x, y) for x in range(-20, 60) for y in range(-20, 60)]:
            if cells.get(at) is None and shapes:
                if covered(shapes, at[0] * step[0], at[1] * step[1], *step) >= 0.5:
                    cells[at] = False
    for at in cells:
        if any(covered([each], at[0] * step[0], at[1] * step[1], *step) >= 0.5 for each in freed):
            cells[at] = True


main()
