"""Writes the scenarios and expected values of this folder: `python3 make.py`, with NumPy only.

Each part is a list of scenarios in JSON, and one NPY array of one row with the values of all of them, in order.
"""

import json
import pathlib

import numpy as np

import fields
import queries
import spreading
import travel_times

FOLDER = pathlib.Path(__file__).parent
SEED = 20240229


def short(number):
    """Bounds need no more than three digits, rounded up."""
    return float(f"{number * 1.001:.3g}")


def write(name, made):
    scenarios, values = [], []
    for scenario, *arrays in made:
        for key in ("floats", "fixed", "bound"):
            if key in scenario:
                scenario[key] = short(scenario[key])
        scenarios.append(scenario)
        values += [np.asarray(array, float).ravel() for array in arrays]
    lines = ",\n".join(json.dumps(scenario, separators=(",", ":")) for scenario in scenarios)
    (FOLDER / f"{name}.json").write_text(f"[\n{lines}\n]\n")
    array = np.concatenate(values).astype("<f4")[None, :]
    np.save(FOLDER / f"{name}.npy", array)
    print(f"{name}: {len(scenarios)} scenarios, {array.size} values")


def main():
    parts = {
        "fields": fields.fields,
        "layers": fields.layers,
        "influence": spreading.influence,
        "diffusion": spreading.diffusion,
        "teams": spreading.teams,
        "exact_times": travel_times.exact,
        "scheme": travel_times.scheme,
        "queries": queries.queries,
    }
    for i, (name, make) in enumerate(parts.items()):
        write(name, make(np.random.default_rng([SEED, i])))


if __name__ == "__main__":
    main()
