"""Parses files of Tiled for reading.py: XML and JSON, tile sets, templates and tile data.

Follows the format's documentation (https://doc.mapeditor.org) and docs/imports.md. JSON becomes the
elements of the XML format.
"""

import base64
import gzip
import json
import os
import struct
import sys
import xml.etree.ElementTree as ET
import zlib

FLIPS = 0xF0000000
LAYERS = {"tilelayer": "layer", "objectgroup": "objectgroup", "group": "group"}
LISTS = {
    "tilesets": "tileset",
    "tiles": "tile",
    "objects": "object",
    "wangsets": "wangset",
    "colors": "wangcolor",
    "wangtiles": "wangtile",
    "terrains": "terrain",
}


def text(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


def convert(value, name):
    """Turns a JSON object into an element."""
    element = ET.Element(name)
    for key, item in value.items():
        if key == "layers":
            for layer in item:
                element.append(convert(layer, LAYERS.get(layer["type"], "imagelayer")))
        elif key == "properties":
            pairs = item.items() if isinstance(item, dict) else [(p["name"], p["value"]) for p in item]
            holder = ET.SubElement(element, "properties")
            for left, right in pairs:
                if isinstance(right, dict):
                    holder.append(convert({"name": left, "properties": right}, "property"))
                else:
                    ET.SubElement(holder, "property", name=left, value=text(right))
        elif key == "tileproperties":
            for number, pairs in item.items():
                element.append(convert({"id": int(number), "properties": pairs}, "tile"))
        elif key == "tiles" and isinstance(item, dict):
            for number, each in item.items():
                element.append(convert({**each, "id": int(number)}, "tile"))
        elif key in LISTS and isinstance(item, list):
            for each in item:
                element.append(convert(each, LISTS[key]))
        elif key in ("terrain", "wangid") and isinstance(item, list):
            element.set(key, ",".join("" if part == -1 else str(part) for part in item))
        elif key in ("objectgroup", "object"):
            element.append(convert(item, key))
        elif key in ("polyline", "polygon"):
            points = " ".join(f"{p['x']},{p['y']}" for p in item)
            ET.SubElement(element, key, points=points)
        elif key in ("point", "ellipse", "text") and item:
            ET.SubElement(element, key)
        elif key in ("data", "chunks"):
            element.append(convert_data(value, item, key == "chunks"))
        elif isinstance(item, (str, int, float)):
            element.set(key, text(item))
    return element


def convert_data(layer, item, chunked):
    data = ET.Element("data", encoding=layer.get("encoding", "csv"))
    data.set("compression", layer.get("compression", ""))
    written = lambda tiles: tiles if isinstance(tiles, str) else ",".join(map(str, tiles))
    for chunk in item if chunked else []:
        sides = {key: str(value) for key, value in chunk.items() if key != "data"}
        ET.SubElement(data, "chunk", sides).text = written(chunk["data"])
    if not chunked:
        data.text = written(item)
    return data


def load(path, root):
    with open(path, encoding="utf-8-sig") as file:
        content = file.read()
    return convert(json.loads(content), root) if content.lstrip().startswith("{") else ET.fromstring(content)


class Project:
    """Finds the files that a map names."""

    def __init__(self, map_path, root=None, tile_sets=None):
        self.folder = os.path.dirname(os.path.abspath(map_path))
        self.root = os.path.abspath(root) if root else self.nearest_root()
        self.tile_sets = tile_sets

    def nearest_root(self):
        folder = self.folder
        while True:
            names = os.listdir(folder)
            if ".git" in names or any(name.endswith(".tiled-project") for name in names):
                return folder
            if folder == os.path.dirname(folder):
                return os.path.dirname(os.path.dirname(self.folder))
            folder = os.path.dirname(folder)

    def find(self, name, base=None):
        """Finds a file without regard to letter case. Returns None if it is missing."""
        name = name.replace("\\", "/")
        if name.startswith("/") or ":" in name:
            return self.find_moved(name)
        path = base or self.folder
        for part in name.split("/"):
            exact = os.path.normpath(os.path.join(path, part))
            if part not in (".", "..") and not os.path.exists(exact) and os.path.isdir(path):
                same = [each for each in sorted(os.listdir(path)) if each.lower() == part.lower()]
                exact = os.path.join(path, same[0]) if same else exact
            path = exact
        if os.path.commonpath([self.root, path]) != self.root:
            moved = self.find_moved(name)
            return moved or sys.exit(f"refused: {name} is outside the project")
        return path if os.path.isfile(path) else self.find_moved(name)

    def find_moved(self, name):
        last = name.split("/")[-1].lower()
        for folder, _, files in os.walk(self.tile_sets) if self.tile_sets else []:
            for each in sorted(files):
                if each.lower() == last:
                    return os.path.join(folder, each)
        return None

    def with_template(self, item):
        """Adds what an object inherits from its template: attributes, shape and properties."""
        path = item.get("template") and self.find(item.get("template"))
        if not path:
            return item
        inner = load(path, "template").find("object")
        for key, value in inner.attrib.items():
            if item.get(key) is None:
                item.set(key, value)
        for child in inner:
            if child.tag != "properties" and item.find(child.tag) is None:
                item.append(child)
        own, holder = properties(item), item.find("properties")
        holder = ET.SubElement(item, "properties") if holder is None else holder
        for each in inner.findall("properties/property"):
            if each.get("name") not in own:
                holder.append(each)
        return item


def properties(element):
    """Returns the values of the properties by name, including those in a property of a class."""
    found = {}
    for each in element.findall("properties/property"):
        if each.find("properties") is not None:
            found.update(properties(each))
        else:
            found[each.get("name")] = each.get("value", each.text or "")
    return found


def numbers(data, block):
    """Returns the global tile numbers of a block of data, with flips."""
    if data.get("encoding") == "csv":
        found = [int(part) for part in (block.text or "").split(",") if part.strip()]
    elif data.get("encoding") == "base64":
        raw = base64.b64decode(block.text or "")
        compression = data.get("compression") or None
        if compression not in (None, "zlib", "gzip"):
            sys.exit(f"skipped: {compression}")
        raw = {"zlib": zlib.decompress, "gzip": gzip.decompress, None: bytes}[compression](raw)
        found = struct.unpack(f"<{len(raw) // 4}I", raw)
    else:
        found = [int(tile.get("gid", 0)) for tile in block.findall("tile")]
    return found


def tiles_of(layer):
    """Yields the position and the number of each tile of a layer."""
    data = layer.find("data")
    if data is None:
        return
    blocks = [(chunk, chunk.attrib) for chunk in data.findall("chunk")]
    for block, sides in blocks or [(data, layer.attrib)]:
        width = int(sides["width"])
        for index, number in enumerate(numbers(data, block)):
            if number:
                yield (int(sides.get("x", 0)) + index % width, int(sides.get("y", 0)) + index // width), number
