"""Scenarios of influence, of teams, and of diffusion."""

import math

import numpy as np

from drawing import between
from geometry import single

STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONAL = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def moved(array, dx, dy, outside):
    """The values of the neighbours at (dx, dy) of all cells."""
    rows, columns = array.shape
    padded = np.pad(array, 1, constant_values=outside)
    return padded[1 + dy : 1 + dy + rows, 1 + dx : 1 + dx + columns]


def ground(draw, share):
    """A grid, and its open cells."""
    grid = {
        "origin": [0.0, 0.0],
        "cell": [0.5, 1.0, 1.3][draw.integers(3)],
        "columns": int(draw.integers(8, 20)),
        "rows": int(draw.integers(7, 16)),
        "sample": "centre",
    }
    return grid, draw.random((grid["rows"], grid["columns"])) >= share


def walls(is_open):
    """Wall cells by index, row by row."""
    return [int(cell) for cell in np.flatnonzero(~is_open)]


def places(draw, is_open, count):
    """Distinct open cells, column and row."""
    cells = draw.permutation(np.flatnonzero(is_open))[:count]
    return [[int(cell) % is_open.shape[1], int(cell) // is_open.shape[1]] for cell in cells]


def spread(grid, is_open, sources, decay, momentum, sweeps):
    """Influence after a number of sweeps; sources have at least their strength, walls stay at 0."""
    cell, decay, momentum = single(grid["cell"]), single(decay), single(momentum)
    values = np.zeros(is_open.shape)

    def keep(values):
        for column, row, strength in sources:
            values[row, column] = max(values[row, column], single(strength))
        return np.where(is_open, values, 0)

    values = keep(values)
    for _ in range(sweeps):
        best = np.zeros(values.shape)
        for dx, dy in STRAIGHT:
            best = np.maximum(best, moved(values, dx, dy, 0) * math.exp(-decay * cell))
        for dx, dy in DIAGONAL:
            # A diagonal neighbour counts if both cells beside the step are open.
            passes = moved(is_open, dx, 0, False) & moved(is_open, 0, dy, False)
            best = np.maximum(best, passes * moved(values, dx, dy, 0) * math.exp(-decay * cell * math.sqrt(2)))
        values = keep(momentum * values + (1 - momentum) * best)
    return values


def influence(draw):
    for i in range(30):
        share = [0.0, 0.2, 0.35][i % 3]
        grid, is_open = ground(draw, share)
        sources = [[*at, between(draw, 0.1, 5)] for at in places(draw, is_open, int(draw.integers(1, 4)))]
        decay, momentum = between(draw, 0, 0.6), [0.0, 0.5, 0.9, between(draw, 0, 0.95)][draw.integers(4)]
        sweeps = int(draw.integers(1, 40))
        facts = {"walls": walls(is_open), "sources": sources, "decay": decay, "momentum": momentum, "sweeps": sweeps}
        name = f"influence {i}, {share:.0%} walls"
        # Each sweep rounds up to four times: weights, products, sums.
        bound = 2**-22 * (sweeps + 4)
        yield {"name": name, "grid": grid, "bound": bound} | facts, spread(grid, is_open, sources, decay, momentum, sweeps)


def teams(draw):
    made = 0
    while made < 12:
        grid, is_open = ground(draw, [0.0, 0.25][made % 2])
        count, decay, momentum = int(draw.integers(2, 5)), between(draw, 0.05, 0.4), [0.0, 0.5][draw.integers(2)]
        sweeps = int(draw.integers(3, 30))
        at = places(draw, is_open, 2 * count)
        sources = [[i % count, *place, between(draw, 0.5, 3)] for i, place in enumerate(at)]
        if made % 4 == 0:
            # A mirror image, so that neither team holds the middle column, where both are equally strong.
            count, columns = 2, 2 * (grid["columns"] // 2) + 1
            grid["columns"] = columns
            is_open = np.ones((grid["rows"], columns), bool)
            row, strength = int(draw.integers(grid["rows"])), between(draw, 0.5, 3)
            sources = [[0, 1, row, strength], [1, columns - 2, row, strength]]
        maps = [
            spread(grid, is_open, [source[1:] for source in sources if source[0] == team], decay, momentum, sweeps)
            for team in range(count)
        ]
        order = np.sort(maps, axis=0)
        gap = order[-1] - order[-2]
        if np.any((gap > 0) & (gap < 1e-4 * order[-1])) or (made % 4 != 0 and np.any((gap == 0) & (order[-1] > 0))):
            continue
        holder = np.where(gap > 0, np.argmax(maps, axis=0), -1)
        tie = (gap == 0) & (order[-1] > 0)
        front = tie.copy()
        for dx, dy in STRAIGHT:
            other = moved(holder, dx, dy, -1)
            front |= (holder >= 0) & (other >= 0) & (other != holder)
        own, enemy = maps[0], sum(maps[1:])
        views = [own - enemy, own + enemy, own + enemy - np.abs(own - enemy), holder, front]
        bound = 2**-22 * (sweeps + 4) * 4 * max(source[3] for source in sources) * count
        facts = {"teams": count, "walls": walls(is_open), "sources": sources, "decay": decay, "momentum": momentum}
        made += 1
        yield {"name": f"teams {made}", "grid": grid, "sweeps": sweeps, "bound": bound} | facts, *views


def rates(is_open):
    """The matrix of the exchange of open cells with their straight neighbours."""
    number = np.full(is_open.shape, -1)
    number[is_open] = np.arange(is_open.sum())
    matrix = np.zeros((is_open.sum(),) * 2)
    for dx, dy in STRAIGHT:
        other = moved(number, dx, dy, -1)
        from_, to = number[is_open & (other >= 0)], other[is_open & (other >= 0)]
        matrix[from_, to] += 1
        matrix[from_, from_] -= 1
    return matrix


def diffused(matrix, exchange, decay, start, emitted, time):
    """`dv/dt = exchange * matrix v - decay * v + emitted` after a time, by many small steps (Runge-Kutta, order 4)."""
    change = lambda v: exchange * (matrix @ v) - decay * v + emitted
    steps = math.ceil(time * (8 * exchange + decay) * 16)
    dt, v = time / steps, start
    for _ in range(steps):
        a = change(v)
        b = change(v + dt / 2 * a)
        c = change(v + dt / 2 * b)
        v = v + dt / 6 * (a + 2 * b + 2 * c + change(v + dt * c))
    return v


def diffusion(draw):
    for i in range(24):
        grid, is_open = ground(draw, [0.0, 0.2, 0.35][i % 3])
        diffusivity, decay = between(draw, 0.1, 3), [0.0, between(draw, 0.01, 0.3)][i % 2]
        # In cells and exchanges, from a few to many.
        time = round(single(grid["cell"]) ** 2 / diffusivity * [3, 10, 40, 200][i % 4], 3)
        sources = [[*at, between(draw, -1, 3)] for at in places(draw, is_open, i % 3)]
        amounts = [[*at, between(draw, 1, 9)] for at in places(draw, is_open, 2)]
        number = np.full(is_open.shape, -1)
        number[is_open] = np.arange(is_open.sum())
        start, emitted = np.zeros(is_open.sum()), np.zeros(is_open.sum())
        for column, row, value in amounts:
            start[number[row, column]] += single(value)
        for column, row, value in sources:
            emitted[number[row, column]] += single(value)
        exchange = single(diffusivity) / single(grid["cell"]) ** 2
        v = diffused(rates(is_open), exchange, single(decay), start, emitted, single(time))
        values = np.zeros(is_open.shape)
        values[is_open] = v
        facts = {"walls": walls(is_open), "sources": sources, "amounts": amounts, "time": time}
        yield {"name": f"diffusion {i}", "grid": grid, "diffusivity": diffusivity, "decay": decay} | facts, values
