"""Distances, profiles and stamps, written from the tables of docs/src/fields.md.

Numbers of a scenario are plain JSON numbers. The crate reads lengths, angles and charges in single precision and
positions in double precision; `single` rounds the former in the same way before they are used here.
"""

import math

import numpy as np


def single(number):
    """A number rounded to 32 bits, as the crate reads it."""
    return float(np.float32(number))


def turned(heading, x, y):
    """Coordinates along and across a heading; exact for multiples of an eighth of a turn."""
    eighths = single(heading) / (math.pi / 4)
    if abs(eighths - round(eighths)) < 1e-6:
        half = math.sqrt(0.5)
        cos = [1, half, 0, -half, -1, -half, 0, half][round(eighths) % 8]
        sin = [0, half, 1, half, 0, -half, -1, -half][round(eighths) % 8]
    else:
        cos, sin = math.cos(single(heading)), math.sin(single(heading))
    return x * cos + y * sin, y * cos - x * sin


def to_segment(x, y, a, b):
    """Distance to a straight line between two points."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    share = np.clip(((x - a[0]) * dx + (y - a[1]) * dy) / square, 0, 1) if square > 0 else np.zeros_like(x)
    return np.hypot(x - a[0] - share * dx, y - a[1] - share * dy)


def in_polygon(x, y, corners):
    """Whether points are inside a simple polygon: a ray from them crosses it an odd number of times."""
    inside = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1]):
        crosses = (ay > y) != (by > y)
        with np.errstate(divide="ignore", invalid="ignore"):
            inside ^= crosses & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return inside


def distance(shape, x, y):
    """Distance from a shape in the coordinates of its entity; infinite beside a cone."""
    if shape == "disc":
        return np.hypot(x, y)
    (name, keys), = shape.items()
    if name == "ring":
        return np.abs(np.hypot(x, y) - single(keys["radius"]))
    if name == "capsule":
        return to_segment(x, y, (0, 0), (single(keys["length"]), 0))
    if name == "box":
        along, across = (single(half) for half in keys["half"])
        return np.hypot(np.maximum(np.abs(x) - along, 0), np.maximum(np.abs(y) - across, 0))
    if name == "polygon":
        corners = [tuple(single(number) for number in corner) for corner in keys["corners"]]
        sides = zip(corners, corners[1:] + corners[:1])
        outside = np.min([to_segment(x, y, a, b) for a, b in sides], axis=0)
        return np.where(in_polygon(x, y, corners), 0, outside)
    assert name == "cone"
    within = np.abs(np.arctan2(y, x)) <= single(keys["half_angle"]) + 1e-6
    return np.where(within | (np.hypot(x, y) == 0), np.hypot(x, y), np.inf)


def size(shape):
    """The maximum distance of a point of a shape from the position of its entity."""
    if shape == "disc" or "cone" in shape:
        return 0.0
    (name, keys), = shape.items()
    return {
        "ring": lambda: keys["radius"],
        "capsule": lambda: keys["length"],
        "box": lambda: math.hypot(*keys["half"]),
        "polygon": lambda: max(math.hypot(*corner) for corner in keys["corners"]),
    }[name]()


def reach(profile):
    """The distance beyond which a profile is 0."""
    return single(profile["knots"][-1]["distance"] if profile["form"] == "piecewise" else profile["radius"])


def pieces(profile):
    """A profile of straight pieces: distances, and values before and after each."""
    if profile["form"] == "piecewise":
        rows = [(knot["distance"], knot["before"], knot["after"]) for knot in profile["knots"]]
    else:
        last = len(profile["values"]) - 1
        rows = [(reach(profile) * i / last, value, value) for i, value in enumerate(profile["values"])]
    return [tuple(single(number) for number in row) for row in rows]


def value(profile, d):
    """The value of a profile at distances."""
    r = reach(profile)
    with np.errstate(invalid="ignore"):
        if profile["form"] == "linear":
            within = 1 - d / r
        elif profile["form"] == "quadratic":
            within = 1 - d**2 / r**2
        elif profile["form"] == "gaussian":
            within = np.exp(-(d**2) / (2 * single(profile["sigma"]) ** 2))
        else:
            rows = pieces(profile)
            within = np.full(d.shape, rows[0][1])
            for (a, _, va), (b, vb, _) in zip(rows, rows[1:]):
                within = np.where((d > a) & (d <= b), va + (vb - va) * (d - a) / (b - a), within)
    return np.where(d < r, within, 0)


def largest(profile):
    """The largest absolute value of a profile."""
    if "knots" in profile or "values" in profile:
        return max(max(abs(before), abs(after)) for _, before, after in pieces(profile))
    return 1.0


def steepest(profile):
    """The steepest slope of a profile between its jumps."""
    if profile["form"] == "gaussian":
        return math.exp(-0.5) / single(profile["sigma"])
    if profile["form"] in ("linear", "quadratic"):
        return {"linear": 1, "quadratic": 2}[profile["form"]] / reach(profile)
    rows = pieces(profile)
    return max(abs(vb - va) / (b - a) for (a, _, va), (b, vb, _) in zip(rows, rows[1:]))


def jumps(profile):
    """Distances at which a profile is discontinuous."""
    r = reach(profile)
    if profile["form"] == "gaussian":
        return [r]
    if profile["form"] in ("linear", "quadratic"):
        return []
    rows = pieces(profile)
    found = [d for d, before, after in rows[:-1] if before != after]
    return found + ([r] if rows[-1][1] != 0 else [])


def stamp_value(stamp, x, y):
    """The bilinear value of a stamp in the coordinates of its entity; the points around the table are 0."""
    table = np.pad(np.array(stamp["values"], np.float32).astype(float).reshape(stamp["rows"], stamp["columns"]), 1)
    side = single(stamp["side"])
    u = x / side + (stamp["columns"] - 1) / 2 + 1
    v = y / side + (stamp["rows"] - 1) / 2 + 1
    total = np.zeros(x.shape)
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            weight = np.maximum(0, 1 - np.abs(u - column)) * np.maximum(0, 1 - np.abs(v - row))
            total += table[row, column] * weight
    return total
