"""Fields of entities and their bounds of error."""

import math

import numpy as np

from geometry import distance, jumps, largest, reach, single, size, stamp_value, steepest, turned, value

# Single precision with several roundings.
ROUNDED = 2.0**-22
# The step of fixed point with 16 fractional bits.
STEP = 2.0**-16


def points(grid):
    """The sampled points of all cells."""
    shift = 0.0 if grid["sample"] == "corner" else 0.5
    cell = single(grid["cell"])
    x = grid["origin"][0] + (np.arange(grid["columns"]) + shift) * cell
    y = grid["origin"][1] + (np.arange(grid["rows"]) + shift) * cell
    return np.meshgrid(x, y)


def around(entity, x, y):
    """Points in the coordinates of an entity."""
    return turned(entity["heading"], x - entity["position"][0], y - entity["position"][1])


def amount(entity, x, y):
    """The contribution of an entity at points."""
    along, across = around(entity, x, y)
    if "values" in entity:
        return single(entity["charge"]) * stamp_value(entity, along, across)
    return single(entity["charge"]) * value(entity["profile"], distance(entity["shape"], along, across))


def field(grid, entities):
    """The sum of all entities at all points."""
    x, y = points(grid)
    return sum((amount(entity, x, y) for entity in entities), np.zeros(x.shape))


def unit(entity):
    """The largest error of a distance in fixed point, by fields.md: a unit, and around rings up to 2.3 units."""
    r = reach(entity["profile"])
    if isinstance(entity["shape"], dict) and "ring" in entity["shape"]:
        return 2.3 * min((r + single(entity["shape"]["ring"]["radius"])) / 16384, r / 4096)
    return r / 16384


def bounds(entities):
    """The largest error of a cell in floating point, and in fixed point with 16 fractional bits."""
    floats, fixed = 0.0, 0.0
    for entity in entities:
        charge = abs(single(entity["charge"]))
        if "values" in entity:
            most, side = max(abs(v) for v in entity["values"]), single(entity["side"])
            place = side * math.hypot(entity["columns"] + 1, entity["rows"] + 1) * ROUNDED
            slope, coarse = 4 * most / side, 0.0
        else:
            most, slope = largest(entity["profile"]), steepest(entity["profile"])
            place = (size(entity["shape"]) + reach(entity["profile"])) * ROUNDED
            coarse = unit(entity)
        # Each sum is also rounded.
        own = charge * (slope * place + most * ROUNDED * (1 + len(entities) / 4))
        floats += own
        fixed += own + charge * slope * coarse + STEP / 2
    return floats, fixed


def is_clear(grid, entities, on_the_edge=False):
    """Whether no point is so close to a jump that rounding decides on which side it is.

    With `on_the_edge` points exactly on a jump are allowed: coordinates are chosen such that nothing is rounded.
    """
    x, y = points(grid)
    for entity in entities:
        if "values" in entity:
            continue
        along, across = around(entity, x, y)
        d = distance(entity["shape"], along, across)
        near = 1.5 * unit(entity) + (size(entity["shape"]) + reach(entity["profile"])) * ROUNDED
        for jump in jumps(entity["profile"]):
            off = np.abs(d - jump)
            # Points inside a shape have a distance of exactly 0.
            if np.any((off < near) & ~((on_the_edge or jump == 0) & (off == 0))):
                return False
        if isinstance(entity["shape"], dict) and "cone" in entity["shape"]:
            off = np.abs(np.abs(np.arctan2(across, along)) - single(entity["shape"]["cone"]["half_angle"]))
            if np.any((off < 1e-4) & ~(on_the_edge & (off < 2e-7)) & (np.hypot(along, across) > 0)):
                return False
    return True
