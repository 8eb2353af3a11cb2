"""Times tasks of fields in Throng and in the libraries that users would otherwise pick: see README.md."""

import argparse
import csv
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import time

import cv2
import numba
import numpy as np
import scipy
import skfmm

import creation
import inflation
import spreading
import travel_times

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parents[3]


class Task:
    """A task; `peers` maps names to functions of the number of threads that return an array.

    The largest difference may be `tolerance`, or `loose` for peers whose name ends with `*`: they solve a slightly
    different task. With `relative`, both are fractions of the largest value.
    """

    def __init__(self, name, peers, tolerance, loose=None, relative=False):
        self.name, self.peers, self.relative = name, peers, relative
        self.tolerance, self.loose = tolerance, loose or tolerance


def use_threads(count):
    """Sets the number of threads of all libraries with a global setting; the other functions get it as an argument."""
    numba.set_num_threads(count)
    cv2.setNumThreads(count)


def median(run, repeats):
    """The result of a function, and the median of its times in milliseconds after a warm-up run."""
    result, times = run(), []
    for _ in range(repeats):
        start = time.perf_counter()
        result = run()
        times.append((time.perf_counter() - start) * 1e3)
    return result, sorted(times)[len(times) // 2]


def ours(program, folder, options, threads):
    """Runs the example, and returns a list of tasks, methods, times and files."""
    environment = os.environ | {"RAYON_NUM_THREADS": str(threads)}
    command = [program, folder, str(options.repeats), options.only]
    output = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in output.stdout.splitlines()]


def difference(task, result, right):
    """The largest difference between two results; infinite if they are finite in different cells."""
    result, right = np.asarray(result, float), np.asarray(right, float)
    both = np.isfinite(right)
    if not np.array_equal(both, np.isfinite(result)):
        return float("inf")
    most = np.abs(right[both]).max() if task.relative else 1
    return float(np.abs(result[both] - right[both]).max() / most)


def built():
    """Builds the example, and returns its path."""
    command = ["cargo", "build", "--release", "-p", "throng-fields", "--no-default-features", "--example", "peer_timings"]
    subprocess.run(command, cwd=REPOSITORY, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")
    return pathlib.Path(target) / "release" / "examples" / "peer_timings"


def machine():
    """The machine and the versions on which the figures depend, one per line."""
    with open("/proc/cpuinfo") as cpus:
        model = next((line.split(":")[1].strip() for line in cpus if line.startswith("model name")), "?")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    changed = subprocess.run(["git", "status", "--porcelain", "-uno"], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True)
    yield f"CPU: {model}, {len(os.sched_getaffinity(0))} threads"
    yield f"Throng: commit {commit.stdout.strip()}{', changed' if changed.stdout.strip() else ''}"
    versions = {"Python": platform.python_version()} | {
        module.__name__: module.__version__ for module in (np, scipy, numba, cv2, skfmm)
    }
    yield ", ".join(f"{name} {version}" for name, version in versions.items())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="all threads")
    parser.add_argument("--only", default="", help="only tasks whose names contain this")
    parser.add_argument("--csv", type=pathlib.Path, help="also write the rows to this file")
    parser.add_argument("--program", type=pathlib.Path, help="the example peer_timings; built if missing")
    options = parser.parse_args()
    program = options.program or built()
    for line in machine():
        print(line)
    print(f"medians of {options.repeats} runs after a warm-up run, in milliseconds\n")
    rows, wrong = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([program, folder], check=True)
        parts = (creation, spreading, travel_times, inflation)
        tasks = [task for part in parts for task in part.tasks(folder, Task)]
        counts = sorted({1, options.threads})
        timed = {count: ours(program, folder, options, count) for count in counts}
        print("| Task | Program | 1 thread | all threads | largest difference |\n|---|---|---|---|---|")
        for task in tasks:
            if options.only not in task.name:
                continue
            list_of = lambda count: [entry for entry in timed[count] if entry["task"] == task.name]
            own = {count: list_of(count) for count in counts}
            right = np.load(folder / own[1][0]["file"])
            lines = []
            for i, entry in enumerate(own[1]):
                off = difference(task, np.load(folder / entry["file"]), right)
                lines.append((f"Throng, {entry['method']}", [own[count][i]["ms"] for count in counts], off, True))
            for peer, (run, threaded) in task.peers.items():
                times = []
                for count in counts if threaded else [1]:
                    use_threads(count)
                    result, ms = median(lambda: run(count), options.repeats)
                    times.append(ms)
                lines.append((peer, times, difference(task, result, right), peer.endswith("*")))
            for program_name, times, off, loose in lines:
                allowed = task.loose if loose else task.tolerance
                failed = not off <= allowed
                cells = [f"{ms:.4g}" for ms in times] + ["-"] * (2 - len(times))
                off_text = f"{off:.2g} of {allowed:.2g}{' DISAGREES' if failed else ''}"
                print(f"| {task.name} | {program_name} | {cells[0]} | {cells[1]} | {off_text} |", flush=True)
                rows.append([task.name, program_name, *times, *[""] * (2 - len(times)), off, allowed])
                if failed:
                    wrong.append(f"{task.name}, {program_name}: {off} instead of at most {allowed}")
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["task", "program", "ms_1_thread", f"ms_{options.threads}_threads", "difference", "allowed"])
            writer.writerows(rows)
    sys.exit("\n".join(["results disagree:", *wrong]) if wrong else 0)


if __name__ == "__main__":
    main()
