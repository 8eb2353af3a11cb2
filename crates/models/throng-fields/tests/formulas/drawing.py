"""Random entities and grids, in numbers of few digits."""

import math

PROFILES = ["linear", "quadratic", "gaussian", "piecewise", "table"]
SHAPES = ["disc", "ring", "capsule", "box", "polygon", "cone", "stamp"]


def between(draw, low, high, digits=2):
    return round(float(draw.uniform(low, high)), digits)


def profile(draw, form, scale=1.0):
    """A profile with a reach of about `3 * scale`."""
    r = between(draw, 1.5 * scale, 6 * scale)
    if form == "gaussian":
        return {"form": form, "sigma": round(r / between(draw, 1.5, 4), 3), "radius": r}
    if form == "table":
        return {"form": form, "radius": r, "values": [between(draw, -2, 2) for _ in range(draw.integers(2, 7))]}
    if form == "piecewise":
        distances = [0.0] + sorted({round(r * between(draw, 0.1, 0.9), 2) for _ in range(draw.integers(1, 4))}) + [r]
        knots = []
        for d in distances:
            before = between(draw, -2, 2)
            after = between(draw, -2, 2) if draw.random() < 0.6 else before
            knots.append({"distance": d, "before": before, "after": after})
        return {"form": form, "knots": knots}
    return {"form": form, "radius": r}


def shape(draw, name, scale=1.0):
    if name == "ring":
        return {name: {"radius": between(draw, scale, 8 * scale)}}
    if name == "capsule":
        return {name: {"length": between(draw, scale, 8 * scale)}}
    if name == "box":
        return {name: {"half": [between(draw, 0.5 * scale, 4 * scale), between(draw, 0.5 * scale, 4 * scale)]}}
    if name == "cone":
        return {name: {"half_angle": between(draw, 0.2, 3.1)}}
    if name == "polygon":
        # A star around the origin, or beside it, in either direction of turning.
        count = int(draw.integers(3, 8))
        angles = [2 * math.pi * (i + between(draw, -0.3, 0.3)) / count for i in range(count)]
        shift = [between(draw, -2, 2) * scale, between(draw, -2, 2) * scale]
        radii = [between(draw, 1, 4) * scale for _ in angles]
        corners = [
            [round(shift[0] + r * math.cos(a), 2), round(shift[1] + r * math.sin(a), 2)] for r, a in zip(radii, angles)
        ]
        return {name: {"corners": corners if draw.random() < 0.5 else corners[::-1]}}
    return name


def grid(draw, far=False):
    """Some 200 cells of any size."""
    origin = [between(draw, -20, 20), between(draw, -20, 20)]
    if far:
        origin = [round(690_000 + origin[0], 2), round(5_334_000 + origin[1], 2)]
    return {
        "origin": origin,
        "cell": [0.25, 0.5, 1.0, 0.7, 1.3][draw.integers(5)],
        "columns": int(draw.integers(10, 20)),
        "rows": int(draw.integers(9, 16)),
        "sample": ["centre", "corner"][draw.integers(2)],
    }


def entity(draw, grid, shape_name, form):
    """An entity on the map or a little beside it."""
    sides = [grid["columns"] * grid["cell"], grid["rows"] * grid["cell"]]
    at = [round(grid["origin"][i] + sides[i] * between(draw, -0.25, 1.25, 4), 3) for i in range(2)]
    heading = [0.0, round(math.pi / 2, 7), between(draw, -7, 7), between(draw, -7, 7)][draw.integers(4)]
    common = {"position": at, "heading": heading, "charge": between(draw, -3, 3) or 1.0, "layers": 2**32 - 1}
    scale = 0.2 * sum(sides) / 2
    if shape_name == "stamp":
        columns, rows = int(draw.integers(1, 6)), int(draw.integers(1, 5))
        values = [between(draw, -2, 2, 1) for _ in range(columns * rows)]
        return common | {"side": between(draw, 0.2, 1.5) * scale, "columns": columns, "rows": rows, "values": values}
    return common | {"shape": shape(draw, shape_name, scale), "profile": profile(draw, form, scale)}
