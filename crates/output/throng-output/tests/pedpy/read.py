"""Prints the content of a trajectory file as read by PedPy, as JSON."""

import json
import pathlib
import sys

import pedpy

path = pathlib.Path(sys.argv[1])
trajectories = pedpy.load_trajectory_from_jupedsim_sqlite(trajectory_file=path)
area = pedpy.load_walkable_area_from_jupedsim_sqlite(trajectory_file=path)
speed = pedpy.compute_individual_speed(traj_data=trajectories, frame_step=1)
print(
    json.dumps(
        {
            "frame_rate": trajectories.frame_rate,
            "rows": trajectories.data[["id", "frame", "x", "y"]].values.tolist(),
            "speed": speed[["id", "frame", "speed"]].values.tolist(),
            "bounds": area.bounds,
            "area": area.area,
            "holes": len(area.polygon.interiors),
            "all_inside": bool(pedpy.is_trajectory_valid(traj_data=trajectories, walkable_area=area)),
        }
    )
)
