"""Scenarios of queries: values and slopes between samples, best cells."""

import math

import numpy as np

import drawing
from drawing import between
from geometry import single
from sums import points


def sample(grid, values, at):
    """The bilinear value at a point, and its slope along x and y; those of the border beyond the last samples."""
    shift = 0.0 if grid["sample"] == "corner" else 0.5
    cell = single(grid["cell"])
    place = []
    for axis, count in ((0, values.shape[1]), (1, values.shape[0])):
        u = min(max((at[axis] - grid["origin"][axis]) / cell - shift, 0), count - 1)
        first = min(math.floor(u), max(count - 2, 0))
        place.append((first, min(first + 1, count - 1), u - first))
    (x0, x1, fx), (y0, y1, fy) = place
    a, b, c, d = values[y0, x0], values[y0, x1], values[y1, x0], values[y1, x1]
    value = (1 - fy) * ((1 - fx) * a + fx * b) + fy * ((1 - fx) * c + fx * d)
    slope = [((1 - fy) * (b - a) + fy * (d - c)) / cell, ((1 - fx) * (c - a) + fx * (d - b)) / cell]
    return [value, *slope]


def best(grid, values, allowed, at=None, radius=math.inf):
    """The first cell with the highest value whose sampled point is within the radius: column, row, value; or -1."""
    x, y = points(grid)
    near = np.ones(values.shape, bool) if at is None else (x - at[0]) ** 2 + (y - at[1]) ** 2 <= single(radius) ** 2
    candidates = np.where(near & allowed, values, -np.inf).ravel()
    cell = int(np.argmax(candidates))
    if candidates[cell] == -np.inf:
        return [-1, -1, -1]
    return [cell % values.shape[1], cell // values.shape[1], candidates[cell]]


def queries(draw):
    for i in range(16):
        grid = drawing.grid(draw, far=i % 4 == 3)
        if i == 0:
            grid["columns"] = 1
        if i == 1:
            grid["rows"] = 1
        rows, columns = grid["rows"], grid["columns"]
        # Few different values, so that several cells are the best.
        values = draw.integers(-4, 5, (rows, columns)) * 0.25
        allowed = draw.random((rows, columns)) < [1, 0.5, 0.02][i % 3]
        sides = [columns * grid["cell"], rows * grid["cell"]]
        inside = lambda low, high: [
            round(grid["origin"][axis] + sides[axis] * float(draw.uniform(low, high)), 3) for axis in range(2)
        ]
        at = [inside(0.1, 0.9) for _ in range(6)] + [inside(-0.5, 1.5) for _ in range(4)]
        circles = [[*inside(-0.2, 1.2), between(draw, 0.1, 0.5 * max(sides))] for _ in range(6)]
        if i % 4 == 2:
            # Points exactly at the radius: 3, 4, 5.
            grid |= {"origin": [0.0, 0.0], "cell": 1.0}
            x, y = points(grid)
            circles = [[float(x[3, 3]), float(y[3, 3]), 5.0], [float(x[0, 0]), float(y[0, 0]), 0.0]]
        answers = [sample(grid, values, point) for point in at]
        answers += [best(grid, values, allowed)] + [best(grid, values, allowed, (x, y), r) for x, y, r in circles]
        facts = {"walls": [int(cell) for cell in np.flatnonzero(~allowed)], "at": at, "circles": circles}
        yield {"name": f"queries {i}", "grid": grid} | facts, values, np.array(answers)
