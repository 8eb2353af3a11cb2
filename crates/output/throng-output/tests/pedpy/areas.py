"""Prints validity, area and number of parts of each line of well-known text, read with Shapely as in PedPy."""

import json
import sys

import shapely

areas = [shapely.from_wkt(line) for line in sys.stdin]
print(json.dumps([[area.is_valid, area.area, len(shapely.get_parts(area))] for area in areas]))
