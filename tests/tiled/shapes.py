"""Areas of collision shapes and objects of Tiled, for reading.py."""

import math

SAMPLES = 64


class Shape:
    """An outline with an area: a rectangle, an ellipse or a polygon, turned around its corner."""

    def __init__(self, item, offset=(0, 0)):
        self.x = float(item.get("x", 0)) + offset[0]
        self.y = float(item.get("y", 0)) + offset[1]
        self.width, self.height = float(item.get("width", 0)), float(item.get("height", 0))
        self.turn = math.radians(float(item.get("rotation", 0)))
        # The origin of an object with an image is its lower left corner, if its tile set has no other.
        self.lift = self.height if item.get("gid") and item.get("anchor") != "topleft" else 0
        self.ellipse = item.find("ellipse") is not None
        polygon = item.find("polygon")
        pairs = polygon.get("points").split() if polygon is not None else []
        self.polygon = [tuple(map(float, pair.split(","))) for pair in pairs]
        self.corners = self.polygon or [
            (x, y - self.lift) for x in (0, self.width) for y in (0, self.height)
        ]

    def placed(self, a, b):
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        return self.x + a * cos - b * sin, self.y + a * sin + b * cos

    def bounds(self):
        xs, ys = zip(*(self.placed(a, b) for a, b in self.corners))
        return min(xs), min(ys), max(xs), max(ys)

    def centre(self):
        left, top, right, bottom = self.bounds()
        return (left + right) / 2, (top + bottom) / 2

    def is_box(self):
        return not self.ellipse and not self.polygon and self.turn == 0

    def contains(self, x, y):
        cos, sin = math.cos(self.turn), math.sin(self.turn)
        a = (x - self.x) * cos + (y - self.y) * sin
        b = (y - self.y) * cos - (x - self.x) * sin + self.lift
        if self.polygon:
            inside = False
            for (ax, ay), (bx, by) in zip(self.polygon, self.polygon[1:] + self.polygon[:1]):
                if (ay > b) != (by > b) and a < (bx - ax) * (b - ay) / (by - ay) + ax:
                    inside = not inside
            return inside
        if self.width == 0 or self.height == 0:
            return False
        if self.ellipse:
            return (a / self.width - 0.5) ** 2 + (b / self.height - 0.5) ** 2 <= 0.25
        return 0 <= a <= self.width and 0 <= b <= self.height


    def outline(self, count=256):
        """Returns the corners as a list of points; many for an ellipse."""
        if self.polygon:
            corners = self.polygon
        elif self.ellipse:
            angles = [2 * math.pi * index / count for index in range(count)]
            corners = [((math.cos(a) + 1) / 2 * self.width, (math.sin(a) + 1) / 2 * self.height) for a in angles]
        else:
            box = [(0, 0), (self.width, 0), (self.width, self.height), (0, self.height)]
            corners = [(x, y - self.lift) for x, y in box]
        return [self.placed(a, b) for a, b in corners]

    def scaled(self, scales, margins):
        """Returns the shape with other scales, and moved by margins."""
        points = [[at * scale + margin for at, scale, margin in zip(point, scales, margins)] for point in self.outline()]
        return Polygon(points)

    def flipped(self, flips, size):
        """Returns the shape of an image with this size after the flips of a tile number."""
        points = [(y, x) if flips & 0x20000000 else (x, y) for x, y in self.outline()]
        width, height = size[::-1] if flips & 0x20000000 else size
        points = [(width - x if flips & 0x80000000 else x, height - y if flips & 0x40000000 else y) for x, y in points]
        return Polygon(points)


class Polygon(Shape):
    """An outline given by its corners."""

    def __init__(self, points):
        self.x = self.y = self.turn = self.lift = 0
        self.ellipse, self.polygon, self.corners = False, points, points

    def is_box(self):
        xs, ys = {x for x, _ in self.polygon}, {y for _, y in self.polygon}
        return len(self.polygon) == 4 and len(xs) == 2 and len(ys) == 2


def placed_shapes(item, shapes, size, offset):
    """Returns the shapes of the image of an object as they lie on the map."""
    frame = Shape(item, offset)
    across, down = frame.width / size[0], frame.height / size[1]
    return [Polygon([frame.placed(x * across, y * down - frame.lift) for x, y in shape.polygon]) for shape in shapes]


def has_area(item):
    return all(item.find(each) is None for each in ("point", "polyline", "text"))


def covered(shapes, left, top, width, height):
    """Returns the share of a rectangle that the shapes cover together."""
    near = []
    for shape in shapes:
        bounds = shape.bounds()
        if bounds[0] < left + width and bounds[2] > left and bounds[1] < top + height and bounds[3] > top:
            near.append((shape, bounds))
    if not near:
        return 0
    if all(shape.is_box() for shape, _ in near):
        return boxes_area([bounds for _, bounds in near], left, top, left + width, top + height) / (width * height)
    hits = 0
    for row in range(SAMPLES):
        for column in range(SAMPLES):
            x, y = left + (column + 0.5) / SAMPLES * width, top + (row + 0.5) / SAMPLES * height
            hits += any(shape.contains(x, y) for shape, _ in near)
    return hits / SAMPLES**2


def boxes_area(boxes, left, top, right, bottom):
    clip = lambda value, low, high: min(max(value, low), high)
    xs = sorted({clip(x, left, right) for box in boxes for x in (box[0], box[2])})
    ys = sorted({clip(y, top, bottom) for box in boxes for y in (box[1], box[3])})
    area = 0
    for x0, x1 in zip(xs, xs[1:]):
        for y0, y1 in zip(ys, ys[1:]):
            x, y = (x0 + x1) / 2, (y0 + y1) / 2
            if any(box[0] < x < box[2] and box[1] < y < box[3] for box in boxes):
                area += (x1 - x0) * (y1 - y0)
    return area


def tiles_near(shapes, step):
    """Returns the tiles that the bounds of the shapes touch."""
    near = set()
    for shape in shapes:
        left, top, right, bottom = shape.bounds()
        columns = range(math.floor(left / step[0]), math.ceil(right / step[0]))
        rows = range(math.floor(top / step[1]), math.ceil(bottom / step[1]))
        near |= {(x, y) for x in columns for y in rows}
    return near
