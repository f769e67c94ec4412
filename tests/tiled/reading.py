"""Reads a map of Tiled and prints each tile: `#` for solid, `.` for walkable, else the route cost.

Usage: reading.py FILE [--solid SELECTOR] [--walkable SELECTOR] [--one-way SELECTOR] [--ignore LAYER]
                  [--combine any] [--root DIR] [--tilesets DIR]
FILE is a map of Tiled, or a map file with `tiles_file` and `[tiled]`.

An independent reading of the rules in docs/imports.md, for tests.
"""

import argparse
import math
import os
import re
import sys
import xml.etree.ElementTree as ET
from collections import namedtuple

sys.dont_write_bytecode = True

import source
from shapes import Shape, covered, has_area, placed_shapes, tiles_near
from source import Project, properties

NOUNS = """wall collision colision collide collider collidable solid obstacle blocked blocking blocker
impassable unwalkable nonwalkable barrier boundary border""".split()
SOLID = {*NOUNS, *(noun + "s" for noun in NOUNS), "boundaries", "hitbox", "hitboxes", "physics"}
DRAWN = set("""no non not without deco decor decoration decorations shadow shadows above over overlay top
tops background""".split())
NATURE = set("""water sea ocean lake river lava cliff cliffs rock rocks mountain mountains void hedge abyss
chasm""".split())
CLOSING = set("""solid collide collides collidable collision blocked blocks blocking blocker obstacle
impassable unwalkable wall""".split())
OPENING = {"walk", "walkable", "passable", "traversable"}
PLATFORM = {"oneway", "onewayplatform", "jumpthrough"}
TRUTHS = {
    **dict.fromkeys(("true", "1", "yes", "on", ""), True),
    **dict.fromkeys(("false", "0", "no", "off", "none"), False),
}
BUILT_IN = {".": 1, " ": 1, "#": None, "~": None, "=": 1, ",": 2, "T": None, "O": None, "+": 1}

# Layers with these words only can be pictures.
PICTURED = {"wall", "walls", "barrier", "barriers"}

# Names of object layers with these words only say nothing about their objects.
MEANINGLESS = {"object", "objects", "layer"}

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
        elif truth and name in PLATFORM:
            costs.append(1.0)
    if not costs:
        return None
    return Verdict(None, firm, True) if None in costs else Verdict(max(costs), firm)


def is_raised(element):
    """Returns true for a tile above moving things."""
    heights = (value for name, value in properties(element).items() if plain(name) == "z")
    return any(re.fullmatch(r"\d*\.?\d+", height) and float(height) > 0 for height in heights)


def is_hawkthorne(tile_set):
    """Returns true for the tile set of the collision layers of Project Hawkthorne."""
    image = tile_set.find("image")
    sides = {tile_set.get(key) for key in ("tilewidth", "tileheight")}
    is_wide = image is not None and int(image.get("width")) // 24 == 26
    return tile_set.get("name") == "collisions" and sides == {"24"} and is_wide


def kind_of(item):
    return item.get("class") or item.get("type") or ""


def is_solid_word(title):
    return len(re.findall(r"\w+", title)) == 1 and title.lower() in SOLID


def keeps_shapes(element):
    """Returns true if only properties such as `solid = false` open a tile. Its shapes stay solid."""
    found = {plain(name): TRUTHS.get(value.lower()) for name, value in properties(element).items()}
    others = {*OPENING, *PLATFORM, "cost", "glyph"} & set(found)
    return not others and any(found[name] is False for name in CLOSING & set(found))


def is_positive(value):
    """Returns true for a true value or a positive number."""
    return TRUTHS.get(value.lower()) or bool(re.fullmatch(r"\d*\.?\d+", value)) and float(value) > 0


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
        walkable = options.walkable + options.one_way
        walkable += table.get("walkable", []) + table.get("one_way", [])
        self.platforms = options.one_way + table.get("one_way", [])
        self.ignored = set(options.ignore + table.get("ignore", []))
        after = lambda word: {each[len(word):] for each in self.ignored if each.startswith(word)}
        self.only, self.only_objects = after("others:"), after("other-objects:")
        self.any = "any" in (options.combine, table.get("combine"))
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

    def layers(self):
        """Yields each tile layer that is not ignored, with its offset in whole tiles."""
        size = float(self.tree.get("tilewidth")), float(self.tree.get("tileheight"))
        whole = lambda pixels, side: int(math.copysign(math.ceil(abs(pixels) / side - 0.5), pixels))

        def walk(parent, offset):
            for each in parent:
                own = offset[0] + float(each.get("offsetx", 0)), offset[1] + float(each.get("offsety", 0))
                if f"{each.tag}:{each.get('name', '')}" in self.ignored or self.is_left_out(each):
                    continue
                if each.tag == "layer" and self.only and each.get("name", "") not in self.only:
                    continue
                if each.tag == "layer":
                    yield each, tuple(map(whole, own, size))
                elif each.tag == "group":
                    yield from walk(each, own)

        return walk(self.tree, (0, 0))

    def is_left_out(self, element):
        own = properties(element).items()
        return any(f"property:{name}" in self.ignored and is_positive(value) for name, value in own)

    def tiles(self, layer, offset):
        for (x, y), number in source.tiles_of(layer):
            if self.tile(number).left_out:
                continue
            yield (x + offset[0], y + offset[1]), number

    def tile(self, number):
        """Returns the facts about a tile of the map, which do not depend on its layer."""
        if number not in self.known:
            plain = number & ~source.FLIPS
            self.known[number] = Tile(self.home(plain), plain, number & source.FLIPS, self)
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

        return [layer for layer, _ in self.layers() if can_be(layer)]

    def verdict(self, tile, layer, terrains, unnamed):
        """Returns the verdict about a tile in a layer, and the rule that decides."""
        name = layer.get("name", "")
        facts = [("tile-property", each) for each in tile.true_properties]
        facts += [("tile-class", tile.kind)]
        facts += [("shapes", tile.set_name)] if tile.closed_by_shapes else []
        facts += [("terrain", each) for each in tile.terrains]
        facts += [("layer-property", each) for each in true_properties(layer)] + [("layer", name)]
        for selector, verdict in self.chosen.items():
            match = re.fullmatch(r"tiles:(.*)/(\d+)(?:-(\d+))?", selector)
            if match and match[1] == tile.set_name:
                if int(match[2]) <= tile.id <= int(match[3] or match[2]):
                    return verdict, "tile"
        for rule, selected in facts:
            if f"{rule}:{selected}" in self.chosen:
                return self.chosen[f"{rule}:{selected}"], rule.split("-")[0]
        for glyph, ranges in self.table.get("tiles", {}).get(tile.set_name, {}).items():
            for each in ranges:
                first, last = each if isinstance(each, list) else (each, each)
                if first <= tile.id <= last:
                    return self.glyph(glyph), "tile"
        if tile.shapes and f"shapes:{tile.set_name}" in self.chosen:
            if name in self.table.get("layers", {}):
                return self.glyph(self.table["layers"][name]), "layer"
            return None, "shapes"
        if tile.closed_by_shapes and tile.keeps_shapes:
            return MARKED, "shapes"
        # A walkable tile above moving things opens nothing.
        above = lambda verdict: None if tile.is_raised and verdict.cost is not None else verdict
        if tile.verdict is not None:
            return above(tile.verdict), "tile"
        if tile.is_platform:
            return Verdict(1.0, True, True), "tile"
        if named_solid(tile.kind):
            return wall_by_name(tile.kind), "tile"
        if name in self.table.get("layers", {}):
            return self.glyph(self.table["layers"][name]), "layer"
        if tile.closed_by_shapes:
            return MARKED, "shapes"
        if tile.shapes:
            return None, "shapes"
        verdict = by_properties(layer)
        if verdict is not None:
            return above(verdict), "layer"
        if named_solid(name) and layer not in unnamed:
            return wall_by_name(name), "layer"
        if terrains and tile.closed_by_terrain:
            return WALL, "terrain"
        return (Verdict(1.0, False) if tile.missing else None), None

    def spread(self, tile, verdict, rule):
        """Yields the offsets of the other tiles that a large image closes, each with a verdict."""
        if rule == "tile" and verdict and verdict.cost is None:
            yield from ((at, verdict) for at in tile.image)
        elif rule == "shapes":
            chosen = self.chosen.get(f"shapes:{tile.set_name}", MARKED)
            yield from ((at, chosen) for at in tile.spill if chosen.cost is None)

    def put(self, cells, at, verdict):
        """Puts the verdict of a higher layer on a tile. None does not change a verdict."""
        old = cells.get(at)
        keeps = self.any and at in cells and old and old.cost is None and verdict and verdict.cost is not None
        cells[at] = old if verdict is None or keeps else verdict

    def draw(self, terrains, unnamed):
        """Returns the verdict of each tile that is used, or None for it. The names of the layers in
        `unnamed` do not count."""
        cells, used = {}, {}
        for layer, offset in self.layers():
            verdicts = {}
            for at, number in self.tiles(layer, offset):
                used.setdefault(layer.get("name", ""), set()).add(at)
                tile = self.tile(number)
                if number not in verdicts:
                    verdicts[number] = self.verdict(tile, layer, terrains, unnamed)
                verdict, rule = verdicts[number]
                self.put(cells, at, verdict)
                for (x, y), spread in self.spread(tile, verdict, rule):
                    self.put(cells, (at[0] + x, at[1] + y), spread)
        for selector, verdict in self.chosen.items():
            if selector.startswith("outside:"):
                name = selector[len("outside:"):]
                inside = set().union(*used.values()) if name == "*" else used[name]
                for at in self.positions(set().union(*used.values())) - inside:
                    if cells.get(at) not in (WALL, FLOOR):
                        cells[at] = verdict
        return cells

    def positions(self, used):
        """Returns all positions of the map."""
        (left, right), (top, bottom) = self.bounds(used)
        return {(x, y) for x in range(left, right + 1) for y in range(top, bottom + 1)}

    def bounds(self, used):
        if self.tree.get("infinite") in ("1", "true"):
            return [(min(each), max(each)) for each in zip(*used or {(0, 0)})]
        return [(0, int(self.tree.get(key)) - 1) for key in ("width", "height")]

    def steps(self):
        tile = float(self.tree.get("tilewidth")), float(self.tree.get("tileheight"))
        return (tile[1], tile[1]) if self.tree.get("orientation") == "isometric" else tile

    def layers_of_objects(self):
        """Yields each object layer with its offset."""
        def walk(parent, offset):
            for each in parent:
                own = offset[0] + float(each.get("offsetx", 0)), offset[1] + float(each.get("offsety", 0))
                tag = "objects" if each.tag == "objectgroup" else each.tag
                if f"{tag}:{each.get('name', '')}" in self.ignored or self.is_left_out(each):
                    continue
                if each.tag == "objectgroup":
                    yield each, own
                elif each.tag == "group":
                    yield from walk(each, own)
        yield from walk(self.tree, (0, 0))

    def sort_objects(self):
        """Returns the solid shapes of each layer, the shapes that open tiles, and the places."""
        solid, opening, places = [], [], []
        self.nameless = []
        for group, offset in self.layers_of_objects():
            shapes = []
            if self.is_nameless(group):
                self.nameless.append([Shape(item, offset) for item in group.findall("object")])
            layer = by_properties(group) or (WALL if named_solid(group.get("name")) else None)
            chosen = self.chosen.get(f"objects:{group.get('name')}")
            items = list(map(self.project.with_template, group.findall("object")))
            tiles = [self.inherit(item) for item in items]
            kept = [(item, tile) for item, tile in zip(items, tiles) if not self.is_object_left_out(item)]
            items, tiles = [item for item, _ in kept], [tile for _, tile in kept]
            # The names of objects count in layers about collision.
            named = self.about_collision(items)
            for item, tile in zip(items, tiles):
                kind, title = kind_of(item), item.get("name") or ""
                if kind.lower() == "agent" or item.find("text") is not None:
                    continue
                verdict = chosen or by_properties(item) or (WALL if named_solid(kind) else None)
                own = placed_shapes(item, tile.shapes, tile.size, offset) if tile else []
                if verdict is None and own and not (layer and layer.cost is not None):
                    verdict = self.chosen.get(f"shapes:{tile.set_name}", MARKED)
                    verdict = None if verdict.cost is not None else verdict
                elif verdict is None:
                    verdict = WALL if named and not kind and is_solid_word(title) else layer
                is_platform = any(plain(name) in PLATFORM for name in true_properties(item))
                outline = Shape(item, offset)
                if not verdict and item.find("polyline") is None and item.find("polygon") is None:
                    places.append(outline.centre())
                elif verdict is not None and has_area(item) and not is_platform:
                    if verdict.cost is None:
                        shapes += own or [outline]
                    elif verdict.firm:
                        opening.append(outline)
            solid.append(shapes)
        return solid, opening, places

    def is_object_left_out(self, item):
        names = {item.get("name"), kind_of(item)} - {None, ""}
        is_named = any(f"object:{name}" in self.ignored for name in names)
        return is_named or self.only_objects and not names & self.only_objects

    def is_nameless(self, group):
        """Returns true for a layer of at least two areas without any name, class, image or property."""
        def is_plain(item):
            known = any(item.get(key) for key in ("name", "class", "type", "gid", "template"))
            parts = {part.tag for part in item} - {"polygon"}
            return not known and not parts and has_area(item)

        name, items = group.get("name", ""), group.findall("object")
        chosen = f"objects:{name}" in self.chosen
        is_vague = words(name) <= MEANINGLESS and not properties(group) and not chosen
        return is_vague and len(items) > 1 and all(map(is_plain, items))

    def about_collision(self, items):
        """Returns true if at least half of the objects with an area are solid by themselves."""
        areas = [item for item in items if has_area(item)]

        def is_solid(item):
            own, kind = by_properties(item), kind_of(item)
            if own is not None:
                return own.cost is None
            return named_solid(kind) if kind else is_solid_word(item.get("name") or "")

        return 2 * sum(map(is_solid, areas)) >= len(areas)

    def inherit(self, item):
        """Adds what an object with an image inherits from its tile, and returns the tile."""
        if not item.get("gid"):
            return None
        tile = self.tile(int(item.get("gid")))
        if item.get("width") is None and tile.size:
            item.set("width", str(tile.size[0]))
            item.set("height", str(tile.size[1]))
        item.set("anchor", tile.anchor)
        if not kind_of(item) and tile.kind:
            item.set("class", tile.kind)
        own = properties(item)
        holder = item.find("properties")
        holder = ET.SubElement(item, "properties") if holder is None else holder
        for name, value in tile.properties.items():
            if name not in own:
                ET.SubElement(holder, "property", name=name, value=value)
        return tile

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
        for layer, offset in self.layers():
            if (layer.get("name") or "").lower() in ("walkable", "walk", "passable"):
                on |= {at for at, _ in self.tiles(layer, offset)}
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
        layers = [(layer, offset) for layer, offset in self.layers() if layer in pictures]
        pictured = {at for layer, offset in layers for at, _ in self.tiles(layer, offset)}
        for unnamed, terrains in ((pictures, False), ([], False), ([], True)):
            cells = self.draw(terrains, unnamed)
            used = set(cells) or {(0, 0)}
            self.put_objects(cells, solid, opening)
            named = any((each.get("name") or "").lower() in ("walkable", "walk", "passable") for each, _ in self.layers())
            if not named and not pictures and not opening and not any(cells.values()):
                self.put_objects(cells, self.nameless, [])
            if unnamed:
                if any(cells.get(at) is not None and cells[at].proof for at in pictured):
                    break
                continue
            if any(each is not None and each.cost is None for each in cells.values()):
                break
        if not any(cells.values()):
            self.decide_by_places(cells, places)
        (left, right), (top, bottom) = self.bounds(used)
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

    def __init__(self, home, number, flips, reading):
        first, tile_set, tiles = home or (0, None, {})
        self.shapes, self.image, self.spill, self.properties, self.size = [], [], [], {}, None
        self.anchor = "bottomleft"
        self.left_out, self.keeps_shapes, self.is_raised, self.is_platform = False, False, False, False
        self.id, self.missing = number - first, home is not None and tile_set is None
        self.set_name = tile_set.get("name") if tile_set is not None else None
        each = tiles.get(self.id)
        self.true_properties, self.kind, self.verdict = [], None, None
        self.closed_by_shapes, self.closed_by_terrain, self.terrains = False, False, []
        if tile_set is None:
            return
        self.anchor = tile_set.get("objectalignment", "bottomleft")
        self.is_platform = is_hawkthorne(tile_set) and 26 <= self.id <= 77
        image = each.find("image") if each is not None else None

        def side(key):
            own = image.get(key) if image is not None else each is not None and each.get("image" + key)
            part = each is not None and each.get(key)
            return float(part or own or tile_set.get("tile" + key))

        grid = [float(reading.tree.get("tile" + key)) for key in ("width", "height")]
        self.size = (side("width"), side("height")) if tile_set.get("tilewidth") else tuple(grid)
        if each is not None:
            own = self.properties = properties(each)
            self.true_properties = true_properties(each)
            self.kind = each.get("class") or each.get("type")
            self.verdict = by_properties(each)
            self.left_out, self.keeps_shapes = reading.is_left_out(each), keeps_shapes(each)
            self.is_raised = is_raised(each)
            if "glyph" in own:
                self.verdict = Verdict(cost := reading.legend[own["glyph"]], False, cost is None)
            items = [item for item in each.findall("objectgroup/object") if has_area(item)]
            self.shapes = [Shape(item) for item in items]
        if tile_set.get("tilerendersize") == "grid":
            scales = [unit / side for unit, side in zip(grid, self.size)]
            if tile_set.get("fillmode") == "preserve-aspect-fit":
                scales = [min(scales)] * 2
            margins = [(unit - side * scale) / 2 for unit, side, scale in zip(grid, self.size, scales)]
            self.shapes = [shape.scaled(scales, margins) for shape in self.shapes]
            self.size = tuple(grid)
        self.shapes = [shape.flipped(flips, self.size) for shape in self.shapes]
        turned = flips & 0x20000000 and any(side >= 1.5 * unit for side, unit in zip(self.size, grid))
        self.stand(grid, self.size[::-1] if turned else self.size)
        parts = list(self.terrain_parts(tile_set, each))
        self.terrains = [name for part in parts for name in set(part) if name and 2 * part.count(name) >= len(part)]
        closed = lambda name: bool(name) and (named_solid(name) or bool(words(name) & NATURE))
        self.closed_by_terrain = any(2 * sum(map(closed, part)) >= len(part) for part in parts)

    def stand(self, grid, size):
        """Places the image with its lower left corner on a tile, and finds the tiles that it closes."""
        columns, rows = (max(1, math.ceil(side / unit - 1e-6)) for side, unit in zip(size, grid))
        if max(columns, rows) > 64:
            columns = rows = 1
        for row in range(rows):
            for column in range(columns):
                left, top = column * grid[0], size[1] - (row + 1) * grid[1]
                if row == column == 0:
                    share = covered(self.shapes, left, top, *grid)
                    self.closed_by_shapes = bool(self.shapes) and share >= 0.5 - 1e-9
                    continue
                if covered(self.shapes, left, top, *grid) >= 0.5 - 1e-9:
                    self.spill.append((column, -row))
                wide = min(size[0] - left, grid[0])
                tall = top + grid[1] - max(top, 0)
                if wide * tall >= 0.5 * grid[0] * grid[1] - 1e-9:
                    self.image.append((column, -row))

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
                    parts = {"corner": parts[1::2], "edge": parts[::2]}.get(wang.get("type"), parts)
                    found = [int(part) and colors[int(part) - 1] or None for part in parts]
                    if any(found):
                        yield found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--solid", action="append", default=[])
    parser.add_argument("--walkable", action="append", default=[])
    parser.add_argument("--one-way", action="append", default=[])
    parser.add_argument("--ignore", action="append", default=[])
    parser.add_argument("--combine")
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
