"""Reads a map of Tiled and prints each tile: `#` for solid, `.` for walkable, else the route cost.

Usage: reading.py FILE [--solid SELECTOR] [--walkable SELECTOR] [--root DIR] [--tilesets DIR]
FILE is a map of Tiled, or a map file with `tiles_file` and `[tiled]`.

An independent reading of the rules in docs/imports.md, for tests.
"""

import argparse
import os
import re
import sys
from collections import namedtuple

sys.dont_write_bytecode = True

import source
from shapes import Shape, covered, has_area, tiles_near
from source import Project, properties

NOUNS = """wall collision colision collide collider collidable solid obstacle blocked blocking blocker
impassable unwalkable nonwalkable barrier boundary""".split()
SOLID = {*NOUNS, *(noun + "s" for noun in NOUNS), "boundaries"}
DRAWN = set("""no non not without deco decor decoration decorations shadow shadows above over overlay top
tops background""".split())
NATURE = set("""water sea ocean lake river lava cliff cliffs rock rocks mountain mountains void hedge abyss
chasm""".split())
CLOSING = set("""solid collide collides collidable collision blocked blocks blocking blocker obstacle
impassable unwalkable wall""".split())
OPENING = {"walk", "walkable", "passable", "traversable"}
TRUTHS = {
    **dict.fromkeys(("true", "1", "yes", "on", ""), True),
    **dict.fromkeys(("false", "0", "no", "off", "none"), False),
}
BUILT_IN = {".": 1, " ": 1, "#": None, "~": None, "=": 1, ",": 2, "T": None, "O": None, "+": 1}

# Layers with these words only can be pictures.
PICTURED = {"wall", "walls", "barrier", "barriers"}

# What a rule says about a tile. `cost` is None for solid tiles. `firm`: solid objects do not close it.
# `proof`: a layer that is closed only by a word of PICTURED and has the tile is a picture.
Verdict = namedtuple("Verdict", "cost firm proof", defaults=[False])
WALL, FLOOR, MARKED = Verdict(None, True), Verdict(1.0, True), Verdict(None, True, True)


def words(name):
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name or "")
    return {part.lower() for part in parts}


def named_solid(name):
    return bool(words(name) & SOLID) and not words(name) & DRAWN


def can_be_picture(name):
    return named_solid(name) and words(name) & SOLID <= PICTURED


def wall_by_name(name):
    return Verdict(None, True, not can_be_picture(name))


def plain(name):
    return re.sub(r"^is(?=_|[A-Z])", "", name).replace("_", "").lower()


def by_properties(element):
    """Returns the verdict of the properties of a tile, a layer or an object."""
    costs, firm = [], False
    for name, value in properties(element).items():
        name, truth = plain(name), TRUTHS.get(value.lower())
        if name == "cost":
            costs.append(float(value))
        elif truth is not None and name in CLOSING | OPENING:
            costs.append(1.0 if truth == (name in OPENING) else None)
            firm |= name in OPENING
    if not costs:
        return None
    return Verdict(None, firm, True) if None in costs else Verdict(max(costs), firm)


def true_properties(element):
    return [name for name, value in properties(element).items() if TRUTHS.get(value.lower()) is not False]


class Reading:
    def __init__(self, tree, project, options, table):
        self.tree, self.table = tree, table
        self.legend = dict(BUILT_IN)
        for glyph, kind in table.get("legend", {}).items():
            walks = kind.get("walk", True) and "obstacle" not in kind
            self.legend[glyph] = kind.get("cost", 1) if walks else None
        solid = options.solid + table.get("solid", [])
        walkable = options.walkable + table.get("walkable", [])
        self.chosen = {**dict.fromkeys(solid, WALL), **dict.fromkeys(walkable, FLOOR)}
        self.project = project
        self.sets = sorted(map(self.tile_set, tree.findall("tileset")), key=lambda each: each[0])
        self.known = {}

    def glyph(self, glyph):
        return Verdict(self.legend[glyph], True)

    def tile_set(self, element):
        """Returns the first number, the element (None if it is missing) and its tiles by number."""
        first, path = int(element.get("firstgid")), element.get("source")
        if path:
            found = self.project.find(path)
            element = source.load(found, "tileset") if found else None
        tiles = {}
        for each in element.findall("tile") if element is not None else []:
            merged = tiles.setdefault(int(each.get("id")), each)
            if merged is not each:
                merged.extend(list(each))
                merged.attrib.update(each.attrib)
        return first, element, tiles

    def tile(self, number):
        """Returns the facts about a tile of the map, which do not depend on its layer."""
        if number not in self.known:
            self.known[number] = Tile(self.home(number), number, self)
        return self.known[number]

    def home(self, number):
        return next((each for each in reversed(self.sets) if each[0] <= number), None)

    def pictures(self):
        """Returns the layers that can be pictures."""
        def can_be(layer):
            name = layer.get("name", "")
            chosen = [("layer-property", each) for each in true_properties(layer)] + [("layer", name)]
            is_chosen = any(f"{rule}:{each}" in self.chosen for rule, each in chosen)
            is_ruled = is_chosen or name in self.table.get("layers", {})
            return can_be_picture(name) and not is_ruled and by_properties(layer) is None

        return [layer for layer in self.tree.iter("layer") if can_be(layer)]

    def verdict(self, tile, layer, terrains, unnamed):
        name = layer.get("name", "")
        facts = [("tile-property", each) for each in tile.true_properties]
        facts += [("tile-class", tile.kind)]
        facts += [("shapes", tile.set_name)] if tile.closed_by_shapes else []
        facts += [("terrain", each) for each in tile.terrains]
        facts += [("layer-property", each) for each in true_properties(layer)] + [("layer", name)]
        for rule, selected in facts:
            if f"{rule}:{selected}" in self.chosen:
                return self.chosen[f"{rule}:{selected}"]
        for glyph, ranges in self.table.get("tiles", {}).get(tile.set_name, {}).items():
            for each in ranges:
                first, last = each if isinstance(each, list) else (each, each)
                if first <= tile.id <= last:
                    return self.glyph(glyph)
        if tile.verdict is not None:
            return tile.verdict
        if named_solid(tile.kind):
            return wall_by_name(tile.kind)
        if name in self.table.get("layers", {}):
            return self.glyph(self.table["layers"][name])
        if tile.closed_by_shapes:
            return MARKED
        verdict = by_properties(layer)
        if verdict is not None:
            return verdict
        if named_solid(name) and layer not in unnamed:
            return wall_by_name(name)
        if terrains and tile.closed_by_terrain:
            return WALL
        return Verdict(1.0, False) if tile.missing else None

    def draw(self, terrains, unnamed):
        """Returns the verdict of each tile that is used, or None for it. The names of the layers in
        `unnamed` do not count."""
        cells = {}
        for layer in self.tree.iter("layer"):
            verdicts = {}
            for at, number in source.tiles_of(layer):
                if number not in verdicts:
                    verdicts[number] = self.verdict(self.tile(number), layer, terrains, unnamed)
                verdict = verdicts[number]
                cells[at] = cells.get(at) if verdict is None else verdict
        return cells

    def steps(self):
        tile = float(self.tree.get("tilewidth")), float(self.tree.get("tileheight"))
        return (tile[1], tile[1]) if self.tree.get("orientation") == "isometric" else tile

    def layers_of_objects(self):
        """Yields each object layer with its offset."""
        def walk(parent, offset):
            for each in parent:
                own = offset[0] + float(each.get("offsetx", 0)), offset[1] + float(each.get("offsety", 0))
                if each.tag == "objectgroup":
                    yield each, own
                elif each.tag == "group":
                    yield from walk(each, own)
        yield from walk(self.tree, (0, 0))

    def sort_objects(self):
        """Returns the solid shapes of each layer, the shapes that open tiles, and the places."""
        solid, opening, places = [], [], []
        for group, offset in self.layers_of_objects():
            shapes = []
            layer = by_properties(group) or (WALL if named_solid(group.get("name")) else None)
            layer = self.chosen.get(f"objects:{group.get('name')}", layer)
            for item in map(self.project.with_template, group.findall("object")):
                kind, title = item.get("class") or item.get("type") or "", item.get("name") or ""
                if kind.lower() == "agent" or item.find("text") is not None:
                    continue
                verdict = by_properties(item) or (WALL if named_solid(kind) else None) or layer
                if verdict is None and len(re.findall(r"\w+", title)) == 1 and title.lower() in SOLID:
                    verdict = WALL
                outline = Shape(self.with_size(item), offset)
                if verdict is None and item.find("polyline") is None and item.find("polygon") is None:
                    places.append(outline.centre())
                elif verdict is not None and has_area(item):
                    (shapes if verdict.cost is None else opening).append(outline)
            solid.append(shapes)
        return solid, opening, places

    def with_size(self, item):
        """Gives an object with an image the size of its tile, as in old files."""
        if item.get("gid") and item.get("width") is None:
            home = self.home(int(item.get("gid")) & ~source.FLIPS)
            if home is not None and home[1] is not None:
                item.set("width", home[1].get("tilewidth"))
                item.set("height", home[1].get("tileheight"))
        return item

    def put_objects(self, cells, solid, opening):
        step = self.steps()
        full = lambda shapes, at: covered(shapes, at[0] * step[0], at[1] * step[1], *step) >= 0.5 - 1e-9
        for shapes in solid:
            for at in tiles_near(shapes, step):
                verdict = cells.get(at)
                if (verdict is None or verdict.cost is not None and not verdict.firm) and full(shapes, at):
                    cells[at] = MARKED
        for shape in opening:
            for at in tiles_near([shape], step):
                if full([shape], at):
                    cells[at] = FLOOR

    def decide_by_places(self, cells, places):
        on = set()
        for layer in self.tree.iter("layer"):
            if (layer.get("name") or "").lower() in ("walkable", "walk", "passable"):
                on |= {at for at, _ in source.tiles_of(layer)}
        step = self.steps()
        inside = [(int(x // step[0]), int(y // step[1])) in on for x, y in places]
        if on and 2 * sum(inside) != len(inside):
            walkable = 2 * sum(inside) > len(inside)
            for x in range(int(self.tree.get("width"))):
                for y in range(int(self.tree.get("height"))):
                    if ((x, y) in on) != walkable:
                        cells[x, y] = WALL

    def rows(self):
        solid, opening, places = self.sort_objects()
        pictures = self.pictures()
        pictured = {at for layer in pictures for at, _ in source.tiles_of(layer)}
        for unnamed, terrains in ((pictures, False), ([], False), ([], True)):
            cells = self.draw(terrains, unnamed)
            used = set(cells) or {(0, 0)}
            self.put_objects(cells, solid, opening)
            if unnamed:
                if any(cells[at] is not None and cells[at].proof for at in pictured):
                    break
                continue
            if any(each is not None and each.cost is None for each in cells.values()):
                break
        if not any(cells.values()):
            self.decide_by_places(cells, places)
        left, right = min(x for x, _ in used), max(x for x, _ in used)
        top, bottom = min(y for _, y in used), max(y for _, y in used)
        if self.tree.get("infinite") not in ("1", "true"):
            left, top, right, bottom = 0, 0, int(self.tree.get("width")) - 1, int(self.tree.get("height")) - 1
        empty = self.glyph(self.table.get("empty", "."))
        for y in range(top, bottom + 1):
            row = [(x, y) for x in range(left, right + 1)]
            yield " ".join(token(cells.get(at) or (FLOOR if at in used else empty)) for at in row)


def token(verdict):
    if verdict.cost is None:
        return "#"
    return "." if verdict.cost == 1 else f"{verdict.cost:g}"


class Tile:
    """Facts about a tile from its tile set."""

    def __init__(self, home, number, reading):
        first, tile_set, tiles = home or (0, None, {})
        self.id, self.missing = number - first, home is not None and tile_set is None
        self.set_name = tile_set.get("name") if tile_set is not None else None
        each = tiles.get(self.id)
        self.true_properties, self.kind, self.verdict = [], None, None
        self.closed_by_shapes, self.closed_by_terrain, self.terrains = False, False, []
        if tile_set is None:
            return
        if each is not None:
            own = properties(each)
            self.true_properties = true_properties(each)
            self.kind = each.get("class") or each.get("type")
            self.verdict = by_properties(each)
            if "glyph" in own:
                self.verdict = Verdict(cost := reading.legend[own["glyph"]], False, cost is None)
            shapes = [Shape(item) for item in each.findall("objectgroup/object") if has_area(item)]
            self.closed_by_shapes = self.covered(each, tile_set, reading.tree, shapes)
        parts = list(self.terrain_parts(tile_set, each))
        self.terrains = [name for part in parts for name in set(part) if name and 2 * part.count(name) >= len(part)]
        closed = lambda name: bool(name) and (named_solid(name) or bool(words(name) & NATURE))
        self.closed_by_terrain = any(2 * sum(map(closed, part)) >= len(part) for part in parts)

    def covered(self, each, tile_set, tree, shapes):
        """Returns true if the shapes cover half of a map tile. A larger image stands on its lower left corner."""
        image = each.find("image")

        def side(key):
            own = image.get(key) if image is not None else each.get("image" + key)
            return float(own or tile_set.get("tile" + key))

        width, height = (min(side(key), float(tree.get("tile" + key))) for key in ("width", "height"))
        return bool(shapes) and covered(shapes, 0, side("height") - height, width, height) >= 0.5 - 1e-9

    def terrain_parts(self, tile_set, each):
        """Yields the terrain names of the corners and edges of the tile, for each set of terrains."""
        names = [terrain.get("name") for terrain in tile_set.iter("terrain")]
        if each is not None and each.get("terrain"):
            parts = each.get("terrain").split(",")
            yield [dict(enumerate(names)).get(int(part)) if part else None for part in parts]
        for wang in tile_set.iter("wangset"):
            colors = [color.get("name") for color in wang.findall("wangcolor")]
            for tile in wang.findall("wangtile"):
                parts = tile.get("wangid").split(",")
                # Old files have one hexadecimal number, which stands for nothing here.
                if int(tile.get("tileid")) == self.id and len(parts) == 8:
                    found = [colors[int(part) - 1] for part in parts if int(part)]
                    if found:
                        yield found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--solid", action="append", default=[])
    parser.add_argument("--walkable", action="append", default=[])
    parser.add_argument("--root")
    parser.add_argument("--tilesets")
    options = parser.parse_args()
    path, table = options.file, {}
    if path.endswith(".toml"):
        import tomllib  # since Python 3.11

        with open(path, "rb") as file:
            whole = tomllib.load(file)
        table = {**whole.get("tiled", {}), "legend": whole.get("legend", {})}
        path = os.path.join(os.path.dirname(path), whole["tiles_file"])
    project = Project(path, options.root, options.tilesets)
    for line in Reading(source.load(path, "map"), project, options, table).rows():
        print(line)


if __name__ == "__main__":
    main()
