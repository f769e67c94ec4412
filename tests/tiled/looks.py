"""Paints a map of Tiled pixel by pixel and prints the average colour of each tile: `rrggbb`, or `-` if less
than a fifth of the tile is painted.

Usage: looks.py MAP
       looks.py --image IMAGE    prints the pixels of an image: `rrggbbaa`

An independent reading of the documentation of Tiled (TMX format) and of PNG, for tests: orthogonal maps with
tiles as CSV or base64.
"""

import base64
import gzip
import os
import struct
import sys
import xml.etree.ElementTree as ET
import zlib

sys.dont_write_bytecode = True

# Samples per pixel of each colour type.
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "not a PNG image"
    at = 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        yield kind, body
        at += 12 + length


def paeth(a, b, c):
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def scanlines(data, at, width, height, bits):
    """Returns the restored rows of an image or a pass, and the position after them."""
    size, step = (width * bits + 7) // 8, max(1, bits // 8)
    rows, above = [], bytearray(size)
    for _ in range(height):
        kind, row = data[at], bytearray(data[at + 1 : at + 1 + size])
        at += 1 + size
        for i in range(size):
            a = row[i - step] if i >= step else 0
            b, c = above[i], above[i - step] if i >= step else 0
            row[i] = (row[i] + (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) % 256
        rows.append(row)
        above = row
    return rows, at


def image(path):
    """Returns the width, the height and the pixels (r, g, b, a) of a PNG image, row by row."""
    data, palette, transparency = b"", b"", b""
    for kind, body in chunks(open(path, "rb").read()):
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = body
        elif kind == b"tRNS":
            transparency = body
        elif kind == b"IDAT":
            data += body
    data, count = zlib.decompress(data), SAMPLES[color]
    pixels = [[None] * width for _ in range(height)]
    at = 0
    for x0, y0, dx, dy in ADAM7 if interlaced else ((0, 0, 1, 1),):
        columns, rows = range(x0, width, dx), range(y0, height, dy)
        if not columns or not rows:
            continue
        lines, at = scanlines(data, at, len(columns), len(rows), count * depth)
        for y, line in zip(rows, lines):
            number = int.from_bytes(line, "big")
            for i, x in enumerate(columns):
                def sample(k):
                    shift = len(line) * 8 - (i * count + k + 1) * depth
                    return number >> shift & ((1 << depth) - 1)
                pixels[y][x] = pixel([sample(k) for k in range(count)], color, depth, palette, transparency)
    return width, height, pixels


def pixel(samples, color, depth, palette, transparency):
    most = (1 << depth) - 1
    if color == 3:
        index = samples[0]
        alpha = transparency[index] if index < len(transparency) else 255
        return (*palette[index * 3 : index * 3 + 3], alpha)
    scaled = [sample >> 8 if depth == 16 else sample * 255 // most for sample in samples]
    if color in (4, 6):
        alpha = scaled.pop()
    else:
        key = [transparency[i] << 8 | transparency[i + 1] for i in range(0, len(transparency), 2)]
        alpha = 0 if key and key == samples else 255
    return (*(scaled * 3 if len(scaled) == 1 else scaled), alpha)


class TileSet:
    """The images of the tiles of a set, by number."""

    def __init__(self, first, element, folder):
        self.first, self.images = first, {}
        get = lambda key: int(element.get(key, 0))
        source = element.find("image")
        if source is not None:
            width, height, pixels = image(os.path.join(folder, source.get("source")))
            tw, th, margin, spacing = get("tilewidth"), get("tileheight"), get("margin"), get("spacing")
            number = 0
            for y in range(margin, height - th + 1, th + spacing):
                for x in range(margin, width - tw + 1, tw + spacing):
                    self.images[number] = [row[x : x + tw] for row in pixels[y : y + th]]
                    number += 1
        for tile in element.findall("tile"):
            source = tile.find("image")
            if source is not None:
                self.images[int(tile.get("id"))] = image(os.path.join(folder, source.get("source")))[2]


def flipped(pixels, gid):
    if gid & 0x20000000:
        pixels = [list(column) for column in zip(*pixels)]
    if gid & 0x80000000:
        pixels = [row[::-1] for row in pixels]
    if gid & 0x40000000:
        pixels = pixels[::-1]
    return pixels


def gids(data):
    if data.get("encoding") == "csv":
        return [int(number) for number in data.text.split(",")]
    raw = base64.b64decode(data.text)
    raw = {"zlib": zlib.decompress, "gzip": gzip.decompress, None: bytes}[data.get("compression")](raw)
    return [number for (number,) in struct.iter_unpack("<I", raw)]


def layers(element, opacity):
    for child in element:
        own = opacity * float(child.get("opacity", 1)) * (child.get("visible") != "0")
        if child.tag == "group":
            yield from layers(child, own)
        elif child.tag == "layer":
            yield child, own


def paint(path):
    root, folder = ET.parse(path).getroot(), os.path.dirname(path)
    width, height, tw, th = (int(root.get(key)) for key in ("width", "height", "tilewidth", "tileheight"))
    sets = []
    for element in root.findall("tileset"):
        first, own = int(element.get("firstgid")), folder
        if element.get("source"):
            file = os.path.join(folder, element.get("source"))
            element, own = ET.parse(file).getroot(), os.path.dirname(file)
        sets.append(TileSet(first, element, own))
    canvas = [[(0.0, 0.0, 0.0, 0.0)] * (width * tw) for _ in range(height * th)]
    for layer, opacity in layers(root, 1.0):
        for index, gid in enumerate(gids(layer.find("data"))):
            number = gid & 0x0FFFFFFF
            if not number or not opacity:
                continue
            owner = max((each for each in sets if each.first <= number), key=lambda each: each.first)
            pixels = flipped(owner.images[number - owner.first], gid)
            left, bottom = index % width * tw, (index // width + 1) * th
            for y, row in enumerate(pixels, bottom - len(pixels)):
                for x, (r, g, b, a) in enumerate(row, left):
                    if 0 <= y < len(canvas) and x < width * tw:
                        a = a / 255 * opacity
                        r0, g0, b0, a0 = canvas[y][x]
                        over = lambda top, below: top * a + below * (1 - a)
                        canvas[y][x] = (over(r, r0), over(g, g0), over(b, b0), over(1, a0))
    for row in range(height):
        colors = []
        for column in range(width):
            cells = [canvas[row * th + y][column * tw + x] for y in range(th) for x in range(tw)]
            alpha = sum(cell[3] for cell in cells)
            mean = lambda k: round(sum(cell[k] for cell in cells) / alpha)
            shown = alpha * 5 >= len(cells)
            colors.append("%02x%02x%02x" % (mean(0), mean(1), mean(2)) if shown else "-")
        print(" ".join(colors))


if sys.argv[1] == "--image":
    for line in image(sys.argv[2])[2]:
        print(" ".join("%02x%02x%02x%02x" % pixel for pixel in line))
else:
    paint(sys.argv[1])
