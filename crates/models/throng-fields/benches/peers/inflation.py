"""Nav2's inflation layer on 2,048 x 2,048 cells, 5 % obstacles, 0.55 m at 0.05 m."""

import math

import cv2
import numpy as np
import scipy.ndimage
from numba import njit, prange

SIDE, RESOLUTION, RADIUS, INSCRIBED, SCALING = 2048, 0.05, 11, 0.2, 10.0
LETHAL = 254


def table():
    """The cost per squared distance in cells; the last entry is the cost beyond the radius."""
    costs = np.zeros(RADIUS * RADIUS + 2, np.uint8)
    for square in range(RADIUS * RADIUS + 1):
        metres = math.sqrt(square) * RESOLUTION
        inscribed = metres <= INSCRIBED + 1e-12
        costs[square] = 253 if inscribed else int(252 * math.exp(-SCALING * (metres - INSCRIBED)))
    costs[0] = LETHAL
    return costs


COSTS = table()


def of_squares(squares):
    return COSTS[np.minimum(squares, RADIUS * RADIUS + 1)]


def by_scipy(costs):
    distance = scipy.ndimage.distance_transform_edt(costs != LETHAL)
    return of_squares(np.rint(distance * distance).astype(np.int32))


def by_opencv(costs):
    distance = cv2.distanceTransform((costs != LETHAL).astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    return of_squares(np.rint(cv2.multiply(distance, distance)).astype(np.int32))


def passes(fastmath, parallel):
    @njit(fastmath=fastmath, parallel=parallel)
    def run(costs, table):
        """Distances along columns, then the minimum along rows, within the radius."""
        down = np.empty((SIDE, SIDE), np.int32)
        for x in prange(SIDE):
            last = -1000
            for y in range(SIDE):
                if costs[y, x] == LETHAL:
                    last = y
                down[y, x] = y - last
            last = 10000
            for y in range(SIDE - 1, -1, -1):
                if costs[y, x] == LETHAL:
                    last = y
                down[y, x] = min(min(down[y, x], last - y), RADIUS + 1)
        result = np.empty((SIDE, SIDE), np.uint8)
        for y in prange(SIDE):
            for x in range(SIDE):
                best = RADIUS * RADIUS + 1
                for k in range(max(0, x - RADIUS), min(SIDE, x + RADIUS + 1)):
                    best = min(best, down[y, k] * down[y, k] + (x - k) * (x - k))
                result[y, x] = table[best]
        return result

    return run


def tasks(folder, task):
    obstacles = np.random.default_rng(4).random((SIDE, SIDE)) < 0.05
    costs = np.where(obstacles, LETHAL, 0).astype(np.uint8)
    np.save(folder / "obstacles.npy", costs)
    strict, strict_parallel = passes(False, False), passes(False, True)
    yield task(
        "inflation",
        {
            "SciPy distance_transform_edt": (lambda _: by_scipy(costs), False),
            "OpenCV distanceTransform": (lambda _: by_opencv(costs), True),
            "Numba": (lambda n: (strict if n == 1 else strict_parallel)(costs, COSTS), True),
        },
        0.0,
    )
