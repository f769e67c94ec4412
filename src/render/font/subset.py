#!/usr/bin/env python3
"""Writes the glyph outlines of the pictures: sans.bin and mono.bin.

The outlines come from DejaVu Sans and DejaVu Sans Mono, see LICENSE. The script needs the package
fonttools and the directory of the fonts:

    python3 src/render/font/subset.py /usr/share/fonts/truetype/dejavu

Format: the number of glyphs as u16; for each glyph, in the order of code points, the code point
(u24), the end of its outline in the data (u24) and its advance (u16); then the data. An outline is a
list of contours. A contour has its number of points (u8; 0 and a u16 for more than 255), then the
points: a byte with the flags 1 (on the curve), 2 (dx in two bytes), 4 (dy in two bytes), 8 (dx is 0)
and 16 (dy is 0), and the signed distances to the previous point, in units of 1/1024 em. The y axis
points down. Numbers are little-endian. The files are
compressed with zlib.
"""

import sys
import zlib
from pathlib import Path

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont


def span(first, last):
    return range(first, last + 1)


TEXT = [
    *span(0x20, 0x7E), *span(0xA0, 0x17F), *span(0x391, 0x3A9), *span(0x3B1, 0x3C9),
    *span(0x401, 0x401), *span(0x410, 0x44F), 0x451,
    0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x2032, 0x2033,
    0x2190, 0x2191, 0x2192, 0x2193, 0x2206, 0x2212, 0x221A, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265,
    0x2070, 0x00B9, 0x2074, 0x207B,
]
# Also the signs of the screen, see src/tui/glyph.rs. Braille is drawn without the font.
SCREEN = [
    *span(0x20, 0x7E), 0xA4, 0xA6, 0xAC, 0xAF, 0xB0, 0xB1, 0xB7, 0xBB, 0xAB, 0xD7, 0xA7, 0xB2, 0xB3,
    *span(0x2190, 0x2199), 0x21BB, 0x21BA, 0x21C4, 0x21D2, 0x21A9, 0x21B5,
    0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2020, 0x2021, 0x2022, 0x2026, 0x2039, 0x203A,
    *span(0x2200, 0x2265), *span(0x2295, 0x22A1), *span(0x2500, 0x25FF), 0x2600, 0x2605, 0x2606,
    0x2669, 0x266A, 0x266B, 0x2690, 0x2691, 0x2713, 0x2717, 
    *span(0x2080, 0x2089), *span(0x2070, 0x2079), 0x2302, 0x231B, 0x23CE, 0x2423,
]


class Outline(BasePen):
    """Collects the points of contours with quadratic curves."""

    def __init__(self, glyphs, scale):
        super().__init__(glyphs)
        self.scale, self.contours = scale, []

    def point(self, p, on):
        x, y = round(p[0] * self.scale), round(-p[1] * self.scale)
        self.contours[-1].append((x, y, on))

    def _moveTo(self, p):
        self.contours.append([])
        self.point(p, True)

    def _lineTo(self, p):
        self.point(p, True)

    def _qCurveToOne(self, control, p):
        self.point(control, False)
        self.point(p, True)

    def _closePath(self):
        contour = self.contours[-1]
        if len(contour) > 1 and contour[0] == contour[-1]:
            contour.pop()


def encoded(contours):
    data = bytearray()
    for contour in contours:
        data += bytes([len(contour)]) if len(contour) < 256 else b"\0" + len(contour).to_bytes(2, "little")
        x = y = 0
        for px, py, on in contour:
            flags, numbers = int(on), b""
            for delta, wide, zero in ((px - x, 2, 8), (py - y, 4, 16)):
                if delta == 0:
                    flags |= zero
                elif -128 <= delta < 128:
                    numbers += delta.to_bytes(1, "little", signed=True)
                else:
                    flags |= wide
                    numbers += delta.to_bytes(2, "little", signed=True)
            data += bytes([flags]) + numbers
            x, y = px, py
    return bytes(data)


def write(font, points, path):
    font = TTFont(font)
    names, glyphs = font.getBestCmap(), font.getGlyphSet()
    scale = 1024 / font["head"].unitsPerEm
    table, data = bytearray(), bytearray()
    points = sorted(point for point in set(points) if point in names)
    for point in points:
        pen = Outline(glyphs, scale)
        glyphs[names[point]].draw(pen)
        data += encoded(pen.contours)
        advance = round(glyphs[names[point]].width * scale)
        table += point.to_bytes(3, "little") + len(data).to_bytes(3, "little") + advance.to_bytes(2, "little")
    path.write_bytes(zlib.compress(len(points).to_bytes(2, "little") + table + data, 9))
    print(path.name, len(points), "glyphs,", path.stat().st_size, "bytes")


folder, here = Path(sys.argv[1]), Path(__file__).parent
write(folder / "DejaVuSans.ttf", TEXT, here / "sans.bin")
write(folder / "DejaVuSansMono.ttf", SCREEN, here / "mono.bin")
