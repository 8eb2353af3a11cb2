"""Influence on 2,048 x 2,048 cells, 32 sweeps, and diffusion on 1,024 x 1,024 cells for a time of 1."""

import math

import cv2
import numpy as np
import scipy.fft
import scipy.ndimage
from numba import njit, prange

SIDE, SWEEPS, DECAY, MOMENTUM = 2048, 32, 0.05, 0.25
STRAIGHT, DIAGONAL = np.float32(math.exp(-DECAY)), np.float32(math.exp(-DECAY * math.sqrt(2)))
KEEP, REST = np.float32(MOMENTUM), np.float32(1 - MOMENTUM)
SMALL = 1024
CROSS = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8)
CORNERS = np.array([[1, 0, 1], [0, 0, 0], [1, 0, 1]], np.uint8)


def slices(array):
    """The padded values of the four straight and the four diagonal neighbours."""
    return (
        [array[1:-1, :-2], array[1:-1, 2:], array[:-2, 1:-1], array[2:, 1:-1]],
        [array[:-2, :-2], array[:-2, 2:], array[2:, :-2], array[2:, 2:]],
    )


def passages(is_open):
    """Whether both cells beside the step are open, for each diagonal neighbour."""
    padded = np.pad(is_open, 1)
    (left, right, down, up), _ = slices(padded)
    return [left & down, right & down, left & up, right & up]


def influence_by_numpy(sources, is_open):
    padded = np.zeros((SIDE + 2, SIDE + 2), np.float32)
    values, (straight, diagonal) = padded[1:-1, 1:-1], slices(padded)
    cells, strength = (sources[:, 1].astype(int), sources[:, 0].astype(int)), sources[:, 2].astype(np.float32)
    values[cells] = strength
    may_pass = None if is_open is None else passages(is_open)
    best, corner, part = (np.empty((SIDE, SIDE), np.float32) for _ in range(3))
    for _ in range(SWEEPS):
        np.maximum(straight[0], straight[1], out=best)
        for other in straight[2:]:
            np.maximum(best, other, out=best)
        if may_pass is None:
            np.maximum(diagonal[0], diagonal[1], out=corner)
            for other in diagonal[2:]:
                np.maximum(corner, other, out=corner)
        else:
            corner[:] = 0
            for other, passes in zip(diagonal, may_pass):
                np.multiply(other, passes, out=part)
                np.maximum(corner, part, out=corner)
        best *= STRAIGHT
        corner *= DIAGONAL
        np.maximum(best, corner, out=best)
        best *= REST
        values *= KEEP
        values += best
        if is_open is not None:
            values *= is_open
        values[cells] = np.maximum(values[cells], strength)
    return values.copy()


def influence_by_opencv(sources):
    values = np.zeros((SIDE, SIDE), np.float32)
    cells, strength = (sources[:, 1].astype(int), sources[:, 0].astype(int)), sources[:, 2].astype(np.float32)
    values[cells] = strength
    for _ in range(SWEEPS):
        # The border counts as lower than all values.
        straight, diagonal = cv2.dilate(values, CROSS), cv2.dilate(values, CORNERS)
        best = cv2.max(cv2.multiply(straight, float(STRAIGHT)), cv2.multiply(diagonal, float(DIAGONAL)))
        values = cv2.addWeighted(values, MOMENTUM, best, 1 - MOMENTUM, 0)
        values[cells] = np.maximum(values[cells], strength)
    return values


def influence_by_scipy(sources):
    values = np.zeros((SIDE, SIDE), np.float32)
    cells, strength = (sources[:, 1].astype(int), sources[:, 0].astype(int)), sources[:, 2].astype(np.float32)
    values[cells] = strength
    for _ in range(SWEEPS):
        best = scipy.ndimage.maximum_filter(values, footprint=CROSS, mode="constant") * STRAIGHT
        corner = scipy.ndimage.maximum_filter(values, footprint=CORNERS, mode="constant") * DIAGONAL
        values = values * KEEP + np.maximum(best, corner) * REST
        values[cells] = np.maximum(values[cells], strength)
    return values


def influence_loops(fastmath, parallel):
    """Loops over a padded map; without walls all cells are open and are not tested."""

    @njit(fastmath=fastmath, parallel=parallel)
    def without_walls(old, new):
        for y in prange(1, SIDE + 1):
            for x in range(1, SIDE + 1):
                best = max(max(old[y, x - 1], old[y, x + 1]), max(old[y - 1, x], old[y + 1, x])) * STRAIGHT
                corner = max(max(old[y - 1, x - 1], old[y - 1, x + 1]), max(old[y + 1, x - 1], old[y + 1, x + 1]))
                new[y, x] = KEEP * old[y, x] + REST * max(best, corner * DIAGONAL)

    @njit(fastmath=fastmath, parallel=parallel)
    def with_walls(old, new, is_open):
        zero = np.float32(0)
        for y in prange(1, SIDE + 1):
            for x in range(1, SIDE + 1):
                if not is_open[y, x]:
                    continue
                best = max(max(old[y, x - 1], old[y, x + 1]), max(old[y - 1, x], old[y + 1, x])) * STRAIGHT
                left, right, down, up = is_open[y, x - 1], is_open[y, x + 1], is_open[y - 1, x], is_open[y + 1, x]
                corner = zero
                if left and down:
                    corner = max(corner, old[y - 1, x - 1])
                if right and down:
                    corner = max(corner, old[y - 1, x + 1])
                if left and up:
                    corner = max(corner, old[y + 1, x - 1])
                if right and up:
                    corner = max(corner, old[y + 1, x + 1])
                new[y, x] = KEEP * old[y, x] + REST * max(best, corner * DIAGONAL)

    def run(sources, is_open):
        old, new = (np.zeros((SIDE + 2, SIDE + 2), np.float32) for _ in range(2))
        cells, strength = (sources[:, 1].astype(int) + 1, sources[:, 0].astype(int) + 1), sources[:, 2]
        padded = None if is_open is None else np.pad(is_open, 1)
        old[cells] = strength
        for _ in range(SWEEPS):
            if padded is None:
                without_walls(old, new)
            else:
                with_walls(old, new, padded)
            new[cells] = np.maximum(new[cells], strength)
            old, new = new, old
        return old[1:-1, 1:-1]

    return run


def both(make):
    """Compiled for one thread, and for several."""
    serial, parallel = make(False), make(True)
    return lambda threads, *arguments: (serial if threads == 1 else parallel)(*arguments)


def start(amounts):
    values = np.zeros((SMALL, SMALL), np.float32)
    np.add.at(values, (amounts[:, 1].astype(int), amounts[:, 0].astype(int)), amounts[:, 2].astype(np.float32))
    return values


def diffused_by_numpy(amounts, steps, share):
    padded = np.pad(start(amounts), 1)
    values, (straight, _) = padded[1:-1, 1:-1], slices(padded)
    change = np.empty_like(values)
    for _ in range(steps):
        # Nothing passes through the border, because it has the values of the cells next to it.
        padded[0], padded[-1], padded[:, 0], padded[:, -1] = padded[1], padded[-2], padded[:, 1], padded[:, -2]
        np.add(straight[0], straight[1], out=change)
        change += straight[2]
        change += straight[3]
        change *= share
        values *= 1 - 4 * share
        values += change
    return values.copy()


def diffused_by_scipy(amounts, steps, share):
    values = start(amounts)
    for _ in range(steps):
        values += share * scipy.ndimage.laplace(values, mode="nearest")
    return values


def diffused_by_opencv(amounts, steps, share):
    values = start(amounts)
    weights = np.array([[0, share, 0], [share, 1 - 4 * share, share], [0, share, 0]], np.float32)
    for _ in range(steps):
        values = cv2.filter2D(values, -1, weights, borderType=cv2.BORDER_REPLICATE)
    return values


def diffused_by_cosines(amounts, time, threads):
    """The exact solution of the exchange between neighbours, by cosine transforms."""
    spectrum = scipy.fft.dctn(start(amounts), workers=threads)
    rates = (2 - 2 * np.cos(np.pi * np.arange(SMALL) / SMALL)).astype(np.float32)
    spectrum *= np.exp(-time * rates)[:, None] * np.exp(-time * rates)[None, :]
    return scipy.fft.idctn(spectrum, workers=threads)


def diffusion_loops(fastmath, parallel):
    @njit(fastmath=fastmath, parallel=parallel)
    def step(old, new, share):
        for y in prange(1, SMALL + 1):
            for x in range(1, SMALL + 1):
                around = (old[y, x - 1] + old[y, x + 1]) + (old[y - 1, x] + old[y + 1, x])
                new[y, x] = old[y, x] + share * (around - np.float32(4) * old[y, x])

    @njit(fastmath=fastmath, parallel=parallel)
    def step_with_walls(old, new, is_open, share):
        for y in prange(1, SMALL + 1):
            for x in range(1, SMALL + 1):
                own = old[y, x]
                change = is_open[y, x - 1] * (old[y, x - 1] - own) + is_open[y, x + 1] * (old[y, x + 1] - own)
                change += is_open[y - 1, x] * (old[y - 1, x] - own) + is_open[y + 1, x] * (old[y + 1, x] - own)
                new[y, x] = own + share * (is_open[y, x] * change)

    def run(amounts, is_open, steps, share):
        old = np.pad(start(amounts), 1)
        new = np.zeros_like(old)
        flags = None if is_open is None else np.pad(is_open, 1).astype(np.float32)
        for _ in range(steps):
            if flags is None:
                old[0], old[-1], old[:, 0], old[:, -1] = old[1], old[-2], old[:, 1], old[:, -2]
                step(old, new, share)
            else:
                step_with_walls(old, new, flags, share)
            old, new = new, old
        return old[1:-1, 1:-1]

    return run


def tasks(folder, task):
    draw = np.random.default_rng(2)

    def save_places(name, side, is_open):
        at = draw.integers(0, side, (3 * SIDE, 2))
        at = np.unique(at, axis=0)
        at = at[is_open[at[:, 1], at[:, 0]]] if is_open is not None else at
        at = draw.permutation(at)[:SIDE]
        values = np.column_stack([at, draw.uniform(0.5, 2, len(at)).astype(np.float32)])
        np.save(folder / f"{name}.npy", values)
        return values

    walls, small_walls = draw.random((SIDE, SIDE)) < 0.2, draw.random((SMALL, SMALL)) < 0.2
    np.save(folder / "walls.npy", walls.astype(np.uint8))
    np.save(folder / "diffusion walls.npy", small_walls.astype(np.uint8))
    strict = both(lambda parallel: influence_loops(False, parallel))
    fast = both(lambda parallel: influence_loops(True, parallel))
    sources, among_walls = save_places("sources", SIDE, None), save_places("sources with walls", SIDE, ~walls)
    yield task(
        "influence",
        {
            "NumPy": (lambda _: influence_by_numpy(sources, None), False),
            "SciPy maximum_filter": (lambda _: influence_by_scipy(sources), False),
            "OpenCV dilate": (lambda _: influence_by_opencv(sources), True),
            "Numba": (lambda n: strict(n, sources, None), True),
            "Numba, fastmath": (lambda n: fast(n, sources, None), True),
        },
        1e-5,
    )
    yield task(
        "influence with walls",
        {
            "NumPy": (lambda _: influence_by_numpy(among_walls, ~walls), False),
            "Numba": (lambda n: strict(n, among_walls, ~walls), True),
            "Numba, fastmath": (lambda n: fast(n, among_walls, ~walls), True),
        },
        1e-5,
    )
    strict_d = both(lambda parallel: diffusion_loops(False, parallel))
    fast_d = both(lambda parallel: diffusion_loops(True, parallel))
    amounts, scents = save_places("amounts", SMALL, None), save_places("amounts with walls", SMALL, ~small_walls)
    share = np.float32(1 / 6)
    slow = ("NumPy", "SciPy laplace")
    for name, time, steps, tolerance in (("diffusion", 4, 24, 0.001), ("fast diffusion", 100, 600, 0.001)):
        peers = {
            "NumPy": (lambda _, steps=steps: diffused_by_numpy(amounts, steps, share), False),
            "SciPy laplace": (lambda _, steps=steps: diffused_by_scipy(amounts, steps, share), False),
            "SciPy dctn, exact in time *": (lambda n, time=time: diffused_by_cosines(amounts, time, n), True),
            "OpenCV filter2D": (lambda _, steps=steps: diffused_by_opencv(amounts, steps, share), True),
            "Numba": (lambda n, steps=steps: strict_d(n, amounts, None, steps, share), True),
            "Numba, fastmath": (lambda n, steps=steps: fast_d(n, amounts, None, steps, share), True),
        }
        if steps > 100:
            # Would take 25 times as long as the shorter task, and show nothing new.
            peers = {peer: run for peer, run in peers.items() if peer not in slow}
        yield task(name, peers, tolerance, loose=0.005)
        yield task(
            f"{name} with walls",
            {
                "Numba": (lambda n, steps=steps: strict_d(n, scents, ~small_walls, steps, share), True),
                "Numba, fastmath": (lambda n, steps=steps: fast_d(n, scents, ~small_walls, steps, share), True),
            },
            tolerance,
        )
