"""Scenarios of travel times: exact solutions of `|grad T| = cost`, and Godunov's first-order scheme in double precision."""

import math

import numpy as np

import drawing
from drawing import between
from geometry import single
from spreading import STRAIGHT, ground, moved, places, walls
from sums import bounds, field, points


def flat(draw, columns=40, rows=32):
    grid = {"origin": [0.0, 0.0], "cell": [0.5, 1.0, 1.3][draw.integers(3)], "columns": columns, "rows": rows}
    return grid | {"sample": "centre"}


def via_border(cost, x, gx, dx, dy):
    """The fastest way from a point at `gx` left of a border at 0 to one at `dx` right of it and `dy` across, whose
    costs are `cost[0]` and `cost[1]`: the crossing is found by bisection of the convex time."""
    low, high = np.minimum(dy, 0), np.maximum(dy, 0)
    slope = lambda y: cost[0] * y / np.hypot(gx, y) - cost[1] * (dy - y) / np.hypot(dx, dy - y)
    for _ in range(60):
        middle = (low + high) / 2
        rising = slope(middle) > 0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    y = (low + high) / 2
    return cost[0] * np.hypot(gx, y) + cost[1] * np.hypot(dx, dy - y)


def half_planes(cost, border, goal, x, y):
    """The time to a goal left of a border between two costs (Snell's law), also along the border where that is faster."""
    gx, dx, dy = border - goal[0], x - border, y - goal[1]
    right = via_border(cost, border, gx, np.maximum(dx, 1e-9), dy)
    left = cost[0] * np.hypot(x - goal[0], dy)
    if cost[1] < cost[0]:
        across = math.sqrt(cost[0] ** 2 - cost[1] ** 2)
        along = np.abs(dy) * cost[1] + (gx - dx) * across
        possible = np.abs(dy) >= (gx - dx) * cost[1] / across
        left = np.where(possible, np.minimum(left, along), left)
    return np.where(dx > 0, right, left)


def exact(draw):
    for i in range(24):
        grid = flat(draw)
        cell = single(grid["cell"])
        x, y = points(grid)
        is_open, cost = np.ones(x.shape, bool), np.full(x.shape, between(draw, 0.2, 4))
        at = lambda column, row: (x[row, column], y[row, column])
        if i < 6:
            name = "distance from a point" if i < 3 else "distance from the nearest of four points"
            goals = places(draw, is_open, 1 if i < 3 else 4)
            times = cost * np.min([np.hypot(x - at(*goal)[0], y - at(*goal)[1]) for goal in goals], axis=0)
        elif i < 12:
            name = "around a corner"
            column, row = int(draw.integers(15, 25)), int(draw.integers(12, 20))
            corner = (column * cell, row * cell)
            is_open = ~((x > corner[0]) & (y < corner[1]))
            goals = [[int(draw.integers(2, column - 2)), int(draw.integers(1, row - 2))]]
            gx, gy = at(*goals[0])
            # The line to the goal passes the corner on the side of the wall.
            hidden = (x > corner[0]) & ((x - gx) * (corner[1] - gy) - (y - gy) * (corner[0] - gx) > 0)
            around = math.hypot(corner[0] - gx, corner[1] - gy) + np.hypot(x - corner[0], y - corner[1])
            times = cost * np.where(hidden, around, np.hypot(x - gx, y - gy))
        else:
            name = "two half planes"
            column, factor = int(draw.integers(12, 28)), [2.5, 0.4, 1.3, 0.8, 6.0, 0.15][i % 6]
            cost = np.where(x < column * cell, cost, round(cost[0, 0] * factor, 3))
            goals = [[int(draw.integers(2, column - 1)), int(draw.integers(4, 28))]]
            costs = [single(number) for number in (cost[0, 0], cost[0, -1])]
            times = half_planes(costs, column * cell, at(*goals[0]), x, y)
        # The first-order scheme has errors of about the time over the most expensive cell, more behind a corner.
        bound = (1.9 if name == "around a corner" else 1.2) * cell * single(cost.max())
        facts = {"name": name, "grid": grid, "walls": walls(is_open), "goals": goals, "bound": bound}
        yield facts | rows_of(cost), np.where(is_open, times, -1)


def rows_of(cost):
    """Costs as one number if all are equal, or those of a row if all rows are."""
    if np.all(cost == cost[0, 0]):
        return {"costs": [float(cost[0, 0])]}
    return {"costs": [float(number) for number in (cost[0] if np.all(cost == cost[0]) else cost.ravel())]}


def solved(step, goals):
    """Godunov's scheme: the larger root of `(t - a)^2 + (t - b)^2 = step^2`, or a straight step where that has none.

    `step` is the time over each cell, infinite in walls. Also returns how many cells each way passes at most.
    """
    times, passed = np.full(step.shape, np.inf), np.zeros(step.shape)
    for column, row in goals:
        times[row, column] = 0
    while True:
        across = np.minimum(moved(times, 1, 0, np.inf), moved(times, -1, 0, np.inf))
        down = np.minimum(moved(times, 0, 1, np.inf), moved(times, 0, -1, np.inf))
        with np.errstate(invalid="ignore"):
            off = np.abs(across - down)
            root = (across + down + np.sqrt(np.maximum(2 * step**2 - off**2, 0))) / 2
            new = np.where(off < step, root, np.minimum(across, down) + step)
        new = np.minimum(times, np.where(np.isfinite(step) & ~np.isnan(new), new, np.inf))
        if np.array_equal(new, times):
            break
        times = new
        before = [np.where(moved(times, dx, dy, np.inf) < times, moved(passed, dx, dy, 0), 0) for dx, dy in STRAIGHT]
        passed = np.where(np.isfinite(times), 1 + np.max(before, axis=0), 0)
    for _ in range(times.size):
        before = [np.where(moved(times, dx, dy, np.inf) < times, moved(passed, dx, dy, 0), 0) for dx, dy in STRAIGHT]
        longer = np.where(np.isfinite(times), 1 + np.max(before, axis=0), 0)
        if np.array_equal(longer, passed):
            break
        passed = longer
    return times, passed


def scheme(draw):
    made = 0
    while made < 32:
        grid, is_open = ground(draw, [0.0, 0.15, 0.3][made % 3])
        goals = places(draw, is_open, int(draw.integers(1, 4)))
        ratio = [1, 3, 20, 120][made % 4]
        base = between(draw, 0.1, 3)
        facts = {"walls": walls(is_open), "goals": goals}
        if made % 7 == 6:
            # Costs from a field: base + weight * max(0, -field), up to the highest.
            entity = drawing.entity(draw, grid, "disc", "linear")
            danger = {"base": base, "weight": between(draw, 1, 9), "highest": round(base * between(draw, 2, 9), 2)}
            entity |= {"charge": -between(draw, 0.5, 3)}
            danger_field = field(grid, [entity])
            base, weight, highest = (single(danger[key]) for key in ("base", "weight", "highest"))
            cost = np.minimum(base + weight * np.maximum(0, -danger_field), highest)
            facts |= {"costs": [], "entities": [entity], "stamps": [], "danger": danger}
            slack = weight * bounds([entity])[0]
        else:
            spread = np.exp(draw.uniform(0, math.log(ratio), is_open.shape)) if ratio > 1 else np.ones(is_open.shape)
            if made >= 28:
                # Paths over the cheapest cells, which take the fewest ticks.
                ratio = [255.9, 254.1, 200, 129][made % 4]
                spread = np.where(draw.random(is_open.shape) < 0.03, ratio, 1)
            cost = np.vectorize(lambda number: float(f"{number:.4g}"))(base * spread)
            facts |= rows_of(cost)
            slack = 0
        step = np.where(is_open, np.float32(cost).astype(float) * single(grid["cell"]), np.inf)
        times, passed = solved(step, goals)
        # A tick is 1/32,767 of the time to cross the most expensive cell; each cell rounds by up to two ticks.
        bound = passed.max() * (2 * step[is_open].max() / 32767 + slack * grid["cell"]) + times[np.isfinite(times)].max() * 2**-22
        made += 1
        facts |= {"name": f"scheme {made}, costs up to {ratio} times the lowest", "grid": grid, "bound": bound}
        yield facts, np.where(np.isfinite(times), times, -1)
