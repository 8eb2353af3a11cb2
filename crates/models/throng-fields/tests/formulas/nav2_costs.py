"""Costs of Nav2's inflation layer by its published formula, independent of the crate.

    python3 nav2_costs.py        # needs numpy; writes nav2_cases.json and nav2_*.npy beside this file

The formula is that of Nav2 up to Kilted, in which costs are not looked up by rounded distances. For each cell, the distance to the nearest lethal cell is the smallest hypot(dx, dy) over all of them, in cells:

* 0: 254;
* up to the inscribed radius (distance * resolution): 253;
* up to ceil(inflation_radius / resolution) cells: 252 exp(-factor (distance * resolution - inscribed radius)), truncated to
  a whole number;
* beyond: no cost.

A cell takes the higher one of this and its old cost; an unknown cell (255) only a cost of 253 or more, or with
inflate_unknown one above 0. With an inflation radius of 0, no cost changes.
"""

import json
import math
import pathlib

import numpy as np

HERE = pathlib.Path(__file__).parent

CASES = [
    # Nav2's defaults.
    dict(resolution=0.05, inflation_radius=0.55, inscribed_radius=0.22, cost_scaling_factor=10.0, inflate_unknown=False),
    # A radius of whole cells at the end of the inscribed circle.
    dict(resolution=0.05, inflation_radius=0.7, inscribed_radius=0.2, cost_scaling_factor=3.0, inflate_unknown=True),
    # A radius that is rounded up to the next cell.
    dict(resolution=0.1, inflation_radius=0.55, inscribed_radius=0.1, cost_scaling_factor=2.58, inflate_unknown=False),
    # Cells of a quarter metre, and costs that hardly fall off.
    dict(resolution=0.25, inflation_radius=3.0, inscribed_radius=0.9, cost_scaling_factor=0.3, inflate_unknown=True),
    # An inscribed circle beyond the inflation radius.
    dict(resolution=0.05, inflation_radius=0.2, inscribed_radius=0.4, cost_scaling_factor=10.0, inflate_unknown=False),
    # No inflation.
    dict(resolution=0.05, inflation_radius=0.0, inscribed_radius=0.0, cost_scaling_factor=10.0, inflate_unknown=False),
]


def cost(distance, case):
    if distance == 0:
        return 254
    metres = distance * case["resolution"]
    if metres <= case["inscribed_radius"]:
        return 253
    return int(252 * math.exp(-case["cost_scaling_factor"] * (metres - case["inscribed_radius"])))


def inflated(costs, case):
    radius = math.ceil(case["inflation_radius"] / case["resolution"])
    rows, columns = np.nonzero(costs == 254)
    result = costs.copy()
    for (row, column), old in np.ndenumerate(costs):
        distance = min(math.hypot(r - row, c - column) for r, c in zip(rows.tolist(), columns.tolist()))
        if distance > radius:
            continue
        new = cost(distance, case)
        if old == 255:
            result[row, column] = new if new >= (1 if case["inflate_unknown"] else 253) else old
        else:
            result[row, column] = max(old, new)
    return result


def main():
    random = np.random.default_rng(2026)
    for number, case in enumerate(CASES):
        shape = (40 + 3 * number, 60 - 2 * number)
        costs = np.zeros(shape, dtype=np.uint8)
        costs[random.random(shape) < 0.08] = 255
        costs[random.random(shape) < 0.05] = 100
        costs[random.random(shape) < 0.006] = 254
        costs[0, 0] = 254
        np.save(HERE / f"nav2_{number}_map.npy", costs)
        np.save(HERE / f"nav2_{number}_inflated.npy", inflated(costs, case))
    (HERE / "nav2_cases.json").write_text(json.dumps(CASES, indent=1) + "\n")


main()
