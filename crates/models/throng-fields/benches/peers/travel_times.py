"""Travel times on 2,048 x 2,048 cells: fast marching, fast sweeping, and exact distances where costs are equal."""

import heapq
import math

import cv2
import numpy as np
import scipy.ndimage
import skfmm
from numba import njit

SIDE = 2048


@njit(inline="always")
def root(a, b, step):
    """The first-order scheme: `(t - a)^2 + (t - b)^2 = step^2`, or a straight step."""
    if abs(a - b) >= step:
        return min(a, b) + step
    return (a + b + math.sqrt(2 * step * step - (a - b) * (a - b))) / 2


def marching(fastmath):
    @njit(fastmath=fastmath)
    def run(step, column, row):
        """Fast marching with a binary heap, on padded arrays."""
        far = np.float32(1e30)
        times = np.full(step.shape, far)
        done = np.zeros(step.shape, np.bool_)
        times[row, column] = 0
        heap = [(np.float32(0), np.int32(row), np.int32(column))]
        while heap:
            time, y, x = heapq.heappop(heap)
            if done[y, x]:
                continue
            done[y, x] = True
            for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                ny, nx = y + dy, x + dx
                if done[ny, nx] or step[ny, nx] == 0:
                    continue
                a = min(times[ny, nx - 1], times[ny, nx + 1])
                b = min(times[ny - 1, nx], times[ny + 1, nx])
                new = np.float32(root(a, b, step[ny, nx]))
                if new < times[ny, nx]:
                    times[ny, nx] = new
                    heapq.heappush(heap, (new, np.int32(ny), np.int32(nx)))
        return times

    return run


def sweeping(fastmath):
    @njit(fastmath=fastmath)
    def run(step, column, row):
        """Fast sweeping in four directions, until nothing is lowered."""
        far = np.float32(1e30)
        height, width = step.shape
        times = np.full(step.shape, far)
        times[row, column] = 0
        changed = True
        while changed:
            changed = False
            for direction in range(4):
                for i in range(1, height - 1):
                    y = i if direction & 1 == 0 else height - 1 - i
                    for j in range(1, width - 1):
                        x = j if direction & 2 == 0 else width - 1 - j
                        if step[y, x] == 0:
                            continue
                        a = min(times[y, x - 1], times[y, x + 1])
                        b = min(times[y - 1, x], times[y + 1, x])
                        if min(a, b) >= times[y, x]:
                            continue
                        new = np.float32(root(a, b, step[y, x]))
                        if new < times[y, x]:
                            times[y, x] = new
                            changed = True
        return times

    return run


def padded(run, costs, goal):
    """Runs a function on costs with a frame of walls, which have a cost of 0."""
    times = run(np.pad(costs, 1), goal[0] + 1, goal[1] + 1)[1:-1, 1:-1]
    return np.where(times < 1e29, times, np.inf)


def by_skfmm(costs, goal, order):
    """scikit-fmm, in double precision. Its front starts half a cell around the goal."""
    phi = np.ones((SIDE, SIDE))
    phi[goal[1], goal[0]] = -1
    walls = costs == 0
    speed = 1 / np.where(walls, 1, costs)
    field = np.ma.MaskedArray(phi, walls) if walls.any() else phi
    times = skfmm.travel_time(field, speed, order=order)
    return np.ma.filled(times, np.inf)


def all_but(goal):
    at = np.ones((SIDE, SIDE), np.uint8)
    at[goal[1], goal[0]] = 0
    return at


def tasks(folder, task):
    draw = np.random.default_rng(3)
    coarse = draw.uniform(0, 1, (33, 33)).astype(np.float32)
    weighted = (1 + 4 * cv2.resize(coarse, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)).astype(np.float32)
    np.save(folder / "costs.npy", weighted.astype(float))
    maze = (np.load(folder / "maze.npy") == 0).astype(np.float32)
    middle = (SIDE // 2, SIDE // 2)
    march, march_fast, sweep, sweep_fast = marching(False), marching(True), sweeping(False), sweeping(True)
    # As fractions of the longest time: schemes of first and of second order differ around goals, and at each corner of
    # a maze. Throng's whole ticks may be too short by 0.6 %.
    for name, costs, goal, tolerance in (
        ("travel times", np.ones((SIDE, SIDE), np.float32), middle, 0.003),
        ("weighted travel times", weighted, middle, 0.01),
        ("travel times in a maze", maze, (2, 2), 0.06),
    ):
        peers = {
            "scikit-fmm, order 1 *": (lambda _, costs=costs, goal=goal: by_skfmm(costs, goal, 1), False),
            "scikit-fmm, order 2 *": (lambda _, costs=costs, goal=goal: by_skfmm(costs, goal, 2), False),
            "Numba, fast marching": (lambda _, costs=costs, goal=goal: padded(march, costs, goal), False),
            "Numba, fast marching, fastmath": (lambda _, costs=costs, goal=goal: padded(march_fast, costs, goal), False),
        }
        if name != "travel times in a maze":
            # In a maze, it needs one pass for every few turns.
            peers |= {
                "Numba, fast sweeping": (lambda _, costs=costs, goal=goal: padded(sweep, costs, goal), False),
                "Numba, fast sweeping, fastmath": (
                    lambda _, costs=costs, goal=goal: padded(sweep_fast, costs, goal),
                    False,
                ),
            }
        if name == "travel times":
            peers |= {
                "SciPy distance_transform_edt, exact *": (
                    lambda _: scipy.ndimage.distance_transform_edt(all_but(middle)),
                    False,
                ),
                "OpenCV distanceTransform, exact *": (
                    lambda _: cv2.distanceTransform(all_but(middle), cv2.DIST_L2, cv2.DIST_MASK_PRECISE),
                    True,
                ),
            }
        yield task(name, peers, tolerance, relative=True)
