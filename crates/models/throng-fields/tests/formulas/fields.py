"""Scenarios of fields: every shape with every profile, mixtures, edges, and layers with their combinations."""

import math

import numpy as np

import drawing
from drawing import PROFILES, SHAPES, between
from geometry import single
from sums import bounds, field, is_clear

ALL = 2**32 - 1


def split(entities):
    """Entities in the format that the crate reads, and stamps separately."""
    figures = [entity for entity in entities if "shape" in entity]
    return {"entities": figures, "stamps": [entity for entity in entities if "values" in entity]}


def scenario(name, grid, entities):
    floats, fixed = bounds(entities)
    return {"name": name, "grid": grid} | split(entities) | {"floats": floats, "fixed": fixed}, field(grid, entities)


def drawn(draw, name, kinds, far=False):
    """Entities of some kinds on a random grid, drawn again if rounding would decide on the side of a jump."""
    while True:
        grid = drawing.grid(draw, far)
        entities = [drawing.entity(draw, grid, *kind) for kind in kinds]
        if is_clear(grid, entities):
            return scenario(name, grid, entities)


def edges():
    """Points exactly on a jump, a side or a corner, with coordinates that single precision represents exactly."""
    grid = {"origin": [-8.0, -8.0], "cell": 1.0, "columns": 17, "rows": 17, "sample": "corner"}
    step = {
        "form": "piecewise",
        "knots": [
            {"distance": 0.0, "before": 1.0, "after": 2.0},
            {"distance": 2.0, "before": 2.0, "after": 0.5},
            {"distance": 5.0, "before": 1.0, "after": -1.0},
            {"distance": 6.0, "before": 3.0, "after": 4.0},
        ],
    }
    table = {"form": "table", "radius": 5.0, "values": [1.0, -2.0, 3.0]}
    bell = {"form": "gaussian", "sigma": 4.0, "radius": 5.0}
    line = {"form": "linear", "radius": 16.0}
    quarter, half = round(math.pi / 4, 7), round(math.pi / 2, 7)
    cases = [
        ("disc", 0.0, step), ("disc", 0.0, table), ("disc", 0.0, bell),
        ({"ring": {"radius": 5.0}}, 0.0, step | {"knots": step["knots"][:2]}),
        ({"box": {"half": [2.0, 1.0]}}, 0.0, step), ({"box": {"half": [2.0, 1.0]}}, half, bell),
        ({"box": {"half": [2.0, 1.0]}}, -half, step), ({"capsule": {"length": 3.0}}, 2 * half, step),
        ({"capsule": {"length": 3.0}}, half, table),
        ({"cone": {"half_angle": quarter}}, 0.0, line), ({"cone": {"half_angle": half}}, quarter, line),
        ({"cone": {"half_angle": round(math.pi, 7)}}, 0.3, line),
        ({"polygon": {"corners": [[-1.0, -1.0], [3.0, -1.0], [3.0, 2.0], [0.0, 0.0], [-1.0, 2.0]]}}, half, step),
    ]
    for shape, heading, profile in cases:
        entity = {
            "position": [0.0, 0.0], "heading": round(heading, 7), "charge": 1.0, "layers": ALL, "shape": shape,
            "profile": profile,
        }
        assert is_clear(grid, [entity], on_the_edge=True), (shape, profile)
        yield scenario(f"edges {shape}", grid, [entity])


def fields(draw):
    for shape in SHAPES[:-1]:
        for form in PROFILES:
            for count in (1, 2, 4):
                yield drawn(draw, f"{count} x {shape} {form}", [(shape, form)] * count)
    for count in (1, 1, 2, 3):
        yield drawn(draw, f"{count} stamps", [("stamp", None)] * count)
    for i in range(24):
        kinds = [(SHAPES[draw.integers(7)], PROFILES[draw.integers(5)]) for _ in range(6)]
        yield drawn(draw, f"mixture {i}", kinds, far=i % 3 == 0)
    yield from edges()


def combined(operations, layers):
    """The result of operations on layers, and the minimum distance of a result from a threshold."""
    result, margin = np.zeros(layers[0].shape), math.inf
    for operation in operations:
        name = operation["operation"]
        if name == "threshold":
            at, below, above = (single(operation[key]) for key in ("at", "below", "from"))
            margin = min(margin, np.abs(result - at).min())
            result = np.where(result < at, below, above)
            continue
        layer = single(operation["weight"]) * layers[operation["layer"]]
        result = {
            "add": lambda: result + layer,
            "max": lambda: np.maximum(result, layer),
            "min": lambda: np.minimum(result, layer),
            "times": lambda: result * layer,
        }[name]()
    return result, margin


def growth(operations, largest, error):
    """The error of a result from the maximum values and errors of its layers."""
    size, off = 0.0, 0.0
    for operation in operations:
        if operation["operation"] == "threshold":
            size, off = max(abs(operation["below"]), abs(operation["from"])), 0.0
            continue
        weight, layer = abs(operation["weight"]), operation["layer"]
        most, wrong = weight * largest[layer], weight * (error[layer] + largest[layer] * 2**-23)
        if operation["operation"] == "times":
            size, off = size * most, off * most + wrong * size + off * wrong
        else:
            size = size + most if operation["operation"] == "add" else max(size, most)
            off += wrong
        off += size * 2**-23
    return off


def operation(draw, count):
    name = ["add", "max", "min", "times", "threshold"][draw.choice(5, p=[0.35, 0.2, 0.15, 0.15, 0.15])]
    if name == "threshold":
        return {"operation": name, "at": between(draw, -1, 1), "below": between(draw, -2, 2), "from": between(draw, -2, 2)}
    return {"operation": name, "weight": between(draw, -2, 2), "layer": int(draw.integers(count))}


def layers(draw):
    made = 0
    while made < 24:
        count = int(draw.integers(1, 6))
        grid = drawing.grid(draw)
        entities = []
        for _ in range(8):
            shape, form = SHAPES[draw.integers(7)], PROFILES[draw.integers(5)]
            entity = drawing.entity(draw, grid, shape, form)
            entities.append(entity | {"layers": int(draw.integers(1, 2**count))})
        # The first operation adds: all others would leave the initial 0 unchanged.
        operations = [{"operation": "add", "weight": between(draw, -2, 2), "layer": int(draw.integers(count))}]
        operations += [operation(draw, count) for _ in range(draw.integers(1, 6))]
        members = [[entity for entity in entities if entity["layers"] >> i & 1] for i in range(count)]
        if not is_clear(grid, entities):
            continue
        values = [field(grid, some) for some in members]
        result, margin = combined(operations, values)
        largest = [np.abs(layer).max() for layer in values]
        floats, fixed = (growth(operations, largest, [bounds(some)[i] for some in members]) for i in range(2))
        if margin < 2 * fixed:
            continue
        made += 1
        facts = {"layers": count, "operations": operations, "floats": floats, "fixed": fixed}
        yield {"name": f"layers {made}", "grid": grid} | split(entities) | facts, result
