"""Prints the number of frames of a trajectory file in which PedPy finds Voronoi cells, and its failures, as JSON."""

import json
import pathlib
import sys

import numpy
import pedpy

path = pathlib.Path(sys.argv[1])
trajectories = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
found, failures = 0, []
cut_off = pedpy.Cutoff(radius=1.0, quad_segments=3)
for frame in numpy.unique(trajectories.data.frame):
    of_frame = trajectories.data[trajectories.data.frame == frame][["id", "frame", "x", "y"]].copy()
    data = pedpy.TrajectoryData(of_frame, frame_rate=trajectories.frame_rate)
    try:
        for options in ({}, {"cut_off": cut_off}):
            cells = pedpy.compute_individual_voronoi_polygons(traj_data=data, walkable_area=area, **options)
            if len(cells) != len(of_frame):
                failures.append(f"frame {frame}: {len(cells)} cells of {len(of_frame)} persons")
        found += 1
    except Exception as error:
        failures.append(f"frame {frame}: {error}")
print(json.dumps({"found": found, "failures": failures, "persons": len(numpy.unique(trajectories.data.id))}))
